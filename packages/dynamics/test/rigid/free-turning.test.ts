/** Free bodies turn as tops do: energy, momentum and motion against closed formulas. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { full, LONG, least, runs } from '../../../../test/budget.js';
import type { RigidState } from '../../src/bodies/rigid-state.js';
import { Simulation } from '../../src/bodies/simulation.js';
import {
  angleBetween,
  energyOf,
  inBody,
  jacobi,
  plainTurn,
  quarterPeriod,
  randomMoments,
  randomVector,
  topOf,
  turnOn,
} from './free-tops.js';
import { disposed, solid } from './rigid-scenes.js';

const unit = (v: readonly number[]) => v.map((x) => x / Math.hypot(...v));

/** A random top: of moments up to 1 : 1000, by up to 3 radians per step, in steps of any length. */
function randomTop(random: SeededRandom) {
  const h = 10 ** (-4 + 3.4 * random.next());
  const spin = randomVector(random, (3 * Math.min(1, 1.2 * random.next())) / h);
  const moments = randomMoments(random, 1000);
  return { h, moments, state: topOf(moments, spin, randomVector(random, 3 * random.next())) };
}

test('energy and angular momentum are kept, seed 1', () => {
  const random = new SeededRandom(1);
  const steps = 100;
  for (let run = 0; run < (LONG ? 10_000 : runs(200)); run++) {
    const { h, state } = randomTop(random);
    const energy = energyOf(state);
    const angular = state.angular.slice();
    let worst = 0;
    turnOn(state, h, steps, () => {
      worst = Math.max(worst, Math.abs(energyOf(state) / energy - 1));
    });
    expect(state.angular, `run ${run}`).toEqual(angular);
    expect(worst, `run ${run}`).toBeLessThan(1e-9);
  }
});

full.each([
  ['a needle', [1, 1, 1e-3], [1, 0.4, 2], 10_000],
  ['a needle that is no circle', [1, 0.9995, 1e-3], [0.1, 1, 0.1], 100_000],
  ['a plate', [1.001, 1, 2e-3], [0.4, 1, 1], 10_000],
  ['a brick', [3, 2, 1.2], [1e-3, 1, 1e-3], 10_000],
])('%s keeps both over many steps of 3 radians', (_, moments, axis, steps) => {
  const state = topOf(
    moments,
    unit(axis).map((x) => 3 * x),
    [1, 2, 3],
  );
  const energy = energyOf(state);
  const angular = state.angular.slice();
  let worst = 0;
  turnOn(state, 1, LONG ? 100_000 : runs(steps), () => {
    worst = Math.max(worst, Math.abs(energyOf(state) / energy - 1));
  });
  expect(worst).toBeLessThan(1e-8);
  expect(state.angular).toEqual(angular);
});

