/**
 * Queries about the objects, one after the other: makes the input for a backend, has it cull, decides the doubtful
 * pairs, and sorts.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { emptyColumns, mergeColumns, PairCollector, slotOf, toColumns } from './answer.js';
import type { BackendResult, Columns, CullingRequest } from './backend.js';
import type { ReadOptions } from './culler-options.js';
import type { BackendChain } from './devices.js';
import { ExactStage } from './exact.js';
import type { Frame } from './frame.js';
import type { InputTables } from './input-tables.js';
import type { Poses } from './pose-table.js';
import type {
  BackendKind,
  ClosestPair,
  CulledCandidates,
  CulledPairs,
  CullingStage,
  CullingStats,
  PotentiallyCollidingSet,
} from './types.js';
import { makeViews } from './views.js';

/** The search for the closest pair begins with this share of the extent of all objects, and grows by this factor. */
const FIRST_SHARE = 1 / 256;
const GROWTH = 4;

/**
 * Default stages: none for pairs, since boxes alone were faster in every scene measured (docs/gpu.md); visibility is
 * for the potentially colliding set.
 */
const STAGES: Readonly<Record<CullingRequest['kind'], readonly CullingStage[]>> = {
  objects: ['triangles'],
  pairs: [],
};

/** A request that was answered, and by which kind of backend. */
interface Answer {
  readonly result: BackendResult;
  readonly frame: Frame;
  readonly kind: BackendKind;
  /** When the query was begun, how long the tables took, when exact work began. */
  readonly startedMs: number;
  readonly tablesMs: number;
  readonly answeredMs: number;
}

export class CullingQuery {
  readonly #options: ReadOptions;
  readonly #chain: BackendChain;
  readonly #tables: InputTables;
  readonly #views: Float32Array;
  readonly #now: () => number;
  readonly #assertLive: () => void;
  readonly #exact = new ExactStage();
  readonly #collector = new PairCollector();
  #lastDistance = 0;

  /** `assertLive` ends a query whose culler has been disposed of in the meantime. */
  constructor(options: ReadOptions, chain: BackendChain, tables: InputTables, assertLive: () => void) {
    this.#options = options;
    this.#chain = chain;
    this.#tables = tables;
    this.#views = makeViews(options.randomDirections, options.seed);
    this.#now = options.now ?? (() => 0);
    this.#assertLive = assertLive;
  }

  async objects(poses: Poses): Promise<PotentiallyCollidingSet> {
    if (this.#alone) return { objects: new Uint32Array(0), stats: this.#stats(undefined) };
    const answer = await this.#ask('objects', poses, 0, false);
    const { objects } = this.#tables;
    const kept = new Uint8Array(objects.length);
    for (const place of answer.result.objects) kept[place] = 1;
    const ids = objects.filter(({ self }, place) => self || kept[place] === 1).map(({ id }) => id);
    return { objects: Uint32Array.from(ids), stats: this.#stats(answer) };
  }

  async pairs(poses: Poses, distance: number): Promise<CulledPairs> {
    const pairs = await this.#pairs(poses, distance, (result) => this.#decide(result, poses, distance));
    return { ...pairs, complete: true, error: 0 };
  }

  async candidates(poses: Poses, distance: number): Promise<CulledCandidates> {
    return this.#pairs(poses, distance, (result) => this.#columns(result, result.doubtful));
  }

  /**
   * Requests meeting pairs, then pairs within a growing distance: a small one leaves few pairs to compare. The closest
   * pair found within the distance is the answer; one found beyond it limits the next distance.
   */
  async closest(poses: Poses, atMost: number): Promise<ClosestPair | undefined> {
    if (this.#tables.objects.length < 2) return undefined;
    const first = await this.#ask('pairs', poses, 0, false);
    const { count, objects, triangles } = this.#decide(first.result, poses, 0);
    if (count > 0) {
      const [slotA, slotB] = [0, 1].map((i) => slotOf(this.#tables.lookup, objects[i], triangles[i]));
      return this.#closestPair(poses, 0, slotA, slotB);
    }
    if (atMost === 0) return undefined;
    const { half, scale } = first.frame;
    const share = (FIRST_SHARE * Math.hypot(...half)) / scale;
    const guess = this.#lastDistance > 0 ? 1.25 * this.#lastDistance : share;
    for (let distance = Math.min(atMost, guess); ; ) {
      const { result } = await this.#ask('pairs', poses, distance, false);
      this.#exact.begin(this.#tables.lookup, poses.poses, distance);
      const best = this.#exact.closest(this.#collector.sorted(result.doubtful));
      if (best !== undefined && best.distance <= distance) {
        return this.#closestPair(poses, best.distance, best.slotA, best.slotB);
      }
      if (distance >= atMost) return undefined;
      distance = Math.min(GROWTH * distance, atMost, best?.distance ?? Infinity);
    }
  }

  /** Puts one query to the backends. `withSelf`: about objects and themselves too. */
  async #ask(
    kind: CullingRequest['kind'],
    poses: Poses,
    distance: number,
    withSelf: boolean,
  ): Promise<Answer> {
    const startedMs = this.#now();
    const { input, frame } = this.#tables.take(poses, distance, withSelf);
    const tablesMs = this.#now() - startedMs;
    const { method, stages = STAGES[kind], resolution, rounds } = this.#options;
    const asked = await this.#chain.ask(input, {
      kind,
      distance: frame.distance,
      method,
      stages,
      resolution,
      rounds,
      views: this.#views,
      now: this.#now,
    });
    const answeredMs = this.#now();
    this.#assertLive();
    this.#tables.assertUnchanged();
    return { ...asked, frame, startedMs, tablesMs, answeredMs };
  }

  /** Whether nothing can meet anything. */
  get #alone(): boolean {
    const { objects } = this.#tables;
    return objects.length === 0 || (objects.length === 1 && !objects[0].self);
  }

  async #pairs(
    poses: Poses,
    distance: number,
    choose: (result: BackendResult) => Columns,
  ): Promise<CulledCandidates> {
    const answer = this.#alone ? undefined : await this.#ask('pairs', poses, distance, true);
    const columns = answer === undefined ? emptyColumns(0) : choose(answer.result);
    return { ...columns, stats: this.#stats(answer) };
  }

  /** All pairs that count. */
  #decide(result: BackendResult, poses: Poses, distance: number): Columns {
    this.#exact.begin(this.#tables.lookup, poses.poses, distance);
    const decided = new Uint32Array(result.doubtful.length);
    const end = this.#exact.keep(result.doubtful, decided, 0);
    return this.#columns(result, decided.subarray(0, end));
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

  #stats(answer: Answer | undefined): CullingStats {
    const { method, resolution } = this.#options;
    const stats = {
      backend: answer?.kind ?? this.#chain.kind,
      method,
      resolution,
      objects: this.#tables.objects.length,
      triangles: this.#tables.triangles,
      stages: answer?.result.stages ?? [],
      candidates: answer?.result.candidates ?? 0,
      doubts: (answer?.result.doubtful.length ?? 0) / 2,
    };
    if (this.#options.now === undefined) return stats;
    if (answer === undefined) return { ...stats, ms: { total: 0, calls: 0, wait: 0, exact: 0 } };
    const { startedMs, tablesMs, answeredMs, result } = answer;
    const ended = this.#now();
    return {
      ...stats,
      ms: {
        ...result.ms,
        total: ended - startedMs,
        calls: tablesMs + result.ms.calls,
        exact: ended - answeredMs,
      },
    };
  }
}
