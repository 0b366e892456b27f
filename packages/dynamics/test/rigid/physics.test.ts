/** Rigid bodies held to the laws of mechanics. */
import { runHere } from 'impinge/internal/kernel/schedule.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere } from '../../../../lab/scenes/solids.mjs';
import { every, full } from '../../../../test/budget.js';
import type { RigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import type { SimulationOptions } from '../../src/bodies/simulation-options.js';
import type { ChooseEngine } from '../../src/rigid/contact-engine.js';
import type { ContactShape } from '../../src/rigid/contact-shape.js';
import { OwnedMemory } from '../../src/rigid/exact/owned-memory.js';
import { PairContacts } from '../../src/rigid/exact/pair-contacts.js';
import { RigidDynamics } from '../../src/rigid/rigid-dynamics.js';
import { momentum } from '../bodies/model-runs.js';
import { ended } from '../physics/apart.js';
import { FLOOR, solid, stack, wholeEnergy } from './rigid-scenes.js';

const G = 9.81;

function simulate(options: Partial<SimulationOptions>, bodies: readonly RigidBody[]): Simulation {
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.001, ...options });
  simulation.add(fixedBody(FLOOR));
  for (const body of bodies) simulation.add(body);
  return simulation;
}

test('a free body follows its parabola and keeps its energy', () => {
  const body = solid(box(0.3, 0.2, 0.1), [0, 9, 0], { velocity: [1, 2, 0], spin: [3, 1, 2] });
  ended(simulate({}, [body]), (simulation) => {
    const before = wholeEnergy([body]);
    for (let step = 1; step <= 30; step++) {
      simulation.step();
      const t = step / 60;
      expect(body.position[0]).toBeCloseTo(t, 12);
      expect(body.position[1]).toBeCloseTo(9 + 2 * t - (G / 2) * t * t, 12);
      expect(Math.abs(wholeEnergy([body]) / before - 1)).toBeLessThan(1e-6);
    }
  });
});

describe.each(every([1 / 60, 1 / 120, 1 / 240, 1 / 1000, 1 / 5000], 4))('in steps of %d s', (dt) => {
  test.each(every([1, 0.5, 0.2], 3))('%d of the approach comes back', (restitution) => {
    const body = solid(box(0.2, 0.2, 0.2), [0, 0.11, 0], { velocity: [0, -3, 0] });
    ended(simulate({ dt, restitution }, [body]), (simulation) => {
      const before = wholeEnergy([body]);
      while (body.velocity[1] < 0 && simulation.steps < 0.1 / dt) simulation.step();
      // the speed at which it arrives, with its lower side at the thickness
      const arriving = Math.sqrt(9 + 2 * G * (0.01 - 0.001));
      const leaving = Math.sqrt(body.velocity[1] ** 2 + 2 * G * (body.position[1] - 0.101));
      expect(leaving / arriving).toBeGreaterThan(0.99 * restitution);
      expect(leaving / arriving).toBeLessThan(1.001 * restitution);
      expect(wholeEnergy([body])).toBeLessThan(before * (1 + 1e-9));
    });
  });
});

test('a ball comes as high again as the square of the restitution has it', () => {
  const body = solid(icosphere(2, 0.1), [0, 0.6, 0]);
  ended(simulate({ dt: 1 / 240, restitution: 0.8, friction: 0 }, [body]), (simulation) => {
    const ground = 0.6 - 0.001 + Math.min(...body.positions.filter((_, k) => k % 3 === 1)) - 0.6;
    let highest = 0;
    for (let step = 0; step < 200; step++) {
      simulation.step();
      if (simulation.steps > 100) highest = Math.max(highest, body.position[1]);
    }
    expect((highest - (0.6 - ground)) / ground).toBeCloseTo(0.64, 2);
  });
});

test.each([
  [0, 'rough'],
  [1, 'smooth'],
])('colliding bodies keep momentum and angular momentum, restitution %d', (restitution) => {
  const ball = icosphere(1, 0.2);
  const bodies = [
    solid(ball, [-0.5, 0, 0], { velocity: [3, 0, 0], spin: [1, 2, 3] }),
    solid(ball, [0.2, 0.1, 0], { density: 300 }),
  ];
  const simulation = new Simulation({ dt: 1 / 100, thickness: 0.001, gravity: [0, 0, 0], restitution });
  ended(simulation, () => {
    for (const body of bodies) simulation.add(body);
    const sum = () => momentum(bodies[0]).map((x, k) => x + momentum(bodies[1])[k]);
    const before = sum();
    const energy = bodies[0].energy() + bodies[1].energy();
    let contacts = 0;
    for (let step = 0; step < 40; step++) contacts += simulation.step().events;
    expect(contacts).toBeGreaterThan(0);
    const scale = Math.hypot(...before);
    for (const [k, x] of sum().entries()) expect(Math.abs(x - before[k])).toBeLessThan(1e-12 * scale);
    const left = (bodies[0].energy() + bodies[1].energy()) / energy;
    expect(left).toBeLessThan(1 + 0.003 * restitution);
    expect(left).toBeGreaterThan(restitution === 1 ? 0.9 : 0.3);
  });
});

