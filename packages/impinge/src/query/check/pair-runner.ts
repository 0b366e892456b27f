/**
 * Measures pairs of objects on one thread: gets their pieces into memory, measures, and goes on.
 *
 * Idea: the order of a task is known, and so is when each piece is needed next; the cache drops what is needed latest. Of
 * objects in several pieces, the ones near the other object come first; the rest only where they matter: where the
 * surfaces meet, and where one object may lie inside the other.
 */
import { ImpingeError } from '../../base/errors.js';
import type { StoredModel } from '../../store/model.js';
import { grownBytes, PieceCache } from '../../store/piece-cache.js';
import { sharedDepth } from '../pair/box-gap.js';
import { collide } from '../pair/collide.js';
import { useHierarchy } from '../pair/hierarchy-of.js';
import { asPose, type PlacedParts } from '../solid/placed-pair.js';
import type { ClashMeasure } from './clash.js';
import { kindBit, kindBits } from './clash-kinds.js';
import { MeasureStats, measurePair } from './measure-pair.js';
import { batchesOf, joinedMeasure } from './out-of-core-batches.js';
import { WHOLE_SHARE } from './pair-pieces.js';
import { streamedInside, type WithPiece } from './streamed-inside.js';
import { type CheckTask, type CheckTaskPart, type FoundClash, geometryBytes, type TaskRule } from './task.js';
import { TaskUses } from './task-uses.js';

/** Pairs between two reports, and between two looks at what else waits on this thread: a wish to stop, say. */
const PAIRS_PER_PART = 256;
const PAIRS_PER_YIELD = 16;

const SURFACE_KINDS = kindBits(({ ofSurfaces }) => ofSurfaces);

/** Pairs whose pieces are fetched at a time. */
const PAIRS_AHEAD = 64;

type Outcome = ClashMeasure | undefined;

