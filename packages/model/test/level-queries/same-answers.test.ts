/** Answers with an error are the same whatever was asked before, is in memory, or has been built of the trees. */
import { createHash } from 'node:crypto';
import { Random } from '@impinge/scenes/random';
import { collide, distance, type ErrorBounds, Mesh, within } from 'impinge';
import { afterAll, describe, expect, test } from 'vitest';
import { every, FAST } from '../../../../test/budget.js';
import { LevelsTarget } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { openStore } from '../../src/store/open.js';
import { MemorySource } from '../../src/store/page-source.js';
import { FAMILIES } from '../levels/families.js';
import { moved, named, storeBytes } from '../store/fixtures.js';
import { poseOf } from './originals.js';

const SIZE = FAST ? 8 : 16;
const ring = FAMILIES['torus'](SIZE, new Random(1));
const sheet = FAMILIES['terrain'](SIZE, new Random(2));
const SHAPES = [
  { geometry: ring, objects: [named('a'), named('b', moved(1.5, 0, 0.2)), named('c', moved(0, 1.6, 0))] },
  { geometry: sheet, objects: [named('d', moved(0.2, 0.3, 0.5))] },
];

async function modelOf(pieceTriangles: number) {
  const bytes = await storeBytes(SHAPES, { levels: true, pieceTriangles });
  return openStore(new MemorySource(bytes));
}

const large = await modelOf(8192);
const small = await modelOf(256);
const mesh = Mesh.from(ring);
afterAll(() => mesh.dispose());

type Question = (target: LevelsTarget, other: LevelsTarget | Mesh) => Promise<{ stats: unknown }>;

const random = new Random(9);
const QUESTIONS: readonly Question[] = [0.5, 0.002, 0.05, 0, 1e-4].flatMap((error, i): Question[] => {
  const pose = i % 3 === 2 ? undefined : poseOf(random, 1);
  // without a pose everything lies in itself: triangles meet in planes, edges and corners
  const how = { ...(pose && { pose }), error };
  const options = { ...how, ...(error > 0 && { limit: 200 }) }; // exact pairs up to a limit are some, not the first
  return [
    (target, other) => within(target, other, { ...options, distance: 0.02 }),
    (target, other) => distance(other, target, how),
    (target, other) => collide(target, other, { ...options, mode: i % 2 ? 'all' : 'any' }),
  ];
});

/** Everything but what it took, as a hash of its bytes. */
async function answer(ask: Question, target: LevelsTarget, other: LevelsTarget | Mesh): Promise<string> {
  return digest(await ask(target, other));
}

function digest({ stats: _, ...rest }: { stats: unknown }): string {
  const hash = createHash('sha1');
  // not by v8.serialize, whose bytes depend on how an array was made, and so on what has been compiled by then
  const add = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      hash.update(value.constructor.name);
      hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    } else if (typeof value === 'number') hash.update(Float64Array.of(value));
    else if (typeof value !== 'object' || value === null) hash.update(String(value));
    else {
      for (const [name, each] of Object.entries(value)) {
        hash.update(` ${name}:`);
        add(each);
      }
    }
  };
  add(rest);
  return hash.digest('hex');
}

describe.each(
  every(
    [
      ['pieces of many triangles', large],
      ['pieces of few triangles', small],
    ] as const,
    2,
  ),
)('%s', async (_, model) => {
  /** Each question to targets that know nothing yet. */
  const fresh: string[][] = [];
  for (const ask of QUESTIONS) {
    const [target, other] = [new LevelsTarget(model), new LevelsTarget(model)];
    const own = Mesh.from(ring);
    fresh.push([await answer(ask, target, other), await answer(ask, target, own)]);
    await target.dispose();
    await other.dispose();
    own.dispose();
  }

  async function assertSame(target: LevelsTarget, other: LevelsTarget, order: readonly number[]) {
    for (const i of order) {
      const own = [await answer(QUESTIONS[i], target, other), await answer(QUESTIONS[i], target, mesh)];
      expect(own).toEqual(fresh[i]);
    }
  }
  const inOrder = QUESTIONS.map((_, i) => i);

  test('after other questions, in any order', async () => {
    const [target, other] = [new LevelsTarget(model), new LevelsTarget(model)];
    await assertSame(target, other, inOrder);
    await assertSame(target, other, [...inOrder].reverse());
    expect(target.stats.split).toBeGreaterThan(0);
    expect(target.stats.merged).toBeGreaterThan(0);
    await target.dispose();
    await other.dispose();
  });

  test('with next to no memory', async () => {
    const [target, other] = [new LevelsTarget(model, { memory: 1 }), new LevelsTarget(model, { memory: 1 })];
    await assertSame(target, other, inOrder);
    expect(target.stats.evictions).toBeGreaterThan(5);
    await target.dispose();
    await other.dispose();
  });

  test('with trees that are complete', async () => {
    const target = new LevelsTarget(model);
    const { shapeFirstPiece, pieceTriangles } = model.directory;
    for (const object of [0, 3]) {
      const first = model.firstPiece(object);
      const end = shapeFirstPiece[model.directory.objectShape[object] + 1];
      for (let piece = 0; first + piece < end; piece++) {
        await target.trianglesOf({ object, piece, first: 0, count: pieceTriangles[first + piece] });
      }
    }
    await assertSame(target, target, inOrder);
    await target.dispose();
  });
});

