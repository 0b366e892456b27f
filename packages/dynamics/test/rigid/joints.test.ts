/** Joints held to closed formulas and conserved quantities. */
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { every, full } from '../../../../test/budget.js';
import { type RigidBody, rigidBody } from '../../src/bodies/rigid-body.js';
import { cross } from '../../src/bodies/rotation.js';
import { fixedBody, kinematicBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import type { SimulationOptions } from '../../src/bodies/simulation-options.js';
import { ended } from '../physics/apart.js';
import { cylinder, FLOOR, solid, wholeEnergy } from './rigid-scenes.js';

const G = 9.81;
type Vec = readonly [number, number, number];

function simulate(options: Partial<SimulationOptions>, bodies: readonly RigidBody[]): Simulation {
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.0005, ...options });
  for (const body of bodies) simulation.add(body);
  return simulation;
}

/** Where a place is that was at `at` when the body was at `start`, unturned. */
function carried(body: RigidBody, start: Vec, at: Vec): number[] {
  const arm = body.turned(at.map((x, k) => x - start[k]));
  return body.position.map((x, k) => x + arm[k]);
}

const apart = (p: readonly number[], q: readonly number[]): number =>
  Math.hypot(...p.map((x, k) => x - q[k]));

/** The arithmetic-geometric mean. */
function agm(a: number, b: number): number {
  for (let k = 0; k < 40; k++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return a;
}

describe.each(every([1 / 60, 1 / 240, 1 / 1000], 3))('a pendulum, in steps of %d s', (dt) => {
  const start = [0.5, 1, 0] as const;
  const make = () => solid(box(0.1, 0.1, 0.1), start);

  test('takes the time that an elliptic integral gives, and keeps its energy and length', () => {
    const body = make();
    ended(simulate({ dt }, [body]), (simulation) => {
      const joint = simulation.join({ kind: 'hinge', a: body, at: [0, 1, 0], axis: [0, 0, 1] });
      const moment = body.state.inertia[0] + body.mass * 0.25;
      const rate = Math.sqrt((body.mass * G * 0.5) / moment);
      const period = (2 * Math.PI) / (rate * agm(1, Math.cos(Math.PI / 4)));
      const [scale, before] = [body.mass * G * 0.5, wholeEnergy([body])];
      const crossings: number[] = [];
      for (let last = 0.5; simulation.steps * dt < 5.6 * period; ) {
        simulation.step();
        const [x] = body.position;
        if (last > 0 && x <= 0) crossings.push(dt * (simulation.steps - x / (x - last)));
        last = x;
        const gain = (wholeEnergy([body]) - before) / scale;
        expect(gain).toBeLessThan(1e-6);
        expect(gain).toBeGreaterThan(-3e-4);
        expect(apart(carried(body, start, [0, 1, 0]), [0, 1, 0])).toBeLessThan(1e-9);
        expect(Math.abs(joint.position + Math.PI / 2)).toBeLessThan(Math.PI / 2 + 1e-3);
      }
      expect(crossings.length).toBe(6);
      expect((crossings[5] - crossings[0]) / (5 * period)).toBeCloseTo(1, 4);
    });
  });

  test('breaks where its load is what it bears', () => {
    const body = make();
    ended(simulate({ dt }, [body]), (simulation) => {
      const moment = body.state.inertia[0] + body.mass * 0.25;
      const breakForce = 2 * body.mass * G;
      const joint = simulation.join({ kind: 'ball', a: body, at: [0, 1, 0], breakForce });
      /** Along the arm and across it, at an angle below the horizontal. */
      const load = (angle: number) => {
        const spinSq = (body.mass * G * Math.sin(angle)) / moment;
        const along = body.mass * (G * Math.sin(angle) + 0.5 * spinSq);
        const across = body.mass * G * Math.cos(angle) * (1 - (body.mass * 0.25) / moment);
        return Math.hypot(along, across);
      };
      const angle = () => Math.atan2(1 - body.position[1], body.position[0]);
      const angles = [0];
      while (!joint.broken && simulation.steps < 1 / dt) {
        const { brokenJoints } = simulation.step();
        expect(brokenJoints).toEqual(joint.broken ? [joint] : []);
        angles.push(angle());
      }
      // somewhere in the last step; the mean over a part of it lags behind by half of that
      expect(load(angles[angles.length - 2])).toBeLessThan(1.001 * breakForce);
      expect(load(angles[angles.length - 1])).toBeGreaterThan(0.999 * breakForce);
      const { spin } = body;
      simulation.step();
      expect(apart(body.spin, spin)).toBeLessThan(1e-9);
    });
  });

  test('under a growing load, a joint breaks at the first one above its strength', () => {
    const body = solid(box(0.1, 0.1, 0.1), [0, 0.5, 0]);
    ended(simulate({ dt }, [body]), (simulation) => {
      const weight = body.mass * G;
      const joint = simulation.join({ kind: 'ball', a: body, at: [0, 1, 0], breakForce: 3 * weight });
      for (let share = 0.005; share < 2.2; share += 0.05) {
        body.applyForce([0, -share * weight, 0]);
        simulation.step();
        expect(joint.broken).toBe(share > 2);
        if (share < 2) expect(joint.force[1] / weight).toBeCloseTo(1 + share, 6);
      }
    });
  });
});

test('a double pendulum keeps its energy', () => {
  const rod = box(0.4, 0.05, 0.05);
  const [a, b] = [solid(rod, [0.25, 1, 0]), solid(rod, [0.75, 1, 0.1])];
  ended(simulate({}, [a, b]), (simulation) => {
    simulation.join({ kind: 'hinge', a, at: [0, 1, 0], axis: [0, 0, 1] });
    simulation.join({ kind: 'hinge', a: b, b: a, at: [0.5, 1, 0], axis: [0, 0, 1] });
    const before = wholeEnergy([a, b]);
    const scale = a.mass * G;
    for (let step = 0; step < 600; step++) {
      simulation.step();
      const gain = (wholeEnergy([a, b]) - before) / scale;
      expect(gain).toBeLessThan(1e-4);
      expect(gain).toBeGreaterThan(-0.01);
    }
    expect(
      apart(carried(a, [0.25, 1, 0], [0.5, 1, 0]), carried(b, [0.75, 1, 0.1], [0.5, 1, 0])),
    ).toBeLessThan(1e-9);
  });
});

test('rods that fold onto each other lose energy and gain none', () => {
  const rod = box(0.4, 0.05, 0.05);
  const [a, b] = [solid(rod, [0.25, 1, 0]), solid(rod, [0.75, 1, 0])];
  ended(simulate({ thickness: 0.001 }, [a, b]), (simulation) => {
    simulation.join({ kind: 'hinge', a, at: [0, 1, 0], axis: [0, 0, 1] });
    simulation.join({ kind: 'hinge', a: b, b: a, at: [0.5, 1, 0], axis: [0, 0, 1] });
    const before = wholeEnergy([a, b]);
    let contacts = 0;
    for (let step = 0; step < 600; step++) {
      contacts += simulation.step().events;
      expect((wholeEnergy([a, b]) - before) / (a.mass * G)).toBeLessThan(1e-3);
    }
    expect(contacts).toBeGreaterThan(0);
    expect(simulation.intersections()).toBe(0);
    expect(apart(carried(a, [0.25, 1, 0], [0.5, 1, 0]), carried(b, [0.75, 1, 0], [0.5, 1, 0]))).toBeLessThan(
      5e-5,
    );
  });
});

describe.each([1, 100])('a chain of 100 links with a load of %d links', (density) => {
  full('keeps its length and energy', () => {
    const first = solid(box(0.04, 0.004, 0.004), [0.05, 0, 0]);
    const heavy = solid(box(0.04, 0.004, 0.004), [9.95, 0, 0], { density: 1000 * density });
    const links = Array.from({ length: 99 }, (_, i) => first.copy({ position: [0.05 + 0.1 * i, 0, 0] }));
    links.push(heavy);
    ended(simulate({}, links), (simulation) => {
      links.forEach((a, i) => {
        simulation.join({ kind: 'ball', a, ...(i > 0 && { b: links[i - 1] }), at: [0.1 * i, 0, 0] });
      });
      const before = wholeEnergy(links);
      const scale = links.reduce((sum, { mass, position }) => sum + mass * G * position[0], 0);
      for (let step = 0; step < 60; step++) simulation.step();
      expect(Math.abs(wholeEnergy(links) - before) / scale).toBeLessThan(1e-4);
      expect(heavy.position[1]).toBeLessThan(-3);
      let end: readonly number[] = [0, 0, 0];
      links.forEach((link, i) => {
        const x = 0.05 + 0.1 * i;
        expect(apart(carried(link, [x, 0, 0], [x - 0.05, 0, 0]), end)).toBeLessThan(1e-9);
        end = carried(link, [x, 0, 0], [x + 0.05, 0, 0]);
      });
    });
  });
});

describe('a top on a ball joint', () => {
  const [arm, tilt] = [0.15, 0.3];
  const axis = [-Math.sin(tilt), Math.cos(tilt), 0] as const;
  const make = (spin: readonly number[]) =>
    rigidBody(cylinder(0.1, 0.02, 24), {
      position: [arm * axis[0], 1 + arm * axis[1], 0],
      orientation: [0, 0, Math.sin(tilt / 2), Math.cos(tilt / 2)],
      spin,
      velocity: cross(
        spin,
        axis.map((x) => arm * x),
      ),
    });
  /** Heights of its axis and angles about the vertical, step by step. */
  const run = (body: RigidBody, steps: number) =>
    ended(simulate({ dt: 1 / 240 }, [body]), (simulation) => {
      simulation.join({ kind: 'ball', a: body, at: [0, 1, 0] });
      let turned = 0;
      let last = Math.atan2(body.position[2], body.position[0]);
      return Array.from({ length: steps }, () => {
        simulation.step();
        const [x, y, z] = body.position;
        turned += ((Math.atan2(z, x) - last + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
        last = Math.atan2(z, x);
        return { height: (y - 1) / arm, turned };
      });
    });

  test.each(every([100, 150, 400], 3))('precesses steadily, as fast as a spin of %d has it', (spin) => {
    const still = make([0, 0, 0]);
    const along = still.state.inertia[4];
    const across = still.state.inertia[0] + still.mass * arm * arm;
    const weight = still.mass * G * arm;
    // weight = rate · (along · spin − across · rate · cos tilt), spin about the axis in all
    const b = across * Math.cos(tilt);
    const rate = (along * spin - Math.sqrt((along * spin) ** 2 - 4 * b * weight)) / (2 * b);
    // of the turn about the vertical, the part across the axis
    const body = make(
      [0, 1, 2].map((k) => spin * axis[k] + rate * ((k === 1 ? 1 : 0) - Math.cos(tilt) * axis[k])),
    );
    const path = run(body, 480);
    expect(Math.abs(path[479].turned) / (2 * rate)).toBeCloseTo(1, 3);
    for (const { height } of path) expect(Math.abs(height - Math.cos(tilt))).toBeLessThan(1e-3);
  });

  test('let go, nods as deep, as often and as far round as elliptic integrals have it', () => {
    const spin = 100;
    const body = make(axis.map((x) => spin * x));
    const across = body.state.inertia[0] + body.mass * arm * arm;
    const [a, b] = [(body.state.inertia[4] * spin) / across, (2 * body.mass * G * arm) / across];
    // (cos θ)˙² = (u₀ − u) (b (1 − u²) − a² (u₀ − u)), of which u₁ is the lower root
    const top = Math.cos(tilt);
    const half = (a * a) / (2 * b);
    const low = half - Math.sqrt(half * half + 1 - 2 * half * top);
    let [time, angle] = [0, 0];
    const count = 4000;
    for (let k = 0; k < count; k++) {
      const u = (top + low) / 2 + ((top - low) / 2) * Math.cos((Math.PI * (k + 0.5)) / count);
      const other = 2 * half - low;
      const part = (2 * Math.PI) / count / Math.sqrt(b * (other - u));
      time += part;
      angle += (part * a * (top - u)) / (1 - u * u);
    }
    const path = run(body, Math.round(240 * 5 * time));
    expect(Math.min(...path.map(({ height }) => height))).toBeCloseTo(low, 3);
    expect(path[path.length - 1].height).toBeCloseTo(top, 3);
    expect(Math.abs(path[path.length - 1].turned) / (5 * angle)).toBeCloseTo(1, 2);
  });
});

describe('a spring', () => {
  test.each(every([0, 0.05, 0.5], 3))(
    'swings as its stiffness and a damping ratio of %d have it',
    (ratio) => {
      const body = solid(box(0.1, 0.1, 0.1), [0, 0.5, 0]);
      ended(simulate({}, [body]), (simulation) => {
        const rate = 12;
        const [stiffness, damping] = [body.mass * rate ** 2, 2 * ratio * body.mass * rate];
        simulation.join({ kind: 'spring', a: body, to: [0, 1, 0], stiffness, damping });
        const sag = G / rate ** 2;
        const damped = rate * Math.sqrt(1 - ratio ** 2);
        for (let step = 1; step <= 120; step++) {
          simulation.step();
          const t = step / 60;
          const wave = Math.cos(damped * t) + ((ratio * rate) / damped) * Math.sin(damped * t);
          const expected = 0.5 - sag * (1 - Math.exp(-ratio * rate * t) * wave);
          // the phase is off by (ω h)² / 12 of ω t
          expect(Math.abs(body.position[1] - expected) / sag).toBeLessThan(0.006);
        }
      });
    },
  );

  test('however stiff keeps its energy', () => {
    const body = solid(box(0.1, 0.1, 0.1), [0, 0.5, 0], { velocity: [0, 1, 0] });
    ended(simulate({ gravity: [0, 0, 0] }, [body]), (simulation) => {
      const stiffness = 1e8;
      simulation.join({ kind: 'spring', a: body, to: [0, 1, 0], stiffness });
      const before = body.energy();
      for (let step = 0; step < 100; step++) {
        simulation.step();
        const stored = 0.5 * stiffness * (0.5 - body.position[1]) ** 2;
        expect((body.energy() + stored) / before).toBeCloseTo(1, 6);
      }
    });
  });
});

describe('a motor', () => {
  test('turns a hinge as fast as it wants, about its axis only', () => {
    const body = solid(box(0.4, 0.1, 0.2), [0.2, 1, 0], { spin: [1, 2, 3] });
    ended(simulate({}, [body]), (simulation) => {
      const motor = { speed: 4 };
      const joint = simulation.join({ kind: 'hinge', a: body, at: [0, 1, 0], axis: [0, 0, 2], motor });
      for (let step = 0; step < 120; step++) simulation.step();
      expect(body.spin[2]).toBeCloseTo(4, 6);
      expect(Math.hypot(body.spin[0], body.spin[1])).toBeLessThan(1e-9);
      expect(apart(carried(body, [0.2, 1, 0], [0, 1, 0]), [0, 1, 0])).toBeLessThan(1e-9);
      expect(joint.position).toBeCloseTo(8, 6);
      joint.motor = { speed: -1000 };
      for (let step = 0; step < 10; step++) simulation.step();
      expect(body.spin[2]).toBeCloseTo(-1000, 6);
      expect(joint.position).toBeCloseTo(8 - 1000 / 6, 2);
    });
  });

  test('pushes a slider as hard as it may, and along its axis only', () => {
    const body = solid(box(0.2, 0.2, 0.2), [0, 1, 0], { velocity: [1, 0, 1], spin: [1, 1, 1] });
    ended(simulate({}, [body]), (simulation) => {
      const motor = { speed: 100, most: 3 * body.mass * G };
      const joint = simulation.join({ kind: 'slider', a: body, axis: [0, 1, 0], motor });
      for (let step = 1; step <= 60; step++) {
        simulation.step();
        expect(joint.position).toBeCloseTo(G * (step / 60) ** 2, 9);
        expect(apart(body.position, [0, 1 + joint.position, 0])).toBeLessThan(1e-9);
        expect(joint.force[1] / motor.most).toBeCloseTo(1, 9);
      }
      expect(Math.hypot(...body.spin)).toBeLessThan(1e-9);
      joint.remove();
      expect(() => joint.remove()).toThrow(/no longer/);
    });
  });

  test('with a target swings like a spring', () => {
    const body = solid(box(0.2, 0.2, 0.2), [0, 1, 0]);
    ended(simulate({ gravity: [0, 0, 0] }, [body]), (simulation) => {
      const moment = body.state.inertia[4];
      const motor = { target: 0.5, stiffness: moment * 100, damping: moment * 4 };
      const joint = simulation.join({ kind: 'hinge', a: body, axis: [0, 1, 0], motor });
      const damped = Math.sqrt(100 - 4);
      for (let step = 1; step <= 120; step++) {
        simulation.step();
        const t = step / 60;
        const wave = Math.cos(damped * t) + (2 / damped) * Math.sin(damped * t);
        expect(Math.abs(joint.position - 0.5 * (1 - Math.exp(-2 * t) * wave))).toBeLessThan(1e-3);
      }
      expect(body.asleep).toBe(false);
    });
  });
});

describe('limits', () => {
  test.each(['hinge', 'slider'] as const)('stop a %s there, without a gain of energy', (kind) => {
    const body = solid(box(0.4, 0.1, 0.1), [0.3, 1, 0]);
    ended(simulate({ sleeping: false }, [body]), (simulation) => {
      const [at, axis] =
        kind === 'hinge'
          ? [
              [0, 1, 0],
              [0, 0, 1],
            ]
          : [
              [0.3, 1, 0],
              [0.6, 0.8, 0],
            ];
      const joint = simulation.join({ kind, a: body, at, axis, limits: [-0.5, 0.2] });
      let before = wholeEnergy([body]);
      for (let step = 0; step < 120; step++) {
        simulation.step();
        expect(joint.position).toBeGreaterThan(-0.5 - 1e-8);
        const now = wholeEnergy([body]);
        expect(now - before).toBeLessThan(2e-5 * body.mass * G);
        before = now;
      }
      expect(joint.position).toBeCloseTo(-0.5, 8);
      expect(body.energy()).toBeLessThan(1e-12);
      // a motor leaves the limit, up to the other one
      joint.motor = { speed: 1 };
      for (let step = 0; step < 60; step++) simulation.step();
      expect(joint.position).toBeCloseTo(0.2, 8);
      joint.motor = { speed: -1, most: 1e-9 };
      for (let step = 0; step < 3; step++) simulation.step();
      expect(joint.position).toBeLessThan(0.199);
    });
  });

  test('of a rope let its end come nearer, and not go farther', () => {
    const body = solid(box(0.1, 0.1, 0.1), [0, 0.8, 0], { velocity: [1, 0, 0] });
    ended(simulate({}, [body]), (simulation) => {
      const joint = simulation.join({ kind: 'distance', a: body, to: [0, 1, 0], limits: [0, 0.5] });
      let longest = 0;
      for (let step = 0; step < 120; step++) {
        simulation.step();
        longest = Math.max(longest, joint.position);
      }
      expect(longest).toBeLessThan(0.5 + 1e-8);
      expect(longest).toBeGreaterThan(0.499);
    });
  });

  test('of a ball joint keep its axis in a cone', () => {
    const body = solid(box(0.1, 0.4, 0.1), [0, 0.7, 0], { velocity: [3, 0, 1], spin: [0, 9, 0] });
    ended(simulate({}, [body]), (simulation) => {
      const joint = simulation.join({
        kind: 'ball',
        a: body,
        at: [0, 1, 0],
        axis: [0, 1, 0],
        limits: [0, 0.4],
      });
      let widest = 0;
      for (let step = 0; step < 120; step++) {
        simulation.step();
        widest = Math.max(widest, joint.position);
        expect(Math.asin(Math.hypot(body.position[0], body.position[2]) / 0.3)).toBeCloseTo(
          joint.position,
          6,
        );
      }
      expect(widest).toBeLessThan(0.4 + 1e-8);
      expect(widest).toBeGreaterThan(0.39);
    });
  });
});

describe('bodies that are tied', () => {
  test('move as one where they are fixed to each other, and keep momentum', () => {
    const [a, b] = [solid(box(0.2, 0.2, 0.2), [0, 0, 0]), solid(box(0.1, 0.1, 0.3), [0.4, 0.1, 0])];
    a.velocity = [1, 2, 0];
    a.spin = [3, 5, 7];
    ended(simulate({ gravity: [0, 0, 0] }, [a, b]), (simulation) => {
      const total = () => {
        const sums = new Float64Array(6);
        for (const body of [a, b]) {
          const one = new Float64Array(6);
          body.momentum(one);
          one.forEach((x, k) => {
            sums[k] += x;
          });
        }
        return [...sums];
      };
      const before = total();
      simulation.join({ kind: 'fixed', a, b, at: [0.2, 0, 0] });
      simulation.step();
      const energy = a.energy() + b.energy();
      for (let step = 0; step < 240; step++) simulation.step();
      expect(apart(total(), before)).toBeLessThan(1e-9 * Math.hypot(...before));
      expect((a.energy() + b.energy()) / energy).toBeCloseTo(1, 4);
      expect(apart(carried(a, [0, 0, 0], [0.2, 0, 0]), carried(b, [0.4, 0.1, 0], [0.2, 0, 0]))).toBeLessThan(
        1e-9,
      );
      expect(apart(a.orientation, b.orientation)).toBeLessThan(1e-9);
    });
  });

  test('hold in a loop, though it has more joints than it needs', () => {
    const bar = box(0.3, 0.02, 0.02);
    const bars = [solid(bar, [0.2, 1, 0]), solid(bar, [0.2, 0.6, 0])];
    const posts = [0, 0.4].map((x) => solid(box(0.02, 0.3, 0.02), [x, 0.8, 0.05]));
    const all = [...bars, ...posts];
    bars[1].velocity = [2, 0, 0];
    ended(simulate({}, all), (simulation) => {
      const hinge = (a: RigidBody, b: RigidBody | undefined, x: number, y: number) =>
        simulation.join({ kind: 'hinge', a, ...(b && { b }), at: [x, y, 0], axis: [0, 0, 1] });
      simulation.join({ kind: 'fixed', a: bars[0] });
      hinge(posts[0], bars[0], 0, 1);
      hinge(posts[1], bars[0], 0.4, 1);
      hinge(bars[1], posts[0], 0, 0.6);
      const last = hinge(bars[1], posts[1], 0.4, 0.6);
      simulation.step();
      const before = wholeEnergy(all);
      for (let step = 0; step < 240; step++) simulation.step();
      expect(Math.abs(wholeEnergy(all) - before)).toBeLessThan(1e-3 * bars[1].mass * G * 0.4);
      expect(apart(bars[1].orientation, [0, 0, 0, 1])).toBeLessThan(1e-8);
      expect(posts[0].orientation[2]).toBeCloseTo(posts[1].orientation[2], 8);
      expect(Math.abs(last.position)).toBeLessThan(Math.PI);
    });
  });

  test('lose time together where a motion is cut short', () => {
    // driven into a wall by a motor that does not give way
    const [a, b] = [solid(box(0.2, 0.2, 0.2), [0, 1, 0]), solid(box(0.1, 0.1, 0.1), [0, 1, 0.3])];
    const wall = { name: 'wall', positions: [0.3, 0, -9, 0.3, 9, 0, 0.3, 0, 9], indices: [0, 1, 2] };
    ended(simulate({}, [a, b]), (simulation) => {
      simulation.add(fixedBody(wall));
      simulation.join({ kind: 'slider', a, axis: [1, 0, 0], motor: { speed: 2 } });
      simulation.join({ kind: 'hinge', a: b, b: a, at: [0, 1, 0.2], axis: [0, 1, 0], motor: { speed: 3 } });
      let shortened = 0;
      for (let step = 0; step < 60; step++) {
        shortened += simulation.step().shortened;
        expect(simulation.intersections()).toBe(0);
        const off = apart(carried(a, [0, 1, 0], [0, 1, 0.2]), carried(b, [0, 1, 0.3], [0, 1, 0.2]));
        expect(off).toBeLessThan(1e-4 * 0.2);
      }
      expect(shortened).toBeGreaterThan(1);
    });
  });

  test('to moving scenery go with it', () => {
    const body = solid(box(0.1, 0.1, 0.1), [0, 0.5, 0]);
    const slab = {
      name: 'slab',
      positions: [...box(0.2, 0.1, 0.2).positions],
      indices: [...box(0.2, 0.1, 0.2).indices],
    };
    const carrier = kinematicBody(slab, (time) => ({ translation: [0.3 * time, 1, 0] }));
    ended(simulate({}, [body]), (simulation) => {
      simulation.add(carrier);
      simulation.join({ kind: 'fixed', a: body, b: carrier, at: [0, 1, 0] });
      for (let step = 0; step < 60; step++) simulation.step();
      expect(apart(body.position, [0.3, 0.5, 0])).toBeLessThan(1e-6);
    });
  });

  test('sleep together, and wake together', () => {
    const cubes = [0, 0.3, 0.6].map((x) => solid(box(0.2, 0.2, 0.2), [x, 0.101, 0]));
    ended(simulate({ thickness: 0.001 }, cubes), (simulation) => {
      simulation.add(fixedBody(FLOOR));
      const joints = [1, 2].map((i) =>
        simulation.join({
          kind: 'hinge',
          a: cubes[i],
          b: cubes[i - 1],
          at: [0.3 * i - 0.15, 0.1, 0],
          axis: [0, 1, 0],
        }),
      );
      for (let step = 0; step < 200 && !cubes[0].asleep; step++) simulation.step();
      expect(cubes.map(({ asleep }) => asleep)).toEqual([true, true, true]);
      joints[1].motor = { speed: 1, most: 1 };
      simulation.step();
      expect(cubes.map(({ asleep }) => asleep)).toEqual([false, false, false]);
      for (let step = 0; step < 100; step++) simulation.step();
      expect(cubes.some(({ asleep }) => asleep)).toBe(false);
    });
  });
});

test('bodies that do not collide as long as they are joined do so again once they are apart', () => {
  const [a, b] = [solid(box(0.2, 0.2, 0.2), [0, 0.5, 0]), solid(box(0.2, 0.2, 0.2), [0.1, 0.5, 0])];
  ended(simulate({ gravity: [0, 0, 0] }, [a, b]), (simulation) => {
    expect(() => simulation.step()).toThrow(/not free/);
    const joint = simulation.join({ kind: 'slider', a, b, axis: [1, 0, 0], collide: false, breakForce: 1e6 });
    simulation.step();
    expect(simulation.intersections()).toBe(0);
    joint.remove();
    b.velocity = [0.5, 0, 0];
    for (let step = 0; step < 30; step++) simulation.step();
    expect(b.position[0] - a.position[0]).toBeGreaterThan(0.2);
    b.velocity = [-0.5, 0, 0];
    for (let step = 0; step < 60; step++) simulation.step();
    expect(b.position[0] - a.position[0]).toBeGreaterThan(0.2);
    expect(a.velocity[0]).toBeLessThan(-0.1);
  });
});

test('options that a joint has no use for are refused, and bodies that are not there', () => {
  const body = solid(box(0.1, 0.1, 0.1), [0, 0.5, 0]);
  const other = body.copy({ position: [1, 0.5, 0] });
  ended(simulate({}, [body]), (simulation) => {
    expect(() => simulation.join({ kind: 'ball', a: other })).toThrow(/rigid body of the simulation/);
    expect(() => simulation.join({ kind: 'ball', a: body, b: other })).toThrow(
      /rigid body of the simulation/,
    );
    expect(() => simulation.join({ kind: 'ball', a: body, motor: { speed: 1 } })).toThrow(/no motor/);
    expect(() => simulation.join({ kind: 'ball', a: body, axis: [0, 1, 0] })).toThrow(/no axis/);
    expect(() => simulation.join({ kind: 'hinge', a: body })).toThrow(/axis/);
    expect(() => simulation.join({ kind: 'hinge', a: body, axis: [0, 0, 0] })).toThrow(/axis/);
    expect(() => simulation.join({ kind: 'spring', a: body, to: [0, 1, 0] })).toThrow(/stiffness/);
    expect(() => simulation.join({ kind: 'distance', a: body })).toThrow(/to/);
    expect(() => simulation.join({ kind: 'hinge', a: body, axis: [0, 1, 0], limits: [1, 0] })).toThrow(
      /limits/,
    );
    expect(() => simulation.join({ kind: 'pin' as 'ball', a: body })).toThrow(/one of fixed, ball/);
    expect(() => simulation.join({ kind: 'ball', a: body, breakForce: 0 })).toThrow(/breakForce/);
  });
});
