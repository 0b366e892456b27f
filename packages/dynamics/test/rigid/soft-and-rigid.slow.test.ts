/** One simulation for all: rigid bodies under cloth and between soft ones. */
import { expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { FAST } from '../../../../test/budget.js';
import { cloth } from '../../src/bodies/cloth.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { sheet } from '../bodies/contact-bodies.js';
import { momentum } from '../bodies/model-runs.js';
import { disposed, FLOOR, solid } from './rigid-scenes.js';

test('cloth falls on two cubes that stand on each other; all rest free of each other', () => {
  const cubes = [0, 1].map((i) => solid(box(0.4, 0.4, 0.4), [0, 0.205 + 0.405 * i, 0]));
  const simulation = new Simulation({ dt: 1 / 100, thickness: 0.005 });
  disposed(simulation, () => {
    simulation.add(fixedBody(FLOOR));
    for (const cube of cubes) simulation.add(cube);
    simulation.add(cloth({ ...sheet(FAST ? 7 : 11, 1, 0.84), name: 'cloth' }));
    let touched = 0;
    for (let step = 0; step < (FAST ? 30 : 60); step++) {
      touched += simulation.step().events;
      if (step % 10 === 0) expect(simulation.intersections()).toBe(0);
    }
    expect(touched).toBeGreaterThan(20);
    expect(simulation.intersections()).toBe(0);
    cubes.forEach(({ position }, i) => {
      expect(Math.abs(position[1] - (0.205 + 0.405 * i))).toBeLessThan(0.006);
      expect(Math.hypot(position[0], position[2])).toBeLessThan(0.005);
    });
  });
});

test('a cube flying into cloth gives it the momentum that it loses', () => {
  const cube = solid(box(0.2, 0.2, 0.2), [0, 0.3, 0], { velocity: [0, -2, 0], density: 100 });
  const net = cloth({ ...sheet(7, 1, 0), name: 'net' });
  const simulation = new Simulation({ dt: 1 / 100, thickness: 0.005, gravity: [0, 0, 0] });
  disposed(simulation, () => {
    simulation.add(cube);
    simulation.add(net);
    const before = momentum(cube)[1];
    for (let step = 0; step < 25; step++) simulation.step();
    expect(momentum(net)[1]).toBeLessThan(0.05 * before);
    expect(Math.abs(momentum(cube)[1] + momentum(net)[1] - before)).toBeLessThan(1e-3 * Math.abs(before));
    expect(simulation.intersections()).toBe(0);
  });
});
