/**
 * Bisects a graph: it is coarsened, cut while it is small, and the cut is refined at every size on the way back.
 *
 * Small graphs are cut by growing one side from a node until it is heavy enough; of several starting nodes the best is
 * kept. A cut is refined by moving nodes in the order of their gain (Fiduccia and Mattheyses), through worse states,
 * and returning to the best state seen.
 */
import { PairHeap } from '../base/heap.js';
import { type Coarsening, coarsen, type WeightedGraph } from './coarsen.js';

export interface Bisection {
  /** 0 or 1 for each node. */
  readonly side: Uint8Array;
  /** Weight of the edges between the sides. */
  readonly cut: number;
}

const SMALL = 120;
const SEEDS = 10;
const MAX_PASSES = 8;
/** Moves without a better state before a pass ends. */
const PATIENCE = 300;

/**
 * Two sides, of which side 0 weighs about `share` of the whole: neither exceeds its share by more than `slack` (0.03 is
 * 3 %), or by the heaviest node if that is more.
 */
export function bisect(graph: WeightedGraph, share: number, slack: number): Bisection {
  let total = 0;
  for (let n = 0; n < graph.nodeCount; n++) total += graph.nodeWeight[n];
  const coarsenings: Coarsening[] = [];
  let small = graph;
  while (small.nodeCount > SMALL) {
    const next = coarsen(small, (1.5 * total) / SMALL);
    if (!next) break;
    coarsenings.push(next);
    small = next.graph;
  }
  const limits: [number, number] = [total * share * (1 + slack), total * (1 - share) * (1 + slack)];
  const heaps = [new PairHeap(), new PairHeap()];
  let cut = new Cut(small, growBest(small, total * share, limits, heaps), heaps);
  cut.refine(limits);
  for (let at = coarsenings.length - 1; at >= 0; at--) {
    const fine = at === 0 ? graph : coarsenings[at - 1].graph;
    const { coarse } = coarsenings[at];
    const side = new Uint8Array(fine.nodeCount);
    for (let n = 0; n < fine.nodeCount; n++) side[n] = cut.side[coarse[n]];
    cut = new Cut(fine, side, heaps);
    cut.refine(limits);
  }
  return { side: cut.side, cut: cut.weight };
}

/** Side 0 grown from nodes spread over the graph; the one with the least cut after a refinement. */
function growBest(
  graph: WeightedGraph,
  target: number,
  limits: readonly [number, number],
  heaps: readonly PairHeap[],
): Uint8Array {
  let best: Cut | undefined;
  const seeds = Math.min(SEEDS, graph.nodeCount);
  for (let k = 0; k < seeds; k++) {
    const seed = Math.floor((k * graph.nodeCount) / seeds);
    const cut = new Cut(graph, grow(graph, seed, target, heaps[0]), heaps);
    cut.refine(limits);
    if (!best || cut.excess(limits) < best.excess(limits)) best = cut;
    else if (cut.excess(limits) === best.excess(limits) && cut.weight < best.weight) best = cut;
  }
  return best ? best.side : new Uint8Array(0);
}

/** Adds the node that worsens the cut least, until side 0 weighs `target`. */
function grow(graph: WeightedGraph, seed: number, target: number, heap: PairHeap): Uint8Array {
  const { nodeCount, nodeWeight, first, neighbour, edgeWeight } = graph;
  const side = new Uint8Array(nodeCount).fill(1);
  const gain = new Float64Array(nodeCount);
  for (let n = 0; n < nodeCount; n++) for (let k = first[n]; k < first[n + 1]; k++) gain[n] -= edgeWeight[k];
  heap.length = 0;
  heap.push(0, seed, 0);
  let weight = 0;
  let unseen = 0;
  while (weight < target) {
    if (!heap.pop()) {
      // this component is used up: continue with another
      while (unseen < nodeCount && side[unseen] === 0) unseen++;
      if (unseen === nodeCount) break;
      heap.push(-gain[unseen], unseen, 0);
      continue;
    }
    const node = heap.a;
    if (side[node] === 0) continue;
    if (weight > 0 && weight + nodeWeight[node] - target > target - weight) break;
    side[node] = 0;
    weight += nodeWeight[node];
    for (let k = first[node]; k < first[node + 1]; k++) {
      const other = neighbour[k];
      gain[other] += 2 * edgeWeight[k];
      if (side[other] === 1) heap.push(-gain[other], other, 0);
    }
  }
  return side;
}

/** A cut that is being improved. */
class Cut {
  readonly side: Uint8Array;
  weight = 0;
  readonly #graph: WeightedGraph;
  readonly #heaps: readonly PairHeap[];
  /** The reduction of the cut by moving a node. */
  readonly #gain: Float64Array;
  /** Weight of a node's edges to the other side. */
  readonly #outer: Float64Array;
  readonly #sideWeight: [number, number] = [0, 0];
  #heaviest = 0;

