/**
 * One question after the other about the objects: makes the world for it, has a backend cull, decides what is left open
 * and puts the answer in order.
 */
import { ImpingeError } from '../base/errors.js';
import { emptyColumns, mergeColumns, PairCollector, slotOf, toColumns } from './answer.js';
import type { BackendResult, Columns, CullingRequest } from './backend.js';
import type { ReadOptions } from './culler-options.js';
import { type Choices, defaultChoices } from './defaults.js';
import type { BackendChain } from './devices.js';
import { ExactStage } from './exact.js';
import type { Frame } from './frame.js';
import type { Poses } from './pose-table.js';
import type {
  BackendKind,
  ClosestPair,
  CulledPairs,
  CullingStats,
  PotentiallyCollidingSet,
} from './types.js';
import { makeViews } from './views.js';
import type { WorldTables } from './world.js';

/** The search for the closest pair begins with this share of the world, and goes on with so many times as much. */
const FIRST_REACH = 1 / 256;
const NEXT_REACH = 4;

/** What a backend found for the question that was put to it. */
interface Reply {
  readonly found: BackendResult;
  readonly frame: Frame;
  readonly kind: BackendKind;
  readonly question: CullingRequest;
  /** When the question was begun, how long the tables took, when exact work began. */
  readonly startedMs: number;
  readonly tablesMs: number;
  readonly foundMs: number;
}

export class CullingQuery {
  readonly #options: ReadOptions;
  readonly #chain: BackendChain;
  readonly #tables: WorldTables;
  readonly #views: Float32Array;
  readonly #now: () => number;
  readonly #assertLive: () => void;
  readonly #exact = new ExactStage();
  readonly #collector = new PairCollector();
  #lastDistance = 0;

  /** `assertLive` ends a question whose culler has gone in the meantime. */
  constructor(options: ReadOptions, chain: BackendChain, tables: WorldTables, assertLive: () => void) {
    this.#options = options;
    this.#chain = chain;
    this.#tables = tables;
    this.#views = makeViews(options.randomDirections, options.seed);
    this.#now = options.now ?? (() => 0);
    this.#assertLive = assertLive;
  }

  async objects(poses: Poses): Promise<PotentiallyCollidingSet> {
    if (this.#alone) return { objects: new Uint32Array(0), stats: this.#stats(undefined) };
    const reply = await this.#ask('objects', poses, 0, false);
    const { objects } = this.#tables;
    const kept = new Uint8Array(objects.length);
    for (const place of reply.found.objects) kept[place] = 1;
    const ids = objects.filter(({ self }, place) => self || kept[place] === 1).map(({ id }) => id);
    return { objects: Uint32Array.from(ids), stats: this.#stats(reply) };
  }

  async pairs(poses: Poses, reach: number): Promise<CulledPairs> {
    return this.#pairs(poses, reach, (found) => this.#decide(found, poses, reach));
  }

  async candidates(poses: Poses, reach: number): Promise<CulledPairs> {
    return this.#pairs(poses, reach, (found) => this.#columns(found, found.doubtful));
  }

  /**
   * Asks for meeting pairs, then within a growing reach: a small one leaves few pairs to compare. What is found within
   * the reach is the closest; what is found beyond it limits the next reach.
   */
  async closest(poses: Poses, below: number): Promise<ClosestPair | undefined> {
    if (this.#tables.objects.length < 2) return undefined;
    const first = await this.#ask('pairs', poses, 0, false);
    const { count, objects, triangles } = this.#decide(first.found, poses, 0);
    if (count > 0) {
      const [slotA, slotB] = [0, 1].map((i) => slotOf(this.#tables.lookup, objects[i], triangles[i]));
      return this.#closestPair(poses, 0, slotA, slotB);
    }
    const { half, scale } = first.frame;
    const share = (FIRST_REACH * Math.hypot(...half)) / scale;
    const guess = this.#lastDistance > 0 ? 1.25 * this.#lastDistance : share;
    for (let reach = Math.min(below, guess); ; ) {
      const { found } = await this.#ask('pairs', poses, reach, false);
      this.#exact.begin(this.#tables.lookup, poses.poses, reach);
      const best = this.#exact.closest(this.#collector.sorted(found.doubtful));
      if (best !== undefined && best.distance <= reach) {
        if (best.distance >= below) return undefined;
        return this.#closestPair(poses, best.distance, best.slotA, best.slotB);
      }
      if (reach >= below) return undefined;
      reach = Math.min(NEXT_REACH * reach, below, best?.distance ?? Infinity);
    }
  }

  /** Puts one question to the backends. `withSelf`: about objects and themselves too. */
  async #ask(kind: CullingRequest['kind'], poses: Poses, reach: number, withSelf: boolean): Promise<Reply> {
    const startedMs = this.#now();
    const { world, frame } = this.#tables.take(poses, reach, withSelf);
    const tablesMs = this.#now() - startedMs;
    const asked = await this.#chain.ask(world, (backend) => ({
      kind,
      reach: frame.reach,
      ...this.#choices(backend, kind),
      rounds: this.#options.rounds,
      views: this.#views,
      now: this.#now,
    }));
    const foundMs = this.#now();
    this.#assertLive();
    this.#tables.assertUnchanged();
    return { ...asked, frame, startedMs, tablesMs, foundMs };
  }

  /** What the caller chose, and what suits the device where nothing was chosen. */
  #choices(backend: BackendKind, kind: CullingRequest['kind']): Choices {
    const defaults = defaultChoices(backend, kind);
    const {
      resolution = defaults.resolution,
      method = defaults.method,
      levels = defaults.levels,
    } = this.#options;
    return { resolution, method, levels };
  }

