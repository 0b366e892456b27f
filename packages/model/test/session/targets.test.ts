/** Rays, points and shapes asked of every kind of target that is read, against the same model in a scene. */
import {
  closestPoint,
  closestPoints,
  Mesh,
  meetsShape,
  meetsSpheres,
  objectsInShape,
  type PartsTarget,
  pointInMesh,
  pointsInMesh,
  raycast,
  raycastMany,
  Scene,
  type Shape,
  shapeDistance,
  signedDistance,
  signedDistances,
  sweepShape,
  trianglesInShape,
} from 'impinge';
import { arena } from 'impinge/internal/base/arena.js';
import { expect, test } from 'vitest';
import { randomDirection, seededRandom } from '../../../../lab/scenes/index.mjs';
import { full, least, runs } from '../../../../test/budget.js';
import { sphere } from '../../../impinge/test/query/solid/solids.js';
import { LevelsTarget, Session, StoredTarget } from '../../src/index.js';
import { openStore } from '../../src/store/open.js';
import { moved, named, storeOf } from '../store/fixtures.js';

type Triple = [number, number, number];

const CAP = 250_000;
const { positions, indices } = sphere(1, 16);
const geometry = { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
const places: Triple[] = Array.from({ length: 27 }, (_, i) => [
  3 * (i % 3),
  3 * (Math.floor(i / 3) % 3),
  3 * Math.floor(i / 9),
]);
const objects = places.map((at, i) => named(`ball ${i}`, moved(...at)));
const source = await storeOf(
  [
    { geometry, objects: objects.slice(0, 14) },
    { geometry, objects: objects.slice(14) },
  ],
  {
    pieceTriangles: 256,
  },
);
const model = await openStore(source);

/** The model in memory; objects in its order. */
const scene = new Scene();
const whole = Mesh.from(geometry);
const inMemory = places.map((translation) => scene.add(whole, { pose: { translation } }));
const numberOf = (object: unknown) => inMemory.indexOf(object as (typeof inMemory)[number]);

const random = seededRandom(1751);
const at = (): Triple => [8 * random() - 1, 8 * random() - 1, 8 * random() - 1];

function anyShape(i: number): Shape {
  const [x, y, z] = at();
  const size = 0.3 + random();
  switch (i % 4) {
    case 0:
      return { centre: [x, y, z], radius: size };
    case 1:
      return { from: [x, y, z], to: at(), radius: 0.4 * size };
    case 2:
      return { min: [x, y, z], max: [x + size, y + 1, z + size] };
    default:
      return { points: [x, y, z, ...at(), ...at(), ...at()] };
  }
}

/** Compares a target with the scene; says how often something was found. */
async function compare(target: PartsTarget, times: number): Promise<number> {
  let found = 0;
  const near = (a: number | undefined, b: number | undefined) => {
    expect(a === undefined).toBe(b === undefined);
    if (a !== undefined && b !== undefined) {
      expect(Math.abs(a - b)).toBeLessThan(1e-9);
      found++;
    }
  };
  for (let i = 0; i < times; i++) {
    const ray = { origin: at(), direction: randomDirection(random) };
    const [first, expectedFirst] = [await raycast(target, ray), raycast(scene, ray)];
    near(first?.distance, expectedFirst?.distance);
    expect(first?.object).toBe(expectedFirst && numberOf(expectedFirst.object));
    const all = await raycast(target, ray, { mode: 'all' });
    const expectedAll = raycast(scene, ray, { mode: 'all' });
    expect(all.map(({ object }) => object)).toEqual(expectedAll.map(({ object }) => numberOf(object)));
    expect((await raycast(target, ray, { mode: 'any' })) === undefined).toBe(expectedAll.length === 0);

    const [from, to] = [at(), at()];
    const segments = { from: [...from, ...ray.origin], to: [...to, ...at()] };
    const batch = await raycastMany(target, segments);
    const one = await raycast(target, { from, to });
    expect([batch.distances[0], batch.triangles[0], batch.objects[0], batch.pieces[0]]).toEqual([
      one?.distance ?? Infinity,
      one?.triangle ?? -1,
      one?.object ?? -1,
      one?.piece ?? -1,
    ]);
    if (one) expect([...batch.weights.subarray(0, 2)]).toEqual(one.barycentrics.slice(1));
    const expectedBatch = raycastMany(scene, segments);
    expect(batch.count).toBe(expectedBatch.count);
    expect([...batch.objects]).toEqual(expectedBatch.objects.map(numberOf));
    const rays = {
      origins: [...ray.origin, ...from],
      directions: [...ray.direction, ...randomDirection(random)],
    };
    const allMany = await raycastMany(target, rays, { mode: 'all' });
    expect([...allMany.starts]).toEqual([...raycastMany(scene, rays, { mode: 'all' }).starts]);
    expect([...allMany.objects.subarray(0, allMany.starts[1])]).toEqual(all.map(({ object }) => object));

    const spheres = { centres: [...at(), ...at(), ...at()], radii: [0.1, 0.5, 0] };
    expect([...(await meetsSpheres(target, spheres))]).toEqual([...meetsSpheres(scene, spheres)]);

    const point = at();
    const atMost = [Infinity, 0.4][i % 2];
    const closest = await closestPoint(target, point, { atMost });
    const many = await closestPoints(target, [...point, ...point, 1e6, 0, 0], { atMost });
    expect([many.distances[1], many.triangles[1], many.objects[1], many.pieces[1]]).toEqual([
      closest?.distance ?? Infinity,
      closest?.triangle ?? -1,
      closest?.object ?? -1,
      closest?.piece ?? -1,
    ]);
    if (closest) expect([...many.points.subarray(3, 6)]).toEqual(closest.point);
    const expectedClosest = closestPoint(scene, point, { atMost });
    near(closest?.distance, expectedClosest?.distance);
    expect(closest?.object).toBe(expectedClosest && numberOf(expectedClosest.object));

    const shape = anyShape(i);
    const counts = new Map<number, number>();
    for (const { object, triangles } of await trianglesInShape(target, shape))
      counts.set(object, (counts.get(object) ?? 0) + triangles.length);
    const expectedIn = trianglesInShape(scene, shape);
    expect([...counts]).toEqual(
      expectedIn.map(({ object, triangles }) => [numberOf(object), triangles.length]),
    );
    expect(Array.from(await objectsInShape(target, shape))).toEqual(
      expectedIn.map(({ object }) => numberOf(object)),
    );
    expect(await meetsShape(target, shape)).toBe(expectedIn.length > 0);
    const distance = await shapeDistance(target, shape, { atMost });
    near(distance?.distance, shapeDistance(scene, shape, { atMost })?.distance);

    const by = randomDirection(random).map((x) => 4 * x);
    const contact = await sweepShape(target, shape, by);
    const expectedContact = sweepShape(scene, shape, by);
    near(contact?.time, expectedContact?.time);
    if (contact && contact.time > 0) expect(contact.object).toBe(numberOf(expectedContact!.object));
    else near(contact?.depth, expectedContact?.depth);
  }
  const half = { normal: [1, 1, 0.5], offset: 1 + 4 * random() };
  const inHalf = await objectsInShape(target, half);
  expect(Array.from(inHalf)).toEqual(objectsInShape(scene, half).map(numberOf));
  return found;
}

/** Compares signed distances with the scene's; says how many points were inside. */
async function compareSigned(target: PartsTarget, times: number): Promise<number> {
  const points = Array.from({ length: times }, at).concat([[0, 0, 0.9]]);
  const found = await signedDistances(target, points.flat());
  const expected = signedDistances(scene, points.flat());
  for (const [i, x] of expected.entries()) expect(Math.abs(found[i] - x)).toBeLessThan(1e-9);
  expect(await signedDistance(target, points[0])).toBe(found[0]);
  const corner = Array.from(geometry.positions.slice(0, 3)) as Triple; // of object 0, which has the pose of its shape
  points.push(corner);
  const sides = await pointsInMesh(target, points.flat());
  expect([...sides]).toEqual([...pointsInMesh(scene, points.flat())]);
  expect(sides[points.length - 1]).toBe(0);
  expect(await pointInMesh(target, corner)).toBe('on');
  return found.filter((x) => x < 0).length;
}

/** A target, and whose memory it has. */
const KINDS: Record<string, () => [PartsTarget, StoredTarget | Session]> = {
  'a stored model': () => {
    const stored = new StoredTarget(model, { memory: CAP });
    return [stored, stored];
  },
  'objects of a stored model': () => {
    const stored = new StoredTarget(model, { memory: CAP });
    return [stored.select(() => true), stored];
  },
  'a model with levels, asked without an error': () => {
    const levels = new LevelsTarget(model, { memory: CAP });
    return [levels, levels];
  },
  'a model of a session': () => {
    const session = new Session(model, { memory: CAP });
    return [session.target(), session];
  },
};

full.each(Object.keys(KINDS))(
  '%s says what it says in memory, under a cap that forces pieces out (seed 1751)',
  async (kind) => {
    const [target, owner] = KINDS[kind]();
    expect(await compare(target, runs(10))).toBeGreaterThan(least(20));
    expect(await compareSigned(target, runs(20))).toBeGreaterThan(0);
    expect(owner.stats.evictions).toBeGreaterThan(least(20));
    const down = { origin: [0, 0, 9], direction: [0, 0, -1] };
    await raycast(target, down); // reads its pieces
    const held = arena().usedBytes;
    await raycast(target, down);
    expect(arena().usedBytes).toBeLessThanOrEqual(held);
    await owner.dispose();
  },
);

test('objects around a point must be closed', async () => {
  const open = await storeOf([
    { geometry: { ...geometry, indices: geometry.indices.slice(3) }, objects: objects.slice(0, 1) },
  ]);
  await using hole = new StoredTarget(await openStore(open));
  await expect(signedDistance(hole, [0, 0, 0])).rejects.toMatchObject({ code: 'bad-input' });
  await expect(pointInMesh(hole, [0, 0, 0])).rejects.toMatchObject({ code: 'bad-input' });
  expect(await signedDistance(hole, [3, 0, 0])).toBeCloseTo(2, 2);
  expect(await pointInMesh(hole, [3, 0, 0])).toBe('outside');
});

test('what is asked reads the pages near it', async () => {
  const loads = async (ask: (target: StoredTarget) => Promise<unknown>) => {
    await using target = new StoredTarget(model);
    await ask(target);
    return target.stats.loads;
  };
  const whole = await loads((target) => trianglesInShape(target, { min: [-9, -9, -9], max: [9, 9, 9] }));
  // the two shapes have as many pieces each
  const pieces = whole / 2;
  expect(
    await loads((target) => raycast(target, { origin: [-3, 0.1, 0.2], direction: [1, 0, 0] })),
  ).toBeLessThanOrEqual(pieces / 2);
  expect(await loads((target) => closestPoint(target, [-3, 0, 0]))).toBeLessThanOrEqual(pieces / 2);
  expect(await loads((target) => meetsShape(target, { normal: [1, 1, 1], offset: -4 }))).toBe(0);
  expect(await loads((target) => meetsShape(target, { centre: [1.5, 1.5, 1.5], radius: 0.1 }))).toBe(0);
  expect(
    await loads((target) => sweepShape(target, { centre: [-3, 0.1, 0.2], radius: 0.2 }, [20, 0, 0])),
  ).toBeLessThanOrEqual(pieces / 2);
});

test('a session answers without what is hidden', async () => {
  await using session = new Session(model, { memory: CAP });
  const target = session.target();
  const ray = { origin: [-3, 0, 0], direction: [1, 0, 0] };
  expect((await raycast(target, ray))?.object).toBe(0);
  session.hide(0);
  expect(await signedDistance(target, [0, 0, 0])).toBeGreaterThan(1.9);
  expect((await raycast(target, ray))?.object).toBe(1);
  expect(await closestPoint(target, [0, 0, 0], { atMost: 1.9 })).toBe(undefined);
  session.show(0);
  expect((await raycast(target, ray))?.object).toBe(0);
  expect(() => session.target(1)).toThrowError(expect.objectContaining({ code: 'bad-input' }));
});
