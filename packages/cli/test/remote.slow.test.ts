/** Stores elsewhere: the same answers as from here, and clear words where there is nothing. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
// @ts-expect-error it has no declarations
import S3rver from 's3rver';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { turn } from '../../../test/budget.js';
import { temporaryFolder } from './files.js';
import { boxesObj, impinge } from './run-impinge.js';

const folder = temporaryFolder();
const store = join(folder, 'plant.impinge');
/** For what does not depend on the number of parts. */
const small = join(folder, 'small.impinge');
const model = join(folder, 'bars.obj');

beforeAll(async () => {
  // of two parts, about 6 MB
  expect((await impinge('generate', '-o', store, '--triangles', '450K')).code).toBe(0);
  expect((await impinge('generate', '-o', small, '--triangles', '60K')).code).toBe(0);
  writeFileSync(model, boxesObj(['bar', [-3, 3], [-1, 1], [0, 1]], ['post', [-1, 1], [-1, 1], [-3, 3]]));
});

/** The clashes that a check of a store finds, as they are written. */
async function clashesOf(name: string, ...more: string[]): Promise<string> {
  const output = join(folder, 'report');
  const { code, err } = await impinge('check', name, '-o', output, '--formats', 'jsonl', ...more);
  expect([code, err]).toEqual([1, '']);
  return readFileSync(join(output, 'clashes.jsonl'), 'utf8');
}

describe('on a server', () => {
  let server: Server;
  let asked = 0;
  /** From this request on, the server has another file of the same length. */
  let changesAt = Infinity;
  const url = (more = '', name = 'plant') =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}.impinge${more}`;

  beforeAll(async () => {
    const files = { plant: readFileSync(store), small: readFileSync(small) };
    server = createServer(({ url, headers }, response) => {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
      const [, name] = /^\/(plant|small)\.impinge/.exec(url ?? '') ?? [];
      if (name === undefined || from === undefined) return response.writeHead(404).end();
      const bytes = files[name as keyof typeof files];
      const tag = ++asked < changesAt ? '"one"' : '"two"';
      response.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/${bytes.length}`, ETag: tag });
      response.end(bytes.subarray(Number(from), Number(to) + 1));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.close();
  });
  afterEach(() => {
    changesAt = Infinity;
  });

  test.each(turn(['1', '2']))('the same clashes with %s threads, in few requests', async (workers) => {
    const expected = await clashesOf(store, '--workers', workers);
    asked = 0;
    expect(await clashesOf(url('?signature=secret'), '--workers', workers)).toBe(expected);
    expect(asked).toBeLessThanOrEqual(1 + Math.ceil(readFileSync(store).length / (4 << 20)));
  });

  test('the same words', async () => {
    const [here, there] = [await impinge('info', store, '--types'), await impinge('info', url(), '--types')];
    expect(there.out.replaceAll(url(), store)).toBe(here.out);
  });

  test('a report names where its model is, without what gives access; the viewer asks before it goes there', async () => {
    await clashesOf(url('?signature=secret', 'small'));
    const output = join(folder, 'report');
    expect(readFileSync(join(output, 'report.json'), 'utf8')).toContain(url('', 'small'));
    expect(readFileSync(join(output, 'report.json'), 'utf8')).not.toContain('secret');
    const { code, err } = await impinge('view', output, '--no-open');
    expect([code, err]).toEqual([2, expect.stringContaining('pass it with --store')]);
  });

  test.each([
    [
      'another file',
      (base: string) => base.replace('plant', 'other'),
      /other.impinge: cannot be read: .*404/,
    ],
    ['no store', (base: string) => base.replace('.impinge', '.glb'), /only stores can be read remotely/],
    ['no server', () => 'http://127.0.0.1:1/x.impinge?key=secret', /127.0.0.1:1\/x.impinge: cannot be read/],
  ])('%s is an error', async (_, nameOf, message) => {
    const { code, err } = await impinge('check', nameOf(url()), '-o', join(folder, 'none'));
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    expect(err).not.toContain('secret');
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test('a file that is replaced during a check is an error', async () => {
    changesAt = asked + 3;
    const { code, err } = await impinge('check', url(), '-o', join(folder, 'changed'));
    expect([code, err]).toEqual([2, expect.stringContaining('the file has changed')]);
  });

  test('together with others, the same clashes as from here, and it is fetched once', async () => {
    const both = async (name: string) => {
      const output = join(folder, 'both');
      const { code, err } = await impinge('check', name, model, '-o', output, '--formats', 'jsonl');
      expect([code, err]).toEqual([1, '']);
      return readFileSync(join(output, 'clashes.jsonl'), 'utf8');
    };
    const expected = await both(small);
    expect(await both(url('?signature=secret', 'small'))).toBe(expected);
    const copy = () => {
      const names = readdirSync(join(folder, 'both')).filter((name) => name.startsWith('fetched-'));
      return names.map((name) => statSync(join(folder, 'both', name)).ino);
    };
    const before = copy();
    expect(before).toHaveLength(1);
    expect(await both(url('?signature=other', 'small'))).toBe(expected);
    expect(copy()).toEqual(before);
    const packed = join(folder, 'together.impinge');
    expect((await impinge('pack', url('', 'small'), model, '-o', packed)).code).toBe(0);
  });
});

describe('in object storage', () => {
  let server: { run(): Promise<AddressInfo>; close(): Promise<void> };
  beforeAll(async () => {
    const directory = join(folder, 'storage');
    mkdirSync(directory);
    server = new S3rver({
      ...{ port: 0, address: '127.0.0.1', silent: true, directory },
      configureBuckets: [{ name: 'models' }],
    });
    const { port } = await server.run();
    vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${port}`);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
    vi.stubEnv('AWS_REGION', 'us-east-1');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server?.close();
  });

  test('what is packed to it is checked from it, and the report goes back', async () => {
    const place = 's3://models/week 1/plant.impinge';
    // of several parts; poses that are applied round numbers, which makes no overlap of a touch
    const { code, out } = await impinge('pack', store, '-o', place);
    expect([code, out]).toEqual([0, expect.stringContaining(place)]);
    const expected = await clashesOf(store);
    const output = join(folder, 'sent');
    const args = ['-o', output, '--formats', 'jsonl,csv', '--upload', 's3://models/reports/1'];
    const ended = await impinge('check', place, ...args);
    expect([ended.code, ended.err]).toEqual([1, '']);
    expect(ended.out).toContain(
      'Uploaded: s3://models/reports/1/clashes.jsonl  s3://models/reports/1/clashes.csv',
    );
    const ids = (text: string) => text.split('\n').map((line) => line.slice(0, 30));
    expect(ids(readFileSync(join(output, 'clashes.jsonl'), 'utf8'))).toEqual(ids(expected));
    const sent = readFileSync(join(folder, 'storage/models/reports/1/clashes.jsonl._S3rver_object'));
    expect(sent.equals(readFileSync(join(output, 'clashes.jsonl')))).toBe(true);
  });

  test.each([
    ['info', 's3://models/none.impinge', /s3:\/\/models\/none.impinge: cannot be read: NotFound \(404\)/],
    ['info', 's3://models', /not a model|not of the form|only stores/],
    ['pack', 's3://none/plant.impinge', /s3:\/\/none\/plant.impinge: cannot be written/],
    ['pack', 'https://example.com/plant.impinge', /files are uploaded to s3:/],
  ])('%s %s is an error', async (command, name, message) => {
    const args = command === 'pack' ? [model, '-o', name] : [name];
    const { code, err } = await impinge(command, ...args);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
