/** Errors by place: no point of a box is permitted less than the box, held against the criteria point by point. */
import { Random } from '@impinge/scenes/random';
import {
  type Allowed,
  type BodyMotion,
  collide,
  contacts,
  distance,
  type ErrorBounds,
  hits,
  Mesh,
  penetration,
  within,
} from 'impinge';
import { posePoint, type RigidPose, type Vec3 } from 'impinge/internal/math/pose.js';
import { afterAll, describe, expect, test } from 'vitest';
import { every, runs } from '../../../../test/budget.js';
import { LevelsTarget, Session } from '../../src/index.js';
import { errorFieldOf, errorWithin } from '../../src/level-queries/error-field.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { FAMILIES } from '../levels/families.js';
import { poseOf } from './originals.js';

const BOXES = runs(1000);
const POINTS = 10;
const CLOSE = 1e-9;

const either = (random: Random, most: number) => most * (2 * random.next() - 1);
const vector = (random: Random, most: number): Vec3 => [0, 1, 2].map(() => either(random, most)) as never;

function motionOf(random: Random): BodyMotion {
  return {
    velocity: vector(random, 3),
    ...(random.chance(0.7) && { spin: vector(random, 2), centre: vector(random, 5) }),
  };
}

/** With everything, or with each of the three left out at times. */
function allowedOf(random: Random): Allowed {
  const has = random.integer(1, 7);
  return {
    ...(has & 1 && { size: 3 * random.next() }),
    ...(has & 2 && { speed: { seconds: random.next() + 0.1, a: motionOf(random), b: motionOf(random) } }),
    ...(has & 4 && {
      view: { pixels: 1 + random.next(), camera: vector(random, 6), angle: 1.1, height: 3 },
    }),
    combined: random.pick(['min', 'max', 'product'] as const),
  };
}

/** What is permitted at a point of a, from the world's point of view. */
function permitted(
  { size, speed, view, combined }: Allowed,
  aToWorld: RigidPose,
  [x, y, z]: readonly number[],
): number {
  const at = [0, 0, 0];
  posePoint(aToWorld, x, y, z, at, 0);
  const values: number[] = size === undefined ? [] : [size];
  if (speed) {
    const of = ({ velocity: own, spin = [0, 0, 0], centre = [0, 0, 0] }: BodyMotion) => {
      const [velocity, w, c] = [own, spin, centre] as unknown as readonly number[][];
      const r = at.map((p, k) => p - c[k]);
      return velocity.map((v, k) => v + w[(k + 1) % 3] * r[(k + 2) % 3] - w[(k + 2) % 3] * r[(k + 1) % 3]);
    };
    const [a, b] = [of(speed.a!), of(speed.b!)];
    values.push(speed.seconds * Math.hypot(...a.map((v, k) => v - b[k])));
  }
  if (view) {
    const far = Math.hypot(...at.map((p, k) => p - (view.camera as readonly number[])[k]));
    values.push((far * 2 * Math.tan(view.angle / 2) * view.pixels) / view.height);
  }
  if (combined === 'product') return values.reduce((product, value) => product * value, 1);
  return combined === 'max' ? Math.max(...values) : Math.min(...values);
}

function boxOf(random: Random, extent: number): Float64Array {
  const box = new Float64Array(6);
  vector(random, 4).forEach((x, k) => {
    box[k] = x;
    box[3 + k] = random.chance(0.1) ? x : x + extent * random.next();
  });
  return box;
}

/** Often on the surface. */
function pointIn(random: Random, box: Float64Array): number[] {
  return [0, 1, 2].map((k) => {
    const x = box[k] + (random.chance(0.3) ? random.integer(0, 1) : random.next()) * (box[3 + k] - box[k]);
    return Math.min(x, box[3 + k]);
  });
}

const pointBox = (p: readonly number[]) => Float64Array.of(...p, ...p);
const CONTEXT = { sizeA: 2, sizeB: 1, moved: 0.25 };

function caseOf(random: Random) {
  const [allowed, aToWorld] = [allowedOf(random), poseOf(random, 5)];
  return { allowed, aToWorld, field: errorFieldOf(allowed, { ...CONTEXT, aToWorld }) };
}

