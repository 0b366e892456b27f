/**
 * Divides the edges of an overlap graph into parts that fit into memory, in an order that reads little twice.
 *
 * Components that fit are packed together. A larger one is walked from end to end, such that a node once read stays
 * until it is done (sweep-order.ts); where its front would not fit, it is first cut into slender parts (multilevel.ts),
 * and the edges between two parts go to the one that then has to read fewer bytes of the other. Nodes of high degree
 * stay in memory meanwhile, or are removed together with their edges; the rest is treated in the
 * same way until nothing is left. Of these alternatives, the one that reads the fewest bytes is taken.
 * Paper: Wilson, Larsen, Manocha, Lin, Partitioning and handling massive models for interactive collision detection.
 *
 * Invariant: each edge is in exactly one subgraph; a subgraph weighs at most `capacity`, or is a single edge.
 */
import { ImpingeError } from '../base/errors.js';
import { readPositive } from '../base/options.js';
import { AccessOrder } from './access-order.js';
import { weigh } from './coarsen.js';
import { highDegreeNodes, removeByDegree } from './high-degree-nodes.js';
import { countLoads } from './loads.js';
import { Multilevel, type Partition } from './multilevel.js';
import { components, type OverlapGraph, subgraphOf } from './overlap-graph.js';
import { SweepOrder } from './sweep-order.js';

export interface LocalizeOptions {
  /** Bytes that may be in memory at once. */
  readonly capacity: number;
  /** Called periodically with the number of edges assigned to a subgraph. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

export interface LocalSubgraph {
  /** In the order to test them. */
  readonly edges: Uint32Array;
  /** In the order of their first use, resident nodes first. */
  readonly nodes: Uint32Array;
  /** Bytes of all nodes; beyond the capacity only where the two ends of a single edge are. */
  readonly weight: number;
  /** Nodes of high degree that stay in memory while the rest stream past; they are among `nodes`. */
  readonly resident: Uint32Array;
}

export interface Localization {
  /** Neighbours in this list share nodes where they can. */
  readonly subgraphs: readonly LocalSubgraph[];
}

/** Edges in the order to test them, and the nodes resident meanwhile. */
interface Stretch {
  readonly edges: Uint32Array;
  readonly resident: Uint32Array;
}

interface Task {
  readonly edges: Uint32Array;
  /** Whether the edges are known to form one component, and one that does not fit. */
  readonly connected: boolean;
  /** The rounds of node removal so far. */
  readonly rounds: number;
}

/** An order that reads no more than this many times the graph's weight is good enough. */
const GOOD_ENOUGH = 1.005;
/** Nodes of this many times the mean degree may be kept in memory, if they fill half of it at most. */
const HIGH_DEGREE = 12;
/** A memory that holds fewer nodes than this does not justify a partition. */
const FEW_NODES = 6;
/** Maximum rounds of node removal; the remainder is then ordered as a whole. */
const MAX_ROUNDS = 3;
const NO_NODES = new Uint32Array(0);

/** Orders all edges for a memory of `capacity` bytes. The same graph always gives the same answer. */
export function localize(graph: OverlapGraph, options: LocalizeOptions): Localization {
  const { capacity, onProgress, signal } = options;
  readPositive('capacity', capacity);
  const stretches: Stretch[] = [];
  const scratch = new Uint32Array(graph.nodeCount);
  const all = new Uint32Array(graph.edgeCount);
  for (let e = 0; e < all.length; e++) all[e] = e;
  const tasks: Task[] = [{ edges: all, connected: false, rounds: 0 }];
  let placed = 0;
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    if (signal?.aborted) throw new ImpingeError('aborted', 'localize was stopped');
    const sub =
      task.edges === all ? { graph, nodes: undefined, edges: all } : subgraphOf(graph, task.edges, scratch);
    const { ordered, connected, rest } = task.connected
      ? orderLarge(sub.graph, capacity, task.rounds)
      : orderSmall(sub.graph, capacity);
    for (const { edges, resident } of ordered) {
      stretches.push({
        edges: edges.map((e) => sub.edges[e]),
        resident: resident.map((n) => sub.nodes?.[n] ?? n),
      });
      placed += edges.length;
    }
    const rounds = task.rounds + (task.connected ? 1 : 0);
    for (const edges of rest.reverse())
      tasks.push({ edges: edges.map((e) => sub.edges[e]), connected, rounds });
    onProgress?.({ done: placed, total: graph.edgeCount });
  }
  const cutter = new Cutter(graph, capacity);
  return { subgraphs: stretches.flatMap((stretch) => cutter.cut(stretch)) };
}

