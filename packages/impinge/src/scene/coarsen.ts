/**
 * Coarsens a graph: nodes joined by heavy edges become one.
 *
 * Layout: as an overlap graph without edge numbers; each edge stands in the lists of both of its ends, parallel edges
 * are merged and loops dropped. `coarse[n]` is the node of the smaller graph that n went into.
 * Invariant: the weight of all nodes together, and that of the edges between two sets of nodes, are unchanged.
 */
import { SeededRandom } from '../base/seeded-random.js';
import type { OverlapGraph } from './overlap-graph.js';

export interface WeightedGraph {
  readonly nodeCount: number;
  readonly nodeWeight: Float64Array;
  readonly first: Uint32Array;
  readonly neighbour: Uint32Array;
  readonly edgeWeight: Float64Array;
}

export interface Coarsening {
  readonly graph: WeightedGraph;
  readonly coarse: Uint32Array;
}

const NONE = 0xffffffff;

/** An overlap graph with a weight per edge, without the edges of nodes that are `left` out. */
export function weigh(
  graph: OverlapGraph,
  edgeWeight: (edge: number) => number,
  left?: Uint8Array,
): WeightedGraph {
  const { nodeCount, weight, neighbour, edge } = graph;
  const builder = new GraphBuilder(nodeCount, neighbour.length);
  for (let n = 0; n < nodeCount; n++) {
    if (!left?.[n]) {
      for (let k = graph.first[n]; k < graph.first[n + 1]; k++) {
        if (!left?.[neighbour[k]]) builder.add(n, neighbour[k], edgeWeight(edge[k]));
      }
    }
    builder.close();
  }
  return builder.finish(weight);
}

/** The nodes with side[n] = which; `numbers` receives each one's number in the part, other entries are unchanged. */
export function partOf(
  graph: WeightedGraph,
  side: Uint8Array,
  which: number,
  numbers: Uint32Array,
): WeightedGraph {
  let count = 0;
  let room = 0;
  for (let n = 0; n < graph.nodeCount; n++) {
    if (side[n] !== which) continue;
    numbers[n] = count++;
    room += graph.first[n + 1] - graph.first[n];
  }
  const nodeWeight = new Float64Array(count);
  const first = new Uint32Array(count + 1);
  const neighbour = new Uint32Array(room);
  const edgeWeight = new Float64Array(room);
  let at = 0;
  for (let n = 0; n < graph.nodeCount; n++) {
    if (side[n] !== which) continue;
    nodeWeight[numbers[n]] = graph.nodeWeight[n];
    for (let k = graph.first[n]; k < graph.first[n + 1]; k++) {
      if (side[graph.neighbour[k]] !== which) continue;
      neighbour[at] = numbers[graph.neighbour[k]];
      edgeWeight[at++] = graph.edgeWeight[k];
    }
    first[numbers[n] + 1] = at;
  }
  return {
    nodeCount: count,
    nodeWeight,
    first,
    neighbour: neighbour.subarray(0, at),
    edgeWeight: edgeWeight.subarray(0, at),
  };
}

/** The graph with pairs of nodes joined, none heavier than `heaviest`; nothing if hardly any could be. */
export function coarsen(graph: WeightedGraph, heaviest: number): Coarsening | undefined {
  const { nodeCount, nodeWeight, first, neighbour, edgeWeight } = graph;
  const mate = matchHeavyEdges(graph, heaviest);
  const coarse = new Uint32Array(nodeCount);
  let count = 0;
  for (let n = 0; n < nodeCount; n++) coarse[n] = mate[n] < n ? coarse[mate[n]] : count++;
  if (count > 0.95 * nodeCount) return undefined;
  const weight = new Float64Array(count);
  for (let n = 0; n < nodeCount; n++) weight[coarse[n]] += nodeWeight[n];
  const builder = new GraphBuilder(count, neighbour.length);
  for (let n = 0; n < nodeCount; n++) {
    if (mate[n] < n) continue;
    const own = coarse[n];
    for (let member = n; ; member = mate[n]) {
      for (let k = first[member]; k < first[member + 1]; k++)
        builder.add(own, coarse[neighbour[k]], edgeWeight[k]);
      if (member === mate[n]) break;
    }
    builder.close();
  }
  return { graph: builder.finish(weight), coarse };
}