/** Narrow, along an axis, and turned by 45° about it, so that boxes along the axes tell it from others best. */
function strip(along: number): Mesh {
  const positions = Array.from({ length: 62 }, (_, i) =>
    [0, 1, 2].map((k) => (k === along ? Math.floor(i / 2) / 15 - 0.3 : i % 2 ? 0.07 : -0.07)),
  );
  const indices = Array.from({ length: 60 }, (_, i) => [i, i + 1, i + 2]);
  return Mesh.from({ positions: positions.flat(), indices: indices.flat() });
}

test('after steps so small that what is near is not looked up again', async () => {
  const [one, other] = [strip(0), strip(1)];
  const crossing = await buildLevels(one);
  const kept = new LevelsTarget(crossing);
  const counts: number[] = [];
  for (let step = 0; step < 15; step++) {
    const asked = { pose: { translation: [0, 0, 0.09 + 0.06 * step] }, error: 1 };
    const fresh = new LevelsTarget(crossing);
    const found = await collide(fresh, other, asked);
    expect(digest(await collide(kept, other, asked))).toBe(digest(found));
    counts.push(found.count);
    await fresh.dispose();
  }
  expect([counts[0], counts[14]]).toEqual([1, 0]);
  await kept.dispose();
  for (const mesh of [one, other]) mesh.dispose();
});

test('after a way that is so long that short steps are lost in it', async () => {
  const [one, other] = [strip(0), strip(1)];
  const crossing = await buildLevels(one);
  const kept = new LevelsTarget(crossing);
  const counts = new Set<number>();
  for (let step = 0; step < 60; step++) {
    const z = step === 10 ? 1e12 : 0.1402 + 3e-5 * step; // the strips meet up to 0.14
    const fresh = new LevelsTarget(crossing);
    for (const apart of [8.7e-4, 9.6e-4]) {
      const asked = { pose: { translation: [0, 0, z] }, distance: apart, error: 1e-3 };
      const found = await within(fresh, other, asked);
      expect(digest(await within(kept, other, asked))).toBe(digest(found));
      if (step > 10) counts.add(found.count);
    }
    await fresh.dispose();
  }
  expect(counts.size).toBeGreaterThan(1);
  await kept.dispose();
  for (const mesh of [one, other]) mesh.dispose();
});

test('while b moves, by steps of all lengths, at several errors and distances', async () => {
  const chance = new Random(17);
  const [kept, other] = [new LevelsTarget(small), new LevelsTarget(small)];
  const seen = { near: 0, apart: 0, tests: 0, fresh: 0 };
  const place = [0.4, 0.2, 0.3, 0];
  for (let step = 0; step < (FAST ? 40 : 200); step++) {
    // long rests and slow motion between jumps
    const way = step % 20 === 19 ? 6 : 10 ** -(2 + 4 * chance.next());
    for (let k = 0; k < 4; k++) place[k] += way * (chance.next() - 0.5 - 0.1 * place[k]);
    const [x, y, z, turn] = place;
    const pose = { rotation: [0, 0, Math.sin(turn), Math.cos(turn)], translation: [x, y, z] } as const;
    // errors of one front and of others
    for (const error of [0.02, 0.0201, 0.1]) {
      const asked = { pose, error, distance: step % 3 === 0 ? 0 : 0.05 };
      const [first, second] = [new LevelsTarget(small), new LevelsTarget(small)];
      for (const [now, then] of [
        [await within(kept, other, asked), await within(first, second, asked)],
        [await within(mesh, kept, asked), await within(mesh, first, asked)],
      ]) {
        expect(digest(now)).toBe(digest(then));
        if (now.count > 0) seen.near++;
        else seen.apart++;
        seen.tests += now.stats.volumeTests;
        seen.fresh += then.stats.volumeTests;
      }
      for (const target of [first, second]) await target.dispose();
    }
  }
  expect(seen.tests).toBeLessThan(seen.fresh / 2);
  if (!FAST) {
    expect(seen.near).toBeGreaterThan(seen.apart / 4);
    expect(seen.apart).toBeGreaterThan(seen.near / 20);
  }
  for (const target of [kept, other]) await target.dispose();
});

