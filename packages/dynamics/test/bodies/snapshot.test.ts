/** Snapshots: a run that is continued from bytes is the run that went on, to the last bit. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere, torus } from '../../../../lab/scenes/solids.mjs';
import { every } from '../../../../test/budget.js';
import type { Body } from '../../src/bodies/body.js';
import { breakable } from '../../src/bodies/breaking.js';
import { cloth } from '../../src/bodies/cloth.js';
import { rigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody, kinematicBody } from '../../src/bodies/scenery.js';
import { shatter } from '../../src/bodies/shatter.js';
import { Simulation } from '../../src/bodies/simulation.js';
import type { SimulationOptions } from '../../src/bodies/simulation-options.js';
import { softVolume } from '../../src/bodies/soft-volume.js';
import { disposed, FLOOR, jointed, pyramid, solid, stack, turningLens } from '../rigid/rigid-scenes.js';
import { SpringBody, sheet } from './contact-bodies.js';

function simulate(bodies: readonly Body[], options: Partial<SimulationOptions> = {}): Simulation {
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.002, ...options });
  for (const body of bodies) simulation.add(body);
  return simulation;
}

/** Bodies of one shape, thrown at random into a tray. */
function heap(
  seed: number,
  mesh: ReturnType<typeof box>,
  options: Partial<SimulationOptions> = {},
): Simulation {
  const random = new SeededRandom(seed);
  const first = solid(mesh, [0, 0, 0]);
  const bodies = Array.from({ length: 12 }, (_, i) => {
    const position = [(i % 2) * 0.45, 0.4 + 0.45 * (i >> 2), ((i >> 1) % 2) * 0.45];
    const orientation = [0, 1, 2, 3].map(() => random.next() - 0.5);
    return first.copy({ name: `body ${i}`, position, orientation, spin: [random.next(), 0, random.next()] });
  });
  return simulate([fixedBody(FLOOR), ...bodies], options);
}

const SCENES: Record<string, () => Simulation> = {
  'a stack that comes to rest': () => stack(4, 1 / 60).simulation,
  'a pyramid': () => pyramid(5, 1 / 60, { uneven: 0.01 }).simulation,
  'a heap of boxes': () => heap(1, box(0.3, 0.2, 0.25)),
  'a heap of rings, without sleep': () => heap(2, torus(0.15, 0.05, 12, 8), { sleeping: false }),
  'balls that bounce': () => heap(3, icosphere(2, 0.15), { restitution: 0.7, dt: 1 / 120 }),
  'a lens whose contacts are kept as it turns': () => turningLens().simulation,
  shapes: () => {
    const ball = rigidBody({ centre: [0, 0, 0], radius: 0.1, name: 'ball' }, { position: [0, 0.5, 0] });
    const ends = [-0.2, 0.2].map((x) => ({ centre: [x, 0, 0], radius: 0.1 }));
    const bell = rigidBody(
      { parts: [...ends, { from: [-0.2, 0, 0], to: [0.2, 0, 0], radius: 0.05 }] },
      {
        position: [0.05, 0.9, 0],
        spin: [1, 2, 3],
      },
    );
    const crate = rigidBody(
      { min: [-0.1, -0.1, -0.1], max: [0.1, 0.1, 0.1] },
      { position: [0.03, 0.2, 0.02] },
    );
    return simulate([fixedBody(FLOOR), ball, bell, crate, ball.copy({ position: [0.1, 1.4, 0] })]);
  },
  'a moving platform': () => {
    const path = (t: number) => ({ translation: [0.3 * Math.sin(3 * t), 0, 0.1 * t] });
    const cart = kinematicBody({ ...box(3, 0.2, 3), name: 'cart' }, path);
    const block = solid(box(0.3, 0.3, 0.3), [0, 0.252, 0]);
    return simulate([cart, block, block.copy({ position: [0.05, 0.6, 0.02] })]);
  },
  'one that has to wait': () => {
    const press = kinematicBody({ ...box(1, 0.2, 1), name: 'press' }, (t) => ({
      translation: [0, 0.8 - t, 0],
    }));
    return simulate([fixedBody(FLOOR), press, solid(box(0.3, 0.3, 0.3), [0, 0.16, 0])]);
  },
  'a pendulum and a wheel on joints': () => {
    const simulation = simulate([
      fixedBody(FLOOR),
      solid(box(0.2, 0.6, 0.2), [0, 2, 0]),
      solid(box(0.5, 0.5, 0.1), [2, 2, 0]),
    ]);
    const [, bob, wheel] = simulation.bodies as ReturnType<typeof solid>[];
    bob.velocity = [1, 0, 0.2];
    simulation.join({ kind: 'ball', a: bob, at: [0, 2.3, 0] });
    simulation.join({ kind: 'hinge', a: wheel, axis: [0, 0, 1], motor: { speed: 3, most: 5 } });
    return simulation;
  },
  'joints of every kind, with limits, motors and a break': () => jointed(),
  'cloth on a ball': () =>
    simulate([fixedBody({ ...icosphere(4, 0.3), name: 'ball' }), cloth(sheet(12, 1, 0.35))], {
      dt: 1 / 100,
      thickness: 0.005,
    }),
  'soft and rigid bodies': () =>
    simulate(
      [
        fixedBody(FLOOR),
        softVolume({
          ...icosphere(3, 0.2),
          positions: icosphere(3, 0.2).positions.map((x, k) => x + (k % 3 === 1 ? 0.25 : 0)),
        }),
        solid(box(0.2, 0.2, 0.2), [0.02, 0.7, 0]),
        cloth(sheet(8, 0.6, 1.1)),
      ],
      { dt: 1 / 100, thickness: 0.005 },
    ),
  'a body that may break': () => {
    const fracture = shatter({ ...box(0.4, 0.4, 0.4), name: 'crate' }, { pieces: 6, seed: 3 });
    const crate = breakable(fracture, { strength: 1e4, velocity: [0, -1, 0] });
    return simulate([
      fixedBody({ ...FLOOR, positions: FLOOR.positions.map((x, k) => (k % 3 === 1 ? -0.4 : x)) }),
      crate,
    ]);
  },
  'a sensor and contacts': () => {
    const gate = fixedBody({ ...box(1, 1, 1), name: 'gate' }, { sensor: true });
    return simulate([fixedBody(FLOOR), gate, solid(box(0.2, 0.2, 0.2), [0, 1, 0])], { contactEvents: true });
  },
};

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}