export class PairRunner {
  readonly #model: StoredModel;
  readonly #rules: readonly TaskRule[];
  /** For geometry and hierarchies. */
  readonly #memory: number;
  readonly #cache: PieceCache;
  #uses: TaskUses | undefined;
  #stats = new MeasureStats();
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(model: StoredModel, rules: readonly TaskRule[], memory: number) {
    this.#model = model;
    this.#rules = rules;
    this.#memory = geometryBytes(memory);
    this.#cache = new PieceCache(model, {
      limit: this.#memory,
      onLoad: (_, tree) => useHierarchy(tree),
      nextUse: (piece) => this.#uses?.nextUse(piece) ?? Infinity,
    });
  }

  /** One task at a time. Ends with an error when the runner is disposed of in the meantime. */
  run(task: CheckTask, onPart: (part: CheckTaskPart) => void): Promise<void> {
    this.#running = this.#run(task, onPart);
    return this.#running;
  }

  /** Stops what is under way after the pair it is at, and frees everything. */
  async dispose(): Promise<void> {
    this.#stopped = true;
    await this.#running?.catch(() => {}); // whoever called run() knows
    await this.#cache.dispose();
  }

  async #run({ triples, pieces }: CheckTask, onPart: (part: CheckTaskPart) => void): Promise<void> {
    const count = triples.length / 3;
    const uses = new TaskUses(pieces, this.#model.pieceCount);
    this.#uses = uses;
    let found: FoundClash[] = [];
    const stats = new MeasureStats();
    this.#stats = stats;
    for (let pair = 0, from = 0, touches = 0; pair < count; pair++) {
      if (this.#stopped) throw new ImpingeError('aborted', 'the check was stopped');
      uses.position = pair;
      // one step ahead: these are read while the ones before them are measured
      if (pair % PAIRS_AHEAD === 0) {
        this.#cache.prefetch(uses.piecesOf(pair + PAIRS_AHEAD, pair + 2 * PAIRS_AHEAD));
      }
      const rule = this.#rules[triples[3 * pair + 2]];
      const near = pieces.pieces.subarray(pieces.first[pair], pieces.first[pair] + pieces.nearCount[pair]);
      const outcome = this.#measure(triples[3 * pair], triples[3 * pair + 1], rule, near);
      const measure = outcome instanceof Promise ? await outcome : outcome;
      if (measure) found.push({ pair, measure });
      if (pair + 1 - from === PAIRS_PER_PART || pair + 1 === count) {
        onPart({
          from,
          to: pair + 1,
          found,
          touches: stats.touches - touches,
          cache: { ...this.#cache.stats },
        });
        from = pair + 1;
        found = [];
        touches = stats.touches;
      }
      if (pair % PAIRS_PER_YIELD === PAIRS_PER_YIELD - 1) await yieldToEventLoop();
    }
  }

  /** `near` names pieces of the model that are near each other, two and two. */
  #measure(a: number, b: number, rule: TaskRule, near: Uint32Array): Outcome | Promise<Outcome> {
    const [firstA, firstB] = [this.#model.firstPiece(a), this.#model.firstPiece(b)];
    const parts = near.map((piece, i) => piece - (i % 2 === 0 ? firstA : firstB));
    if (this.#model.pieceCountOf(a) === 1 && this.#model.pieceCountOf(b) === 1) {
      return this.#with([firstA, firstB], () =>
        measurePair(this.#place(a), this.#place(b), rule, parts, this.#stats),
      );
    }
    return this.#measureLarge(a, b, rule, parts);
  }

  async #measureLarge(a: number, b: number, rule: TaskRule, near: Uint32Array): Promise<Outcome> {
    const nearA = [...new Set(near.filter((_, i) => i % 2 === 0))].sort((x, y) => x - y);
    const nearB = [...new Set(near.filter((_, i) => i % 2 === 1))].sort((x, y) => x - y);
    const local = near.map((piece, i) => (i % 2 === 0 ? nearA : nearB).indexOf(piece));
    const firstA = this.#model.firstPiece(a);
    const firstB = this.#model.firstPiece(b);
    const pieces = [...nearA.map((i) => firstA + i), ...nearB.map((i) => firstB + i)];
    const capacity = WHOLE_SHARE * this.#memory;
    let whole = true; // what was looked at is all that matters
    if (this.#grownBytes(pieces) > capacity) {
      return (await this.#measureInBatches(a, b, rule, near, capacity)) ?? this.#streamedInside(a, b, rule);
    }
    const found = await this.#with(pieces, (): Outcome | Promise<Outcome> => {
      const placedA = this.#place(a, nearA);
      const placedB = this.#place(b, nearB);
      const boxA = this.#model.box(a);
      const boxB = this.#model.box(b);
      const bodily =
        sharedDepth(boxA, boxB) > rule.tolerance &&
        (holds(boxA, boxB) || holds(boxB, boxA) || this.#meet(placedA, placedB, local));
      const all = [
        ...range(firstA, this.#model.pieceCountOf(a)),
        ...range(firstB, this.#model.pieceCountOf(b)),
      ];
      if (bodily && this.#grownBytes(all) <= capacity) {
        return this.#with(all, () => measurePair(this.#place(a), this.#place(b), rule, near, this.#stats));
      }
      if (near.length === 0) {
        whole = !bodily;
        return undefined;
      }
      // surfaces only: what is not in memory cannot tell inside from outside
      whole = !bodily;
      return measurePair(asSurface(placedA), asSurface(placedB), rule, local, this.#stats);
    });
    return found || whole ? found : this.#streamedInside(a, b, rule);
  }

  /** One object inside the other, too large to be in memory as a whole. */
  async #streamedInside(a: number, b: number, rule: TaskRule): Promise<Outcome> {
    if (!(rule.kinds & kindBit('inside'))) return undefined;
    const model = this.#model;
    const withPiece: WithPiece = async (piece, work) => {
      await this.#cache.acquire([piece]);
      try {
        return await work(this.#cache.mesh(piece));
      } finally {
        this.#cache.release([piece]);
      }
    };
    for (const [inner, outer] of [
      [a, b],
      [b, a],
    ]) {
      if (!model.isClosed(outer) || !holds(model.box(outer), model.box(inner))) continue;
      const found = await streamedInside(model, inner, outer, withPiece);
      if (found && found.depth > rule.tolerance) return found;
    }
    return undefined;
  }

  /** Surfaces of which not even the near pieces fit at once. */
  async #measureInBatches(
    a: number,
    b: number,
    rule: TaskRule,
    near: Uint32Array,
    capacity: number,
  ): Promise<Outcome> {
    const first = [this.#model.firstPiece(a), this.#model.firstPiece(b)];
    // another batch may meet where this one is only close
    const ask = { ...rule, kinds: rule.kinds | SURFACE_KINDS };
    const bytesOf = (side: 0 | 1, piece: number) => grownBytes(this.#model, first[side] + piece);
    let joined: Outcome;
    for (const batch of batchesOf(near, bytesOf, capacity)) {
      const own = [0, 1].map((side) => [...new Set(batch.filter((_, i) => i % 2 === side))]);
      const local = batch.map((piece, i) => own[i % 2].indexOf(piece));
      const pieces = own.flatMap((list, side) => list.map((piece) => first[side] + piece));
      const found = await this.#with(pieces, () =>
        measurePair(asSurface(this.#place(a, own[0])), asSurface(this.#place(b, own[1])), ask, local),
      );
      joined = joinedMeasure(joined, found);
    }
    return joined && (rule.kinds & kindBit(joined.kind)) !== 0 ? joined : undefined;
  }

  /** Does something while pieces are held. */
  #with(pieces: number[], work: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    const unique = pieces.length === 2 && pieces[0] !== pieces[1] ? pieces : [...new Set(pieces)];
    const finish = (): Outcome | Promise<Outcome> => {
      let outcome: Outcome | Promise<Outcome>;
      try {
        outcome = work();
      } catch (error) {
        this.#cache.release(unique);
        throw error;
      }
      if (outcome instanceof Promise) return outcome.finally(() => this.#cache.release(unique));
      this.#cache.release(unique);
      return outcome;
    };
    const loading = this.#cache.acquire(unique);
    return loading ? loading.then(finish) : finish();
  }

  /** An object with those of its pieces, or all, that are in memory. */
  #place(object: number, pieces?: readonly number[]): PlacedParts {
    const model = this.#model;
    const first = model.firstPiece(object);
    const meshes = (pieces ?? range(0, model.pieceCountOf(object))).map((i) => this.#cache.mesh(first + i));
    return {
      parts: { meshes, closed: model.isClosed(object) },
      pose: model.pose(object),
      box: model.box(object),
      triangleCount: model.trianglesOf(object),
    };
  }

  #meet(a: PlacedParts, b: PlacedParts, partPairs: Uint32Array): boolean {
    const placed = { poseA: asPose(a.pose), poseB: asPose(b.pose), mode: 'any' } as const;
    for (let i = 0; i < partPairs.length; i += 2) {
      const meshA = a.parts.meshes[partPairs[i]];
      if (collide(meshA, b.parts.meshes[partPairs[i + 1]], placed).colliding) return true;
    }
    return false;
  }

  #grownBytes(pieces: readonly number[]): number {
    let bytes = 0;
    for (const piece of new Set(pieces)) bytes += grownBytes(this.#model, piece);
    return bytes;
  }
}

function asSurface(placed: PlacedParts): PlacedParts {
  return { ...placed, parts: { ...placed.parts, closed: false } };
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}

/** Whether box `a` holds box `b`. */
function holds(a: Float64Array, b: Float64Array): boolean {
  for (let k = 0; k < 3; k++) if (b[k] < a[k] || b[3 + k] > a[3 + k]) return false;
  return true;
}

/** Yields to the event loop: input, timers, messages. Browsers have no `setImmediate`. */
function yieldToEventLoop(): Promise<void> {
  const { setImmediate = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown };
  return new Promise((resolve) => {
    setImmediate(() => resolve());
  });
}
