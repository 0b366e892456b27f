/** Piles of concave bodies: nothing passes through anything, and they come to rest. */
import { expect, test } from 'vitest';
import { box, torus } from '../../../../../scenes/solids.mjs';
import { SeededRandom } from '../../../src/base/seeded-random.js';
import { fixedBody } from '../../../src/dynamics/scenery.js';
import { Simulation } from '../../../src/dynamics/simulation.js';
import { LONG } from '../../budget.js';
import { disposed, solid, wholeEnergy } from './rigid-scenes.js';

test('rings fall into a tray, stay in it and apart, and come to rest, seed 7', () => {
  const random = new SeededRandom(7);
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.001 });
  disposed(simulation, () => {
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
      simulation.add(
        fixedBody({
          ...wall,
          name: 'wall',
          positions: Array.from(wall.positions, (v, k) => v + [x, 1.001, z][k % 3]),
        }),
      );
    }
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
