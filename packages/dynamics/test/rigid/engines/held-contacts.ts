/** What a set of contacts holds. */
import { type ContactSet, CONTACT_NUMBERS as STRIDE } from '../../../src/rigid/contact-set.js';
import { GAP, NORMAL } from '../../../src/rigid/exact/layout.generated.js';

/** Contacts beyond this many thicknesses hold nothing. */
const TOUCHING = 2;
/** Cosine of the angle between normals of contacts that hold the same. */
const ALIKE = 0.7;

/** Contacts on which something may rest, and their gaps. */
export function holding({ count, data }: ContactSet, thickness: number): [number, number][] {
  return Array.from({ length: count }, (_, i): [number, number] => [i, data[STRIDE * i + GAP]]).filter(
    ([, gap]) => gap < TOUCHING * thickness,
  );
}

/** The least gap of contacts whose normals are near a direction. */
export function leastAlong({ count, data }: ContactSet, way: Float64Array, at: number): number {
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const n = STRIDE * i + NORMAL;
    const along = data[n] * way[at] + data[n + 1] * way[at + 1] + data[n + 2] * way[at + 2];
    if (along > ALIKE) least = Math.min(least, data[STRIDE * i + GAP]);
  }
  return least;
}
