/** The exact continuous test of two edges, either of which may be degenerate in any way. */
import { type ContactShape, exactContact } from './exact-contact.js';

const clamp01 = (x: number) => Math.min(1, Math.max(0, x));

/** All points of b seen from all points of a; u and v are the parameters along a and b. */
const PARALLELOGRAM: ContactShape = {
  corners: [
    [2, 0],
    [3, 0],
    [3, 1],
    [2, 1],
  ],
  inside: (first, last) => [clamp01(first), clamp01(last)],
  onSide: (i, x) => (i === 0 ? [0, x] : i === 1 ? [x, 1] : i === 2 ? [1, 1 - x] : [1 - x, 0]),
  weights: (u, v) => [(1 - u) * (1 - v), (1 - u) * v, u * v, u * (1 - v)],
};

/**
 * Whether two closed moving edges touch at some time in [0, 1]; exact for the numbers given.
 *
 * `p` holds a0, a1, b0, b1 at T0, then at T1, moving linearly; all finite, nothing else is assumed. On contact, `out`
 * receives [t, u, v, nx, ny, nz]: the first time of contact, rounded down, the parameters along a and along b, and
 * the unit normal from b towards the side a comes from.
 */
export function exactEdgeEdge(p: Float64Array, out: Float64Array): boolean {
  return exactContact(PARALLELOGRAM, p, out);
}
