/**
 * Questions where levels are farthest from the originals. Probes and surfaces are put where originals are just near
 * enough, though the levels are not, and where levels would be near enough, though the originals are just not.
 */
import { Random } from '@impinge/scenes/random';
import { collide, distance, Mesh, within } from 'impinge';
import type { DistanceResult, WithinResult } from 'impinge/internal/query/pair/results.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import { afterAll, describe, expect, test } from 'vitest';
import { every, FAST, LONG, least } from '../../../../test/budget.js';
import { LevelsTarget } from '../../src/index.js';
import { FAMILIES, hills, type Shape, trianglesOf, withLevels } from '../levels/families.js';
import { errorOf, levelsOf, type StoredLevels } from '../levels/stored.js';
import {
  CORNERS,
  DISTANCE_PARTS,
  distanceTo,
  type Extreme,
  errorFor,
  extremesOf,
  frontUsed,
  MIDDLES,
  PAIRS_PARTS,
  probe,
  probePose,
} from './extremes.js';
import { patchAt, TINY } from './originals.js';

/** Triangles much longer than wide, in all directions. */
function slivers(n: number, random: Random): Shape {
  const { positions, indices } = FAMILIES['terrain'](n, random);
  return { positions: positions.map((x, i) => (i % 3 === 0 ? 0.02 * x : x)), indices };
}

const SHAPES = { ...FAMILIES, hills, slivers };
const shapeOf = (name: string) =>
  withLevels((n) => SHAPES[name as keyof typeof SHAPES](n, new Random(name.length)));

const JUST = 1e-9;
const LIE = { rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [0, 0, 0] };
const PAIRS = [
  ['hills', 'hills'],
  ['hills', 'torus'],
  ['slivers', 'hills'],
  ['torus', 'shells'],
] as const;
/** The error at which the same levels are used for distances. */
const distanceError = (error: number) => (error * DISTANCE_PARTS) / PAIRS_PARTS;
type Placed = ReturnType<typeof probePose>;

interface Subject {
  readonly mesh: Mesh;
  readonly levels: StoredLevels;
  readonly stored: LevelsTarget;
  readonly originals: Float64Array;
}

async function subjectOf(shape: Shape, pieceTriangles = 64): Promise<Subject> {
  const levels = await levelsOf(shape, pieceTriangles);
  const mesh = Mesh.from(shape);
  return { mesh, levels, stored: new LevelsTarget(levels.model), originals: trianglesOf(shape) };
}

async function dispose({ mesh, stored }: Subject): Promise<void> {
  await stored.dispose();
  mesh.dispose();
}

/** Some of the errors that its levels have, the largest first. */
function levelErrors({ levels: { model } }: Subject, most: number): number[] {
  const all = Array.from({ length: model.pieceCount }, (_, piece) => errorOf(model, piece));
  const own = [...new Set(all)].filter((error) => error > 1e-6).sort((a, b) => b - a);
  return [...new Set([0, own.length >> 1].map((i) => own[i]))]
    .slice(0, most)
    .filter((error) => error !== undefined);
}

/** Whether what stands for a point of the first (0) or second side (1) is among the answers, one by one. */
function standsFor(
  { stored }: Subject,
  found: WithinResult<PartsTarget>,
  side: number,
  point: Float64Array,
): Promise<boolean[]> {
  const patches = Array.from({ length: found.count }, async (_, i) => {
    const { corners, out } = await patchAt(stored, found, 2 * i + side);
    return distanceTo(corners, point) <= out + TINY;
  });
  return Promise.all(patches);
}

const moved = (point: ArrayLike<number>, by: readonly number[], far: number) =>
  [0, 1, 2].map((k) => point[k] + far * by[k]);

/** How often levels were farther from where they were asked for than the originals, by how much of what they may be. */
const used = { out: 0, in: 0, cases: 0 };
afterAll(() => {
  expect(used.out).toBeGreaterThan(FAST ? 0.4 : 0.8);
  expect(used.in).toBeGreaterThan(least(0.3));
  expect(used.cases).toBeGreaterThan(least(150));
});

/** Asks about a probe, the model being the first (0) or the second side (1). */
function asking(subject: Subject, mesh: Mesh, side: number, pose: Placed, error: number) {
  const sides = side === 0 ? [subject.stored, mesh] : [mesh, subject.stored];
  const [a, b] = sides as [PartsTarget, Mesh]; // one is stored
  const poses = side === 0 ? { poseA: LIE, poseB: pose } : { poseA: pose, poseB: LIE };
  return {
    within: (apart: number) => within(a, b, { ...poses, error, distance: apart }),
    collide: () => collide(a, b, { ...poses, error, mode: 'any' }),
    distance: (atMost: number) => distance(a, b, { ...poses, error: distanceError(error), atMost }),
    exact: distance(subject.mesh, mesh, { poseA: LIE, poseB: pose }).distance,
  };
}

