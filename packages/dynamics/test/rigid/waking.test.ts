/** What wakes a body that sleeps, and what lets it sleep. */
import { expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import type { RigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import type { SimulationOptions } from '../../src/bodies/simulation-options.js';
import { momentum } from '../bodies/model-runs.js';
import { ended } from '../physics/apart.js';
import { FLOOR, solid } from './rigid-scenes.js';

const cube = box(0.2, 0.2, 0.2);

function simulate(options: Partial<SimulationOptions>, bodies: readonly RigidBody[]): Simulation {
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.001, ...options });
  if (!options.gravity) simulation.add(fixedBody(FLOOR));
  for (const body of bodies) simulation.add(body);
  return simulation;
}

function untilAsleep(simulation: Simulation, bodies: readonly RigidBody[]): void {
  for (let step = 0; step < 120 && bodies.some(({ asleep }) => !asleep); step++) simulation.step();
  expect(bodies.map(({ asleep }) => asleep)).not.toContain(false);
}

test.each([1.4, 1.6, 1.9, 2.5, 3.6])('what rests %d mm beside a sleeping body lets it sleep', (gap) => {
  const sleeper = solid(cube, [0, 0.101, 0]);
  ended(simulate({}, [sleeper]), (simulation) => {
    untilAsleep(simulation, [sleeper]);
    const other = solid(cube, [0.2 + gap / 1000, 0.101, 0]);
    simulation.add(other);
    let woken = 0;
    for (let step = 0; step < 120; step++) {
      simulation.step();
      if (!sleeper.asleep) woken++;
    }
    expect([sleeper.asleep, other.asleep]).toEqual([true, true]);
    // as near as contacts are always found, both are one heap
    if (gap > 1.5) expect(woken).toBe(0);
    expect(sleeper.position[0]).toBeCloseTo(0, 4);
  });
});

test.each([
  ['slowly', [-0.05, 0, 0], [0, 0, 0]],
  ['fast', [-3, 0, 0], [0, 0, 0]],
  ['turning', [-0.5, 0, 0], [0, 0, 12]],
  ['at an edge', [-2, 0.4, 0.3], [3, -8, 20]],
] as const)('what comes near wakes a body, and passes on its momentum: %s', (_, velocity, spin) => {
  const sleeper = solid(cube, [0, 0, 0]);
  ended(simulate({ gravity: [0, 0, 0] }, [sleeper]), (simulation) => {
    untilAsleep(simulation, [sleeper]);
    const other = solid(cube, [0.3, 0.02, 0.01], { velocity, spin });
    simulation.add(other);
    const both = () => momentum(sleeper).map((x, k) => x + momentum(other)[k]);
    const before = both();
    while (sleeper.velocity[0] === 0 && simulation.steps < 400) {
      simulation.step();
      both().forEach((x, k) => {
        expect(Math.abs(x - before[k])).toBeLessThan(1e-6 * Math.abs(before[0]));
      });
    }
    expect(sleeper.asleep).toBe(false);
    expect(sleeper.velocity[0]).toBeLessThan(0);
    expect(simulation.intersections()).toBe(0);
  });
});

test('what a body lies on wakes it as it leaves, and so does what falls on it', () => {
  const tower = [0, 1, 2].map((k) => solid(cube, [0, 0.101 + 0.201 * k, 0]));
  ended(simulate({ friction: 0.4 }, tower), (simulation) => {
    untilAsleep(simulation, tower);
    tower[0].velocity = [3, 0, 0];
    simulation.step();
    expect(tower.map(({ asleep }) => asleep)).toEqual([false, false, false]);
    for (let step = 0; step < 60; step++) simulation.step();
    untilAsleep(simulation, tower);
    const highest = tower.reduce((a, b) => (b.position[1] > a.position[1] ? b : a));
    const [x, y, z] = highest.position;
    simulation.add(solid(cube, [x, y + 0.4, z]));
    for (let step = 0; step < 20 && highest.asleep; step++) simulation.step();
    expect(highest.asleep).toBe(false);
    expect(simulation.intersections()).toBe(0);
  });
});
