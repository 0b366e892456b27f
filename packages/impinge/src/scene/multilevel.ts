/**
 * Partitions a graph so that little edge weight lies between the parts: it is coarsened once, bisected repeatedly while
 * it is small, and the boundaries are refined at every size on the way back. Paper: Karypis and Kumar, Multilevel k-way
 * partitioning scheme for irregular graphs, 1998.
 */
import { bisect } from './bisect.js';
import { type Coarsening, coarsen, partOf, type WeightedGraph } from './coarsen.js';
import { refineParts } from './refine-parts.js';

export interface Partition {
  /** The part of each node. */
  readonly part: Uint32Array;
  readonly count: number;
}

/** Nodes of the coarsest graph per part: fewer are quicker, more are better. */
const NODES_PER_PART = 60;
const FEWEST_NODES = 20000;
const FEW_PARTS = 8;

/** A graph and successively coarser versions of it, ready to be partitioned. */
export class Multilevel {
  readonly #graph: WeightedGraph;
  readonly #coarsenings: Coarsening[] = [];
  readonly #smallest: WeightedGraph;
  readonly #total: number;

  /** Made for about `parts` parts. */
  constructor(graph: WeightedGraph, parts: number) {
    this.#graph = graph;
    this.#total = sumOf(graph.nodeWeight);
    // few parts are cut from the whole graph: two-sided refinement finds more than that of many parts at once
    const nodes = parts <= FEW_PARTS ? Infinity : Math.max(FEWEST_NODES, NODES_PER_PART * parts);
    let smallest = graph;
    while (smallest.nodeCount > nodes) {
      const next = coarsen(smallest, (1.5 * this.#total) / nodes);
      if (!next) break;
      this.#coarsenings.push(next);
      smallest = next.graph;
    }
    this.#smallest = smallest;
  }

  /** `count` parts of equal weight, give or take `slack` (0.03: three per cent) or a node. */
  equalParts(count: number, slack = 0.03): Partition {
    const halve = (_: WeightedGraph, parts: number) => (parts > 1 ? Math.floor(parts / 2) / parts : 0);
    const { part } = splitAgain(this.#smallest, count, halve);
    const limits = new Float64Array(count).fill((this.#total / count) * (1 + slack));
    return { part: this.#project(part, limits), count };
  }

  /**
   * Parts that weigh at most `most`, or that can be bisected through edges of weight `thin` or less: such a part is so
   * slender that it can be swept from end to end with little in memory.
   */
  slenderParts(most: number, thin: number): Partition {
    const small = this.#smallest;
    const { part, count } = splitAgain(small, 1, (g) => (sumOf(g.nodeWeight) > most ? 0.5 : 0), thin);
    const limits = new Float64Array(count);
    for (let n = 0; n < small.nodeCount; n++) limits[part[n]] += 1.1 * small.nodeWeight[n];
    return { part: this.#project(part, limits), count };
  }

  /** Carries a partition of the smallest graph over to the largest, refining it at every size. */
  #project(parts: Uint32Array, limits: Float64Array): Uint32Array {
    let part = parts;
    refineParts(this.#smallest, part, limits);
    for (let at = this.#coarsenings.length - 1; at >= 0; at--) {
      const fine = at === 0 ? this.#graph : this.#coarsenings[at - 1].graph;
      const { coarse } = this.#coarsenings[at];
      const finer = new Uint32Array(fine.nodeCount);
      for (let n = 0; n < fine.nodeCount; n++) finer[n] = part[coarse[n]];
      part = finer;
      refineParts(fine, part, limits);
    }
    return part;
  }
}

/**
 * Bisects until `shareOf` returns 0 for a part; otherwise it returns the first side's share, given the number of parts
 * still to be made of it. A cut of weight `thin` or less is not made.
 */
function splitAgain(
  graph: WeightedGraph,
  parts: number,
  shareOf: (part: WeightedGraph, parts: number) => number,
  thin = -1,
): Partition {
  const result = new Uint32Array(graph.nodeCount);
  const everything = result.map((_, n) => n);
  const waiting = [{ graph, nodes: everything, parts }];
  let count = 0;
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    const share = item.graph.nodeCount > 1 ? shareOf(item.graph, item.parts) : 0;
    const halves = share > 0 ? bisect(item.graph, share, 0.02) : undefined;
    const first = halves ? halves.side.reduce((sum, side) => sum + (1 - side), 0) : 0;
    if (!halves || halves.cut <= thin || first === 0 || first === item.nodes.length) {
      for (const n of item.nodes) result[n] = count;
      count++;
      continue;
    }
    const numbers = new Uint32Array(item.graph.nodeCount);
    // the second side waits below the first: parts are numbered from left to right
    for (let side = 1; side >= 0; side--) {
      const part = partOf(item.graph, halves.side, side, numbers);
      const nodes = item.nodes.filter((_, n) => halves.side[n] === side);
      const firstParts = Math.floor(item.parts / 2);
      waiting.push({ graph: part, nodes, parts: side === 0 ? firstParts : item.parts - firstParts });
    }
  }
  return { part: result, count };
}

function sumOf(weights: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < weights.length; n++) sum += weights[n];
  return sum;
}