describe('where levels are farthest from the originals', () => {
  for (const name of Object.keys(SHAPES).filter((name) => !FAST || name === 'hills')) {
    test(`${name}: a probe just near enough is found, one just too far is not`, async () => {
      const subject = await subjectOf(shapeOf(name));
      for (const level of levelErrors(subject, LONG ? 2 : 1)) {
        const error = errorFor(level, 1);
        const front = trianglesOf(await frontUsed(subject.stored, subject.levels, error));
        const mesh = Mesh.from(probe(0.3 * error));
        const out = extremesOf(subject.originals, front, CORNERS, 2);
        const inward = extremesOf(front, subject.originals, MIDDLES, 2);
        for (const side of [0, 1]) {
          for (const extreme of out) await assertFound(subject, mesh, side, extreme, error, front);
          for (const extreme of inward) await assertNotFound(subject, mesh, side, extreme, error, front);
        }
        mesh.dispose();
      }
      await dispose(subject);
    });
  }
});

test('pieces are looked at even if their boxes are farther away than asked for', async () => {
  const subject = await subjectOf(FAMILIES['torus'](8, new Random(1)), 8192);
  const [level] = levelErrors(subject, 1);
  const error = errorFor(level, 1);
  const front = trianglesOf(await frontUsed(subject.stored, subject.levels, error));
  // along one of the axes levels do not reach as far as the originals
  const farthest = (corners: Float64Array, axis: number, sign: number) =>
    corners.reduce((far, x, i) => (i % 3 === axis ? Math.max(far, sign * x) : far), -Infinity);
  const [{ axis, sign, less }] = [0, 1, 2]
    .flatMap((axis) => [-1, 1].map((sign) => ({ axis, sign })))
    .map((way) => {
      const less = farthest(subject.originals, way.axis, way.sign) - farthest(front, way.axis, way.sign);
      return { ...way, less };
    })
    .sort((p, q) => q.less - p.less);
  expect(less).toBeGreaterThan(0.01 * level);
  const at = subject.originals.findIndex(
    (x, i) => i % 3 === axis && sign * x === farthest(subject.originals, axis, sign),
  );
  const point = subject.originals.subarray(at - axis, at - axis + 3);
  const upright = probe(error);
  const mesh = Mesh.from({
    ...upright,
    positions: upright.positions.map((_, i) => {
      const [corner, k] = [i - (i % 3), i % 3];
      return k === axis
        ? sign * upright.positions[corner + 2]
        : upright.positions[corner + ((k - axis + 2) % 3)];
    }),
  });
  const away = [0, 1, 2].map((k) => (k === axis ? sign : 0));
  const tip = { translation: moved(point, away, error) };
  for (const [a, b, poses] of [
    [subject.stored, mesh, { poseB: tip }],
    [mesh, subject.stored, { poseA: tip }],
  ] as const) {
    expect((await within(a, b, { ...poses, error, distance: error })).count).toBeGreaterThan(0);
    const asked = { ...poses, error: distanceError(error), atMost: error };
    const { bounds } = (await distance(a, b, asked)) as DistanceResult<PartsTarget>;
    expect(bounds[1]).toBeLessThan(Infinity);
  }
  mesh.dispose();
  await dispose(subject);
});

describe('two models where both are farthest from their originals', () => {
  test.each(every(PAIRS, 4))('%s and %s', async (nameA, nameB) => {
    const [a, b] = [await subjectOf(shapeOf(nameA)), await subjectOf(shapeOf(nameB))];
    // the coarser of the two sets the error, so that the other is at its coarsest, too
    const error = errorFor(Math.max(levelErrors(a, 1)[0], levelErrors(b, 1)[0]), 2);
    const [ofA, ofB] = await Promise.all(
      [a, b].map(async (one) => {
        const front = trianglesOf(await frontUsed(one.stored, one.levels, error / 2));
        return extremesOf(one.originals, front, CORNERS, 2);
      }),
    );
    for (const p of ofA) {
      for (const q of ofB) {
        for (const apart of [0.01 * error, 2 * error]) {
          // q above p, and its direction down
          const turned = turnedOnto(q, moved(p.point, p.away, apart * (1 - JUST)), p.away);
          const poses = { poseA: LIE, poseB: turned, error };
          const exact = distance(a.mesh, b.mesh, poses).distance;
          expect(exact).toBeLessThanOrEqual(apart);
          const found = await within(a.stored, b.stored, { ...poses, distance: apart });
          const [standA, standB] = await Promise.all([
            standsFor(a, found, 0, p.point),
            standsFor(b, found, 1, q.point),
          ]);
          expect(standA.some((own, i) => own && standB[i])).toBe(true);
          const { bounds } = await distance(a.stored, b.stored, { ...poses, error: distanceError(error) });
          expect(bounds[0]).toBeLessThanOrEqual(exact);
          expect(bounds[1]).toBeGreaterThanOrEqual(exact);
          used.cases++;
        }
      }
    }
    await dispose(a);
    await dispose(b);
  });
});

