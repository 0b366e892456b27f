/**
 * The whole-model check: all clashes and violated clearances, in fixed memory.
 *
 * Object boxes give candidates, rules select the ones that matter, the overlap graph of their pieces gives an order in
 * which little is read twice, the executor's workers measure them. The findings depend neither on the workers nor on
 * the cap or the order.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import {
  type OptionNames,
  readChoice,
  readFunction,
  readKnown,
  readPositive,
  shown,
} from 'impinge/internal/base/options.js';
import type { AbortSignalLike } from 'impinge/internal/base/platform-types.js';
import { assertPool, type WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import { assertModel, type StoredModel } from '../store/model.js';
import { type PieceCacheStats, sumOfStats } from '../store/piece-cache.js';
import type { ObjectInfo } from '../store/source.js';
import type { Candidates } from './candidates.js';
import { type Clash, type ClashObject, clashObject } from './clash.js';
import { clashId, keysOf } from './clash-id.js';
import { CLASH_KIND_TABLE, CLASH_KINDS, type ClashKind } from './clash-kinds.js';
import { Distribution, type MeasuredPart } from './distribute.js';
import { type ExclusionChoice, Exclusions, readExclusions } from './exclusions/exclusions.js';
import { EXCLUSIONS, type Exclusion } from './exclusions/table.js';
import { type CheckWorkers, executorFor, executorOf } from './executor.js';
import { assertKnownPairs, KnownAmong, type KnownPairs } from './known-pairs.js';
import { openingJudge } from './openings/judge-openings.js';
import type { OpeningTask } from './openings/opening-tasks.js';
import type { PlannedTask } from './plan.js';
import { type DoneQuestion, LEAST_MEMORY, type PlannedCheck } from './planning.js';
import type { CheckRule, SelectionSets } from './rules/rule.js';
import { CompiledRules, type TableRule } from './rules/rule-table.js';
import { SelectionSet } from './rules/selection.js';

export interface CheckOptions {
  /** The rules; without any, everything is checked against everything. */
  readonly rules?: readonly CheckRule[];
  /** Selections by name that rules refer to. */
  readonly sets?: SelectionSets;
  /** Pairs that meet by design and are left out, see `EXCLUSION_TABLE` (default: all of them). */
  readonly exclusions?: ExclusionChoice;
  /** Whether a rule of which a side selects nothing is left alone, and not an error `empty-rule` (default false). */
  readonly allowEmptyRules?: boolean;
  /** For pairs whose rule does not set one: report objects closer than this (default 0), in the model's unit. */
  readonly clearance?: number;
  /** Let overlaps no deeper than this pass (default 0). */
  readonly tolerance?: number;
  /** Default: all but `touch`. */
  readonly kinds?: readonly ClashKind[];
  /**
   * Bytes of memory, all threads together (default 256 MB): for geometry and hierarchies, minus up to two fifths for
   * each thread's other needs.
   */
  readonly memory?: number;
  /**
   * Threads, from `modelPool()` of `@impinge/model/node`, for stores in files (default: the calling thread, as with a
   * pool that has no workers for checks, and where there is little to measure).
   */
  readonly pool?: WorkerPool;
  readonly signal?: AbortSignalLike;
  readonly onProgress?: (progress: CheckProgress) => void;
  /** Leaves out pairs that an earlier run has finished, by their numbers in its `batches()`. */
  readonly done?: (pair: number) => boolean;
  /** Answers that earlier checks have found, and where those of this one are kept. */
  readonly known?: KnownPairs;
}

const NAMES: OptionNames<CheckOptions> = {
  ...{ rules: true, sets: true, exclusions: true, allowEmptyRules: true },
  ...{ clearance: true, tolerance: true, kinds: true },
  ...{ memory: true, pool: true, signal: true, onProgress: true, done: true, known: true },
};

