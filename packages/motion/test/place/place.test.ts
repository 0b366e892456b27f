/** Places found for bodies, looked at again by exact questions, and against all places of a grid that are nearer. */
import { collide, contains, distance, isClosed, Mesh, type Pose, Scene } from 'impinge';
import { posePoint, toRigidPose } from 'impinge/internal/math/pose.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere, randomRotation, seededRandom, torus } from '../../../../lab/scenes/index.mjs';
import { every, FAST } from '../../../../test/budget.js';
import { findPath, type PlaceOptions, type PlaceResult, place, placeAll } from '../../src/index.js';
import { randomBody } from '../bodies.js';

type Placed = Extract<PlaceResult, { found: true }>;

async function placed(body: Mesh, obstacles: Mesh | Scene, options: PlaceOptions): Promise<Placed> {
  const result = await place(body, obstacles, options);
  if (!result.found) throw new Error(`none found: ${result.reason}`);
  return result;
}

const isFree = (body: Mesh, obstacle: Mesh, poseB: Pose, clearance = 0) => {
  if (collide(obstacle, body, { poseB, mode: 'any' }).colliding) return false;
  if (clearance > 0 && distance(obstacle, body, { poseB }).distance <= clearance) return false;
  return contains(obstacle, body, { poseB }).relation === 'disjoint';
};

const middleOf = ({ box: { min, max } }: Mesh, pose: Pose) => {
  const out = [0, 0, 0];
  const [x, y, z] = min.map((low, k) => 0.5 * (low + max[k]));
  posePoint(toRigidPose(pose), x, y, z, out, 0);
  return out;
};

/** Moves of a grid in a ball. */
function* gridIn(radius: number, step: number): Generator<number[]> {
  const n = Math.floor(radius / step);
  for (let x = -n; x <= n; x++)
    for (let y = -n; y <= n; y++)
      for (let z = -n; z <= n; z++)
        if (Math.hypot(x, y, z) * step <= radius) yield [x * step, y * step, z * step];
}

describe('the nearest free place', () => {
  test.each(every([1, 2, 3], 3))('no place of a grid that is nearer is free, seed %i', async (seed) => {
    const random = seededRandom(seed);
    for (let i = 0; i < 8; i++) {
      const [body, obstacle] = [randomBody(random), randomBody(random)];
      if (!isClosed(body) || !isClosed(obstacle)) continue; // what is inside is not told by one question
      const clearance = i % 2 === 0 ? 0 : 0.05;
      const near = { rotation: randomRotation(random), translation: [0.2 * random(), 0, 0] };
      const { pose, moved, atLeast, ...found } = await placed(body, obstacle, {
        ...{ near, clearance, accuracy: 0.03, limits: { cells: FAST ? 2000 : 8000 } },
      });
      expect(isFree(body, obstacle, pose, clearance)).toBe(true);
      expect(found.clearance).toBeGreaterThan(clearance);
      expect(found.turned).toBe(0);
      const way = middleOf(body, pose).map((x, k) => x - middleOf(body, near)[k]);
      expect(Math.hypot(...way)).toBeCloseTo(moved, 9);
      expect(atLeast).toBeLessThanOrEqual(moved);
      for (const move of gridIn(atLeast * (1 - 1e-9), Math.max(0.02, atLeast / 6))) {
        const translation = near.translation.map((x, k) => x + move[k]);
        expect(isFree(body, obstacle, { ...near, translation }, clearance)).toBe(false);
      }
    }
  });

  test('is where it was wished, if that is free', async () => {
    const near = { translation: [3, 0, 0] };
    const found = await placed(Mesh.from(box(1)), Mesh.from(box(1)), { near });
    expect(found).toMatchObject({ moved: 0, turned: 0, atLeast: 0, clearance: 2 });
  });

  test('is known for boxes: out by the shortest way, as near as the accuracy', async () => {
    const [small, large] = [Mesh.from(box(1)), Mesh.from(box(6, 8, 10))];
    const near = { translation: [1, 1, 1] };
    const found = await placed(small, large, { near, accuracy: 0.01 });
    // 3 + 0.5 from the middle along x
    expect(found.moved).toBeGreaterThan(2.5);
    expect(found.moved).toBeLessThan(2.52);
    expect(found.atLeast).toBeGreaterThan(2.48);
  });

  test('is proved to be nowhere, or not found down to the accuracy', async () => {
    const [small, large] = [Mesh.from(box(1)), Mesh.from(box(9))];
    const region = { min: [-3, -3, -3], max: [3, 3, 3] };
    expect(await place(small, large, { near: {}, region })).toMatchObject({
      found: false,
      reason: 'blocked',
    });
    // as high as the gap between two plates
    const plates = new Scene();
    for (const z of [-1, 1]) plates.add(Mesh.from(box(9, 9, 1)), { pose: { translation: [0, 0, z] } });
    const flat = { min: [-2, -2, -0.2], max: [2, 2, 0.2] };
    const asked = { near: {}, region: flat, accuracy: 0.1 };
    expect(await place(small, plates, asked)).toMatchObject({ found: false, reason: 'accuracy' });
    expect(await place(small, plates, { ...asked, limits: { cells: 4 } })).toMatchObject({ reason: 'cells' });
    expect(await place(Mesh.from(box(1, 1, 0.9)), plates, asked)).toMatchObject({ found: true, moved: 0 });
  });
});

