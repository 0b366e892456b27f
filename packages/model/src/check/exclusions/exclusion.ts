/** One reason for which pairs of objects are left out of a check; table.ts lists all of them. */
import type { ClashMeasure } from '../clash.js';
import type { ObjectFacts } from './object-facts.js';

/** Whether a pair is left out, by the numbers of its objects in either order. */
export type PairTest = (a: number, b: number) => boolean;

/** Whether a measured pair is left out. */
export type ClashTest = (a: number, b: number, clash: ClashMeasure) => boolean;

export interface ExclusionReason {
  /** The pairs, for help texts and summaries: a clause. */
  readonly meaning: string;
  /**
   * What relations and classes say before anything is measured. Undefined, or a test that is undefined for this model:
   * they say nothing.
   */
  readonly beforehand?: (facts: ObjectFacts) => PairTest | undefined;
  /** What only the clash shows. */
  readonly measured?: (facts: ObjectFacts) => ClashTest | undefined;
}

/** The same whichever of the two is first. */
export function eitherWay<Rest extends readonly unknown[]>(
  test: (a: number, b: number, ...rest: Rest) => boolean,
): (a: number, b: number, ...rest: Rest) => boolean {
  return (a, b, ...rest) => test(a, b, ...rest) || test(b, a, ...rest);
}
