/** A service that is stopped and killed while it works, and one with many concurrent clients: no run is lost. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { type Started, startPreloaded } from '../../cli/test/run-impinge.js';
import {
  ask,
  databaseServer,
  dataFolder,
  HAS_POSTGRES,
  overlappingBoxes,
  PATIENT,
  Served,
  settingsFor,
} from './service-client.js';

const CLIENTS = 100;
const PROJECTS = 10;
/** Many processes, one after the other, on a busy machine. */
const MINUTES = { timeout: 600_000 };

describe.skipIf(!HAS_POSTGRES)('impinge serve', () => {
  const folder = dataFolder();
  const newDatabase = databaseServer();

  test('goes on after being killed in the middle of a run, and after being stopped', MINUTES, async () => {
    const data = join(folder, 'killed');
    const held = join(folder, 'held');
    /** Selects the checks that pause between their findings and their reports. */
    const hold = (words: string) => writeFileSync(held, words);
    hold('');
    const boxes = overlappingBoxes(60, 60);
    const first = await serve(data, held);
    const token = first.token!;
    const api = (at: string, path: string, body?: unknown, method?: string) =>
      ask(at, `/api/v1${path}`, { token, body, ...(method && { method }) });
    const project = (await api(first.address, '/projects', { name: 'Killed' })).json.id;
    await api(first.address, `/projects/${project}/models/boxes.obj`, boxes, 'PUT');
    const whole = (await api(first.address, `/projects/${project}/runs`, {})).json.id;
    await over(first.address, whole, token);
    const decided = (await api(first.address, '/projects', { name: 'Decided' })).json.id;
    await api(first.address, `/projects/${decided}/models/boxes.obj`, overlappingBoxes(2), 'PUT');
    const before = (await api(first.address, `/projects/${decided}/runs`, {})).json.id;
    await over(first.address, before, token);
    const lines = (await api(first.address, `/runs/${before}/files/clashes.jsonl`)).text.trim().split('\n');
    const clash = JSON.parse(lines[0]).id;
    const changes = [{ clash, status: 'approved', comment: 'stays' }];
    expect((await api(first.address, `/projects/${decided}/decisions`, { changes }, 'PATCH')).status).toBe(
      200,
    );
    const ids: string[] = [];
    hold('all');
    for (let i = 0; i < 3; i++)
      ids.push((await api(first.address, `/projects/${project}/runs`, { baseline: 'none' })).json.id);
    await isThere(held, ids[0]);
    first.started.child.kill('SIGKILL');
    await first.started.ended;

    hold(ids[1]);
    const second = await serve(data, held);
    expect(second.token).toBeUndefined();
    await isThere(held, ids[1]);
    expect((await api(second.address, `/runs/${ids[0]}`)).json.state).toBe('done');
    second.started.child.kill('SIGTERM');
    expect((await second.started.ended).code).toBe(0);

    hold('');
    const third = await serve(data, held);
    for (const id of ids) {
      const run = await over(third.address, id, token);
      expect(run).toMatchObject({ state: 'done', clashes: 60 });
      expect(reportOf(data, id)).toBe(reportOf(data, whole));
    }
    const runs = (await api(third.address, `/projects/${project}/runs`)).json.runs;
    // the killed run has two attempts; a stopped one does not count as interrupted
    expect(runs.map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 1, 2, 1]);
    const { decisions } = (await api(third.address, `/projects/${decided}/decisions`)).json;
    expect(decisions).toMatchObject([{ clash, status: 'approved', comments: [{ text: 'stays' }] }]);
    const after = (await api(third.address, `/projects/${decided}/runs`, {})).json.id;
    expect(await over(third.address, after, token)).toMatchObject({ clashes: 1, approved: 1 });
    third.started.child.kill('SIGTERM');
    expect((await third.started.ended).code).toBe(0);
  });

  test('answers many clients at once, and loses none of their runs', MINUTES, async () => {
    const served = await Served.start(settingsFor(join(folder, 'many'), { database: await newDatabase() }));
    try {
      const projects = await Promise.all(Array.from({ length: PROJECTS }, () => served.projectOf(2)));
      // most of them cancel, so that the test takes seconds
      const stays = (i: number) => LONG || i % (2 * PROJECTS) === 0;
      const clients = Array.from({ length: CLIENTS }, async (_, i) => {
        const id = await served.start(projects[Math.floor(i / PROJECTS)]);
        if (!stays(i)) await served.ask(`/api/v1/runs/${id}/cancel`, { method: 'POST' });
        return served.finished(id);
      });
      const runs = await Promise.all(clients);
      expect(new Set(runs.map(({ id }) => id)).size).toBe(CLIENTS);
      for (const [i, run] of runs.entries()) {
        if (stays(i) || run.state === 'done')
          expect(run).toMatchObject({ state: 'done', clashes: 2, attempts: 1 });
        else expect(run).toMatchObject({ state: 'cancelled', clashes: null });
      }
      for (const project of projects) {
        const { runs: own } = (await served.ask(`/api/v1/projects/${project}/runs`)).json;
        expect(own.map(({ number }: { number: number }) => number)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
      }
      const { queued, running } = await served.service.parts.runs.counts();
      expect([queued, running]).toEqual([0, 0]);
    } finally {
      await served.service.stop();
    }
  });

  test('refuses to work on a database that another one works on, and leaves it alone', async () => {
    const settings = settingsFor(join(folder, 'second'));
    const served = await Served.start(settings);
    await expect(Served.start(settings)).rejects.toThrow('another "impinge serve" uses this database');
    expect((await served.ask('/readyz')).status).toBe(200);
    expect((await served.upload(await served.project(), 'a.obj', 'o a')).status).toBe(201);
    await served.service.stop();
    await (await Served.start(settings)).service.stop();
  });
});

interface ServeProcess {
  readonly started: Started;
  readonly address: string;
  /** Printed by the first start only. */
  readonly token: string | undefined;
}

async function serve(data: string, held: string): Promise<ServeProcess> {
  const module = new URL('./hold-checks.mjs', import.meta.url);
  const options = `--import ${module.href}`;
  const args = ['serve', '--data', data, '--port', '0', '--workers', '1'];
  const started = startPreloaded(module, { HELD: held, NODE_OPTIONS: options }, ...args);
  onTestFinished(async () => {
    if (started.child.exitCode !== null || started.child.signalCode !== null) return;
    started.child.kill('SIGTERM');
    await started.ended;
  });
  let said = '';
  started.child.stderr!.on('data', (text) => {
    said += text;
  });
  const isOver = () => started.child.exitCode !== null;
  await expect.poll(() => isOver() || /until Ctrl-C/.test(said), PATIENT).toBe(true);
  expect(isOver(), said).toBe(false);
  return {
    started,
    address: /http:\S+/.exec(said)![0],
    token: /imp_\S+/.exec(said)?.[0],
  };
}

/** Waits until the check of a run is paused. */
async function isThere(held: string, run: string): Promise<void> {
  const there = `${held}.there`;
  await expect.poll(() => readIf(there), PATIENT).toContain(run);
  rmSync(there);
}

function readIf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

async function over(address: string, run: string, token: string) {
  await ask(address, `/api/v1/runs/${run}/events`, { token });
  return (await ask(address, `/api/v1/runs/${run}`, { token })).json;
}

function reportOf(data: string, run: string): string {
  return readFileSync(join(data, 'runs', run, 'report', 'clashes.csv'), 'utf8');
}