describe('turning', () => {
  const bar = Mesh.from(box(4, 0.5, 0.5));
  const walls = new Scene();
  for (const x of [-1, 1]) walls.add(Mesh.from(box(0.2, 20, 20)), { pose: { translation: [x, 0, 0] } });
  const region = { min: [-0.8, -1, -1], max: [0.8, 1, 1] };

  test.each(['upright', 'any'] as const)('a bar fits between walls when it is turned: %s', async (turn) => {
    expect(await place(bar, walls, { near: {}, region })).toMatchObject({ found: false });
    const found = await placed(bar, walls, { near: {}, region, turn });
    for (const { mesh, pose } of walls.objects())
      expect(collide(mesh, bar, { poseA: pose, poseB: found.pose }).colliding).toBe(false);
    expect(found.turned).toBeGreaterThan(1);
    if (turn === 'upright') expect(found.pose[8]).toBeCloseTo(1, 12);
  });
});

describe('standing', () => {
  const floor = Mesh.from(box(20, 20, 1), { name: 'floor' });
  const table = Mesh.from(box(3, 3, 2)).transformed({ translation: [0, 0, 1.5] });

  test('a body stands on what is below, and no more than the accuracy above it', async () => {
    const scene = new Scene();
    const [ground, desk] = [scene.add(floor), scene.add(table)];
    const ball = Mesh.from(icosphere(2, 0.5));
    for (const [x, on, height] of [
      [0.3, desk, 2.5],
      [5, ground, 0.5],
    ] as const) {
      const near = { translation: [x, 0, height + 1] };
      const found = await placed(ball, scene, { near, rest: true, accuracy: 0.02, clearance: 0.001 });
      expect(found.floor!.obstacle).toBe(on);
      const gap = distance(on.mesh, ball, { poseB: found.pose }).distance;
      expect(gap).toBeGreaterThan(0.001);
      expect(gap).toBeLessThan(0.001 + 0.04);
      expect(found.clearance).toBeCloseTo(gap, 9);
      // it would go on if it could
      const lower = found.pose.map((t, k) => t - (k === 11 ? 0.04 : 0));
      expect(collide(on.mesh, ball, { poseB: lower }).colliding).toBe(true);
    }
  });

  test('with gravity along another axis, and with nothing below', async () => {
    const wall = Mesh.from(box(1, 20, 20));
    const cube = Mesh.from(box(1));
    const near = { translation: [3, 0, 0] };
    const found = await placed(cube, wall, { near, rest: true, up: [2, 0, 0] });
    expect(found.pose[9]).toBeCloseTo(1, 1);
    expect(found.pose[9]).toBeGreaterThan(1);
    expect(await place(cube, wall, { near, rest: true, up: [-1, 0, 0] })).toMatchObject({ found: false });
  });

  test('several bodies, one after the other', async () => {
    const tray = new Scene();
    tray.add(floor);
    const bodies = [box(2), box(1, 2, 3), torus(1, 0.3, 16, 8), icosphere(2, 1)].map((shape) => ({
      body: Mesh.from(shape),
      near: { translation: [0, 0, 3] },
    }));
    const options = { rest: true, clearance: 0.01, limits: { cells: 3000 } };
    const found = await placeAll(bodies, tray, options);
    expect(found.every((one) => one.found)).toBe(true);
    const poses = found.map((one) => (one as Placed).pose);
    bodies.forEach(({ body }, i) => {
      expect(distance(floor, body, { poseB: poses[i] }).distance).toBeGreaterThan(0.01);
      for (let j = 0; j < i; j++) {
        const apart = distance(bodies[j].body, body, { poseA: poses[j], poseB: poses[i] }).distance;
        expect(apart).toBeGreaterThan(0.01);
      }
    });
    expect(await placeAll(bodies, tray, options)).toEqual(found);
  });
});

describe('questions that cannot be answered', () => {
  const cube = Mesh.from(box(1));

  test('errors name what is wrong', async () => {
    await expect(place(cube, cube, {} as PlaceOptions)).rejects.toThrow(/there is no pose to be near/);
    await expect(place(cube, cube, { near: {}, turn: 'up' as 'any' })).rejects.toThrow(/turn/);
    await expect(place(cube, cube, { near: {}, up: [0, 0, 0] })).rejects.toThrow(/up has no direction/);
    await expect(place(cube, cube, { near: {}, accuracy: 0 })).rejects.toThrow(
      /accuracy must be more than 0/,
    );
    const point = Mesh.from({ positions: [0, 0, 0, 0, 0, 0, 0, 0, 0] });
    await expect(place(point, cube, { near: {} })).rejects.toThrow(/no size/);
  });

  test('a search can be aborted, and says how far it is', async () => {
    const control = new AbortController();
    const seen: number[] = [];
    const onProgress = (cells: number) => {
      seen.push(cells);
      control.abort();
    };
    const asked = place(Mesh.from(torus(2, 0.5, 24, 12)), Mesh.from(torus(2, 0.5, 24, 12)), {
      ...{ near: {}, accuracy: 1e-4, signal: control.signal, onProgress },
    });
    await expect(asked).rejects.toMatchObject({ code: 'aborted' });
    expect(seen).toHaveLength(1);
  });

  test('what a path offers where its start is not free is the nearest place', async () => {
    const wall = Mesh.from(box(1, 9, 9), { name: 'wall' });
    const start = { translation: [0.8, 0, 0] };
    const error = await findPath(cube, wall, { start, goals: [{ translation: [3, 0, 0] }] }).catch((e) => e);
    expect(error.detail.free[9]).toBeGreaterThan(1);
    expect(error.detail.free[9]).toBeLessThan(1.02);
  });
});
