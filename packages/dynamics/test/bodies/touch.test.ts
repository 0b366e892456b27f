/** Friction, restitution and filters of bodies, by pair: against closed formulas, and against what must not change. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere } from '../../../../lab/scenes/solids.mjs';
import { cloth } from '../../src/bodies/cloth.js';
import { PairFilter } from '../../src/bodies/pair-filter.js';
import { fixedBody, kinematicBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import type { SimulationOptions } from '../../src/bodies/simulation-options.js';
import { Touch } from '../../src/bodies/touch.js';
import { disposed, FLOOR, solid } from '../rigid/rigid-scenes.js';
import { sheet } from './contact-bodies.js';

const G = 9.81;
const OPTIONS = { dt: 1 / 240, thickness: 0.001 };

function simulate(options: Partial<SimulationOptions> = {}): Simulation {
  return new Simulation({ ...OPTIONS, ...options });
}

describe('friction of a pair is the geometric mean', () => {
  test.each([
    // of the simulation, the floor, the brick; of the pair
    [0.3, undefined, undefined, 0.3],
    [0.3, 0.8, 0.2, 0.4],
    [0.3, undefined, 0.75, Math.sqrt(0.225)],
    [0, 0.5, 0.5, 0.5],
  ])('simulation %d, floor %s, brick %s', (friction, ofFloor, ofBrick, mu) => {
    disposed(simulate({ friction, sleeping: false }), (simulation) => {
      simulation.add(fixedBody(FLOOR, ofFloor === undefined ? {} : { friction: ofFloor }));
      const brick = solid(box(0.4, 0.1, 0.4), [0, 0.051, 0], {
        velocity: [2, 0, 0],
        ...(ofBrick !== undefined && { friction: ofBrick }),
      });
      simulation.add(brick);
      while (brick.velocity[0] > 1e-3 && simulation.steps < 600) simulation.step();
      expect(Math.abs(brick.position[0] - 4 / (2 * mu * G))).toBeLessThan(2 * OPTIONS.dt);
    });
  });

  test('either can make it 0', () => {
    disposed(simulate({ friction: 0.5, sleeping: false }), (simulation) => {
      simulation.add(fixedBody(FLOOR));
      const ice = solid(box(0.4, 0.1, 0.4), [0, 0.051, 0], { velocity: [2, 0, 0], friction: 0 });
      simulation.add(ice);
      for (let step = 0; step < 240; step++) simulation.step();
      expect(Math.abs(ice.velocity[0] / 2 - 1)).toBeLessThan(1e-3);
    });
  });

  test('two bodies on one floor have their own', () => {
    disposed(simulate({ sleeping: false }), (simulation) => {
      simulation.add(fixedBody(FLOOR, { friction: 0.4 }));
      const bricks = [0.1, 0.9].map((friction, i) =>
        solid(box(0.4, 0.1, 0.4), [0, 0.051, i], { velocity: [1.5, 0, 0], friction }),
      );
      for (const brick of bricks) simulation.add(brick);
      for (let step = 0; step < 480; step++) simulation.step();
      bricks.forEach((brick, i) => {
        const way = 1.5 ** 2 / (2 * Math.sqrt(0.4 * [0.1, 0.9][i]) * G);
        expect(Math.abs(brick.position[0] - way)).toBeLessThan(1.5 * OPTIONS.dt);
      });
    });
  });

  test('set between steps, it wakes what rests', () => {
    const angle = 0.3;
    const gravity = [G * Math.sin(angle), -G * Math.cos(angle), 0] as const;
    disposed(simulate({ dt: 1 / 60, friction: 0.5, gravity }), (simulation) => {
      const floor = fixedBody(FLOOR);
      const brick = solid(box(0.4, 0.1, 0.4), [0, 0.051, 0]);
      for (const body of [floor, brick]) simulation.add(body);
      while (!brick.asleep && simulation.steps < 200) simulation.step();
      expect(brick.asleep).toBe(true);
      floor.touch.friction = 0;
      const from = brick.position[0];
      for (let step = 0; step < 60; step++) simulation.step();
      expect((brick.position[0] - from) / (0.5 * gravity[0])).toBeCloseTo(1, 1);
      floor.touch.friction = undefined;
      for (let step = 0; step < 600 && !brick.asleep; step++) simulation.step();
      expect(brick.asleep).toBe(true);
    });
  });

  test('of cloth on a slope: it slides where one of the two is smooth', () => {
    const ways = [0.9, 0].map((friction) =>
      disposed(simulate({ dt: 1 / 100, thickness: 0.004, gravity: [3, -9, 0] }), (simulation) => {
        simulation.add(fixedBody(FLOOR, { friction: 0.9 }));
        const cut = cloth(sheet(6, 0.5, 0.005), { friction });
        simulation.add(cut);
        const from = cut.positions[0];
        for (let step = 0; step < 60; step++) simulation.step();
        expect(simulation.intersections()).toBe(0);
        return cut.positions[0] - from;
      }),
    );
    expect(ways[0]).toBeLessThan(0.1);
    expect(ways[1]).toBeGreaterThan(0.4);
  });
});

describe('restitution of a pair is the greater', () => {
  test.each([
    [0, undefined, 0.8, 0.8],
    [0.3, 0.6, undefined, 0.6],
    [0.9, 0.2, 0.5, 0.5],
  ])('simulation %d, floor %s, ball %s', (restitution, ofFloor, ofBall, e) => {
    disposed(simulate({ restitution, friction: 0 }), (simulation) => {
      simulation.add(fixedBody(FLOOR, ofFloor === undefined ? {} : { restitution: ofFloor }));
      const ball = solid(icosphere(2, 0.1), [0, 0.6, 0], ofBall === undefined ? {} : { restitution: ofBall });
      // rests on the thickness
      const low = Math.min(...ball.positions.filter((_, k) => k % 3 === 1)) - OPTIONS.thickness;
      simulation.add(ball);
      let [falls, height] = [true, 0];
      for (let step = 0; step < 400; step++) {
        simulation.step();
        if (ball.velocity[1] > 0) falls = false;
        if (!falls && ball.velocity[1] < 0) break;
        if (!falls) height = Math.max(height, ball.position[1] - 0.6 + low);
      }
      expect(Math.abs(height / (low * e * e) - 1)).toBeLessThan(0.02);
    });
  });
});

describe('bodies that do not meet', () => {
  const one = () => solid(box(0.2, 0.2, 0.2), [0, 0.3, 0]);

  test.each([
    ['its mask has no group of the other', { groups: 1, mask: 2 }, { groups: 1 }, false],
    ['the mask of the other has none of its', { groups: 4 }, { mask: 3 }, false],
    ['both masks have a group', { groups: 6, mask: 8 }, { groups: 8, mask: 4 }, true],
    ['the highest bit counts', { groups: 0x80000000, mask: 0x80000000 }, { groups: 0x80000000 }, true],
  ])('%s', (_, ofFloor, ofBox, meet) => {
    disposed(simulate(), (simulation) => {
      simulation.add(fixedBody(FLOOR, ofFloor));
      const body = solid(box(0.2, 0.2, 0.2), [0, 0.3, 0], ofBox);
      simulation.add(body);
      for (let step = 0; step < 240; step++) simulation.step();
      expect(body.position[1] > 0).toBe(meet);
      expect(simulation.intersections()).toBe(0);
    });
  });

  test('may start inside each other, and pass through as if alone', () => {
    const alone = disposed(simulate(), (simulation) => {
      const body = one();
      simulation.add(body);
      for (let step = 0; step < 60; step++) simulation.step();
      return body.positions.slice();
    });
    disposed(simulate({ collides: () => false }), (simulation) => {
      const body = one();
      for (const added of [fixedBody(FLOOR), body, one(), kinematicBody(box(1, 1, 1), () => ({}))])
        simulation.add(added);
      for (let step = 0; step < 60; step++) {
        simulation.step();
        expect(simulation.intersections()).toBe(0);
      }
      expect(body.positions).toEqual(alone);
    });
  });

  test('are asked about once, and again after a change', () => {
    const asked: string[] = [];
    const collides: SimulationOptions['collides'] = (a, b) => {
      asked.push([a.name, b.name].sort().join(' '));
      return a.name !== 'ghost' && b.name !== 'ghost';
    };
    disposed(simulate({ collides }), (simulation) => {
      const floor = fixedBody(FLOOR);
      const ghost = one().copy({ name: 'ghost', position: [0, 0.3, 0] });
      for (const body of [floor, ghost]) simulation.add(body);
      for (let step = 0; step < 100; step++) simulation.step();
      expect(asked).toEqual(['floor ghost']);
      ghost.touch.groups = 3;
      simulation.step();
      expect(asked).toEqual(['floor ghost', 'floor ghost']);
    });
  });

  test('are refused where they are made to meet while one is inside the other', () => {
    disposed(simulate(), (simulation) => {
      const floor = fixedBody(FLOOR, { mask: 0 });
      const body = solid(box(0.2, 0.2, 0.2), [0, 0.05, 0]);
      for (const added of [floor, body]) simulation.add(added);
      simulation.step();
      floor.touch.mask = 1;
      expect(() => simulation.step()).toThrow('the start is not free');
      expect(simulation.intersections()).toBeGreaterThan(0);
      body.position = [0, 0.3, 0];
      for (let step = 0; step < 240; step++) simulation.step();
      expect(simulation.intersections()).toBe(0);
      expect(body.position[1]).toBeGreaterThan(0.1);
    });
  });

  test('what lay on the other falls', () => {
    disposed(simulate({ dt: 1 / 60 }), (simulation) => {
      const floor = fixedBody(FLOOR);
      const body = one();
      for (const added of [floor, body]) simulation.add(added);
      while (!body.asleep && simulation.steps < 300) simulation.step();
      floor.touch.groups = 2;
      body.touch.mask = 1;
      for (let step = 0; step < 30; step++) simulation.step();
      expect(body.position[1]).toBeLessThan(-0.5);
    });
  });

  test('soft and rigid ones pass, others are held', () => {
    disposed(simulate({ dt: 1 / 100, thickness: 0.004 }), (simulation) => {
      simulation.add(fixedBody(FLOOR, { groups: 2 }));
      const cut = cloth(sheet(8, 0.6, 0.3), { mask: 2 });
      const body = solid(box(0.2, 0.2, 0.2), [0, 0.7, 0]);
      for (const added of [cut, body]) simulation.add(added);
      for (let step = 0; step < 150; step++) {
        simulation.step();
        expect(simulation.intersections()).toBe(0);
      }
      expect(body.position[1]).toBeLessThan(0.11);
      expect(Math.min(...cut.positions.filter((_, k) => k % 3 === 1))).toBeGreaterThan(0);
    });
  });

  test('a pair is excepted as often as it is asked for', () => {
    const filter = new PairFilter();
    const [a, b, c] = [one(), one(), one()];
    filter.except(a, b, 1);
    filter.except(b, a, 1);
    expect([filter.meet(a, b), filter.meet(b, a), filter.meet(a, c)]).toEqual([false, false, true]);
    filter.except(a, b, -1);
    expect(filter.meet(b, a)).toBe(false);
    filter.except(a, b, -1);
    expect(filter.meet(b, a)).toBe(true);
  });
});

test('copies touch alike, unless told otherwise', () => {
  const body = solid(box(1, 1, 1), [0, 0, 0], { friction: 0.7, groups: 5 });
  expect(body.copy().touch.options).toEqual({
    friction: 0.7,
    groups: 5,
    mask: 0xffffffff,
    sensor: false,
  });
  expect(body.copy({ friction: 0.1, restitution: 1 }).touch.options).toEqual({
    friction: 0.1,
    restitution: 1,
    groups: 5,
    mask: 0xffffffff,
    sensor: false,
  });
});

test.each([
  ['friction', -1],
  ['friction', Number.NaN],
  ['friction', '1'],
  ['restitution', 1.5],
  ['restitution', -0.1],
  ['groups', 0.5],
  ['groups', -1],
  ['mask', 2 ** 32],
])('refuses %s %s', (option, value) => {
  const touch = new Touch('stone');
  for (const run of [
    () => solid(box(1, 1, 1), [0, 0, 0], { [option]: value }),
    () => fixedBody(FLOOR, { [option]: value }),
    () => Object.assign(touch, { [option]: value }),
  ]) {
    expect(run).toThrow(ImpingeError);
    expect(run).toThrow(option);
  }
});

test('refuses what is no filter', () => {
  expect(() => simulate({ collides: 1 as unknown as () => boolean })).toThrow('collides');
  disposed(simulate({ collides: () => undefined as unknown as boolean }), (simulation) => {
    for (const added of [fixedBody(FLOOR), solid(box(1, 1, 1), [0, 2, 0])]) simulation.add(added);
    expect(() => {
      for (let step = 0; step < 300; step++) simulation.step();
    }).toThrow('the answer of collides');
  });
});