test('while other questions about the same two wait for pages', async () => {
  const chance = new Random(23);
  const [kept, other] = [new LevelsTarget(small, { memory: 1 }), new LevelsTarget(small, { memory: 1 })];
  const counts = new Set<number>();
  for (let round = 0; round < (FAST ? 4 : 100); round++) {
    // to and fro by steps that are short beside pieces, in and out of contact
    const [from, by] = [poseOf(chance, 2.5), 0.01 + 0.1 * chance.next()];
    const asked = Array.from({ length: 8 }, (_, i) => ({
      pose: { translation: [from[9] + by * (i % 2), from[10] + 1e-3 * i, from[11]] },
      ...{ error: [0.02, 0.1, 0.005][round % 3], distance: 0.02 * chance.next(), limit: 1 + (round % 2) },
    }));
    const now = await Promise.all(asked.map((options) => within(kept, other, options)));
    for (const [i, options] of asked.entries()) {
      const [first, second] = [new LevelsTarget(small), new LevelsTarget(small)];
      const then = await within(first, second, options);
      expect(digest(now[i])).toBe(digest(then));
      counts.add(then.count);
      for (const target of [first, second]) await target.dispose();
    }
  }
  expect(counts.size).toBeGreaterThan(1);
  for (const target of [kept, other]) await target.dispose();
});

test('after questions that failed on the way, as the function that permits errors did', async () => {
  const chance = new Random(29);
  const [kept, other] = [new LevelsTarget(small), new LevelsTarget(small)];
  let failed = 0;
  for (let step = 0; step < (FAST ? 10 : 60); step++) {
    const pose = { translation: [0.4 + 0.02 * step * chance.next(), 0.2, 0.3] };
    const error = ({ box }: ErrorBounds) => 0.02 + 0.01 * Math.max(0, box[0] + 0.1 * Math.sin(step));
    let left = chance.integer(0, 60);
    const failing = (bounds: ErrorBounds) => {
      if (left-- === 0) throw new Error('not today');
      return error(bounds);
    };
    await within(kept, other, { pose, distance: 0.01, error: failing }).catch(() => failed++);
    const [first, second] = [new LevelsTarget(small), new LevelsTarget(small)];
    const options = { pose, distance: 0.01, error };
    expect(digest(await within(kept, other, options))).toBe(digest(await within(first, second, options)));
    for (const target of [first, second]) await target.dispose();
  }
  expect(failed).toBeGreaterThan(FAST ? 2 : 20);
  for (const target of [kept, other]) await target.dispose();
});

test('when patches hold parts of trees that are not built yet', async () => {
  const chance = new Random(5);
  // loose triangles cannot be simplified, so patches as large as the error permits have many of them
  const positions = Float32Array.from({ length: 9 * 3000 }, (_, i) => (i % 3 === 2 ? 0 : 1) * chance.next());
  const dust = Mesh.from({
    positions: positions.map((x, i) => (i % 9 < 3 ? x : positions[i - (i % 9) + (i % 3)] + 1e-3 * x)),
  });
  const model = await buildLevels(dust);
  const [used, fresh] = [new LevelsTarget(model), new LevelsTarget(model)];
  const asked = { distance: 0.01, error: 0.15 };
  for (let piece = 0; piece < model.pieceCountOf(0); piece++) {
    await used.trianglesOf({ object: 0, piece, first: 0, count: model.directory.pieceTriangles[piece] });
  }
  const found = await within(fresh, dust, asked);
  expect(Math.max(...found.patches!.counts)).toBeGreaterThan(512);
  expect(digest(await within(used, dust, asked))).toBe(digest(found));
  await used.dispose();
  await fresh.dispose();
  dust.dispose();
});

test('a function is told of sizes and of how far things moved, and the last pose is that of the same pair', async () => {
  const target = new LevelsTarget(small);
  const told: ErrorBounds[] = [];
  const error = (bounds: ErrorBounds) => {
    told.push(bounds);
    return 0.01;
  };
  const at = (x: number) => ({ pose: { translation: [x, 0, 0] }, distance: 0.01, error });
  const by = await within(target, mesh, at(0));
  await within(target, mesh, at(0.5));
  await within(target, target, at(7));
  await within(target, mesh, at(0.25));
  // a question may be about several boxes
  const ways = told.map(({ moved }) => moved).filter((way, i, all) => way !== all[i - 1]);
  expect(ways).toEqual([0, 0.5, 0, 0.25]);
  const [width] = mesh.box.max.map((x, k) => x - mesh.box.min[k]);
  expect(told[0].sizeB).toBeCloseTo(width);
  expect(told[0].sizeA).toBeGreaterThan(width);
  expect(by.error).toBe(0.01);
  await target.dispose();
});
