/** Poses and edges that planners ask about, compared with the questions of `impinge`. */
import { collide, contains, distance, isClosed, Mesh, poseAt, Scene, timeOfImpact } from 'impinge';
import { toRigidPose } from 'impinge/internal/math/pose.js';
import { describe, expect, test } from 'vitest';
import { box, seededRandom } from '../../../lab/scenes/index.mjs';
import { FAST, least } from '../../../test/budget.js';
import { FreeSpace } from '../src/free-space.js';
import { randomBody, randomMotion } from './bodies.js';

const poseOf = (random: () => number, way?: number) => toRigidPose(randomMotion(random, way).from);

describe('free poses', () => {
  test.each([0, 0.2])('with a clearance of %f, against the questions of impinge', async (clearance) => {
    const random = seededRandom(1);
    let free = 0;
    for (let i = 0; i < (FAST ? 5 : 30); i++) {
      const [body, obstacle] = [randomBody(random), randomBody(random)];
      const space = new FreeSpace(body, obstacle, { clearance });
      const poses = Array.from({ length: 40 }, () => poseOf(random, 1));
      const expected = poses.map((poseB) => {
        const apart = distance(obstacle, body, { poseB }).distance;
        if (clearance === 0 && collide(obstacle, body, { poseB, mode: 'any' }).colliding) return 0;
        if (apart <= clearance) return 0;
        if (!isClosed(body) || !isClosed(obstacle)) return -1; // not known by one question
        return contains(obstacle, body, { poseB }).relation === 'disjoint' ? 1 : 0;
      });
      const out = new Uint8Array(poses.length);
      const all = Float64Array.from(poses.flatMap((pose) => [...pose]));
      const count = await space.posesFree(all, out);
      expect(count).toBe(out.reduce((sum, one) => sum + one, 0));
      expected.forEach((one, k) => {
        if (one >= 0) expect(out[k]).toBe(one);
      });
      free += count;
    }
    expect(free).toBeGreaterThan(least(100));
  });

  test('many poses among several obstacles, each by itself', async () => {
    const random = seededRandom(3);
    const scene = new Scene();
    const obstacles = Array.from({ length: 4 }, () =>
      scene.add(randomBody(random), { pose: poseOf(random, 2) }),
    );
    const body = randomBody(random);
    const poses = Array.from({ length: FAST ? 300 : 900 }, () => poseOf(random, 2));
    const out = new Uint8Array(poses.length);
    const space = new FreeSpace(body, scene);
    let done = 0;
    const onProgress = (share: number) => {
      expect(share).toBeGreaterThanOrEqual(done);
      done = share;
    };
    await space.posesFree(Float64Array.from(poses.flatMap((pose) => [...pose])), out, { onProgress });
    expect(done).toBe(1);
    poses.forEach((poseB, i) => {
      expect(space.isFree(poseB)).toBe(out[i] === 1);
      const meets = obstacles.some(
        ({ mesh, pose }) => collide(mesh, body, { poseA: pose, poseB, mode: 'any' }).colliding,
      );
      if (meets) expect(out[i]).toBe(0);
    });
    expect(out).toContain(0);
    expect(out).toContain(1);
  });

  test('touching is not free, and the next number is', () => {
    const cube = Mesh.from(box(1));
    const space = new FreeSpace(cube, cube);
    const at = (x: number) => space.isFree(toRigidPose({ translation: [x, 0.25, 0] }));
    expect([at(1), at(1 + 2 ** -52), at(-1), at(-1 - 2 ** -52)]).toEqual([false, true, false, true]);
  });

  test('batches stop when they are told to, and want whole poses', async () => {
    const space = new FreeSpace(Mesh.from(box(1)), Mesh.from(box(1)));
    const aborted = AbortSignal.abort(new Error('enough'));
    const poses = Float64Array.from([...poseOf(seededRandom(2))]);
    await expect(space.posesFree(poses, new Uint8Array(1), { signal: aborted })).rejects.toMatchObject({
      code: 'aborted',
    });
    await expect(space.posesFree(poses.subarray(1), new Uint8Array(1))).rejects.toThrow(/11 numbers/);
  });

  test('the nearest obstacle is found, with the way out of it', () => {
    const space = new FreeSpace(Mesh.from(box(1)), [
      Mesh.from(box(1)).transformed({ translation: [0, 0, -3] }),
      Mesh.from(box(1)).transformed({ translation: [2, 0, 0] }),
    ]);
    const found = space.nearest(toRigidPose({ translation: [0.25, 0, 0] }))!;
    expect(found.distance).toBeCloseTo(0.75);
    expect(found.normal).toEqual([-1, 0, 0]);
    expect(space.nearest(toRigidPose(undefined), 0.5)).toBe(undefined);
  });
});

