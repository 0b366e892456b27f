/**
 * Stored models of 20 000 triangles that fall, slide and come to rest, held against exact questions to their originals.
 */
import type { StoredModel } from '@impinge/model';
import { LevelsTarget } from '@impinge/model';
import { NearParts } from '@impinge/model/internal/level-queries/near-parts.js';
import { distance, Mesh, within } from 'impinge';
import { beforeAll, describe, expect, test } from 'vitest';
import { type RigidBody, Simulation, storedBody, storedScenery } from '../../src/index.js';
import { cutTriangles } from '../../src/rigid/stored/cut-triangles.js';
import { StoredShape } from '../../src/rigid/stored/stored-shape.js';
import { wholeEnergy } from './rigid-scenes.js';
import { bumpyBall, modelOf } from './stored-models.js';

const THICKNESS = 0.001;
/** 0.04 % of the stone. */
const ERROR = 0.001;

/** How far two models are apart, exactly, with a body where it is now. */
async function apart(ground: LevelsTarget, target: LevelsTarget, body: RigidBody): Promise<number> {
  const turned = body.turned(body.shape.mass.centre);
  const translation = body.position.map((x, k) => x - turned[k]);
  return (await distance(ground, target, { pose: { rotation: [...body.orientation], translation } }))
    .distance;
}

const placeOf = ({ position, orientation }: RigidBody) => [...position, ...orientation];

/** A stone falls onto one like it and slides on it. */
async function fall(model: StoredModel, steps: number, each: (body: RigidBody) => Promise<void> | void) {
  const simulation = new Simulation({ dt: 1 / 120, thickness: THICKNESS, contacts: { error: ERROR } });
  simulation.add(storedScenery(model, { name: 'ground' }));
  const motion = { position: [-0.6, 1.05, 0.1], orientation: [0, 0, 0.05, 1], velocity: [1, 0, 0] };
  const stone = await storedBody(model, { name: 'stone', ...motion });
  simulation.add(stone);
  for (let step = 0; step < steps; step++) {
    simulation.step();
    await each(stone);
  }
  simulation.dispose();
  return stone;
}

describe('a stored stone of 20 000 triangles', () => {
  let model: StoredModel;
  beforeAll(async () => {
    model = await modelOf(bumpyBall(32, 0.02, 0.4), 'stone', 1024);
  });

  test('never meets the one it falls on, gains no energy, and ends up asleep, the same every time', async () => {
    const [a, b] = [new LevelsTarget(model), new LevelsTarget(model)];
    let start: number | undefined;
    let most = Infinity;
    let nearest = Infinity;
    let step = 0;
    let early: readonly number[] = [];
    const stone = await fall(model, 150, async (stone) => {
      if (step === 32) early = placeOf(stone);
      const energy = wholeEnergy([stone]);
      start ??= energy;
      expect(energy).toBeLessThanOrEqual(most + 1e-6 * start);
      most = Math.min(most, energy);
      if (++step % 8 === 0 && step < 72) nearest = Math.min(nearest, await apart(a, b, stone));
    });
    // contacts keep the thickness and what levels are off; the guard never lets go of an eighth of it
    expect(nearest).toBeGreaterThan(THICKNESS / 8);
    expect(nearest).toBeLessThan(THICKNESS + 2 * ERROR);
    expect(stone.asleep).toBe(true);
    await a.dispose();
    await b.dispose();
    // it has bounced by then
    expect(placeOf(await fall(model, 33, () => {}))).toEqual(early);
  });

  test('tumbles over it and on, and does not meet it at the end of any fourth step', async () => {
    const simulation = new Simulation({ dt: 1 / 120, thickness: THICKNESS, contacts: { error: 4 * ERROR } });
    simulation.add(storedScenery(model, { name: 'ground' }));
    const motion = { position: [-0.8, 1.9, 0.1], orientation: [0, 0, 0.5, 1], spin: [1, 2, -5] };
    const stone = await storedBody(model, { name: 'stone', ...motion });
    simulation.add(stone);
    let touched = 0;
    for (let step = 1; step <= 60; step++) {
      if (simulation.step().events > 0) touched++;
      if (step % 4 === 0) expect(simulation.intersections()).toBe(0);
    }
    expect(touched).toBeGreaterThan(5);
    simulation.dispose();
  });
});

test('of many pieces, a cut has every triangle that is within reach of one of the other side', async () => {
  const ball = bumpyBall(20, 0.02);
  const model = await modelOf(ball, 'ball', 64);
  const shape = new StoredShape('ball', model, [0, 0, 0], 2 ** 26);
  const mesh = Mesh.from(ball);
  const placeOf = (x: ArrayLike<number>, at: readonly number[]) =>
    at
      .map((v) => `${x[3 * v]} ${x[3 * v + 1]} ${x[3 * v + 2]}`)
      .sort()
      .join();
  let count = 0;
  for (const [angle, reach] of [
    [0.1, 0.15],
    [1.3, 0.4],
    [2.2, 0.25],
  ]) {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const pose = Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1, 0.4, 2, 0.2);
    const near = new NearParts(shape.at(0), shape.at(0));
    const cut = cutTriangles(near, pose, reach);
    const { pairs } = within(mesh, mesh, {
      distance: reach,
      pose: { rotation: pose.subarray(0, 9), translation: pose.subarray(9) },
    });
    for (const side of [0, 1]) {
      const { positions, indices } = cut?.[side] ?? { positions: [], indices: new Uint32Array(0) };
      const there = new Set<string>();
      for (let i = 0; i < indices.length; i += 3)
        there.add(placeOf(positions, [...indices.subarray(i, i + 3)]));
      for (const t of new Set(pairs.filter((_, i) => i % 2 === side))) {
        expect(there.has(placeOf(ball.positions, [...ball.indices.subarray(3 * t, 3 * t + 3)]))).toBe(true);
        count++;
      }
    }
  }
  expect(count).toBeGreaterThan(100);
  mesh.dispose();
  shape.dispose();
});
