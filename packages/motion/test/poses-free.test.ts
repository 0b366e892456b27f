/** Many poses on threads: the same answers as one by one, for any number of them. */
import { Mesh, Scene } from 'impinge';
import { toRigidPose } from 'impinge/internal/math/pose.js';
import { nodePool } from 'impinge/node';
import { afterAll, describe, expect, test } from 'vitest';
import { box, icosphere, seededRandom, torus } from '../../../lab/scenes/index.mjs';
import { FAST } from '../../../test/budget.js';
import { FreeSpace } from '../src/free-space.js';
import { posesFree } from '../src/index.js';
import { randomBody, randomMotion } from './bodies.js';

const pools = [0, 1, 2, 3].map((size) => nodePool(size));
afterAll(() => Promise.all(pools.map((pool) => pool.dispose())));

function manyPoses(count: number, way: number): Float64Array {
  const random = seededRandom(7);
  return Float64Array.from(
    Array.from({ length: count }, () => [...toRigidPose(randomMotion(random, way).from)]).flat(),
  );
}

function hall(): Scene {
  const random = seededRandom(3);
  const scene = new Scene();
  for (let i = 0; i < 12; i++)
    scene.add(randomBody(random), { pose: randomMotion(random, 3).from as object });
  scene.add(Mesh.from(icosphere(4, 0.8)));
  return scene;
}

const body = Mesh.from(torus(0.4, 0.1, 24, 12));

describe('many poses', () => {
  test.each([0, 0.1])('with a clearance of %f, on threads as one by one', async (clearance) => {
    const poses = manyPoses(FAST ? 1500 : 6000, 3);
    const space = new FreeSpace(body, hall(), { clearance });
    const expected = Uint8Array.from({ length: poses.length / 12 }, (_, i) =>
      space.isFree(poses.subarray(12 * i, 12 * i + 12)) ? 1 : 0,
    );
    const free = expected.reduce((sum, one) => sum + one, 0);
    expect(free).toBeGreaterThan(0);
    expect(free).toBeLessThan(expected.length);
    for (const pool of pools) {
      const seen: number[] = [];
      // a scene that has not been asked about: its trees are not built yet
      const out = await posesFree(body, hall(), poses, {
        clearance,
        pool,
        onProgress: (done) => seen.push(done),
      });
      expect(out).toEqual(expected);
      expect([...seen].sort((a, b) => a - b)).toEqual(seen);
      expect(seen.at(-1)).toBe(1);
    }
    expect(await posesFree(body, hall(), Float32Array.from(poses), { clearance })).toHaveLength(
      expected.length,
    );
    expect(await posesFree(body, hall(), poses, { clearance })).toEqual(expected);
  });

  test('none are no question', async () => {
    expect(await posesFree(body, hall(), new Float64Array(0), { pool: pools[2] })).toHaveLength(0);
  });

  test('stop when they are told to', async () => {
    const control = new AbortController();
    const poses = manyPoses(20_000, 1);
    for (const pool of [undefined, pools[2]]) {
      const asked = posesFree(body, body, poses, {
        ...(pool && { pool }),
        signal: control.signal,
        onProgress: () => control.abort(),
      });
      await expect(asked).rejects.toMatchObject({ code: 'aborted' });
    }
  });

  test('are refused where a mesh moves meanwhile, or is none of them', async () => {
    const soft = Mesh.from(box(1));
    const asked = posesFree(body, soft, manyPoses(5000, 1), { pool: pools[2] });
    soft.setPositions(Float32Array.from(soft.positions, (x) => x * 1.01));
    await expect(asked).rejects.toMatchObject({ code: 'busy' });
    await expect(posesFree(body, soft, new Float64Array(11))).rejects.toThrow(/twelve numbers each/);
    await expect(posesFree(body, soft, new Float64Array(12))).rejects.toMatchObject({ code: 'bad-pose' });
  });
});
