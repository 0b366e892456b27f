/** Connected components of an overlap graph. */
import { UnionFind } from '../base/union-find.js';
import type { OverlapGraph } from './overlap-graph.js';

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
  // the root of a set is its least member, so it has been numbered when the others come
  for (let n = 0; n < graph.nodeCount; n++) {
    const root = sets.find(n);
    of[n] = root === n ? count++ : of[root];
  }
  return { count, of };
}