test.each(every([0.2, 0.6], 2))(
  'on a slope a brick slides above the angle of friction %d, and rests below',
  (friction) => {
    for (const steeper of [0.9, 1.1]) {
      const angle = Math.atan(steeper * friction);
      const gravity = [G * Math.sin(angle), -G * Math.cos(angle), 0] as const;
      const body = solid(box(1, 0.2, 0.6), [0, 0.101, 0]);
      ended(simulate({ friction, gravity, sleeping: false }, [body]), (simulation) => {
        for (let step = 0; step < 60; step++) simulation.step();
        const way = 0.5 * Math.max(0, G * (Math.sin(angle) - friction * Math.cos(angle)));
        expect(Math.abs(body.position[0] - way)).toBeLessThan(1e-5 + 0.01 * way);
      });
    }
  },
);

test('towers whose cubes have landed on each other, out of line, come to rest soon', () => {
  const towers = 4;
  let steps = 0;
  for (let tower = 0; tower < towers; tower++) {
    const cubes = Array.from({ length: 8 }, (_, k) => {
      const i = 64 * k + tower;
      return solid(box(0.2, 0.2, 0.2), [0.02 * Math.sin(i), 0.2 + 0.24 * k, 0.02 * Math.cos(3 * i)]);
    });
    ended(simulate({ friction: 0.4 }, cubes), (simulation) => {
      const start = wholeEnergy(cubes);
      while (!cubes.every(({ asleep }) => asleep) && simulation.steps < 200) simulation.step();
      expect(cubes.map(({ asleep }) => asleep)).not.toContain(false);
      expect(wholeEnergy(cubes)).toBeLessThan(start);
      expect(simulation.intersections()).toBe(0);
      steps += simulation.steps;
    });
  }
  // the last lands in step 18, and bodies sleep after half a second without motion
  expect(steps / towers).toBeLessThan(80);
});

full('a stack stands, sleeps, costs nothing, and wakes when it is pushed or loses what it stands on', () => {
  const { simulation, cubes } = stack(3, 1 / 60);
  ended(simulation, () => {
    const start = wholeEnergy(cubes);
    for (let step = 0; step < 200 && !cubes.every(({ asleep }) => asleep); step++) {
      simulation.step();
      expect(wholeEnergy(cubes)).toBeLessThan(start + 1e-6 * start);
    }
    expect(cubes.map(({ asleep }) => asleep)).toEqual([true, true, true]);
    const places = cubes.map(({ position }) => position);
    const { events, iterations, asleep } = simulation.step();
    expect([events, iterations, asleep]).toEqual([0, 0, 3]);
    expect(cubes.map(({ position }) => position)).toEqual(places);
    cubes[2].applyImpulse([2000, 0, 0]);
    simulation.step();
    expect(cubes[2].asleep).toBe(false);
    expect(cubes[2].position[0]).toBeGreaterThan(places[2][0]);
    for (let step = 0; step < 120; step++) simulation.step();
    simulation.handles[1].remove();
    for (let step = 0; step < 20; step++) simulation.step();
    expect(cubes[1].position[1]).toBeLessThan(places[1][1] - 0.3);
    expect(simulation.intersections()).toBe(0);
  });
});

test('contacts come from the engine that is chosen for two shapes', () => {
  const asked: string[] = [];
  const memory = new OwnedMemory();
  const engineOf: ChooseEngine = (a, b) => {
    const exact = new PairContacts(memory, a as ContactShape, b as ContactShape);
    return {
      contacts: (pair, reach, out) => {
        asked.push(`${pair.a.name} ${pair.b.name}`);
        exact.contacts(pair, reach, out);
      },
      freeShare: () => 1,
      distance: () => 1,
      save: (out) => exact.save(out),
      restore: () => {},
    };
  };
  const law = { thickness: 0.001, gravity: [0, -G, 0] as const, friction: 0.3, restitution: 0 };
  const dynamics = new RigidDynamics({ ...law, restingSpeed: 0.1, sleeping: true }, engineOf);
  const body = solid(box(0.2, 0.2, 0.2), [0, 0.101, 0]);
  for (const one of [fixedBody(FLOOR), body]) dynamics.enter(one);
  expect(runHere(dynamics.propose(1 / 60)).contacts).toBe(4);
  expect(asked).toEqual(['floor solid']);
  dynamics.dispose();
});

describe('what is far away', () => {
  /** Where a slow brick and a small stack are after some steps, with and without others. */
  const run = (others: readonly RigidBody[]) => {
    const bodies = [
      solid(box(0.4, 0.1, 0.3), [0, 0.0511, 0], { velocity: [0.3, 0, 0.1] }),
      solid(box(0.2, 0.2, 0.2), [1, 0.101, 0]),
      solid(box(0.2, 0.2, 0.2), [1.05, 0.302, 0]),
    ];
    return ended(simulate({}, [...others, ...bodies]), (simulation) => {
      for (let step = 0; step < 40; step++) simulation.step();
      expect(simulation.intersections()).toBe(0);
      return bodies.flatMap(({ position, orientation }) => [...position, ...orientation]);
    });
  };

  test('changes nothing, however often it has to be looked at', () => {
    // it tumbles along the floor, and needs many looks
    const tumbling = solid(box(0.3, 0.1, 0.1), [-9, 0.2, 3], { velocity: [4, -3, 0], spin: [9, 5, 30] });
    expect(run([tumbling])).toEqual(run([]));
    expect(tumbling.position[0]).toBeGreaterThan(-8);
  });

  test('and comes near pushes, and is pushed', () => {
    const body = solid(box(0.3, 0.1, 0.1), [-0.6, 0.06, 0], { velocity: [9, 0, 0] });
    expect(run([body])).not.toEqual(run([]));
    expect(body.velocity[0]).toBeLessThan(5);
  });
});