export const CHECK_DEFAULTS = {
  clearance: 0,
  tolerance: 0,
  kinds: CLASH_KINDS.filter((kind) => CLASH_KIND_TABLE[kind].byDefault) as readonly ClashKind[],
  memory: 256 * 2 ** 20,
} as const satisfies CheckOptions;

export interface CheckProgress {
  /** Pairs that are finished, and all of them. */
  readonly done: number;
  readonly total: number;
  readonly clashes: number;
}

/** Finished pairs, and their findings. */
export interface CheckBatch {
  /** Their numbers, below `stats.pairs`: the same in every run with the same model and rules. */
  readonly pairs: Uint32Array;
  readonly clashes: readonly Clash[];
  /** Clashes that are left out for what they are. */
  readonly excluded: readonly ExcludedClash[];
  /** Pairs that touch, under rules that report clearances but not touching. */
  readonly touches: number;
}

/** A clash between objects that meet by design. */
export interface ExcludedClash extends Clash {
  readonly why: Exclusion;
}

/** Two objects near each other that were not measured, and why. */
export interface ExcludedPair extends Pick<Clash, 'rule'> {
  readonly a: ObjectInfo;
  readonly b: ObjectInfo;
  readonly why: Exclusion;
}

export interface CheckStats {
  /** Pairs whose boxes are near enough for their rule, openings to judge, and the number of them measured. */
  pairs: number;
  checked: number;
  clashes: number;
  /** Pairs that touch, under rules that report clearances; they are clashes only where touching is reported, too. */
  touches: number;
  /** Subgraphs of the overlap graph, each in memory at a time. */
  tasks: number;
  /** Triangles in the pieces that some pair needs, each counted once; reads per triangle of these. */
  triangles: number;
  loadsPerTriangle: number;
  bytesRead: number;
  loads: number;
  cacheHits: number;
  /** Largest extents of the threads' memories, added up. */
  peakBytes: number;
  /** In the order in which they were given. */
  rules: readonly RuleStats[];
  /** Pairs that a rule selects, near enough, and that were left out because they meet by design. */
  excluded: Readonly<Record<Exclusion, number>>;
}

export interface RuleStats {
  readonly name: string;
  /** Whether it only leaves pairs out. */
  readonly ignore: boolean;
  /** Objects that its sides select. */
  readonly a: number;
  readonly b: number;
  /** The number of `pairs` it decides about. */
  readonly pairs: number;
  /** Pairs near enough that were left out before they were measured. */
  readonly excluded: number;
  /** Parts of its sides that match no object, where other parts do: `side a: type "IfcWal"`. */
  readonly unmatched: readonly string[];
}

/** A batch, and its position in the plan, in pairs. */
interface PlacedBatch {
  readonly at: number;
  readonly batch: CheckBatch;
}

/**
 * A check under way. Iterate once, over it or over its `batches()`. Clashes come in the order of the plan, each once.
 */
export class CheckRun implements AsyncIterable<Clash> {
  readonly stats: CheckStats = {
    pairs: 0,
    checked: 0,
    clashes: 0,
    touches: 0,
    tasks: 0,
    triangles: 0,
    loadsPerTriangle: 0,
    bytesRead: 0,
    loads: 0,
    cacheHits: 0,
    peakBytes: 0,
    rules: [],
    excluded: noneExcluded(),
  };
  readonly #model: StoredModel;
  readonly #options: CheckOptions;
  /** Statistics of workers that have ended. */
  readonly #past: PieceCacheStats[] = [];
  readonly #known: KnownAmong | undefined;
  #exclusions: Exclusions | undefined;
  #planned: PlannedCheck | undefined;
  #started = false;

