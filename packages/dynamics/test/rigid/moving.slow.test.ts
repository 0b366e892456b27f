/** Rigid bodies that are fast or carried. */
import { expect, test } from 'vitest';
import { box, icosphere } from '../../../../lab/scenes/solids.mjs';
import { fixedBody, kinematicBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { disposed, solid } from './rigid-scenes.js';

test('what comes down fast stays on the side it came from', () => {
  const wall = { ...box(40, 0.02, 40), name: 'thin wall' };
  const body = solid(icosphere(1, 0.05), [0, 2, 0], { velocity: [3, -200, 1], spin: [40, 0, 90] });
  disposed(new Simulation({ dt: 1 / 60, thickness: 0.001 }), (simulation) => {
    simulation.add(fixedBody(wall));
    simulation.add(body);
    for (let step = 0; step < 30; step++) {
      simulation.step();
      expect(body.position[1]).toBeGreaterThan(0.01);
      expect(simulation.intersections()).toBe(0);
    }
  });
});

test('a lift carries what stands on it, and waits where it would crush', () => {
  const lift = kinematicBody({ ...box(1, 0.1, 1), name: 'lift' }, (time) => ({
    translation: [0, 0.5 * time, 0],
  }));
  const load = solid(box(0.3, 0.2, 0.3), [0, 0.152, 0]);
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.001 });
  disposed(simulation, () => {
    simulation.add(lift);
    simulation.add(load);
    simulation.add(fixedBody({ ...solidAt(box(1, 0.1, 1), 0.6), name: 'ceiling' }));
    for (let step = 0; step < 30; step++) expect(simulation.step().waiting).toEqual([]);
    expect(load.position[1]).toBeGreaterThan(0.152 + 0.24);
    let waited = 0;
    for (let step = 0; step < 30; step++) waited += simulation.step().waiting.length;
    expect(waited).toBeGreaterThan(10);
    expect(simulation.intersections()).toBe(0);
  });
});

function solidAt(mesh: { positions: ArrayLike<number>; indices: ArrayLike<number> }, y: number) {
  return { ...mesh, positions: Array.from(mesh.positions, (x, k) => (k % 3 === 1 ? x + y : x)) };
}