describe('size, speed and view', () => {
  test('no point is permitted less than a box around it, seed 1', () => {
    const random = new Random(1);
    for (let run = 0; run < BOXES; run++) {
      const { allowed, aToWorld, field } = caseOf(random);
      const box = boxOf(random, 10 ** either(random, 2));
      const all = field.over(box, 0);
      for (let i = 0; i < POINTS; i++) {
        const point = pointIn(random, box);
        const here = field.over(pointBox(point), 0);
        const truth = permitted(allowed, aToWorld, point);
        expect(all).toBeLessThanOrEqual(here); // to the last bit
        expect(Math.abs(here - truth)).toBeLessThanOrEqual(CLOSE * (1 + truth));
      }
    }
  });

  test('a tiny box is permitted nearly what its points are, seed 2', () => {
    const random = new Random(2);
    for (let run = 0; run < BOXES; run++) {
      const { field } = caseOf(random);
      const box = boxOf(random, 1e-9);
      const here = field.over(pointBox(pointIn(random, box)), 0);
      expect(field.over(box, 0)).toBeGreaterThanOrEqual(here - 1e-6);
    }
  });

  test('a view is permitted what the nearest point of a box is, seed 3', () => {
    const random = new Random(3);
    const unturned = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    for (let run = 0; run < runs(200); run++) {
      const camera = vector(random, 6);
      const allowed = { view: { pixels: 2, camera, angle: 1, height: 500 } };
      const field = errorFieldOf(allowed, { ...CONTEXT, aToWorld: unturned });
      const box = boxOf(random, 4);
      const nearest = camera.map((x, k) => Math.min(Math.max(x, box[k]), box[3 + k]));
      expect(field.over(box, 0)).toBeCloseTo(permitted(allowed, unturned, nearest), 12);
    }
  });

  test('a box within another is not permitted less, seed 4', () => {
    const random = new Random(4);
    let rose = 0;
    for (let run = 0; run < BOXES; run++) {
      const { field } = caseOf(random);
      const box = boxOf(random, 10 ** either(random, 3));
      let least = field.over(box, 0);
      for (let i = 0; i < POINTS; i++) {
        // some sides stay, some move by a rounding, some by much
        const [p, q] = [pointIn(random, box), pointIn(random, box)];
        const [share, still] = [2 ** random.integer(-52, 0), random.integer(0, 63)];
        for (let k = 0; k < 3; k++) {
          const [low, high] = [Math.min(p[k], q[k]), Math.max(p[k], q[k])];
          const [from, to] = [box[k], box[3 + k]];
          if (!(still & (1 << k))) box[k] = Math.min(from + share * (low - from), low);
          if (!(still & (8 << k))) box[3 + k] = Math.max(to - share * (to - high), high);
        }
        const now = field.over(box, 0);
        expect(now).toBeGreaterThanOrEqual(least);
        if (now > least) rose++;
        least = now;
      }
    }
    expect(rose).toBeGreaterThan(BOXES);
  });

  test('what does not depend on the place says so', () => {
    const context = { ...CONTEXT, aToWorld: poseOf(new Random(5), 1) };
    expect(errorFieldOf(0.5, context).constant).toBe(0.5);
    expect(errorFieldOf({ size: 0.25, combined: 'product' }, context).constant).toBe(0.25);
    expect(errorFieldOf({ size: 0.25 }, context).over(new Float64Array(6), 0)).toBe(0.25);
    expect(errorFieldOf(() => 1, context).constant).toBe(undefined);
    const view = { pixels: 1, camera: [0, 0, 0], angle: 1, height: 1 } as const;
    expect(errorFieldOf({ size: 0.25, view }, context).constant).toBe(undefined);
  });
});

