/**
 * Questions with an error that are odd, wrong, or come at a bad time: right answers, or errors that say what is wrong.
 */
import { Random } from '@impinge/scenes/random';
import { collide, distance, Mesh, within } from 'impinge';
import { describe, expect, test } from 'vitest';
import { every, FAST, full } from '../../../../test/budget.js';
import { LevelsTarget, StoredTarget } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { openStore } from '../../src/store/open.js';
import { MemorySource } from '../../src/store/page-source.js';
import { FAMILIES, type Shape } from '../levels/families.js';
import { moved, named, slowSource, storeBytes } from '../store/fixtures.js';
import { poseOf } from './originals.js';

const TRIANGLE = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
const triangle = (positions = TRIANGLE) => Mesh.from({ positions, indices: Uint32Array.of(0, 1, 2) });
const one = triangle();
const sheet = Mesh.from(FAMILIES['terrain'](16, new Random(1)));
const FEW = { pieceTriangles: 64 };
const sheetModel = await buildLevels(sheet, FEW);
const up = (z: number) => ({ translation: [0, 0, z] });

describe('an error that is none is refused', () => {
  test.each(
    every<[string, unknown]>(
      [
        ['NaN', Number.NaN],
        ['negative', -1e-9],
        ['without end', Infinity],
        ['a text', '1'],
        ['a function that gives NaN', () => Number.NaN],
        ['a function that gives Infinity', () => Infinity],
        ['a function that gives less than 0', () => -1],
        ['a function that gives nothing', () => undefined],
        ['a function that gives a promise', async () => 1],
      ],
      4,
    ),
  )('%s', async (_, error) => {
    const target = new LevelsTarget(sheetModel);
    const wrong = { error: error as number };
    const refused = { code: 'bad-option', message: expect.stringContaining('error') };
    const asked = [
      async () => within(target, one, { distance: 0.1, ...wrong }),
      async () => collide(one, target, wrong),
      async () => distance(target, target, wrong),
    ];
    for (const ask of asked) await expect(ask()).rejects.toMatchObject(refused);
    expect((await within(target, one, { distance: 1, error: 0.1 })).within).toBe(true);
    await target.dispose();
  });

  test('what a function throws comes through', async () => {
    const target = new LevelsTarget(sheetModel);
    const error = () => {
      throw new RangeError('mine');
    };
    await expect(within(target, one, { distance: 1, error })).rejects.toThrow('mine');
    await target.dispose();
  });
});

describe('a store without levels', () => {
  test('answers exactly whatever the error, in either kind of target', async () => {
    const geometry = FAMILIES['terrain'](16, new Random(1));
    const shape = { geometry, objects: [named('sheet')] };
    const model = await openStore(new MemorySource(await storeBytes([shape], FEW)));
    expect(model.hasLevels).toBe(false);
    const exact = distance(sheet, one, { pose: up(0.3) }).distance;
    const plain = new StoredTarget(model);
    expect((await distance(plain, one, { pose: up(0.3), error: 0.1 })).distance).toBe(exact);
    const target = new LevelsTarget(model);
    const found = await distance(target, one, { pose: up(0.3), error: 0.1 });
    expect([found.distance, ...found.bounds, found.error]).toEqual([exact, exact, exact, 0]);
    expect(target.errorsOf(0, 0)).toEqual({ out: 0, in: 0 });
    const other = new LevelsTarget(sheetModel);
    const asked = { pose: up(0.05), distance: 0.04 };
    const { count } = within(sheet, sheet, asked);
    expect(count).toBeGreaterThan(0);
    expect((await within(target, other, { ...asked, error: 0.1 })).count).toBe(count);
    expect((await within(other, target, { ...asked, error: 0.1 })).count).toBe(count);
    for (const own of [plain, target, other]) await own.dispose();
  });
});

