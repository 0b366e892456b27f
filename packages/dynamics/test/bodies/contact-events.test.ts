/** Contact lists and events, and sensors: against forces known from statics and from impacts. */
import { describe, expect, test } from 'vitest';
import { box, icosphere } from '../../../../lab/scenes/solids.mjs';
import type { Body } from '../../src/bodies/body.js';
import { cloth } from '../../src/bodies/cloth.js';
import type { BodyContact } from '../../src/bodies/contact-record.js';
import type { ContactEvent } from '../../src/bodies/contact-report.js';
import { rigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody, kinematicBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import type { SimulationOptions } from '../../src/bodies/simulation-options.js';
import { disposed, FLOOR, solid } from '../rigid/rigid-scenes.js';
import { sheet } from './contact-bodies.js';

const G = 9.81;
const OPTIONS = { dt: 1 / 60, thickness: 0.001, contactEvents: true };

function simulate(bodies: readonly Body[], options: Partial<SimulationOptions> = {}): Simulation {
  const simulation = new Simulation({ ...OPTIONS, ...options });
  for (const body of bodies) simulation.add(body);
  return simulation;
}

function named(events: readonly ContactEvent[] | undefined): string[] {
  return (events ?? []).map(({ phase, a, b }) => `${phase} ${a.name} ${b.name}`);
}

describe('contacts of a step', () => {
  test('at rest they carry the weight, at the corners', () => {
    const cube = solid(box(0.4, 0.2, 0.4), [1, 0.101, 2]);
    disposed(simulate([fixedBody(FLOOR), cube], { sleeping: false }), (simulation) => {
      for (let step = 0; step < 60; step++) simulation.step();
      const [contact, ...others] = simulation.contacts(cube);
      expect(others).toEqual([]);
      expect([contact.a.name, contact.b]).toEqual(['floor', cube]);
      const [x, y, z] = contact.impulse;
      expect(y / (cube.mass * G * OPTIONS.dt)).toBeCloseTo(1, 3);
      expect(Math.hypot(x, z) / y).toBeLessThan(1e-3);
      const corners = contact.points.map(({ point: [px, , pz] }) => `${px.toFixed(2)} ${pz.toFixed(2)}`);
      expect(corners.sort()).toEqual(['0.80 1.80', '0.80 2.20', '1.20 1.80', '1.20 2.20']);
      for (const { point, normal, gap } of contact.points) {
        expect(normal[1]).toBeCloseTo(1, 12);
        expect(gap).toBeGreaterThan(0);
        expect(gap).toBeLessThan(1.01 * OPTIONS.thickness);
        expect(point[1]).toBeCloseTo(gap / 2, 4);
      }
    });
  });

  test('of a round shape, they are at its surface', () => {
    const ball = rigidBody({ centre: [0, 0, 0], radius: 0.1 }, { mass: 2, position: [1, 0.101, 2] });
    disposed(simulate([fixedBody(FLOOR), ball], { sleeping: false }), (simulation) => {
      for (let step = 0; step < 30; step++) simulation.step();
      const [{ points, impulse }] = simulation.contacts(ball);
      expect(points).toHaveLength(1);
      const { point, gap } = points[0];
      expect(gap).toBeGreaterThan(0);
      expect(gap).toBeLessThan(1.01 * OPTIONS.thickness);
      expect([point[0], point[1] - gap / 2, point[2]].map((x) => x.toFixed(4))).toEqual([
        '1.0000',
        '0.0000',
        '2.0000',
      ]);
      expect(impulse[1] / (2 * G * OPTIONS.dt)).toBeCloseTo(1, 3);
    });
  });

  test('of a slide, friction is in the impulse', () => {
    const brick = solid(box(0.4, 0.1, 0.4), [0, 0.051, 0], { velocity: [3, 0, 0] });
    disposed(simulate([fixedBody(FLOOR, { friction: 0.4 }), brick], { friction: 0.4 }), (simulation) => {
      for (let step = 0; step < 12; step++) simulation.step();
      const [{ impulse }] = simulation.contacts();
      expect(impulse[0] / impulse[1]).toBeCloseTo(-0.4, 6);
    });
  });

  test.each([1 / 60, 1 / 240])('the impulse of a blow is the change of momentum, in steps of %d s', (dt) => {
    const ball = solid(icosphere(2, 0.1), [0, 0.12, 0], { velocity: [0, -5, 0], restitution: 0.5 });
    disposed(simulate([fixedBody(FLOOR), ball], { dt, friction: 0 }), (simulation) => {
      let before = ball.velocity[1];
      while (simulation.contacts().length === 0 && simulation.steps < 60) {
        before = ball.velocity[1];
        simulation.step();
      }
      const [{ impulse }] = simulation.contacts();
      expect(impulse[1] / (ball.mass * (ball.velocity[1] - before + G * dt))).toBeCloseTo(1, 6);
      expect(ball.velocity[1]).toBeGreaterThan(2.4);
    });
  });

  test('among free bodies, a pushes b as b pushes a', () => {
    const [left, right] = [-0.11, 0.11].map((x) => solid(box(0.2, 0.2, 0.2), [x, 0, 0]));
    left.velocity = [2, 0, 0];
    disposed(simulate([right, left], { gravity: [0, 0, 0] }), (simulation) => {
      while (simulation.contacts().length === 0 && simulation.steps < 20) simulation.step();
      const [{ a, b, impulse, points }] = simulation.contacts();
      expect([a, b]).toEqual([right, left]);
      // without restitution both go on together
      expect(impulse[0]).toBeCloseTo(-left.mass, 3);
      for (const { normal } of points) expect(normal[0]).toBeCloseTo(-1, 9);
    });
  });

  test('of cloth on a floor, they carry its weight', () => {
    const cut = cloth(sheet(6, 0.5, 0.004), { density: 2 });
    disposed(simulate([fixedBody(FLOOR), cut], { dt: 1 / 100, thickness: 0.004 }), (simulation) => {
      const sums: number[] = [];
      for (let step = 0; step < 40; step++) {
        simulation.step();
        sums.push(simulation.contacts(cut)[0]?.impulse[1] ?? 0);
      }
      const mean = sums.slice(20).reduce((sum, x) => sum + x, 0) / 20;
      expect(mean / (2 * 0.25 * G * 0.01)).toBeCloseTo(1, 1);
    });
  });

  test('need the option, and a body of the simulation', () => {
    disposed(new Simulation({ dt: 1 / 60, thickness: 0.001 }), (simulation) => {
      expect(() => simulation.contacts()).toThrow('contactEvents');
      simulation.add(solid(box(1, 1, 1), [0, 2, 0]));
      expect(simulation.step().contactEvents).toBeUndefined();
    });
    disposed(simulate([]), (simulation) => {
      expect(() => simulation.contacts(solid(box(1, 1, 1), [0, 2, 0]))).toThrow('not in the simulation');
      expect(() => simulation.contacts(undefined)).not.toThrow();
    });
    expect(() => simulate([], { contactEvents: 1 as unknown as boolean })).toThrow('contactEvents');
  });
});

describe('events', () => {
  test('a bounce begins and ends, a rest stays, sleep is silent, and removal ends', () => {
    const ball = solid(icosphere(2, 0.1), [0, 0.3, 0], { restitution: 0.7 });
    disposed(simulate([fixedBody(FLOOR), ball]), (simulation) => {
      const phases: string[] = [];
      let events: readonly ContactEvent[] | undefined;
      while (!ball.asleep && simulation.steps < 600) {
        events = simulation.step().contactEvents;
        expect(events!.length).toBeLessThan(2);
        const phase = events![0]?.phase;
        if (phase && (phase !== 'stay' || phases.at(-1) !== 'stay')) phases.push(phase);
      }
      expect(ball.asleep).toBe(true);
      const text = phases.join(' ');
      expect(text).toMatch(/^begin (stay )?end begin (stay )?end begin/);
      expect(text).toMatch(/begin stay$/);
      expect(text).not.toMatch(/begin begin|end end|end stay/);
      expect(simulation.step().contactEvents).toEqual([]);
      expect(simulation.contacts(ball)).toHaveLength(1);
      simulation.handles[1].remove();
      expect(named(simulation.step().contactEvents)).toEqual(['end floor solid']);
      expect(simulation.contacts()).toEqual([]);
    });
  });

  test('at rest but awake, nothing ends', () => {
    const cubes = [0, 1, 2].map((i) => solid(box(0.2, 0.2, 0.2), [0, 0.101 + 0.201 * i, 0]));
    disposed(simulate([fixedBody(FLOOR), ...cubes], { sleeping: false }), (simulation) => {
      const all: string[] = [];
      for (let step = 0; step < 300; step++) all.push(...named(simulation.step().contactEvents));
      expect(all.filter((one) => one.startsWith('end'))).toEqual([]);
      expect(all.filter((one) => one.startsWith('begin'))).toHaveLength(3);
      expect(all.length).toBeGreaterThan(3 * 295);
    });
  });

  test('are in the order of adding', () => {
    const names = ['c', 'a', 'd', 'b'];
    const cubes = names.map((name, i) =>
      solid(box(0.2, 0.2, 0.2), [0, 0, 0]).copy({ name, position: [((3 * i) % 4) * 0.5, 0.1012, 0] }),
    );
    disposed(simulate([cubes[0], fixedBody(FLOOR), ...cubes.slice(1)], { sleeping: false }), (simulation) => {
      for (let step = 0; step < 10; step++) simulation.step();
      const stays = ['stay c floor', 'stay floor a', 'stay floor d', 'stay floor b'];
      expect(named(simulation.step().contactEvents)).toEqual(stays);
      const pair = ({ a, b }: BodyContact) => `stay ${a.name} ${b.name}`;
      expect(simulation.contacts().map(pair)).toEqual(stays);
    });
  });
});

describe('a sensor', () => {
  const gate = (options = {}) => fixedBody({ ...box(1, 1, 1), name: 'gate' }, { sensor: true, ...options });

  test('notes what falls through it, and holds nothing up', () => {
    const stone = solid(box(0.2, 0.2, 0.2), [0, 1, 0]);
    const alone = stone.copy({ position: stone.position });
    disposed(simulate([gate(), stone]), (simulation) => {
      disposed(simulate([alone]), (other) => {
        const seen: string[] = [];
        for (let step = 0; step < 60; step++) {
          const { contactEvents: events } = simulation.step();
          other.step();
          expect(stone.positions).toEqual(alone.positions);
          expect(simulation.intersections()).toBe(0);
          const [bottom, top] = [stone.position[1] - 0.1, stone.position[1] + 0.1];
          const isIn = bottom <= 0.5 && top >= -0.5;
          expect(simulation.overlapping(simulation.bodies[0])).toEqual(isIn ? [stone] : []);
          for (const { phase, sensor, points } of events ?? []) {
            expect([sensor, points]).toEqual([true, []]);
            seen.push(phase);
          }
        }
        expect(seen[0]).toBe('begin');
        expect(seen.at(-1)).toBe('end');
        expect(new Set(seen.slice(1, -1))).toEqual(new Set(['stay']));
      });
    });
  });

  test('a body wholly inside counts, also around a hollow, and what is in a box only does not', () => {
    const small = solid(box(0.1, 0.1, 0.1), [0.1, 0.1, 0.1]);
    const beside = solid(icosphere(2, 0.2), [0.62, 0.62, 0.62]);
    const around = solid(icosphere(2, 3), [0, 0, 0], { mask: 2, groups: 2 });
    const noted = simulate([gate(), small, beside, around], { gravity: [0, 0, 0] });
    disposed(noted, (simulation) => {
      simulation.step();
      expect(simulation.overlapping(simulation.bodies[0])).toEqual([small]);
      around.touch.mask = 3;
      around.touch.groups = 2;
      small.touch.mask = beside.touch.mask = 1;
      simulation.step();
      expect(simulation.overlapping(simulation.bodies[0])).toEqual([small, around]);
    });
  });

  test('that moves meets scenery, cloth and open surfaces; groups and masks count', () => {
    const probe = solid(box(0.5, 0.5, 0.5), [0, 0.2, 0], { sensor: true });
    const cut = cloth(sheet(4, 0.2, 0.1));
    const hidden = fixedBody({ ...FLOOR, name: 'hidden' }, { mask: 2 });
    const bodies = [fixedBody(FLOOR), hidden, cut, probe];
    disposed(simulate(bodies, { dt: 1 / 100, thickness: 0.004 }), (simulation) => {
      // the cloth is inside, the floor cuts through
      expect(simulation.overlapping(probe).map(({ name }) => name)).toEqual(['floor', 'cloth']);
      const { contactEvents: events } = simulation.step();
      expect(named(events?.filter(({ sensor }) => sensor))).toEqual([
        'begin floor solid',
        'begin cloth solid',
      ]);
      for (let step = 0; step < 100; step++) simulation.step();
      // it falls without end
      expect(probe.position[1]).toBeLessThan(-3);
      expect(simulation.overlapping(probe)).toEqual([]);
    });
  });

  test('on a path does not wait, nor push', () => {
    const wiper = kinematicBody(
      { ...box(0.2, 2, 2), name: 'wiper' },
      (time) => ({ translation: [-1 + 2 * time, 0, 0] }),
      { sensor: true },
    );
    const stone = solid(box(0.2, 0.2, 0.2), [0, 0.101, 0]);
    disposed(simulate([fixedBody(FLOOR), wiper, stone]), (simulation) => {
      const seen: string[] = [];
      for (let step = 0; step < 60; step++) {
        const { waiting, contactEvents } = simulation.step();
        expect(waiting).toEqual([]);
        seen.push(...named(contactEvents?.filter(({ sensor }) => sensor)).map((one) => one.split(' ')[0]));
      }
      expect(seen[0]).toBe('begin');
      expect(seen.at(-1)).toBe('end');
      expect(Math.abs(stone.position[0])).toBeLessThan(1e-6);
    });
  });

  test('refuses what is no choice', () => {
    expect(() => gate({ sensor: 1 })).toThrow('sensor');
  });
});
