import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { RIGID_BODY_DEFAULTS, rigidBody } from '../../src/bodies/rigid-body.js';
import { turnBetween, turnBy } from '../../src/bodies/rotation.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { joinedMass, solidMass } from '../../src/bodies/solid-mass.js';
import { distortion } from '../rigid/rigid-scenes.js';
import { GRAVITY, momentum, NO_GRAVITY, run } from './model-runs.js';

const DT = 1 / 200;
const brick = (options: object = {}) => rigidBody({ ...box(1, 0.2, 0.6), name: 'brick' }, options);
describe('the mass of a solid', () => {
  test('is that of a box, wherever it stands', () => {
    const { positions: small, indices } = box(1, 0.2, 0.6);
    const positions = Float64Array.from(small);
    for (const far of [0, 1000]) {
      const { mass, centre, second } = solidMass(
        positions.map((x) => x + far),
        indices,
        10,
      );
      const middle = [0, 1, 2].map((k) => {
        const own = positions.filter((_, i) => i % 3 === k);
        return far + (Math.min(...own) + Math.max(...own)) / 2;
      });
      expect(mass).toBeCloseTo(1.2, 6);
      for (const [k, x] of centre.entries()) expect(x).toBeCloseTo(middle[k], 6);
      for (const [i, sq] of [1, 0.04, 0.36, 0, 0, 0].entries())
        expect(second[i]).toBeCloseTo((1.2 * sq) / 12, 6);
    }
  });

  test('adds up', () => {
    const { positions, indices } = box(1, 0.2, 0.6);
    const [left, right] = [-0.5, 0.5].map((shift) =>
      solidMass(
        Float64Array.from(positions, (x, k) => (k % 3 === 0 ? x + shift : x)),
        indices,
        10,
      ),
    );
    const both = joinedMass([left, right]);
    const wide = box(2, 0.2, 0.6);
    const whole = solidMass(wide.positions, wide.indices, 10);
    expect(both.mass).toBeCloseTo(whole.mass, 9);
    for (const [i, value] of whole.second.entries()) expect(both.second[i]).toBeCloseTo(value, 6);
  });
});

test('turns by a vector and back, seed 5', () => {
  const part = fc.double({ min: -1.7, max: 1.7, noNaN: true });
  fc.assert(
    fc.property(part, part, part, part, part, part, (a, b, c, x, y, z) => {
      const from = Float64Array.of(0, 0, 0, 1);
      turnBy(from, a, b, c);
      const to = from.slice();
      turnBy(to, x, y, z);
      const turn = turnBetween(from, to);
      for (const [k, value] of [x, y, z].entries()) expect(turn[k]).toBeCloseTo(value, 9);
    }),
    { seed: 5 },
  );
});

