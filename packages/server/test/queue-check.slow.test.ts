/**
 * A check on a queue writes the same bytes as on one machine, whichever processes are killed, and whatever happens to
 * the queue's jobs.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@impinge/scenes/random';
import { beforeAll, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { temporaryFolder } from '../../cli/test/files.js';
import { impinge, start } from '../../cli/test/run-impinge.js';
import {
  checkArguments,
  contents,
  describeBackends,
  differences,
  endStarted,
  PATIENT,
  startService,
  startWorker,
} from './queue-processes.js';

endStarted();

const SEED = 18;
const KILLS = LONG ? 100 : 6;

const folder = temporaryFolder();
const plant = join(folder, 'plant.impinge');
const args = (out: string) => checkArguments(plant, out);
const alone = join(folder, 'alone');
let pairs = 0;

beforeAll(async () => {
  await impinge('generate', '-o', plant, '--triangles', '400K', '--clashes', '40', '--seed', '5');
  const { code, out } = await start(...args(alone), '--workers', '2', '--json').ended;
  expect(code).toBe(1);
  ({ pairs } = JSON.parse(out).stats);
});

describeBackends((backend) => {
  let url = '';
  beforeAll(async () => {
    ({ url } = await startService(backend));
  });

  test('two workers find what one machine does, to the byte', { timeout: 600_000 }, async () => {
    const workers = [startWorker(url, ...PATIENT), startWorker(url, ...PATIENT)];
    const out = join(folder, `${backend} two`);
    const { code, err, out: said } = await start(...args(out), '--queue', url, '--json').ended;
    expect(code, err).toBe(1);
    expect(differences(contents(out), contents(alone))).toEqual([]);
    expect(JSON.parse(said).stats).toMatchObject({ pairs, checked: pairs });
    for (const { child } of workers) child.kill('SIGTERM');
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    expect(ends.map((end) => end.code)).toEqual([0, 0]);
    const measured = ends.map((end) =>
      Number(/(\d+) pairs? measured/.exec(end.out.replaceAll(',', ''))?.[1]),
    );
    expect(measured[0] + measured[1]).toBe(pairs);
    // the password of the queue appears nowhere
    expect(ends.map((end) => end.out + end.err).join('') + err + said).not.toContain('secret');
  });

  test(`${KILLS} kills of workers and coordinators, seed ${SEED}`, { timeout: 3_600_000 }, async () => {
    const random = seededRandom(SEED);
    const below = (n: number) => Math.floor(n * random());
    const workers = [startWorker(url), startWorker(url)];
    let kills = 0;
    const killed = { workers: 0, coordinators: 0 };
    for (let story = 0; kills < KILLS; story++) {
      const out = join(folder, `${backend} story ${story}`);
      mkdirSync(out);
      for (let attempt = 0; ; attempt++) {
        const led = start(...args(out), '--queue', url, ...(attempt > 0 ? ['--resume'] : []));
        let isOver = false;
        const ended = led.ended.then((end) => {
          isOver = true;
          return end;
        });
        while (!isOver && kills < KILLS) {
          await Promise.race([ended, sleep(200 + below(2500))]);
          if (isOver) break;
          kills++;
          const victim = below(3);
          if (victim === 2) {
            killed.coordinators++;
            led.child.kill('SIGKILL');
            break;
          }
          killed.workers++;
          workers[victim].child.kill('SIGKILL');
          workers[victim] = startWorker(url);
        }
        const { code, err } = await ended;
        if (code === undefined) continue;
        expect(code, err).toBe(1);
        break;
      }
      expect(differences(contents(out), contents(alone)), `story ${story}`).toEqual([]);
    }
    expect(killed.workers + killed.coordinators).toBe(KILLS);
    for (const { child } of workers) child.kill('SIGKILL');
  });
});
