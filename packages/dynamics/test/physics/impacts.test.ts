/** Impacts: rows of balls, bullets, stopping. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { every, runs } from '../../../../test/budget.js';
import { rigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { randomVector } from '../rigid/free-tops.js';
import { FLOOR, solid, wholeEnergy } from '../rigid/rigid-scenes.js';
import { ended, meetingPairs } from './apart.js';

const G = 9.81;

describe.each(every([1 / 60, 1 / 240, 1 / 1000], 3))("Newton's cradle in steps of %d s", (dt) => {
  /** The speeds of equal balls, after the first met the others, which are so far apart. */
  const speeds = (gap: number) => {
    const law = { gravity: [0, 0, 0], restitution: 1, friction: 0 } as const;
    const balls = [-0.5, 0, 1, 2, 3].map((i) =>
      rigidBody(
        { centre: [0, 0, 0], radius: 0.1, name: `ball ${i}` },
        { mass: 1, position: [i < 0 ? i : i * (0.2 + gap), 0, 0], velocity: [i < 0 ? 1 : 0, 0, 0] },
      ),
    );
    return ended(new Simulation({ dt, thickness: 0.001, ...law }), (simulation) => {
      for (const ball of balls) simulation.add(ball);
      for (let step = 0; step < 1.5 / dt; step++) simulation.step();
      for (const ball of balls) expect(Math.hypot(...ball.velocity.slice(1))).toBeLessThan(1e-9);
      return balls.map(({ velocity }) => velocity[0]);
    });
  };

  test.each([0.003, 0.02, 0.1])('passes all speed on to the last, over gaps of %d', (gap) => {
    speeds(gap).forEach((speed, i) => {
      expect(Math.abs(speed - (i === 4 ? 1 : 0))).toBeLessThan(2e-4);
    });
  });

  // one after the other they would do as above; here they meet at one time
  test('takes balls that touch for one body of all their mass', () => {
    speeds(0.001).forEach((speed, i) => {
      expect(Math.abs(speed - (i === 0 ? -3 / 5 : 2 / 5))).toBeLessThan(1e-3);
    });
  });
});

// each strikes the ground cube by cube; the last lands after 0.3 s, and what is still for half a second sleeps
test('columns of eight cubes are at rest as soon as they have come down', () => {
  ended(new Simulation({ dt: 1 / 60, thickness: 0.001, friction: 0.4 }), (simulation) => {
    simulation.add(fixedBody(FLOOR));
    const first = rigidBody({ min: [-0.1, -0.1, -0.1], max: [0.1, 0.1, 0.1] });
    const cubes = Array.from({ length: 72 }, (_, i) => {
      const [column, layer] = [i % 9, Math.floor(i / 9)];
      const x = 0.4 * (column % 3) + 0.02 * Math.sin(i);
      const z = 0.4 * Math.floor(column / 3) + 0.02 * Math.cos(3 * i);
      return first.copy({ name: `${i}`, position: [x, 0.2 + 0.24 * layer, z] });
    });
    for (const cube of cubes) simulation.add(cube);
    while (simulation.steps < 51) simulation.step();
    expect(cubes.filter(({ asleep }) => asleep).length).toBeGreaterThanOrEqual(40);
    cubes.forEach(({ position }, i) => {
      expect(Math.abs(position[1] - 0.1 - 0.2 * Math.floor(i / 9))).toBeLessThan(0.02);
    });
  });
});

test.each(every([1 / 15, 1 / 60, 1 / 240], 3))(
  'smooth balls glance off along their centres, in steps of %d s',
  (dt) => {
    const law = { gravity: [0, 0, 0], restitution: 1, friction: 0 } as const;
    // beside each other by the sine of the angle at which they meet
    for (const aside of [0.3, 0.6, 0.9]) {
      const [moving, struck] = [-1, 0].map((x) =>
        rigidBody(
          { centre: [0, 0, 0], radius: 0.1, name: `ball at ${x}` },
          { mass: 1, position: [x, x * -0.2 * aside, 0], velocity: [x * -3, 0, 0] },
        ),
      );
      ended(new Simulation({ dt, thickness: 0.0001, ...law }), (simulation) => {
        for (const ball of [moving, struck]) simulation.add(ball);
        while (simulation.steps * dt < 0.6) simulation.step();
      });
      // within the turn of the line in a part of a step
      const turned = (aside * 3) / 240 / 0.2 / Math.sqrt(1 - aside * aside);
      const angle = Math.atan2(-struck.velocity[1], struck.velocity[0]);
      expect(Math.abs(angle - Math.asin(aside))).toBeLessThan(turned);
      expect(moving.velocity[0] + struck.velocity[0]).toBeCloseTo(3, 12);
      expect((moving.energy() + struck.energy()) / 4.5).toBeCloseTo(1, 9);
    }
  },
);

