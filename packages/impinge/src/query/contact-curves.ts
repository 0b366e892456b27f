/**
 * Joins the pieces in which triangles meet to curves: segments end to end, polygons of coplanar triangles to the
 * outline of their union.
 *
 * Idea: corners that coincide but for rounding are one node. Sides of polygons that two of them share cancel.
 * What remains is a graph; its chains and loops are the curves, cut where more than two pieces meet.
 */
import { UnionFind } from '../base/union-find.js';

/** Corners closer than this, relative to the largest coordinate, are one. */
const SAME_POINT = 1e-11;

/** Irrational weights: points on one plane of a grid get different sums. */
const WEIGHTS = [1, 0.6180339887, 0.3247179572];

/** Names, for every point (three numbers each), the first one at the same place. */
export function mergePoints(points: Float64Array): Uint32Array {
  const count = points.length / 3;
  let largest = 0;
  for (const x of points) largest = Math.max(largest, Math.abs(x));
  const reach = SAME_POINT * largest;
  const sums = Float64Array.from(
    { length: count },
    (_, i) => WEIGHTS[0] * points[3 * i] + WEIGHTS[1] * points[3 * i + 1] + WEIGHTS[2] * points[3 * i + 2],
  );
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort((i, j) => sums[i] - sums[j] || i - j);
  const sets = new UnionFind(count);
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count && sums[order[j]] - sums[order[i]] <= 2 * reach; j++) {
      const p = 3 * order[i];
      const q = 3 * order[j];
      const near = [0, 1, 2].every((k) => Math.abs(points[p + k] - points[q + k]) <= reach);
      if (near) sets.union(order[i], order[j]);
    }
  }
  return Uint32Array.from({ length: count }, (_, i) => sets.find(i));
}

export interface Curve {
  /** Nodes along the curve; a closed one does not repeat its first. */
  readonly nodes: readonly number[];
  readonly closed: boolean;
}

/** Segments as pairs of nodes, each once, without those between equal nodes and inside the union of polygons. */
export class CurveGraph {
  readonly #segments = new Map<string, [number, number]>();
  readonly #sides = new Map<string, { ends: [number, number]; count: number }>();

  addSegment(from: number, to: number): void {
    if (from !== to) this.#segments.set(keyOf(from, to), [from, to]);
  }

  addPolygon(nodes: readonly number[]): void {
    nodes.forEach((from, i) => {
      const to = nodes[(i + 1) % nodes.length];
      if (from === to) return;
      const side = this.#sides.get(keyOf(from, to));
      if (side) side.count++;
      else this.#sides.set(keyOf(from, to), { ends: [from, to], count: 1 });
    });
  }

  /** Chains from end to end or junction to junction first, then loops. */
  curves(): Curve[] {
    for (const [key, { ends, count }] of this.#sides) {
      if (count % 2 === 1) this.#segments.set(key, ends);
      else this.#segments.delete(key);
    }
    const neighbours = new Map<number, Set<number>>();
    const note = (from: number, to: number) => {
      const set = neighbours.get(from);
      if (set) set.add(to);
      else neighbours.set(from, new Set([to]));
    };
    for (const [from, to] of this.#segments.values()) {
      note(from, to);
      note(to, from);
    }
    const ends = new Set([...neighbours].filter(([, set]) => set.size !== 2).map(([node]) => node));
    const curves: Curve[] = [];
    const follow = (start: number): Curve => {
      const nodes = [start];
      let at = start;
      for (;;) {
        const next: number = neighbours.get(at)!.values().next().value!;
        neighbours.get(at)!.delete(next);
        neighbours.get(next)!.delete(at);
        if (next === start) return { nodes, closed: true };
        nodes.push(next);
        if (ends.has(next)) return { nodes, closed: false };
        at = next;
      }
    };
    for (const node of ends) while (neighbours.get(node)!.size > 0) curves.push(follow(node));
    for (const [node, set] of neighbours) if (set.size > 0) curves.push(follow(node));
    return curves;
  }
}

function keyOf(from: number, to: number): string {
  return from < to ? `${from} ${to}` : `${to} ${from}`;
}
