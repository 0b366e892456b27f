import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countLoads } from '../../src/scene/loads.js';
import type { OverlapGraph } from '../../src/scene/overlap-graph.js';
import { anyGraph, clique, graphOf, path } from './graphs.js';

/** Every edge once, in an order that follows from `keys`. */
const orderBy = (graph: OverlapGraph, keys: number[]) =>
  Uint32Array.from({ length: graph.edgeCount }, (_, e) => e).sort(
    (s, t) => keys[s % keys.length] - keys[t % keys.length] || s - t,
  );

/** A cache kept as a list, in plain words. */
function slowLoads(graph: OverlapGraph, order: Uint32Array, capacity: number) {
  let held: number[] = [];
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
    others.sort((s, t) => nextUse(at, s) - nextUse(at, t) || s - t);
    // what is of no use any more goes at once
    while (others.length > 0 && nextUse(at, others[others.length - 1]) === Infinity) others.pop();
    while (others.length > 0 && size(others) + size(pair) > capacity) others.pop();
    bytes += size(missing);
    loads += missing.length;
    held = [...others, ...pair];
  });
  return { bytes, loads };
}

describe('countLoads', () => {
  test('equals a cache kept as a list (seed 331)', () => {
    fc.assert(
      fc.property(anyGraph, fc.array(fc.nat(), { minLength: 1 }), fc.nat(400), (graph, keys, capacity) => {
        const order = orderBy(graph, keys);
        expect(countLoads(graph, order, capacity)).toEqual(slowLoads(graph, order, capacity));
      }),
      { seed: 331 },
    );
  });

  test('reads each node once where all fit, and both ends each time where none do', () => {
    const inOrder = (count: number) => Uint32Array.from({ length: count }, (_, e) => e);
    expect(countLoads(clique(10), inOrder(45), 10)).toEqual({ bytes: 10, loads: 10 });
    expect(countLoads(path(100), inOrder(99), 2).loads).toBe(100);
    const apart = graphOf(4, [
      [0, 1],
      [2, 3],
      [0, 1],
    ]);
    expect(countLoads(apart, Uint32Array.of(0, 1, 2), 1).loads).toBe(6);
  });
});
