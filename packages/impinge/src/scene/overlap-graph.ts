/**
 * Which pieces must be in memory together: nodes are pieces of geometry with a size in bytes, edges are pairs to test.
 *
 * Layout: edges incident to node n are places first[n] … first[n + 1] of `neighbour` (the other end) and `edge` (its
 * number), in the order of their numbers; ends[2 e], ends[2 e + 1] are the ends of edge e. An edge may join a node with
 * itself (two uses of one shape: listed once), and two nodes may share several edges.
 */
import { ImpingeError } from '../base/errors.js';
import { UnionFind } from '../base/union-find.js';

export interface OverlapGraph {
  readonly nodeCount: number;
  readonly edgeCount: number;
  /** Bytes per node. */
  readonly weight: Float64Array;
  readonly first: Uint32Array;
  readonly neighbour: Uint32Array;
  readonly edge: Uint32Array;
  readonly ends: Uint32Array;
}

/** A graph over `weight.length` nodes with an edge per two entries of `ends`. Both arrays are kept, not copied. */
export function buildOverlapGraph(weight: Float64Array, ends: Uint32Array): OverlapGraph {
  const nodeCount = weight.length;
  const edgeCount = ends.length / 2;
  if (ends.length % 2 !== 0)
    throw new ImpingeError('bad-input', `overlap graph: ${ends.length} ends are not two per edge`);
  for (let n = 0; n < nodeCount; n++) {
    if (!(weight[n] >= 0 && weight[n] < Infinity))
      throw new ImpingeError('bad-input', `overlap graph: node ${n} has weight ${weight[n]}`, { node: n });
  }
  const first = new Uint32Array(nodeCount + 1);
  for (let k = 0; k < ends.length; k++) {
    if (ends[k] >= nodeCount)
      throw new ImpingeError(
        'index-out-of-range',
        `overlap graph: edge ${k >>> 1} ends at node ${ends[k]} of ${nodeCount}`,
        { edge: k >>> 1, node: ends[k] },
      );
    if (k % 2 === 0 || ends[k] !== ends[k - 1]) first[ends[k] + 1]++;
  }
  for (let n = 0; n < nodeCount; n++) first[n + 1] += first[n];
  const neighbour = new Uint32Array(first[nodeCount]);
  const edge = new Uint32Array(first[nodeCount]);
  const next = first.slice(0, nodeCount);
  for (let e = 0; e < edgeCount; e++) {
    const u = ends[2 * e];
    const v = ends[2 * e + 1];
    neighbour[next[u]] = v;
    edge[next[u]++] = e;
    if (u === v) continue;
    neighbour[next[v]] = u;
    edge[next[v]++] = e;
  }
  return { nodeCount, edgeCount, weight, first, neighbour, edge, ends };
}

/** Part of a graph with numbers of its own; `nodes` and `edges` give the numbers in the whole. */
export interface Subgraph {
  readonly graph: OverlapGraph;
  readonly nodes: Uint32Array;
  readonly edges: Uint32Array;
}

/** The edges listed and their ends; nodes keep their order. `scratch` holds a number per node of `graph`, any. */
export function subgraphOf(graph: OverlapGraph, edges: Uint32Array, scratch: Uint32Array): Subgraph {
  const ABSENT = 0xffffffff;
  for (const e of edges) scratch[graph.ends[2 * e]] = scratch[graph.ends[2 * e + 1]] = ABSENT;
  const found = new Uint32Array(2 * edges.length);
  let count = 0;
  for (const e of edges) {
    for (let side = 0; side < 2; side++) {
      const node = graph.ends[2 * e + side];
      if (scratch[node] !== ABSENT) continue;
      scratch[node] = 0;
      found[count++] = node;
    }
  }
  const nodes = found.slice(0, count).sort();
  for (let k = 0; k < count; k++) scratch[nodes[k]] = k;
  const ends = new Uint32Array(2 * edges.length);
  for (let k = 0; k < edges.length; k++) {
    ends[2 * k] = scratch[graph.ends[2 * edges[k]]];
    ends[2 * k + 1] = scratch[graph.ends[2 * edges[k] + 1]];
  }
  const weight = new Float64Array(count);
  for (let k = 0; k < count; k++) weight[k] = graph.weight[nodes[k]];
  return { graph: buildOverlapGraph(weight, ends), nodes, edges };
}

export interface Components {
  readonly count: number;
  /** The component of each node, numbered in the order of their least nodes. */
  readonly of: Uint32Array;
}

/** The components; a node without edges is one by itself. */
export function components(graph: OverlapGraph): Components {
  const sets = new UnionFind(graph.nodeCount);
  for (let e = 0; e < graph.edgeCount; e++) sets.union(graph.ends[2 * e], graph.ends[2 * e + 1]);
  const of = new Uint32Array(graph.nodeCount);
  let count = 0;
  // the root of a set is its least member, so it is numbered before the rest
  for (let n = 0; n < graph.nodeCount; n++) {
    const root = sets.find(n);
    of[n] = root === n ? count++ : of[root];
  }
  return { count, of };
}
