/** Ways to walk through doors, up stairs and over ramps, looked at again pose by pose; and those that there are not. */
import { distance, isClosed, Mesh, type Pose, poseAt, Scene, signedDistance } from 'impinge';
import { composePoses, posePoint, toRigidPose } from 'impinge/internal/math/pose.js';
import { describe, expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { every, FAST } from '../../../../test/budget.js';
import { type FindWalkOptions, findWalk, type MotionPath, verifyWalk, type Walk } from '../../src/index.js';
import { trunkOf } from '../../src/walk/trunk.js';
import { block, house, STOREY } from './house.js';

const at = (x: number, y = 0, z = 0) => ({ translation: [x, y, z] });
const person = block([-0.3, 0.3], [-0.2, 0.2], [0, 1.8]);
const WALK: Walk = { stepHeight: 0.3 };

async function wayOf(body: Mesh, scene: Scene, options: FindWalkOptions): Promise<MotionPath> {
  const result = await findWalk(body, scene, options);
  if (!result.found) throw new Error(`none found: ${result.reason}, closest ${result.closest.pose.slice(9)}`);
  return result.path;
}

/**
 * Looks at many poses: a box, which the part above the step height is, keeps its distance; and some object has its top
 * near the feet, within a reach of below them.
 */
function lookAt(trunk: Mesh, scene: Scene, path: MotionPath, reach: number, looks: number): number {
  let least = Infinity;
  for (let i = 1; i < path.poses.length; i++) {
    for (let k = 0; k <= looks; k++) {
      const motion = { from: path.poses[i - 1], to: path.poses[i], centre: path.centre };
      const poseB = toRigidPose(poseAt(motion, k / looks));
      const [x, y, z] = poseB.slice(9);
      let hasFloor = false;
      for (const { mesh, pose } of scene.objects()) {
        const { distance: far } = distance(mesh, trunk, { poseA: pose, poseB, atMost: least });
        least = Math.min(least, far);
        const { min, max } = mesh.box;
        const aside = Math.hypot(Math.max(0, min[0] - x, x - max[0]), Math.max(0, min[1] - y, y - max[1]));
        hasFloor ||= aside <= reach + 1e-6 && Math.abs(max[2] - z) <= WALK.stepHeight / 2 + 1e-6;
      }
      expect(hasFloor).toBe(true);
      expect([...poseB.slice(6, 9)]).toEqual([0, 0, 1].map((c) => expect.closeTo(c, 7)));
    }
  }
  return least;
}

describe('a person', () => {
  const trunk = block([-0.3, 0.3], [-0.2, 0.2], [0.15, 1.8]);
  const asked = { start: at(1, 3, 0), goals: [at(1, 3, STOREY)], ...WALK };

  test.each(every([0, 0.02], 2))('walks through a door and up stairs, keeping %f', async (clearance) => {
    const scene = house();
    const path = await wayOf(person, scene, { ...asked, clearance });
    expect(path.certificate).toMatchObject({ free: true, motion: -1 });
    expect(path.certificate.clearance).toBeGreaterThanOrEqual(clearance);
    const least = lookAt(trunk, scene, path, 0.1, FAST ? 15 : 60);
    expect(least).toBeGreaterThanOrEqual(path.certificate.clearance - 1e-6);
    expect([...path.poses.at(-1)!.slice(9)]).toEqual([1, 3, STOREY].map((x) => expect.closeTo(x, 6)));
    expect(verifyWalk(person, scene, path, { ...WALK, clearance }).free).toBe(true);
    expect(path.poses.some((pose) => pose[9] > 5 && pose[10] > 4.4 && pose[11] > 0.5 && pose[11] < 2)).toBe(
      true,
    );
  });

  test('comes down as well, and the same way for the same question', async () => {
    const down = { ...asked, start: at(1, 3, STOREY), goals: [at(7, 2, 0)] };
    const [a, b] = [await wayOf(person, house(), down), await wayOf(person, house(), down)];
    expect(a.certificate.free).toBe(true);
    expect(b.poses).toEqual(a.poses);
    expect(b.times).toEqual(a.times);
  });

  test('starts and ends on the floor, a little above or below where it was said to', async () => {
    const path = await wayOf(person, house(), { ...asked, start: at(1, 3, 0.1), goals: [at(2, 2, -0.15)] });
    expect([path.poses[0][11], path.poses.at(-1)![11]]).toEqual([0, 0].map((z) => expect.closeTo(z, 6)));
  });

  test('does not pass a wall: the place that came closest is before it', async () => {
    const result = await findWalk(person, house({ door: 0 }), {
      ...{ ...asked, goals: [at(6, 3)] },
      bounds: { min: [0.5, 2.7, -1], max: [10, 3.3, 1] },
    });
    expect(result).toMatchObject({ found: false, reason: 'places' });
    if (result.found) return;
    const { pose, distance: left } = result.closest;
    expect(pose[9]).toBeGreaterThan(3.3);
    expect(pose[9]).toBeLessThan(3.8);
    expect(left).toBeCloseTo(Math.hypot(6 - pose[9], 3 - pose[10]), 4);
  });

  test('does not climb stairs of which treads are missing', async () => {
    const scene = house({ door: 2, without: [6, 7] });
    const options = { ...asked, limits: { nodes: 8000 }, bounds: { min: [3.5, 1, -1], max: [10, 6, 4] } };
    const result = await findWalk(person, scene, {
      ...options,
      start: at(4.5, 5),
      goals: [at(9, 2, STOREY)],
    });
    expect(result.found).toBe(false);
  });
});

describe('what rolls', () => {
  const hall = () => {
    const scene = new Scene();
    scene.add(block([-4, 4], [-3, 3], [-0.2, 0]), { name: 'floor' });
    scene.add(block([-0.1, 0.1], [-3, -0.45], [0, 3]), { name: 'left' });
    scene.add(block([-0.1, 0.1], [0.45, 3], [0, 3]), { name: 'right' });
    return scene;
  };
  const across = { start: at(-2), goals: [at(2)], stepHeight: 0.02 };

  test('goes lengthwise where it is too long to go across', async () => {
    const trolley = block([-0.3, 0.3], [-0.7, 0.7], [0, 1]);
    const path = await wayOf(trolley, hall(), across);
    const inDoor = path.poses.filter((pose) => Math.abs(pose[9]) < 0.2);
    expect(path.certificate.free).toBe(true);
    for (const pose of inDoor) expect(Math.abs(pose[1])).toBeGreaterThan(0.7);
    const wide = block([-0.5, 0.5], [-0.7, 0.7], [0, 1]);
    const none = await findWalk(wide, hall(), { ...across, limits: { nodes: 2000 } });
    expect(none.found).toBe(false);
  });

  test('passes over sills that are lower than its step height', async () => {
    const scene = hall();
    scene.add(block([-0.1, 0.1], [-0.45, 0.45], [0, 0.015]), { name: 'sill' });
    const trolley = block([-0.3, 0.3], [-0.4, 0.4], [0, 1]);
    expect((await wayOf(trolley, scene, across)).certificate.free).toBe(true);
    const low = { ...across, stepHeight: 0.014, limits: { nodes: 5000 } };
    expect((await findWalk(trolley, scene, low)).found).toBe(false);
  });

  test('keeps to slopes that are allowed', async () => {
    const scene = new Scene();
    scene.add(block([-4, 0], [-1, 1], [-0.2, 0]), { name: 'low' });
    scene.add(block([3, 6], [-1, 1], [0.8, 1]), { name: 'high' });
    const angle = Math.atan2(1, 3);
    const long = Math.hypot(1, 3);
    const rotation = [0, -Math.sin(angle / 2), 0, Math.cos(angle / 2)];
    scene.add(block([0, long], [-1, 1], [-0.1, 0]), {
      name: 'ramp',
      pose: { rotation, translation: [0, 0, 0] },
    });
    const trolley = block([-0.3, 0.3], [-0.3, 0.3], [0, 1]);
    const asked = { start: at(-2), goals: [at(5, 0, 1)], stepHeight: 0.12 };
    const path = await wayOf(trolley, scene, { ...asked, maxSlope: 0.4 });
    expect(path.certificate.free).toBe(true);
    expect((await findWalk(trolley, scene, { ...asked, maxSlope: 0.2, limits: { nodes: 5000 } })).found).toBe(
      false,
    );
  });

  test('walks on gratings, whose bars rays may miss, and not where they are too far apart', async () => {
    const grating = (pitch: number) => {
      const scene = new Scene();
      scene.add(block([-4, -1], [-1, 1], [-0.2, 0]), { name: 'before' });
      scene.add(block([1, 4], [-1, 1], [-0.2, 0]), { name: 'after' });
      for (let x = -1 + pitch / 2; x < 1; x += pitch)
        scene.add(block([x, x + 0.004], [-1, 1], [-0.03, 0]), { name: `bar ${x}` });
      return scene;
    };
    const cart = block([-0.3, 0.3], [-0.3, 0.3], [0, 1]);
    const asked = {
      start: at(-2),
      goals: [at(2)],
      stepHeight: 0.05,
      clearance: 0.01,
      limits: { nodes: 4000 },
    };
    const path = await wayOf(cart, grating(0.031), asked);
    expect(path.certificate.free).toBe(true);
    expect(verifyWalk(cart, grating(0.031), path, { stepHeight: 0.05 }).free).toBe(true);
    // a floor is within a quarter of its width from below its middle
    expect(verifyWalk(cart, grating(0.5), path, { stepHeight: 0.05 }).free).toBe(false);
    expect((await findWalk(cart, grating(0.5), asked)).found).toBe(false);
  });

  test('goes where another way is up, and the body was stored in another turn', async () => {
    const turn = toRigidPose({ rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], translation: [5, 6, 7] });
    const scene = new Scene();
    for (const { mesh, pose } of hall().objects()) scene.add(mesh, { pose: composePoses(turn, pose) });
    const cart = block([-0.3, 0.3], [-0.4, 0.4], [0, 1]);
    const inWorld = ({ translation: [x, y, z] }: { translation: number[] }): Pose => {
      const out = turn.slice();
      posePoint(turn, x, y, z, out, 9);
      return out;
    };
    // z of the hall is −y of the world
    const asked = {
      ...across,
      start: inWorld(at(-2)),
      goals: [inWorld(at(2))],
      up: [0, -1, 0],
      own: [0, 0, 1],
    };
    const path = await wayOf(cart, scene, asked);
    expect(path.certificate.free).toBe(true);
    for (const pose of path.poses) expect(pose[10]).toBeCloseTo(6, 6);
  });
});

