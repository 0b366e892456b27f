import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bisect } from '../../src/scene/bisect.js';
import { coarsen, type WeightedGraph, weigh } from '../../src/scene/coarsen.js';
import { Multilevel } from '../../src/scene/multilevel.js';
import { anyGraph, clique, geometric, graphOf, grid, path, star } from './graphs.js';

function cutOf(graph: WeightedGraph, part: ArrayLike<number>): number {
  let cut = 0;
  for (let n = 0; n < graph.nodeCount; n++)
    for (let k = graph.first[n]; k < graph.first[n + 1]; k++)
      if (part[n] < part[graph.neighbour[k]]) cut += graph.edgeWeight[k];
  return cut;
}

function weightsOf(graph: WeightedGraph, part: ArrayLike<number>, count: number): number[] {
  const sums = new Array<number>(count).fill(0);
  for (let n = 0; n < graph.nodeCount; n++) sums[part[n]] += graph.nodeWeight[n];
  return sums;
}

const unit = (graph: ReturnType<typeof grid>) => weigh(graph, () => 1);

describe('coarsen', () => {
  test('keeps the weight of nodes, and of edges between what it joins (seed 321)', () => {
    let joined = 0;
    fc.assert(
      fc.property(anyGraph, fc.integer({ min: 10, max: 200 }), (overlap, heaviest) => {
        const graph = weigh(overlap, (e) => 1 + (e % 3));
        const smaller = coarsen(graph, heaviest);
        if (!smaller) return;
        joined++;
        const { graph: small, coarse } = smaller;
        expect(Math.max(...coarse) + 1).toBe(small.nodeCount);
        expect(small.nodeCount).toBeLessThan(graph.nodeCount);
        expect(weightsOf(graph, coarse, small.nodeCount)).toEqual([...small.nodeWeight]);
        // joined nodes are light enough; a single one may be as heavy as it is
        const members = weightsOf(
          { ...graph, nodeWeight: new Float64Array(graph.nodeCount).fill(1) },
          coarse,
          small.nodeCount,
        );
        members.forEach((size, n) => {
          expect(size === 1 || small.nodeWeight[n] <= heaviest).toBe(true);
        });
        const between = new Map<string, number>();
        for (let n = 0; n < graph.nodeCount; n++) {
          for (let k = graph.first[n]; k < graph.first[n + 1]; k++) {
            const key = `${coarse[n]},${coarse[graph.neighbour[k]]}`;
            if (coarse[n] !== coarse[graph.neighbour[k]])
              between.set(key, (between.get(key) ?? 0) + graph.edgeWeight[k]);
          }
        }
        for (let n = 0; n < small.nodeCount; n++) {
          for (let k = small.first[n]; k < small.first[n + 1]; k++) {
            const key = `${n},${small.neighbour[k]}`;
            expect(small.edgeWeight[k]).toBe(between.get(key));
            between.delete(key);
          }
        }
        expect(between.size).toBe(0);
      }),
      { seed: 321 },
    );
    expect(joined).toBeGreaterThan(50);
  });

  test('joins the leaves of a star, which share no edge', () => {
    const smaller = coarsen(unit(star(1000)), 10);
    expect(smaller!.graph.nodeCount).toBeLessThan(520);
  });
});

describe('bisect', () => {
  test('says what it cuts, and keeps the balance within a node (seed 322)', () => {
    fc.assert(
      fc.property(anyGraph, fc.constantFrom(0.5, 0.3), (overlap, share) => {
        const graph = unit(overlap);
        const { side, cut } = bisect(graph, share, 0.02);
        expect(cut).toBeCloseTo(cutOf(graph, side), 9);
        const [w0, w1] = weightsOf(graph, side, 2);
        const heaviest = Math.max(...graph.nodeWeight);
        expect(w0).toBeLessThanOrEqual((w0 + w1) * share * 1.02 + heaviest + 1e-9);
        expect(w1).toBeLessThanOrEqual((w0 + w1) * (1 - share) * 1.02 + heaviest + 1e-9);
      }),
      { seed: 322 },
    );
  });

  test('cuts a path once and two cliques at their bridge', () => {
    expect(bisect(unit(path(1000)), 0.5, 0.02).cut).toBe(1);
    const edges: [number, number][] = [];
    for (let i = 0; i < 30; i++) for (let j = i + 1; j < 30; j++) edges.push([i, j], [30 + i, 30 + j]);
    expect(bisect(unit(graphOf(60, [...edges, [7, 41]])), 0.5, 0.02).cut).toBe(1);
  });

  test.each([20, 60, 120])('cuts a square grid of side %d about as many times as it is wide', (side) => {
    expect(bisect(unit(grid(side, side)), 0.5, 0.02).cut).toBeLessThanOrEqual(1.5 * side);
  });
});

describe('equal parts', () => {
  test.each([
    ['grid', grid(80, 80), 16, 1400], // straight cuts: 480
    ['path', path(5000), 10, 40], // 9
    ['boxes', geometric(6000, 10, 7), 12, 9000],
  ])('of a %s are even and cut little', (_, overlap, count, most) => {
    const graph = unit(overlap);
    const { part } = new Multilevel(graph, count).equalParts(count);
    const weights = weightsOf(graph, part, count);
    expect(Math.min(...weights)).toBeGreaterThan(0);
    expect(Math.max(...weights)).toBeLessThanOrEqual((1.06 * graph.nodeCount) / count + 1);
    expect(cutOf(graph, part)).toBeLessThan(most);
  });

  test('of a clique too: nothing in it can be cut cheaply', () => {
    const graph = unit(clique(60));
    const { part } = new Multilevel(graph, 4).equalParts(4);
    expect(weightsOf(graph, part, 4)).toEqual([15, 15, 15, 15]);
  });
});

describe('slender parts', () => {
  test('a path stays whole, however heavy', () => {
    expect(new Multilevel(unit(path(3000)), 30).slenderParts(100, 2).count).toBe(1);
  });
  test('a grid is cut until its parts are thin or light', () => {
    const graph = unit(grid(70, 70));
    const multilevel = new Multilevel(graph, 50);
    const { part, count } = multilevel.slenderParts(100, 30);
    expect(count).toBeGreaterThan(4);
    expect(count).toBeLessThan(40);
    expect(new Set(part).size).toBe(count);
    expect(multilevel.slenderParts(100, -1).count).toBeGreaterThanOrEqual(49);
  });
});
