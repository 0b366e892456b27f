import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { FAST, runs } from '../../../../test/budget.js';
import { countLoads } from '../../src/scene/loads.js';
import { type Localization, localize } from '../../src/scene/localize.js';
import { buildOverlapGraph, type OverlapGraph } from '../../src/scene/overlap-graph.js';
import { anyGraph, clique, geometric, graphOf, grid, path, star, totalWeight, twoHubs } from './graphs.js';

/** Throws where the contract is broken. */
function validate(graph: OverlapGraph, { subgraphs }: Localization, capacity: number): void {
  const times = new Uint8Array(graph.edgeCount);
  for (const { edges, nodes, weight, resident } of subgraphs) {
    const used = new Set<number>(resident);
    for (const e of edges) {
      times[e]++;
      used.add(graph.ends[2 * e]);
      used.add(graph.ends[2 * e + 1]);
    }
    const sum = nodes.reduce((sum, n) => sum + graph.weight[n], 0);
    const kept =
      edges.length > 0 &&
      nodes.length === used.size &&
      nodes.every((n) => used.has(n)) &&
      Math.abs(weight - sum) < 1e-6 &&
      // beyond the capacity only with the ends of a single edge
      (weight <= capacity || (edges.length === 1 && resident.length === 0 && nodes.length <= 2));
    if (!kept) expect.fail(`a subgraph that breaks the contract: ${edges}; ${nodes}; ${weight}; ${resident}`);
  }
  expect(times.every((count) => count === 1)).toBe(true);
}

/** All that it says; `toEqual` would take longer than the work itself. */
function textOf({ subgraphs }: Localization): string {
  return subgraphs.map((s) => `${s.edges};${s.nodes};${s.weight};${s.resident}`).join('\n');
}

function orderOf({ subgraphs }: Localization): Uint32Array {
  return Uint32Array.from(subgraphs.flatMap(({ edges }) => [...edges]));
}

const numbered = (graph: OverlapGraph) => Uint32Array.from({ length: graph.edgeCount }, (_, e) => e);
const loadsOf = (graph: OverlapGraph, order: Uint32Array, capacity: number) =>
  countLoads(graph, order, capacity).bytes;

const shapes: Record<string, OverlapGraph> = {
  'a path': path(400),
  'a grid': FAST ? grid(15, 15) : grid(30, 30),
  'a star': star(500),
  'two hubs': twoHubs(400),
  'a clique': clique(FAST ? 30 : 70),
  'a clique with a tail': graphOf(300, [
    ...Array.from({ length: 60 }, (_, i) => Array.from({ length: i }, (_, j) => [i, j] as const)).flat(),
    ...Array.from({ length: 240 }, (_, i) => [59 + i, 60 + i] as const),
  ]),
  boxes: geometric(FAST ? 200 : 800, 9, 11),
  nothing: graphOf(10, []),
};

