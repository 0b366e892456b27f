/** Contact gives slender bodies no energy: bars and needles of any kind, thrown at floors and at each other. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { runs } from '../../../../test/budget.js';
import type { RigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { momentum } from '../bodies/model-runs.js';
import { ended } from '../physics/apart.js';
import { randomVector } from './free-tops.js';
import { FLOOR, solid, wholeEnergy } from './rigid-scenes.js';

const G = 9.81;
const pick = <T>(random: SeededRandom, values: readonly T[]): T =>
  values[Math.floor(values.length * random.next())];

/** A bar, or a needle up to two hundred times as long as thick, anyhow turned and turning. */
function slender(random: SeededRandom, position: readonly number[], velocity: readonly number[]): RigidBody {
  const length = 0.05 + 0.5 * random.next();
  const thick = length * (0.005 + 0.1 * random.next());
  const turn = [...randomVector(random, 1), 0.1];
  return solid(box(length, thick, thick * (0.5 + random.next())), position, {
    orientation: turn.map((x) => x / Math.hypot(...turn)),
    velocity,
    spin: randomVector(random, 60 * random.next()),
  });
}

/** Steps; energy is never more than before, but for what being moved apart by the thickness lifts. */
function runDown(simulation: Simulation, bodies: readonly RigidBody[], steps: number, gravity: number): void {
  const energy = () => (gravity > 0 ? wholeEnergy(bodies) : bodies.reduce((sum, b) => sum + b.energy(), 0));
  const start = energy();
  const weight = bodies.reduce((sum, { mass }) => sum + gravity * mass, 0);
  let least = start;
  for (let step = 1; step <= steps; step++) {
    simulation.step();
    const now = energy();
    expect(now, `step ${step}`).toBeLessThanOrEqual(least + 1e-9 * start + weight * simulation.thickness);
    least = Math.min(least, now);
  }
  expect(simulation.intersections()).toBe(0);
}

describe('on a floor', () => {
  test('whatever the speed, restitution and friction, seed 1', () => {
    const random = new SeededRandom(1);
    for (let run = 0; run < runs(40); run++) {
      const speed = pick(random, [3, 10, 100, 1000]);
      const down = randomVector(random, 1);
      const body = slender(
        random,
        [0, 0.4 + random.next(), 0],
        [down[0], -Math.abs(down[1]) - 0.1, down[2]].map((x) => speed * x),
      );
      const dt = pick(random, [1 / 60, 1 / 60, 1 / 240]);
      const law = { restitution: pick(random, [0, 0, 0.5, 1]), friction: pick(random, [0, 0.3, 0.8]) };
      ended(new Simulation({ dt, thickness: 5e-4, ...law }), (simulation) => {
        simulation.add(fixedBody(FLOOR));
        simulation.add(body);
        runDown(simulation, [body], Math.min(60, Math.ceil(50 / (speed * dt))), G);
      });
    }
  });

  test.each([
    ['a pencil', box(0.18, 0.007, 0.007), [1, -3, 0.5], [15, 7.5, 3.75], 0.5],
    ['a needle', box(0.06, 0.001, 0.001), [20, -100, 0], [30, 30, 25], 0],
    ['a faster needle', box(0.06, 0.001, 0.001), [200, -1000, 0], [30, 30, 25], 0],
  ])('%s that is thrown at it', (_, mesh, velocity, spin, restitution) => {
    const body = solid(mesh, [0, 0.3, 0], { velocity, spin });
    ended(new Simulation({ dt: 1 / 60, thickness: 2e-4, restitution }), (simulation) => {
      simulation.add(fixedBody(FLOOR));
      simulation.add(body);
      runDown(simulation, [body], 30, G);
    });
  });

  test('without friction, motion along it goes on', () => {
    const body = solid(box(0.2, 0.006, 0.006), [0, 0.2, 0], { velocity: [2, -3, 0], spin: [0, 0, 9] });
    ended(new Simulation({ dt: 1 / 60, thickness: 5e-4, friction: 0 }), (simulation) => {
      simulation.add(fixedBody(FLOOR));
      simulation.add(body);
      for (let step = 0; step < 60; step++) expect(simulation.step().shortened).toBe(0);
      expect(body.velocity[0]).toBeCloseTo(2, 3);
    });
  });
});

test('in the air, momentum and angular momentum stay, too, seed 2', () => {
  const random = new SeededRandom(2);
  let meetings = 0;
  for (let run = 0; run < runs(40); run++) {
    const speed = pick(random, [1, 10, 100]);
    const bodies = [-0.3, 0.3].map((x) => {
      const aside = randomVector(random, 0.02);
      return slender(random, [x, aside[1], aside[2]], [-Math.sign(x) * speed, 0, 0]);
    });
    const restitution = pick(random, [0, 0.5, 1]);
    const law = { gravity: [0, 0, 0], restitution, friction: pick(random, [0, 0.5]) } as const;
    ended(new Simulation({ dt: 1 / 120, thickness: 5e-4, ...law }), (simulation) => {
      for (const body of bodies) simulation.add(body);
      if (simulation.intersections() > 0) return;
      const sum = () => momentum(bodies[0]).map((x, k) => x + momentum(bodies[1])[k]);
      const before = sum();
      let shortened = 0;
      const energy = () => bodies[0].energy() + bodies[1].energy();
      const start = energy();
      let least = start;
      for (let step = 0; step < 60 / speed + 20; step++) {
        const report = simulation.step();
        shortened += report.shortened;
        meetings += report.events;
        expect(energy(), `run ${run}`).toBeLessThanOrEqual(least + 1e-9 * start);
        least = Math.min(least, energy());
      }
      const scale = bodies[0].mass * speed;
      if (shortened === 0)
        for (const [k, x] of sum().entries())
          expect(Math.abs(x - before[k]) / scale, `run ${run}`).toBeLessThan(1e-9);
    });
  }
  expect(meetings).toBeGreaterThan(0);
});
