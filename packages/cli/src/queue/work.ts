/** A worker of checks: takes groups of pairs from a queue, measures them in threads, and puts what it finds beside it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openStoreAt } from '../jobs/model-file.js';
import { spoken } from '../remote/location.js';
import { fileSize } from '../terminal.js';
import { compileForPairs } from '../v8-settings.js';
import { version } from '../version.js';
import { workOn } from './broker.js';
import { apartText, type RunDescription, readDescription, readPairJob } from './job-format.js';
import { Lanes } from './lanes.js';
import { openResultTable } from './open-results.js';
import { type QueueAddress, queueProblem } from './queue-address.js';
import type { ResultTable } from './result-table.js';

export interface WorkerOptions {
  readonly address: QueueAddress;
  readonly name: string;
  readonly threads: number;
  /** Bytes for geometry, all threads together. */
  readonly memory: number;
  /** Without a sign of life for so long, a worker is taken for dead by the others. */
  readonly lostAfterMs: number;
  /** Ends after so long without anything to do. */
  readonly idleExitMs: number | undefined;
  readonly signal: AbortSignal;
  readonly onReady: () => void;
  readonly onProblem: (line: string) => void;
}

export interface Worked {
  readonly groups: number;
  readonly pairs: number;
}

/** A group, or a pair, is set apart after so many tries. */
export const MOST_TRIES = 3;
/** Who cannot do a job does not take the next one at once: somebody else may. */
const REFUSED_MS = 1000;
const IDLE_CHECK_MS = 200;
/** The same problem is not told again within this time. */
const QUIET_MS = 30_000;

/** What a worker cannot do and another one may. */
class Refusal extends Error {}

export async function work(options: WorkerOptions): Promise<Worked> {
  const { address, name, threads, signal, idleExitMs } = options;
  const table = await openResultTable(address);
  const lanes = new Lanes(threads, (description) => openChecked(description, options));
  const runs = new Map<string, Promise<RunDescription | undefined>>();
  const counts = { groups: 0, pairs: 0 };
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
          const pairs = await measureJob(data, { table, lanes, runs, name, say });
          counts.groups += pairs > 0 ? 1 : 0;
          counts.pairs += pairs;
          compileForPairs(counts.pairs);
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

interface Means {
  readonly table: ResultTable;
  readonly lanes: Lanes;
  readonly runs: Map<string, Promise<RunDescription | undefined>>;
  readonly name: string;
  readonly say: (line: string) => void;
}

/** Measures one group; returns how many pairs that were. */
async function measureJob(data: unknown, { table, lanes, runs, name, say }: Means): Promise<number> {
  let job: ReturnType<typeof readPairJob>;
  let description: RunDescription | undefined;
  try {
    job = readPairJob(data);
    description = await descriptionOf(job.run, table, runs);
  } catch (error) {
    say((error as Error).message);
    return 0;
  }
  if (!description) return 0; // nobody waits for it any more
  const { run, group, triples } = job;
  let tries = 0;
  try {
    return await lanes.use({ run, description }, async (worker) => {
      const begun = await table.begin(run, group, name);
      if (!begun) runs.delete(run);
      if (!begun || begun.isSettled) return 0;
      tries = begun.tries;
      if (tries > MOST_TRIES) {
        const why = begun.error ?? `it has ended its worker ${MOST_TRIES} times`;
        await table.setApart(run, group, apartText({ isRefused: false, why }));
        return 0;
      }
      const { found, touches, cache } = await worker.measure(triples);
      await table.putResult(run, group, JSON.stringify({ found, touches, cache }));
      return triples.length / 3;
    });
  } catch (error) {
    const why = `${name}: ${(error as Error).message}`;
    say((error as Error).message);
    const isRefused = error instanceof Refusal;
    // where nobody can read a store, the check comes to an end
    if (isRefused) tries = (await table.begin(run, group, name))?.tries ?? 0;
    await table.fail(run, group, why);
    if (tries >= MOST_TRIES) await table.setApart(run, group, apartText({ isRefused, why }));
    if (isRefused) await sleep(REFUSED_MS);
    throw error; // the job goes; who handed it out looks after what has no result
  }
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
    const has = `this worker has ${fileSize(share)} for each of its threads`;
    throw new Refusal(`a check asks for ${fileSize(needed)}, and ${has}; --memory gives it more`);
  }
  const model = await openStoreAt(store).catch((error: Error) => {
    throw new Refusal(error.message);
  });
  if (model.fingerprint === fingerprint) return model;
  await model.dispose();
  throw new Refusal(`${spoken(store)} is another store here than where the check was started`);
}

/** Says each line once in a while. */
function quietly(tell: (line: string) => void): (line: string) => void {
  const told = new Map<string, number>();
  return (line) => {
    const now = performance.now();
    for (const [before, at] of told) if (now - at > QUIET_MS) told.delete(before);
    if (told.has(line)) return;
    told.set(line, now);
    tell(line);
  };
}
