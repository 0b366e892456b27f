/** A body in a store with levels, in a file: what it will need is there before it comes. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mesh } from 'impinge';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { LevelsTarget, Session } from '../../src/index.js';
import { FileSink, FileSource } from '../../src/node/files.js';
import { openStore } from '../../src/store/open.js';
import type { PageSource } from '../../src/store/page-source.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { StoreWriter } from '../../src/store/writer.js';
import { moved, named } from '../store/fixtures.js';

const folder = await mkdtemp(join(tmpdir(), 'impinge-test-'));
afterAll(() => rm(folder, { recursive: true }));
const BALLS = 16;
const path = join(folder, 'lane.impinge');

/** A lane between lumpy balls, each of its own shape. */
async function lane(): Promise<void> {
  const file = await open(path, 'w');
  const writer = new StoreWriter(new FileSink(file), { levels: true, pieceTriangles: 512 });
  const { positions, indices } = icosphere(8, 0.5) as ShapeArrays;
  for (let i = 0; i < BALLS; i++) {
    const lumpy = positions.map((x, k) => x * (1 + 0.02 * Math.sin(i + k)));
    const objects = [named(`ball ${i}`, moved(i, i % 2 === 0 ? 0.6 : -0.6, 0))];
    await writer.add({ geometry: { positions: lumpy, indices }, objects });
  }
  await writer.finish({ title: 'lane', metresPerUnit: 1, files: [], recipe: '' });
  await file.close();
}

/** Reads of a file that are under way. */
class Watched implements PageSource {
  readonly #file: FileSource;
  #reading = 0;

  constructor(file: FileSource) {
    this.#file = file;
  }
  get byteLength(): number {
    return this.#file.byteLength;
  }
  async read(at: number, into: readonly Uint8Array[]): Promise<void> {
    this.#reading++;
    await this.#file.read(at, into).finally(() => this.#reading--);
  }
  readNow(at: number, into: readonly Uint8Array[]): void {
    this.#file.readNow(at, into);
  }
  /** What a program does between two steps, as long as it takes. */
  async pause(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#reading > 0);
  }
}

beforeAll(lane);

test.each([
  [0.0005, 'any'],
  [0.02, 'all'],
] as const)('error %d, %s: no step waits for the disk after the first two', async (error, mode) => {
  const file = await FileSource.open(path);
  const source = new Watched(file);
  const cap = 0.75 * 2 ** 20;
  const target = new LevelsTarget(await openStore(source), { memory: cap });
  const session = new Session(target);
  const mesh = Mesh.from(icosphere(3, 0.3));
  const body = session.add(mesh);
  const STEPS = 110;
  let met = 0;
  let waited = 0;
  for (let step = 0; step <= STEPS; step++) {
    body.move({ translation: [((BALLS - 1) * step) / STEPS, 0.1 * Math.sin(step / 10), 0] });
    met += (await body.hits({ distance: 0.05, mode, error })).count;
    if (step === 1) waited = target.stats.waits;
    await source.pause();
  }
  expect(met).toBeGreaterThan(STEPS / 2);
  expect(waited).toBeGreaterThan(0); // nobody could know where the body would be
  expect(target.stats.waits).toBe(waited);
  expect(target.stats.loads).toBeGreaterThan(2 * BALLS);
  expect(target.stats.evictions).toBeGreaterThan(BALLS);
  expect(target.stats.peakBytes).toBeLessThanOrEqual(cap);
  await target.dispose();
  await file.dispose();
  mesh.dispose();
});
