/** Checks on a queue of stores on a server and in object storage: workers read them there, with the same findings. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../cli/test/files.js';
import { boxRow, impinge, start } from '../../cli/test/run-impinge.js';
import { httpServer, objectStorage } from './local-servers.js';
import {
  BACKENDS,
  checkArguments,
  contents,
  differences,
  endStarted,
  isMissing,
  PATIENT,
  startService,
  startWorker,
} from './queue-processes.js';

endStarted();

const folder = temporaryFolder();
const plant = join(folder, 'plant.impinge');
const IN_STORAGE = 's3://models/plant.impinge';
/** The file behind an object in the test server's storage. */
const storedFile = (name: string) => `${name.replace('s3:/', join(folder, 'storage'))}._S3rver_object`;
const backend = BACKENDS.find((one) => !isMissing(one));

describe.skipIf(backend === undefined)('a worker elsewhere', () => {
  let server: Server | undefined;
  let endStorage: (() => Promise<void>) | undefined;
  let onServer = '';

  beforeAll(async () => {
    await impinge('generate', '-o', plant, '--triangles', '60K', '--clashes', '10', '--seed', '3');
    const bytes = readFileSync(plant);
    const served = await httpServer(({ headers }, response) => {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
      if (from === undefined) return response.writeHead(404).end();
      response.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/${bytes.length}`, ETag: '"one"' });
      response.end(bytes.subarray(Number(from), Number(to) + 1));
    });
    server = served.server;
    onServer = `${served.base}/plant.impinge?key=geheim`;
    endStorage = await objectStorage(join(folder, 'storage'), 'models');
    const { code, err } = await impinge('pack', plant, '-o', IN_STORAGE);
    expect(code, err).toBe(0);
  });
  afterAll(async () => {
    server?.close();
    await endStorage?.();
  });

  test('finds what is found from here, to the byte, in one store after the other', {
    timeout: 600_000,
  }, async () => {
    const { url } = await startService(backend!);
    const worker = startWorker(url, ...PATIENT);
    for (const [i, place] of [onServer, IN_STORAGE, onServer].entries()) {
      const [here, there] = [join(folder, `here ${i}`), join(folder, `there ${i}`)];
      const alone = await start(...checkArguments(place, here), '--workers', '1').ended;
      expect(alone.code, alone.err).toBe(1);
      const queued = await start(...checkArguments(place, there), '--queue', url).ended;
      expect(queued.code, queued.err).toBe(1);
      expect(differences(contents(there), contents(here))).toEqual([]);
      expect(queued.out + queued.err).not.toContain('geheim');
    }
    worker.child.kill('SIGTERM');
    const { code, out, err } = await worker.ended;
    expect(code, err).toBe(0);
    expect(out).not.toMatch(/^0 tasks/);
    expect(out + err).not.toContain('geheim');
  });

  test('packs into object storage what is packed here, and says where it could not', {
    timeout: 600_000,
  }, async () => {
    const { url } = await startService(backend!);
    const worker = startWorker(url, ...PATIENT);
    const files = ['one', 'two'].map((name, i) => {
      const path = join(folder, `${name}.obj`);
      writeFileSync(path, boxRow(name, 40, i));
      return path;
    });
    const here = join(folder, 'stores');
    const pack = async (...args: string[]) => start('pack', ...files, '--unit', 'm', ...args).ended;
    const alone = await pack('--each', '-o', here);
    expect(alone.code, alone.err).toBe(0);
    const queued = await pack('--each', '-o', 's3://models/stores/', '--queue', url, '--json');
    expect(queued.code, queued.err).toBe(0);
    const { stores } = JSON.parse(queued.out) as { stores: { store: string; objects: number }[] };
    expect(stores.map(({ store }) => store)).toEqual(
      ['one', 'two'].map((name) => `s3://models/stores/${name}.impinge`),
    );
    for (const [i, { store }] of stores.entries()) {
      const made = readFileSync(join(here, `${['one', 'two'][i]}.impinge`));
      expect(readFileSync(storedFile(store)).equals(made), store).toBe(true);
    }
    const whole = await pack('-o', 's3://models/both.impinge', '--queue', url);
    expect(whole.code, whole.err).toBe(0);
    expect(whole.out).toContain('s3://models/both.impinge: 80 objects');
    // with levels: made by the worker, and checked in place
    const small = join(folder, 'small.impinge');
    await impinge('generate', '-o', small, '--triangles', '20K', '--clashes', '5', '--seed', '4');
    const levels = async (output: string, ...more: string[]) => {
      const { code, err } = await start('pack', small, '--levels', '-o', output, ...more).ended;
      expect(code, err).toBe(0);
    };
    const [fine, fineThere] = [join(here, 'fine.impinge'), 's3://models/fine.impinge'];
    await levels(fine, '--workers', '1');
    await levels(fineThere, '--queue', url);
    expect(readFileSync(storedFile(fineThere)).equals(readFileSync(fine))).toBe(true);
    const [{ levels: there }] = JSON.parse((await start('info', fineThere, '--json').ended).out);
    expect(there.length).toBeGreaterThan(1);
    const [by, one] = [join(folder, 'by worker'), join(folder, 'by one')];
    const ends = [
      await start(...checkArguments(fineThere, by), '--queue', url).ended,
      await start(...checkArguments(fineThere, one), '--workers', '1').ended,
    ];
    expect(
      ends.map(({ code }) => code),
      ends[0].err,
    ).toEqual([1, 1]);
    expect(differences(contents(by), contents(one))).toEqual([]);
    const nowhere = await pack('-o', 's3://nowhere/both.impinge', '--queue', url);
    expect(nowhere.code).toBe(2);
    expect(nowhere.err).toMatch(/s3:\/\/nowhere\/both\.impinge: cannot be written: .*bucket/i);
    worker.child.kill('SIGTERM');
    const end = await worker.ended;
    expect(end.code, end.err).toBe(0);
    expect(end.out).toContain('4 stores packed');
  });
});
