/** Paths of bodies that are kept upright: every pose of them, looked at one by one. */
import { slottedPlate } from '@impinge/scenes/puzzle';
import { distance, Mesh, poseAt } from 'impinge';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { composePoses, toRigidPose } from 'impinge/internal/math/pose.js';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { every, FAST } from '../../../../test/budget.js';
import { type FindPathOptions, findPath, type Upright, verifyPath } from '../../src/index.js';
import { UprightTurns } from '../../src/plan/upright.js';

const at = (x: number, y = 0, z = 0) => ({ translation: [x, y, z] });
const quarter = Math.SQRT1_2;

/** The most that an axis of the body leans from one of the world, at many times. */
function mostLean(motion: Parameters<typeof poseAt>[0], upright: Upright, looks: number): number {
  const { up: upward = [0, 0, 1], own: its = upward } = upright;
  const [up, own] = [upward, its] as unknown as readonly number[][];
  let most = 0;
  for (let k = 0; k <= looks; k++) {
    const p = toRigidPose(poseAt(motion, k / looks));
    const turned = [0, 3, 6].map((row) => p[row] * own[0] + p[row + 1] * own[1] + p[row + 2] * own[2]);
    const off = Math.hypot(
      ...turned.map(
        (x, i) => x / Math.hypot(own[0], own[1], own[2]) - up[i] / Math.hypot(up[0], up[1], up[2]),
      ),
    );
    most = Math.max(most, 2 * Math.asin(Math.min(1, off / 2)));
  }
  return most;
}

const WAYS: readonly Upright[] = [
  { angle: 0 },
  { angle: 0.2 },
  { angle: 1.2, up: [0, 2, 0] },
  { angle: 0.4, up: [0, 1, 0], own: [0, 0, 1] },
  { angle: 0.1, up: [1, 1, 1], own: [-1, -1, -1] },
];

describe('turns', () => {
  test.each(WAYS)('of %o are random ones within the angle, and what leans is raised', (upright) => {
    const random = new SeededRandom(3);
    const turns = new UprightTurns(upright);
    const out = new Float64Array(4);
    let most = 0;
    for (let i = 0; i < 300; i++) {
      turns.writeRandom(random, out, 0);
      const lean = turns.leanOf(toRigidPose({ rotation: out, translation: [1, 2, 3] }));
      expect(Math.hypot(...out)).toBeCloseTo(1, 12);
      expect(turns.holds(lean)).toBe(true);
      most = Math.max(most, lean);
      const any = Float64Array.from({ length: 4 }, () => random.next() - 0.5);
      const length = Math.hypot(...any);
      const raised = any.map((x) => x / length);
      const before = turns.leanOf(toRigidPose({ rotation: raised }));
      turns.raise(raised, 0);
      const after = turns.leanOf(toRigidPose({ rotation: raised }));
      expect(after).toBeCloseTo(Math.min(before, turns.angle), 7);
    }
    expect(most).toBeGreaterThan(0.9 * turns.angle - 1e-9);
  });

  test.each(WAYS)('of %o: the most that a motion leans is that of its poses', (upright) => {
    const random = new SeededRandom(5);
    const turns = new UprightTurns(upright);
    for (let i = 0; i < (FAST ? 20 : 100); i++) {
      const [from, to] = [0, 1].map(() => {
        const rotation = new Float64Array(4);
        turns.writeRandom(random, rotation, 0);
        return { rotation, translation: [random.next(), 0, 0] };
      });
      const lean = turns.leanAlong({ from, to });
      const seen = mostLean({ from, to }, upright, 150);
      expect(lean).toBeGreaterThanOrEqual(seen - 1e-6);
      expect(lean).toBeLessThan(seen + 1e-3);
    }
  });

  test('between two that lean, a body may lean more', () => {
    const turns = new UprightTurns({ angle: 0.5 });
    const about = (x: number, y: number, z: number, angle: number) =>
      [x, y, z].map((c) => (c / Math.hypot(x, y, z)) * Math.sin(angle / 2)).concat(Math.cos(angle / 2));
    const from = toRigidPose({ rotation: about(1, 0, 0, 0.3) });
    for (const angle of [3, -3]) {
      const to = composePoses(toRigidPose({ rotation: about(0.1, -0.1, 1, angle) }), from);
      const lean = turns.leanAlong({ from, to });
      const ends = Math.max(turns.leanOf(from), turns.leanOf(to));
      expect(lean).toBeCloseTo(mostLean({ from, to }, {}, 5000), 6);
      if (angle === 3) expect(lean).toBeGreaterThan(ends + 0.05);
    }
  });
});

