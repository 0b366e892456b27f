/** Scenery: stands, follows its motion, waits where it would crush something. */
import { expect, test } from 'vitest';
import { FAST, full } from '../../../../test/budget.js';
import type { Body } from '../../src/bodies/body.js';
import { fixedBody, kinematicBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { ball, floor, SpringBody, sheet } from './contact-bodies.js';

const OPTIONS = { dt: 0.01, thickness: 0.01 };

test('a lift carries what lies on it', () => {
  const simulation = new Simulation(OPTIONS);
  const plate = new SpringBody(sheet(4, 0.5, 0.009), { name: 'plate' });
  const lift = kinematicBody({ ...floor(1), name: 'lift' }, (time) => ({ translation: [0, 0.5 * time, 0] }));
  simulation.add(plate);
  simulation.add(lift);
  for (let s = 0; s < 100; s++) simulation.step();
  expect(lift.positions[1]).toBe(Math.fround(0.5));
  expect(plate.centre(1)).toBeGreaterThan(0.5);
  expect(plate.centre(1)).toBeLessThan(0.52);
});

test("a kinematic body of one's own is moved as it proposes", () => {
  const lift = kinematicBody({ ...floor(1), name: 'lift' }, (time) => ({ translation: [0, 0.5 * time, 0] }));
  const { name, kind, self, vertexCount, indices, proposed } = lift;
  const own: Body = {
    ...{ name, kind, self, vertexCount, indices, proposed },
    get positions() {
      return lift.positions;
    },
    propose: (dt, gravity) => lift.propose(dt, gravity),
    inverseMass: () => 0,
    push: () => expect.unreachable(),
    settle: () => expect.unreachable(),
    finish: (end, dt) => lift.finish(end, dt),
    energy: () => 0,
    momentum: (out) => void out.fill(0),
  };
  const simulation = new Simulation(OPTIONS);
  for (const body of [new SpringBody(sheet(4, 0.5, 0.009), { name: 'plate' }), own]) simulation.add(body);
  for (let s = 0; s < 20; s++) simulation.step();
  expect(lift.positions[1]).toBe(Math.fround(0.1));
  expect(simulation.intersections()).toBe(0);
});

test('a turning table takes what lies on it along, the more so the rougher', () => {
  const turn = (friction: number) => {
    const simulation = new Simulation({ ...OPTIONS, friction });
    const plate = new SpringBody(sheet(4, 0.5, 0.009), { name: 'plate', stiffness: 1 });
    simulation.add(plate);
    simulation.add(
      kinematicBody({ ...floor(1), name: 'table' }, (time) => ({
        rotation: [0, Math.sin(time / 2), 0, Math.cos(time / 2)],
      })),
    );
    for (let s = 0; s < 50; s++) simulation.step();
    const [x, z] = [plate.positions[0], plate.positions[2]];
    return Math.atan2(-z, x) - 0.75 * Math.PI;
  };
  expect(turn(0)).toBeCloseTo(0, 2);
  expect(turn(1)).toBeCloseTo(0.5, 1);
});

test('what has stopped is where it is, not where it came from', () => {
  const simulation = new Simulation({ ...OPTIONS, gravity: [0, 0, 0] });
  const plate = new SpringBody(sheet(4, 0.5, 0.5), { name: 'plate', velocity: [0, -40, 0] });
  // slides in below the plate in the first step, and stands while the plate comes down on it in the second
  const slide = kinematicBody({ ...floor(1), name: 'slide' }, (time) => ({
    translation: [time < 0.005 ? -10 : 0, 0, 0],
  }));
  simulation.add(plate);
  simulation.add(slide);
  simulation.step();
  expect(slide.positions[0]).toBe(-1);
  expect(plate.centre(1)).toBeCloseTo(0.1, 3);
  for (let s = 0; s < 5; s++) simulation.step();
  expect(plate.centre(1)).toBeGreaterThan(0);
});

test('fixed scenery may run through other scenery, and is where it was', () => {
  const simulation = new Simulation(OPTIONS);
  const ground = fixedBody({ ...floor(1), name: 'ground' });
  const before = ground.positions.slice();
  simulation.add(ground);
  simulation.add(fixedBody({ ...ball(0.2, 5, [0.5, 0, 0]), name: 'stone' }));
  simulation.add(new SpringBody(sheet(4, 0.3, 0.3), { name: 'plate' }));
  for (let s = 0; s < 30; s++) simulation.step();
  expect(ground.positions).toEqual(before);
  expect(simulation.intersections()).toBe(0);
});

full('time stands still for what has to wait', () => {
  const simulation = new Simulation(OPTIONS);
  const plate = new SpringBody(sheet(FAST ? 2 : 4, 0.3, 0.05), { name: 'plate' });
  const press = kinematicBody({ ...floor(1, 0.1), name: 'press' }, (time) => ({
    translation: [0, time < 0.5 ? -0.3 * time : 0.3 * (time - 1), 0],
  }));
  simulation.add(fixedBody({ ...floor(1), name: 'ground' }));
  const onGround = simulation.add(plate);
  simulation.add(press);
  let waited = 0;
  for (let s = 0; s < 45; s++) waited += simulation.step().waiting.length;
  expect(waited).toBeGreaterThan(3);
  expect(press.positions[1]).toBeGreaterThan(0);
  expect(press.positions[1]).toBeLessThan(0.03);
  // once there is room it goes on
  onGround.remove();
  for (let s = 0; s < 60; s++) expect(simulation.step().waiting).toEqual([]);
  expect(press.positions[1]).not.toBe(Math.fround(0.1));
});
