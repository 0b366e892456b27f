/** Bodies whose contacts come from contact levels: physics, and switches of level while they rest and slide. */
import { describe, expect, test } from 'vitest';
import { box, icosphere } from '../../../../../lab/scenes/solids.mjs';
import { type RigidBodyOptions, rigidBody } from '../../../src/bodies/rigid-body.js';
import { fixedBody, kinematicBody } from '../../../src/bodies/scenery.js';
import { Simulation } from '../../../src/bodies/simulation.js';
import type { SimulationOptions } from '../../../src/bodies/simulation-options.js';
import { torus } from '../../contact-levels/models.js';
import { disposed, wholeEnergy } from '../rigid-scenes.js';
import { levelsOf } from './posed-shapes.js';

const G = 9.81;
const THICKNESS = 0.002;
const ring = torus(32, 12, 3);
const ringLevels = levelsOf(ring);
const roundRing = torus(32, 12);
const roundLevels = levelsOf(roundRing);
const brick = box(0.4, 0.2, 0.3);
const brickLevels = levelsOf(brick);
const ball = icosphere(3, 0.75);
const ballLevels = levelsOf(ball);
const slab = box(20, 1, 20);
const slabLevels = levelsOf(slab);

function simulationOf(options: Partial<SimulationOptions>): Simulation {
  const contacts = { engine: 'contact-levels', error: 0.02 } as const;
  const simulation = new Simulation({ dt: 1 / 200, thickness: THICKNESS, contacts, ...options });
  simulation.add(fixedBody({ name: 'slab', ...slab }, { contactLevels: slabLevels }));
  return simulation;
}

/** A ring lying flat on the slab, whose top is at y = 0.5. */
function ringOf(options: RigidBodyOptions = {}) {
  const lying = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
  return rigidBody(
    { name: 'ring', ...ring },
    { contactLevels: ringLevels, orientation: lying, position: [0, 0.5 + 0.47, 0], ...options },
  );
}

function brickOf(options: RigidBodyOptions = {}) {
  return rigidBody({ name: 'brick', ...brick }, { contactLevels: brickLevels, ...options });
}

/** Gravity as on a slope of this angle. */
const tilted = (angle: number) => [G * Math.sin(angle), -G * Math.cos(angle), 0] as const;

test.each([
  [0.3, 0.9, 0],
  [0.3, 1.2, G * (Math.sin(Math.atan(0.36)) - 0.3 * Math.cos(Math.atan(0.36)))],
])('with friction %d, on a slope of %d of its cone, a brick slides at %d m/s²', (friction, share, rate) => {
  const simulation = simulationOf({
    friction,
    gravity: tilted(Math.atan(friction * share)),
    sleeping: false,
  });
  const body = brickOf({ position: [0, 0.5 + 0.1 + THICKNESS, 0] });
  simulation.add(body);
  disposed(simulation, () => {
    for (let step = 0; step < 200; step++) simulation.step();
    expect(body.velocity[0]).toBeCloseTo(rate, 2);
    expect(body.position[1]).toBeCloseTo(0.6, 2);
    expect(simulation.intersections()).toBe(0);
  });
});

test('a brick that bounces comes back with the share that was asked for', () => {
  const simulation = simulationOf({ restitution: 0.5 });
  const body = brickOf({ position: [0, 1.1 + THICKNESS, 0] });
  simulation.add(body);
  disposed(simulation, () => {
    let fastest = 0;
    let back = 0;
    for (let step = 0; step < 150 && back === 0; step++) {
      simulation.step();
      fastest = Math.max(fastest, -body.velocity[1]);
      if (body.velocity[1] > 0) back = body.velocity[1];
    }
    expect(back / fastest).toBeCloseTo(0.5, 1);
  });
});

test('a ring falls onto the slab, rests, and sleeps, within the error', () => {
  const simulation = simulationOf({ contacts: { engine: 'contact-levels', error: 0.02 } });
  const body = ringOf({ position: [0, 1.2, 0], spin: [0.4, 0, 0.3] });
  simulation.add(body);
  disposed(simulation, () => {
    let energy = wholeEnergy([body]);
    for (let step = 0; step < 1500 && !body.asleep; step++) {
      simulation.step();
      const next = wholeEnergy([body]);
      expect(next).toBeLessThan(energy + 1e-4 * Math.abs(energy));
      energy = next;
      if (step % 25 === 0) expect(simulation.intersections()).toBe(0);
    }
    expect(body.asleep).toBe(true);
    // its tube is between 0.34 and 0.46 thick at three places
    expect(body.position[1]).toBeGreaterThan(0.5 + 0.45);
    expect(body.position[1]).toBeLessThan(0.5 + 0.46 + THICKNESS + 0.02);
  });
});

/** An open sheet of hills, 8 m wide. */
function hills(): { positions: number[]; indices: number[] } {
  const n = 16;
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      const [x, z] = [(8 * i) / n - 4, (8 * j) / n - 4];
      positions.push(x, 0.1 * (x * x + z * z) + 0.05 * Math.sin(3 * x) * Math.cos(2 * z), z);
      const at = i * (n + 1) + j;
      if (i < n && j < n) indices.push(at, at + 1, at + n + 1, at + 1, at + n + 2, at + n + 1);
    }
  }
  return { positions, indices };
}