const plate = Mesh.from({ ...slottedPlate({ slot: [4, 6] }), name: 'plate' });
const post = Mesh.from(box(1, 3, 5));
const through: FindPathOptions = {
  start: at(-8),
  goals: [{ rotation: [0, 0, quarter, quarter], translation: [8, 0, 0] }],
  bounds: { min: [-9, -12, -12], max: [9, 12, 12] },
};

describe('paths', () => {
  const leans = [0, 0.15, 0.6].flatMap((angle) => [1, 2, 3].map((seed) => ({ angle, seed })));
  test.each(every(leans, 3))('keep upright: %o', async ({ angle, seed }) => {
    const result = await findPath(post, plate, { ...through, seed, upright: { angle } });
    if (!result.found) throw new Error(result.reason);
    const { poses, centre, certificate } = result.path;
    expect(certificate.free).toBe(true);
    expect(certificate.lean).toBeLessThanOrEqual(angle + 1e-6);
    for (let i = 1; i < poses.length; i++) {
      const motion = { from: poses[i - 1], to: poses[i], centre };
      expect(mostLean(motion, {}, 100)).toBeLessThanOrEqual(certificate.lean! + 1e-6);
      for (let k = 0; k <= 20; k++) {
        const { distance: far } = distance(plate, post, { poseB: poseAt(motion, k / 20) });
        expect(far).toBeGreaterThanOrEqual(certificate.clearance);
      }
    }
    expect(verifyPath(post, plate, result.path, { upright: { angle } }).free).toBe(true);
  });

  test('are none where only a body that lies gets through', async () => {
    const low = Mesh.from(slottedPlate({ slot: [6, 4] }));
    const options = { ...through, bounds: { min: [-9, -3, -3], max: [9, 3, 3] }, limits: { nodes: 2000 } };
    expect((await findPath(post, low, options)).found).toBe(true);
    expect((await findPath(post, low, { ...options, upright: {} })).found).toBe(false);
  });

  test('that lean are not verified, and say which motion does', () => {
    const lying = { rotation: [quarter, 0, 0, quarter], translation: [-8, 0, 0] };
    const path = {
      poses: [at(-8), at(-8, 1), lying].map((pose) => toRigidPose(pose)),
      centre: Float64Array.of(0, 0, 0),
    };
    const certificate = verifyPath(post, plate, path, { upright: { angle: 0.1 } });
    expect(certificate).toMatchObject({ free: false, motion: 1 });
    expect(certificate.lean).toBeCloseTo(Math.PI / 2, 6);
    expect(verifyPath(post, plate, path)).toMatchObject({ free: true, motion: -1 });
  });

  test('do not begin or end where the body leans', async () => {
    const lying = { rotation: [quarter, 0, 0, quarter], translation: [-8, 0, 0] };
    const refused = findPath(post, plate, { ...through, start: lying, upright: { angle: 0.5 } });
    await expect(refused).rejects.toThrow(
      'findPath: the start is not upright: it leans by 1.5708 radians, and 0.5 are allowed',
    );
    const goals = [at(8), lying];
    const other = findPath(post, plate, { ...through, goals, upright: {} });
    await expect(other).rejects.toThrow(/goals\[1\] is not upright/);
  });

  test('refuse what is no angle or direction', async () => {
    const ask = (upright: Upright) => findPath(post, plate, { ...through, upright });
    for (const angle of [-1, 4, Number.NaN])
      await expect(ask({ angle })).rejects.toMatchObject({ code: 'bad-option' });
    await expect(ask({ up: [0, 0, 0] })).rejects.toThrow('upright.up has no direction');
    await expect(ask({ own: [0, 1] })).rejects.toThrow('upright.own must be 3 finite numbers');
  });
});
