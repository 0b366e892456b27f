/**
 * Objects that never exist at the same time, such as scaffolding and what is mounted when it is gone.
 *
 * By the label `period`, `2026-03-01/2026-05-01`: from the first date on, until before the second; either may be
 * missing. Dates are those of ISO 8601, which sort as texts. What has no period always exists.
 */
import type { ExclusionReason } from './exclusion.js';

interface Period {
  readonly from: string;
  readonly until: string;
}

/** After every date. */
const NEVER = '\uffff';

export const sequence: ExclusionReason = {
  meaning: 'objects that never exist at the same time, by their periods',
  beforehand: (facts) => {
    const labels = facts.labels('period');
    if (labels === undefined) return undefined;
    const periods = new Map([...labels].map(([object, texts]) => [object, texts.map(periodOf)]));
    return (a, b) => {
      const [ofA, ofB] = [periods.get(a), periods.get(b)];
      if (ofA === undefined || ofB === undefined) return false;
      return !ofA.some((p) => ofB.some((q) => p.from < q.until && q.from < p.until));
    };
  },
};

function periodOf(text: string): Period {
  const [from, until = ''] = text.split('/');
  return { from, until: until || NEVER };
}
