/**
 * A queue worker: takes tasks and files to pack from the queue, measures and packs in threads, and stores the
 * results beside the queue.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openStoreAt } from '@impinge/cli/internal/jobs/model-file.js';
import { withoutSecrets } from '@impinge/cli/internal/remote/location.js';
import { fileSize } from '@impinge/cli/internal/terminal.js';
import { compileForPairs } from '@impinge/cli/internal/v8-settings.js';
import { version } from '@impinge/cli/internal/version.js';
import { type AttemptMeans, attempt, Refusal } from './attempt.js';
import { openResultTable } from './backends.js';
import { workOn } from './broker.js';
import { type RunDescription, readDescription, readPackJob, readPairJob } from './job-format.js';
import { Lanes } from './lanes.js';
import { type QueueAddress, queueProblem } from './queue-address.js';
import type { ResultTable } from './result-table.js';

export interface WorkerOptions {
  readonly address: QueueAddress;
  readonly name: string;
  readonly threads: number;
  /** Bytes for geometry, all threads together. */
  readonly memory: number;
  /** Heartbeat timeout: without one, a worker counts as dead. */
  readonly lostAfterMs: number;
  /** Exits after this idle time. */
  readonly idleExitMs: number | undefined;
  readonly signal: AbortSignal;
  readonly onReady: () => void;
  readonly onProblem: (line: string) => void;
}

export interface Worked {
  readonly tasks: number;
  readonly pairs: number;
  readonly stores: number;
}

const IDLE_CHECK_MS = 200;
/** The same problem is not printed again within this time. */
const QUIET_MS = 30_000;

export async function work(options: WorkerOptions): Promise<Worked> {
  const { address, name, threads, signal, idleExitMs } = options;
  const table = await openResultTable(address);
  const lanes = new Lanes(threads, (description) => openChecked(description, options));
  const runs = new Map<string, Promise<RunDescription | undefined>>();
  const counts = { tasks: 0, pairs: 0, stores: 0 };
  const share = Math.floor(options.memory / threads);
  let active = 0;
  let idleSince = performance.now();
  const say = quietly(options.onProblem);
  try {
    const working = await workOn(
      address,
      {
        name,
        atOnce: threads,
        lostAfterMs: options.lostAfterMs,
        onProblem: (error) => say(queueProblem(address, error)),
      },
      async (data) => {
        active++;
        try {
          const done = await doJob(data, { table, lanes, runs, share, name, say });
          if ('stores' in done) counts.stores += done.stores;
          else {
            counts.tasks += done.pairs > 0 ? 1 : 0;
            counts.pairs += done.pairs;
            compileForPairs(counts.pairs);
          }
        } finally {
          active--;
          idleSince = performance.now();
        }
      },
    );
    options.onReady();
    try {
      const isIdle = () =>
        idleExitMs !== undefined && active === 0 && performance.now() - idleSince > idleExitMs;
      while (!signal.aborted && !isIdle()) await sleep(IDLE_CHECK_MS, undefined, { signal }).catch(() => {});
    } finally {
      await working.close();
    }
    return counts;
  } finally {
    await lanes.dispose();
    await table.close();
  }
}

interface Means extends AttemptMeans {
  readonly lanes: Lanes;
  readonly runs: Map<string, Promise<RunDescription | undefined>>;
  /** Bytes per thread. */
  readonly share: number;
}

/** The result of a job. */
type Done = { readonly pairs: number } | { readonly stores: number };
const NOTHING: Done = { pairs: 0 };

async function doJob(data: unknown, means: Means): Promise<Done> {
  const isPacking = typeof data === 'object' && data !== null && 'pack' in data;
  return isPacking ? packJob(data, means) : measureJob(data, means);
}

async function measureJob(data: unknown, means: Means): Promise<Done> {
  const { table, lanes, runs, say } = means;
  let job: ReturnType<typeof readPairJob>;
  let description: RunDescription | undefined;
  try {
    job = readPairJob(data);
    description = await descriptionOf(job.run, table, runs);
  } catch (error) {
    say((error as Error).message);
    return NOTHING;
  }
  if (!description) return NOTHING; // the check has ended
  const { run, task, triples } = job;
  const known = description;
  return attempt(job, means, (begin) =>
    lanes.use({ run, description: known }, async (worker) => {
      if (!(await begin())) {
        runs.delete(run); // the check may have ended
        return NOTHING;
      }
      const { found, touches, cache } = await worker.measure(triples);
      await table.putResult(run, task, JSON.stringify({ found, touches, cache }));
      return { pairs: triples.length / 3 };
    }),
  );
}

async function packJob(data: unknown, means: Means): Promise<Done> {
  const { table, lanes, say, share } = means;
  let job: ReturnType<typeof readPackJob>;
  try {
    job = readPackJob(data);
  } catch (error) {
    say((error as Error).message);
    return NOTHING;
  }
  const { run, task, order } = job;
  return attempt(job, means, async (begin) => {
    const { assertCanPack, packOrdered } = await import('./pack-job.js');
    await assertCanPack(order, share);
    return lanes.without(async () => {
      if (!(await begin())) return NOTHING;
      await table.putResult(run, task, JSON.stringify(await packOrdered(order)));
      return { stores: 1 };
    });
  });
}

function descriptionOf(
  run: string,
  table: ResultTable,
  runs: Map<string, Promise<RunDescription | undefined>>,
): Promise<RunDescription | undefined> {
  const known = runs.get(run);
  if (known) return known;
  const reading = table
    .descriptionOf(run)
    .then((text) => (text === undefined ? undefined : readDescription(text)));
  runs.set(run, reading);
  const forget = () => runs.delete(run);
  reading.then((description) => description ?? forget(), forget);
  return reading;
}

async function openChecked(
  { store, fingerprint, version: asked, memory: needed }: RunDescription,
  { threads, memory }: WorkerOptions,
) {
  if (asked !== version())
    throw new Refusal(`a check by version ${asked} of impinge; this worker is version ${version()}`);
  const share = Math.floor(memory / threads);
  if (needed > share) {
    const has = `this worker has ${fileSize(share)} per thread`;
    throw new Refusal(`a check needs ${fileSize(needed)}, but ${has}; raise its --memory`);
  }
  const model = await openStoreAt(store).catch((error: Error) => {
    throw new Refusal(error.message);
  });
  if (model.fingerprint === fingerprint) return model;
  await model.dispose();
  throw new Refusal(`${withoutSecrets(store)} is a different store here than where the check was started`);
}

/** Limits each line to once per `QUIET_MS`. */
function quietly(tell: (line: string) => void): (line: string) => void {
  const printedAt = new Map<string, number>();
  return (line) => {
    const now = performance.now();
    for (const [before, at] of printedAt) if (now - at > QUIET_MS) printedAt.delete(before);
    if (printedAt.has(line)) return;
    printedAt.set(line, now);
    tell(line);
  };
}