describe('small and degenerate models', () => {
  test('one triangle', async () => {
    const target = new LevelsTarget(await buildLevels(one));
    const near = await within(target, one, { distance: 0.2, error: 0.01, pose: up(0.2) });
    expect([near.count, ...near.pairs, ...near.objects, ...near.pieces]).toEqual([1, 0, 0, 0, 0, 0, 0]);
    expect((await within(target, one, { distance: 0.2, error: 0.01, pose: up(0.2101) })).count).toBe(0);
    expect((await collide(target, one, { error: 1e-3 })).colliding).toBe(true);
    // through the middle of each other, corners and edges far away
    const across = triangle(Float32Array.of(0.2, 0.2, -1, 0.2, 0.2, 1, 9, 9, 0));
    expect((await collide(target, across, { error: 1e-3 })).colliding).toBe(true);
    across.dispose();
    await target.dispose();
  });

  test('what is reported is not farther apart than asked for, not even by rounding', async () => {
    const target = new LevelsTarget(await buildLevels(one));
    const random = new Random(1);
    let reported = 0;
    for (let run = 0; run < (FAST ? 30 : 150); run++) {
      const pose = poseOf(random, 1);
      const exact = distance(one, one, { pose }).distance;
      const apart = exact || 0.1;
      const asked = { distance: 0.5 * apart, error: 0.5 * apart * (1 + 1e-9) };
      const { patches, count } = await within(target, one, { ...asked, pose });
      reported += count;
      expect(patches!.bounds[1] ?? 0).toBeLessThanOrEqual(asked.distance + asked.error);
      const less = { pose, distance: 0.5 * apart, error: 0.5 * apart * (1 - 1e-9) };
      if (exact > 0) expect((await within(target, one, less)).count).toBe(0);
    }
    expect(reported).toBeGreaterThan(1);
    await target.dispose();
  });

  test('all triangles in one point', async () => {
    const point = Mesh.from(FAMILIES['point'](50, new Random(1))); // at (1, 2, 3)
    const target = new LevelsTarget(await buildLevels(point));
    const at = (z: number) => ({ translation: [0.9, 1.9, 3 - z] });
    expect((await within(target, one, { distance: 0.1, error: 0.1, pose: at(0.1) })).within).toBe(true);
    expect((await within(target, one, { distance: 0.1, error: 0.1, pose: at(0.2001) })).within).toBe(false);
    const { bounds } = await distance(target, one, { error: 0.1, pose: at(0.5) });
    expect(bounds[0]).toBeLessThanOrEqual(0.5);
    expect(bounds[1]).toBeGreaterThanOrEqual(0.5);
    expect((await collide(target, target, { error: 1e-3 })).colliding).toBe(true);
    await target.dispose();
    point.dispose();
  });

  full('ten thousand objects of one triangle', async () => {
    const count = 10_000;
    const objects = Array.from({ length: count }, (_, i) =>
      named(`${i}`, moved(2 * (i % 100), 2 * Math.floor(i / 100), 0)),
    );
    const geometry = { positions: TRIANGLE, indices: Uint32Array.of(0, 1, 2) };
    const bytes = await storeBytes([{ geometry, objects }], { levels: true });
    const target = new LevelsTarget(await openStore(new MemorySource(bytes)));
    const found = await within(target, one, {
      ...{ distance: 0.2, error: 0.1, pose: { translation: [40, 10, 0.1] } },
    });
    expect([...found.objects]).toEqual([520, 0]);
    const nearest = await distance(target, one, { error: 0.1, pose: { translation: [198, 10, 7] } });
    expect(nearest.objectA).toBe(599);
    expect(nearest.bounds[0]).toBeLessThanOrEqual(7);
    expect(nearest.bounds[1]).toBeGreaterThanOrEqual(7);
    const some = await within(target, one, { distance: 1e6, error: 1e5, limit: 50 });
    expect([some.count, new Set(some.objects).size]).toEqual([50, 50]);
    await target.dispose();
  });

  /** Numbers whose squares and cubes float32 cannot hold. */
  test.each(every([1e-8, 1e-30, 1e-20, 1e-11, 1e-10, 1e-9, 1e-7, 1e9, 1e17], 9))(
    'of size %s',
    async (size) => {
      const random = new Random(1);
      const soup = () => {
        const positions = new Float32Array(180);
        for (let t = 0; t < 20; t++) {
          const spread = t % 2 ? 1 : 1e-3;
          const centre = [0, 1, 2].map(() => 2 * random.next() - 1);
          for (let k = 0; k < 9; k++)
            positions[9 * t + k] = size * (centre[k % 3] + spread * (random.next() - 0.5));
        }
        return Mesh.from({ positions, indices: Uint32Array.from({ length: 60 }, (_, i) => i) });
      };
      const [a, b] = [soup(), soup()];
      const target = new LevelsTarget(await buildLevels(a));
      let reported = 0;
      for (let run = 0; run < (FAST ? 10 : 30); run++) {
        const pose = poseOf(random, size);
        const asked = { distance: 0.01 * size, error: 0.001 * size };
        const found = await within(target, b, { ...asked, pose });
        reported += found.count;
        const exact = distance(a, b, { pose }).distance;
        if (exact < 0.01 * size * (1 - 1e-9)) expect(found.within).toBe(true);
        if (exact > 0.011 * size * (1 + 1e-9)) expect(found.within).toBe(false);
        const { bounds } = found.patches!;
        for (let i = 0; i < bounds.length; i += 2) {
          expect(bounds[i + 1]).toBeLessThanOrEqual(0.011 * size * (1 + 1e-15));
          expect(bounds[i + 1]).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
        }
      }
      expect(reported).toBeGreaterThan(0);
      await target.dispose();
      a.dispose();
      b.dispose();
    },
  );
});

