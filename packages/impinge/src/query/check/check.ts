/**
 * The whole-model check: every clash and every clearance that is not kept, in fixed memory.
 *
 * Object boxes give candidates, rules say which of them matter, the overlap graph of their pieces gives an order in
 * which little is read twice, a executor measures them. What is found does not depend on the executor, the cap or the order.
 */
import { ImpingeError } from '../../base/errors.js';
import type { StoredModel } from '../../store/model.js';
import type { PieceCacheStats } from '../../store/piece-cache.js';
import type { ObjectInfo, PropertyValue } from '../../store/source.js';
import { type Candidates, findCandidates } from './candidates.js';
import type { Clash } from './clash.js';
import { clashId, keysOf } from './clash-id.js';
import { CLASH_KIND_TABLE, CLASH_KINDS, type ClashKind } from './clash-kinds.js';
import { CALLER_ONLY, type CheckExecutor, type CheckWorkers } from './executor.js';
import { planCheck } from './plan.js';
import type { CheckRule } from './rules/rule.js';
import { compileRules, type RuleTable } from './rules/rule-table.js';
import type { RuleModel } from './rules/selection.js';
import { type CheckTaskPart, geometryBytes } from './task.js';

export interface CheckOptions {
  /** What to check, and how; without rules, everything against everything. */
  readonly rules?: readonly CheckRule[];
  /** For pairs whose rule does not say: report objects closer than this (default 0), in the model's unit. */
  readonly clearance?: number;
  /** Let overlaps no deeper than this pass (default 0). */
  readonly tolerance?: number;
  /** Default: all but `touch`. */
  readonly kinds?: readonly ClashKind[];
  /**
   * Bytes of memory, all threads together (default 256 MB): for geometry and hierarchies, less up to two fifths
   * for what threads need besides.
   */
  readonly memory?: number;
  /** Who does the work (default: the calling thread). */
  readonly executor?: CheckExecutor;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CheckProgress) => void;
  /** Leaves out pairs that an earlier run has finished: `done(i)` for the i-th pair of `run.pairCount`. */
  readonly done?: (pair: number) => boolean;
  /** Called when a batch of pairs is finished: their numbers, and what was found. */
  readonly onBatch?: (pairs: Uint32Array, clashes: readonly Clash[], touches: number) => void;
}

export const CHECK_DEFAULTS = {
  clearance: 0,
  tolerance: 0,
  kinds: CLASH_KINDS.filter((kind) => CLASH_KIND_TABLE[kind].byDefault),
  memory: 256 * 2 ** 20,
} as const satisfies CheckOptions;

export interface CheckProgress {
  readonly pairsDone: number;
  readonly pairCount: number;
  readonly clashes: number;
}

export interface CheckStats {
  /** Pairs whose boxes are near enough for their rule, and how many of them were looked at. */
  pairs: number;
  checked: number;
  clashes: number;
  /** Pairs that touch where a clearance is asked for; they are clashes only where touching is asked for, too. */
  touches: number;
  /** Subgraphs of the overlap graph, each in memory at a time. */
  tasks: number;
  /** Triangles in the pieces that some pair needs, each counted once; how often one of them is read on average. */
  triangles: number;
  loadsPerTriangle: number;
  bytesRead: number;
  loads: number;
  cacheHits: number;
  /** Largest extents of the threads' memories, added up. */
  peakBytes: number;
  /** Rules of which a side selects no object: probably slips. */
  idleRules: readonly string[];
}

/** A subgraph leaves room for the one after it, and there are several for each member. */
const SHARE_USED = 0.75;
const TASKS_EACH = 6;
/** The least that two pieces and their work space need. */
export const LEAST_MEMORY = 4e6;

