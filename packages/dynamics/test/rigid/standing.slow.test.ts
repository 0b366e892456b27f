/** What stands has to go on standing: long runs of stacks, pyramids and single bricks. */
import { expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { LONG } from '../../../../test/budget.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { disposed, distortion, FLOOR, pyramid, solid, stack, wholeEnergy } from './rigid-scenes.js';

/** Of the pyramid. */
const [ROWS, SECONDS] = LONG ? [20, 30] : [10, 8];

test.each([60, 120])('ten cubes on each other stand for 5 000 steps at %d Hz', (hertz) => {
  const { simulation, cubes, thickness } = stack(10, 1 / hertz);
  disposed(simulation, () => {
    const start = wholeEnergy(cubes);
    const shapes = cubes.map(({ positions }) => positions.slice());
    let [most, fastest] = [0, 0];
    for (let step = 0; step < 5000; step++) {
      simulation.step();
      most = Math.max(most, wholeEnergy(cubes));
      if (step > 1000) for (const cube of cubes) fastest = Math.max(fastest, cube.energy());
    }
    expect(most).toBeLessThan(start + 1e-9 * start);
    expect(fastest).toBeLessThan(1e-3);
    cubes.forEach((cube, i) => {
      const least = 0.5 + i + 0.5 * thickness * (i + 1);
      expect(cube.position[1]).toBeGreaterThan(least);
      expect(Math.hypot(cube.position[0], cube.position[2])).toBeLessThan(0.01);
      expect(distortion(cube.positions, shapes[i])).toBeLessThan(3e-6);
    });
    expect(simulation.intersections()).toBe(0);
  });
});

test('ten cubes stand without ever sleeping', () => {
  const { simulation, cubes } = stack(10, 1 / 60, false);
  disposed(simulation, () => {
    const start = wholeEnergy(cubes);
    let most = 0;
    for (let step = 0; step < (LONG ? 5000 : 600); step++) {
      simulation.step();
      most = Math.max(most, wholeEnergy(cubes));
    }
    expect(most).toBeLessThan(start);
    for (const cube of cubes) expect(cube.energy()).toBeLessThan(1);
  });
});

test('a brick rests for 10 000 steps without creeping', () => {
  const body = solid(box(1, 0.2, 0.6), [0, 0.101, 0], { orientation: [0, Math.sin(0.2), 0, Math.cos(0.2)] });
  disposed(new Simulation({ dt: 1 / 60, thickness: 0.001, sleeping: false }), (simulation) => {
    simulation.add(fixedBody(FLOOR));
    simulation.add(body);
    for (let step = 0; step < 60; step++) simulation.step();
    const place = body.position;
    for (let step = 0; step < 10000; step++) simulation.step();
    for (let k = 0; k < 3; k++) expect(Math.abs(body.position[k] - place[k])).toBeLessThan(1e-9);
  });
});

test('an uneven pyramid that may not sleep does not begin to sway', () => {
  const { simulation, boxes } = pyramid(20, 1 / 60, { uneven: 0.0015, sleeping: false });
  disposed(simulation, () => {
    for (let step = 0; step < 300; step++) simulation.step();
    expect(boxes.reduce((sum, one) => sum + one.energy(), 0)).toBeLessThan(1e-9);
    expect(boxes.some(({ asleep }) => asleep)).toBe(false);
  });
});

test(`a pyramid of ${ROWS} rows stands for ${SECONDS} s`, () => {
  const { simulation, boxes } = pyramid(ROWS, 1 / 60);
  disposed(simulation, () => {
    const start = wholeEnergy(boxes);
    const places = boxes.map(({ position }) => position);
    let [most, asleepAfter] = [0, Infinity];
    for (let step = 1; step <= 60 * SECONDS; step++) {
      const { asleep } = simulation.step();
      if (asleep === boxes.length) asleepAfter = Math.min(asleepAfter, step);
      most = Math.max(most, wholeEnergy(boxes));
    }
    expect(most).toBeLessThan(start + 1e-9 * start);
    // half a second, if it does not sag
    expect(asleepAfter).toBeLessThan(60);
    boxes.forEach(({ position }, i) => {
      const moved = Math.hypot(...position.map((x, k) => x - places[i][k]));
      expect(moved).toBeLessThan(1e-4);
    });
    expect(boxes.every(({ asleep }) => asleep)).toBe(true);
    expect(simulation.intersections()).toBe(0);
  });
});
