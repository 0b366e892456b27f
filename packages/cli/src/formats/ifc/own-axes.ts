/** The own axes of products, those of their placements, in the frames of their shapes. */

import type { Matrix } from '../../matrix.js';
import { quaternionOf } from '../../quaternion.js';
import { PlacementProblem } from './axis-placement.js';
import type { GridPlacements } from './grid-placement.js';

/**
 * As quaternions (x, y, z, w), where the pose (twelve numbers; undefined: the identity) has turned the shape otherwise;
 * undefined: as the shape, or unknown.
 */
export async function ownAxes(
  placements: readonly (number | undefined)[],
  poses: readonly (Float64Array | undefined)[],
  of: GridPlacements,
): Promise<(number[] | undefined)[]> {
  await of.load(placements.filter((placement) => placement !== undefined));
  return Promise.all(
    placements.map(async (placement, i) => {
      try {
        return placement === undefined ? undefined : turnBetween(poses[i], await of.place(placement));
      } catch (error) {
        if (error instanceof PlacementProblem) return undefined;
        throw error;
      }
    }),
  );
}

function turnBetween(pose: Float64Array | undefined, place: Matrix): number[] | undefined {
  // the transposed rotation of the pose, times that of the placement
  const r: number[] = [];
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      const along = [0, 1, 2].map((k) => place[4 * column + k]);
      r.push(
        pose === undefined
          ? along[row]
          : pose[row] * along[0] + pose[3 + row] * along[1] + pose[6 + row] * along[2],
      );
    }
  }
  const turn = quaternionOf(r);
  return turn[3] > 1 - 1e-12 ? undefined : turn;
}
