/**
 * Pairs of objects that meet by design, or are one: every coordinator would leave them out first. One entry for each
 * reason; options, rules, --help, counts and lists of reports follow from this table.
 *
 * A reason is here only if it is certain: it needs a relation of the file, or a class together with a place that cannot
 * mean anything else. Otherwise the pair is reported.
 */
import { cavities } from './cavities.js';
import { copies } from './copies.js';
import { fasteners, reinforcement } from './embedded.js';
import type { ExclusionReason } from './exclusion.js';
import { ceilings, finishes } from './finishes.js';
import { places } from './places.js';
import { recessed } from './recessed.js';
import { assemblies, connections, coverings, joints, openings, wholes } from './related.js';
import { sequence } from './sequence.js';
import { sills } from './sills.js';

const REASONS = {
  ...{ places, copies },
  ...{ openings, coverings, connections, wholes, assemblies, joints },
  ...{ sequence },
  ...{ reinforcement, fasteners, finishes, ceilings, sills, recessed, cavities },
} as const satisfies Record<string, ExclusionReason>;

/** In the order in which a pair counts for them. */
export const EXCLUSION_REASONS: Readonly<Record<Exclusion, ExclusionReason>> = REASONS;

export type Exclusion = keyof typeof REASONS;
export const EXCLUSIONS = Object.keys(REASONS) as Exclusion[];

/** Descriptions of the excluded pairs. */
export const EXCLUSION_TABLE = Object.fromEntries(
  EXCLUSIONS.map((name) => [name, REASONS[name].meaning]),
) as Readonly<Record<Exclusion, string>>;
