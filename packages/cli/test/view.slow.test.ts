/**
 * `impinge view` as a process: from files to a page and back, levels in the background, Ctrl-C and kills at any time.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStoreUrl } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseReview } from '../src/reports/review/review-file.js';
import { temporaryFolder } from './files.js';
import { boxesObj, clashesIn, impinge, type Started, start, startInterrupted } from './run-impinge.js';

const folder = temporaryFolder();
const model = join(folder, 'boxes.obj');
const plant = join(folder, 'plant.impinge');
const report = join(folder, 'report');
const temporary = join(folder, 'tmp');

beforeAll(async () => {
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  writeFileSync(model, boxesObj(['a', [0, 2], [0, 1], [0, 1]], ['b', [1, 3], [0, 1], [0, 1]]));
  await impinge('generate', '-o', plant, '--triangles', '30K', '--seed', '3');
  await impinge('check', model, '-o', report);
});
afterAll(() => {
  vi.unstubAllEnvs();
});

/** The address that a viewer prints, and what it says before it ends. */
async function address({ child, ended }: Started): Promise<string> {
  let out = '';
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (text) => {
      out += text;
      const found = /http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\//.exec(out);
      if (found && out.includes('Press Ctrl-C to stop.\n')) resolve(found[0]);
    });
    ended.then(({ err }) => reject(new Error(err)), reject);
  });
}

const json = async (at: string) => (await fetch(at)).json();

/** The manifest once levels are there. */
async function withLevels(at: string): Promise<{ store: string; levels: string; title: string }> {
  const events = (await fetch(`${at}events`)).body!.getReader();
  let told = '';
  while ((await json(`${at}view.json`)).levels !== 'ready' && !told.includes('event: view\n')) {
    const { value, done } = await events.read();
    if (done) break;
    told += Buffer.from(value).toString();
  }
  await events.cancel();
  return json(`${at}view.json`);
}

test('a store is shown as it is, then with levels; Ctrl-C ends it with listeners, and nothing is left', async () => {
  const started = start('view', plant, '--no-open');
  const at = await address(started);
  expect(await (await fetch(at)).text()).toContain('<div id="app">');
  const before = await json(`${at}view.json`);
  expect(before).toMatchObject({ report: null, review: null, live: true });
  const original = await openStoreUrl(at + before.store);
  const after = await withLevels(at);
  expect(after).toMatchObject({ levels: 'ready', title: before.title });
  const shown = await openStoreUrl(at + after.store);
  expect([shown.hasLevels, shown.objectCount]).toEqual([true, original.objectCount]);
  for (const object of [0, 17, shown.objectCount - 1]) {
    expect(shown.object(object).id).toBe(original.object(object).id);
    expect(await shown.properties(object)).toEqual(await original.properties(object));
  }
  const listening = (await fetch(`${at}events`)).text().catch(() => '');
  started.child.kill('SIGINT');
  expect(await started.ended).toMatchObject({ code: 0, err: '' });
  await listening;
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(['boxes.obj', 'plant.impinge', 'report', 'tmp']);
});

test('stopped at once, also by SIGTERM, it leaves nothing of the levels', async () => {
  const started = start('view', plant, '--no-open');
  await address(started);
  started.child.kill('SIGTERM');
  expect(await started.ended).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(temporary)).toEqual([]);
});

test('files are packed once; levels of a report are kept beside it, and used the next time', async () => {
  const packed = join(folder, 'packed');
  for (const time of ['first', 'second']) {
    const started = start('view', model, '-o', packed, '--no-open');
    const at = await address(started);
    const found = await json(`${at}view.json`);
    if (time === 'second') expect(found.levels).toBe('ready');
    expect((await withLevels(at)).levels).toBe('ready');
    started.child.kill('SIGINT');
    expect((await started.ended).code).toBe(0);
    expect(readdirSync(packed)).toEqual([expect.stringMatching(/^levels-.*\.impinge$/), 'model.impinge']);
  }
  rmSync(packed, { recursive: true });
});

