/** Checks and workers on a queue, as processes that tests start and kill. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
// @ts-expect-error a script without declarations
import { SERVICES } from '../../../scripts/services.mjs';
import { turn } from '../../../test/budget.js';
import { type Started, start, startPreloaded } from '../../cli/test/run-impinge.js';
import { BACKENDS as SERVED } from '../src/queue/backends.js';

export function isMissing(backend: string): boolean {
  return SERVICES[backend].find() === undefined;
}

const all: readonly string[] = Object.keys(SERVED);
/** The backends to test in this run, and those that are skipped because they are not installed. */
export const BACKENDS: readonly string[] = [
  ...turn(all.filter((backend) => !isMissing(backend))),
  ...all.filter(isMissing),
];

/** Describes tests of each backend; those that are not installed are skipped. */
export function describeBackends(define: (backend: string) => void): void {
  for (const backend of BACKENDS) describe.skipIf(isMissing(backend))(backend, () => define(backend));
}

/** Clean-up functions. */
const ends: (() => Promise<unknown>)[] = [];

/** Cleans up after the test file. Call it at top level: hooks registered while tests run are not called. */
export function endStarted(): void {
  afterAll(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
}

/** Starts a server that is stopped after the test file. */
export async function startService(
  backend: string,
): Promise<{ readonly url: string; readonly port: number }> {
  const service = await SERVICES[backend].start();
  ends.push(async () => service.stop());
  return service;
}

/** Heartbeat timeout of workers in these tests, in seconds: the minimum. */
const LOST_AFTER = '1';

/** For tests without crashes: a slow machine must not look like one. */
export const PATIENT = ['--lost-after', '20'];

/** A worker with one thread, killed after the test file at the latest. */
export function startWorker(url: string, ...options: string[]): Started {
  const worker = start('worker', '--queue', url, '--threads', '1', '--lost-after', LOST_AFTER, ...options);
  ends.push(() => {
    worker.child.kill('SIGKILL');
    return worker.ended;
  });
  return worker;
}

/** Restarts a worker that a preloaded module kills; `stop` returns the number of crashes. */
export function keepWorker(
  url: string,
  preloaded: string,
  env: NodeJS.ProcessEnv,
): { stop(): Promise<number> } {
  let deaths = 0;
  let isOver = false;
  let worker: Started;
  const keep = (async () => {
    while (!isOver) {
      const options = ['--queue', url, '--threads', '1', '--lost-after', LOST_AFTER];
      worker = startPreloaded(new URL(preloaded, import.meta.url), env, 'worker', ...options);
      const { code } = await worker.ended;
      if (!isOver && code === undefined) deaths++;
    }
  })();
  const stop = async () => {
    isOver = true;
    worker.child.kill('SIGKILL');
    await keep;
    return deaths;
  };
  return { stop };
}

/** A check whose reports can be compared. */
export function checkArguments(store: string, output: string): string[] {
  return ['check', store, '-o', output, '--clearance', '50mm', '--formats', 'jsonl,csv,html'];
}

/** Cache statistics for made-up findings. */
export const SOME_READS = {
  ...{ loads: 1, bytesRead: 1, trianglesRead: 1, hits: 0 },
  ...{ waits: 0, readMs: 0, evictions: 0, overflows: 0, peakBytes: 1 },
};

/** The files of a folder by name. */
export function contents(folder: string): Map<string, Buffer> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** The names of files that differ or that only one has. */
export function differences(p: Map<string, Buffer>, q: Map<string, Buffer>): string[] {
  return [...new Set([...p.keys(), ...q.keys()])].filter((name) => {
    const [one, other] = [p.get(name), q.get(name)];
    return !one || !other || !one.equals(other);
  });
}
