/**
 * How many separate closed loops a set of segments forms.
 *
 * Ends that coincide but for rounding are one node; segments that join the same nodes are one link. What hangs together
 * and leaves no node with an odd number of links is a loop, or several that touch.
 */
import { UnionFind } from '../../base/union-find.js';
import { PointIds } from './point-ids.js';

/** Ends closer than this, relative to the largest coordinate, are one node. */
const SAME_POINT = 1e-11;

export interface Loops {
  readonly closed: number;
  /** Parts that have loose ends. */
  readonly open: number;
}

/** Counts the loops of segments, six numbers each. */
export function countLoops(segments: Float64Array): Loops {
  let largest = 0;
  for (const x of segments) largest = Math.max(largest, Math.abs(x));
  const count = segments.length / 6;
  const ids = new PointIds(SAME_POINT * (largest || 1), count + 1);
  const links = new Set<number>();
  const from = new Uint32Array(count);
  const to = new Uint32Array(count);
  let length = 0;
  for (let s = 0; s < segments.length; s += 6) {
    const p = ids.add(segments, s);
    const q = ids.add(segments, s + 3);
    if (p === q) continue;
    const key = Math.min(p, q) * 2 ** 26 + Math.max(p, q);
    if (links.has(key)) continue;
    links.add(key);
    from[length] = p;
    to[length++] = q;
  }
  const sets = new UnionFind(ids.count);
  const odd = new Uint8Array(ids.count);
  for (let i = 0; i < length; i++) {
    sets.union(from[i], to[i]);
    odd[from[i]] ^= 1;
    odd[to[i]] ^= 1;
  }
  const roots = new Set<number>();
  const loose = new Set<number>();
  for (let i = 0; i < length; i++) roots.add(sets.find(from[i]));
  for (let node = 0; node < odd.length; node++) if (odd[node]) loose.add(sets.find(node));
  return { closed: roots.size - loose.size, open: loose.size };
}
