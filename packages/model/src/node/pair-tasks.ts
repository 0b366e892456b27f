/**
 * A check whose tasks, pairs to measure, are done in other processes or on other machines.
 *
 * Idea: the plan is cut into tasks that are small compared with the model, so that many workers stay busy until the
 * end. A task is identified by the numbers of its objects and rules; the pieces it needs follow from the model. The
 * findings depend on nothing else but the memory, and on that only where two objects are too large for it.
 */
import { ASYNC_DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readInteger, readKnown, readLength, readPositive } from 'impinge/internal/base/options.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import type { CheckExecutor, CheckPool, CheckWorkers } from '../check/executor.js';
import { neededPieces, PairPiecesBuilder, selectPairPieces } from '../check/pair-pieces.js';
import type { PlannedTask } from '../check/plan.js';
import type { CheckJob, CheckTaskPart, FoundClash } from '../check/task.js';
import type { TaskRule } from '../check/task-rule.js';
import { ZONE_SIZES, type ZoneSizes } from '../check/zones/zone.js';
import { assertModel, type StoredModel } from '../store/model.js';
import { type PieceCacheStats, sumOfStats } from '../store/piece-cache.js';
import { startThread } from './check-workers.js';
import { planInThread } from './plan-in-thread.js';

/** Settings common to all tasks of a check. */
export interface TaskSettings {
  readonly rules: readonly TaskRule[];
  /** Bytes of memory for measuring a task, one at a time. */
  readonly memory: number;
}

/** Numbers only, which JSON holds as they are. */
export interface TaskFindings {
  /** By their positions in the task. */
  readonly found: readonly FoundClash[];
  readonly touches: number;
  /** Reads that the task needed. */
  readonly cache: PieceCacheStats;
  /** Positions of pairs that could not be measured, in rising order. */
  readonly unmeasured?: readonly number[];
}

/** Has a task measured: object a, object b and rule of each pair. */
export type MeasureTask = (triples: Uint32Array, settings: TaskSettings) => Promise<TaskFindings>;

/** Maximum number of tasks requested at once. */
const TASKS_AT_ONCE = 512;
/** Target triangles and maximum pairs per task; both grow where there would be too many tasks. */
const TASK_TRIANGLES = 150_000;
const TASK_PAIRS = 256;
/** Maximum number of tasks: enough for hundreds of workers, and manageable for a queue. */
const MOST_TASKS = 1000;
/** Maximum pairs that a job's format can hold. */
const MOST_PAIRS = 1 << 16;

/** How large the tasks of a model are. */
export function taskSize(triangleCount: number): { readonly triangles: number; readonly pairs: number } {
  const times = Math.max(1, triangleCount / (MOST_TASKS * TASK_TRIANGLES));
  return { triangles: times * TASK_TRIANGLES, pairs: Math.min(MOST_PAIRS, Math.ceil(times * TASK_PAIRS)) };
}

/** A pool for `check` that has tasks measured by `measure`; all else is done here. */
export function taskPool(measure: MeasureTask): CheckPool {
  if (typeof measure !== 'function') throw new ImpingeError('bad-option', 'measure must be a function');
  const executor: CheckExecutor = {
    size: 1,
    plan: async (model, question, doneAmong, signal) => {
      const size = taskSize(model.triangleCount);
      const tasks = Math.max(1, Math.ceil(model.triangleCount / size.triangles));
      // that many workers of the memory that one has: tasks are as small as if there were
      const asked = { ...question, memory: tasks * question.memory, workers: tasks };
      // planned as if nothing were done, so that a resumed check requests the same tasks
      const planned = await planInThread(model, asked, () => undefined, signal as AbortSignal | undefined);
      const done = await doneAmong({ ...planned.candidates, rules: planned.rules });
      const left = (tasks: readonly PlannedTask[]) =>
        tasks.flatMap((task) => tasksOf(task, size.pairs, done));
      return { ...planned, tasks: left(planned.tasks), alone: left(planned.alone) };
    },
    start: async (_, job) => {
      const rules = job.rules.map(({ clearance, tolerance, kinds, zone }) => ({
        ...{ clearance, tolerance, kinds },
        ...(zone && { zone }),
      }));
      return workersOfTasks((triples) => measure(triples, { rules, memory: job.memory }));
    },
  };
  const dispose = async () => {};
  const none: WorkerPool = {
    size: 0,
    call: async () => {
      throw new ImpingeError('bad-option', 'a pool of tasks has no threads for other queries');
    },
    dispose,
    [ASYNC_DISPOSE]: dispose,
  };
  return { ...none, executor };
}

/** A task without the pairs that are done, in parts that are not too long. */
function tasksOf({ pairs, pieces }: PlannedTask, most: number, done: Uint8Array | undefined): PlannedTask[] {
  const tasks: PlannedTask[] = [];
  for (let from = 0; from < pairs.length; from += most) {
    const positions = Uint32Array.from(
      { length: Math.min(most, pairs.length - from) },
      (_, i) => from + i,
    ).filter((i) => done?.[pairs[i]] !== 1);
    if (positions.length === 0) continue;
    tasks.push({ pairs: positions.map((i) => pairs[i]), pieces: selectPairPieces(pieces, positions) });
  }
  return tasks;
}

