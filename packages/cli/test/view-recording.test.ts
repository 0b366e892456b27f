/** Recordings in views: which are taken, and where the page finds them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readReplayed } from '../src/commands/view-recording.js';
import { exportView } from '../src/server/export-view.js';
import { View } from '../src/server/view.js';
import { temporaryFolder } from './files.js';
import { recordingBytes } from './recording-file.js';
import { impinge } from './run-impinge.js';
import { ask, PAGE, smallModel } from './view-requests.js';

const STEP = { hits: [], collideMs: 0.4, prefetchMs: 0.1 };
const FLIGHT = {
  ...{ model: 'x.impinge', metresPerUnit: 1 },
  steps: [STEP, { ...STEP, hits: [{ object: 1, point: [1, 0, 0], distance: [0, 0.1] }] }],
};
const BYTES = recordingBytes(2, { flight: FLIGHT });

function written(bytes: Uint8Array): string {
  const path = join(temporaryFolder(), 'flight.glb');
  writeFileSync(path, bytes);
  return path;
}

describe('a recording', () => {
  const beyond = { object: 2, point: [1, 0, 0], distance: [0, 0] };
  test.each([
    ['is of another model', { ...FLIGHT, metresPerUnit: 0.001 }, /flight through another model: x\.impinge/],
    [
      'hits an object that is not there',
      { ...FLIGHT, steps: [STEP, { ...STEP, hits: [beyond] }] },
      /flight through another model/,
    ],
    ['has too few steps', { ...FLIGHT, steps: [STEP] }, /"flight.steps" is wrong/],
    ['has a wrong step', { ...FLIGHT, steps: [STEP, { hits: [] }] }, /"flight.steps\[1\]" is wrong/],
  ])('that %s is refused', async (_, flight, message) => {
    const path = written(recordingBytes(2, { flight }));
    await expect(readReplayed(path, await smallModel(), false)).rejects.toThrowError(message);
  });

  test('that is something else is refused; a flight wants its model', async () => {
    const model = await smallModel();
    await expect(readReplayed(written(Uint8Array.of(1, 2)), model, false)).rejects.toThrowError(
      /flight\.glb: not a recording: it is not a GLB/,
    );
    await expect(readReplayed(written(BYTES), model, true)).rejects.toThrowError(/name that model, too/);
    const { code, err } = await impinge('view');
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^impinge: name a model.*\n$/) });
  });

  test('is served as it is, and exported; without one there is none', async () => {
    const model = await smallModel();
    const path = written(BYTES);
    const replayed = await readReplayed(path, model, false);
    const rest = { page: PAGE, model, report: undefined };
    for (const given of [replayed, undefined]) {
      const onError = (error: unknown) => {
        throw error;
      };
      const view = await View.start({ ...rest, replayed: given, levels: undefined, port: 0, onError });
      const base = new URL(view.address).pathname;
      const manifest = JSON.parse((await ask(view.address, `${base}view.json`)).body.toString());
      expect(manifest.recording).toEqual(given ? { url: 'recording.glb', isModel: false } : null);
      const { status, body } = await ask(view.address, `${base}recording.glb`);
      expect(status).toBe(given ? 200 : 404);
      if (given) expect(body.equals(readFileSync(path))).toBe(true);
      await view.stop();
    }
    const folder = temporaryFolder();
    const target = join(folder, 'export');
    const { signal } = new AbortController();
    await exportView({ ...rest, replayed, title: 'x', folder: target, signal });
    expect(readFileSync(join(target, 'recording.glb')).equals(readFileSync(path))).toBe(true);
    expect(JSON.parse(readFileSync(join(target, 'view.json'), 'utf8')).recording.isModel).toBe(false);
    await exportView({ ...rest, title: 'x', folder: target, signal });
    expect(existsSync(join(target, 'recording.glb'))).toBe(false);
  });
});