/** Edges that have got their place, and lists of edges that have not. */
interface Step {
  readonly ordered: Stretch[];
  readonly rest: Uint32Array[];
  /** Of the rest, as in `Task`. */
  readonly connected: boolean;
}

/** Orders the components that fit, packing several into a stretch; leaves those that do not fit. */
function orderSmall(graph: OverlapGraph, capacity: number): Step {
  const { nodeCount, edgeCount, weight, ends } = graph;
  const { count, of } = components(graph);
  const total = new Float64Array(count);
  const firstNode = new Uint32Array(count + 1);
  const edgesOf = new Uint32Array(count);
  for (let n = 0; n < nodeCount; n++) {
    total[of[n]] += weight[n];
    firstNode[of[n] + 1]++;
  }
  for (let e = 0; e < edgeCount; e++) edgesOf[of[ends[2 * e]]]++;
  for (let c = 0; c < count; c++) firstNode[c + 1] += firstNode[c];
  const nodes = new Uint32Array(nodeCount);
  const next = firstNode.slice(0, count);
  for (let n = 0; n < nodeCount; n++) nodes[next[of[n]]++] = n;

  const order = new AccessOrder(graph);
  const ordered: Stretch[] = [];
  let from = 0;
  let used = 0;
  const close = () => {
    if (order.edgeCount === from) return;
    ordered.push({ edges: order.edges.slice(from, order.edgeCount), resident: NO_NODES });
    from = order.edgeCount;
    used = 0;
  };
  const rest: Uint32Array[] = [];
  const restAt = new Map<number, number>();
  for (let c = 0; c < count; c++) {
    if (edgesOf[c] === 0) continue;
    if (total[c] <= capacity) {
      if (used + total[c] > capacity) close();
      used += total[c];
      order.visit(nodes.subarray(firstNode[c], firstNode[c + 1]));
    } else {
      restAt.set(c, rest.length);
      rest.push(new Uint32Array(edgesOf[c]));
    }
  }
  close();
  if (rest.length > 0) {
    const filled = new Uint32Array(rest.length);
    for (let e = 0; e < edgeCount; e++) {
      const at = restAt.get(of[ends[2 * e]]);
      if (at !== undefined) rest[at][filled[at]++] = e;
    }
  }
  return { ordered, rest, connected: true };
}

/** A connected graph that does not fit: orders all its edges, or removes as many nodes as pays. */
function orderLarge(graph: OverlapGraph, capacity: number, rounds: number): Step {
  const weight = weightOf(graph);
  const whole = orderWhole(graph, capacity, weight);
  const removed = whole.bytes <= GOOD_ENOUGH * weight ? [] : removeByDegree(graph, capacity);
  // assume that the remainder after some of them is read as often as the whole
  const factor = whole.bytes / weight;
  let count = 0;
  let least = whole.bytes;
  let bytes = 0;
  for (let k = 0; k < removed.length; k++) {
    bytes += removed[k].bytes;
    const expected = bytes + factor * removed[k].weightLeft;
    if (expected < least && (rounds < MAX_ROUNDS || k === removed.length - 1)) {
      count = k + 1;
      least = expected;
    }
  }
  if (count === 0) return { ordered: [whole.stretch], rest: [], connected: false };
  const done = new Uint8Array(graph.edgeCount);
  const ordered = removed.slice(0, count);
  for (const { edges } of ordered) for (const e of edges) done[e] = 1;
  const left = new Uint32Array(graph.edgeCount).map((_, e) => e).filter((e) => !done[e]);
  return { ordered, rest: left.length > 0 ? [left] : [], connected: false };
}

function weightOf(graph: OverlapGraph): number {
  let sum = 0;
  for (let n = 0; n < graph.nodeCount; n++) sum += graph.weight[n];
  return sum;
}

/** Every edge, in the best order found: as numbered, or swept with or without nodes that stay. */
function orderWhole(
  graph: OverlapGraph,
  capacity: number,
  weight: number,
): { stretch: Stretch; bytes: number } {
  let best: { stretch: Stretch; bytes: number } = {
    stretch: { edges: NO_NODES, resident: NO_NODES },
    bytes: Infinity,
  };
  for (const stretch of ordersOfWhole(graph, capacity)) {
    const { bytes } = countLoads(graph, stretch.edges, capacity);
    if (bytes < best.bytes) best = { stretch, bytes };
    if (bytes <= GOOD_ENOUGH * weight) break;
  }
  return best;
}