/** The pose that puts an extreme of a model at a place, its direction against the one given. */
function turnedOnto({ point, away }: Extreme, place: readonly number[], against: readonly number[]): Placed {
  const from = probePose([0, 0, 0], away).rotation;
  const to = probePose(
    [0, 0, 0],
    against.map((x) => -x),
  ).rotation;
  // to · fromᵀ
  const rotation = Array.from({ length: 9 }, (_, i) => {
    const [row, column] = [Math.floor(i / 3), i % 3];
    return [0, 1, 2].reduce((sum, k) => sum + to[3 * row + k] * from[3 * column + k], 0);
  });
  const turned = [0, 1, 2].map((row) =>
    [0, 1, 2].reduce((sum, k) => sum + rotation[3 * row + k] * point[k], 0),
  );
  return { rotation, translation: place.map((x, k) => x - turned[k]) };
}

async function assertFound(
  subject: Subject,
  mesh: Mesh,
  side: number,
  { point, away }: Extreme,
  error: number,
  front: Float64Array,
): Promise<void> {
  for (const apart of [0.05 * error, 3 * error]) {
    const tip = moved(point, away, apart * (1 - JUST));
    const ask = asking(subject, mesh, side, probePose(tip, away), error);
    expect(ask.exact).toBeLessThanOrEqual(apart);
    used.cases++;
    const beyond = distanceTo(front, Float64Array.from(tip)) - apart;
    used.out = Math.max(used.out, beyond / (error / PAIRS_PARTS));
    const found = await ask.within(apart);
    expect(await standsFor(subject, found, side, point)).toContain(true);
    for (let i = 0; i < found.count; i++) expect(found.patches!.bounds[2 * i]).toBeLessThanOrEqual(apart);
    await assertInterval(ask, error);
    const near = await ask.distance(ask.exact * (1 + JUST));
    expect(near.bounds[0]).toBeLessThanOrEqual(ask.exact);
    expect(near.bounds[1]).toBeLessThan(Infinity);
  }
  // the tip in the surface: originals meet, levels do not
  const ask = asking(subject, mesh, side, probePose(moved(point, away, -JUST * error), away), error);
  if (ask.exact === 0) expect((await ask.collide()).colliding).toBe(true);
}

async function assertNotFound(
  subject: Subject,
  mesh: Mesh,
  side: number,
  { point, away }: Extreme,
  error: number,
  front: Float64Array,
): Promise<void> {
  for (const apart of [0, 0.05 * error, 3 * error]) {
    // as far from the originals as that, and a little
    const wanted = (apart + error) * (1 + JUST);
    let far = wanted;
    let ask = asking(subject, mesh, side, probePose(moved(point, away, far), away), error);
    for (
      let tries = 0;
      tries < 8 && !(ask.exact > wanted * (1 - JUST / 2) && ask.exact < wanted * (1 + JUST));
      tries++
    ) {
      far += wanted * (1 + JUST / 4) - ask.exact;
      ask = asking(subject, mesh, side, probePose(moved(point, away, far), away), error);
    }
    await assertInterval(ask, error);
    if (ask.exact <= (apart + error) * (1 + JUST / 4)) continue;
    used.cases++;
    const nearer = ask.exact - distanceTo(front, Float64Array.from(moved(point, away, far)));
    used.in = Math.max(used.in, nearer / (error / PAIRS_PARTS));
    expect((await ask.within(apart)).count).toBe(0);
    const { patches } = await ask.within(ask.exact);
    for (let i = 1; i < patches!.bounds.length; i += 2) {
      expect(patches!.bounds[i]).toBeGreaterThanOrEqual(ask.exact * (1 - 1e-12));
    }
    if (apart === 0) expect((await ask.collide()).colliding).toBe(false);
  }
}

async function assertInterval(ask: ReturnType<typeof asking>, error: number): Promise<void> {
  const { bounds, error: permitted } = await ask.distance(Infinity);
  expect(permitted).toBe(distanceError(error));
  expect(bounds[0]).toBeLessThanOrEqual(ask.exact);
  expect(bounds[1]).toBeGreaterThanOrEqual(ask.exact);
  expect(bounds[1] - bounds[0]).toBeLessThanOrEqual(permitted * (1 + 1e-12) + 1e-11);
}