  /** Whether nothing can meet anything. */
  get #alone(): boolean {
    const { objects } = this.#tables;
    return objects.length === 0 || (objects.length === 1 && !objects[0].self);
  }

  async #pairs(poses: Poses, reach: number, choose: (found: BackendResult) => Columns): Promise<CulledPairs> {
    const reply = this.#alone ? undefined : await this.#ask('pairs', poses, reach, true);
    const columns = reply === undefined ? emptyColumns(0) : choose(reply.found);
    return { ...columns, stats: this.#stats(reply) };
  }

  /** All pairs that count. */
  #decide(found: BackendResult, poses: Poses, reach: number): Columns {
    this.#exact.begin(this.#tables.lookup, poses.poses, reach);
    const decided = new Uint32Array(found.doubtful.length);
    const end = this.#exact.keep(found.doubtful, decided, 0);
    return this.#columns(found, decided.subarray(0, end));
  }

  /** The pairs that meet for certain, and these. */
  #columns({ meeting, columns }: BackendResult, slots: Uint32Array): Columns {
    const pairs = toColumns(this.#tables.lookup, this.#collector.sorted(meeting, slots));
    if (columns === undefined) return pairs;
    if (columns.objects.length !== 2 * columns.count) {
      throw new ImpingeError('device-lost', 'the device was lost before its answer was read');
    }
    return mergeColumns(columns, pairs);
  }

  #closestPair(poses: Poses, distance: number, slotA: number, slotB: number): ClosestPair {
    this.#lastDistance = distance;
    const { lookup } = this.#tables;
    const { objects, triangles } = toColumns(lookup, Uint32Array.of(slotA, slotB));
    this.#exact.begin(lookup, poses.poses, 0);
    return {
      distance,
      objects: [objects[0], objects[1]],
      triangles: [triangles[0], triangles[1]],
      points: this.#exact.witnesses(slotA, slotB),
    };
  }

  #stats(reply: Reply | undefined): CullingStats {
    const kind = reply?.kind ?? this.#chain.kind;
    const { method, resolution } = reply?.question ?? this.#choices(kind, 'pairs');
    const stats = {
      backend: kind,
      method,
      resolution,
      objects: this.#tables.objects.length,
      triangles: this.#tables.triangles,
      levels: reply?.found.levels ?? [],
      candidates: reply?.found.candidates ?? 0,
      doubts: (reply?.found.doubtful.length ?? 0) / 2,
    };
    if (this.#options.now === undefined) return stats;
    if (reply === undefined) return { ...stats, ms: { total: 0, calls: 0, wait: 0, exact: 0 } };
    const { startedMs, tablesMs, foundMs, found } = reply;
    const ended = this.#now();
    return {
      ...stats,
      ms: { ...found.ms, total: ended - startedMs, calls: tablesMs + found.ms.calls, exact: ended - foundMs },
    };
  }
}