  /** The two heaps are work space. */
  constructor(graph: WeightedGraph, side: Uint8Array, heaps: readonly PairHeap[]) {
    this.#graph = graph;
    this.#heaps = heaps;
    this.side = side;
    this.#gain = new Float64Array(graph.nodeCount);
    this.#outer = new Float64Array(graph.nodeCount);
    const { first, neighbour, edgeWeight, nodeWeight } = graph;
    for (let n = 0; n < graph.nodeCount; n++) {
      let inner = 0;
      let outer = 0;
      for (let k = first[n]; k < first[n + 1]; k++) {
        if (side[neighbour[k]] === side[n]) inner += edgeWeight[k];
        else outer += edgeWeight[k];
      }
      this.#gain[n] = outer - inner;
      this.#outer[n] = outer;
      this.weight += outer / 2;
      this.#sideWeight[side[n]] += nodeWeight[n];
      if (nodeWeight[n] > this.#heaviest) this.#heaviest = nodeWeight[n];
    }
  }

  /** The excess weight of the heavier side over its limit. */
  excess(limits: readonly [number, number]): number {
    return Math.max(0, this.#sideWeight[0] - limits[0], this.#sideWeight[1] - limits[1]);
  }

  refine(given: readonly [number, number]): void {
    // leave room for the heaviest node to move, or nothing could
    const total = this.#sideWeight[0] + this.#sideWeight[1];
    const share = given[0] / (given[0] + given[1]);
    const limits: [number, number] = [
      Math.max(given[0], total * share + this.#heaviest),
      Math.max(given[1], total * (1 - share) + this.#heaviest),
    ];
    for (let pass = 0; pass < MAX_PASSES; pass++) if (!this.#pass(limits)) break;
  }

  /** True if the cut or the balance is better than before. */
  #pass(limits: readonly [number, number]): boolean {
    const { nodeCount, first, neighbour } = this.#graph;
    const { side } = this;
    const heaps = this.#heaps;
    for (const heap of heaps) heap.length = 0;
    const queued = new Uint8Array(nodeCount); // 1: in a heap, 2: moved
    const queue = (n: number) => {
      queued[n] = 1;
      heaps[side[n]].push(-this.#gain[n], n, 0);
    };
    const startExcess = this.excess(limits);
    for (let n = 0; n < nodeCount; n++) if (this.#outer[n] > 0 || startExcess > 0) queue(n);
    const moved: number[] = [];
    let best = 0;
    let bestCut = this.weight;
    let bestExcess = startExcess;
    const startCut = this.weight;
    while (moved.length - best < PATIENCE) {
      const node = this.#takeBest(heaps, queued, limits);
      if (node < 0) break;
      queued[node] = 2;
      this.#move(node);
      moved.push(node);
      const excess = this.excess(limits);
      if (excess < bestExcess || (excess === bestExcess && this.weight < bestCut - 1e-9 * bestCut)) {
        best = moved.length;
        bestCut = this.weight;
        bestExcess = excess;
      }
      for (let k = first[node]; k < first[node + 1]; k++) {
        const other = neighbour[k];
        if (queued[other] !== 2 && (this.#outer[other] > 0 || queued[other] === 1)) queue(other);
      }
    }
    for (const node of moved.splice(best).reverse()) this.#move(node);
    return bestExcess < startExcess || bestCut < startCut - 1e-9 * startCut;
  }

  /** The node with the greatest gain that may move; −1 if none may. */
  #takeBest(heaps: readonly PairHeap[], queued: Uint8Array, limits: readonly [number, number]): number {
    const { nodeWeight } = this.#graph;
    let chosen = -1;
    let chosenGain = 0;
    const tops = [-1, -1];
    for (let s = 0; s < 2; s++) {
      const heap = heaps[s];
      while (heap.pop()) {
        const node = heap.a;
        // skip entries whose gain has changed since they were queued
        if (queued[node] !== 1 || this.side[node] !== s || heap.key !== -this.#gain[node]) continue;
        const overweight = this.#sideWeight[s] > limits[s];
        if (!overweight && this.#sideWeight[1 - s] + nodeWeight[node] > limits[1 - s]) {
          queued[node] = 0; // comes back when a neighbour moves
          continue;
        }
        tops[s] = node;
        break;
      }
    }
    for (let s = 0; s < 2; s++) {
      const node = tops[s];
      if (node < 0) continue;
      const gain = this.#gain[node] + (this.#sideWeight[s] > limits[s] ? Number.MAX_VALUE : 0);
      if (
        chosen < 0 ||
        gain > chosenGain ||
        (gain === chosenGain && this.#sideWeight[s] > this.#sideWeight[1 - s])
      ) {
        chosen = node;
        chosenGain = gain;
      }
    }
    for (let s = 0; s < 2; s++)
      if (tops[s] >= 0 && tops[s] !== chosen) heaps[s].push(-this.#gain[tops[s]], tops[s], 0);
    return chosen;
  }

  #move(node: number): void {
    const { first, neighbour, edgeWeight, nodeWeight } = this.#graph;
    const { side } = this;
    const to = 1 - side[node];
    this.weight -= this.#gain[node];
    this.#outer[node] -= this.#gain[node];
    this.#gain[node] = -this.#gain[node];
    this.#sideWeight[side[node]] -= nodeWeight[node];
    this.#sideWeight[to] += nodeWeight[node];
    side[node] = to;
    for (let k = first[node]; k < first[node + 1]; k++) {
      const other = neighbour[k];
      const change = side[other] === to ? -edgeWeight[k] : edgeWeight[k];
      this.#gain[other] += 2 * change;
      this.#outer[other] += change;
    }
  }
}
