/** Ways out at an error, held against the originals. */
import { Random } from '@impinge/scenes/random';
import { collide, contains, Mesh, penetration, Scene } from 'impinge';
import { invertPose, toRigidPose, type Vec3 } from 'impinge/internal/math/pose.js';
import { describe, expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { every, runs } from '../../../../test/budget.js';
import { box, moved, united } from '../../../impinge/test/query/solid/solids.js';
import { LevelsTarget } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { poseOf } from '../level-queries/originals.js';
import { FAMILIES } from '../levels/families.js';

const FEW = { pieceTriangles: 128 };
const targetOf = async (mesh: Mesh) => new LevelsTarget(await buildLevels(mesh, FEW));
const ball = Mesh.from(icosphere(4, 1));
const pebble = Mesh.from(icosphere(3, 0.3));
const at = (x: number, y: number, z: number) => ({ translation: [x, y, z] });

function inverse(pose: Float64Array) {
  const p = invertPose(pose);
  return { rotation: p.slice(0, 9), translation: p.slice(9) };
}

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
        const { depth, atLeast, direction, error: asked } = await penetration(targetA, b, { pose, error });
        expect(asked).toBe(error);
        expect(atLeast).toBeLessThanOrEqual(exact.depth);
        expect(atLeast).toBeGreaterThan(0.5 * exact.depth);
        expect(depth).toBeGreaterThanOrEqual(exact.depth * (1 - 1e-9));
        expect(depth).toBeLessThan(1.1 * exact.depth + 3 * error);
        const out = after(toRigidPose(pose), depth, direction);
        expect(contains(ball, pebble, { pose: out }).relation).toBe('disjoint');
      }
    }
    for (const target of [targetA, targetB]) await target.dispose();
  });

  test('what lies inside has to get out, and surfaces do not tell', async () => {
    const target = await targetOf(ball);
    const { depth, atLeast } = await penetration(target, pebble, { error: 0.02 });
    expect(atLeast).toBeGreaterThan(0.5);
    expect(depth).toBeGreaterThanOrEqual(penetration(ball, pebble).depth * (1 - 1e-9));
    expect(depth).toBeLessThan(1.45);
    const turned = await penetration(pebble, target, { error: 0.02 });
    expect(turned.atLeast).toBeGreaterThan(0.5);
    await target.dispose();
  });

  test('in a hole there is no inside, even where the error does not tell', async () => {
    const torus = Mesh.from(FAMILIES['torus'](8, new Random(1)));
    const target = await targetOf(torus);
    const { depth, atLeast } = await penetration(target, pebble, { error: 1 });
    expect(atLeast).toBe(0);
    expect(depth).toBeGreaterThan(0);
    expect(await penetration(target, pebble, { error: 0.01 })).toMatchObject({
      overlapping: false,
      depth: 0,
    });
    await target.dispose();
    torus.dispose();
  });

  test('a hollow is outside, and what is in a wall is inside, also if only a part of it is', async () => {
    const outer = box(2, 2, 2);
    const inner = box(1, 1, 1);
    const room = Mesh.from(united(outer, { ...inner, indices: Array.from(inner.indices).reverse() }));
    const small = box(0.2, 0.2, 0.2);
    const one = Mesh.from(small);
    const two = Mesh.from(united(small, moved(small, 0.75, 0, 0)));
    const target = await targetOf(room);
    for (const [side, pose, is] of [
      [one, at(0, 0, 0), false],
      [one, at(0.3, -0.2, 0.1), false],
      [one, at(0.75, 0, 0), true],
      [one, at(0.5, 0, 0), true],
      [two, at(0, 0, 0), true],
      [two, at(0.6, 0, 0), true],
      [two, at(-0.375, 1.4, 0), false],
    ] as const) {
      const stored = await targetOf(side);
      const { relation } = contains(room, side, { pose });
      expect(relation !== 'disjoint').toBe(is);
      for (const error of [0, 0.01]) {
        const asked = { pose, error };
        expect((await penetration(target, side, asked)).overlapping).toBe(is);
        expect((await penetration(room, stored, asked)).overlapping).toBe(is);
        const { rotation, translation } = inverse(toRigidPose(pose));
        const back = { pose: { rotation, translation }, error };
        expect((await penetration(stored, room, back)).overlapping).toBe(is);
      }
      await stored.dispose();
    }
    await target.dispose();
  });

  test('frames may lie far from what is in them', async () => {
    const { positions, indices } = icosphere(4, 1);
    const far = Mesh.from({ positions: positions.map((x, i) => (i % 3 === 0 ? x + 10 : x)), indices });
    const target = await targetOf(far);
    const asked = { pose: at(10.5, 0, 0), error: 0.02 };
    const { depth, atLeast } = await penetration(target, pebble, asked);
    expect(atLeast).toBeGreaterThan(0.3);
    expect(depth).toBeGreaterThan(0.75);
    expect(depth).toBeLessThan(0.9);
    await target.dispose();
    far.dispose();
  });

  test('what is apart does not have to move', async () => {
    const target = await targetOf(ball);
    for (const pose of [at(1.31, 0, 0), at(0.8, 0.8, 0.8), at(9, 9, 9)]) {
      const { depth, atLeast, direction } = await penetration(target, pebble, { pose, error: 0.005 });
      expect([depth, atLeast, ...direction]).toEqual([0, 0, 0, 0, 0]);
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
        const { depth, atLeast, direction } = await penetration(target, b, { pose, error });
        expect(atLeast).toBeLessThanOrEqual(depth);
        const out = { pose: after(pose, depth, direction) };
        expect(collide(a, b, out).colliding).toBe(false);
        if (depth > 0) deep++;
        if (name !== 'torus') expect(atLeast === 0 || name === 'shells').toBe(true);
        else expect(contains(a, b, out).relation).toBe('disjoint');
        if (atLeast > 0) {
          for (let i = 0; i < 10; i++) {
            const way = poseOf(random, 1).slice(9);
            const length = Math.hypot(...way);
            const short = (0.99 * atLeast) / length;
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
    const { depth, atLeast, direction, error } = await penetration(ball, target, { poseA, poseB });
    expect(error).toBe(0);
    expect(direction[0]).toBeGreaterThan(0.9);
    expect(depth).toBeLessThan(0.12);
    expect(atLeast).toBeGreaterThan(0.05);
    const scene = new Scene();
    scene.add(ball);
    for (const side of [pebble, target]) {
      // @ts-expect-error scenes are no solids
      const refused = async () => penetration(scene, side);
      await expect(refused()).rejects.toMatchObject({ code: 'bad-input' });
    }
    await target.dispose();
  });
});
