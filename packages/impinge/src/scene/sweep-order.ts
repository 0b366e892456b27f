/**
 * The order in which to test the edges of a graph too large for memory, so that a node once read stays until it is
 * done.
 *
 * Idea: finish node after node, from one end of the graph to the other. Finishing a node means testing all its edges
 * that are left: its neighbours come in, it goes. Next comes the node that brings in the fewest bytes, preferably one
 * far from the other end, so that the front stays short and even. If the front always fits, each node is read once.
 * Paper: Sloan, An algorithm for profile and wavefront reduction of sparse matrices, 1986.
 */
import { NodeHeap } from './node-heap.js';
import type { OverlapGraph } from './overlap-graph.js';

/** Weight of a step away from the other end, relative to the mean weight of a node. */
const DISTANCE = 1;
const BYTES = 2;

const WAITING = 0;
const QUEUED = 1;
const LOADED = 2;
const FINISHED = 3;

/** Walks over parts of a graph: part p consists of the edges e with owner[e] = p. */
export class SweepOrder {
  readonly edges: Uint32Array;
  edgeCount = 0;
  readonly #graph: OverlapGraph;
  readonly #owner: Uint32Array;
  readonly #resident: Uint8Array;
  readonly #visitedBy: Uint32Array; // part + 1
  readonly #state: Uint8Array;
  readonly #loaded: Uint8Array;
  readonly #priority: Float64Array;
  readonly #distance: Uint32Array;
  readonly #stamp: Uint32Array;
  readonly #queue: Uint32Array;
  readonly #heap: NodeHeap;
  readonly #done: Uint8Array;
  readonly #meanWeight: number;
  #stamps = 0;

  /** Nodes marked `resident` are in memory throughout: they bring in nothing and are not walked across. */
  constructor(graph: OverlapGraph, owner: Uint32Array, resident: Uint8Array) {
    const { nodeCount, edgeCount, weight } = graph;
    this.#graph = graph;
    this.#owner = owner;
    this.#resident = resident;
    this.edges = new Uint32Array(edgeCount);
    this.#visitedBy = new Uint32Array(nodeCount);
    this.#state = new Uint8Array(nodeCount);
    this.#loaded = new Uint8Array(nodeCount);
    this.#priority = new Float64Array(nodeCount);
    this.#distance = new Uint32Array(nodeCount);
    this.#stamp = new Uint32Array(nodeCount);
    this.#queue = new Uint32Array(nodeCount);
    this.#heap = new NodeHeap(nodeCount);
    this.#done = new Uint8Array(edgeCount);
    let sum = 0;
    for (let n = 0; n < nodeCount; n++) sum += weight[n];
    this.#meanWeight = sum / nodeCount || 1;
  }

  /** Appends the edges of a part; `nodes` holds at least one end of each. */
  sweep(part: number, nodes: Uint32Array): void {
    for (const node of nodes) {
      if (this.#resident[node] || this.#visitedBy[node] === part + 1) continue;
      this.#sweepComponent(part, node);
    }
    for (const node of nodes) if (this.#resident[node]) this.#finish(part, node);
  }

  #sweepComponent(part: number, seed: number): void {
    const { first, neighbour, edge, weight } = this.#graph;
    const owner = this.#owner;
    // two ends: the furthest node from anywhere, and the furthest from there
    let count = this.#spread(part, seed);
    count = this.#spread(part, this.#lastOf(count));
    const start = this.#lastOf(count);
    const scale = BYTES / this.#meanWeight;
    for (let at = 0; at < count; at++) {
      const node = this.#queue[at];
      this.#visitedBy[node] = part + 1;
      this.#state[node] = WAITING;
      let incoming = weight[node];
      for (let k = first[node]; k < first[node + 1]; k++) {
        if (owner[edge[k]] === part && !this.#resident[neighbour[k]]) incoming += weight[neighbour[k]];
      }
      this.#priority[node] = DISTANCE * this.#distance[node] - scale * incoming;
    }
    const state = this.#state;
    state[start] = QUEUED;
    this.#heap.raise(start, this.#priority[start]);
    for (let node = this.#heap.pop(); node >= 0; node = this.#heap.pop()) {
      if (state[node] !== LOADED) this.#load(part, node, scale);
      this.#finish(part, node);
      state[node] = FINISHED;
      for (let k = first[node]; k < first[node + 1]; k++) {
        const other = neighbour[k];
        if (owner[edge[k]] !== part || this.#resident[other] || state[other] >= LOADED) continue;
        this.#load(part, other, scale);
        this.#heap.raise(other, this.#priority[other]);
      }
    }
  }

  /** A node comes in: it, and its neighbours, bring in less from now on. */
  #load(part: number, node: number, scale: number): void {
    const { first, neighbour, edge, weight } = this.#graph;
    const state = this.#state;
    const gain = scale * weight[node];
    state[node] = LOADED;
    this.#priority[node] += gain;
    for (let k = first[node]; k < first[node + 1]; k++) {
      const other = neighbour[k];
      if (this.#owner[edge[k]] !== part || this.#resident[other] || other === node) continue;
      if (state[other] === FINISHED) continue;
      this.#priority[other] += gain;
      if (state[other] === WAITING) state[other] = QUEUED;
      this.#heap.raise(other, this.#priority[other]);
    }
  }

  /** Appends the edges of a node that are left, first those to nodes that are loaded. */
  #finish(part: number, node: number): void {
    const { first, neighbour, edge } = this.#graph;
    for (let round = 0; round < 2; round++) {
      for (let k = first[node]; k < first[node + 1]; k++) {
        const e = edge[k];
        if (this.#owner[e] !== part || this.#done[e]) continue;
        const other = neighbour[k];
        if (round === 0 && other !== node && !this.#loaded[other] && !this.#resident[other]) continue;
        this.#done[e] = 1;
        this.#loaded[other] = 1;
        this.edges[this.edgeCount++] = e;
      }
    }
  }

  /** Fills the queue breadth first from a node and records distances; returns the number of nodes reached. */
  #spread(part: number, from: number): number {
    const { first, neighbour, edge } = this.#graph;
    const queue = this.#queue;
    const mark = ++this.#stamps;
    let count = 1;
    queue[0] = from;
    this.#stamp[from] = mark;
    this.#distance[from] = 0;
    for (let at = 0; at < count; at++) {
      const node = queue[at];
      for (let k = first[node]; k < first[node + 1]; k++) {
        const other = neighbour[k];
        if (this.#owner[edge[k]] !== part || this.#stamp[other] === mark || this.#resident[other]) continue;
        this.#stamp[other] = mark;
        this.#distance[other] = this.#distance[node] + 1;
        queue[count++] = other;
      }
    }
    return count;
  }

  /** Among the furthest nodes in the queue, the one of least degree. */
  #lastOf(count: number): number {
    const { first } = this.#graph;
    let best = this.#queue[count - 1];
    const furthest = this.#distance[best];
    for (let at = count - 1; at >= 0 && this.#distance[this.#queue[at]] === furthest; at--) {
      const node = this.#queue[at];
      if (first[node + 1] - first[node] < first[best + 1] - first[best]) best = node;
    }
    return best;
  }
}
