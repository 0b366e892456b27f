/** Recorded flights in views: which are taken, and where the page finds them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFlight } from '../src/commands/view-flight.js';
import { exportView } from '../src/server/export-view.js';
import { View } from '../src/server/view.js';
import { temporaryFolder } from './files.js';
import { ask, PAGE, smallModel } from './view-requests.js';

const STEP = { pose: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2], hits: [], collideMs: 0.4, prefetchMs: 0.1 };
const RECORD = {
  ...{ version: 1, model: 'x.impinge', metresPerUnit: 1, interval: 0.1 },
  body: { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] },
  steps: [STEP, { ...STEP, hits: [{ object: 1, point: [1, 0, 0], distance: [0, 0.1] }] }],
};

function written(record: unknown): string {
  const path = join(temporaryFolder(), 'flight.json');
  writeFileSync(path, typeof record === 'string' ? record : JSON.stringify(record));
  return path;
}

describe('a recording', () => {
  test.each([
    ['is of another model', { ...RECORD, metresPerUnit: 0.001 }, /flight through another model: x\.impinge/],
    [
      'hits an object that is not there',
      { ...RECORD, steps: [{ ...STEP, hits: [{ object: 2, point: [1, 0, 0], distance: [0, 0] }] }] },
      /flight through another model/,
    ],
    ['has no steps', { ...RECORD, steps: [] }, /has no steps/],
    ['is something else', '{"version":2}', /flight\.json: not a recording of a flight/],
    ['is cut off', JSON.stringify(RECORD).slice(0, 90), /it is not JSON/],
  ])('that %s is refused', async (_, record, message) => {
    await expect(readFlight(written(record), await smallModel())).rejects.toThrowError(message);
  });

  test('is served as it is, and exported; without one there is none', async () => {
    const model = await smallModel();
    const path = written(RECORD);
    const flight = await readFlight(path, model);
    const rest = { page: PAGE, model, report: undefined };
    for (const given of [flight, undefined]) {
      const onError = (error: unknown) => {
        throw error;
      };
      const view = await View.start({ ...rest, flight: given, levels: undefined, port: 0, onError });
      const base = new URL(view.address).pathname;
      const manifest = JSON.parse((await ask(view.address, `${base}view.json`)).body.toString());
      expect(manifest.flight).toBe(given ? 'flight.json' : null);
      const { status, body } = await ask(view.address, `${base}flight.json`);
      expect(status).toBe(given ? 200 : 404);
      if (given) expect(body.equals(readFileSync(path))).toBe(true);
      await view.stop();
    }
    const folder = temporaryFolder();
    const target = join(folder, 'export');
    const { signal } = new AbortController();
    await exportView({ ...rest, flight, title: 'x', folder: target, signal });
    expect(readFileSync(join(target, 'flight.json')).equals(readFileSync(path))).toBe(true);
    expect(JSON.parse(readFileSync(join(target, 'view.json'), 'utf8')).flight).toBe('flight.json');
    await exportView({ ...rest, title: 'x', folder: target, signal });
    expect(existsSync(join(target, 'flight.json'))).toBe(false);
  });
});
