/**
 * Two models whose permitted error depends on the place: which of their steps are split.
 *
 * The place of two points, one of a and one of b, is that of a. A step of a is split if its error is above a share s/2
 * of the least that is permitted in the box around everything it stands for; a step of b likewise, its box enlarged by
 * d + R + its error, where d is the distance asked and R no less than the error of any part of a in an answer. Boxes
 * and errors only grow from a step to those that take from it, and what is permitted in the boxes only falls (see
 * error-field.ts): so where a step is split, those are that take from it, as walks need it.
 *
 * So if parts p of a and q of b are in an answer, originals x of p and y of q are no farther apart than
 * d + e(p) + e(q), e being out + in, and e(q) is at most the error of the step that made q. Then x is in both boxes,
 * and e(p) + e(q) ≤ s · (permitted at x), which is the promise: nothing is farther apart than d and what is permitted
 * there.
 *
 * R: the surfaces of p and q, and so their boxes, are then no farther apart than d + e(p) + e(q). Below a node of a
 * whose box is farther than that from all of b, for the largest errors below it and of b, there is none; among the
 * others R is looked for. Of b, it is the largest error where boxes are not enlarged, which splits fewer of its steps.
 * Once they are, its own largest error is looked for likewise: no pair in an answer is farther apart than d and these.
 */
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { STRETCH } from '../solid/patch-index.js';
import { type ErrorField, posedBox } from './error-field.js';
import { type PosedBoxes, squareAbove } from './posed-boxes.js';
import { LevelSide, type Side } from './side.js';

export interface FieldAsk {
  readonly field: ErrorField;
  /** The share of what is permitted that levels may use up. */
  readonly share: number;
  readonly distance: number;
  readonly bToA: RigidPose;
  readonly boxes: PosedBoxes;
}

/** The same two at what is permitted by place. */
export function fieldSides(
  a: Side,
  b: Side,
  { field, share, distance, bToA, boxes }: FieldAsk,
): [Side, Side] {
  const [ofA, ofB] = [a instanceof LevelSide ? a : undefined, b instanceof LevelSide ? b : undefined];
  const own = share / (ofA && ofB ? 2 : 1);
  const [rootA, rootB] = [a.tree.root, b.tree.root];
  const gapSq = (nodeA: number, nodeB: number): number => {
    boxes.pose(bToA); // something else may have been asked for since
    return boxes.gapSq(nodeA, nodeB);
  };
  const atB = (farther: (error: number) => number, largestA: number): LevelSide | undefined =>
    ofB?.splitBy(
      (node, error) => {
        const box = posedBox(ofB.tree.standsFor(node), 0, bToA);
        const by = farther(error);
        for (let k = 0; k < 3; k++) {
          box[k] -= by;
          box[k + 3] += by;
        }
        return error > own * field.over(box, 0);
      },
      (side) => largestNear(side, distance + largestA, (node) => gapSq(rootA, node)),
    );
  const coarserB = atB(() => 0, a.tree.errorOf(rootA))?.error ?? 0;
  const placedA = ofA?.splitBy(
    (node, error) => error > own * field.over(ofA.tree.standsFor(node), 0),
    (side) => largestNear(side, distance + coarserB, (node) => gapSq(node, rootB)),
  );
  const largestA = placedA?.error ?? 0;
  const placedB = atB((error) => distance + largestA + error, largestA);
  return [placedA ?? a, placedB ?? b];
}

/** No part of a side whose gap to the other one is at most `reach` and its own error has a larger one than this. */
function largestNear(side: LevelSide, reach: number, gapSq: (node: number) => number): number {
  const { tree } = side;
  let most = 0;
  const stack = tree.parts > 0 ? [tree.root] : [];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const error = tree.errorOf(node);
    if (error <= most || gapSq(node) > squareAbove(STRETCH * (reach + error))) continue;
    if (node >= tree.nodes) most = error;
    else stack.push(...side.open(node));
  }
  return most;
}
