/**
 * Checks on a queue of this machine, beside one process with threads.
 *
 *   npm run bench:queue                       a plant of 15 M triangles through PostgreSQL; writes
 *                                             lab/bench/results/queue-<machine>.csv
 *   npm run bench:queue -- --quick            a small one, once; writes nothing unless --out is given
 *   npm run bench:queue -- --folder DIR       keeps the generated plant there, and uses the one it finds
 *
 * Rows: plant (two workers of one thread against two threads, and against one worker; hard clashes, and a clearance,
 * which is more work), pack (files that workers pack side by side), jobs (tasks of which nothing is measured: what the
 * queue itself takes).
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '@impinge/model';
import { openStoreFile, taskPool } from '@impinge/model/node';
import { openResultTable, queueAddress } from '../../packages/server/dist/queue/backends.js';
import { openBroker, workOn } from '../../packages/server/dist/queue/broker.js';
import { Coordinator } from '../../packages/server/dist/queue/coordinator.js';
import { readPairJob } from '../../packages/server/dist/queue/job-format.js';
import { openCoordinator } from '../../packages/server/dist/queue/queued-check.js';
import { startPostgres } from '../../scripts/services.mjs';
import { torusKnot } from '../scenes/index.mjs';
import { count, seconds, times } from './measure/figures.mjs';
import { COMMAND, measureCommand, runCommand } from './measure/measure-child.mjs';
import { runRows } from './measure/rows.mjs';

const MOST_TIMES = 1.25;
const LEAST_GAIN = 1.8;
const MOST_MS = 5;
const LEAST_JOBS = 500;
const WORKERS_AT_ONCE = 16;
/** Metres. */
const QUESTIONS = [
  { name: 'hard', clearance: 0 },
  { name: '50 mm', clearance: 0.05 },
];

await runRows({
  name: 'queue',
  rows: { plant: plantRow, pack: packRow, jobs: jobsRow },
  options: { folder: { type: 'string' } },
  prepare: ({ folder }, options) => ({ plants: options.folder ?? folder }),
});

async function plantRow({ figures, folder, plants, quick, repetitions }) {
  const size = quick ? '1M' : '15M';
  figures.begin('plant', `${size} triangles through a PostgreSQL of this machine`);
  figures.note(
    'workers are there when a check starts, and have done one before; what is spread: from first task to last',
  );
  mkdirSync(plants, { recursive: true });
  const store = join(plants, `plant-${size}.impinge`);
  if (!existsSync(store)) await runCommand('generate', '-o', store, '--triangles', size);
  const service = await startPostgres();
  const floor = (value) => (quick ? undefined : value);
  try {
    for (const { name, clearance } of QUESTIONS) {
      const checked = async (...options) => {
        const out = join(folder, 'report');
        rmSync(out, { recursive: true, force: true });
        const asked = ['--clearance', `${clearance}m`, '--formats', 'jsonl'];
        const run = await measureCommand('check', store, '-o', out, ...asked, ...options);
        return { seconds: run.seconds, clashes: readFileSync(join(out, 'clashes.jsonl')) };
      };
      const queued = (workers) =>
        withWorkers(service.url, workers, async () => {
          await spreadSeconds(service.url, store, clearance);
          const run = await checked('--queue', service.url);
          return { ...run, spread: await spreadSeconds(service.url, store, clearance) };
        });
      const [threads, one, two] = [[], [], []];
      for (let i = 0; i < repetitions; i++) {
        threads.push(await checked('--workers', '2'));
        one.push(await queued(1));
        two.push(await queued(2));
        for (const run of [one[i], two[i]])
          figures.assert(run.clashes.equals(threads[i].clashes), 'the clashes are not the same');
      }
      const all = (runs, quantity) => runs.map((run) => run[quantity]);
      const ratio = (p, q, quantity = 'seconds') => p.map((run, i) => run[quantity] / q[i][quantity]);
      const of = `${size}, ${name}`;
      figures.add(`${of}, one process of two threads`, { seconds: seconds(all(threads, 'seconds')) });
      figures.add(`${of}, one worker`, {
        seconds: seconds(all(one, 'seconds')),
        'of it spread': seconds(all(one, 'spread')),
      });
      figures.add(`${of}, two workers`, {
        seconds: seconds(all(two, 'seconds')),
        'of it spread': seconds(all(two, 'spread')),
        'times two threads': count(ratio(two, threads), floor(MOST_TIMES)),
        'gain over one worker': times(ratio(one, two), floor(LEAST_GAIN)),
        'gain of what is spread': times(ratio(one, two, 'spread'), floor(LEAST_GAIN)),
      });
    }
  } finally {
    await service.stop();
  }
}

/** A check coordinated by this process: seconds from the first submitted task to the last result. */
async function spreadSeconds(url, store, clearance) {
  const model = await openStoreFile(store);
  const key = randomUUID();
  const coordinator = await openCoordinator(queueAddress(url), model, store, {
    key: () => key,
    onIdle: () => {},
  });
  let [from, to] = [Infinity, 0];
  const pool = taskPool(async (triples, settings) => {
    from = Math.min(from, performance.now());
    const findings = await coordinator.measure(triples, settings);
    to = performance.now();
    return findings;
  });
  try {
    for await (const _ of check(model, { clearance, memory: 256e6, pool }));
    await coordinator.finish();
  } finally {
    await coordinator.close();
    await model.dispose();
  }
  return (to - from) / 1000;
}

