/** The fast continuous test of two edges. */
import { EDGE_EDGE_PATCH } from './difference-patch.js';
import { fastContact } from './fast-contact.js';
import type { Verdict } from './verdict.js';

/**
 * Whether two edges that move linearly come within `separation` of each other.
 *
 * `p` holds a0, a1, b0, b1 at T0, then at T1. On HIT, `out` receives [t, u, v, nx, ny, nz]: a time at most 1e-9 before
 * the first contact and never after it, the parameters along a and along b, and the unit normal from b to the side a
 * comes from; otherwise it receives anything. MISS and HIT are certain at separation 0, DOUBT leaves the decision to
 * `exactEdgeEdge`. Above 0 there is no DOUBT, MISS is certain, and HIT may be said of elements that come within 1e-9
 * times their extent of `separation`.
 */
export function fastEdgeEdge(p: Float64Array, separation: number, out: Float64Array): Verdict {
  return fastContact(p, EDGE_EDGE_PATCH, separation, out);
}