describe('edges', () => {
  test.each([1, 2])('both questions say the same, and are right about the end, seed %i', (seed) => {
    const random = seededRandom(seed);
    const seen = { free: 0, hit: 0, undecided: 0 };
    for (let i = 0; i < (FAST ? 4 : 20); i++) {
      const space = new FreeSpace(randomBody(random), randomBody(random), {
        kind: i % 2 ? 'screw' : 'linear',
      });
      for (let k = 0; k < 20; k++) {
        const [from, to] = [poseOf(random), poseOf(random)];
        if (!space.isFree(from)) continue;
        const verdict = space.edgeFree(from, to);
        const found = space.firstHit(from, to);
        expect(found.verdict).toBe(verdict);
        seen[verdict]++;
        if (verdict === 'free') {
          expect(space.isFree(to)).toBe(true);
          continue;
        }
        expect(space.isFree(toRigidPose(poseAt(space.motion(from, to), 0.999 * found.time)))).toBe(true);
        expect(found.contact!.distance).toBeLessThanOrEqual(space.clearance + 1.1 * space.accuracy);
      }
    }
    expect(seen.free).toBeGreaterThan(least(20));
    expect(seen.hit).toBeGreaterThan(least(20));
    expect(seen.undecided).toBe(0);
  });

  test.each([0, 5e5])('of obstacles anywhere, as timeOfImpact says, %i from zero', (far) => {
    const random = seededRandom(4);
    const seen = { free: 0, hit: 0, undecided: 0 };
    const away = (mesh: Mesh) => (far > 0 ? mesh.transformed({ translation: [far, far / 2, 10] }) : mesh);
    for (let i = 0; i < (FAST ? 10 : 60); i++) {
      const body = away(randomBody(random));
      const scene = new Scene();
      const object = scene.add(away(randomBody(random)));
      // turned about their middles, and near each other
      const about = (mesh: Mesh, by: number) => {
        const pose = Float64Array.from(poseOf(random, by));
        const c = mesh.box.min.map((low, k) => 0.5 * (low + mesh.box.max[k]));
        const m = object.mesh.box.min.map((low, k) => 0.5 * (low + object.mesh.box.max[k]));
        for (let k = 0; k < 3; k++)
          pose[9 + k] += m[k] - (pose[3 * k] * c[0] + pose[3 * k + 1] * c[1] + pose[3 * k + 2] * c[2]);
        return pose;
      };
      object.move(about(object.mesh, 0.1));
      const placed = new FreeSpace(body, scene, { kind: i % 2 ? 'screw' : 'linear', accuracy: 1e-6 });
      for (let k = 0; k < 10; k++) {
        const [from, to] = [about(body, 1.5), about(body, 1.5)];
        const verdict = placed.edgeFree(from, to);
        seen[verdict]++;
        const { time } = timeOfImpact(object.mesh, body, {
          motionA: { from: object.pose },
          motionB: placed.motion(from, to),
          accuracy: 1e-6,
        });
        expect(verdict === 'free').toBe(time === Infinity);
      }
    }
    expect(seen.free).toBeGreaterThan(least(50));
    expect(seen.hit).toBeGreaterThan(least(50));
    expect(seen.undecided).toBe(0);
  });
});