/** Runs `act` while this many workers with one thread are active. */
async function withWorkers(url, number, act) {
  const workers = Array.from({ length: number }, () =>
    spawn(process.execPath, [COMMAND, 'worker', '--queue', url, '--threads', '1'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  await Promise.all(workers.map(({ stderr }) => once(stderr, 'data'))); // they are connected
  try {
    return await act();
  } finally {
    for (const worker of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map((worker) => worker.exitCode ?? once(worker, 'exit')));
  }
}

/** Four separate files, on two workers, on one, and here. */
async function packRow({ figures, folder, quick, repetitions }) {
  const [segments, sides] = quick ? [500, 50] : [5000, 100];
  figures.begin('pack', `4 files (STL) of ${2 * segments * sides} triangles, on workers that are there`);
  const files = Array.from({ length: 4 }, (_, i) => {
    const path = join(folder, `knot-${i}.stl`);
    writeFileSync(path, stlOf(torusKnot(2, 3 + 2 * i, 1, 0.25, segments, sides)));
    return path;
  });
  const service = await startPostgres();
  try {
    const pack = async (name, ...options) => {
      const out = join(folder, name);
      rmSync(out, { recursive: true, force: true });
      const run = await measureCommand('pack', ...files, '--unit', 'm', '--each', '-o', out, ...options);
      const stores = run.result.stores.map(({ store }) => readFileSync(store));
      return { seconds: run.seconds, stores };
    };
    const queued = (workers) =>
      withWorkers(service.url, workers, async () => {
        await pack('before', '--queue', service.url);
        return pack('queued', '--queue', service.url);
      });
    const [here, one, two] = [[], [], []];
    for (let i = 0; i < repetitions; i++) {
      here.push(await pack('here'));
      one.push(await queued(1));
      two.push(await queued(2));
      for (const { stores } of [one[i], two[i]])
        figures.assert(
          stores.every((bytes, k) => bytes.equals(here[i].stores[k])),
          'the stores are not the same',
        );
    }
    const all = (runs) => seconds(runs.map((run) => run.seconds));
    figures.add('here, one file after the other', { seconds: all(here) });
    figures.add('one worker', { seconds: all(one) });
    figures.add('two workers', {
      seconds: all(two),
      'gain over one worker': times(one.map((run, i) => run.seconds / two[i].seconds)),
    });
  } finally {
    await service.stop();
  }
}

/** A binary STL. */
function stlOf({ positions, indices }) {
  const count = indices.length / 3;
  const bytes = Buffer.alloc(84 + 50 * count);
  bytes.writeUInt32LE(count, 80);
  for (let i = 0; i < indices.length; i++)
    for (let k = 0; k < 3; k++)
      bytes.writeFloatLE(positions[3 * indices[i] + k], 96 + 50 * Math.floor(i / 3) + 12 * (i % 3) + 4 * k);
  return bytes;
}

async function jobsRow({ figures, quick, repetitions }) {
  const jobs = quick ? 500 : 5000;
  figures.begin('jobs', `${jobs} tasks of one pair each, of which nothing is measured`);
  const service = await startPostgres();
  const address = queueAddress(service.url);
  const table = await openResultTable(address);
  const cache = Object.fromEntries(
    ['loads', 'bytesRead', 'trianglesRead', 'hits', 'waits', 'evictions', 'overflows', 'peakBytes'].map(
      (name) => [name, 0],
    ),
  );
  const result = JSON.stringify({ found: [], touches: 0, cache });
  const options = { name: 'bench', lostAfterMs: 30_000, onProblem: (error) => console.log(error.message) };
  /** Milliseconds per task. */
  const perJob = async (number, atOnce, key) => {
    const coordinator = new Coordinator({
      broker: await openBroker(address),
      table: await openResultTable(address),
      store: { store: '/none.impinge', fingerprint: '', version: '' },
      key: () => key,
      onIdle: () => {},
    });
    const working = await workOn(address, { ...options, atOnce }, async (data) => {
      const { run, task } = readPairJob(data);
      await table.begin(run, task, 'bench');
      await table.putResult(run, task, result);
    });
    const started = performance.now();
    const asked = Array.from({ length: number }, (_, i) =>
      coordinator.measure(Uint32Array.of(i, i + 1, 0), { rules: [], memory: 1 }),
    );
    await Promise.all(asked);
    const ms = (performance.now() - started) / number;
    await coordinator.finish();
    await coordinator.close();
    await working.close();
    return ms;
  };
  try {
    const [alone, many] = [[], []];
    for (let i = 0; i < repetitions; i++) {
      alone.push(await perJob(jobs / 5, 1, `alone ${i}`));
      many.push(1000 / (await perJob(jobs, WORKERS_AT_ONCE, `many ${i}`)));
    }
    figures.add('one at a time', { 'ms per job': count(alone, quick ? undefined : MOST_MS) });
    figures.add(`${WORKERS_AT_ONCE} at once`, {
      'jobs per second': { ...times(many, quick ? undefined : LEAST_JOBS), unit: '' },
    });
  } finally {
    await table.close();
    await service.stop();
  }
}