  constructor(model: StoredModel, options: CheckOptions) {
    this.#model = model;
    this.#options = options;
    assertModel(model);
    const { pool, rules, sets, exclusions, allowEmptyRules } = readKnown('check', options, NAMES);
    const memory = readPositive('memory', options.memory ?? CHECK_DEFAULTS.memory);
    if (rules !== undefined && !Array.isArray(rules))
      throw new ImpingeError('bad-option', 'rules must be a list');
    new SelectionSet(sets); // throws if they are invalid
    readChoice('allowEmptyRules', allowEmptyRules ?? false, [true, false]);
    readExclusions(exclusions);
    for (const name of ['done', 'onProgress'] as const) {
      if (options[name] !== undefined) readFunction(name, options[name]);
    }
    if (options.known !== undefined) assertKnownPairs(options.known);
    if (options.signal !== undefined && typeof options.signal?.addEventListener !== 'function')
      throw new ImpingeError('bad-option', `signal is ${shown(options.signal)}, not an AbortSignal`);
    if (pool !== undefined) assertPool(pool);
    const executor = executorOf(pool);
    if (!(memory >= LEAST_MEMORY * executor.size)) {
      throw new ImpingeError(
        'bad-option',
        `memory must be at least ${LEAST_MEMORY / 1e6} MB per worker, got ${memory / 1e6} MB for ${executor.size}`,
      );
    }
    if (options.known) this.#known = new KnownAmong(model, options.known, [memory, executor.size]);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Clash, void, void> {
    const waiting = new Map<number, CheckBatch>();
    let next = 0;
    for await (const { at, batch } of this.#placedBatches()) {
      waiting.set(at, batch);
      for (let ready = waiting.get(next); ready; ready = waiting.get(next)) {
        waiting.delete(next);
        next += ready.pairs.length;
        yield* ready.clashes;
      }
    }
  }