function workersOfTasks(measure: (triples: Uint32Array) => Promise<TaskFindings>): CheckWorkers {
  const sums = new Map<number, PieceCacheStats>();
  let peak = 0;
  return {
    atOnce: TASKS_AT_ONCE,
    run: async (worker, { triples }, onPart) => {
      const findings = await measure(triples);
      const before = sums.get(worker);
      peak = Math.max(peak, findings.cache.peakBytes);
      // workers share no memory: report the highest peak of any of them
      const peakBytes = worker === 0 ? peak : 0;
      const cache = { ...sumOfStats([...(before ? [before] : []), findings.cache]), peakBytes };
      sums.set(worker, cache);
      for (const part of measuredParts(findings, triples.length / 3)) onPart({ ...part, cache });
    },
    dispose: async () => {},
  };
}

/** The measured parts, without the skipped ones. */
function* measuredParts(
  { found, touches, unmeasured = [] }: TaskFindings,
  count: number,
): Generator<Omit<CheckTaskPart, 'cache'>> {
  let from = 0;
  let left = touches;
  for (const to of [...unmeasured, count]) {
    if (to > from) {
      yield { from, to, found: found.filter(({ pair }) => pair >= from && pair < to), touches: left };
      left = 0;
    }
    from = to + 1;
  }
}

/** Measures tasks of a check that another process coordinates, one at a time, in its own thread. */
export interface TaskWorker extends AsyncDisposable {
  /** Object a, object b and rule of each pair. Errors name any number out of range. */
  measure(triples: Uint32Array): Promise<TaskFindings>;
  /**
   * Switches to another check while nothing is being measured, reusing the warmed-up thread. The previous model may
   * then be disposed of.
   */
  turnTo(model: StoredModel, settings: TaskSettings): void;
  dispose(): Promise<void>;
}

/** Starts a thread for tasks of a check with these settings; the model is in a file, or remote. */
export async function startTaskWorker(model: StoredModel, settings: TaskSettings): Promise<TaskWorker> {
  assertModel(model);
  let current = { model, job: readSettings(settings) };
  const thread = startThread(model);
  thread.begin(current.job);
  let before: PieceCacheStats | undefined;
  const dispose = async () => {
    await thread.end();
  };
  return {
    turnTo: (other, otherSettings) => {
      assertModel(other);
      const job = readSettings(otherSettings);
      thread.begin(job, other);
      current = { model: other, job };
      before = undefined;
    },
    measure: async (triples) => {
      const { model, job } = current;
      const { rules } = job;
      assertTriples(triples, model.objectCount, rules.length);
      const built = new PairPiecesBuilder();
      for (let i = 0; i < triples.length; i += 3) {
        const { pieces, nearCount } = neededPieces(model, triples[i], triples[i + 1], rules[triples[i + 2]]);
        built.add(pieces, nearCount);
      }
      const found: FoundClash[] = [];
      let touches = 0;
      let cache: PieceCacheStats | undefined;
      await thread.run({ triples, pieces: built.build() }, (part) => {
        found.push(...part.found);
        touches += part.touches;
        cache = part.cache;
      });
      const took = since(before, cache!);
      before = cache;
      return { found, touches, cache: took };
    },
    dispose,
    [ASYNC_DISPOSE]: dispose,
  };
}

function readSettings(settings: TaskSettings): CheckJob {
  const { rules, memory } = readKnown('startTaskWorker', settings, { rules: true, memory: true });
  return { rules: readRules(rules), memory: readPositive('memory', memory) };
}

function readRules(rules: readonly TaskRule[]): TaskRule[] {
  if (!Array.isArray(rules)) throw new ImpingeError('bad-option', 'rules must be a list');
  return rules.map((rule) => {
    const names = { clearance: true, tolerance: true, kinds: true, zone: true } as const;
    const { clearance, tolerance, kinds, zone } = readKnown('a rule', rule, names);
    return {
      clearance: readLength('clearance', clearance),
      tolerance: readLength('tolerance', tolerance),
      kinds: readInteger('kinds', kinds, 0),
      ...(zone && { zone: readSizes(zone) }),
    };
  });
}

function readSizes(zone: ZoneSizes): ZoneSizes {
  const sizes = ZONE_SIZES.map((name) => [name, readLength(name, zone[name])]);
  return Object.fromEntries(sizes) as ZoneSizes;
}

function since(before: PieceCacheStats | undefined, now: PieceCacheStats): PieceCacheStats {
  if (!before) return now;
  const grown = Object.entries(now).map(([name, value]) => [
    name,
    value - before[name as keyof PieceCacheStats],
  ]);
  return { ...(Object.fromEntries(grown) as unknown as PieceCacheStats), peakBytes: now.peakBytes };
}

function assertTriples(triples: Uint32Array, objects: number, rules: number): void {
  if (!(triples instanceof Uint32Array) || triples.length === 0 || triples.length % 3 !== 0)
    throw new ImpingeError('bad-input', 'a task is three numbers for each pair');
  for (let i = 0; i < triples.length; i += 3) {
    const [a, b, rule] = triples.subarray(i, i + 3);
    if (a >= objects || b >= objects || a === b || rule >= rules)
      throw new ImpingeError('bad-input', `pair ${i / 3} of a task names ${a}, ${b} and rule ${rule}`);
  }
}
