/** The fast continuous test of a vertex and a face. */
import { VERTEX_FACE_PATCH } from './difference-patch.js';
import { fastContact } from './fast-contact.js';
import type { Verdict } from './verdict.js';

/**
 * Whether a vertex and a face that move linearly come within `separation` of each other.
 *
 * `p` holds v, f0, f1, f2 at T0, then at T1. On HIT, `out` receives [t, u, v, nx, ny, nz]: a time at most 1e-9 before
 * the first contact and never after it, the weights of f1 and f2, and the unit normal from the face to the side the
 * vertex comes from; otherwise it receives anything. MISS and HIT are certain at separation 0, DOUBT leaves the
 * decision to `exactVertexFace`. Above 0 there is no DOUBT, MISS is certain, and HIT may be said of elements that
 * come within 1e-9 times their extent of `separation`.
 */
export function fastVertexFace(p: Float64Array, separation: number, out: Float64Array): Verdict {
  return fastContact(p, VERTEX_FACE_PATCH, separation, out);
}