function* ordersOfWhole(graph: OverlapGraph, capacity: number): Generator<Stretch> {
  const numbered = new Uint32Array(graph.edgeCount);
  for (let e = 0; e < numbered.length; e++) numbered[e] = e;
  yield { edges: numbered, resident: NO_NODES };
  const mean = graph.neighbour.length / graph.nodeCount;
  const hubs = highDegreeNodes(graph, capacity / 2, Math.ceil(HIGH_DEGREE * mean));
  for (const resident of hubs.length > 0 ? [hubs, NO_NODES] : [NO_NODES])
    yield { edges: sweepSlender(graph, capacity, resident), resident };
}

/** Cuts a graph into slender parts and sweeps them one after the other, past nodes that stay. */
function sweepSlender(graph: OverlapGraph, capacity: number, resident: Uint32Array): Uint32Array {
  const { first, weight, ends } = graph;
  const stays = markNodes(graph, resident);
  let room = capacity;
  for (const n of resident) room -= weight[n];
  if (room * graph.nodeCount < FEW_NODES * weightOf(graph))
    return sweepPartition(graph, { part: new Uint32Array(graph.nodeCount), count: 1 }, stays);
  // a node that is read again costs its weight, however many of its edges are cut
  const share = (n: number) => weight[n] / (first[n + 1] - first[n]);
  const weighted = weigh(graph, (e) => share(ends[2 * e]) + share(ends[2 * e + 1]), stays);
  const multilevel = new Multilevel(weighted, weightOf(graph) / (4 * room)); // a guess: slender parts are larger
  const thin = room / (3 + 2 * variation(weight));
  return sweepPartition(graph, multilevel.slenderParts(room, thin), stays);
}

/** Standard deviation over mean. */
function variation(weight: Float64Array): number {
  let sum = 0;
  let squares = 0;
  for (let n = 0; n < weight.length; n++) {
    sum += weight[n];
    squares += weight[n] * weight[n];
  }
  return sum === 0 ? 0 : Math.sqrt(Math.max(0, (squares * weight.length) / (sum * sum) - 1));
}

/** Sweeps the parts of a partition one after the other, neighbours next to each other where possible. */
export function sweepPartition(graph: OverlapGraph, partition: Partition, stays: Uint8Array): Uint32Array {
  const { nodeCount, edgeCount, ends } = graph;
  const { part, count } = partition;
  const border = borderWeights(graph, partition, stays);
  const place = chainParts(border, count);
  const owner = new Uint32Array(edgeCount);
  for (let e = 0; e < edgeCount; e++) {
    const u = part[ends[2 * e]];
    const v = part[ends[2 * e + 1]];
    if (stays[ends[2 * e]]) owner[e] = place[v];
    else if (stays[ends[2 * e + 1]] || u === v) owner[e] = place[u];
    // part u reads the nodes of v at their border, or the other way round
    else owner[e] = (border[v].get(u) ?? 0) < (border[u].get(v) ?? 0) ? place[u] : place[v];
  }
  const firstNode = new Uint32Array(count + 1);
  for (let n = 0; n < nodeCount; n++) firstNode[place[part[n]] + 1]++;
  for (let p = 0; p < count; p++) firstNode[p + 1] += firstNode[p];
  const nodes = new Uint32Array(nodeCount);
  const next = firstNode.slice(0, count);
  for (let n = 0; n < nodeCount; n++) nodes[next[place[part[n]]]++] = n;
  const order = new SweepOrder(graph, owner, stays);
  for (let p = 0; p < count; p++) order.sweep(p, nodes.subarray(firstNode[p], firstNode[p + 1]));
  return order.edges;
}

/** border[p] has, for each part q next to p, the weight of the nodes of p that have an edge to q. */
function borderWeights(
  graph: OverlapGraph,
  { part, count }: Partition,
  stays: Uint8Array,
): Map<number, number>[] {
  const border = Array.from({ length: count }, () => new Map<number, number>());
  const seen = new Uint32Array(count); // by node + 1
  for (let n = 0; n < graph.nodeCount; n++) {
    if (stays[n]) continue;
    const own = border[part[n]];
    for (let k = graph.first[n]; k < graph.first[n + 1]; k++) {
      const other = part[graph.neighbour[k]];
      if (other === part[n] || stays[graph.neighbour[k]] || seen[other] === n + 1) continue;
      seen[other] = n + 1;
      own.set(other, (own.get(other) ?? 0) + graph.weight[n]);
    }
  }
  return border;
}

