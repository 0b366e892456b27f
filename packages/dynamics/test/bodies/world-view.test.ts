/** Questions about bodies where they are during a run: the answers are those about their vertices. */
import { closestPoint, collideAll, objectsInShape, raycast } from 'impinge';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { expect, test } from 'vitest';
import { box, icosphere } from '../../../../lab/scenes/solids.mjs';
import type { Body } from '../../src/bodies/body.js';
import { cloth } from '../../src/bodies/cloth.js';
import { fixedBody, kinematicBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { disposed, FLOOR, solid } from '../rigid/rigid-scenes.js';
import { sheet } from './contact-bodies.js';

/** The nearest body to a point, and how far it is, by all triangles as they are. */
function nearest(bodies: readonly Body[], point: Float64Array): { body: Body; distance: number } {
  const found = bodies.map((body) => {
    let least = Infinity;
    for (let t = 0; t < body.indices.length; t += 3) {
      const corners = Float64Array.from({ length: 9 }, (_, k) => {
        return body.positions[3 * body.indices[t + Math.floor(k / 3)] + (k % 3)];
      });
      least = Math.min(least, distanceSqPointTriangle(point, 0, corners, 0));
    }
    return { body, distance: Math.sqrt(least) };
  });
  return found.reduce((best, one) => (one.distance < best.distance ? one : best));
}

function runningScene() {
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.004 });
  const ball = solid(icosphere(2, 0.2), [0.1, 1.2, 0], { spin: [1, 2, 3] });
  const cube = solid(box(0.3, 0.3, 0.3), [1, 0.3, 0.4], { velocity: [1, 1, 0], spin: [0, 5, 1] });
  const path = (time: number) => ({ translation: [-1 + time, 0.5, 0.3 * Math.sin(time)] });
  const bodies = [
    fixedBody(FLOOR),
    kinematicBody({ ...box(0.2, 0.2, 0.2), name: 'cart' }, path),
    cube,
    ball,
    ball.copy({ name: 'second', position: [0.9, 1.5, -0.6] }),
    cloth(sheet(8, 0.8, 0.8)),
  ];
  for (const body of bodies) simulation.add(body);
  return { simulation, bodies, ball, cube };
}

test('nearest bodies are those of brute force, in every step, seed 11', () => {
  const { simulation, bodies } = runningScene();
  const random = new SeededRandom(11);
  disposed(simulation, () => {
    for (let step = 0; step < 40; step++) {
      simulation.step();
      for (let i = 0; i < 4; i++) {
        const point = Float64Array.from([3, 1.5, 2], (size) => size * (random.next() - 0.4));
        const right = nearest(bodies, point);
        const found = closestPoint(simulation.scene, point);
        expect(found?.distance).toBeCloseTo(right.distance, 5);
        const named = found?.object.userData as Body;
        expect(nearest([named], point).distance).toBeCloseTo(right.distance, 5);
        expect(found?.object.name).toBe(named.name);
      }
    }
  });
});

test('rays, shapes and pairs see where bodies are now', () => {
  const { simulation, bodies, ball, cube } = runningScene();
  disposed(simulation, () => {
    for (let step = 0; step < 30; step++) simulation.step();
    const down = (x: number, z: number) =>
      raycast(simulation.scene, { origin: [x, 9, z], direction: [0, -1, 0] })?.object.userData;
    expect(down(8, 8)).toBe(bodies[0]);
    expect(down(cube.position[0], cube.position[2])).toBe(cube);
    // also between steps
    ball.position = [5, 5, 5];
    expect(down(5, 5)).toBe(ball);
    const around = objectsInShape(simulation.scene, { centre: [5, 5, 5], radius: 0.3 });
    expect(around.map(({ userData }) => userData)).toEqual([ball]);
    expect(collideAll(simulation.scene).pairs).toEqual([]);
    simulation.handles[3].remove();
    expect(down(5, 5)).toBe(bodies[0]);
    expect(simulation.scene.size).toBe(5);
  });
});

test('bodies of one shape share a mesh, and what rests is not moved', () => {
  const { simulation, bodies } = runningScene();
  disposed(simulation, () => {
    const [, , , first, second] = simulation.scene.objects();
    expect(first.mesh).toBe(second.mesh);
    const before = simulation.scene.revision;
    expect(simulation.scene.revision).toBe(before);
    simulation.step();
    // all but the floor
    expect(simulation.scene.revision - before).toBe(bodies.length - 1);
  });
});

test('sensors are not in it, and it ends with the simulation', () => {
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.004 });
  const probe = fixedBody(box(1, 1, 1), { sensor: true });
  const stone = solid(box(0.1, 0.1, 0.1), [0, 0, 0]);
  for (const body of [probe, stone]) simulation.add(body);
  const { scene } = simulation;
  expect(scene.objects().map(({ userData }) => userData)).toEqual([stone]);
  expect(simulation.overlapping(stone)).toEqual([]);
  expect(simulation.overlapping(probe)).toEqual([stone]);
  expect(() => simulation.overlapping(stone.copy())).toThrow('not in the simulation');
  simulation.dispose();
  expect(scene.size).toBe(0);
  expect(() => simulation.scene).toThrow('disposed');
});
