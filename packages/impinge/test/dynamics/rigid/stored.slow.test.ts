/** Stored models of 20 000 triangles that fall, slide and come to rest, held against exact questions to their originals. */
import { beforeAll, describe, expect, test } from 'vitest';
import { box } from '../../../../../scenes/solids.mjs';
import { type RigidBody, Simulation, storedBody, storedScenery } from '../../../src/dynamics/index.js';
import { distance } from '../../../src/index.js';
import { LevelsEngine } from '../../../src/levels.js';
import type { StoredModel } from '../../../src/store/index.js';
import { solid, wholeEnergy } from './rigid-scenes.js';
import { bumpyBall, modelOf } from './stored-models.js';

const THICKNESS = 0.001;
/** 0.04 % of the stone. */
const ERROR = 0.001;

/** How far two models are apart, exactly, with a body where it is now. */
async function apart(ground: LevelsEngine, engine: LevelsEngine, body: RigidBody): Promise<number> {
  const turned = body.turned(body.shape.mass.centre);
  const translation = body.position.map((x, k) => x - turned[k]);
  return (await distance(ground, engine, { pose: { rotation: [...body.orientation], translation } }))
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
    const [a, b] = [new LevelsEngine(model), new LevelsEngine(model)];
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

  test('carries a mesh, which it never meets', async () => {
    const simulation = new Simulation({ dt: 1 / 120, thickness: THICKNESS, contacts: { error: ERROR } });
    simulation.add(storedScenery(model));
    const brick = solid(box(0.5, 0.3, 0.5), [0.05, 0.7, 0]);
    simulation.add(brick);
    for (let step = 0; step < 60; step++) {
      simulation.step();
      if (step % 4 === 0) expect(simulation.intersections()).toBe(0);
    }
    expect(brick.position[1]).toBeCloseTo(0.55, 2);
    simulation.dispose();
  });
});
