/** Soft bodies at rest: they sleep, cost nothing, and wake with what touches them. */
import { nodePool } from 'impinge/node';
import { describe, expect, test } from 'vitest';
import {
  type Body,
  cloth,
  fixedBody,
  kinematicBody,
  rigidBody,
  Simulation,
  type SimulationOptions,
  type StepReport,
  softVolume,
} from '../../src/index.js';
import { box, floor, sheet } from './contact-bodies.js';

const G = 9.81;
const DT = 0.01;

function simulated(bodies: readonly Body[], options: Partial<SimulationOptions> = {}) {
  const simulation = new Simulation({ dt: DT, thickness: 0.004, friction: 0.4, ...options });
  const handles = bodies.map((body) => simulation.add(body));
  return { simulation, handles };
}

/** Steps until a report is as wanted, at most so many. */
function until(simulation: Simulation, wanted: (report: StepReport) => boolean, most = 400): StepReport {
  for (let step = 0; step < most; step++) {
    const report = simulation.step();
    if (wanted(report)) return report;
  }
  throw new Error(`not within ${most} steps`);
}

const soft = (name: string, height: number, x = 0) =>
  softVolume({ name, ...box([0.1, 0.1, 0.1], [x, height, 0]) }, { damping: 8 });
const ground = () => fixedBody({ name: 'floor', ...floor(2) });

/** Height of the lowest vertex. */
function lowest({ positions }: Body): number {
  return positions.reduce((least, x, i) => (i % 3 === 1 ? Math.min(least, x) : least), Infinity);
}

test('what lies still falls asleep, and is not looked at again', () => {
  const body = soft('cube', 0.12);
  const { positions, indices } = sheet(4, 0.3, 0.02);
  const shifted = Array.from(positions, (x, i) => (i % 3 === 0 ? x + 0.6 : x));
  const aside = cloth({ name: 'cloth', positions: shifted, indices });
  const { simulation, handles } = simulated([ground(), body, aside]);
  until(simulation, ({ asleep }) => asleep === 2);
  expect(handles.map(({ asleep }) => asleep)).toEqual([false, true, true]);
  const places = [body, aside].map(({ positions }) => positions.slice());
  for (let step = 0; step < 20; step++) {
    expect(simulation.step()).toMatchObject({ asleep: 2, events: 0, detections: [] });
  }
  expect([body, aside].map(({ positions }) => positions)).toEqual(places);
  expect(simulation.intersections()).toBe(0);
  simulation.dispose();
});

test('but not if it must not', () => {
  const { simulation } = simulated([ground(), soft('cube', 0.12)], { sleeping: false });
  for (let step = 0; step < 250; step++) {
    const { asleep, detections } = simulation.step();
    expect(asleep).toBe(0);
    expect(detections.length).toBeGreaterThan(0);
  }
  simulation.dispose();
});

