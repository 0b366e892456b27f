/** The whole-model check: finds what measuring every pair finds, whatever the cap, the executor and the order. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { arena } from 'impinge/internal/base/arena.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plant } from '../../../../lab/scenes/dist/plant/index.js';
import { box, icosphere, torusKnot } from '../../../../lab/scenes/index.mjs';
import { every, FAST, full, runs } from '../../../../test/budget.js';
import { type CheckBatch, type CheckOptions, type CheckStats, check } from '../../src/check/check.js';
import type { Clash } from '../../src/check/clash.js';
import { CLASH_KINDS } from '../../src/check/clash-kinds.js';
import { LEAST_MEMORY } from '../../src/check/planning.js';
import * as built from '../../src/index.js';
import { modelPool, openStoreFile, modelPool as poolFromSource } from '../../src/node/index.js';
import { openStore } from '../../src/store/open.js';
import { MemorySource, type PageSource } from '../../src/store/page-source.js';
import type { ShapeArrays, SourceShape } from '../../src/store/source.js';
import { moved, named, readySource, slowSource, storeBytes, storeOf } from '../store/fixtures.js';
import { type ArrayShape, bruteForce, pairKey, recipes, shapesOf, sorted } from './scenes.js';
import { ask } from './support.js';

const GB = 2 ** 30;
const folder = mkdtempSync(join(tmpdir(), 'impinge-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BOX = box(1, 1, 1) as ShapeArrays;
const BALL = icosphere(4) as ShapeArrays;

/** Checks a store in memory to the end. */
async function found(
  source: PageSource,
  options: CheckOptions = {},
): Promise<{ clashes: Clash[]; stats: CheckStats }> {
  const run = check(await openStore(source), options);
  const clashes: Clash[] = [];
  for await (const clash of run) clashes.push(clash);
  return { clashes, stats: run.stats };
}

/** A row of balls, each reaching into the next. */
function row(count: number, geometry: ShapeArrays = BALL): SourceShape[] {
  return Array.from({ length: count }, (_, i) => ({
    geometry,
    objects: [named(`row/${String(i).padStart(3, '0')}`, moved(1.75 * i, 0, 0))],
  }));
}

/** More of it than a batch of results holds. */
let longRow: Uint8Array | undefined;
async function longRowBytes(): Promise<Uint8Array> {
  longRow ??= await storeBytes(row(600, icosphere(2) as ShapeArrays));
  return longRow;
}

describe('a check finds what every pair measured by itself has', () => {
  full.each([
    [61, 8192, 0],
    [62, 64, 0.2],
    [63, 100, 0],
  ])('seed %i, in pieces of %i triangles, clearance %d', async (seed, pieceTriangles, clearance) => {
    await fc.assert(
      fc.asyncProperty(recipes, async (recipe) => {
        const list = shapesOf(recipe);
        const model = await openStore(await storeOf(list, { pieceTriangles }));
        const expected = bruteForce(model, list, { ...ask, clearance });
        const run = check(model, { clearance, kinds: CLASH_KINDS });
        const clashes: Clash[] = [];
        for await (const clash of run) clashes.push(clash);
        const keys = clashes.map(({ a, b }) => pairKey(a.id, b.id));
        expect([...keys].sort()).toEqual([...expected.keys()].sort());
        clashes.forEach((clash, i) => {
          const { kind, form, distance, depth, depthBound, trianglePairs, box } = expected.get(keys[i])!;
          expect(clash).toMatchObject({ kind, form, trianglePairs });
          expect(clash.distance).toBeCloseTo(distance, 9);
          // both searches say where the depth lies
          expect(clash.depth).toBeLessThanOrEqual(depthBound + 1e-9);
          expect(depth).toBeLessThanOrEqual(clash.depthBound + 1e-9);
          for (let k = 0; k < 3; k++) {
            expect(clash.box.min[k]).toBeCloseTo(box.min[k], 9);
            expect(clash.box.max[k]).toBeCloseTo(box.max[k], 9);
          }
        });
        expect(run.stats).toMatchObject({ checked: run.stats.pairs, clashes: clashes.length });
      }),
      { seed, numRuns: runs(20) },
    );
  });
});

