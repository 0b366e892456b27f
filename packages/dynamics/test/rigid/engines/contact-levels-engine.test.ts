/** Contacts by contact levels, held to the exact engine. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import type { Limits } from 'impinge/internal/query/pair/budget.js';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { least, runs } from '../../../../../test/budget.js';
import { rigidBody } from '../../../src/bodies/rigid-body.js';
import { fixedBody } from '../../../src/bodies/scenery.js';
import type { AllowedError, PlacedPair } from '../../../src/rigid/contact-error.js';
import { ContactSet, CONTACT_NUMBERS as STRIDE } from '../../../src/rigid/contact-set.js';
import { ContactLevelsEngine } from '../../../src/rigid/engines/contact-levels-engine.js';
import { DualShape } from '../../../src/rigid/engines/dual-shape.js';
import { HullFront } from '../../../src/rigid/engines/hull-front.js';
import { StepLevels } from '../../../src/rigid/engines/step-levels.js';
import { GAP, NORMAL } from '../../../src/rigid/exact/layout.generated.js';
import { OwnedMemory } from '../../../src/rigid/exact/owned-memory.js';
import { PairContacts } from '../../../src/rigid/exact/pair-contacts.js';
import { torus } from '../../contact-levels/models.js';
import { holding, leastAlong } from './held-contacts.js';
import { distanceAt, levelsOf, nearPoses, randomPose, surfaceOf } from './posed-shapes.js';

const arrays = torus(20, 8, 3);
const levels = levelsOf(arrays);
const shape = new DualShape(surfaceOf('ring', arrays), [0.02, -0.01, 0.03], levels);
const boxes = levelsOf(arrays, 'boxes');
const boxed = new DualShape(surfaceOf('ring', arrays), [0.02, -0.01, 0.03], boxes);
const REACH = 0.05;
const ERROR = 0.1;
const engineOf = (error: number, of = shape) => new ContactLevelsEngine(of, of, settingsOf(error));
const settingsOf = (error: number | AllowedError, thickness = 0.004, step = new StepLevels()) => ({
  error,
  thickness,
  engine: 'contact-levels' as const,
  step,
});
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

describe('what may be left out', () => {
  const view = (far: number) => ({
    view: { pixels: 1, camera: [0, far, 0] as const, angle: 1, height: 1000 },
  });
  const placed = (metres: number): PlacedPair => ({
    aToWorld: Float64Array.of(0, -1, 0, 1, 0, 0, 0, 0, 1, 5, 6, 7) as PlacedPair['aToWorld'],
    motionA: { velocity: [1, 0, 0] },
    motionB: { velocity: [1 + metres, 0, 0] },
  });
  /** Patches and the most detail left out, over all poses; what is told is certain. */
  function ask(error: number | AllowedError, pair?: PlacedPair, limits: Limits = {}) {
    const step = new StepLevels(limits);
    const engine = new ContactLevelsEngine(shape, shape, settingsOf(error, 0.004, step));
    const set = new ContactSet();
    const reports = poses.map(({ pose, apart }) => {
      step.begin();
      engine.contacts({ a: shape, b: shape, pose }, REACH, set, pair && (() => pair));
      expect(set.atLeast).toBeLessThanOrEqual(apart);
      const report = step.report()!;
      for (const id of set.ids.subarray(0, set.count))
        expect(engine.errorAt(id)).toBeLessThanOrEqual(report.error);
      return report;
    });
    engine.dispose();
    return {
      patches: reports.reduce((sum, { patches }) => sum + patches, 0),
      error: Math.max(...reports.map((report) => report.error)),
      reached: Math.max(...reports.map((report) => report.reached)),
      tests: Math.max(...reports.map(({ tests }) => tests)),
    };
  }

  test('is the length given', () => {
    const [coarse, fine] = [ask(ERROR), ask(0.001)];
    expect(ask({ size: ERROR })).toEqual(coarse);
    expect(coarse.patches).toBeLessThan(fine.patches);
    for (const { reached } of [coarse, fine]) expect(reached).toBeLessThanOrEqual(1);
    expect(coarse.error).toBeLessThanOrEqual(ERROR * (1 + 1e-12));
    expect(coarse.error).toBeGreaterThan(0.01 * ERROR);
    expect(fine.error).toBeLessThanOrEqual(0.001 * (1 + 1e-12));
  });

  test('is more where the camera is far away', () => {
    expect(ask(view(100)).patches).toBeLessThan(ask(view(2)).patches);
    expect(ask(view(100)).error).toBeGreaterThan(2 * ask(view(2)).error);
  });

  test('is more where the two move fast against each other', () => {
    const error = { speed: { seconds: 0.01 } };
    const same = (one: ReturnType<typeof ask>, other: typeof one) => {
      expect([one.patches, one.tests]).toEqual([other.patches, other.tests]);
      expect(one.error).toBeCloseTo(other.error, 9);
    };
    same(ask(error, placed(10)), ask(0.1, placed(10)));
    same(ask(error, placed(0.1)), ask(0.001));
    same(ask({ ...error, size: 0.1, combined: 'max' }, placed(0.1)), ask(0.1));
  });

  test('is more where a budget is spent, never a contact', () => {
    const free = ask(0.001);
    let last = free;
    for (const share of [0.5, 0.1]) {
      const found = ask(0.001, undefined, { tests: Math.ceil(share * free.tests) });
      expect(found.reached).toBeGreaterThan(1);
      expect(found.error).toBeGreaterThanOrEqual(last.error);
      last = found;
    }
    expect(ask(0.001, undefined, { tests: 100 * free.tests })).toEqual(free);
  });
});