describe('the motion', () => {
  test('of a round body is a steady turn about its axis, and one about its angular momentum, seed 2', () => {
    const random = new SeededRandom(2);
    for (let run = 0; run < runs(100); run++) {
      const along = 2 * random.next() ** 3 + 1e-3;
      const [h, steps] = [0.5 * random.next(), 50];
      const state = topOf([1, 1, along], randomVector(random, 6 * random.next()), randomVector(random, 3));
      const start = state.rotation.slice();
      const own = inBody(state, state.angular)[2] * (1 / along - 1);
      turnOn(state, h, steps, (step) => {
        const half = (step * h) / 2;
        const rate = Math.hypot(...state.angular);
        const about = [...state.angular].map((x) => (Math.sin(rate * half) * x) / rate);
        const first = product([0, 0, Math.sin(own * half), Math.cos(own * half)], start, true);
        const expected = product([...about, Math.cos(rate * half)], first, false);
        expect(angleBetween(state.rotation, expected), `run ${run}`).toBeLessThan(1e-7);
      });
    }
  });

  test('of a body with equal moments is a steady turn about its spin, seed 2', () => {
    const random = new SeededRandom(2);
    for (let run = 0; run < runs(100); run++) {
      const [h, steps, moment] = [0.5 * random.next(), 50, 0.1 + random.next()];
      const spin = randomVector(random, 6 * random.next());
      const state = topOf([moment, moment, moment], spin, randomVector(random, 3));
      const start = state.rotation.slice();
      const rate = Math.hypot(...spin);
      turnOn(state, h, steps, (step) => {
        const half = (rate * step * h) / 2;
        const turn = [...spin.map((x) => (Math.sin(half) * x) / rate), Math.cos(half)];
        const expected = product(turn, start, false);
        expect(angleBetween(state.rotation, expected), `run ${run}`).toBeLessThan(1e-7);
      });
    }
  });

  test('of any body follows elliptic functions, seed 3', () => {
    const random = new SeededRandom(3);
    let compared = 0;
    for (let run = 0; run < runs(200); run++) {
      const moments = [...randomMoments(random, 1000)].sort((p, q) => q - p);
      const law = ellipticLaw(moments, topOf(moments, randomVector(random, 1)));
      if (!law) continue;
      compared++;
      const phase = 4 * law.quarter * random.next();
      const state = topOf(moments, law.spinAt(phase));
      const h = 3 * random.next();
      turnOn(state, h, 20, (step) => {
        const expected = law.spinAt(phase - law.rate * h * step);
        const found = spinOf(moments, state);
        const off = Math.hypot(...found.map((x, k) => x - expected[k]));
        expect(off / Math.hypot(...expected), `run ${run}`).toBeLessThan(1e-8);
      });
    }
    expect(compared).toBeGreaterThan(least(150));
  });

  test('of a body spun about its middle axis flips as often as an elliptic integral says', () => {
    const moments = [3, 2, 1.2];
    const state = topOf(moments, [0.02, 10, 0.02]);
    const law = ellipticLaw(moments, state)!;
    const h = 1 / 60;
    const flips: number[] = [];
    let last = spinOf(moments, state)[1];
    turnOn(state, h, 2000, (step) => {
      const now = spinOf(moments, state)[1];
      if (now * last < 0) flips.push(h * (step - now / (now - last)));
      last = now;
    });
    expect(flips.length).toBeGreaterThan(6);
    const period = (flips[flips.length - 1] - flips[0]) / (flips.length - 1);
    expect(period / ((2 * law.quarter) / law.rate)).toBeCloseTo(1, 4);
  });

  test('comes to where many small steps by another rule do, seed 4', () => {
    const random = new SeededRandom(4);
    for (let run = 0; run < runs(40); run++) {
      const moments = randomMoments(random, 1000);
      const state = topOf(moments, randomVector(random, 3), randomVector(random, 3));
      const expected = plainTurn(moments, state, 2, 4000);
      turnOn(state, 2 / 3, 3, () => undefined);
      expect(angleBetween(state.rotation, expected), `run ${run}`).toBeLessThan(1e-7);
    }
  });

  test('beyond what can be followed keeps energy and momentum, and comes to an end', () => {
    const state = topOf([1, 0.7, 0.4], [1e7, 2e7, 3e7]);
    const energy = energyOf(state);
    turnOn(state, 1, 10, () => expect(energyOf(state) / energy).toBeCloseTo(1, 9));
  });
});

describe('in a simulation', () => {
  full.each([
    ['a bar', box(0.18, 0.007, 0.007), [15, 7.5, 3.75], 1 / 60],
    ['a bar', box(0.18, 0.007, 0.007), [20, 10, 5], 1 / 60],
    ['a bar', box(0.18, 0.007, 0.007), [20, 10, 5], 1 / 240],
    ['a brick', box(0.25, 0.06, 0.12), [58, 57, 58], 1 / 60],
  ])('%s keeps its energy, step after step', (_, mesh, spin, dt) => {
    const body = solid(mesh, [0, 0, 0], { spin, velocity: [1, 2, 3] });
    disposed(new Simulation({ dt, thickness: 0.001, gravity: [0, 0, 0] }), (simulation) => {
      simulation.add(body);
      const [energy, angular] = [body.energy(), [...body.state.angular]];
      for (let step = 0; step < 10 / dt; step++) {
        simulation.step();
        expect(Math.abs(body.energy() / energy - 1)).toBeLessThan(1e-9);
      }
      expect([...body.state.angular]).toEqual(angular);
    });
  });
});

const spinOf = (moments: readonly number[], state: RigidState) =>
  inBody(state, state.angular).map((m, k) => m / moments[k]);

/**
 * The spin of a body of falling moments by elliptic functions, which go backwards; undefined next to where they end.
 */
function ellipticLaw([a, b, c]: readonly number[], state: RigidState) {
  const twice = 2 * energyOf(state);
  const square = state.angular.reduce((sum, x) => sum + x * x, 0);
  // dn belongs to the axis that it turns about, cn to the other one
  const [p, q] = square > twice * b ? [a, c] : [c, a];
  const m = ((b - q) * (twice * p - square)) / ((p - b) * (square - twice * q));
  if (!(m >= 0 && m < 0.999999)) return;
  const ofP = Math.sqrt((square - twice * q) / (p * (p - q)));
  const ofB = Math.sqrt((twice * p - square) / (b * (p - b)));
  const ofQ = Math.sqrt((twice * p - square) / (q * (p - q)));
  const spinAt = (u: number) => {
    const { sn, cn, dn } = jacobi(u, m);
    const [x, z] = [ofP * dn, ofQ * cn];
    return p === a ? [x, ofB * sn, z] : [z, ofB * sn, x];
  };
  return {
    spinAt,
    quarter: quarterPeriod(m),
    rate: Math.sqrt(((p - b) * (square - twice * q)) / (p * b * q)),
  };
}

function product(p: readonly number[], q: ArrayLike<number>, bodyFirst: boolean): number[] {
  const [a, b] = bodyFirst ? [q, p] : [p, q];
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
    a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}