test('a kill while a decision is saved leaves the old file or the new one, and the next viewer goes on', async () => {
  const [{ id }] = clashesIn(report);
  const path = join(report, 'review.yaml');
  const old = `# ours\nclashes:\n  ${id}: { status: active }\n`;
  const decide = async (at: string) => {
    const { revision } = await json(`${at}review.json`);
    const changes = { [id]: { status: 'approved' } };
    const body = JSON.stringify({ base: revision, author: 'ann', changes });
    return fetch(`${at}review.json`, { method: 'POST', body });
  };
  // the lock, the text, twice the disk
  for (const point of ['writeFile 1', 'writeFile 2', 'sync 1', 'sync 2'] as const) {
    writeFileSync(path, old);
    const killed = startInterrupted(`kill ${point}`, 'view', report, '--no-open');
    await expect(decide(await address(killed))).rejects.toThrow();
    expect((await killed.ended).code).toBeUndefined();
    expect([old, old.replace('active', 'approved')]).toContain(readFileSync(path, 'utf8'));
  }
  const next = start('view', report, '--no-open');
  expect((await decide(await address(next))).status).toBe(200);
  next.child.kill('SIGINT');
  expect((await next.ended).code).toBe(0);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(/^# ours\n/);
  expect(parseReview(text, 'x').get(id)?.status).toBe('approved');
  expect(readdirSync(report).filter((name) => /lock|part/.test(name))).toEqual([]);
  rmSync(path);
});

test('opens at a clash, if the report has it', async () => {
  const [{ id }] = clashesIn(report);
  const started = start('view', report, '--no-open', '--clash', id);
  let out = '';
  started.child.stdout!.on('data', (text) => {
    out += text;
  });
  await address(started);
  expect(out).toMatch(new RegExp(`http://\\S+/#clash=${id}\n`));
  started.child.kill('SIGINT');
  expect((await started.ended).code).toBe(0);
  expect(await impinge('view', report, '--no-open', '--clash', 'none')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--clash none: the report has no clash of this id'),
  });
  expect(await impinge('view', plant, '--no-open', '--clash', id)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--clash is for the folder of a report'),
  });
});

test('a check ends in the viewer, with its own exit code; with --json the address is beside it', async () => {
  const out = join(folder, 'checked');
  const started = start('check', model, '-o', out, '--json', '--view', '--no-open');
  let said = '';
  const at = await new Promise<string>((resolve) => {
    started.child.stderr!.on('data', (text) => {
      said += text;
      const found = /(http:\S+)\nPress Ctrl-C/.exec(said);
      if (found) resolve(found[1]);
    });
  });
  expect(await json(`${at}report.json`)).toMatchObject({ a: [0], b: [1] });
  started.child.kill('SIGINT');
  const { code, out: summary } = await started.ended;
  expect(code).toBe(1);
  expect(JSON.parse(summary).clashes).toBe(1);
});

test('an export is all that is shown, again and again; other folders are left alone', async () => {
  const target = join(folder, 'export');
  const first = await impinge('view', report, '--export', target);
  expect(first).toMatchObject({ code: 0, err: '' });
  const view = JSON.parse(readFileSync(join(target, 'view.json'), 'utf8'));
  expect(view).toMatchObject({ levels: 'ready', report: 'report.json', review: 'review.json', live: false });
  const store = await openStoreFile(join(target, view.store));
  expect(store.objectCount).toBe(2);
  await store.dispose();
  const page = readFileSync(join(target, 'index.html'), 'utf8');
  expect(page).toMatch(/<head>\s*<meta http-equiv="Content-Security-Policy" content="default-src 'none';/);
  expect(JSON.parse(readFileSync(join(target, 'review.json'), 'utf8')).decisions).toEqual({});
  expect(JSON.parse(readFileSync(join(target, 'report.json'), 'utf8'))).toMatchObject({ a: [0], b: [1] });
  writeFileSync(join(target, 'assets', 'old-1234.js'), '');
  const second = await impinge('view', plant, '--export', target);
  expect(second).toMatchObject({ code: 0, err: '' });
  const names = readdirSync(target);
  const next = JSON.parse(readFileSync(join(target, 'view.json'), 'utf8'));
  expect(next).toMatchObject({ report: null, review: null });
  expect(names.filter((name) => name.startsWith('store-'))).toEqual([next.store]);
  expect([names.includes('report.json'), existsSync(join(target, 'assets', 'old-1234.js'))]).toEqual([
    false,
    false,
  ]);
  const other = await impinge('view', plant, '--export', report);
  expect(other).toMatchObject({ code: 2 });
  expect(other.err).toMatch(/^impinge: --export .*this folder contains other files; choose an empty one\n$/);
  expect(readdirSync(temporary)).toEqual([]);
});

test.each([
  [['--port', 'x'], /--port: "x" is not a number from 1 to 65535/],
  [['--port', '70000'], /--port: "70000" is not a number/],
  [['--store', plant], /--store is for the folder of a report/],
])('what is wrong with a call is said: %s', async (args, message) => {
  const { code, err } = await impinge('view', plant, '--no-open', ...args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});