/** Fills a graph node by node, merging parallel edges. */
class GraphBuilder {
  readonly #first: Uint32Array;
  #neighbour: Uint32Array;
  #edgeWeight: Float64Array;
  readonly #place: Uint32Array; // where the current node lists a neighbour, plus one
  #node = 0;
  #start = 0;
  #at = 0;

  constructor(nodeCount: number, room: number) {
    this.#first = new Uint32Array(nodeCount + 1);
    this.#neighbour = new Uint32Array(room);
    this.#edgeWeight = new Float64Array(room);
    this.#place = new Uint32Array(nodeCount);
  }

  add(node: number, other: number, weight: number): void {
    if (node === other) return;
    const place = this.#place[other];
    if (place > this.#start) {
      this.#edgeWeight[place - 1] += weight;
      return;
    }
    this.#neighbour[this.#at] = other;
    this.#edgeWeight[this.#at++] = weight;
    this.#place[other] = this.#at;
  }

  close(): void {
    this.#start = this.#at;
    this.#first[++this.#node] = this.#at;
  }

  finish(nodeWeight: Float64Array): WeightedGraph {
    return {
      nodeCount: nodeWeight.length,
      nodeWeight,
      first: this.#first,
      neighbour: this.#neighbour.slice(0, this.#at),
      edgeWeight: this.#edgeWeight.slice(0, this.#at),
    };
  }
}

/** A mate for each node, or itself: light nodes first, each takes the free neighbour with the heaviest edge. */
function matchHeavyEdges(graph: WeightedGraph, heaviest: number): Uint32Array {
  const { nodeCount, nodeWeight, first, neighbour, edgeWeight } = graph;
  const mate = new Uint32Array(nodeCount).fill(NONE);
  for (const n of matchingOrder(graph)) {
    if (mate[n] !== NONE) continue;
    let best = NONE;
    let bestWeight = -1;
    for (let k = first[n]; k < first[n + 1]; k++) {
      const other = neighbour[k];
      if (edgeWeight[k] <= bestWeight || mate[other] !== NONE) continue;
      if (nodeWeight[n] + nodeWeight[other] > heaviest) continue;
      best = other;
      bestWeight = edgeWeight[k];
    }
    if (best === NONE) continue;
    mate[n] = best;
    mate[best] = n;
  }
  // the leaves of a star have no free neighbour: two that share one are matched
  const waiting = new Uint32Array(nodeCount).fill(NONE);
  for (let n = 0; n < nodeCount; n++) {
    if (mate[n] !== NONE) continue;
    mate[n] = n;
    if (first[n] === first[n + 1]) continue;
    const shared = neighbour[first[n]];
    const other = waiting[shared];
    if (other === NONE) waiting[shared] = n;
    else if (nodeWeight[n] + nodeWeight[other] <= heaviest) {
      mate[n] = other;
      mate[other] = n;
      waiting[shared] = NONE;
    }
  }
  return mate;
}

/** By degree, which leaves fewer nodes without a mate; shuffled otherwise, the same way each time. */
function matchingOrder({ nodeCount, first }: WeightedGraph): Uint32Array {
  const shuffled = new Uint32Array(nodeCount);
  const random = new SeededRandom(1);
  for (let n = 0; n < nodeCount; n++) {
    const at = Math.floor(random.next() * (n + 1));
    shuffled[n] = shuffled[at];
    shuffled[at] = n;
  }
  const CLASSES = 64;
  const degreeClass = (n: number) => Math.min(CLASSES - 1, first[n + 1] - first[n]);
  const place = new Uint32Array(CLASSES + 1);
  for (let n = 0; n < nodeCount; n++) place[degreeClass(n) + 1]++;
  for (let c = 0; c < CLASSES; c++) place[c + 1] += place[c];
  const order = new Uint32Array(nodeCount);
  for (const n of shuffled) order[place[degreeClass(n)]++] = n;
  return order;
}
