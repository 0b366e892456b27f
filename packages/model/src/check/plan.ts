/**
 * The order in which the pairs of a model are measured, so that little is read twice.
 *
 * Idea: pieces are the nodes of the overlap graph, weighing their bytes; an edge is a pair of pieces that are near each
 * other in some pair of objects. The graph is cut into subgraphs that fit into memory (scene/localize.ts); a pair of
 * objects comes where its first edge comes. Many models list their objects place by place; so the order of the model
 * and the order in space are tried first, and taken where they read little twice; else the one that reads least. Paper:
 * Wilson, Larsen, Manocha, Lin, "Partitioning and Handling Massive Models for Interactive Collision Detection".
 */
import { localize } from 'impinge/internal/scene/localize.js';
import { buildOverlapGraph } from 'impinge/internal/scene/overlap-graph.js';
import type { StoredModel } from '../store/model.js';
import { memoryBytes } from '../store/page-layout.js';
import { grownBytesOf } from '../store/piece-cache.js';
import type { Candidates } from './candidates.js';
import {
  neededPieces,
  type PairPieces,
  PairPiecesBuilder,
  selectPairPieces,
  WHOLE_SHARE,
} from './pair-pieces.js';
import type { RuleTable } from './rules/rule-table.js';
import { spatialOrder } from './spatial-order.js';

export interface PlannedTask {
  /** Positions among the candidates, in the order to look at them. */
  readonly pairs: Uint32Array;
  readonly pieces: PairPieces;
}

export interface CheckPlan {
  readonly tasks: readonly PlannedTask[];
  /** Bytes that the tasks read if nothing stays from one to the next. */
  readonly bytes: number;
  /**
   * Pairs of objects that take more than a worker's share: they come last, one by one, with all the memory for each.
   */
  readonly alone: readonly PlannedTask[];
}

/** Trees grow while they are used. */
const GROWTH = 1.25;
/** Reading this factor more than needed takes less time than searching for a better order. */
const GOOD_ENOUGH = 1.1;
/** The same with many readers, who would all wait for the search for an order. */
const GOOD_ENOUGH_FOR_MANY = 1.25;
const MANY = 16;

/**
 * Orders the candidates that are not `done`, in tasks of at most `capacity` bytes (a single pair may take more), for
 * `workers` that have `share` bytes each.
 */
export function planCheck(
  model: StoredModel,
  candidates: Candidates,
  rules: RuleTable,
  capacity: number,
  share: number,
  done?: (candidate: number) => boolean,
  workers = 1,
): CheckPlan {
  const { alone, ...uses } = findUses(model, candidates, rules, WHOLE_SHARE * share, done);
  const apart = new Set(alone.map(({ pairs }) => pairs[0]));
  const all = new Uint32Array(candidates.count);
  let count = 0;
  for (let i = 0; i < candidates.count; i++) if (!done?.(i) && !apart.has(i)) all[count++] = i;
  const pending = all.subarray(0, count);
  let best = cutIntoTasks(uses, pending, capacity);
  const most = (workers < MANY ? GOOD_ENOUGH : GOOD_ENOUGH_FOR_MANY) * uses.bytes;
  for (const order of [
    () => spatialOrder(model, candidates, pending),
    () => localizedOrder(uses, candidates.count, capacity),
  ]) {
    if (best.bytes <= most) break;
    const cut = cutIntoTasks(uses, order(), capacity);
    if (cut.bytes < best.bytes) best = cut;
  }
  const tasks = best.tasks.map((pairs) => ({ pairs, pieces: selectPairPieces(uses, pairs) }));
  return { tasks, bytes: best.bytes, alone };
}

/** Which pieces each candidate needs: none where it is done, or comes alone. */
interface Uses extends PairPieces {
  /** Bytes of each piece, and the total of the used ones. */
  readonly weight: Float64Array;
  readonly bytes: number;
}

function findUses(
  model: StoredModel,
  { triples, count }: Candidates,
  rules: RuleTable,
  most: number,
  done?: (candidate: number) => boolean,
): Uses & { readonly alone: readonly PlannedTask[] } {
  const { directory, pieceCount } = model;
  const weight = new Float64Array(pieceCount);
  for (let piece = 0; piece < pieceCount; piece++) weight[piece] = GROWTH * memoryBytes(directory, piece);
  const built = new PairPiecesBuilder();
  const alone: PlannedTask[] = [];
  const seen = new Uint8Array(weight.length);
  let bytes = 0;
  for (let i = 0; i < count; i++) {
    if (done?.(i)) {
      built.add([], 0);
      continue;
    }
    const rule = rules.rules[triples[3 * i + 2]];
    const { pieces, nearCount } = neededPieces(model, triples[3 * i], triples[3 * i + 1], rule);
    if (pieces.length > 2 && grownBytesOf(model, pieces) > most) {
      const own = new PairPiecesBuilder();
      own.add(pieces, nearCount);
      alone.push({ pairs: Uint32Array.of(i), pieces: own.build() });
      built.add([], 0);
      continue;
    }
    built.add(pieces, nearCount);
    for (const piece of pieces) {
      if (!seen[piece]) bytes += weight[piece];
      seen[piece] = 1;
    }
  }
  return { ...built.build(), weight, bytes, alone };
}

function localizedOrder({ first, pieces, weight }: Uses, count: number, capacity: number): Uint32Array {
  const owner = new Uint32Array(pieces.length / 2);
  for (let i = 0; i < count; i++) owner.fill(i, first[i] / 2, first[i + 1] / 2);
  const { subgraphs } = localize(buildOverlapGraph(weight, pieces), { capacity });
  const order = new Uint32Array(count);
  const seen = new Uint8Array(count);
  let length = 0;
  for (const { edges } of subgraphs) {
    for (const edge of edges) {
      if (seen[owner[edge]]) continue;
      seen[owner[edge]] = 1;
      order[length++] = owner[edge];
    }
  }
  return order.slice(0, length);
}

/** Ends a task where its pieces would take more than the capacity. */
function cutIntoTasks(
  { first, pieces, weight }: Uses,
  order: Uint32Array,
  capacity: number,
): { readonly tasks: readonly Uint32Array[]; readonly bytes: number } {
  const tasks: Uint32Array[] = [];
  const lastTask = new Int32Array(weight.length).fill(-1);
  let bytes = 0;
  let held = 0;
  let from = 0;
  /** Bytes that a pair adds to the present task. */
  const take = (pair: number): number => {
    let added = 0;
    for (let k = first[pair]; k < first[pair + 1]; k++) {
      if (lastTask[pieces[k]] === tasks.length) continue;
      lastTask[pieces[k]] = tasks.length;
      added += weight[pieces[k]];
    }
    return added;
  };
  for (let at = 0; at < order.length; at++) {
    let added = take(order[at]);
    if (held + added > capacity && at > from) {
      tasks.push(order.subarray(from, at));
      from = at;
      held = 0;
      added = take(order[at]);
    }
    held += added;
    bytes += added;
  }
  if (order.length > from) tasks.push(order.subarray(from));
  return { tasks, bytes };
}