test('an error below rounding leaves nothing out', async () => {
  const target = new LevelsTarget(await buildLevels(one));
  for (const error of [Number.MIN_VALUE, 1e-30, 1e-17, 1e-15]) {
    for (let k = 1; k < 30; k++) {
      const z = k / 7;
      const found = await within(target, one, { distance: z, pose: up(z), error });
      expect(`${error} ${z} ${found.count}`).toBe(`${error} ${z} 1`);
      expect(found.patches!.bounds[1]).toBeGreaterThanOrEqual(z * (1 - 1e-15));
    }
  }
  await target.dispose();
});

full('a limit is kept, and the first answers are those without it', async () => {
  const waves: Shape = FAMILIES['terrain'](25, new Random(3));
  const mesh = Mesh.from(waves);
  const target = new LevelsTarget(await buildLevels(mesh));
  const asked = { distance: 0.03, error: 1e-6, patch: 0 };
  const all = await within(target, mesh, asked);
  expect(all.complete).toBe(true);
  // more than fit into what a kernel hands over at once
  expect(all.count).toBeGreaterThan(2500);
  for (const limit of [1, 7, 1365, 1366, 2000]) {
    const some = await within(target, mesh, { ...asked, limit });
    expect([some.count, some.complete]).toEqual([limit, false]);
    expect(some.pairs).toEqual(all.pairs.slice(0, 2 * limit));
    expect(some.patches!.bounds).toEqual(all.patches!.bounds.slice(0, 2 * limit));
  }
  const any = await within(target, mesh, { ...asked, mode: 'any' });
  expect([any.count, any.complete]).toEqual([1, false]);
  expect((await within(target, mesh, { ...asked, limit: all.count })).pairs).toEqual(all.pairs);
  await target.dispose();
  mesh.dispose();
});

test('a mesh whose vertices moved is asked about where it is', async () => {
  const target = new LevelsTarget(await buildLevels(one));
  const mesh = triangle(TRIANGLE.map((x, i) => (i % 3 === 2 ? 10 : x)));
  const asked = { distance: 0.3, error: 0.1 };
  expect((await within(target, mesh, asked)).within).toBe(false);
  mesh.setPositions(TRIANGLE.map((x, i) => (i % 3 === 2 ? 0.2 : x)));
  expect((await within(target, mesh, asked)).within).toBe(true);
  expect((await distance(mesh, target, { error: 0.01 })).distance).toBeCloseTo(0.2);
  mesh.dispose();
  expect(() => within(target, mesh, asked)).toThrow('disposed');
  await target.dispose();
});