/** An order of the parts: after each comes the remaining one that shares most with it. */
function chainParts(border: readonly Map<number, number>[], count: number): Uint32Array {
  const place = new Uint32Array(count);
  const taken = new Uint8Array(count);
  let current = -1;
  let least = 0;
  for (let at = 0; at < count; at++) {
    let best = -1;
    let most = 0;
    if (current >= 0) {
      for (const [other, weight] of border[current]) {
        const common = weight + (border[other].get(current) ?? 0);
        if (taken[other] || common < most || (common === most && other > best)) continue;
        best = other;
        most = common;
      }
    }
    if (best < 0) {
      while (taken[least]) least++;
      best = least;
    }
    place[best] = at;
    taken[best] = 1;
    current = best;
  }
  return place;
}

function markNodes(graph: OverlapGraph, nodes: Uint32Array): Uint8Array {
  const marks = new Uint8Array(graph.nodeCount);
  for (const n of nodes) marks[n] = 1;
  return marks;
}

/** Cuts stretches into subgraphs of as many consecutive edges as fit. */
class Cutter {
  readonly #graph: OverlapGraph;
  readonly #capacity: number;
  readonly #stamp: Uint32Array;
  #stamps = 0;
  #nodes: number[] = [];
  #weight = 0;

  constructor(graph: OverlapGraph, capacity: number) {
    this.#graph = graph;
    this.#capacity = capacity;
    this.#stamp = new Uint32Array(graph.nodeCount);
  }

  cut({ edges, resident }: Stretch): LocalSubgraph[] {
    const out: LocalSubgraph[] = [];
    for (let from = 0, to = 0; from < edges.length; from = to) {
      // resident nodes give way to a pair that does not fit beside them
      const staying = this.#begin(resident, edges[from]) ? resident : NO_NODES;
      for (to = from + 1; to < edges.length && this.#fits(edges[to]); to++) this.#addEdge(edges[to]);
      const nodes = Uint32Array.from(this.#nodes);
      out.push({ edges: edges.slice(from, to), nodes, weight: this.#weight, resident: staying });
    }
    return out;
  }

  /** Starts a subgraph with an edge; false if only without the nodes that should stay. */
  #begin(resident: Uint32Array, edge: number): boolean {
    for (const staying of [resident, NO_NODES]) {
      this.#stamps++;
      this.#nodes = [];
      this.#weight = 0;
      for (const n of staying) this.#addNode(n);
      if (!this.#fits(edge) && staying.length > 0) continue;
      this.#addEdge(edge);
      return staying === resident;
    }
    return false;
  }

  #fits(edge: number): boolean {
    const { ends, weight } = this.#graph;
    const u = ends[2 * edge];
    const v = ends[2 * edge + 1];
    let sum = this.#weight;
    if (this.#stamp[u] !== this.#stamps) sum += weight[u];
    if (u !== v && this.#stamp[v] !== this.#stamps) sum += weight[v];
    return sum <= this.#capacity;
  }

  #addEdge(edge: number): void {
    this.#addNode(this.#graph.ends[2 * edge]);
    this.#addNode(this.#graph.ends[2 * edge + 1]);
  }

  #addNode(node: number): void {
    if (this.#stamp[node] === this.#stamps) return;
    this.#stamp[node] = this.#stamps;
    this.#nodes.push(node);
    this.#weight += this.#graph.weight[node];
  }
}

// How thin a part has to be for a sweep (`room` over 3, or 8 where weights differ by orders of magnitude) is measured:
// bytes read per byte, boxes in a cube, memory of 1/100, 1/500, 1/2000 of the graph.
//   cut at most room ×      1/10                 1/6                  1/3                  2/3
//   equal weights           1.047 1.176 1.370    1.036 1.147 1.348    1.035 1.132 1.313    1.040 1.130 1.314
//   heavy-tailed weights    1.001 1.017 1.082    1.008 1.021 1.085    1.030 1.051 1.111    1.075 1.112 1.166
// Parts of the memory's size, swept: 1.072 1.189 1.365 and 1.007 1.037 1.106. One sweep without parts: 1.183 1.589
// 1.877.
