/** Scenes of rigid bodies do what they are meant to: fall, turn, stand, stay inside. */
import type { RigidBody } from '@impinge/dynamics';
import { gears, nutBolt, pile } from '@impinge/scenes/rigid';
import { collide, Mesh } from 'impinge';
import { describe, expect, test } from 'vitest';
import { meetingPairs } from '../../../packages/dynamics/test/physics/apart.js';
import { readScene } from '../src/jobs/read-scene.js';
import { runSimulation } from '../src/jobs/run-simulation.js';

/**
 * Runs a scene, looks for intersections on the way and, by an oracle that shares nothing with the library, at the end;
 * returns its rigid bodies where they are then.
 */
async function run(name: string, steps: number, count?: number, onStep?: (bodies: RigidBody[]) => void) {
  const scene = await readScene(name, { seed: 1, error: 0, ...(count !== undefined && { count }) });
  const bodies = scene.bodies.filter((body): body is RigidBody => body.rigid === true);
  const starts = bodies.map(({ position }) => position);
  const outcome = await runSimulation({
    scene,
    steps,
    workers: 0,
    frames: 0,
    checkEvery: Math.ceil(steps / 4),
    signal: new AbortController().signal,
    onStep: () => onStep?.(bodies),
  });
  expect(outcome.intersections).toBe(0);
  expect(meetingPairs(outcome.bodies)).toEqual([]);
  expect(outcome.rows.reduce((sum, { shortened }) => sum + shortened, 0)).toBe(0);
  return { scene, bodies, starts, rows: outcome.rows };
}

test('a pyramid stands, and sleeps', async () => {
  const { bodies, starts } = await run('pyramid', 90, 6);
  expect(bodies.length).toBe(21);
  for (const [i, body] of bodies.entries()) {
    expect(Math.hypot(...body.position.map((x, k) => x - starts[i][k]))).toBeLessThan(0.005);
    expect(body.asleep).toBe(true);
  }
});

test('dominoes fall one after the other, to the last', async () => {
  const fallen: number[] = [];
  const { bodies } = await run('dominoes', 160, 8, (all) => {
    for (const [i, body] of all.entries()) if (lean(body) > 30 && !fallen.includes(i)) fallen.push(i);
  });
  expect(fallen).toEqual(bodies.map((_, i) => i));
  for (const body of bodies) expect(lean(body)).toBeGreaterThan(45);
});

/** Degrees between the body's long side and upright. */
function lean(body: RigidBody): number {
  return (180 / Math.PI) * Math.acos(body.turned([0, 1, 0])[1]);
}

test('gears turn each other by the ratio of their teeth', async () => {
  const { teeth } = gears();
  const angle = ({ orientation: [, , z, w] }: RigidBody) => 2 * Math.atan2(z, w);
  const turned = teeth.map(() => 0);
  let before: number[] | undefined;
  const ripples: number[][] = teeth.map(() => []);
  let steps = 0;
  const { scene, bodies } = await run('gears', 160, undefined, (all) => {
    if (++steps > 60) {
      const [first, ...others] = all.map(({ spin }, i) => Math.abs(spin[2]) * teeth[i]);
      // against the gear before
      others.reduce((driving, driven, i) => {
        ripples[i].push(driven / driving - 1);
        return driven;
      }, first);
    }
    const now = all.map(angle);
    for (const [i, a] of now.entries()) {
      const by = a - (before?.[i] ?? a);
      turned[i] += by - 2 * Math.PI * Math.round(by / (2 * Math.PI));
    }
    before = now;
  });
  const way = 2 * 159 * scene.options.dt;
  // teeth that strike each other hold the motor up a little
  expect(Math.abs(turned[0] - way)).toBeLessThan(0.01 * way);
  for (const [i, count] of teeth.entries()) {
    const expected = ((i % 2 === 0 ? 1 : -1) * turned[0] * teeth[0]) / count;
    // they may be ahead or behind by the play of every pair of teeth on the way
    expect(Math.abs(turned[i] - expected)).toBeLessThan(1e-4 + (i * 0.0024) / (0.005 * count));
    const at = (scene.joints?.[i].at ?? []) as readonly number[];
    expect(Math.hypot(...bodies[i].position.map((x, k) => x - at[k]))).toBeLessThan(5e-4);
  }
  // the polygons of the teeth alone make a quarter of a percent
  for (const ripple of ripples.slice(0, -1))
    expect(Math.sqrt(ripple.reduce((sum, x) => sum + x * x, 0) / ripple.length)).toBeLessThan(0.01);
});

test('a nut goes down a bolt by the pitch of the thread, and never meets it', async () => {
  const { scenery, dt } = nutBolt();
  const bolt = Mesh.from(scenery[0]);
  let [turned, steps, meeting] = [0, 0, 0];
  const { bodies, starts } = await run('nut-bolt', 110, undefined, ([nut]) => {
    turned -= (nut.spin[1] * dt) / (2 * Math.PI);
    if (steps++ % 8 > 0) return;
    // by another way than intersections()
    const { positions, indices } = nut;
    const mesh = Mesh.from({ positions, indices });
    meeting += collide(bolt, mesh).count;
    mesh.dispose();
  });
  expect(meeting).toBe(0);
  expect(turned).toBeGreaterThan(0.15);
  const [x, y, z] = bodies[0].position.map((at, k) => at - starts[0][k]);
  // and the play of the thread, once
  expect(Math.abs(y + 0.002 * turned)).toBeLessThan(2.5e-4);
  expect(Math.hypot(x, z)).toBeLessThan(3e-4);
});

test('a pile stays in its box', async () => {
  const { side, height } = pile({ count: 8 });
  const { bodies, starts } = await run('pile', 60, 8);
  for (const [i, { position }] of bodies.entries()) {
    const [x, y, z] = position;
    expect(y).toBeGreaterThan(0.02);
    expect(y).toBeLessThan(Math.min(height, starts[i][1] + 1e-3));
    expect(Math.max(Math.abs(x), Math.abs(z))).toBeLessThan(side / 2 + 0.2 * height);
  }
});

describe('things in each other', () => {
  test('numbers come down into the bowl', async () => {
    const { bodies } = await run('numbers-bowl', 70, 3);
    for (const { position } of bodies) {
      expect(position[1]).toBeGreaterThan(0.012);
      expect(position[1]).toBeLessThan(0.12);
      expect(Math.hypot(position[0], position[2])).toBeLessThan(0.188);
    }
  });

  test.each([
    ['torus-peg', 20],
    ['spoon-cup', 8],
  ])('%s: falls freely at first', async (name, steps) => {
    const { bodies, starts, scene } = await run(name, steps);
    const fall = (9.81 * (steps * scene.options.dt) ** 2) / 2;
    expect(starts[0][1] - bodies[0].position[1]).toBeCloseTo(fall, 3);
  });
});

test('shards of a vase lie apart', async () => {
  const scene = await readScene('breaking', { seed: 1 });
  const signal = new AbortController().signal;
  const outcome = await runSimulation({ scene, steps: 20, workers: 0, frames: 0, checkEvery: 0, signal });
  expect(outcome.broken.length).toBeGreaterThan(0);
  expect(meetingPairs(outcome.bodies)).toEqual([]);
});