test('a ring falls onto an open sheet with levels of boxes, and stays on it', () => {
  const sheet = hills();
  const contacts = { engine: 'contact-levels', error: 0.02 } as const;
  const simulation = new Simulation({ dt: 1 / 200, thickness: THICKNESS, friction: 0.5, contacts });
  simulation.add(fixedBody({ name: 'hills', ...sheet }, { contactLevels: levelsOf(sheet, 'boxes') }));
  const body = ringOf({ position: [0.5, 1.1, 0.2], spin: [0.4, 0, 0.3] });
  simulation.add(body);
  disposed(simulation, () => {
    const most = wholeEnergy([body]);
    let shortened = 0;
    for (let step = 0; step < 120; step++) {
      shortened += simulation.step().shortened;
      expect(wholeEnergy([body])).toBeLessThan(most * (1 + 1e-6));
      if (step % 10 === 0) expect(simulation.intersections()).toBe(0);
    }
    expect(shortened).toBe(0);
    expect(body.position[1]).toBeGreaterThan(0.4);
    expect(Math.hypot(...body.velocity)).toBeLessThan(0.5);
  });
});

/** Where triangles hold it. */
const LOW = 0.5605;

/**
 * A ball in the hole of a ring: across the hole the ring is hollow, so that coarse patches of it stick out and hold the
 * ball higher up.
 */
function ballInRing(options: Partial<SimulationOptions>) {
  const simulation = new Simulation({ dt: 1 / 200, thickness: THICKNESS, sleeping: false, ...options });
  const lying = { rotation: [1, 0, 0, 0, 0, 1, 0, -1, 0], translation: [0, 0, 0] };
  simulation.add(kinematicBody({ name: 'ring', ...roundRing }, () => lying, { contactLevels: roundLevels }));
  const body = rigidBody({ name: 'ball', ...ball }, { contactLevels: ballLevels, position: [0, 0.75, 0] });
  simulation.add(body);
  return { simulation, body };
}

/** From far away, or near. */
const view = (far: number) => ({
  view: { pixels: 1, camera: [far, 0, 0] as const, angle: 1, height: 1000 },
});

const [COARSE, FINE] = [0.1, 0.0005];

/** What is changed before every step. */
const CHANGES: Record<string, (simulation: Simulation, step: number) => void> = {
  error: (simulation, step) => {
    simulation.contactError = step % 2 === 0 ? FINE : COARSE;
  },
  camera: (simulation, step) => {
    simulation.contactError = view(1 + 90 * Math.abs(Math.cos(step / 20)));
  },
  budget: (simulation, step) => {
    simulation.contactError = FINE;
    simulation.contactBudget = { tests: step % 2 === 0 ? 2000 : 200 };
  },
};

describe('a switch of level', () => {
  test.each(
    Object.keys(CHANGES).flatMap((what) => [[what, 'at rest', 0] as const, [what, 'sliding', 2] as const]),
  )('by its %s in every step adds no energy and takes no support away, %s', (what, _, spin) => {
    const { simulation, body } = ballInRing({ contacts: { engine: 'contact-levels', error: COARSE } });
    disposed(simulation, () => {
      for (let step = 0; step < 200; step++) simulation.step();
      body.spin = [0, spin, 0];
      const start = body.position[1];
      const most = wholeEnergy([body]);
      let energy = most;
      let held = 0;
      for (let step = 0; step < 300; step++) {
        CHANGES[what](simulation, step);
        if (simulation.step().events > 0) held++;
        const next = wholeEnergy([body]);
        expect(next).toBeLessThan(energy + 1e-6 * most);
        energy = next;
        // it sinks onto the finer level, and does not fall
        expect(body.velocity[1]).toBeGreaterThan(-8 * G * simulation.dt);
        if (step % 25 === 0) expect(simulation.intersections()).toBe(0);
      }
      expect(held).toBeGreaterThan(150);
      expect(body.position[1]).toBeLessThan(start + 0.01);
      expect(body.position[1]).toBeGreaterThan(start - COARSE);
    });
  });

  test('by a budget of tests is the same each time, and is reported with the contacts', () => {
    const ends = [0, 1].map(() => {
      const contacts = { engine: 'contact-levels', error: 1e-4, budget: { tests: 400 } } as const;
      const { simulation, body } = ballInRing({ contacts, contactEvents: true });
      return disposed(simulation, () => {
        let [reached, errors] = [0, 0];
        for (let step = 0; step < 60; step++) {
          const { contactLevels } = simulation.step();
          reached = Math.max(reached, contactLevels?.reached ?? 0);
          for (const { points } of simulation.contacts()) {
            for (const { error } of points) {
              errors = Math.max(errors, error);
              if (contactLevels) expect(error).toBeLessThanOrEqual(contactLevels.error);
            }
          }
        }
        expect(reached).toBeGreaterThan(1);
        expect(errors).toBeGreaterThan(1e-4);
        return [...body.position, ...body.velocity, reached, errors];
      });
    });
    expect(ends[1]).toEqual(ends[0]);
  });

  test('from coarse to fine: it sinks slowly, to where triangles hold it', () => {
    const heights = (['contact-levels', 'exact'] as const).map((engine) => {
      const { simulation, body } = ballInRing({ contacts: { engine, error: 0.1 } });
      return disposed(simulation, () => {
        for (let step = 0; step < 200; step++) simulation.step();
        const high = body.position[1];
        simulation.contactError = 1e-5;
        for (let step = 0; step < 1000 && Math.abs(body.position[1] - LOW) > 0.005; step++) {
          simulation.step();
          expect(body.velocity[1]).toBeGreaterThan(-8 * G * simulation.dt);
        }
        return { high, low: body.position[1] };
      });
    });
    expect(heights[0].high).toBeGreaterThan(heights[1].high + 0.03);
    for (const { low } of heights) expect(Math.abs(low - LOW)).toBeLessThan(0.01);
  });
});