  /** The same batch by batch, as soon as each is finished: for programs that keep a journal. */
  async *batches(): AsyncGenerator<CheckBatch, void, void> {
    for await (const { batch } of this.#placedBatches()) yield batch;
  }

  async *#placedBatches(): AsyncGenerator<PlacedBatch, void, void> {
    if (this.#started) throw new ImpingeError('busy', 'a check can be iterated over once');
    this.#started = true;
    const model = this.#model;
    const { clearance, tolerance, kinds, memory } = { ...CHECK_DEFAULTS, ...this.#options };
    const { signal, pool, sets, allowEmptyRules = false } = this.#options;
    const executor = executorOf(pool);
    if (signal?.aborted) throw new ImpingeError('aborted', 'the check was stopped');
    const defaults = { clearance, tolerance, kinds };
    new CompiledRules(this.#options.rules, defaults, sets); // throws if they are invalid
    const exclusions = readExclusions(this.#options.exclusions);
    const asked = { rules: this.#options.rules, sets, exclusions, allowEmptyRules, defaults };
    const someKnown = this.#known?.some === true;
    const question = { ...asked, memory, workers: executor.size, someKnown };
    const planned = await executor.plan(model, question, (among) => this.#doneAmong(among), signal);
    this.#planned = planned;
    this.#exclusions = new Exclusions(model, exclusions);
    const { rules, candidates, tasks, alone, openings } = planned;
    const ahead = openings.flatMap((task, i) =>
      this.#options.done?.(candidates.count + i) ? [] : { task, i },
    );
    const excluded = noneExcluded();
    const excludedPerRule = new Uint32Array(rules.length);
    for (let i = 0; i < candidates.excluded.length; i += 4) {
      excludedPerRule[candidates.excluded[i + 2]]++;
      excluded[EXCLUSIONS[candidates.excluded[i + 3]]]++;
    }
    this.stats.rules = rules.map(({ name, kinds, countA, countB, unmatched }, i) => {
      const [pairs, left] = [candidates.perRule[i], excludedPerRule[i]];
      return { name, ignore: kinds === 0, a: countA, b: countB, pairs, excluded: left, unmatched };
    });
    this.stats.excluded = excluded;
    this.stats.pairs = candidates.count + openings.length;
    this.stats.triangles = planned.triangles;
    this.stats.tasks = tasks.length + alone.length;
    const known = this.#known?.tasks ?? [];
    const first = pairsIn(known);
    const together = first + pairsIn(tasks);
    this.stats.checked = this.stats.pairs - together - alone.length - ahead.length;
    const job = { rules, memory };
    if (known.length > 0) yield* this.#work(this.#known!.workers, 1, candidates, known, rules);
    if (tasks.length > 0) {
      const { size, start } = executorFor(executor, model, candidates.triples, tasks);
      const workers = await start(model, job, size);
      for await (const { at, batch } of this.#work(workers, size, candidates, tasks, rules)) {
        yield { at: first + at, batch };
      }
    }
    // pairs too large for one worker's share get the whole memory, one after the other
    if (alone.length > 0) {
      const one = await executor.start(model, job, 1);
      for await (const { at, batch } of this.#work(one, 1, candidates, alone, rules)) {
        yield { at: together + at, batch };
      }
    }
    if (ahead.length > 0) yield* this.#judgeOpenings(ahead, together + alone.length, planned);
  }

  /** Openings, on the calling thread: they are few. */
  async *#judgeOpenings(
    tasks: readonly { readonly task: OpeningTask; readonly i: number }[],
    first: number,
    { candidates, rules }: PlannedCheck,
  ): AsyncGenerator<PlacedBatch, void, void> {
    const { signal, onProgress } = this.#options;
    const judge = openingJudge(this.#model, rules);
    for (const [at, { task, i }] of tasks.entries()) {
      if (signal?.aborted) throw new ImpingeError('aborted', 'the check was stopped');
      const clash = await judge(task);
      const clashes = clash ? [clash] : [];
      const { stats } = this;
      stats.checked++;
      stats.clashes += clashes.length;
      onProgress?.({ done: stats.checked, total: stats.pairs, clashes: stats.clashes });
      const pairs = Uint32Array.of(candidates.count + i);
      yield { at: first + at, batch: { pairs, clashes, excluded: [], touches: 0 } };
    }
  }

  /**
   * The pairs that were left out before they were measured, once the first batch is there; those that were measured are
   * in the batches.
   */
  *excludedPairs(): Generator<ExcludedPair, void, void> {
    if (this.#planned === undefined) return;
    const { rules, candidates } = this.#planned;
    const { excluded } = candidates;
    for (let i = 0; i < excluded.length; i += 4) {
      const [a, b, rule, why] = excluded.subarray(i, i + 4);
      const pair = { a: this.#model.object(a), b: this.#model.object(b) };
      yield { ...pair, rule: rules[rule].name, why: EXCLUSIONS[why] };
    }
  }

  /** Those that an earlier run has finished, and those of which the answer is known. */
  #doneAmong({ count, triples, rules }: DoneQuestion): Uint8Array | undefined {
    const { done } = this.#options;
    if (!done && !this.#known?.some) return undefined;
    const flags = Uint8Array.from({ length: count }, (_, pair) => (done?.(pair) ? 1 : 0));
    if (this.#known?.some) this.#known.lookUp(triples, rules, flags);
    return flags;
  }

  /** Yields the workers' findings as they arrive. */
  async *#work(
    workers: CheckWorkers,
    asked: number,
    candidates: Candidates,
    tasks: readonly PlannedTask[],
    rules: readonly TableRule[],
  ): AsyncGenerator<PlacedBatch, void, void> {
    const { signal, onProgress } = this.#options;
    const size = Math.min(workers.atOnce ?? asked, Math.max(asked, tasks.length));
    const keys = keysOf(this.#model);
    // an object has many clashes: share one record among those in use, held weakly
    const infos = new Map<number, WeakRef<ClashObject>>();
    const infoOf = (object: number): ClashObject => {
      const known = infos.get(object)?.deref();
      if (known) return known;
      const info = clashObject(this.#model, object);
      infos.set(object, new WeakRef(info));
      return info;
    };
    const caches: PieceCacheStats[] = [];
    const finished: PlacedBatch[] = [];
    let busy = 0;
    let failure: { error: unknown } | undefined;
    let wake = () => {};
    const take = ({ worker, at, pairs, part }: MeasuredPart) => {
      const clashes: Clash[] = [];
      const excluded: ExcludedClash[] = [];
      for (const { pair, measure } of part.found) {
        const [a, b, number] = candidates.triples.subarray(3 * pairs[pair - part.from]);
        const rule = rules[number].name;
        // a zone is its owner's: the other way round is another clash
        const asked = rules[number].zone ? `${rule}\n${keys(a)}` : rule;
        const id = clashId(keys(a), keys(b), asked);
        const clash = { id, ...measure, a: infoOf(a), b: infoOf(b), rule };
        const why = this.#exclusions!.ofClash(a, b, measure);
        if (why === undefined) clashes.push(clash);
        else excluded.push({ ...clash, why });
      }
      this.#known?.keep(candidates.triples, rules, pairs, part);
      this.stats.excluded = counted(this.stats.excluded, excluded);
      this.stats.checked += pairs.length;
      this.stats.clashes += clashes.length;
      this.stats.touches += part.touches;
      caches[worker] = part.cache;
      this.#addUp(caches);
      finished.push({ at, batch: { pairs, clashes, excluded, touches: part.touches } });
      const { checked, pairs: total, clashes: count } = this.stats;
      onProgress?.({ done: checked, total, clashes: count });
      wake();
    };
    const distribution = new Distribution(workers, tasks, (pairs) => triplesOf(candidates, pairs), take);
    const work = async (worker: number) => {
      busy++;
      await distribution.work(worker);
      busy--;
      wake();
    };
    const stop = (error: unknown) => {
      failure ??= { error };
      distribution.stop();
      wake();
    };
    const onAbort = () => stop(new ImpingeError('aborted', 'the check was stopped'));
    signal?.addEventListener('abort', onAbort);
    try {
      for (let worker = 0; worker < size; worker++) work(worker).catch(stop);
      for (;;) {
        yield* finished.splice(0); // before throwing an error: finished pairs need not be measured again
        if (finished.length > 0) continue;
        if (failure) throw failure.error;
        if (busy === 0) break;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      distribution.stop();
      await workers.dispose();
      for (const cache of caches) if (cache) this.#past.push(cache);
    }
  }

  #addUp(caches: readonly PieceCacheStats[]): void {
    const { stats } = this;
    const begun = caches.filter(Boolean); // not all workers may have
    const { bytesRead, loads, hits, trianglesRead } = sumOfStats([...this.#past, ...begun]);
    Object.assign(stats, { bytesRead, loads, cacheHits: hits });
    stats.loadsPerTriangle = stats.triangles === 0 ? 0 : trianglesRead / stats.triangles;
    const peak = begun.reduce((sum, { peakBytes }) => sum + peakBytes, 0);
    stats.peakBytes = Math.max(stats.peakBytes, peak);
  }
}

function noneExcluded(): Record<Exclusion, number> {
  return Object.fromEntries(EXCLUSIONS.map((name) => [name, 0])) as Record<Exclusion, number>;
}

/** These counts, and those of more clashes. */
function counted(
  before: Readonly<Record<Exclusion, number>>,
  more: readonly ExcludedClash[],
): Readonly<Record<Exclusion, number>> {
  if (more.length === 0) return before;
  const counts = { ...before };
  for (const { why } of more) counts[why]++;
  return counts;
}

function pairsIn(tasks: readonly PlannedTask[]): number {
  return tasks.reduce((sum, { pairs }) => sum + pairs.length, 0);
}

function triplesOf(candidates: Candidates, pairs: Uint32Array): Uint32Array {
  const out = new Uint32Array(3 * pairs.length);
  pairs.forEach((pair, i) => {
    out.set(candidates.triples.subarray(3 * pair, 3 * pair + 3), 3 * i);
  });
  return out;
}

/** Checks a model; nothing happens before the first clash is requested. */
export function check(model: StoredModel, options: CheckOptions = {}): CheckRun {
  return new CheckRun(model, options);
}
