/** The exact continuous test of a vertex and a face, either of which may be degenerate in any way. */
import { type ContactShape, exactContact } from './exact-contact.js';

/** The face as seen from the vertex; u and v are the weights of f1 and f2. */
const TRIANGLE: ContactShape = {
  corners: [
    [1, 0],
    [2, 0],
    [3, 0],
  ],
  inside: (first, last) => {
    const u = Math.min(1, Math.max(0, last));
    return [u, Math.min(1 - u, Math.max(0, first))];
  },
  onSide: (i, x) => (i === 0 ? [x, 0] : i === 1 ? [1 - x, x] : [0, 1 - x]),
  weights: (u, v) => [1 - u - v, u, v],
};

/**
 * Whether a moving vertex touches a closed moving face at some time in [0, 1]; exact for the numbers given.
 *
 * `p` holds v, f0, f1, f2 at T0, then at T1, moving linearly; all finite, nothing else is assumed. On contact, `out`
 * receives [t, u, v, nx, ny, nz]: the first time of contact, rounded down, the weights of f1 and f2, and the unit
 * normal from the face towards the side the vertex comes from.
 */
export function exactVertexFace(p: Float64Array, out: Float64Array): boolean {
  return exactContact(TRIANGLE, p, out);
}
