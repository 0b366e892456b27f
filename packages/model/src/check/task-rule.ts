/** What a rule asks about a pair of objects. */
import type { ZoneSizes } from './zones/zone.js';

/** The part of a rule needed for measuring. */
export interface TaskRule {
  readonly clearance: number;
  readonly tolerance: number;
  /** The bits of kinds, see `kindBit`. */
  readonly kinds: number;
  /** What must be free around a; undefined where the objects themselves are compared. */
  readonly zone?: ZoneSizes | undefined;
}