describe('a rigid body', () => {
  test('keeps shape, momentum and energy in free flight, spinning about any axis', () => {
    const body = brick({ velocity: [0.3, -0.2, 0.1], spin: [2, 5, 3] });
    const rest = body.positions.slice();
    const before = momentum(body);
    const energy = body.energy();
    run(body, 400, DT, NO_GRAVITY, () => expect(Math.abs(body.energy() / energy - 1)).toBeLessThan(1e-3));
    expect(distortion(body.positions, rest)).toBeLessThan(1e-6);
    for (const [k, x] of momentum(body).entries())
      expect(Math.abs(x - before[k])).toBeLessThan(1e-9 * Math.hypot(...before));
  });

  test('meets a push; what it does to the momentum is an impulse at that place', () => {
    const body = brick();
    body.propose(DT, NO_GRAVITY);
    const way = [0.002, -0.001, 0.0015] as const;
    const place = [0, 1, 2].map((k) => body.proposed[12 + k]);
    body.push(4, ...way);
    body.settle();
    for (const [k, x] of way.entries()) expect(body.proposed[12 + k] - place[k]).toBeCloseTo(x, 12);
    body.finish(body.proposed.map(Math.fround), DT);
    const [px, py, pz, lx, ly, lz] = momentum(body);
    for (const [k, x] of way.entries())
      expect([px, py, pz][k]).toBeCloseTo(x / (body.inverseMass(4) * DT), 9);
    const [x, y, z] = place;
    const moment = [y * pz - z * py, z * px - x * pz, x * py - y * px];
    for (const [k, value] of moment.entries()) expect([lx, ly, lz][k]).toBeCloseTo(value, 9);
  });

  test('answers a push by the motion of the whole once it relaxes', () => {
    const body = brick();
    const rest = body.positions.slice();
    body.propose(DT, NO_GRAVITY);
    body.push(4, 0, 0.01, 0);
    body.relax();
    body.settle();
    expect(distortion(body.proposed, rest)).toBeLessThan(1e-12);
    expect(body.proposed[13]).toBeGreaterThan(rest[13] + 0.003);
  });

  test('goes as far as it is let, and is as slow as that means', () => {
    const body = brick({ velocity: [0, -1, 0], spin: [0, 0.4, 0] });
    body.propose(DT, NO_GRAVITY);
    body.shorten(0.25, [0, 0, 0], DT);
    const end = body.proposed.map(Math.fround);
    body.finish(end, DT);
    expect(momentum(body)[1] / body.mass).toBeCloseTo(-0.25, 9);
    expect(body.spin[1]).toBeCloseTo(0.1, 9);
    expect(body.positions).toEqual(end);
    expect(distortion(end, brick().positions)).toBeLessThan(1e-6);
  });

  test('stands still if it is held where it was', () => {
    const body = brick({ velocity: [0, -1, 0] });
    const start = body.positions.slice();
    body.propose(DT, NO_GRAVITY);
    body.finish(start, DT);
    expect(body.positions).toEqual(start);
    expect(body.energy()).toBe(0);
  });

  test('a step that is not finished leaves no trace', () => {
    const [a, b] = [brick({ spin: [1, 2, 3] }), brick({ spin: [1, 2, 3] })];
    a.propose(DT, GRAVITY);
    a.push(0, 1, 1, 1);
    for (const body of [a, b]) run(body, 3, DT, GRAVITY);
    expect(a.positions).toEqual(b.positions);
  });

  test('shows where it is and how it moves, and can be told', () => {
    const body = brick({ velocity: [1, 2, 3], spin: [0, 0, 2] });
    expect(body.position.map((x) => Math.abs(x) < 1e-6)).toEqual([true, true, true]);
    expect(body.velocity).toEqual([1, 2, 3]);
    expect(body.spin[2]).toBeCloseTo(2, 9);
    body.position = [1, 2, 3];
    body.orientation = [0, 0, 2, 2];
    expect(body.position).toEqual([1, 2, 3]);
    expect(body.orientation[3]).toBeCloseTo(Math.SQRT1_2, 12);
    expect(body.spin[2]).toBeCloseTo(2, 9);
    expect(Math.max(...body.positions.filter((_, k) => k % 3 === 1))).toBeCloseTo(2.5, 6);
    body.velocity = [0, 0, 0];
    body.spin = [0, 0, 0];
    body.applyImpulse([body.mass, 0, 0]);
    expect(body.velocity).toEqual([1, 0, 0]);
    body.applyImpulse([0, 1, 0], [2, 2, 3]);
    expect(body.spin[2]).toBeGreaterThan(0);
    const other = body.copy({ name: 'other', position: [9, 9, 9] });
    expect([other.name, ...other.position]).toEqual(['other', 9, 9, 9]);
    expect(other.mass).toBe(body.mass);
  });

  test('a force acts for a step', () => {
    const body = brick();
    body.applyForce([0, 3 * body.mass, 0]);
    for (let step = 0; step < 2; step++) run(body, 1, DT, NO_GRAVITY);
    expect(body.velocity[1]).toBeCloseTo(3 * DT, 9);
  });

  test('a place in another body is refused by name, also when it is moved there', () => {
    const simulation = new Simulation({ dt: DT, thickness: 0.002 });
    const [one, other] = [brick({ position: [0, 0, 0] }), brick({ position: [0, 3, 0] })];
    for (const body of [one, other]) simulation.add(body);
    simulation.step();
    other.position = [0.5, 0, 0];
    expect(() => simulation.step()).toThrow(/triangle \d+ of brick meets triangle \d+ of brick/);
    other.position = [0, 3, 0];
    expect(simulation.step().step).toBe(2);
    simulation.dispose();
  });

  test('refuses options outside their domain, and surfaces that bound no solid', () => {
    expect(() => brick({ density: 0 })).toThrow(/brick: density is 0/);
    expect(() => brick({ velocity: [0, Number.NaN, 0] })).toThrow(
      /brick: velocity must be .* got \[0, NaN, 0\]/,
    );
    expect(() => rigidBody({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] })).toThrow(
      /closed|boundary|open/i,
    );
    const { positions, indices } = box(1, 1, 1);
    const inward = Array.from(indices, (_, i) => indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]);
    expect(() => rigidBody({ name: 'sock', positions, indices: inward })).toThrow(/sock is inside out/);
    const flat = { name: 'flat', positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2, 0, 2, 1] };
    expect(() => rigidBody(flat)).toThrow(/flat/);
    expect(() => brick({ orientation: [0, 0, 0, 0] })).toThrow(/brick: orientation/);
    expect(() => brick().applyForce([0, Number.NaN, 0])).toThrow(/brick: force must be .* NaN/);
    expect(() => brick().applyImpulse([0, 0, 0], [Infinity, 0, 0])).toThrow(/brick: place of the impulse/);
    expect(RIGID_BODY_DEFAULTS).toEqual({ density: 1000 });
  });
});