test('a function is told of boxes that hold the points, nested as they are, seed 6', () => {
  const random = new Random(6);
  for (let run = 0; run < BOXES; run++) {
    const aToWorld = poseOf(random, 5);
    const told: ErrorBounds[] = [];
    const field = errorFieldOf(
      (bounds) => {
        told.push(bounds);
        return 2;
      },
      { ...CONTEXT, aToWorld },
    );
    const boxes = new Float64Array(9);
    boxes.set(boxOf(random, 10 ** either(random, 3)), 3);
    const outer = boxes.subarray(3);
    const [p, q] = [pointIn(random, outer), pointIn(random, outer)];
    const inner = Float64Array.of(
      ...p.map((x, k) => Math.min(x, q[k])),
      ...p.map((x, k) => Math.max(x, q[k])),
    );
    expect(field.over(boxes, 3)).toBe(2);
    field.over(inner, 0);
    expect(told[0]).toMatchObject(CONTEXT);
    const at = [0, 0, 0];
    posePoint(aToWorld, p[0], p[1], p[2], at, 0);
    const [large, small] = told.map(({ box }) => box);
    for (let k = 0; k < 3; k++) {
      expect(large[k]).toBeLessThanOrEqual(small[k]);
      expect(small[k]).toBeLessThanOrEqual(at[k]);
      expect(small[3 + k]).toBeGreaterThanOrEqual(at[k]);
      expect(large[3 + k]).toBeGreaterThanOrEqual(small[3 + k]);
    }
  }
});

test('one error for all that are near is permitted wherever they are, seed 7', () => {
  const random = new Random(7);
  const sideOf = (box: Float64Array) => ({
    box: { min: [...box.subarray(0, 3)], max: [...box.subarray(3)] },
  });
  let [near, large] = [0, 0];
  for (let run = 0; run < BOXES; run++) {
    const { field } = caseOf(random);
    const [boxA, boxB, bToA] = [boxOf(random, 4), boxOf(random, 4), poseOf(random, 4)];
    const reach = random.next();
    const error = errorWithin(field, { a: sideOf(boxA), b: sideOf(boxB), bToA } as never, reach);
    if (error > field.over(boxA, 0)) large++;
    for (let i = 0; i < 4 * POINTS; i++) {
      const [p, q, there] = [pointIn(random, boxA), pointIn(random, boxB), [0, 0, 0]];
      posePoint(bToA, q[0], q[1], q[2], there, 0);
      if (Math.hypot(...p.map((x, k) => x - there[k])) > reach + error) continue;
      near++;
      expect(error).toBeLessThanOrEqual(field.over(pointBox(p), 0));
    }
  }
  expect(near).toBeGreaterThan(BOXES);
  expect(large).toBeGreaterThan(BOXES / 10);
});

const VIEW = { pixels: 1, camera: [0, 0, 9], angle: 1, height: 500 } as const;

describe('what is wrong is named', () => {
  test.each(
    every<[string, unknown, RegExp]>(
      [
        ['nothing', {}, /^error needs size, speed or view/],
        ['another word', { sizes: 1 }, /^error has no option sizes; did you mean size/],
        ['a size below 0', { size: -1 }, /^error\.size must be/],
        ['a speed that is a number', { speed: 3 }, /^error\.speed must be an object, got 3/],
        ['no seconds', { speed: { a: { velocity: [1, 0, 0] } } }, /^error\.speed\.seconds must be/],
        ['time without end', { speed: { seconds: Infinity } }, /^error\.speed\.seconds must be a finite/],
        [
          'half a velocity',
          { speed: { seconds: 1, b: { velocity: [1, 0] } } },
          /^error\.speed\.b\.velocity must/,
        ],
        [
          'a spin that is none',
          { speed: { seconds: 1, a: { velocity: [1, 0, 0], spin: 2 } } },
          /\.a\.spin must/,
        ],
        [
          'another motion',
          { speed: { seconds: 1, a: { speed: 1 } } },
          /^error\.speed\.a has no option speed/,
        ],
        ['a view from nowhere', { view: { ...VIEW, camera: [0, 9] } }, /^error\.view\.camera must be 3/],
        [
          'an angle of half a turn',
          { view: { ...VIEW, angle: Math.PI } },
          /^error\.view\.angle must be below π/,
        ],
        ['no height', { view: { ...VIEW, height: 0 } }, /^error\.view\.height must be/],
        [
          'another combination',
          { size: 1, combined: 'sum' },
          /^error\.combined must be one of min, max, product/,
        ],
        ['a list', [1], /must be an object/],
        [
          'too much',
          { speed: { seconds: 1, b: { velocity: [1e200, 0, 0] } } },
          /^error must be .* got Infinity/,
        ],
      ],
      3,
    ),
  )('%s', async (_, error, message) => {
    const wrong = { error: error as number };
    const refused = { code: 'bad-option', message: expect.stringMatching(message) };
    await expect(within(hills, plate, { distance: 0.1, ...wrong })).rejects.toMatchObject(refused);
    await expect(distance(plate, hills, wrong)).rejects.toMatchObject(refused);
  });
});