describe('localize', () => {
  test('keeps its contract, and reads no more than the order of numbers does, on any graph (seed 341)', () => {
    fc.assert(
      fc.property(anyGraph, fc.integer({ min: 1, max: 400 }), (graph, capacity) => {
        const result = localize(graph, { capacity });
        validate(graph, result, capacity);
        const naive = loadsOf(graph, numbered(graph), capacity);
        expect(loadsOf(graph, orderOf(result), capacity)).toBeLessThanOrEqual(naive);
      }),
      { seed: 341, numRuns: runs(300) },
    );
  });

  for (const [name, graph] of Object.entries(shapes)) {
    test.each([1, 2, 3, 7, 25, 120, 5000])(`${name}: in a memory of %d nodes`, (capacity) => {
      const result = localize(graph, { capacity });
      validate(graph, result, capacity);
      expect(textOf(localize(graph, { capacity }))).toBe(textOf(result));
      const order = orderOf(result);
      expect(loadsOf(graph, order, capacity)).toBeLessThanOrEqual(loadsOf(graph, numbered(graph), capacity));
    });
  }

  test('packs small components together, in the order of their nodes', () => {
    const pairs = graphOf(
      20,
      Array.from({ length: 10 }, (_, i) => [2 * i, 2 * i + 1] as const),
    );
    const { subgraphs } = localize(pairs, { capacity: 7 });
    expect(subgraphs.map(({ nodes }) => [...nodes])).toEqual([
      [0, 1, 2, 3, 4, 5],
      [6, 7, 8, 9, 10, 11],
      [12, 13, 14, 15, 16, 17],
      [18, 19],
    ]);
    expect(subgraphs.every(({ resident }) => resident.length === 0)).toBe(true);
  });

  test('walks a component that fits from its highest degree outwards, neighbours by falling degree', () => {
    const graph = graphOf(6, [
      [0, 1],
      [1, 2],
      [1, 3],
      [3, 4],
      [3, 5],
      [1, 5],
    ]);
    const [only] = localize(graph, { capacity: 6 }).subgraphs;
    expect([...only.nodes]).toEqual([1, 3, 5, 0, 2, 4]);
    expect([...only.edges]).toEqual([2, 5, 0, 1, 4, 3]);
  });

  test('reads each node once where a walk from end to end is possible', () => {
    const next = seededRandom(342);
    const shuffled = (count: number) => {
      const keys = Array.from({ length: count }, next);
      return keys.map((_, i) => i).sort((i, j) => keys[i] - keys[j]);
    };
    // a long band of a grid, its nodes and edges numbered at random
    const band = grid(12, 400);
    const names = shuffled(band.nodeCount);
    const edges = shuffled(band.edgeCount).map(
      (e) => [names[band.ends[2 * e]], names[band.ends[2 * e + 1]]] as const,
    );
    const graph = graphOf(band.nodeCount, edges);
    const capacity = 40;
    const result = localize(graph, { capacity });
    expect(loadsOf(graph, orderOf(result), capacity)).toBeLessThanOrEqual(1.02 * totalWeight(graph));
    expect(loadsOf(graph, numbered(graph), capacity)).toBeGreaterThan(2 * totalWeight(graph));
  });

  test('keeps hubs in memory while the others stream past', () => {
    const leaves = Array.from({ length: 1000 }, (_, i) => i + 2);
    const graph = graphOf(
      1002,
      [0, 1].flatMap((hub) => leaves.map((leaf) => [hub, leaf] as const)),
    );
    const result = localize(graph, { capacity: 20 });
    expect(loadsOf(graph, orderOf(result), 20)).toBe(totalWeight(graph));
    for (const { resident } of result.subgraphs) expect([...resident].slice(0, 2)).toEqual([0, 1]);
  });

  test('hubs over a grid cost no more than the grid and themselves', () => {
    const flat = grid(60, 60);
    const hubs = 4;
    const ends = [...flat.ends];
    for (let h = 0; h < hubs; h++)
      for (let n = 0; n < flat.nodeCount; n += 3) ends.push(flat.nodeCount + h, n);
    const graph = buildOverlapGraph(new Float64Array(flat.nodeCount + hubs).fill(1), Uint32Array.from(ends));
    const result = localize(graph, { capacity: 150 });
    validate(graph, result, 150);
    expect(loadsOf(graph, orderOf(result), 150)).toBeLessThanOrEqual(1.1 * totalWeight(graph));
  });

  test('a clique costs its square over the memory, not its square', () => {
    const graph = clique(120);
    const capacity = 20;
    const loads = loadsOf(graph, orderOf(localize(graph, { capacity })), capacity);
    expect(loads).toBeLessThanOrEqual(1.3 * ((120 * 120) / (2 * 19) + 60));
  });

  test('a node heavier than the memory is paired with its neighbours one by one', () => {
    const graph = buildOverlapGraph(Float64Array.of(50, 1, 1, 1), Uint32Array.of(0, 1, 0, 2, 0, 3, 1, 2));
    const result = localize(graph, { capacity: 10 });
    validate(graph, result, 10);
    expect(result.subgraphs.filter(({ weight }) => weight > 10).length).toBe(3);
  });

  test('subgraphs that follow one another share nodes', () => {
    const graph = grid(40, 40);
    const { subgraphs } = localize(graph, { capacity: 120 });
    const sharing = subgraphs.filter(
      ({ nodes }, i) => i > 0 && nodes.some((n) => subgraphs[i - 1].nodes.includes(n)),
    );
    expect(sharing.length).toBeGreaterThan(0.7 * (subgraphs.length - 1));
  });

  test.skipIf(FAST)('100 000 boxes in a cube, and 2 000 of them in memory: read 1.2 times at most', () => {
    const graph = geometric(100_000, 10, 343);
    const capacity = 2000;
    const result = localize(graph, { capacity });
    validate(graph, result, capacity);
    expect(loadsOf(graph, orderOf(result), capacity)).toBeLessThanOrEqual(1.2 * totalWeight(graph));
  });

  test('reports progress and stops when told to', () => {
    const shares: number[] = [];
    localize(clique(100), { capacity: 30, onProgress: ({ done, total }) => shares.push(done / total) });
    expect(shares.length).toBeGreaterThan(1);
    expect(shares).toEqual([...shares].sort((s, t) => s - t));
    expect(shares.at(-1)).toBe(1);
    const stopped = () => localize(path(9), { capacity: 3, signal: AbortSignal.abort() });
    expect(stopped).toThrow(expect.objectContaining({ code: 'aborted' }));
  });

  test.each([0, -1, Number.NaN])('refuses a capacity of %d', (capacity) => {
    expect(() => localize(path(3), { capacity })).toThrow(expect.objectContaining({ code: 'bad-option' }));
  });
});
