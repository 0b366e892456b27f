import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { highDegreeNodes, removeByDegree } from '../../src/scene/high-degree-nodes.js';
import { buildOverlapGraph, components, subgraphOf } from '../../src/scene/overlap-graph.js';
import { anyGraph, graphOf, star } from './graphs.js';

describe('buildOverlapGraph', () => {
  test('lists each edge at both of its ends, a loop once, in the order of numbers (seed 311)', () => {
    fc.assert(
      fc.property(anyGraph, ({ nodeCount, edgeCount, first, neighbour, edge, ends }) => {
        for (let n = 0; n < nodeCount; n++) {
          const expected: number[][] = [];
          for (let e = 0; e < edgeCount; e++) {
            const [u, v] = [ends[2 * e], ends[2 * e + 1]];
            if (u === n || v === n) expected.push([e, u === n ? v : u]);
          }
          const listed = Array.from({ length: first[n + 1] - first[n] }, (_, k) => [
            edge[first[n] + k],
            neighbour[first[n] + k],
          ]);
          expect(listed).toEqual(expected);
        }
      }),
      { seed: 311 },
    );
  });

  test.each([
    ['an end that is no node', [1, 1], [0, 2], 'index-out-of-range', /edge 0 ends at node 2 of 2/],
    ['half an edge', [1, 1], [0, 1, 0], 'bad-input', /two per edge/],
    ['a negative weight', [1, -1], [0, 1], 'bad-input', /node 1 has weight -1/],
    ['a weight that is no number', [Number.NaN], [], 'bad-input', /node 0/],
  ])('refuses %s', (_, weight, ends, code, message) => {
    const build = () => buildOverlapGraph(Float64Array.from(weight), Uint32Array.from(ends));
    expect(build).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
  });
});

test('subgraphOf keeps weights, ends and the order of nodes (seed 312)', () => {
  fc.assert(
    fc.property(anyGraph, fc.nat(), (graph, bits) => {
      const chosen = Uint32Array.from({ length: graph.edgeCount }, (_, e) => e).filter(
        (e) => (bits >> (e % 31)) & 1,
      );
      const sub = subgraphOf(graph, chosen, new Uint32Array(graph.nodeCount).fill(bits));
      expect([...sub.edges]).toEqual([...chosen]);
      expect([...sub.nodes]).toEqual(
        [...new Set([...chosen].flatMap((e) => [graph.ends[2 * e], graph.ends[2 * e + 1]]))].sort(
          (s, t) => s - t,
        ),
      );
      expect([...sub.graph.weight]).toEqual([...sub.nodes].map((n) => graph.weight[n]));
      expect([...sub.graph.ends].map((n) => sub.nodes[n])).toEqual(
        [...chosen].flatMap((e) => [graph.ends[2 * e], graph.ends[2 * e + 1]]),
      );
    }),
    { seed: 312 },
  );
});

test('components are what can be reached, numbered by their least nodes (seed 313)', () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const { count, of } = components(graph);
      const expected = new Array<number>(graph.nodeCount).fill(-1);
      let next = 0;
      for (let root = 0; root < graph.nodeCount; root++) {
        if (expected[root] >= 0) continue;
        const waiting = [root];
        for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) {
          if (expected[n] >= 0) continue;
          expected[n] = next;
          waiting.push(...graph.neighbour.subarray(graph.first[n], graph.first[n + 1]));
        }
        next++;
      }
      expect(count).toBe(next);
      expect([...of]).toEqual(expected);
    }),
    { seed: 313 },
  );
});

describe('nodes of high degree', () => {
  test('takes nodes by falling degree while they fit', () => {
    const graph = graphOf(6, [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [4, 5],
    ]);
    expect([...highDegreeNodes(graph, 3, 2)]).toEqual([0, 1, 2]);
    expect([...highDegreeNodes(graph, 10, 3)]).toEqual([0, 1]);
    expect([...highDegreeNodes(graph, 10, 4)]).toEqual([]);
    expect([...highDegreeNodes(graph, 0.5, 1)]).toEqual([]);
  });
  test('takes a star apart at its middle', () => {
    expect(removeByDegree(star(5), 2)).toEqual([
      { resident: Uint32Array.of(0), edges: Uint32Array.of(0, 1, 2, 3, 4), bytes: 6, weightLeft: 0 },
    ]);
  });
  test('takes any graph apart, group by group (seed 314)', () => {
    fc.assert(
      fc.property(anyGraph, fc.integer({ min: 1, max: 300 }), (graph, capacity) => {
        const left = new Set(Array.from({ length: graph.edgeCount }, (_, e) => e));
        const endsOf = (e: number) => [graph.ends[2 * e], graph.ends[2 * e + 1]];
        const sum = (nodes: Iterable<number>) => [...nodes].reduce((total, n) => total + graph.weight[n], 0);
        for (const { resident, edges, bytes, weightLeft } of removeByDegree(graph, capacity)) {
          const expected = [...left].filter((e) => endsOf(e).some((n) => resident.includes(n)));
          expect([...edges].sort((s, t) => s - t)).toEqual(expected);
          for (const e of edges) left.delete(e);
          expect(bytes).toBe(sum(new Set([...resident, ...[...edges].flatMap(endsOf)])));
          expect(weightLeft).toBe(sum(new Set([...left].flatMap(endsOf))));
          const heaviest = Math.max(...[...graph.ends].map((n) => graph.weight[n]));
          expect(resident.length === 1 || sum(resident) + heaviest <= capacity).toBe(true);
        }
        expect(left.size).toBe(0);
      }),
      { seed: 314 },
    );
  });
});
