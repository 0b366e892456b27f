/**
 * Nodes of high valence, kept in memory while the others stream past: they tie together what would fall apart without
 * them, and their edges need each of their neighbours only once.
 */
import type { OverlapGraph } from './overlap-graph.js';

/** Nodes of at least `leastValence` by falling valence, as long as they weigh `room` or less together. */
export function highValenceNodes(graph: OverlapGraph, room: number, leastValence: number): Uint32Array {
  const { nodeCount, first, weight } = graph;
  let greatest = 0;
  for (let n = 0; n < nodeCount; n++) greatest = Math.max(greatest, first[n + 1] - first[n]);
  if (greatest < leastValence) return new Uint32Array(0);
  // counted by how far they are below the greatest valence
  const place = new Uint32Array(greatest + 2);
  for (let n = 0; n < nodeCount; n++) place[greatest - (first[n + 1] - first[n]) + 1]++;
  for (let v = 0; v <= greatest; v++) place[v + 1] += place[v];
  const able = place[greatest - leastValence + 1];
  const order = new Uint32Array(nodeCount);
  for (let n = 0; n < nodeCount; n++) order[place[greatest - (first[n + 1] - first[n])]++] = n;
  let used = 0;
  return order.subarray(0, able).filter((n) => {
    if (used + weight[n] > room) return false;
    used += weight[n];
    return true;
  });
}

export interface Peel {
  /** Edges with at least one end among the peeled nodes, in the order to test them. */
  readonly edges: Uint32Array;
  /** What has to be read for them: the peeled nodes and their neighbours, once. */
  readonly bytes: number;
}

/** The edges of the nodes marked `peeled`: those among themselves, then neighbour by neighbour. */
export function peelEdges(graph: OverlapGraph, peeled: Uint8Array): Peel {
  const { nodeCount, edgeCount, first, neighbour, edge, ends, weight } = graph;
  const edges = new Uint32Array(edgeCount);
  let count = 0;
  let bytes = 0;
  for (let e = 0; e < edgeCount; e++) if (peeled[ends[2 * e]] && peeled[ends[2 * e + 1]]) edges[count++] = e;
  for (let n = 0; n < nodeCount; n++) {
    if (peeled[n]) {
      bytes += weight[n];
      continue;
    }
    const before = count;
    for (let k = first[n]; k < first[n + 1]; k++) if (peeled[neighbour[k]]) edges[count++] = edge[k];
    if (count > before) bytes += weight[n];
  }
  return { edges: edges.slice(0, count), bytes };
}
