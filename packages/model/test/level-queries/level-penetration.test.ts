/** Ways out at an error, held against the originals. */
import { Random } from '@impinge/scenes/random';
import { collide, contains, Mesh, penetration } from 'impinge';
import { toRigidPose, type Vec3 } from 'impinge/internal/math/pose.js';
import { describe, expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { every, runs } from '../../../../test/budget.js';
import { LevelsTarget, levelPenetration } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { FAMILIES } from '../levels/families.js';
import { poseOf } from './originals.js';

const FEW = { pieceTriangles: 128 };
const targetOf = async (mesh: Mesh) => new LevelsTarget(await buildLevels(mesh, FEW));
const ball = Mesh.from(icosphere(4, 1));
const pebble = Mesh.from(icosphere(3, 0.3));
const at = (x: number, y: number, z: number) => ({ translation: [x, y, z] });

/** b's pose, moved. */
function after(pose: Float64Array, depth: number, direction: Vec3) {
  return pose.map((x, i) => (i < 9 ? x : x + depth * direction[i - 9]));
}

describe('the way out', () => {
  test('spheres: no longer than the shortest by more than a few errors, and no shorter', async () => {
    const [targetA, targetB] = [await targetOf(ball), await targetOf(pebble)];
    for (const error of [0.002, 0.1]) {
      const pose = at(0.6, 0.5, 0.4);
      const exact = penetration(ball, pebble, { pose });
      for (const b of [targetB, pebble]) {
        const { depth, direction, error: asked } = await levelPenetration(targetA, b, { pose, error });
        expect(asked).toBe(error);
        expect(depth[0]).toBeLessThanOrEqual(exact.depth);
        expect(depth[0]).toBeGreaterThan(0.5 * exact.depth);
        expect(depth[1]).toBeGreaterThanOrEqual(exact.depth * (1 - 1e-9));
        expect(depth[1]).toBeLessThan(1.1 * exact.depth + 3 * error);
        const out = after(toRigidPose(pose), depth[1], direction);
        expect(contains(ball, pebble, { pose: out }).relation).toBe('disjoint');
      }
    }
    for (const target of [targetA, targetB]) await target.dispose();
  });

  test('what lies inside has to get out, and surfaces do not tell', async () => {
    const target = await targetOf(ball);
    const { depth } = await levelPenetration(target, pebble, { error: 0.02 });
    expect(depth[0]).toBeGreaterThan(0.5);
    expect(depth[1]).toBeGreaterThanOrEqual(penetration(ball, pebble).depth * (1 - 1e-9));
    expect(depth[1]).toBeLessThan(1.45);
    const turned = await levelPenetration(pebble, target, { error: 0.02 });
    expect(turned.depth[0]).toBeGreaterThan(0.5);
    await target.dispose();
  });

  test('in a hole there is no inside, even where the error does not tell', async () => {
    const torus = Mesh.from(FAMILIES['torus'](8, new Random(1)));
    const target = await targetOf(torus);
    const { depth } = await levelPenetration(target, pebble, { error: 1 });
    expect(depth[0]).toBe(0);
    expect(depth[1]).toBeGreaterThan(0);
    expect((await levelPenetration(target, pebble, { error: 0.01 })).depth).toEqual([0, 0]);
    await target.dispose();
    torus.dispose();
  });

  test('frames may lie far from what is in them', async () => {
    const { positions, indices } = icosphere(4, 1);
    const far = Mesh.from({ positions: positions.map((x, i) => (i % 3 === 0 ? x + 10 : x)), indices });
    const target = await targetOf(far);
    const asked = { pose: at(10.5, 0, 0), error: 0.02 };
    const { depth } = await levelPenetration(target, pebble, asked);
    expect(depth[0]).toBeGreaterThan(0.3);
    expect(depth[1]).toBeGreaterThan(0.75);
    expect(depth[1]).toBeLessThan(0.9);
    await target.dispose();
    far.dispose();
  });

  test('what is apart does not have to move', async () => {
    const target = await targetOf(ball);
    for (const pose of [at(1.31, 0, 0), at(0.8, 0.8, 0.8), at(9, 9, 9)]) {
      const { depth, direction } = await levelPenetration(target, pebble, { pose, error: 0.005 });
      expect([...depth, ...direction]).toEqual([0, 0, 0, 0, 0]);
    }
    await target.dispose();
  });

  for (const name of every(['torus', 'terrain', 'soup', 'shells', 'book'], 3)) {
    test(`${name}: moved by the depth, the originals are apart; by less than the lower bound, they are not`, async () => {
      const random = new Random(5);
      const [a, b] = [Mesh.from(FAMILIES[name](6, random)), Mesh.from(FAMILIES['torus'](6, random))];
      const target = await targetOf(a);
      let deep = 0;
      for (let run = 0; run < runs(2); run++) {
        const pose = poseOf(random, 0.4);
        const error = 0.05 * random.next();
        const { depth, direction } = await levelPenetration(target, b, { pose, error });
        expect(depth[0]).toBeLessThanOrEqual(depth[1]);
        const out = { pose: after(pose, depth[1], direction) };
        expect(collide(a, b, out).colliding).toBe(false);
        if (depth[1] > 0) deep++;
        if (name !== 'torus') expect(depth[0] === 0 || name === 'shells').toBe(true);
        else expect(contains(a, b, out).relation).toBe('disjoint');
        if (depth[0] > 0) {
          for (let i = 0; i < 10; i++) {
            const way = poseOf(random, 1).slice(9);
            const length = Math.hypot(...way);
            const short = (0.99 * depth[0]) / length;
            const still = after(pose, short, [way[0], way[1], way[2]]);
            expect(contains(a, b, { pose: still }).relation).not.toBe('disjoint');
          }
        }
      }
      expect(deep).toBeGreaterThan(0);
      await target.dispose();
      a.dispose();
      b.dispose();
    });
  }

  test('without an error, and in the world', async () => {
    const target = await targetOf(pebble);
    const turn = [0, 0, 1, 1, 0, 0, 0, 1, 0];
    const poseA = { rotation: turn, translation: [5, 5, 5] };
    const poseB = { rotation: turn, translation: [6.2, 5, 5] };
    const { depth, direction, error } = await levelPenetration(ball, target, { poseA, poseB });
    expect(error).toBe(0);
    expect(direction[0]).toBeGreaterThan(0.9);
    expect(depth[1]).toBeLessThan(0.12);
    expect(depth[0]).toBeGreaterThan(0.05);
    await expect(levelPenetration(ball, pebble)).rejects.toMatchObject({ code: 'bad-input' });
    await target.dispose();
  });
});
