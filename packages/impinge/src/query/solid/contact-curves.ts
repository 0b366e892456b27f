/**
 * Joins the pieces in which triangles meet to curves: segments end to end, polygons of coplanar triangles to the
 * outline of their union.
 *
 * Idea: corners that coincide but for rounding are one node. Sides of polygons that two of them share cancel.
 * What remains is a graph; its chains and loops are the curves, cut where more than two pieces meet.
 */
import { PointIds } from './point-ids.js';

/** Corners closer than this, relative to the largest coordinate, are one. */
const SAME_POINT = 1e-11;

/** Names, for every point (three numbers each), the first one at the same place. */
export function mergePoints(points: Float64Array): Uint32Array {
  let largest = 0;
  for (const x of points) largest = Math.max(largest, Math.abs(x));
  const ids = new PointIds(SAME_POINT * (largest || 1), points.length / 3);
  const first: number[] = [];
  return Uint32Array.from({ length: points.length / 3 }, (_, i) => {
    const id = ids.add(points, 3 * i);
    if (id === first.length) first.push(i);
    return first[id];
  });
}

export interface Curve {
  /** Nodes along the curve; a closed one does not repeat its first. */
  readonly nodes: readonly number[];
  readonly closed: boolean;
}

/** Pieces between the same two nodes. */
interface Link {
  readonly ends: readonly [number, number];
  count: number;
}

/** Segments as pairs of nodes, each once, without those between equal nodes and inside the union of polygons. */
export class CurveGraph {
  readonly #segments = new Map<string, Link>();
  readonly #sides = new Map<string, Link>();

  addSegment(from: number, to: number): void {
    count(this.#segments, from, to);
  }

  addPolygon(nodes: readonly number[]): void {
    nodes.forEach((from, i) => {
      count(this.#sides, from, nodes[(i + 1) % nodes.length]);
    });
  }

  /** Chains from end to end or junction to junction first, then loops; and whether none of them has a loose end. */
  curves(): { curves: Curve[]; closed: boolean } {
    for (const [key, side] of this.#sides) {
      if (side.count % 2 === 1) this.#segments.set(key, { ...side, count: 1 });
      else this.#segments.delete(key);
    }
    const neighbours = new Map<number, Set<number>>();
    const note = (from: number, to: number) => {
      const set = neighbours.get(from);
      if (set) set.add(to);
      else neighbours.set(from, new Set([to]));
    };
    const pieces = new Map<number, number>();
    for (const { ends, count: multiplicity } of this.#segments.values()) {
      const [from, to] = ends;
      note(from, to);
      note(to, from);
      for (const node of ends) pieces.set(node, (pieces.get(node) ?? 0) + multiplicity);
    }
    // a flap of two triangles on each other leaves a dead end of two pieces; a cut along an edge doubles a segment
    const even = ([node, set]: [number, Set<number>]) =>
      set.size % 2 === 0 || (pieces.get(node) ?? 0) % 2 === 0;
    const closed = this.#segments.size > 0 && [...neighbours].every(even);
    const ends = new Set([...neighbours].filter(([, set]) => set.size !== 2).map(([node]) => node));
    const curves: Curve[] = [];
    const follow = (start: number): Curve => {
      const nodes = [start];
      let at = start;
      for (;;) {
        const [next] = neighbours.get(at) ?? [start];
        neighbours.get(at)?.delete(next);
        neighbours.get(next)?.delete(at);
        if (next === start) return { nodes, closed: true };
        nodes.push(next);
        if (ends.has(next)) return { nodes, closed: false };
        at = next;
      }
    };
    for (const [node, set] of neighbours) while (ends.has(node) && set.size > 0) curves.push(follow(node));
    for (const [node, set] of neighbours) if (set.size > 0) curves.push(follow(node));
    return { curves, closed };
  }
}

function count(links: Map<string, Link>, from: number, to: number): void {
  if (from === to) return;
  const link = links.get(keyOf(from, to));
  if (link) link.count++;
  else links.set(keyOf(from, to), { ends: [from, to], count: 1 });
}

function keyOf(from: number, to: number): string {
  return from < to ? `${from} ${to}` : `${to} ${from}`;
}
