/** Paths through narrow passages, looked at again pose by pose; searches that fail, and those that cannot begin. */
import { interlockedRings, slottedPlate } from '@impinge/scenes/puzzle';
import { collide, contains, distance, ImpingeError, Mesh, poseAt } from 'impinge';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { every, FAST } from '../../../../test/budget.js';
import { type FindPathOptions, findPath, type MotionPath, verifyPath } from '../../src/index.js';

const at = (x: number, y = 0, z = 0) => ({ translation: [x, y, z] });

/** The least distance at many poses along a path; 0 where it touches. */
function leastAlong(body: Mesh, obstacle: Mesh, { poses, centre }: MotionPath, looks: number): number {
  let least = Infinity;
  for (let i = 1; i < poses.length; i++) {
    for (let k = 0; k <= looks; k++) {
      const poseB = poseAt({ from: poses[i - 1], to: poses[i], centre }, k / looks);
      least = Math.min(least, distance(obstacle, body, { poseB }).distance);
      expect(collide(obstacle, body, { poseB, mode: 'any' }).colliding).toBe(false);
    }
  }
  return least;
}

async function pathOf(body: Mesh, obstacle: Mesh, options: FindPathOptions): Promise<MotionPath> {
  const result = await findPath(body, obstacle, options);
  if (!result.found) throw new Error(`seed ${options.seed}: none found: ${result.reason}`);
  return result.path;
}

const plate = Mesh.from({ ...slottedPlate(), name: 'plate' });
const bar = Mesh.from(box(3.4, 8, 1.4));
const through = { start: at(-8), goals: [at(8)], bounds: { min: [-9, -12, -12], max: [9, 12, 12] } };

describe('paths', () => {
  test.each(every([1, 2, 3, 4, 5, 6], 3))('a bar goes through a slot, seed %i', async (seed) => {
    const path = await pathOf(bar, plate, { ...through, seed });
    const { clearance, nearest, free } = path.certificate;
    expect(free).toBe(true);
    expect(clearance).toBeGreaterThan(0);
    const least = leastAlong(bar, plate, path, FAST ? 50 : 500);
    expect(least).toBeGreaterThanOrEqual(clearance);
    expect(nearest).toBeGreaterThanOrEqual(clearance);
    expect([...path.poses[0]].slice(9)).toEqual([-8, 0, 0]);
    expect([...path.poses[path.poses.length - 1]].slice(9)).toEqual([8, 0, 0]);
  });

  test.each(every([1, 2, 3], 3))('linked rings come apart through their gaps, seed %i', async (seed) => {
    const { ring, start, goal } = interlockedRings({ gap: 5 });
    const mesh = Mesh.from(ring);
    const path = await pathOf(mesh, mesh, { start, goals: [goal], seed });
    expect(leastAlong(mesh, mesh, path, FAST ? 20 : 200)).toBeGreaterThanOrEqual(path.certificate.clearance);
  });

  test.each(every([1, 2], 2))('a tight bar slides out of a deep slot, seed %i', async (seed) => {
    const deep = Mesh.from(slottedPlate({ thickness: 6 }));
    const tight = Mesh.from(box(8, 3.95, 1.95));
    const bounds = { min: [-12, -12, -12], max: [12, 12, 12] };
    const path = await pathOf(tight, deep, { start: at(0), goals: [at(10, 3)], bounds, seed });
    expect(leastAlong(tight, deep, path, FAST ? 50 : 500)).toBeGreaterThanOrEqual(path.certificate.clearance);
  });

  test('keep the clearance that is asked for', async () => {
    const path = await pathOf(bar, plate, { ...through, clearance: 0.2 });
    expect(path.certificate.clearance).toBeGreaterThan(0.2);
    expect(leastAlong(bar, plate, path, 100)).toBeGreaterThan(0.2);
  });

  test('are the same for the same seed, and others for another', async () => {
    const [a, b, c] = [
      await pathOf(bar, plate, { ...through, seed: 7 }),
      await pathOf(bar, plate, { ...through, seed: 7 }),
      await pathOf(bar, plate, { ...through, seed: 8 }),
    ];
    expect(b.poses).toEqual(a.poses);
    expect(b.times).toEqual(a.times);
    expect(c.poses).not.toEqual(a.poses);
  });

  test('lead to one of several goals', async () => {
    const { poses } = await pathOf(bar, plate, { ...through, goals: [at(8, 0, 9), at(-8, 1)] });
    expect([...poses[poses.length - 1]].slice(9)).toEqual([-8, 1, 0]);
  });

  test('are timed by the speeds', async () => {
    const turned = { rotation: [0, 0, 1, 0], translation: [-8, 4, 0] };
    const options = { ...through, goals: [turned], bounds: { min: [-9, -12, -12], max: [-7, 12, 12] } };
    const path = await pathOf(bar, plate, { ...options, speed: { along: 2, turning: 0.1 } });
    const last = path.times[path.times.length - 1];
    expect(last).toBeGreaterThanOrEqual(Math.PI / 0.1 - 1e-9);
    expect([...path.times].sort((a, b) => a - b)).toEqual([...path.times]);
    const faster = await pathOf(bar, plate, { ...options, speed: { along: 4, turning: 0.2 } });
    expect(faster.times[faster.times.length - 1]).toBeCloseTo(last / 2, 9);
  });
});