/** A check under way. Iterate over it once; clashes come in the order of the plan, each once. */
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
    idleRules: [],
  };
  readonly #model: StoredModel;
  readonly #options: CheckOptions;
  /** What the members of an earlier workers have done. */
  readonly #past: PieceCacheStats[] = [];
  #started = false;

  constructor(model: StoredModel, options: CheckOptions) {
    this.#model = model;
    this.#options = options;
    const { memory = CHECK_DEFAULTS.memory, executor = CALLER_ONLY } = options;
    if (!(memory >= LEAST_MEMORY * executor.size)) {
      throw new ImpingeError(
        'bad-option',
        `memory must be at least ${LEAST_MEMORY / 1e6} MB per worker, got ${memory / 1e6} MB for ${executor.size}`,
      );
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Clash, void, void> {
    if (this.#started) throw new ImpingeError('bad-input', 'a check can be iterated over once');
    this.#started = true;
    const model = this.#model;
    const { clearance, tolerance, kinds, memory } = { ...CHECK_DEFAULTS, ...this.#options };
    const { signal, executor = CALLER_ONLY } = this.#options;
    if (signal?.aborted) throw new ImpingeError('aborted', 'the check was stopped');
    const rules = compileRules(
      this.#options.rules,
      { clearance, tolerance, kinds },
      await ruleModel(model, this.#options.rules),
    );
    this.stats.idleRules = rules.rules
      .filter(({ countA, countB }) => countA === 0 || countB === 0)
      .map(({ name }) => name);
    const candidates = findCandidates(model.directory.objectBox, rules);
    this.stats.pairs = candidates.count;
    const total = neededBytes(model, candidates);
    this.stats.triangles = total.triangles;
    // enough subgraphs for every member to be busy to the end, none larger than its share
    const share = geometryBytes(memory / executor.size);
    const capacity = Math.max(
      LEAST_MEMORY / 2,
      Math.min(SHARE_USED * share, total.bytes / (TASKS_EACH * executor.size)),
    );
    const { tasks, alone } = planCheck(model, candidates, rules, capacity, share, this.#options.done);
    this.stats.tasks = tasks.length + alone.length;
    this.stats.checked = candidates.count - alone.length - tasks.reduce((sum, { length }) => sum + length, 0);
    const job = { rules: rules.rules, memory };
    yield* this.#work(await executor.start(model, job), executor.size, candidates, tasks, rules);
    // what is too large for one member's share has the whole memory, one pair after the other
    if (alone.length === 0) return;
    const single = Array.from(alone, (pair) => Uint32Array.of(pair));
    yield* this.#work(await CALLER_ONLY.start(model, job), 1, candidates, single, rules);
  }

  /** Members take one task after the other; what they find is handed on in the order of the tasks. */
  async *#work(
    workers: CheckWorkers,
    size: number,
    candidates: Candidates,
    tasks: readonly Uint32Array[],
    rules: RuleTable,
  ): AsyncGenerator<Clash> {
    const { signal, onProgress, onBatch } = this.#options;
    const keys = keysOf(this.#model);
    const caches: PieceCacheStats[] = [];
    const found = tasks.map((): Clash[] => []);
    const done = tasks.map(() => false);
    let failure: { error: unknown } | undefined;
    let wake = () => {};
    const take = (task: number, member: number, part: CheckTaskPart) => {
      const pairs = tasks[task].subarray(part.from, part.to);
      const clashes = part.found.map(({ pair, measure }): Clash => {
        const at = 3 * tasks[task][pair];
        const [a, b] = [candidates.triples[at], candidates.triples[at + 1]];
        const rule = rules.rules[candidates.triples[at + 2]].name;
        const id = clashId(keys(a), keys(b), rule);
        return { id, ...measure, a: this.#model.object(a), b: this.#model.object(b), rule };
      });
      this.stats.checked += pairs.length;
      this.stats.clashes += clashes.length;
      this.stats.touches += part.touches;
      caches[member] = part.cache;
      this.#addUp(caches);
      found[task].push(...clashes);
      onBatch?.(pairs, clashes, part.touches);
      onProgress?.({
        pairsDone: this.stats.checked,
        pairCount: this.stats.pairs,
        clashes: this.stats.clashes,
      });
      wake();
    };
    let next = 0;
    const loop = async (member: number) => {
      while (next < tasks.length && !failure) {
        const task = next++;
        const triples = triplesOf(candidates, tasks[task]);
        await workers.run(member, { triples }, (part) => take(task, member, part));
        done[task] = true;
        wake();
      }
    };
    const stop = (error: unknown) => {
      failure ??= { error };
      wake();
    };
    const onAbort = () => stop(new ImpingeError('aborted', 'the check was stopped'));
    signal?.addEventListener('abort', onAbort);
    try {
      for (let member = 0; member < size; member++) loop(member).catch(stop);
      for (let task = 0; task < tasks.length; ) {
        if (failure) throw failure.error;
        if (found[task].length > 0) yield* found[task].splice(0);
        else if (done[task]) task++;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      next = tasks.length;
      await workers.end();
      for (const cache of caches) if (cache) this.#past.push(cache);
    }
  }

  #addUp(caches: readonly PieceCacheStats[]): void {
    const { stats } = this;
    stats.bytesRead = stats.loads = stats.cacheHits = 0;
    let triangles = 0;
    for (const cache of [...this.#past, ...caches]) {
      if (!cache) continue; // that member has not begun
      stats.bytesRead += cache.bytesRead;
      stats.loads += cache.loads;
      stats.cacheHits += cache.hits;
      triangles += cache.trianglesRead;
    }
    stats.loadsPerTriangle = stats.triangles === 0 ? 0 : triangles / stats.triangles;
    const peak = caches.reduce((sum, cache) => sum + (cache?.peakBytes ?? 0), 0);
    stats.peakBytes = Math.max(stats.peakBytes, peak);
  }
}

function triplesOf(candidates: Candidates, pairs: Uint32Array): Uint32Array {
  const out = new Uint32Array(3 * pairs.length);
  pairs.forEach((pair, i) => {
    out.set(candidates.triples.subarray(3 * pair, 3 * pair + 3), 3 * i);
  });
  return out;
}

/** What the candidates' pieces add up to, each counted once. */
function neededBytes(model: StoredModel, { triples }: Candidates): { bytes: number; triangles: number } {
  const { objectShape, shapeFirstPiece, pieceMeshBytes, pieceTreeBytes, pieceTriangles } = model.directory;
  const seen = new Uint8Array(model.shapeCount);
  let bytes = 0;
  let triangles = 0;
  for (let i = 0; i < triples.length; i++) {
    if (i % 3 === 2) continue;
    const shape = objectShape[triples[i]];
    if (seen[shape]) continue;
    seen[shape] = 1;
    for (let piece = shapeFirstPiece[shape]; piece < shapeFirstPiece[shape + 1]; piece++) {
      bytes += pieceMeshBytes[piece] + pieceTreeBytes[piece];
      triangles += pieceTriangles[piece];
    }
  }
  return { bytes, triangles };
}

/** The model as rules look at it; properties are read beforehand where a rule asks for one. */
async function ruleModel(model: StoredModel, rules: readonly CheckRule[] | undefined): Promise<RuleModel> {
  const known: (Readonly<Record<string, PropertyValue>> | undefined)[] = [];
  if (rules && JSON.stringify(rules).includes('"property"')) {
    for (let i = 0; i < model.objectCount; i++) known.push(await model.properties(i));
  }
  return {
    objectCount: model.objectCount,
    object: (index): ObjectInfo => model.object(index),
    properties: (index) => known[index],
  };
}

/** Checks a model; nothing happens before the first clash is asked for. */
export function check(model: StoredModel, options: CheckOptions = {}): CheckRun {
  return new CheckRun(model, options);
}