test('levels change in place: nothing is pushed, and nothing let go by more than a sixteenth, seed 5', () => {
  const random = new SeededRandom(5);
  const view = () => ({
    view: { pixels: 1, camera: [0, 2 + 100 * random.next() ** 3, 0] as const, angle: 1, height: 1000 },
  });
  let [risen, fallen, jumps] = [0, 0, 0];
  const asked = vi.spyOn(HullFront.prototype, 'each');
  for (const { pose, apart } of poses) {
    const thickness = 0.8 * apart;
    const step = new StepLevels();
    const settings = settingsOf(ERROR as number | AllowedError, thickness, step);
    const engine = new ContactLevelsEngine(shape, shape, settings);
    let before: ContactSet | undefined;
    for (let look = 0; look < 8; look++) {
      settings.error = look % 2 === 0 ? [ERROR, 0.02, 0.001][Math.floor(3 * random.next())] : view();
      step.limits = look % 3 === 2 ? { tests: Math.ceil(600 * random.next()) } : {};
      step.begin();
      const set = new ContactSet();
      engine.contacts({ a: shape, b: shape, pose }, 4 * thickness, set);
      if (before) {
        const [was, is] = [leastOf(before), leastOf(set)];
        expect(is).toBeGreaterThanOrEqual(Math.min(thickness, was) - 1e-9);
        // other features come with finer patches, and have other normals
        expect(is).toBeLessThanOrEqual(Math.max(thickness, was) + (1 / 16 + 1 / 32) * thickness);
        const gaps = gapsOf(before);
        for (const [id, gap] of gapsOf(set)) {
          const last = gaps.get(id);
          if (last === undefined) continue;
          expect(gap).toBeGreaterThanOrEqual(Math.min(thickness, last) - 1e-9);
          if (gap !== last) jumps++;
        }
        // one feature may let go where another holds along its normal
        for (const [i] of holding(before, thickness)) {
          const [held, now] = [before, set].map((one) => leastAlong(one, before!.data, STRIDE * i + NORMAL));
          expect(now).toBeLessThanOrEqual(Math.max(thickness, held) + thickness / 16 + 1e-9);
        }
        if (is > was) risen++;
        if (is < was) fallen++;
      }
      before = set;
    }
    engine.dispose();
  }
  expect(Math.min(risen, fallen, jumps)).toBeGreaterThan(least(0));
  // what a search begins at are nodes of both: a walk up from others would not end
  const begun = asked.mock.calls.flatMap(([, { starts }]) => [...(starts?.keys() ?? [])]);
  asked.mockRestore();
  expect(begun.length).toBeGreaterThan(0);
  expect(Math.min(...begun)).toBeGreaterThanOrEqual(0);
});

function gapsOf({ count, data, ids }: ContactSet): Map<number, number> {
  return new Map(Array.from({ length: count }, (_, i) => [ids[i], data[STRIDE * i + GAP]]));
}

function leastOf({ count, data }: ContactSet): number {
  let least = Infinity;
  for (let i = 0; i < count; i++) least = Math.min(least, data[STRIDE * i + GAP]);
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

test.each([
  ['', 0],
  [', after a search a little before', 0.02],
])('as much of a motion as is said to be free is free%s, seed 3', (_, before) => {
  const step = new StepLevels();
  const engine = new ContactLevelsEngine(shape, shape, settingsOf(ERROR, 0.004, step));
  const random = new SeededRandom(3);
  let [guards, tests] = [0, 0];
  const shares = new Set<number>();
  for (const { pose, apart } of poses) {
    const fromA = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    const toB = pose.slice();
    for (let k = 9; k < 12; k++) toB[k] += 0.1 * (random.next() - 0.5);
    const motion = { fromA, toA: fromA, fromB: pose, toB };
    const distance = 0.25 * apart;
    step.begin();
    if (before > 0) {
      const moved = pose.map((x, k) => x + (k < 9 ? 0 : before * (random.next() - 0.5)));
      engine.contacts({ a: shape, b: shape, pose: moved }, 0.2, new ContactSet());
    }
    const { needed = 0 } = step.report() ?? {};
    const share = engine.freeShare(shape, shape, motion, distance);
    const report = step.report();
    if (report && share === 1) {
      guards += report.needed - needed;
      tests += report.tests - report.needed;
    }
    shares.add(share);
    for (let t = 0; t <= share; t += 0.0625) {
      const between = pose.map((x, k) => x + t * (toB[k] - x));
      expect(distanceAt(shape, shape, between)).toBeGreaterThanOrEqual(distance);
    }
  }
  if (poses.length > 20) for (const share of [1, 0.5]) expect(shares).toContain(share);
  // planes are looked at, and no walk
  if (before > 0) expect(guards).toBeLessThan(0.5 * tests);
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
