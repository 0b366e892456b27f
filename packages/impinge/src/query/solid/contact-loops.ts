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
  for (let i = 0; i < segments.length; i++) {
    const size = Math.abs(segments[i]);
    if (size > largest) largest = size;
  }
  const count = segments.length / 6;
  const ids = new PointIds(SAME_POINT * (largest || 1), count + 1);
  const links = new LinkSet(count);
  for (let s = 0; s < segments.length; s += 6) {
    const p = ids.add(segments, s);
    const q = ids.add(segments, s + 3);
    if (p !== q) links.add(Math.min(p, q), Math.max(p, q));
  }
  const sets = new UnionFind(ids.count);
  const odd = new Uint8Array(ids.count);
  for (let i = 0; i < links.count; i++) {
    sets.union(links.from[i], links.to[i]);
    odd[links.from[i]] ^= 1;
    odd[links.to[i]] ^= 1;
  }
  // what hangs together, by its root: a loop until a loose end turns up
  const LOOP = 1;
  const LOOSE = 2;
  const kinds = new Uint8Array(ids.count);
  for (let i = 0; i < links.count; i++) kinds[sets.find(links.from[i])] = LOOP;
  for (let node = 0; node < odd.length; node++) if (odd[node]) kinds[sets.find(node)] = LOOSE;
  let closed = 0;
  let open = 0;
  for (let root = 0; root < kinds.length; root++) {
    if (kinds[root] === LOOP) closed++;
    else if (kinds[root] === LOOSE) open++;
  }
  return { closed, open };
}

/** Links between nodes, each once: an open hash of their numbers. */
class LinkSet {
  count = 0;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** The number of a link, plus 1; 0: free. */
  readonly #places: Uint32Array;

  constructor(capacity: number) {
    this.from = new Uint32Array(capacity);
    this.to = new Uint32Array(capacity);
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(2 * capacity + 2)));
  }

  add(from: number, to: number): void {
    const mask = this.#places.length - 1;
    const mixed = Math.imul(from, 0x9e3779b1) ^ Math.imul(to, 0x85ebca6b);
    let place = (mixed ^ (mixed >>> 15)) & mask;
    for (; this.#places[place] > 0; place = (place + 1) & mask) {
      const link = this.#places[place] - 1;
      if (this.from[link] === from && this.to[link] === to) return;
    }
    this.from[this.count] = from;
    this.to[this.count] = to;
    this.#places[place] = ++this.count;
  }
}