const terrain = Mesh.from(FAMILIES['terrain'](16, new Random(1)));
const hills = new LevelsTarget(await buildLevels(terrain, { pieceTriangles: 64 }));
const plate = Mesh.from({ positions: [0, 0, 0, 0.2, 0, 0, 0, 0.2, 0] });
afterAll(async () => {
  await hills.dispose();
  plate.dispose();
  terrain.dispose();
});

describe('in questions', () => {
  /** A pose that puts the plate on the hills, a little above. */
  const pose = { translation: [0.4, 0.4, terrain.box.max[2]] };
  const ask = {
    collide: (error: Allowed) => collide(hills, plate, { pose, error }),
    within: (error: Allowed) => within(hills, plate, { pose, distance: 0.1, error }),
    hits: (error: Allowed) => hits(hills, plate, { pose, distance: 0.1, error }),
    distance: (error: Allowed) => distance(hills, plate, { pose, error }),
    contacts: (error: Allowed) => contacts(hills, plate, { pose, distance: 0.1, error }),
    penetration: (error: Allowed) => penetration(hills, plate, { pose, error }),
  };
  const camera = (z: number) => ({ view: { ...VIEW, camera: [0.5, 0.5, z] as const } });

  test.each(Object.entries(ask))('%s takes its error from the place', async (name, question) => {
    expect((await question({ size: 0.05 })).error).toBe(0.05);
    const perDistance = (2 * Math.tan(0.5)) / 500;
    for (const z of [3, 30]) {
      const { error } = await question(camera(z));
      expect(error).toBeGreaterThanOrEqual(perDistance * (z - terrain.box.max[2]));
      expect(error).toBeLessThan(perDistance * (z + 1));
    }
    const speed = { seconds: 0.01, b: { velocity: [0, 0, -3] } } as const;
    expect((await question({ speed })).error).toBeCloseTo(0.03, 12);
    expect((await question({ speed, size: 0.5, combined: 'product' })).error).toBeCloseTo(0.015, 12);
    // nothing moves: nothing may be left out
    const still = await question({ speed: { seconds: 0.01 } });
    expect(still.error).toBe(0);
    const { count } = within(terrain, plate, { pose, distance: 0.1 });
    if (name === 'within') expect((still as { count: number }).count).toBe(count);
  });

  test('a camera near the other end of the model leaves more out than one near the contact', async () => {
    const corner = (x: number) => ({ view: { ...VIEW, pixels: 20, camera: [x, 0.5, 0.2] as const } });
    const at = { pose: { translation: [0.9, 0.5, 0] }, distance: 0.05 };
    const [far, near] = [0, 1].map(async (x) => within(hills, plate, { ...at, error: corner(x) }));
    expect((await far).error).toBeGreaterThan(4 * (await near).error);
  });

  test('a pose in the world moves the camera along', async () => {
    const poseA = { translation: [100, 0, 0] };
    const poseB = { translation: [100.4, 0.4, 0.4] };
    const view = { ...VIEW, camera: [100.5, 0.5, 5] as const };
    const { error } = await within(hills, plate, { poseA, poseB, distance: 0.1, error: { view } });
    const here = { pose: { translation: [0.4, 0.4, 0.4] }, distance: 0.1 };
    const same = await within(hills, plate, { ...here, error: camera(5) });
    expect(error).toBeCloseTo(same.error, 12);
  });

  test('exact goes on to the originals', async () => {
    const asked = { pose, distance: 0.1, error: camera(30) };
    expect((await within(hills, plate, { ...asked, exact: true })).error).toBe(0);
  });

  test('bodies of a session ask by view, too', async () => {
    const session = new Session([hills]);
    const body = session.add(plate, { pose });
    const { error } = await body.hits({ distance: 0.1, error: camera(30) });
    expect(error).toBeCloseTo(((2 * Math.tan(0.5)) / 500) * (30 - pose.translation[2]), 3);
    const { bounds, error: most } = await body.distance({ error: camera(30) });
    expect(most).toBeGreaterThan(0.05);
    expect(bounds[1] - bounds[0]).toBeLessThanOrEqual(most + CLOSE);
    await session.dispose();
  });
});
