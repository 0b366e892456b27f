import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countLoads, NEVER, nextUses } from '../../src/scene/loads.js';
import type { OverlapGraph } from '../../src/scene/overlap-graph.js';
import { anyGraph, clique, graphOf, path } from './graphs.js';

/** Every edge once, in an order that follows from `keys`. */
const orderBy = (graph: OverlapGraph, keys: number[]) =>
  Uint32Array.from({ length: graph.edgeCount }, (_, e) => e).sort(
    (s, t) => keys[s % keys.length] - keys[t % keys.length] || s - t,
  );

/** A cache kept as a list, in plain words. */
function slowLoads(graph: OverlapGraph, order: Uint32Array, capacity: number, policy: 'lru' | 'furthest') {
  let held: number[] = []; // least recently used first
  let bytes = 0;
  let loads = 0;
  const uses = (at: number, n: number) =>
    graph.ends[2 * order[at]] === n || graph.ends[2 * order[at] + 1] === n;
  const nextUse = (from: number, n: number) => {
    for (let at = from; at < order.length; at++) if (uses(at, n)) return at;
    return Infinity;
  };
  order.forEach((e, at) => {
    const pair = [...new Set([graph.ends[2 * e], graph.ends[2 * e + 1]])];
    const missing = pair.filter((n) => !held.includes(n));
    const others = held.filter((n) => !pair.includes(n));
    const size = (list: number[]) => list.reduce((sum, n) => sum + graph.weight[n], 0);
    if (policy === 'furthest') {
      others.sort((s, t) => nextUse(at, s) - nextUse(at, t) || s - t);
      // what is of no use any more goes at once
      while (others.length > 0 && nextUse(at, others[others.length - 1]) === Infinity) others.pop();
      while (others.length > 0 && size(others) + size(pair) > capacity) others.pop();
    } else while (others.length > 0 && size(others) + size(pair) > capacity) others.shift();
    bytes += size(missing);
    loads += missing.length;
    held = [...others, ...pair];
  });
  return { bytes, loads };
}

describe('countLoads', () => {
  for (const policy of ['lru', 'furthest'] as const) {
    test(`equals a cache kept as a list: ${policy} (seed 331)`, () => {
      fc.assert(
        fc.property(anyGraph, fc.array(fc.nat(), { minLength: 1 }), fc.nat(400), (graph, keys, capacity) => {
          const order = orderBy(graph, keys);
          expect(countLoads(graph, order, capacity, policy)).toEqual(
            slowLoads(graph, order, capacity, policy),
          );
        }),
        { seed: 331 },
      );
    });
  }

  test('reads each node once where all fit, and both ends each time where none do', () => {
    const graph = clique(10);
    const order = Uint32Array.from({ length: 45 }, (_, e) => e);
    for (const policy of ['lru', 'furthest'] as const) {
      expect(countLoads(graph, order, 10, policy)).toEqual({ bytes: 10, loads: 10 });
      expect(
        countLoads(
          path(100),
          Uint32Array.from({ length: 99 }, (_, e) => e),
          2,
          policy,
        ).loads,
      ).toBe(100);
    }
    const apart = graphOf(4, [
      [0, 1],
      [2, 3],
      [0, 1],
    ]);
    expect(countLoads(apart, Uint32Array.of(0, 1, 2), 1, 'furthest').loads).toBe(6);
  });

  test('the furthest use is no worse to drop than the oldest, nodes being equal (seed 332)', () => {
    fc.assert(
      fc.property(
        anyGraph,
        fc.array(fc.nat(), { minLength: 1 }),
        fc.integer({ min: 2, max: 20 }),
        (any, keys, capacity) => {
          const graph = { ...any, weight: new Float64Array(any.nodeCount).fill(1) };
          const order = orderBy(graph, keys);
          const { loads } = countLoads(graph, order, capacity, 'furthest');
          expect(loads).toBeLessThanOrEqual(countLoads(graph, order, capacity, 'lru').loads);
        },
      ),
      { seed: 332 },
    );
  });
});

test('nextUses', () => {
  const graph = graphOf(3, [
    [0, 1],
    [1, 2],
    [2, 2],
  ]);
  expect([...nextUses(graph, Uint32Array.of(0, 2, 1))]).toEqual([NEVER, 2, 2, 2, NEVER, NEVER]);
});
