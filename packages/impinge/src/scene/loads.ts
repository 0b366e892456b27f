/**
 * The cost of a sequence of tests: the bytes that a cache of given capacity reads while it processes the edges with
 * both ends of each in memory. Two ends that do not fit together are held nevertheless, and nothing else.
 *
 * The node whose next use is furthest away is dropped: no order of dropping reads fewer nodes, and where the sequence
 * is known beforehand a real cache can do it.
 */
import { NodeHeap } from './node-heap.js';
import type { OverlapGraph } from './overlap-graph.js';

export interface Loads {
  readonly bytes: number;
  readonly loads: number;
}

/** No later use. */
const NEVER = 0xffffffff;

/** For each end of each edge of the order: the next place in the order that uses the same node, or NEVER. */
function nextUses(graph: OverlapGraph, edgeOrder: Uint32Array): Uint32Array {
  const next = new Uint32Array(2 * edgeOrder.length);
  const upcoming = new Uint32Array(graph.nodeCount).fill(NEVER);
  for (let at = edgeOrder.length - 1; at >= 0; at--) {
    const u = graph.ends[2 * edgeOrder[at]];
    const v = graph.ends[2 * edgeOrder[at] + 1];
    next[2 * at] = upcoming[u];
    next[2 * at + 1] = upcoming[v];
    upcoming[u] = upcoming[v] = at;
  }
  return next;
}

/** Bytes read from the store by an initially empty cache of `capacity` bytes that serves the edges in this order. */
export function countLoads(graph: OverlapGraph, order: Uint32Array, capacity: number): Loads {
  const { nodeCount, weight, ends } = graph;
  const next = nextUses(graph, order);
  const resident = new Uint8Array(nodeCount);
  const furthest = new NodeHeap(nodeCount); // resident nodes by next use, which only ever moves further away
  let used = 0;
  let bytes = 0;
  let loads = 0;
  for (let at = 0; at < order.length; at++) {
    const u = ends[2 * order[at]];
    const v = ends[2 * order[at] + 1];
    const missing = (resident[u] ? 0 : weight[u]) + (resident[v] || u === v ? 0 : weight[v]);
    // these two are needed now: if one of them is the furthest, nothing else is left
    while (used + missing > capacity && furthest.length > 0 && furthest.first !== u && furthest.first !== v) {
      const node = furthest.pop();
      resident[node] = 0;
      used -= weight[node];
    }
    for (let side = u === v ? 1 : 0; side < 2; side++) {
      const node = ends[2 * order[at] + side];
      if (!resident[node]) {
        resident[node] = 1;
        used += weight[node];
        bytes += weight[node];
        loads++;
      }
      furthest.raise(node, next[2 * at + side]);
    }
    for (let side = u === v ? 1 : 0; side < 2; side++) {
      if (next[2 * at + side] !== NEVER) continue;
      furthest.raise(ends[2 * order[at] + side], Infinity);
      const node = furthest.pop();
      resident[node] = 0;
      used -= weight[node];
    }
  }
  return { bytes, loads };
}