describe('ways that are no such ways', () => {
  const scene = house();
  const straight = (...places: number[][]) => ({
    poses: places.map(([x, y, z]) => toRigidPose(at(x, y, z))),
    centre: Float64Array.of(0, 0, 0),
  });

  test('are not verified: through a wall, in the air, leaning', () => {
    const fine = straight([1, 3, 0], [3, 3, 0], [3, 1, 0.1]);
    expect(verifyWalk(person, scene, fine, WALK)).toMatchObject({ free: true, motion: -1 });
    expect(verifyWalk(person, scene, fine, { ...WALK, clearance: 0.3 }).free).toBe(false);
    const wall = straight([1, 3, 0], [3, 3, 0], [6, 3, 0]);
    expect(verifyWalk(person, scene, wall, WALK)).toMatchObject({ free: false, motion: 1 });
    const air = straight([1, 3, 0], [3, 3, 0], [3, 1, 0.2]);
    expect(verifyWalk(person, scene, air, WALK)).toMatchObject({ free: false, motion: 1 });
    const leaning = [
      toRigidPose(at(1, 3)),
      toRigidPose({ rotation: [0.1, 0, 0, Math.sqrt(0.99)], ...at(1, 3) }),
    ];
    expect(verifyWalk(person, scene, { ...fine, poses: leaning }, WALK)).toMatchObject({
      free: false,
      motion: 0,
    });
  });

  test('are not verified about another point than the feet', () => {
    const path = { ...straight([1, 3, 0], [3, 3, 0]), centre: Float64Array.of(0, 0.1, 0) };
    expect(() => verifyWalk(person, scene, path, WALK)).toThrow(
      /the centre is not at the feet, which are at /,
    );
  });

  test('cannot begin: what is wrong is said', async () => {
    const ask = (change: Partial<FindWalkOptions>, body = person) =>
      findWalk(body, scene, { ...WALK, start: at(1, 3), goals: [at(3, 3)], ...change });
    await expect(ask({ start: at(1, 3, 1) })).rejects.toThrow(
      'findWalk: the start has no floor: none is within 0.3 above or below its feet',
    );
    await expect(ask({ goals: [at(3, 3), at(4, 3)] })).rejects.toThrow(
      /findWalk: goals\[1\] is not free: .* deep in wall/,
    );
    const lying = { rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], translation: [1, 3, 0] };
    await expect(ask({ start: lying })).rejects.toThrow(/the start is not upright: it leans by 1\.5708/);
    await expect(ask({ stepHeight: 2 })).rejects.toThrow(/stepHeight must be less than the body's height/);
    await expect(ask({ stepHeight: 0 })).rejects.toMatchObject({ code: 'bad-option' });
    await expect(ask({ maxSlope: 2 })).rejects.toThrow(/less than a right angle/);
  });
});

describe('the part above the step height', () => {
  test('of a closed body is closed, and holds all of the body that is above', () => {
    const ball = Mesh.from(icosphere(3, 1));
    for (const level of [-0.7, -0.2, 0.3]) {
      const { mesh, rounding } = trunkOf(ball, [0, 0, 1], level);
      expect(isClosed(mesh)).toBe(true);
      expect(mesh.box.min[2]).toBeCloseTo(level, 6);
      // as wide as what was pressed flat
      expect(mesh.box.max[0]).toBe(ball.box.max[0]);
      for (let i = 0; i < 300; i++) {
        const point = [
          0.9 * Math.sin(i),
          0.9 * Math.cos(3 * i),
          level + (1 - level) * ((i * 0.37) % 1),
        ] as const;
        const own = signedDistance(ball, point)!;
        if (Math.abs(own) < 10 * rounding || point[2] < level + 10 * rounding) continue;
        const sign = signedDistance(mesh, point)!;
        expect(Math.sign(sign)).toBe(Math.sign(own));
      }
    }
  });
});
