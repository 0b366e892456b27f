/**
 * One attempt at a job by a worker. It is counted before it starts, so that attempts that crash the process count;
 * after three, the job is quarantined.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type QueueJob, quarantineText } from './job-format.js';
import type { ResultTable } from './result-table.js';

/** Attempts after which a job is quarantined. */
export const MOST_TRIES = 3;
/** Pause after refusing a job, so that another worker can take it. */
const REFUSED_MS = 1000;

/** This worker cannot do the job, but another may. */
export class Refusal extends Error {}

/** An error that no worker can avoid. */
export class Impossible extends Error {}

export interface AttemptMeans {
  readonly table: ResultTable;
  readonly name: string;
  readonly say: (line: string) => void;
}

/**
 * Does a job: `act` calls `begin` when it is ready, and continues if that returns true. Errors are recorded and
 * rethrown: the job leaves the queue, and its submitter notices the missing result.
 */
export async function attempt<T>(
  { run, task }: QueueJob,
  { table, name, say }: AttemptMeans,
  act: (begin: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  let tries = 0;
  const quarantine = (isRefused: boolean, why: string) =>
    table.quarantine(run, task, quarantineText({ isRefused, why }));
  const begin = async () => {
    const begun = await table.begin(run, task, name);
    if (!begun || begun.isSettled) return false;
    tries = begun.tries;
    if (tries <= MOST_TRIES) return true;
    await quarantine(false, begun.error ?? `it crashed its worker ${MOST_TRIES} times`);
    return false;
  };
  try {
    return await act(begin);
  } catch (error) {
    const { message } = error as Error;
    say(message);
    const isRefused = error instanceof Refusal;
    // if no worker can read a store, the check ends
    if (isRefused) tries = (await table.begin(run, task, name))?.tries ?? 0;
    const why = error instanceof Impossible ? message : `${name}: ${message}`;
    await table.fail(run, task, why);
    if (tries >= MOST_TRIES || error instanceof Impossible) await quarantine(isRefused, why);
    if (isRefused) await sleep(REFUSED_MS);
    throw error;
  }
}