/** All that can be seen of a simulation, by steps. */
function run(simulation: Simulation, steps: number) {
  return Array.from({ length: steps }, () => {
    const { contactEvents, detections: _, brokenJoints, ...report } = simulation.step();
    return {
      ...report,
      broken: brokenJoints.map(({ kind, position, force }) => ({ kind, position, force })),
      events: contactEvents?.map(({ phase, a, b, points }) => ({ phase, names: [a.name, b.name], points })),
      positions: simulation.bodies.map(({ positions }) => positions.slice()),
      states: simulation.bodies.map((body) =>
        'state' in body ? (body as ReturnType<typeof solid>).state.numbers.slice() : 0,
      ),
      asleep: simulation.handles.map(({ asleep }) => asleep),
    };
  });
}

describe.each(Object.entries(SCENES))('%s', (_, make) => {
  test.each(every([17, 0, 1, 60], 4))('goes on after %d steps as if nothing had been', (before) => {
    disposed(make(), (simulation) => {
      for (let step = 0; step < before; step++) simulation.step();
      const bytes = simulation.snapshot();
      expect(same(simulation.snapshot(), bytes)).toBe(true);
      const went = run(simulation, 25);
      disposed(make(), (other) => {
        // it has a past of its own
        if (before % 2 === 1) for (let step = 0; step < 9; step++) other.step();
        other.restore(bytes);
        expect(same(other.snapshot(), bytes)).toBe(true);
        expect(run(other, 25)).toEqual(went);
      });
      simulation.restore(bytes);
      expect(run(simulation, 25)).toEqual(went);
      expect(simulation.intersections()).toBe(0);
    });
  });
});

describe('bytes that do not fit', () => {
  const make = SCENES['a heap of boxes'];

  test('damaged, cut off, of another version, or no snapshot at all', () => {
    disposed(make(), (simulation) => {
      simulation.step();
      const bytes = simulation.snapshot();
      const went = (damaged: Uint8Array) => () => simulation.restore(damaged);
      const changed = (at: number, by = 1) => bytes.map((x, i) => (i === at ? x ^ by : x));
      for (const at of [16, 100, bytes.length - 1]) expect(went(changed(at))).toThrow('damaged');
      expect(went(bytes.slice(0, -8))).toThrow(/bytes of/);
      expect(went(changed(4))).toThrow('version');
      expect(went(changed(0))).toThrow('no snapshot');
      expect(went(new Uint8Array(0))).toThrow('no snapshot');
      expect(went([1, 2] as unknown as Uint8Array)).toThrow('needed');
      expect(same(simulation.snapshot(), bytes)).toBe(true);
      simulation.step();
    });
  });

  test('of other options or bodies: nothing changes', () => {
    const bytes = disposed(make(), (simulation) => simulation.snapshot());
    const floor = fixedBody(FLOOR);
    const cases: [string, Simulation][] = [
      ['its dt: 0.016666666666666666, and here: 0.01', heap(1, box(0.3, 0.2, 0.25), { dt: 0.01 })],
      ['its sleeping: true', heap(1, box(0.3, 0.2, 0.25), { sleeping: false })],
      ['its contactEvents: false', heap(1, box(0.3, 0.2, 0.25), { contactEvents: true })],
      ['it has 13 bodies, and here are 1', simulate([floor])],
      ['its body 2 is body 0, and here it is body 0, which differs', heap(1, box(0.3, 0.2, 0.26))],
    ];
    const jointed = make();
    jointed.join({ kind: 'ball', a: jointed.bodies[1] as ReturnType<typeof solid> });
    for (const [message, simulation] of [...cases, ['its joints: 0, and here: 1', jointed] as const]) {
      disposed(simulation, () => {
        const before = simulation.snapshot();
        expect(() => simulation.restore(bytes)).toThrow(message);
        expect(same(simulation.snapshot(), before)).toBe(true);
      });
    }
  });

  test('bodies of your own have none without save and restore', () => {
    disposed(simulate([new SpringBody(sheet(3, 1, 1), { name: 'own' })]), (simulation) => {
      expect(() => simulation.snapshot()).toThrow('own has no save() and restore()');
    });
  });
});
