/** Which boxes come within a distance of some of them, without listing the pairs. */
import { gapSqOfBoxes } from 'impinge/internal/query/pair/box-gap.js';
import { BoxTree } from '../../store/box-tree.js';

/** 1 for every box (six numbers) within the distance of a member (1 in `members`); a member is near itself. */
export function objectsNear(boxes: Float64Array, members: Uint8Array, distance: number): Uint8Array {
  const own = new BoxTree(boxes.filter((_, i) => members[Math.floor(i / 6)] === 1));
  const limitSq = distance * distance;
  return members.map((_, i) =>
    Number(
      own.some(
        (around, at) => gapSqOfBoxes(around, at, boxes, 6 * i) <= limitSq,
        () => true,
      ),
    ),
  );
}
