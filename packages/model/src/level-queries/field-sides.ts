/**
 * Two models whose permitted error depends on the place: which of their steps are split.
 *
 * The place of two points, one of a and one of b, is that of a. A step of a is split if its error is above a share s/2
 * of the least that is permitted in the box around everything it stands for; a step of b likewise, its box enlarged by
 * d + R, where d is the distance asked and R no less than the errors of any two parts added up. Both boxes only grow
 * from a step to those that take from it, and what is permitted in them only falls (see error-field.ts), while errors
 * do not fall: so where a step is split, those are that take from it, as walks need it.
 *
 * So parts p of a and q of b are in an answer only if originals x of p and y of q are no farther apart than
 * d + e(p) + e(q) ≤ d + R, e being out + in. Then x is in both boxes, and e(p) + e(q) ≤ s · (permitted at x), which is
 * the promise: nothing is farther apart than d and what is permitted there.
 */
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { type ErrorField, posedBox } from './error-field.js';
import type { IsSplit } from './level-tree.js';
import { LevelSide, type Side } from './side.js';

export interface FieldAsk {
  readonly field: ErrorField;
  /** The share of what is permitted that levels may use up. */
  readonly share: number;
  readonly distance: number;
  readonly bToA: RigidPose;
}

/** The same two at what is permitted by place. */
export function fieldSides(a: Side, b: Side, { field, share, distance, bToA }: FieldAsk): [Side, Side] {
  const [ofA, ofB] = [a instanceof LevelSide ? a : undefined, b instanceof LevelSide ? b : undefined];
  const own = share / (ofA && ofB ? 2 : 1);
  const farther = distance + (ofA?.tree.largestError ?? 0) + (ofB?.tree.largestError ?? 0);
  const isSplitA: IsSplit = (node, error) => error > own * field.over(ofA!.tree.standsFor(node), 0);
  const isSplitB: IsSplit = (node, error) => {
    const box = posedBox(ofB!.tree.standsFor(node), 0, bToA);
    for (let k = 0; k < 3; k++) {
      box[k] -= farther;
      box[k + 3] += farther;
    }
    return error > own * field.over(box, 0);
  };
  return [ofA?.splitBy(isSplitA) ?? a, ofB?.splitBy(isSplitB) ?? b];
}
