/** A check on a queue with pairs that crash their workers, bad networks, and unsuitable workers. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStoreFile } from '@impinge/model/node';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { temporaryFolder } from '../../cli/test/files.js';
import { boxRow, impinge, start } from '../../cli/test/run-impinge.js';
import {
  checkArguments,
  contents,
  describeBackends,
  differences,
  endStarted,
  keepWorker,
  startService,
  startWorker,
} from './queue-processes.js';
import { toxicProxy } from './toxic-proxy.js';

endStarted();

const folder = temporaryFolder();
const plant = join(folder, 'plant.impinge');
const args = (out: string) => checkArguments(plant, out);
const alone = join(folder, 'alone');
/** Few pairs, each of which becomes a job once their task is quarantined. */
const row = join(folder, 'row.impinge');
const rowArgs = (out: string) => checkArguments(row, out);
const rowAlone = join(folder, 'row alone');
/** Two clashing objects, by number and path, and the id of the clash. */
let poison = { a: 0, b: 0, paths: ['', ''], id: '' };

const linesOf = (out: string) => readFileSync(join(out, 'clashes.jsonl'), 'utf8').trim().split('\n');

beforeAll(async () => {
  await impinge('generate', '-o', plant, '--triangles', '300K', '--clashes', '20', '--seed', '5');
  const boxes = join(folder, 'row.obj');
  writeFileSync(boxes, boxRow('box', 120));
  await impinge('pack', boxes, '--unit', 'm', '-o', row);
  for (const command of [args(alone), rowArgs(rowAlone)]) {
    const { code, err } = await start(...command, '--workers', '1').ended;
    expect(code, err).toBe(1);
  }
  const { id, a, b } = JSON.parse(linesOf(rowAlone)[0]);
  const model = await openStoreFile(row);
  const paths: string[] = [a.path, b.path];
  const numbers = paths.map((path) => {
    for (let i = 0; i < model.objectCount; i++) if (model.object(i).path === path) return i;
    throw new Error(path);
  });
  const [low, high] = [...numbers].sort((p, q) => p - q);
  poison = { a: low, b: high, paths: [model.object(low).path, model.object(high).path], id };
  await model.dispose();
});

/** Slow tests that are the same for both backends run with one of them, except in the long mode. */
const isOneEnough = (backend: string) => backend === 'redis' && !LONG;

describeBackends((backend) => {
  let service: { readonly url: string; readonly port: number };
  beforeAll(async () => {
    service = await startService(backend);
  });

  // six crashes, each of which takes a while to be detected
  test.skipIf(isOneEnough(backend))(
    'a pair that ends its worker every time is set apart and named, and the rest is found',
    { timeout: 600_000 },
    async () => {
      const worker = keepWorker(service.url, './die-at-pair.mjs', { POISON: `${poison.a},${poison.b}` });
      onTestFinished(async () => void (await worker.stop()));
      const out = join(folder, `${backend} poison`);
      const { code, err } = await start(...rowArgs(out), '--queue', service.url).ended;
      const deaths = await worker.stop();
      expect(code, err).toBe(2);
      expect(deaths).toBe(6);
      expect(err).toContain('impinge: 1 pair could not be measured; --resume tries again');
      expect(linesOf(out)).toEqual(linesOf(rowAlone).filter((line) => JSON.parse(line).id !== poison.id));
      const page = readFileSync(join(out, 'report.html'), 'utf8');
      expect(page).toContain('1 pair could not be measured');
      for (const path of poison.paths) expect(page).toContain(path);
      // a worker that the pair does not crash
      const sound = startWorker(service.url);
      const again = await start(...rowArgs(out), '--queue', service.url, '--resume').ended;
      expect(again.code, again.err).toBe(1);
      expect(again.err).toContain('going on after');
      expect(differences(contents(out), contents(rowAlone))).toEqual([]);
      sound.child.kill('SIGKILL');
    },
  );

  test('a network that is slow, cut and silent loses nothing', { timeout: 600_000 }, async () => {
    const [near, far] = [await toxicProxy(service.port), await toxicProxy(service.port)];
    const through = (port: number) => service.url.replace(`:${service.port}`, `:${port}`);
    near.delay = 5;
    far.delay = 2;
    near.cutsToCome = 2; // also while connecting
    far.cutsToCome = 4;
    const workers = [startWorker(through(near.port)), startWorker(through(far.port))];
    await Promise.all(workers.map(({ child }) => once(child.stderr!, 'data'))); // they are connected
    const out = join(folder, `${backend} toxic`);
    far.cutsToCome = 4;
    const led = start(...args(out), '--queue', through(far.port));
    const story = (async () => {
      while (!existsSync(join(out, 'check.journal')) && led.child.exitCode === null) await sleep(10);
      await sleep(100);
      near.cut();
      await sleep(200);
      far.cut();
      await sleep(200);
      near.silence();
    })();
    const { code, err } = await led.ended;
    await story;
    expect(err).not.toContain('Error');
    expect(code, err).toBe(1);
    expect(differences(contents(out), contents(alone))).toEqual([]);
    for (const { child } of workers) child.kill('SIGKILL');
  });

  // takes twenty seconds; queue-attempt.test.ts covers the essentials
  test.skipIf(!LONG)('workers that cannot take part say why, and the check ends', async () => {
    const small = startWorker(service.url, '--memory', '50MB', '--name', 'small');
    const out = join(folder, `${backend} refused`);
    const { code, err } = await start(...args(out), '--queue', service.url).ended;
    small.child.kill('SIGTERM');
    const end = await small.ended;
    const why = 'a check needs 256 MB, but this worker has 50 MB per thread; raise its --memory';
    expect(err).toContain(`impinge: no worker can take part: small: ${why}\n`);
    expect(code).toBe(2);
    expect(end.err).toContain(`impinge: ${why}\n`);
    expect(end.code).toBe(0);
  });
});
