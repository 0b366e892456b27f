/**
 * Looks at pairs of objects on one thread: has their pieces in memory, measures, and goes on.
 *
 * Idea: the order of a task is known, so is when each piece is needed next; the cache drops what is needed latest.
 * Of objects in several pieces, those near the other object come first; the rest only where it matters: where the
 * surfaces meet, and where one object may lie inside the other.
 */
import { ImpingeError } from '../../base/errors.js';
import type { StoredModel } from '../../store/model.js';
import { PieceCache } from '../../store/piece-cache.js';
import { collide } from '../collide.js';
import { useHierarchy } from '../hierarchy-of.js';
import { withinReach } from './candidates.js';
import { CLASH_KINDS, type ClashMeasure } from './clash.js';
import { measurePair } from './measure-pair.js';
import { nearPieces } from './part-pairs.js';
import { asPose, type PlacedParts } from './placed-pair.js';
import type { CheckTask, CheckTaskPart, FoundClash, TaskRule } from './task.js';
import { TaskUses } from './task-uses.js';

const TOUCH_BIT = 1 << CLASH_KINDS.indexOf('touch');
/** Pairs between two reports, and between two looks at what else waits on this thread: a wish to stop, say. */
const PAIRS_PER_PART = 256;
const PAIRS_PER_BREATH = 16;
/** Objects that may come to take a larger share of the memory are looked at where they are near each other only. */
const WHOLE_SHARE = 0.8;

type Outcome = ClashMeasure | undefined;

export class PairRunner {
  readonly #model: StoredModel;
  readonly #rules: readonly TaskRule[];
  readonly #memory: number;
  readonly #cache: PieceCache;
  #uses: TaskUses | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(model: StoredModel, rules: readonly TaskRule[], memory: number) {
    this.#model = model;
    this.#rules = rules;
    this.#memory = memory;
    this.#cache = new PieceCache(model, {
      limit: memory,
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

  async #run({ triples }: CheckTask, onPart: (part: CheckTaskPart) => void): Promise<void> {
    const count = triples.length / 3;
    const uses = new TaskUses(this.#model, triples, this.#rules);
    this.#uses = uses;
    let found: FoundClash[] = [];
    let touches = 0;
    for (let pair = 0, from = 0; pair < count; pair++) {
      if (this.#stopped) throw new ImpingeError('aborted', 'the check was stopped');
      uses.position = pair;
      const rule = this.#rules[triples[3 * pair + 2]];
      const outcome = this.#measure(triples[3 * pair], triples[3 * pair + 1], rule);
      const measure = outcome instanceof Promise ? await outcome : outcome;
      if (measure?.kind === 'touch') touches++;
      if (measure && (measure.kind !== 'touch' || (rule.kinds & TOUCH_BIT) !== 0))
        found.push({ pair, measure });
      if (pair + 1 - from === PAIRS_PER_PART || pair + 1 === count) {
        onPart({ from, to: pair + 1, found, touches, cache: { ...this.#cache.stats } });
        from = pair + 1;
        found = [];
        touches = 0;
      }
      if (pair % PAIRS_PER_BREATH === PAIRS_PER_BREATH - 1) await breathe();
    }
  }

  #measure(a: number, b: number, rule: TaskRule): Outcome | Promise<Outcome> {
    const near = nearPieces(this.#model, a, b, rule.clearance);
    if (this.#model.pieceCountOf(a) === 1 && this.#model.pieceCountOf(b) === 1) {
      return this.#with([this.#model.firstPiece(a), this.#model.firstPiece(b)], () =>
        measurePair(this.#place(a), this.#place(b), rule, near),
      );
    }
    return this.#measureLarge(a, b, rule, near);
  }

  async #measureLarge(a: number, b: number, rule: TaskRule, near: Uint32Array): Promise<Outcome> {
    const nearA = [...new Set(near.filter((_, i) => i % 2 === 0))].sort((x, y) => x - y);
    const nearB = [...new Set(near.filter((_, i) => i % 2 === 1))].sort((x, y) => x - y);
    const local = near.map((piece, i) => (i % 2 === 0 ? nearA : nearB).indexOf(piece));
    const firstA = this.#model.firstPiece(a);
    const firstB = this.#model.firstPiece(b);
    const pieces = [...nearA.map((i) => firstA + i), ...nearB.map((i) => firstB + i)];
    return this.#with(pieces, (): Outcome | Promise<Outcome> => {
      const placedA = this.#place(a, nearA);
      const placedB = this.#place(b, nearB);
      const boxA = this.#model.box(a);
      const boxB = this.#model.box(b);
      const bodily =
        withinReach(boxA, 0, boxB, 0, 0) &&
        (holds(boxA, boxB) || holds(boxB, boxA) || this.#meet(placedA, placedB, local));
      if (bodily && this.#bytesOf(a) + this.#bytesOf(b) <= WHOLE_SHARE * this.#memory) {
        const all = [
          ...range(firstA, this.#model.pieceCountOf(a)),
          ...range(firstB, this.#model.pieceCountOf(b)),
        ];
        return this.#with(all, () => measurePair(this.#place(a), this.#place(b), rule, near));
      }
      if (near.length === 0) return undefined;
      // surfaces only: what is not in memory cannot tell inside from outside
      return measurePair(asSurface(placedA), asSurface(placedB), rule, local);
    });
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

  #bytesOf(object: number): number {
    const first = this.#model.firstPiece(object);
    let bytes = 0;
    for (let i = 0; i < this.#model.pieceCountOf(object); i++) bytes += this.#cache.grownBytesOf(first + i);
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

/** Lets what waits on this thread happen: input, timers, messages. Browsers know no `setImmediate`. */
function breathe(): Promise<void> {
  const { setImmediate = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown };
  return new Promise((resolve) => {
    setImmediate(() => resolve());
  });
}
