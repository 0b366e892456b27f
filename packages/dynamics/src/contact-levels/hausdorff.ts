/**
 * h of every node: the distance by which the hulls of its descendants stick out of its own.
 *
 * h is a maximum over the vertices of all descendants (hull-distance.ts).
 * Errs: outward. A distance is off by less than 2⁻⁴⁴ of itself and 2⁻⁴⁶ of the greatest coordinate: differences of
 * float32 numbers of one model, and some twenty operations in float64 on them. Both are added.
 */
import { roundUp } from 'impinge/internal/volumes/round.js';
import type { DraftLevel } from './draft.js';
import { HullDistance } from './hull-distance.js';

const RELATIVE = 2 ** -44;
const ABSOLUTE = 2 ** -46;

/** Fills in h; `originals`, where given, are points that the nodes of level 0 must count as descendants. */
export function measureHausdorff(
  levels: readonly DraftLevel[],
  originals?: (node: number) => Float64Array,
): void {
  const hulls = levels.map(({ nodes }, k) =>
    k === 0 && !originals ? [] : nodes.map(({ points, faces }) => new HullDistance(points, faces)),
  );
  const exact = levels.map(({ nodes }) => new Float64Array(nodes.length));
  const reach = (points: Float64Array, level: number, node: number): void => {
    for (let k = level, n = node; k < levels.length; n = levels[k].nodes[n].parent, k++) {
      for (let i = 0; i < points.length; i += 3) {
        exact[k][n] = Math.max(exact[k][n], hulls[k][n].from(points, i, exact[k][n]));
      }
    }
  };
  levels.forEach(({ nodes }, k) => {
    nodes.forEach((node, n) => {
      if (k === 0 && originals) reach(originals(n), 0, n);
      if (k + 1 < levels.length) reach(node.points, k + 1, node.parent);
    });
  });
  const least = ABSOLUTE * greatestCoordinate(levels);
  levels.forEach(({ nodes }, k) => {
    nodes.forEach((node, n) => {
      // the hulls of the finest level have their patches' own vertices
      const isExact = k === 0 && !originals;
      node.h = isExact ? 0 : roundUp(exact[k][n] * (1 + RELATIVE) + least);
    });
  });
}

function greatestCoordinate(levels: readonly DraftLevel[]): number {
  let most = 0;
  for (const { nodes } of levels) {
    for (const { points } of nodes) for (const value of points) most = Math.max(most, Math.abs(value));
  }
  return most;
}
