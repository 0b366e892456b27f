/**
 * One try of a job by a worker: counted before it begins, so that one that ends the process counts; set apart after
 * three.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type QueueJob, quarantineText } from './job-format.js';
import type { ResultTable } from './result-table.js';

/** Attempts after which a job is quarantined. */
export const MOST_TRIES = 3;
/** Who cannot do a job does not take the next one at once: somebody else may. */
const REFUSED_MS = 1000;

/** What a worker cannot do and another one may. */
export class Refusal extends Error {}

/** An error that no worker can avoid. */
export class Impossible extends Error {}

export interface AttemptMeans {
  readonly table: ResultTable;
  readonly name: string;
  readonly say: (line: string) => void;
}

/**
 * Does a job; `act` calls `begin` when it has what it needs, and goes on where that says so. What goes wrong is noted,
 * and thrown: the queue's job goes, and who handed it out looks after what has no result.
 */
export async function attempt<T>(
  { run, group }: QueueJob,
  { table, name, say }: AttemptMeans,
  act: (begin: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  let tries = 0;
  const quarantine = (isRefused: boolean, why: string) =>
    table.quarantine(run, group, quarantineText({ isRefused, why }));
  const begin = async () => {
    const begun = await table.begin(run, group, name);
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
    if (isRefused) tries = (await table.begin(run, group, name))?.tries ?? 0;
    const why = error instanceof Impossible ? message : `${name}: ${message}`;
    await table.fail(run, group, why);
    if (tries >= MOST_TRIES || error instanceof Impossible) await quarantine(isRefused, why);
    if (isRefused) await sleep(REFUSED_MS);
    throw error;
  }
}