describe('searches that find none', () => {
  const closed = Mesh.from(slottedPlate({ slot: [1e-3, 1e-3] }));
  const options = { ...through, bounds: { min: [-9, -4, -4], max: [9, 4, 4] } };

  test('say that time is up', async () => {
    const result = await findPath(bar, closed, { ...options, timeLimit: 0.2 });
    expect(result).toMatchObject({ found: false, reason: 'time' });
  });

  test('stop at a number of states', async () => {
    const result = await findPath(bar, closed, { ...options, limits: { nodes: 100 } });
    expect(result).toMatchObject({ found: false, reason: 'nodes' });
    // a step adds a few
    expect(result.stats.nodes).toBeLessThan(200);
  });

  test('report progress, and can be aborted', async () => {
    const control = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ nodes }: { nodes: number }) => {
      seen.push(nodes);
      if (seen.length === 3) control.abort();
    };
    const aborted = findPath(bar, closed, { ...options, signal: control.signal, onProgress });
    await expect(aborted).rejects.toMatchObject({ code: 'aborted' });
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  });
});

describe('searches that cannot begin', () => {
  const refused = async (change: Partial<FindPathOptions>, body = bar) => {
    const error = await findPath(body, plate, { ...through, ...change }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ImpingeError);
    expect((error as ImpingeError).message).not.toMatch(/\n/);
    return error as ImpingeError;
  };

  test('where an end is not free: what is hit, how deep, and what is free nearby', async () => {
    const { message, detail } = await refused({ start: at(-2, 5) });
    expect(message).toMatch(/the start is not free: 0\.2\d* deep in plate; free nearby: translation/);
    const free = detail['free'] as Float64Array;
    expect(contains(plate, bar, { poseB: free }).relation).toBe('disjoint');
    expect(Math.hypot(free[9] + 2, free[10] - 5, free[11])).toBeLessThan(3);
    expect((await refused({ goals: [at(8), at(0)] })).message).toMatch(/goals\[1\] is not free/);
    const near = { start: at(-2.3, 5), clearance: 0.5 };
    expect((await refused(near)).message).toMatch(/nearer than the clearance to plate/);
  });

  test('where ends or bounds are wrong', async () => {
    expect((await refused({ goals: [at(20)] })).message).toMatch(
      /the goal is out of bounds: its centre is at 20/,
    );
    expect((await refused({ bounds: { min: [0, 0, 0], max: [-1, 1, 1] } })).message).toMatch(/leave no room/);
    expect((await refused({ bounds: { min: [0, 0], max: [1, 1, 1] } })).code).toBe('bad-option');
    expect((await refused({ start: at(Number.NaN) })).code).toMatch(/bad-pose|non-finite/);
    expect((await refused({ goals: [] })).message).toMatch(/goals must be an array/);
    expect((await refused({ seed: -1 })).code).toBe('bad-option');
    expect((await refused({ timeLimit: Number.NaN })).code).toBe('bad-option');
    expect((await refused({ speed: { along: 0 } })).code).toBe('bad-option');
  });

  test('where the body has no size', async () => {
    const point = Mesh.from({ positions: [0, 0, 0, 0, 0, 0, 0, 0, 0] });
    expect((await refused({}, point)).message).toMatch(/no size/);
  });
});

describe('verifying', () => {
  const straight = (from: object, to: object) => ({
    poses: [from, to].map(({ translation }: { translation?: number[] }) =>
      Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, ...(translation ?? [])),
    ),
    centre: Float64Array.of(0, 0, 0),
  });

  test('bounds the clearance on both sides', () => {
    const beside = verifyPath(bar, plate, straight(at(-5, -8), at(-5, 8)));
    // from x = -5 the bar reaches -3.3, the plate begins at -0.5
    expect(beside.free).toBe(true);
    expect(beside.nearest).toBeGreaterThanOrEqual(2.8 - 1e-6);
    expect(beside.clearance).toBeLessThanOrEqual(2.8);
    expect(beside.clearance).toBeGreaterThanOrEqual(1.4 - 1e-6);
  });

  test('refuses paths that hit, or come nearer than the clearance', () => {
    const path = straight(at(-8), at(8));
    expect(verifyPath(bar, plate, path)).toMatchObject({ free: false, clearance: 0, motion: 0 });
    const { poses } = straight(at(-5, -8), at(-5, 8));
    const twice = { ...path, poses: [...poses, ...path.poses] };
    expect(verifyPath(bar, plate, twice).motion).toBe(2);
    const near = straight(at(-5, -8), at(-5, 8));
    expect(verifyPath(bar, plate, near, { clearance: 2.7 }).free).toBe(true);
    expect(verifyPath(bar, plate, near, { clearance: 2.9 }).free).toBe(false);
  });
});
