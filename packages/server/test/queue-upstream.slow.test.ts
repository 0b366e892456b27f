/**
 * What an open report says of BullMQ's PostgreSQL backend: jobs that are put off may end without having run where two
 * processes share a queue. Nothing of ours is put off by the queue, and a job without a result is handed out again
 * whatever the queue says of it (queue-coordinator.slow.test.ts); this shows whether the version that is used does so.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { loadBullmq } from '../src/queue/driver.js';
import { isMissing, startService } from './queue-processes.js';

const QUEUE = 'delayed';
const JOBS = 2000;
const DELAYS = 2;
const SCRIPT = fileURLToPath(new URL('./delay-jobs.mjs', import.meta.url));

// half a minute, of somebody else's work
test.skipIf(!LONG || isMissing('postgres'))(
  'jobs that two processes put off twice each have all run in the end',
  { timeout: 300_000 },
  async () => {
    const { url } = await startService('postgres');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('create table public.ran (id text primary key, times integer not null)');
    const bullmq = loadBullmq();
    const { Queue } = bullmq.withBackend(bullmq.createPostgresBackend) as unknown as typeof bullmq;
    const connection = { connectionString: url, max: 3, schema: 'delayed', migrate: true } as object;
    const queue = new Queue(QUEUE, { connection });
    await queue.waitUntilReady();
    const workers = [0, 1].map(() => fork(SCRIPT, { env: { ...process.env, SERVER: url, QUEUE } }));
    onTestFinished(async () => {
      for (const worker of workers) worker.kill('SIGKILL');
      await Promise.allSettled([queue.close(), client.end()]);
    });
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    await queue.addBulk(
      Array.from({ length: JOBS }, (_, i) => ({
        name: 'late',
        data: { delays: DELAYS },
        opts: { jobId: `job-${i}`, delay: 20 },
      })),
    );
    const left = () => queue.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized');
    while ((await left()) > 0) await sleep(200);
    const { rows } = await client.query('select count(*)::int as ran from public.ran where times > $1', [
      DELAYS,
    ]);
    const failed = await queue.getFailedCount();
    // what the server ends by a deadlock is told: it is what ends without a word that the report is about
    expect(rows[0].ran).toBeGreaterThanOrEqual(JOBS - failed);
    expect((await queue.getCompletedCount()) + failed).toBe(JOBS);
    for (const worker of workers) worker.send('end');
    await Promise.all(workers.map((worker) => once(worker, 'exit')));
  },
);
