/** The simulation as physics: what contacts conserve, dissipate, hold and let slide. */
import { describe, expect, test } from 'vitest';
import { every, FAST, full } from '../../../../test/budget.js';
import { kinematicBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { ball, box, floor, SpringBody, scenery, sheet, turned } from './contact-bodies.js';

function totals(bodies: readonly SpringBody[]): { energy: number; momentum: Float64Array } {
  const momentum = new Float64Array(3);
  const one = new Float64Array(3);
  for (const body of bodies) {
    body.momentum(one);
    for (let k = 0; k < 3; k++) momentum[k] += one[k];
  }
  return { energy: bodies.reduce((sum, body) => sum + body.energy(), 0), momentum };
}

describe('a free collision', () => {
  function collide(friction: number, stiffness: number) {
    const simulation = new Simulation({ dt: 0.01, thickness: 0.01, gravity: [0, 0, 0], friction });
    // one light and one heavy body, off centre
    const common = { stiffness, rounds: 2 };
    const a = new SpringBody(ball(0.2, 6, [-0.3, 0.05, 0]), { ...common, name: 'a', velocity: [2, 0, 0] });
    const b = new SpringBody(ball(0.2, 5, [0.3, 0, 0.04]), {
      ...common,
      name: 'b',
      mass: 3,
      velocity: [-1, 0, 0],
    });
    simulation.add(a);
    simulation.add(b);
    const before = totals([a, b]);
    let contacts = 0;
    let growth = 0;
    let energy = before.energy;
    for (let s = 0; s < 60; s++) {
      const report = simulation.step();
      contacts += report.events;
      const now = totals([a, b]).energy;
      growth = Math.max(growth, now - energy);
      energy = now;
    }
    const after = totals([a, b]);
    expect(contacts).toBeGreaterThan(100);
    for (let k = 0; k < 3; k++)
      expect(Math.abs(after.momentum[k] - before.momentum[k])).toBeLessThan(1e-5 * a.vertexCount);
    expect(after.energy).toBeLessThan(before.energy);
    expect(simulation.intersections()).toBe(0);
    return { a, b, growth: growth / before.energy };
  }

  // without springs nothing stores energy: what moves is all there is
  full.each(
    every(
      [
        { friction: 0, stiffness: 0.5 },
        { friction: 0.5, stiffness: 0.5 },
        { friction: 0, stiffness: 0 },
        { friction: 0.5, stiffness: 0 },
      ],
      3,
    ),
  )('keeps momentum, and makes no energy without springs: %o', ({ friction, stiffness }) => {
    const { a, b, growth } = collide(friction, stiffness);
    if (stiffness > 0) expect(a.centre(0)).toBeLessThan(b.centre(0));
    else expect(growth).toBeLessThan(1e-6);
  });
});

test.each([0, 0.5, 1])('a restitution of %d gives back that share of the speed', (restitution) => {
  const simulation = new Simulation({ dt: 0.01, thickness: 0.01, gravity: [0, 0, 0], restitution });
  const plate = new SpringBody(sheet(3, 0.4, 0.1), { name: 'plate', velocity: [0, -3, 0] });
  simulation.add(plate);
  simulation.add(scenery(floor(2)));
  for (let s = 0; s < 20; s++) simulation.step();
  for (let i = 1; i < plate.velocities.length; i += 3)
    expect(plate.velocities[i]).toBeCloseTo(3 * restitution, 3);
});

describe('a block on a slope', () => {
  const slope = 0.35; // radians; its tangent is 0.365
  const g = 9.81;

  function slide(friction: number, steps: number): { way: number; drop: number } {
    const simulation = new Simulation({ dt: 0.01, thickness: 0.01, friction });
    const ground = floor(4);
    const shape = box([0.2, 0.1, 0.15], [0, 0.109, 0]);
    const block = new SpringBody(
      { positions: turned(shape, slope), indices: shape.indices },
      { name: 'block', braces: shape.braces, stiffness: 1 },
    );
    simulation.add(block);
    simulation.add(scenery({ positions: turned(ground, slope), indices: ground.indices }, 'slope'));
    const [x, y] = [block.centre(0), block.centre(1)];
    for (let s = 0; s < steps; s++) simulation.step();
    const [dx, dy] = [block.centre(0) - x, block.centre(1) - y];
    const [c, s] = [Math.cos(slope), Math.sin(slope)];
    return { way: -(dx * c + dy * s), drop: dx * s - dy * c };
  }

  test('stays below the angle of friction', () => {
    const { way, drop } = slide(0.4, FAST ? 60 : 300);
    expect(Math.abs(way)).toBeLessThan(1e-3);
    expect(Math.abs(drop)).toBeLessThan(0.01);
  });
  test('slides above it, as fast as it should', () => {
    const { way, drop } = slide(0.2, 100);
    const expected = 0.5 * g * (Math.sin(slope) - 0.2 * Math.cos(slope));
    expect(way).toBeGreaterThan(0.93 * expected);
    expect(way).toBeLessThan(1.07 * expected);
    expect(Math.abs(drop)).toBeLessThan(0.011);
  });
  test('slides freely without friction', () => {
    const steps = FAST ? 40 : 100;
    const { way } = slide(0, steps);
    expect(way / (0.5 * g * Math.sin(slope) * (steps / 100) ** 2)).toBeCloseTo(1, 1);
  });
});

full('what falls comes to rest, and stays', () => {
  const simulation = new Simulation({ dt: 0.01, thickness: 0.01 });
  const boxes = [0, 1, 2].map((i) => {
    const shape = box([0.2, 0.1, 0.2], [0.03 * i, 0.13 + 0.26 * i, 0.02 * i]);
    return new SpringBody(shape, { name: `box ${i}`, braces: shape.braces, stiffness: 1, rounds: 8 });
  });
  for (const body of boxes) simulation.add(body);
  simulation.add(scenery(floor(2)));
  for (let s = 0; s < 300; s++) simulation.step();
  const heights = boxes.map((body) => body.centre(1));
  for (let s = 0; s < 100; s++) expect(simulation.step().rolledBackVertices).toBe(0);
  boxes.forEach((body, i) => {
    expect(Math.abs(body.centre(1) - heights[i])).toBeLessThan(1e-3);
    expect(body.energy()).toBeLessThan(1e-4);
    expect(body.centre(1)).toBeGreaterThan(0.1 + 0.2 * i);
  });
});

full('cloth on a turning ball goes round with it', () => {
  const simulation = new Simulation({ dt: 0.01, thickness: 0.02, friction: 0.8 });
  const cloth = new SpringBody(sheet(9, 0.7, 0.33), { name: 'cloth', mass: 0.01 });
  const sphere = kinematicBody({ ...ball(0.3, 7, [0, 0, 0]), name: 'ball' }, (time) => {
    const half = Math.max(0, time - 0.6) / 2;
    return { rotation: [0, Math.sin(half), 0, Math.cos(half)] };
  });
  simulation.add(cloth);
  simulation.add(sphere);
  for (let s = 0; s < 60; s++) simulation.step();
  const [x, z] = [cloth.positions[0], cloth.positions[2]];
  const at = Math.atan2(z, x);
  for (let s = 0; s < 60; s++) expect(simulation.step().waiting).toEqual([]);
  const turned = (at - Math.atan2(cloth.positions[2], cloth.positions[0]) + 4 * Math.PI) % (2 * Math.PI);
  expect(turned).toBeGreaterThan(0.3);
  expect(turned).toBeLessThan(0.75);
  expect(simulation.intersections()).toBe(0);
});
