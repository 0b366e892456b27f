/**
 * A second opinion on continuous contact that shares nothing with the algebra: the difference of the two elements is
 * affine in each of time and the two parameters, so its values over a box of them lie between those at the box's
 * corners. Boxes that exclude zero are dropped, others halved; what is left at the finest size counts as contact.
 * Exact in float64 for small integers: coordinates of 6 bits, time and parameters of DEPTH bits each.
 */
import type { Kind, Query } from './ccd-queries.js';

export const DEPTH = 18;

/** Whether the elements meet at some time in [0, until]; `until` is a multiple of 2^−DEPTH. */
export function meetsByInclusion(kind: Kind, p: Query, until = 1): boolean {
  const low = [0, 0, 0];
  const visit = (depth: number): boolean => {
    const size = [0, 1, 2].map((d) => 2 ** -Math.floor((depth + 2 - d) / 3));
    if (low[0] > until) return false;
    if (kind === 'vertex-face' && low[1] + low[2] > 1) return false;
    if (excludesZero(kind, p, low, size, until)) return false;
    if (depth === 3 * DEPTH) return true;
    const axis = depth % 3;
    const half = size[axis] / 2;
    if (visit(depth + 1)) return true;
    low[axis] += half;
    const found = visit(depth + 1);
    low[axis] -= half;
    return found;
  };
  return visit(0);
}

function excludesZero(kind: Kind, p: Query, low: number[], size: number[], until: number): boolean {
  const high = [Math.min(until, low[0] + size[0]), low[1] + size[1], low[2] + size[2]];
  for (let k = 0; k < 3; k++) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let corner = 0; corner < 8; corner++) {
      const t = corner & 1 ? high[0] : low[0];
      const u = corner & 2 ? high[1] : low[1];
      const v = corner & 4 ? high[2] : low[2];
      const x = (n: number) => p[3 * n + k] + t * (p[12 + 3 * n + k] - p[3 * n + k]);
      const value =
        kind === 'vertex-face'
          ? x(0) - x(1) - u * (x(2) - x(1)) - v * (x(3) - x(1))
          : x(0) + u * (x(1) - x(0)) - x(2) - v * (x(3) - x(2));
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (least > 0 || most < 0) return true;
  }
  return false;
}
