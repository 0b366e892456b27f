/** Piles of concave bodies: nothing passes through anything, and they come to rest. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { expect, test } from 'vitest';
import { box, torus } from '../../../../lab/scenes/solids.mjs';
import { LONG } from '../../../../test/budget.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { disposed, solid, wholeEnergy } from './rigid-scenes.js';

/** A tray of 2.2 m, open above. */
function addTray(simulation: Simulation): void {
  const floor = { ...box(4, 0.2, 4), name: 'floor' };
  simulation.add(
    fixedBody({ ...floor, positions: Array.from(floor.positions, (x, k) => (k % 3 === 1 ? x - 0.1 : x)) }),
  );
  for (const [x, z, w, d] of [
    [1.2, 0, 0.2, 2.2],
    [-1.2, 0, 0.2, 2.2],
    [0, 1.2, 2.2, 0.2],
    [0, -1.2, 2.2, 0.2],
  ]) {
    const wall = box(w, 2, d);
    const positions = Array.from(wall.positions, (v, k) => v + [x, 1.001, z][k % 3]);
    simulation.add(fixedBody({ ...wall, name: 'wall', positions }));
  }
}

test('rings fall into a tray, stay in it and apart, and come to rest, seed 7', () => {
  const random = new SeededRandom(7);
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.001 });
  disposed(simulation, () => {
    addTray(simulation);
    const first = solid(torus(0.3, 0.06, 16, 8), [0, 0, 0]);
    const rings = Array.from({ length: LONG ? 24 : 8 }, (_, i) => {
      const orientation = [0, 1, 2, 3].map(() => random.next() - 0.5);
      const position = [((i % 2) - 0.5) * 0.9, 0.5 + 0.8 * Math.floor(i / 4), ((i >> 1) % 2) * 0.9 - 0.45];
      return first.copy({ name: `ring ${i}`, position, orientation });
    });
    for (const ring of rings) simulation.add(ring);
    const start = wholeEnergy(rings);
    let [most, lost] = [0, 0];
    for (let step = 1; step <= (LONG ? 600 : 200); step++) {
      lost += simulation.step().shortened;
      most = Math.max(most, wholeEnergy(rings));
      if (step % 25 === 0) expect(simulation.intersections()).toBe(0);
    }
    expect(most).toBeLessThan(start + 1e-9 * start);
    expect(lost).toBe(0);
    for (const ring of rings) {
      expect(ring.position[1]).toBeGreaterThan(0.05);
      expect(Math.max(Math.abs(ring.position[0]), Math.abs(ring.position[2]))).toBeLessThan(1.2);
      expect(ring.energy()).toBeLessThan(1);
    }
  });
});

/** Bars at right angles to each other, which hook into their like. */
function corner(): { positions: number[]; indices: number[] } {
  const outline = [
    [0, 0],
    [0.5, 0],
    [0.5, 0.12],
    [0.12, 0.12],
    [0.12, 0.5],
    [0, 0.5],
  ];
  const positions = [0, 0.12].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z]));
  const caps = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5];
  const back = Array.from({ length: 4 }, (_, t) => [0, 2, 1].map((k) => caps[3 * t + k])).flat();
  const sides = outline.flatMap((_, i) => {
    const j = (i + 1) % 6;
    return [i, j, j + 6, i, j + 6, i + 6];
  });
  return { positions, indices: [...back, ...caps.map((v) => v + 6), ...sides] };
}

test('a pile of hooks goes to sleep, wakes where it is hit, and sleeps again', () => {
  const random = new SeededRandom(3);
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.001, friction: 0.4 });
  disposed(simulation, () => {
    addTray(simulation);
    const first = solid(corner(), [0, 0, 0]);
    const hooks = Array.from({ length: LONG ? 60 : 30 }, (_, i) => {
      const orientation = [0, 1, 2, 3].map(() => random.next() - 0.5);
      const [x, z] = [(i % 3) - 1, ((Math.floor(i / 3) % 3) - 1) * 0.7];
      const position = [0.7 * x, 0.5 + 0.6 * Math.floor(i / 9), z];
      return first.copy({ name: `hook ${i}`, position, orientation });
    });
    for (const hook of hooks) simulation.add(hook);
    let [least, rise] = [Infinity, 0];
    const untilAsleep = () => {
      for (let step = 1; step <= 400; step++) {
        const { asleep } = simulation.step();
        const energy = wholeEnergy(hooks);
        rise = Math.max(rise, energy - least);
        least = Math.min(least, energy);
        if (asleep === simulation.handles.filter(({ body }) => body.rigid).length) return step;
      }
      return Infinity;
    };
    expect(untilAsleep()).toBeLessThan(400);
    expect(simulation.intersections()).toBe(0);
    const heights = hooks.map(({ position }) => position[1]);
    const highest = hooks[heights.indexOf(Math.max(...heights))];
    const [x, y, z] = highest.position;
    const ball = solid(box(0.3, 0.3, 0.3), [x, y + 1, z], { velocity: [0, -2, 0], density: 3000 });
    simulation.add(ball);
    hooks.push(ball);
    least = Infinity;
    let woken = 0;
    for (let step = 0; step < 40; step++) {
      simulation.step();
      woken = Math.max(woken, hooks.filter(({ asleep }) => !asleep).length);
    }
    expect(woken).toBeGreaterThan(1);
    expect(untilAsleep()).toBeLessThan(400);
    expect(simulation.intersections()).toBe(0);
    // contacts that come below a quarter of the thickness are moved apart whatever that costs: less than lifting one
    // hook by that much
    expect(rise).toBeLessThan(9.81 * first.mass * 0.25 * simulation.thickness);
  });
});
