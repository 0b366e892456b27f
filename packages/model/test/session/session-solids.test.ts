/** Contacts and ways out of bodies in a session: as the library answers, and held against the meshes in it. */
import { Random } from '@impinge/scenes/random';
import { collide, contacts, contains, Mesh, type PenetrationResult, penetration } from 'impinge';
import type { Pose, Vec3 } from 'impinge/internal/math/pose.js';
import { afterAll, describe, expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { FAST } from '../../../../test/budget.js';
import { LevelsTarget, Session, type SessionContact, StoredTarget } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { openStore } from '../../src/store/open.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { moved, named, storeOf } from '../store/fixtures.js';

const { positions, indices } = icosphere(8, 0.5) as ShapeArrays;
const random = new Random(11);
const ball = Mesh.from({ positions: positions.map((x) => x * (1 + 0.02 * random.next())), indices });
const probe = Mesh.from(icosphere(5, 0.3));
const at = (x: number, y: number, z: number): Pose => ({ translation: [x, y, z] });
const PLACES = [0, 1.1, 2.2];
const FEW = { pieceTriangles: 128 };
const model = await buildLevels(
  PLACES.map((x, i) => ({ mesh: ball, name: `lump ${i}`, pose: at(x, 0, 0) })),
  FEW,
);
const levels = new LevelsTarget(model);
const single = new LevelsTarget(await buildLevels(ball, FEW));
const PLAIN = icosphere(3, 0.4) as ShapeArrays;
const plain = await openStore(
  await storeOf([{ geometry: PLAIN, objects: [named('plain', moved(0.5, 0.9, 0))] }]),
);
const plainTarget = new StoredTarget(plain);
afterAll(async () => {
  for (const each of [levels, single, plainTarget]) await each.dispose();
});

const opposite = (v: Vec3) => v.map((x) => 0 - x);

/** What the library says of a body and a target, as a session says it. */
async function ofLibrary(target: StoredTarget, number: number, pose: Pose, error: number, distance: number) {
  const { regions } = await contacts(probe, target, { poseA: pose, poseB: at(0, 0, 0), error, distance });
  return regions.map(({ objectA: _, objectB: object, pairs, normal, ...rest }) => ({
    ...{ target: number, object, body: undefined },
    ...{ ...rest, count: pairs.length, normal: opposite(normal) },
  }));
}

const sorted = (regions: readonly object[]) =>
  regions.map((region) => JSON.stringify(ordered(region))).sort();
const ordered = (value: object) =>
  Object.fromEntries(Object.entries(value).sort(([p], [q]) => (p < q ? -1 : 1)));

describe('contacts', () => {
  test('are those of the library, with every target', async () => {
    const session = new Session([levels, plain]);
    const body = session.add(probe);
    const walk = new Random(3);
    const seen = new Set<number | undefined>();
    for (let step = 0; step < (FAST ? 3 : 10); step++) {
      const pose = at(3 * walk.next() - 0.4, 1.2 * walk.next() - 0.2, 0.4 * walk.next());
      body.move(pose);
      for (const [error, distance] of [
        [0, 0],
        [0.05, 0],
        [0.1, 0.05],
      ]) {
        const found = await body.contacts({ error, distance });
        const expected = [
          ...(await ofLibrary(levels, 0, pose, error, distance)),
          ...(await ofLibrary(plainTarget, 1, pose, error, distance)),
        ];
        expect(sorted(found.regions)).toEqual(sorted(expected));
        for (const { target } of found.regions) seen.add(target);
        expect(found.error).toBe(found.regions.some(({ target }) => target === 0) ? error : found.error);
      }
    }
    expect([...seen].sort()).toEqual([0, 1]);
    await session.dispose();
  });

  test('say how deep a body is, along the way that pushes it out', async () => {
    const session = new Session([single]);
    const body = session.add(probe, { pose: at(0.7, 0, 0) });
    for (const error of [0, 0.02, 0.1]) {
      const { regions } = await body.contacts({ error });
      expect(regions).toHaveLength(1);
      const [{ normal, depth, point, target, object }] = regions;
      expect([target, object]).toEqual([0, 0]);
      expect(normal[0]).toBeGreaterThan(0.9);
      expect(depth[1] - depth[0]).toBeLessThanOrEqual(1.01 * error + 1e-9);
      expect(depth[1]).toBeGreaterThan(0);
      expect(point[0]).toBeGreaterThan(0.3);
    }
    await session.dispose();
  });

  test('with other bodies, and with an object that was taken', async () => {
    const session = new Session([plain]);
    const taken = await session.take(0);
    const other = session.add(probe, { pose: at(0.5, 0.4, 0) });
    const mesh = session.add(ball, { pose: at(5, 0.4, 0) });
    const third = session.add(single, { pose: at(5.6, 0.4, 0) });
    const pairs = [
      [taken, other],
      [other, taken],
      [mesh, third],
      [third, mesh],
    ] as const;
    const found: SessionContact[] = [];
    for (const [body, partner] of pairs) {
      const { regions } = await body.contacts({ error: 0.01 });
      expect(regions.length).toBeGreaterThan(0);
      for (const region of regions) {
        expect(region).toMatchObject({ body: partner, target: undefined, object: undefined });
        expect(region.depth[0]).toBeLessThanOrEqual(region.depth[1]);
      }
      found.push(regions[0]);
    }
    // a piece more or less makes no difference: the object hangs together, and so does what it meets
    expect((await taken.contacts()).regions).toHaveLength(1);
    const exact = await contacts(probe, plainTarget, { poseA: at(0.5, 0.4, 0), poseB: at(0, 0, 0) });
    expect(found[1].depth[1]).toBeCloseTo(exact.regions[0].depth[1], 6);
    expect(found[0].normal[1]).toBeGreaterThan(0.9);
    expect(found[1].normal[1]).toBeLessThan(-0.9);
    // it goes where its body goes
    taken.move(at(5, -0.3, 0));
    expect((await taken.contacts()).regions.map(({ body }) => body)).toEqual([mesh]);
    await session.dispose();
  });
});

describe('penetration', () => {
  const withoutStats = ({ stats: _, direction, ...rest }: PenetrationResult) => ({
    ...rest,
    direction: opposite(direction),
  });

  test('is that of the library, of each object by itself, and gets the body out of it', async () => {
    const session = new Session([levels, plain]);
    const body = session.add(probe);
    const walk = new Random(5);
    let met = 0;
    for (let step = 0; step < (FAST ? 2 : 6); step++) {
      const translation = [3 * walk.next() - 0.4, 1.2 * walk.next() - 0.2, 0.4 * walk.next()] as const;
      const poses = { poseA: { translation }, poseB: at(0, 0, 0) };
      body.move({ translation });
      const { overlaps } = await body.penetration({ error: 0.05 });
      const expected = [];
      for (const object of PLACES.keys()) {
        const found = await penetration(probe, levels.select([object]), poses);
        const isMet =
          found.overlapping && collide(probe, ball, { ...poses, poseB: at(PLACES[object], 0, 0) });
        if (isMet) expected.push({ target: 0, object, body: undefined, ...withoutStats(found) });
      }
      const inPlain = await penetration(probe, plainTarget, { ...poses, error: 0.05 });
      if (inPlain.overlapping)
        expected.push({ target: 1, object: 0, body: undefined, ...withoutStats(inPlain) });
      expect(overlaps).toEqual(expected);
      for (const { target, object, depth, atLeast, direction } of overlaps) {
        if (target !== 0) continue;
        met++;
        const poseB = at(PLACES[object!], 0, 0);
        const after = at(
          translation[0] + depth * direction[0],
          translation[1] + depth * direction[1],
          translation[2] + depth * direction[2],
        );
        expect(contains(probe, ball, { poseA: after, poseB }).relation).toBe('disjoint');
        expect(atLeast).toBeLessThanOrEqual(depth);
        const exact = penetration(probe, ball, { poseA: { translation }, poseB });
        expect(depth).toBeGreaterThanOrEqual(exact.atLeast * (1 - 1e-9));
        expect(atLeast).toBeLessThanOrEqual(exact.depth * (1 + 1e-9));
      }
    }
    expect(met).toBeGreaterThan(0);
    await session.dispose();
  });

  test('asks levels with the error where there is one object', async () => {
    const session = new Session([single]);
    const pose = at(0.6, 0.1, 0);
    const body = session.add(probe, { pose });
    const { overlaps, error } = await body.penetration({ error: 0.05 });
    const found = await penetration(probe, single, { poseA: pose, poseB: at(0, 0, 0), error: 0.05 });
    expect(error).toBe(0.05);
    expect(overlaps).toEqual([{ target: 0, object: 0, body: undefined, ...withoutStats(found) }]);
    await session.dispose();
  });

  test('knows what lies inside, and forgets what is hidden', async () => {
    const session = new Session([model]);
    const body = session.add(Mesh.from(icosphere(3, 0.1)), { pose: at(1.1, 0.05, 0) });
    expect((await body.hits()).count).toBe(0);
    const inside = await body.penetration();
    expect(inside.overlaps.map(({ object }) => object)).toEqual([1]);
    expect(inside.overlaps[0].atLeast).toBeGreaterThan(0.4);
    session.hide(1);
    expect((await body.penetration()).overlaps).toEqual([]);
    session.show(1);
    body.move(at(0.55, 1, 0));
    expect((await body.penetration()).overlaps).toEqual([]);
    // an object that was taken lies around the body, and the body in it
    const taken = await session.take(1);
    taken.move(at(0.55, 1, 0));
    const [{ body: around, direction: way }] = (await body.penetration()).overlaps;
    expect(around).toBe(taken);
    const [{ body: within, direction }] = (await taken.penetration()).overlaps;
    expect(within).toBe(body);
    expect(Math.hypot(...direction)).toBeCloseTo(1);
    expect(Math.hypot(...way)).toBeCloseTo(1);
    await session.dispose();
  });
});

test('refused: bodies that are gone, options that there are not, targets without pieces', async () => {
  const { name, box, error, revision } = single;
  const strange = { name, box, error, revision, eachPart: single.eachPart.bind(single) };
  const session = new Session([strange]);
  const body = session.add(probe);
  const refused = {
    code: 'bad-input',
    message: expect.stringContaining('neither a mesh nor a stored model'),
  };
  await expect(body.contacts()).rejects.toMatchObject(refused);
  await expect(body.penetration()).rejects.toMatchObject(refused);
  // @ts-expect-error there is no such option
  await expect(body.contacts({ mode: 'any' })).rejects.toMatchObject({ code: 'bad-option' });
  // @ts-expect-error there is no such option
  await expect(body.penetration({ distance: 1 })).rejects.toMatchObject({ code: 'bad-option' });
  await expect(body.contacts({ distance: -1 })).rejects.toMatchObject({ code: 'bad-option' });
  body.remove();
  await expect(body.contacts()).rejects.toMatchObject({ code: 'removed' });
  await expect(body.penetration()).rejects.toMatchObject({ code: 'removed' });
  await session.dispose();
});
