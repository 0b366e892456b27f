/** Takes steps of several fronts until they have few enough triangles in view. */
import { PairHeap } from 'impinge/internal/base/heap.js';
import type { Steps } from '../store/steps.js';
import type { Demand, ObjectFront, Which } from './object-front.js';

/** The result of coarsening: objects whose front changed, and the largest visible error in view, as a ratio. */
export interface Coarsened {
  readonly touched: ReadonlySet<number>;
  readonly ratio: number;
}

/**
 * Takes the least visible steps first, until the number of `triangles` in view is within the budget. No step is taken
 * before the steps below it: their errors look no larger. Steps that must be split for an error in space stay split.
 */
export function coarsen(
  which: Which,
  fronts: readonly ObjectFront[],
  steps: Steps,
  demand: Demand,
  { triangles, budget }: { triangles: number; readonly budget: number },
): Coarsened {
  const touched = new Set<number>();
  let ratio = 0;
  if (triangles <= budget) return { touched, ratio };
  const next = new PairHeap();
  const offer = (object: number, step: number) => {
    const front = fronts[object];
    const isNext = front.isSplit(which, step) && front.isLowest(which, step) && front.mayTake(demand, step);
    if (isNext) next.push(front.ratio(step), object, step);
  };
  fronts.forEach((front, object) => {
    if (front.hasSplits) for (const step of front.splitSteps(which)) offer(object, step);
  });
  while (triangles > budget && next.pop()) {
    const { key, a: object, b: step } = next;
    const front = fronts[object];
    if (!front.isSplit(which, step)) continue; // offered twice
    triangles -= front.saving(step);
    if (front.shows(step)) ratio = Math.max(ratio, key);
    front.join(which, step);
    touched.add(object);
    for (let i = steps.firstOutput[step]; i < steps.firstOutput[step + 1]; i++) {
      const taker = steps.taker[steps.outputs[i]];
      if (taker >= 0) offer(object, taker);
    }
  }
  return { touched, ratio };
}