test.each(every([1, 2, 3], 3))('balls at up to 60 m/s never come nearer than they may, seed %d', (seed) => {
  const random = new SeededRandom(seed);
  const law = { gravity: [0, 0, 0], restitution: 0.8, friction: 0.3 } as const;
  const balls = Array.from({ length: 24 }, (_, i) => {
    const position = [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)].map((x) => 0.5 * x);
    const velocity = randomVector(random, 60);
    return rigidBody(
      { centre: [0, 0, 0], radius: 0.05 + 0.15 * random.next(), name: `${i}` },
      { position, velocity },
    );
  });
  const radii = balls.map(({ mass }) => Math.cbrt((3 * mass) / (4 * Math.PI * 1000)));
  ended(new Simulation({ dt: 1 / 120, thickness: 0.001, ...law }), (simulation) => {
    for (const ball of balls) simulation.add(ball);
    let met = 0;
    for (let step = 0; step < 12; step++) {
      met += simulation.step().events > 0 ? 1 : 0;
      balls.forEach((a, i) => {
        for (let j = 0; j < i; j++) {
          const apart = (p: readonly number[], q: readonly number[]) =>
            Math.hypot(...p.map((x, k) => x - q[k]));
          expect(apart(a.position, balls[j].position)).toBeGreaterThan(radii[i] + radii[j]);
        }
      });
    }
    expect(met).toBeGreaterThan(0);
  });
});

describe.each(every([0.2, 0.6], 2))('with μ = %d', (friction) => {
  test.each([1, 3])('a brick at %d m/s stops after v² / 2 μ g', (speed) => {
    for (const dt of [1 / 60, 1 / 240]) {
      const body = solid(box(1, 0.2, 0.6), [0, 0.101, 0], { velocity: [0.8 * speed, 0, 0.6 * speed] });
      ended(new Simulation({ dt, thickness: 0.001, friction }), (simulation) => {
        simulation.add(fixedBody(FLOOR));
        simulation.add(body);
        while (body.energy() > 1e-9 && simulation.steps < 3 / dt) simulation.step();
        const way = Math.hypot(body.position[0], body.position[2]);
        // it goes by the speed at the end of each part of a step, 1/240 s
        expect(way).toBeLessThan((speed * speed) / (2 * friction * G));
        expect(way).toBeGreaterThan((speed * speed) / (2 * friction * G) - (0.6 * speed) / 240);
        expect(body.position[2] / body.position[0]).toBeCloseTo(0.75, 4);
      });
    }
  });
});

describe('bullets', () => {
  const wall = () => fixedBody({ name: 'wall', min: [0, -3, -3], max: [0.002, 3, 3] });

  test.each([100, 1000, 5000])('needles and plates at %d m/s stay before a thin wall, seed 51', (speed) => {
    const random = new SeededRandom(51 + speed);
    for (let run = 0; run < runs(12); run++) {
      const size = run % 2 ? [0.06, 0.001, 0.001] : [0.1, 0.08, 0.001];
      const turn = [...randomVector(random, 1), 0.1];
      const aside = randomVector(random, 0.3);
      const body = solid(
        box(size[0], size[1], size[2]),
        [-0.5 - random.next(), 0.1 * aside[1], 0.1 * aside[2]],
        {
          orientation: turn.map((x) => x / Math.hypot(...turn)),
          velocity: [speed, speed * aside[1], speed * aside[2]],
          spin: randomVector(random, 50),
        },
      );
      const law = { restitution: run % 3 ? 0 : 0.5, gravity: [0, 0, 0] as const };
      ended(new Simulation({ dt: 1 / 60, thickness: 2e-4, ...law }), (simulation) => {
        const scenery = wall();
        for (const one of [scenery, body]) simulation.add(one);
        const before = body.energy();
        for (let step = 0; step < 10; step++) {
          simulation.step();
          expect(meetingPairs([scenery, body])).toEqual([]);
          const beside = Math.abs(body.position[1]) > 2.8 || Math.abs(body.position[2]) > 2.8;
          if (beside) break;
          expect(body.position[0]).toBeLessThan(0);
        }
        expect(body.energy()).toBeLessThan(before * (1 + 1e-9));
        expect(simulation.intersections()).toBe(0);
      });
    }
  });

  test('two that fly at each other at 5 000 m/s meet in the middle, and keep momentum', () => {
    const plates = [-1, 1].map((side) =>
      solid(box(0.002, 0.2, 0.2), [20 * side, 0, 0], { velocity: [-2500 * side, 0, 0] }),
    );
    ended(new Simulation({ dt: 1 / 60, thickness: 2e-4, gravity: [0, 0, 0] }), (simulation) => {
      for (const plate of plates) simulation.add(plate);
      const before = wholeEnergy(plates);
      for (let step = 0; step < 3; step++) simulation.step();
      expect(plates[0].position[0]).toBeLessThan(plates[1].position[0]);
      expect(Math.abs(plates[0].velocity[0] + plates[1].velocity[0])).toBeLessThan(1e-9 * 2500);
      expect(wholeEnergy(plates)).toBeLessThan(1e-6 * before);
    });
  });
});