describe('pages that come late', async () => {
  const objects = Array.from({ length: 9 }, (_, i) =>
    named(`${i}`, moved(1.5 * (i % 3), 1.5 * Math.floor(i / 3), 0)),
  );
  const geometry = FAMILIES['terrain'](12, new Random(5));
  const bytes = await storeBytes([{ geometry, objects }], { levels: true, pieceTriangles: 64 });

  test('questions at the same time get the answers they get one by one', async () => {
    const poses = Array.from({ length: 12 }, (_, i) => ({
      translation: [0.4 * (i % 4), 0.9 * Math.floor(i / 4), 0.4 - 0.02 * i],
    }));
    const oneByOne = new LevelsTarget(await openStore(new MemorySource(bytes)));
    const asking = (target: LevelsTarget) => async (pose: (typeof poses)[number]) => {
      // while those of other poses read pages, too
      const { pairs } = await within(target, one, { pose, error: 0.002, distance: 0.3 });
      const { distance: apart, bounds, objectA } = await distance(target, one, { pose, error: 0.002 });
      return { apart, bounds, objectA, pairs };
    };
    const alone = [];
    for (const pose of poses) alone.push(await asking(oneByOne)(pose));
    const target = new LevelsTarget(await openStore(slowSource(bytes)));
    expect(await Promise.all(poses.map(asking(target)))).toEqual(alone);
    const other = new LevelsTarget(await openStore(slowSource(bytes)));
    const apart = (pose: (typeof poses)[number]) => distance(other, one, { pose, error: 0.002 });
    const all = await Promise.all(poses.map(apart));
    expect(all.map(({ bounds }) => bounds)).toEqual(alone.map(({ bounds }) => bounds));
    await other.dispose();
    await target.dispose();
    await oneByOne.dispose();
  });

  full('a page that was altered after opening is told of, and the rest can be asked', async () => {
    const own = bytes.slice();
    const model = await openStore(slowSource(own));
    const whole = await openStore(new MemorySource(bytes));
    const at = model.directory.pieceByteOffset;
    const target = new LevelsTarget(model, { memory: 2 ** 27 });
    const other = new LevelsTarget(whole);
    for (let piece = 0; piece < model.pieceCount; piece++) own[at[piece] + 40] ^= 1;
    const altered = { code: 'bad-buffer', message: expect.stringContaining('altered') };
    const pose = up(0.1);
    for (const error of [0, 0.002, 0.2]) {
      const asked = { pose, distance: 0.2, error };
      await expect(within(target, other, asked)).rejects.toMatchObject(altered);
      await expect(within(other, target, asked)).rejects.toMatchObject(altered);
      await expect(distance(target, other, { pose, error })).rejects.toMatchObject(altered);
      await expect(distance(other, target, { pose, error })).rejects.toMatchObject(altered);
      await expect(collide(target, one, { error })).rejects.toMatchObject(altered);
    }
    own.set(bytes);
    const how = { pose, error: 0.002 };
    const asked = { ...how, distance: 0.2 };
    expect(await within(target, one, asked)).toEqual(await within(other, one, asked));
    expect(await distance(target, other, how)).toEqual(await distance(other, other, how));
    for (const own of [target, other]) await own.dispose();
  });
});

full('a question that fails holds nothing in memory', async () => {
  const objects = Array.from({ length: 8 }, (_, i) => named(`${i}`, moved(2 * i, 0, 0)));
  const geometry = FAMILIES['terrain'](8, new Random(5));
  const bytes = await storeBytes(
    objects.map((object) => ({ geometry: { ...geometry }, objects: [object] })),
    { levels: true },
  );
  const whole = new LevelsTarget(await openStore(new MemorySource(bytes)), { memory: 1 });
  let gone = false;
  const refuse = () => {
    if (gone) throw new Error('gone');
  };
  const failing = new LevelsTarget(await openStore(slowSource(bytes, refuse)));
  gone = true;
  for (let i = 0; i < 8; i++) {
    const options = { error: 0.001, poseA: { translation: [2 * i, 0, 0.3] } };
    await expect(distance(whole, failing, options)).rejects.toThrow('gone');
    await expect(distance(failing, whole, options)).rejects.toThrow('gone');
  }
  // with next to no memory, what nobody holds goes as soon as something else comes
  expect(whole.stats.loads - whole.stats.evictions).toBeLessThanOrEqual(1);
  await whole.dispose();
  await failing.dispose();
});

test('an target that was disposed of has nothing in memory, and reads again what is asked for', async () => {
  const target = new LevelsTarget(sheetModel);
  const asked = { distance: 0.5, error: 0.01, pose: up(0.2) };
  const before = await within(target, one, asked);
  await target.dispose();
  const { loads } = target.stats;
  expect(await within(target, one, asked)).toEqual(before);
  expect(target.stats.loads).toBeGreaterThan(loads);
  await target.dispose();
});