describe('neither the cap nor the number of threads nor the order changes what is found', () => {
  /** Rings of knots, balls and boxes, in pieces, several megabytes of them. */
  async function crowd(): Promise<string> {
    const knot = torusKnot(2, 3, 1, 0.3, 60, 10) as ShapeArrays;
    const list: SourceShape[] = [];
    for (let i = 0; i < 40; i++) {
      const geometry = [knot, icosphere(6, 0.9) as ShapeArrays, box(1, 2, 0.5) as ShapeArrays][i % 3];
      const angle = (2 * Math.PI * i) / 40;
      const at = moved(9 * Math.cos(angle), 9 * Math.sin(angle), 0.1 * (i % 4));
      list.push({ geometry, objects: [named(`ring/${i}`, at)] });
    }
    const path = join(folder, 'crowd.impinge');
    writeFileSync(path, await storeBytes(list, { pieceTriangles: 200 }));
    return path;
  }

  full('caps from the least to 1 GB, one, two and four threads', async () => {
    const path = await crowd();
    const results: string[] = [];
    const caps: readonly [workers: number, ...memory: number[]][] = [
      [0, LEAST_MEMORY, 30e6, GB],
      [1, LEAST_MEMORY],
      [2, 2 * LEAST_MEMORY, GB],
      [4, 4 * LEAST_MEMORY, 30e6],
    ];
    for (const [workers, ...memories] of caps) {
      for (const memory of memories) {
        const model = await openStoreFile(path);
        const pool = modelPool(workers);
        const run = built.check(model, { clearance: 0.1, kinds: CLASH_KINDS, memory, pool });
        const clashes: Clash[] = [];
        for await (const clash of run) clashes.push(clash);
        await pool.dispose();
        await model.dispose();
        expect(run.stats.peakBytes).toBeLessThanOrEqual(memory);
        expect(run.stats.loadsPerTriangle).toBeGreaterThanOrEqual(1);
        expect(run.stats.checked).toBe(run.stats.pairs);
        results.push(JSON.stringify(sorted(clashes)));
      }
    }
    expect(JSON.parse(results[0]).length).toBeGreaterThan(30);
    for (const result of results) expect(result).toBe(results[0]);
  });
});

describe('the cap', () => {
  let balls: PageSource;
  let knots: PageSource;
  /** What the knots have where both fit. */
  let crossing: Clash;

  beforeAll(async () => {
    balls = await storeOf(row(16, icosphere(48) as ShapeArrays));
    const geometry = torusKnot(2, 3, 1, 0.25, FAST ? 500 : 1000, 40) as ShapeArrays;
    const objects = [named('a'), named('b', moved(0.05, 0.01, 0.02))];
    knots = await storeOf(objects.map((object) => ({ geometry, objects: [object] })));
    [crossing] = (await found(knots)).clashes;
  });

  full.each(every([4, 6, 12], 3))(
    'of %i MB holds for a model that takes 16 MB, and hardly anything is read twice',
    async (cap) => {
      const { clashes, stats } = await found(balls, {
        memory: cap * 2 ** 20,
        kinds: ['clearance'],
        clearance: 1e-3,
      });
      expect(clashes).toHaveLength(0); // they cross, which nobody asked for
      expect(stats).toMatchObject({ pairs: 15, checked: 15, triangles: 16 * 46_080 });
      expect(stats.bytesRead).toBeGreaterThan(6 * 2 ** 20);
      expect(stats.peakBytes).toBeLessThanOrEqual(cap * 2 ** 20);
      expect(stats.loadsPerTriangle).toBeLessThan(1.6);
      expect(stats.tasks).toBeGreaterThan(1);
    },
  );

  full.each(every([4, 8, 16], 3))('of %i MB holds where two objects do not fit into it', async (cap) => {
    const { clashes, stats } = await found(knots, { memory: cap * 2 ** 20 });
    expect(stats.peakBytes).toBeLessThanOrEqual(cap * 2 ** 20);
    const { id, kind, trianglePairs, box: contact } = crossing;
    expect(clashes).toMatchObject([{ id, kind, trianglePairs }]);
    for (let k = 0; k < 3; k++) {
      expect(clashes[0].box.min[k]).toBeCloseTo(contact.min[k], 9);
      expect(clashes[0].box.max[k]).toBeCloseTo(contact.max[k], 9);
    }
  });
});

