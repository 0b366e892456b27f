/** The same element in several files: a grid, an origin, or columns that architect and engineer both export. */
import type { ExclusionReason } from './exclusion.js';

/** Only where nothing differs: an element with another shape or place is two opinions about it. */
export const copies: ExclusionReason = {
  meaning: 'one element that several files have, the same in each',
  measured:
    (facts) =>
    (a, b, { kind }) =>
      kind === 'duplicate' && facts.isOneInTwoFiles(a, b),
};
