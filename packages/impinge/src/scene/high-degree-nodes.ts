/**
 * High-degree nodes, kept in memory while the rest stream past: without them the graph would fall into components, and
 * their edges need each of their neighbours only once.
 */
import type { OverlapGraph } from './overlap-graph.js';

/** Nodes of at least `leastDegree` by falling degree, as long as they weigh `room` or less together. */
export function highDegreeNodes(graph: OverlapGraph, room: number, leastDegree: number): Uint32Array {
  const { nodeCount, first, weight } = graph;
  let greatest = 0;
  for (let n = 0; n < nodeCount; n++) greatest = Math.max(greatest, first[n + 1] - first[n]);
  if (greatest < leastDegree) return new Uint32Array(0);
  // counting sort by degree, greatest first
  const place = new Uint32Array(greatest + 2);
  for (let n = 0; n < nodeCount; n++) place[greatest - (first[n + 1] - first[n]) + 1]++;
  for (let v = 0; v <= greatest; v++) place[v + 1] += place[v];
  const able = place[greatest - leastDegree + 1];
  const order = new Uint32Array(nodeCount);
  for (let n = 0; n < nodeCount; n++) order[place[greatest - (first[n + 1] - first[n])]++] = n;
  let used = 0;
  return order.subarray(0, able).filter((n) => {
    if (used + weight[n] > room) return false;
    used += weight[n];
    return true;
  });
}

/** Nodes taken off a graph, with those of their edges that were left. */
export interface RemovedNodes {
  readonly resident: Uint32Array;
  /** In the order to test them: those between them, then neighbour by neighbour. */
  readonly edges: Uint32Array;
  /** Bytes to read for them: the nodes and their neighbours, once. */
  readonly bytes: number;
  /** Weight of the nodes that have edges left after this. */
  readonly weightLeft: number;
}

const NONE = 0xffffffff;

/**
 * Takes the whole graph apart: nodes by falling degree, as many at a time as leave room in `capacity` for any other
 * node (a single node where none does), with the edges that earlier ones have left.
 */
export function removeByDegree(graph: OverlapGraph, capacity: number): RemovedNodes[] {
  const { nodeCount, edgeCount, first, neighbour, edge, weight } = graph;
  const order = highDegreeNodes(graph, Infinity, 1);
  const edgesLeft = new Uint32Array(nodeCount);
  const done = new Uint8Array(edgeCount);
  const lastEdge = new Uint32Array(nodeCount).fill(NONE); // of a neighbour, to these nodes; the one before it follows
  const before = new Uint32Array(edgeCount);
  const round = new Uint32Array(nodeCount);
  let heaviest = 0;
  let weightLeft = 0;
  for (const n of order) {
    edgesLeft[n] = first[n + 1] - first[n];
    heaviest = Math.max(heaviest, weight[n]);
    weightLeft += weight[n];
  }
  const finish = (n: number, count: number) => {
    edgesLeft[n] -= count;
    if (edgesLeft[n] === 0) weightLeft -= weight[n];
  };
  const out: RemovedNodes[] = [];
  for (let at = 0; at < order.length; ) {
    const resident: number[] = [];
    const edges: number[] = [];
    const near: number[] = [];
    let bytes = 0;
    for (; at < order.length; at++) {
      const n = order[at];
      if (edgesLeft[n] === 0) continue;
      if (resident.length > 0 && bytes + weight[n] > capacity - heaviest) break;
      round[n] = out.length + 1;
      resident.push(n);
      bytes += weight[n];
    }
    for (const n of resident) {
      for (let k = first[n]; k < first[n + 1]; k++) {
        const e = edge[k];
        if (done[e]) continue;
        done[e] = 1;
        const other = neighbour[k];
        if (round[other] === out.length + 1) {
          edges.push(e);
          finish(n, 1);
          if (other !== n) finish(other, 1);
          continue;
        }
        finish(n, 1);
        if (lastEdge[other] === NONE) near.push(other);
        before[e] = lastEdge[other];
        lastEdge[other] = e;
      }
    }
    for (const n of near.sort((s, t) => s - t)) {
      bytes += weight[n];
      let count = 0;
      for (let e = lastEdge[n]; e !== NONE; e = before[e], count++) edges.push(e);
      lastEdge[n] = NONE;
      finish(n, count);
    }
    if (edges.length > 0)
      out.push({ resident: Uint32Array.from(resident), edges: Uint32Array.from(edges), bytes, weightLeft });
  }
  return out;
}