test('a cap below the least that a thread needs is refused', async () => {
  const model = await openStore(await storeOf(row(2)));
  for (const memory of [0, -1, Number.NaN, LEAST_MEMORY - 1]) {
    expect(() => check(model, { memory })).toThrow(ImpingeError);
  }
  expect(() => check(model, { memory: LEAST_MEMORY, pool: poolFromSource(2) })).toThrow(/per worker/);
});

describe('a check under way', () => {
  test('names an object once, however many clashes it has', async () => {
    const model = await openStore(new MemorySource(await storeBytes(row(3))));
    const clashes: Clash[] = [];
    for await (const clash of check(model, { kinds: ['hard', 'touch'] })) clashes.push(clash);
    expect(clashes).toHaveLength(2);
    const middle = clashes.flatMap(({ a, b }) => [a, b]).filter(({ path }) => path === 'row/001');
    expect(middle).toHaveLength(2);
    expect(middle[0]).toBe(middle[1]);
  });

  full('reports every pair once, and progress that only grows', async () => {
    const source = await storeOf(row(200));
    const options: CheckOptions = { kinds: ['touch'], tolerance: 1 }; // nothing to measure deeply
    const progress: number[] = [];
    const run = check(await openStore(source), {
      ...options,
      onProgress: ({ done, total, clashes }) => {
        expect(total).toBe(199);
        expect(clashes).toBeGreaterThanOrEqual(0);
        progress.push(done);
      },
    });
    const batches: CheckBatch[] = [];
    for await (const batch of run.batches()) batches.push(batch);
    const pairs = batches.flatMap((batch) => [...batch.pairs]);
    expect(pairs.sort((a, b) => a - b)).toEqual(Array.from({ length: 199 }, (_, i) => i));
    expect(progress.length).toBeGreaterThan(1);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBe(199);
    const clashes = batches.flatMap((batch) => batch.clashes);
    expect(sorted(clashes)).toEqual(sorted((await found(source, options)).clashes));
    expect(clashes).toHaveLength(199);
    expect(run.stats.clashes).toBe(clashes.length);
  });

  test('leaves out what is done; the two halves are the whole', async () => {
    const bytes = await storeBytes(row(30));
    const whole = await found(new MemorySource(bytes));
    const halves = await Promise.all(
      [0, 1].map((odd) => found(new MemorySource(bytes), { done: (pair) => pair % 2 === odd })),
    );
    for (const { clashes, stats } of halves) {
      expect(stats).toMatchObject({ pairs: 29, checked: 29 });
      expect(clashes.length).toBeLessThan(29);
    }
    expect(sorted(halves.flatMap(({ clashes }) => clashes))).toEqual(sorted(whole.clashes));
    const nothing = await found(new MemorySource(bytes), { done: () => true });
    expect(nothing).toMatchObject({ clashes: [], stats: { pairs: 29, checked: 29, loads: 0 } });
  });

  full.each(every(['read at once', 'read in its own time'], 2))(
    'stops at a signal and frees everything, %s',
    async (how) => {
      const bytes = await longRowBytes();
      await found(await storeOf(row(2))); // work space that is kept
      const before = arena().usedBytes;
      let reads = 0;
      const source = (how === 'read at once' ? readySource : slowSource)(bytes, () => reads++);
      const controller = new AbortController();
      let batches = 0;
      const run = check(await openStore(source), { signal: controller.signal });
      const work = async () => {
        for await (const _ of run.batches()) {
          batches++;
          controller.abort();
        }
      };
      await expect(work()).rejects.toMatchObject({ code: 'aborted' });
      expect(batches).toBe(1);
      expect(arena().usedBytes).toBe(before);
      // nobody goes on behind the caller's back: that would read a page or two every time it may
      const readByThen = reads;
      for (let i = 0; i < 100; i++) await new Promise((resolve) => setImmediate(resolve));
      expect(reads).toBe(readByThen);
      expect(arena().usedBytes).toBe(before);
      const late = found(new MemorySource(bytes), { signal: AbortSignal.abort() });
      await expect(late).rejects.toMatchObject({ code: 'aborted' });
    },
  );

  const READ = every(
    [
      ['at once', readySource],
      ['in its own time', slowSource],
    ] as const,
    2,
  );
  test.each(READ)('read %s, hands over what is finished before it tells of an error', async (_, sourceOf) => {
    const bytes = await longRowBytes();
    const before = arena().usedBytes;
    let read = 0;
    const source = sourceOf(bytes, (length) => {
      read += length;
      if (read > 0.97 * bytes.length) throw new Error('the network is down');
    });
    const run = check(await openStore(source), { kinds: ['touch'], tolerance: 1 });
    let pairs = 0;
    const work = async () => {
      for await (const batch of run.batches()) {
        pairs += batch.pairs.length;
        // long enough for all the rest, and for the error
        for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await expect(work()).rejects.toThrow('the network is down');
    expect(pairs).toBe(run.stats.checked);
    expect(pairs).toBeGreaterThan(400);
    expect(pairs).toBeLessThan(599);
    expect(arena().usedBytes).toBe(before);
  });

  test('that its caller leaves early frees everything', async () => {
    const source = new MemorySource(await longRowBytes());
    const before = arena().usedBytes;
    const run = check(await openStore(source));
    for await (const clash of run) {
      expect(clash.kind).toBe('hard');
      break;
    }
    expect(arena().usedBytes).toBe(before);
    await expect(run[Symbol.asyncIterator]().next()).rejects.toThrow(/once/);
  });

  test.each(every(['read at once', 'read in its own time', 'by two threads'], 3))(
    'names the page that was altered, %s',
    async (how) => {
      const bytes = await storeBytes(row(40));
      const { directory } = await openStore(new MemorySource(bytes));
      const piece = 17;
      bytes[directory.pieceByteOffset[piece] + 200] ^= 1;
      const before = arena().usedBytes;
      const expected = `page ${piece} of the store was altered: it does not match its checksum`;
      if (how === 'by two threads') {
        const path = join(folder, 'altered.impinge');
        writeFileSync(path, bytes);
        const model = await openStoreFile(path);
        const clashes = built.check(model, { pool: modelPool(2) })[Symbol.asyncIterator]();
        const work = async () => {
          while (!(await clashes.next()).done);
        };
        await expect(work()).rejects.toMatchObject({ code: 'bad-buffer', message: expected });
        await model.dispose();
        return;
      }
      const source = how === 'read at once' ? new MemorySource(bytes) : slowSource(bytes);
      const altered = { code: 'bad-buffer', message: expected, detail: { piece } };
      await expect(found(source)).rejects.toMatchObject(altered);
      expect(arena().usedBytes).toBe(before);
    },
  );

  test('threads only check files', async () => {
    const model = await openStore(await storeOf(row(5)));
    const run = check(model, { pool: poolFromSource(2) });
    await expect(run[Symbol.asyncIterator]().next()).rejects.toThrow(/in a file/);
  });
});

describe('rules', () => {
  const near = (path: string, x: number): ArrayShape => ({
    geometry: BOX,
    objects: [named(path, moved(x, 0, 0))],
  });
  // gaps between neighbours: 0.25, 0.25, 0.5
  const list = [near('pipe/1', 0), near('wall/1', 1.25), near('pipe/2', 2.5), near('duct/1', 4)];
  const pairsOf = (clashes: readonly Clash[]) =>
    clashes.map(({ a, b, rule }) => `${pairKey(a.id, b.id)} (${rule})`).sort();

  test('each with its own clearance', async () => {
    const source = await storeOf(list);
    const rules = [
      { name: 'tight', a: 'pipe/**', b: 'wall/**', clearance: 0.2 },
      { name: 'wide', a: 'duct/**', clearance: 0.6 },
    ];
    expect(pairsOf((await found(source, { rules })).clashes)).toEqual(['duct/1 – pipe/2 (wide)']);
    const looser = [{ ...rules[0], clearance: 0.3 }, rules[1]];
    const { clashes } = await found(source, { rules: looser });
    expect(pairsOf(clashes)).toEqual([
      'duct/1 – pipe/2 (wide)',
      'pipe/1 – wall/1 (tight)',
      'pipe/2 – wall/1 (tight)',
    ]);
    expect(clashes.map(({ distance }) => distance).sort()).toEqual([0.25, 0.25, 0.5]);
  });
});

describe('solids of many triangles', () => {
  const FREQUENCIES = FAST ? [10, 20] : [10, 40, 80];
  const ball = (frequency: number, radius: number, at?: Float64Array): ArrayShape => ({
    geometry: icosphere(frequency, radius) as ShapeArrays,
    objects: [named(`ball ${frequency} ${radius}`, at)],
  });

  full.each(FREQUENCIES)(
    'frequency %i: as deep as the inner one is large, or as they overlap',
    async (frequency) => {
      const [outer, inner] = [ball(frequency, 1), ball(frequency, 0.9, moved(0.02, 0.01, 0))];
      const { clashes: nested } = await found(await storeOf([outer, inner]));
      expect(nested).toMatchObject([{ kind: 'inside' }]);
      expect(nested[0].depth).toBeGreaterThan(0.88);
      expect(nested[0].depth).toBeLessThan(0.9);
      const { clashes } = await found(await storeOf([outer, ball(frequency, 0.9, moved(1.5, 0, 0))]));
      expect(clashes).toMatchObject([{ kind: 'hard', form: 'protruding' }]);
      expect(Math.abs(clashes[0].depth / 0.4 - 1)).toBeLessThan(0.03);
    },
  );
});

describe('a plant', () => {
  const CLASHES = FAST ? 40 : 60;

  full(`with ${CLASHES} clashes: exactly these, with their measures, seed 5`, async () => {
    const made = plant({ triangles: 1000 * CLASHES, seed: 5, clashes: CLASHES });
    const truth = made.truth();
    const source = await storeOf(made.shapes() as Iterable<SourceShape>, { pieceTriangles: 300 });
    const { clashes } = await found(source, { clearance: 0.05, memory: 8 * 2 ** 20 });
    const byPair = new Map(clashes.map((clash) => [pairKey(clash.a.id, clash.b.id), clash]));
    expect([...byPair.keys()].sort()).toEqual(truth.clashes.map(({ a, b }) => pairKey(a, b)).sort());
    for (const { a, b, kind, form, depth, distance } of truth.clashes) {
      const clash = byPair.get(pairKey(a, b))!;
      expect(clash).toMatchObject({ kind, form });
      if (depth !== undefined) expect(Math.abs(clash.depth / depth - 1)).toBeLessThan(0.01);
      if (distance !== undefined) expect(Math.abs(clash.distance / distance - 1)).toBeLessThan(0.01);
    }
    for (const { a, b } of truth.decoys) expect(byPair.has(pairKey(a, b))).toBe(false);
    expect(truth.decoys.length).toBeGreaterThan(0);
    expect(new Set(truth.clashes.map(({ kind }) => kind)).size).toBe(4);
  });
});
