/** Graphs for the tests of the overlap graph: regular ones, random ones, and ones from boxes. */
import fc from 'fast-check';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { boxPairs } from '../../src/scene/box-pairs.js';
import { buildOverlapGraph, type OverlapGraph } from '../../src/scene/overlap-graph.js';

export function graphOf(nodeCount: number, edges: readonly (readonly [number, number])[]): OverlapGraph {
  return buildOverlapGraph(new Float64Array(nodeCount).fill(1), Uint32Array.from(edges.flat()));
}

export const path = (n: number) =>
  graphOf(
    n,
    Array.from({ length: n - 1 }, (_, i) => [i, i + 1] as const),
  );

export const star = (leaves: number) =>
  graphOf(
    leaves + 1,
    Array.from({ length: leaves }, (_, i) => [0, i + 1] as const),
  );

/** Two nodes that are joined to all others, but not to each other. */
export const twoHubs = (n: number) =>
  graphOf(
    n + 2,
    Array.from({ length: n }, (_, i) => [
      [0, i + 2],
      [1, i + 2],
    ]).flat() as [number, number][],
  );

export function clique(n: number): OverlapGraph {
  const edges: [number, number][] = [];
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) edges.push([i, j]);
  return graphOf(n, edges);
}

export function grid(width: number, height: number): OverlapGraph {
  const edges: [number, number][] = [];
  for (let y = 0, n = 0; y < height; y++) {
    for (let x = 0; x < width; x++, n++) {
      if (x + 1 < width) edges.push([n, n + 1]);
      if (y + 1 < height) edges.push([n, n + width]);
    }
  }
  return graphOf(width * height, edges);
}

/** Equal boxes at random places of a cube, numbered in no particular order. */
export function geometric(count: number, degree: number, seed: number): OverlapGraph {
  const next = seededRandom(seed);
  const side = 0.5 * Math.cbrt(degree / count);
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      boxes[6 * i + k] = next();
      boxes[6 * i + 3 + k] = boxes[6 * i + k] + side;
    }
  }
  return buildOverlapGraph(new Float64Array(count).fill(1), boxPairs.pairs(boxes, 0));
}

/** Up to 40 nodes with weights of 0 … 100, loops and parallel edges among the edges. */
export const anyGraph: fc.Arbitrary<OverlapGraph> = fc
  .record({
    weights: fc.array(fc.oneof(fc.nat(10), fc.nat(100)), { minLength: 1, maxLength: 40 }),
    edges: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 120 }),
  })
  .map(({ weights, edges }) =>
    buildOverlapGraph(
      Float64Array.from(weights),
      Uint32Array.from(edges.flat(), (end) => end % weights.length),
    ),
  );

export function totalWeight(graph: OverlapGraph): number {
  return graph.weight.reduce((sum, weight) => sum + weight, 0);
}
