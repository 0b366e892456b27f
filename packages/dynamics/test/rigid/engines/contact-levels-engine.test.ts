/** Contacts by contact levels, held to the exact engine. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { afterAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../../test/budget.js';
import { rigidBody } from '../../../src/bodies/rigid-body.js';
import { fixedBody } from '../../../src/bodies/scenery.js';
import { ContactSet, CONTACT_NUMBERS as STRIDE } from '../../../src/rigid/contact-set.js';
import { ContactLevelsEngine } from '../../../src/rigid/engines/contact-levels-engine.js';
import { DualShape } from '../../../src/rigid/engines/dual-shape.js';
import { GAP, NORMAL } from '../../../src/rigid/exact/layout.generated.js';
import { OwnedMemory } from '../../../src/rigid/exact/owned-memory.js';
import { PairContacts } from '../../../src/rigid/exact/pair-contacts.js';
import { torus } from '../../contact-levels/models.js';
import { distanceAt, levelsOf, nearPoses, randomPose, surfaceOf } from './posed-shapes.js';

const arrays = torus(20, 8, 3);
const levels = levelsOf(arrays);
const shape = new DualShape(surfaceOf('ring', arrays), [0.02, -0.01, 0.03], levels);
const boxes = levelsOf(arrays, 'boxes');
const boxed = new DualShape(surfaceOf('ring', arrays), [0.02, -0.01, 0.03], boxes);
const REACH = 0.05;
const ERROR = 0.1;
const engineOf = (error: number, of = shape) =>
  new ContactLevelsEngine(of, of, { error, thickness: 0.004, engine: 'contact-levels' });
const poses = nearPoses(shape, shape, runs(40), 1, 0.8 * REACH);

afterAll(() => {
  shape.dispose();
  boxed.dispose();
});

describe.each([
  ['hulls', shape, 0.001],
  ['hulls', shape, ERROR],
  ['boxes', boxed, 0.02],
] as const)('%s, %#', (_, shape, error) => {
  test('the distance told is certain, and not far off, seed 1', () => {
    const engine = engineOf(error, shape);
    const set = new ContactSet();
    for (const { pose, apart } of poses) {
      engine.contacts({ a: shape, b: shape, pose }, REACH, set);
      expect(set.atLeast).toBeLessThanOrEqual(apart);
      expect(set.atLeast).toBeGreaterThan(apart - 0.5 * error - 1e-6);
      expect(set.count).toBeGreaterThan(0);
      for (let i = 0; i < set.count; i++)
        expect(set.data[STRIDE * i + GAP]).toBeGreaterThanOrEqual(set.atLeast - 1e-3 * REACH);
    }
    engine.dispose();
  });

  test('they hold what those of the exact engine hold, in any direction, seed 2', () => {
    const engine = engineOf(error, shape);
    const exact = new PairContacts(new OwnedMemory(), shape, shape);
    const [all, few] = [new ContactSet(), new ContactSet()];
    const random = new SeededRandom(2);
    for (const { pose } of poses) {
      exact.findAll({ a: shape, b: shape, pose }, REACH, all);
      engine.contacts({ a: shape, b: shape, pose }, REACH, few);
      for (let sample = 0; sample < 10; sample++) {
        const way = Array.from({ length: 6 }, () => (random.next() - 0.5) * REACH);
        expect(leftAfter(few, way)).toBeLessThanOrEqual(leftAfter(all, way) + 0.2 * REACH);
      }
    }
    engine.dispose();
  });
});

/** The least gap that is left of contacts after a shift and a turn of b, to first order. */
function leftAfter({ count, data }: ContactSet, [x, y, z, p, q, r]: readonly number[]): number {
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const [ax, ay, az] = data.subarray(STRIDE * i);
    const [nx, ny, nz] = data.subarray(STRIDE * i + NORMAL);
    const way =
      nx * (x + (q * az - r * ay) / shape.radius) +
      ny * (y + (r * ax - p * az) / shape.radius) +
      nz * (z + (p * ay - q * ax) / shape.radius);
    least = Math.min(least, data[STRIDE * i + GAP] + way);
  }
  return least;
}

test('a contact has the same name after a small motion', () => {
  const engine = engineOf(ERROR);
  let [kept, all] = [0, 0];
  for (const { pose } of poses) {
    const [before, after] = [new ContactSet(), new ContactSet()];
    engine.contacts({ a: shape, b: shape, pose }, REACH, before);
    const moved = pose.slice();
    moved[9] += 1e-5;
    engine.contacts({ a: shape, b: shape, pose: moved }, REACH, after);
    const names = new Set(after.ids.subarray(0, after.count));
    expect(names.size).toBe(after.count);
    for (const id of before.ids.subarray(0, before.count)) if (names.has(id)) kept++;
    all += before.count;
  }
  expect(kept).toBeGreaterThan(0.95 * all);
  engine.dispose();
});

test('as much of a motion as is said to be free is free, seed 3', () => {
  const engine = engineOf(ERROR);
  const random = new SeededRandom(3);
  const shares = new Set<number>();
  for (const { pose, apart } of poses) {
    const fromA = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    const toB = pose.slice();
    for (let k = 9; k < 12; k++) toB[k] += 0.1 * (random.next() - 0.5);
    const motion = { fromA, toA: fromA, fromB: pose, toB };
    const distance = 0.25 * apart;
    const share = engine.freeShare(shape, shape, motion, distance);
    shares.add(share);
    for (let t = 0; t <= share; t += 0.0625) {
      const between = pose.map((x, k) => x + t * (toB[k] - x));
      expect(distanceAt(shape, shape, between)).toBeGreaterThanOrEqual(distance);
    }
  }
  if (poses.length > 20) for (const share of [1, 0.5]) expect(shares).toContain(share);
  engine.dispose();
});

test('far apart there is nothing, and that is certain', () => {
  const engine = engineOf(ERROR);
  const set = new ContactSet();
  const pose = randomPose(new SeededRandom(4), 0);
  pose[9] = 4;
  engine.contacts({ a: shape, b: shape, pose }, REACH, set);
  expect([set.count, set.atLeast]).toEqual([0, REACH]);
  engine.dispose();
});

describe('contact levels of a body', () => {
  const surface = { name: 'ring', ...arrays };
  const other = torus(20, 8, 2);

  test.each([
    ['of another mesh', levelsOf(other), /^ring: its contact levels belong to another mesh$/],
    [
      'of boxes of another mesh',
      levelsOf(other, 'boxes'),
      /^ring: its contact levels belong to another mesh$/,
    ],
    ['that are none', {} as typeof levels, /^ring: its contact levels are not ContactLevels$/],
  ])('%s are refused', (_, contactLevels, message) => {
    for (const make of [
      () => rigidBody(surface, { contactLevels }),
      () => fixedBody(surface, { contactLevels }),
    ]) {
      expect(make).toThrow(ImpingeError);
      expect(make).toThrow(message);
    }
  });

  test('of the same mesh in other words are taken', () => {
    // float64 coordinates here, float32 in the body
    const shifted = { ...surface, positions: arrays.positions.map((x) => x + 0.1) };
    const contactLevels = levelsOf(shifted);
    expect(rigidBody(shifted, { contactLevels }).copy().shape.contactLevels).toBe(contactLevels);
    expect(rigidBody(surface, { contactLevels: boxes }).shape.contactLevels).toBe(boxes);
  });
});