describe('it wakes', () => {
  test('in the step in which another soft body touches it, and nothing ever meets', () => {
    const low = soft('low', 0.12);
    const { simulation, handles } = simulated([ground(), low]);
    until(simulation, ({ asleep }) => asleep === 1);
    const top = low.positions.reduce((most, x, i) => (i % 3 === 1 ? Math.max(most, x) : most), 0);
    simulation.add(soft('high', top + 0.15));
    let before = low.positions.slice();
    let touched = false;
    for (let step = 0; step < 60; step++) {
      const { events } = simulation.step();
      const moved = low.positions.some((x, i) => x !== before[i]);
      expect(moved).toBe(!handles[1].asleep || moved);
      if (!touched) expect([moved, handles[1].asleep]).toEqual([events > 0, events === 0]);
      touched ||= events > 0;
      expect(simulation.intersections()).toBe(0);
      before = low.positions.slice();
    }
    expect(touched).toBe(true);
    simulation.dispose();
  });

  test('without energy of its own, when what it lies on is taken away', () => {
    const body = soft('cube', 0.12);
    const { simulation, handles } = simulated([ground(), body]);
    until(simulation, ({ asleep }) => asleep === 1);
    const stored = body.energy();
    handles[0].remove();
    const { asleep } = simulation.step();
    expect(asleep).toBe(0);
    const momentum = new Float64Array(3);
    body.momentum(momentum);
    // as after a fall of one step from rest: p = m g dt, and p² / 2 m
    expect(momentum[1]).toBeLessThan(0);
    expect(body.energy()).toBeLessThanOrEqual(stored + 0.5 * -momentum[1] * G * DT * (1 + 1e-9));
    simulation.dispose();
  });

  test('when scenery that it lies on moves', () => {
    let rises = 0;
    const lift = kinematicBody({ name: 'lift', ...floor(2) }, () => ({ translation: [0, rises, 0] }));
    const body = soft('cube', 0.12);
    const { simulation } = simulated([lift, body]);
    until(simulation, ({ asleep }) => asleep === 1);
    const height = lowest(body);
    for (let step = 1; step <= 20; step++) {
      rises = -0.004 * step;
      expect(simulation.step().asleep).toBe(0);
    }
    expect(lowest(body)).toBeLessThan(height - 0.05);
    simulation.dispose();
  });

  test('with a rigid body that lies on it, and both sleep again', () => {
    const low = soft('low', 0.12);
    const plate = rigidBody({ name: 'plate', ...box([0.08, 0.01, 0.08], [0, 0.24, 0]) }, { density: 200 });
    const { simulation } = simulated([ground(), low, plate]);
    until(simulation, ({ asleep }) => asleep === 2, 800);
    expect(lowest(plate)).toBeGreaterThan(0.1);
    expect(simulation.step()).toMatchObject({ asleep: 2, detections: [] });
    plate.applyImpulse([0, -0.05 * plate.mass, 0]);
    expect(simulation.step().asleep).toBe(0);
    until(simulation, ({ asleep }) => asleep === 2, 800);
    expect(simulation.intersections()).toBe(0);
    simulation.dispose();
  });
});

test('rigid bodies and scenery that no soft body comes near have no part in its detection', () => {
  const body = soft('cube', 0.12);
  const place = (x: number) => ({ name: `stone ${x}`, ...box([0.05, 0.05, 0.05], [x, 0.06, 0]) });
  const stones = [0.6, 0.9, 1.2].map((x) => rigidBody(place(x)));
  const far = simulated([ground(), body, ...stones]);
  const alone = simulated([ground(), soft('cube', 0.12)]);
  for (let step = 0; step < 30; step++) {
    far.simulation.step();
    alone.simulation.step();
    expect(body.positions).toEqual(alone.simulation.bodies[1].positions);
    for (const stone of stones) expect(stone.position[1]).toBeCloseTo(0.054, 1);
  }
  // one of them is thrown at it
  stones[0].velocity = [-3, 0, 0];
  const before = body.positions.slice();
  for (let step = 0; step < 40; step++) {
    far.simulation.step();
    expect(far.simulation.intersections()).toBe(0);
  }
  expect(body.positions[0]).toBeLessThan(before[0] - 0.01);
  far.simulation.dispose();
  alone.simulation.dispose();
});

test('the same on any number of threads', async () => {
  const places: Float64Array[] = [];
  const counts: number[] = [];
  for (const size of [0, 1, 2, 4]) {
    const pool = size > 0 ? nodePool(size) : undefined;
    const { positions, indices } = sheet(12, 0.5, 0.3);
    const lid = cloth({ name: 'cloth', positions, indices });
    const stone = rigidBody({ name: 'stone', ...box([0.05, 0.05, 0.05], [0.6, 0.06, 0]) });
    const { simulation } = simulated([ground(), soft('low', 0.12), lid, stone], pool && { pool });
    let asleep = 0;
    for (let step = 0; step < 120; step++) {
      const report = pool ? await simulation.stepParallel() : simulation.step();
      asleep += report.asleep;
    }
    counts.push(asleep);
    places.push(Float64Array.from(simulation.bodies.flatMap(({ positions: x }) => [...x])));
    simulation.dispose();
    await pool?.dispose();
  }
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts.slice(1)).toEqual([counts[0], counts[0], counts[0]]);
  for (const other of places.slice(1)) expect(other).toEqual(places[0]);
});
