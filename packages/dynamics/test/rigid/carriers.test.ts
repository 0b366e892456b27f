/** Moving scenery carries what lies on it: lifts, platforms and turntables, against closed formulas. */
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { kinematicBody, type MotionPath } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { ended } from '../physics/apart.js';
import { solid } from './rigid-scenes.js';

const G = 9.81;
const THICKNESS = 0.001;

function carried(path: MotionPath, dt: number, friction: number, x = 0) {
  const simulation = new Simulation({ dt, thickness: THICKNESS, friction });
  simulation.add(kinematicBody({ ...box(8, 0.2, 8), name: 'platform' }, path));
  const block = solid(box(0.4, 0.2, 0.4), [x, 0.2 + THICKNESS, 0]);
  // another, which moves alike on its own
  const other = block.copy({ position: [x, 0.2 + THICKNESS, 2.5] });
  for (const body of [block, other]) simulation.add(body);
  return { simulation, block, other };
}

describe.each([1 / 60, 1 / 240])('in steps of %d s', (dt) => {
  test.each([
    [0.5, 0.9],
    [0.2, 0.5],
    [0.5, -0.8],
  ])(
    'on a platform with friction %d that accelerates at %d of what it can hold, a block stays',
    (mu, share) => {
      const a = share * mu * G;
      const { simulation, block } = carried((t) => ({ translation: [0.5 * a * t * t, 0, 0] }), dt, mu);
      ended(simulation, () => {
        for (let step = 0; step < 1 / dt; step++) simulation.step();
        // the first step may slip by what it moves in it
        expect(Math.abs(block.position[0] - 0.5 * a)).toBeLessThan(Math.abs(a) * dt * dt + THICKNESS);
        expect(block.velocity[0] / a).toBeCloseTo(1, 1);
      });
    },
  );

  test('above what it can hold, the block follows at μ g', () => {
    const [mu, a] = [0.2, 4];
    const { simulation, block } = carried((t) => ({ translation: [0.5 * a * t * t, 0, 0] }), dt, mu);
    ended(simulation, () => {
      for (let step = 0; step < 1 / dt; step++) simulation.step();
      expect(Math.abs(block.velocity[0] / (mu * G) - 1)).toBeLessThan(0.02);
      expect(Math.abs(block.position[0] / (0.5 * mu * G) - 1)).toBeLessThan(0.04);
    });
  });

  test.each([
    // held by friction up to ω² r = μ g
    [0.9, true],
    [1.3, false],
  ])('on a turntable at %d of the spin that friction holds, it stays: %s', (share, stays) => {
    const [mu, radius] = [0.4, 1.5];
    const spin = share * Math.sqrt((mu * G) / radius);
    // slowly up to speed in the first second
    const angle = (t: number) => (t < 1 ? 0.5 * spin * t * t : spin * (t - 0.5));
    const path: MotionPath = (t) => ({ rotation: [0, Math.sin(angle(t) / 2), 0, Math.cos(angle(t) / 2)] });
    const { simulation, block } = carried(path, dt, mu, radius);
    ended(simulation, () => {
      while (simulation.steps * dt < 3) simulation.step();
      const [x, , z] = block.position;
      if (!stays) expect(Math.hypot(x, z)).toBeGreaterThan(2 * radius);
      else {
        const turned = angle(simulation.steps * dt);
        expect(Math.hypot(x - radius * Math.cos(turned), z + radius * Math.sin(turned))).toBeLessThan(0.02);
        expect(block.spin[1] / spin).toBeCloseTo(1, 1);
      }
    });
  });

  test('a lift takes it up, down and to rest, without parting from it', () => {
    const height = (t: number) => (t < 2 ? 0.5 * (1 - Math.cos(Math.PI * t)) : 0);
    const { simulation, block } = carried((t) => ({ translation: [0, height(t), 0] }), dt, 0.5);
    ended(simulation, () => {
      while (simulation.steps * dt < 2.2) {
        simulation.step();
        const gap = block.position[1] - 0.2 - height(simulation.steps * dt);
        expect(gap).toBeGreaterThan(0);
        expect(gap).toBeLessThan(4 * THICKNESS);
      }
      for (let step = 0; step < 2 / dt && !block.asleep; step++) simulation.step();
      expect(block.asleep).toBe(true);
    });
  });

  test('one that starts wakes what sleeps on it', () => {
    const { simulation, block } = carried((t) => ({ translation: [Math.max(0, t - 2), 0, 0] }), dt, 0.5);
    ended(simulation, () => {
      while (simulation.steps * dt < 1.9) simulation.step();
      expect(block.asleep).toBe(true);
      while (simulation.steps * dt < 3.5) simulation.step();
      expect(Math.abs(block.velocity[0] - 1)).toBeLessThan(0.01);
      expect(block.position[0]).toBeGreaterThan(1.3);
    });
  });
});
