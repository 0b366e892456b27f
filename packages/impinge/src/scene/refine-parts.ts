/** Improves a partition into any number of parts by moving nodes at the boundaries, one at a time, while that helps. */
import type { WeightedGraph } from './coarsen.js';

const MAX_PASSES = 6;

/**
 * Moves nodes to neighbouring parts where that cuts less edge weight, or equally much with better balance. No part
 * grows beyond its limit; nodes leave an overweight part even at a loss.
 */
export function refineParts(graph: WeightedGraph, part: Uint32Array, limits: Float64Array): void {
  const { nodeCount, nodeWeight, first, neighbour, edgeWeight } = graph;
  const partWeight = new Float64Array(limits.length);
  for (let n = 0; n < nodeCount; n++) partWeight[part[n]] += nodeWeight[n];
  const attached = new Float64Array(limits.length); // weight of the node's edges to a part; zero between nodes
  const near: number[] = [];
  const awake = new Uint8Array(nodeCount).fill(1);

  for (let pass = 0; pass < MAX_PASSES; pass++) {
    let moves = 0;
    for (let n = 0; n < nodeCount; n++) {
      if (!awake[n]) continue;
      awake[n] = 0;
      const own = part[n];
      near.length = 0;
      for (let k = first[n]; k < first[n + 1]; k++) {
        const other = part[neighbour[k]];
        if (attached[other] === 0 && other !== own) near.push(other);
        attached[other] += edgeWeight[k];
      }
      const overweight = partWeight[own] > limits[own];
      let best = own;
      let bestAfter = partWeight[own];
      let bestGain = overweight ? Number.NEGATIVE_INFINITY : 0;
      for (const other of near) {
        const after = partWeight[other] + nodeWeight[n];
        // weight that is too much passes on from part to part
        if (after > limits[other] && !(overweight && after < partWeight[own])) continue;
        const gain = attached[other] - attached[own];
        if (gain > bestGain || (gain === bestGain && after < bestAfter)) {
          best = other;
          bestGain = gain;
          bestAfter = after;
        }
      }
      attached[own] = 0;
      for (const other of near) attached[other] = 0;
      if (best === own) continue;
      part[n] = best;
      partWeight[own] -= nodeWeight[n];
      partWeight[best] += nodeWeight[n];
      moves++;
      for (let k = first[n]; k < first[n + 1]; k++) awake[neighbour[k]] = 1;
    }
    if (moves === 0) break;
  }
}
