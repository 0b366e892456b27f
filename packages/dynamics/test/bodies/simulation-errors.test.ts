/** What the simulation refuses, and that a refused step leaves everything as it was. */
import { arena } from 'impinge/internal/base/arena.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { callHere } from 'impinge/internal/kernel/schedule.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { full } from '../../../../test/budget.js';
import type { Body, BodyHandle } from '../../src/bodies/body.js';
import { rigidBody } from '../../src/bodies/rigid-body.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { deformKernels } from '../../src/deform/kernels.generated.js';
import { ball, floor, SpringBody, scenery, sheet } from './contact-bodies.js';

const OPTIONS = { dt: 0.01, thickness: 0.01 };

function errorOf(run: () => unknown): ImpingeError {
  try {
    run();
  } catch (error) {
    if (error instanceof ImpingeError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test.each([
  ['dt', { dt: 0 }],
  ['dt', { dt: Number.NaN }],
  ['dt', { dt: 1 }],
  ['dt', { dt: 0.26 }],
  ['sleeping', { sleeping: 1 as unknown as boolean }],
  ['thickness', { thickness: 0 }],
  ['friction', { friction: -1 }],
  ['restitution', { restitution: 1.5 }],
  ['gravity', { gravity: [0, -9.81] }],
  ['error', { contacts: { error: -1 } }],
  ['error', { contacts: { error: Number.NaN } }],
  ['error.size', { contacts: { error: { size: -1 } } }],
  ['error needs size, speed or view', { contacts: { error: {} } }],
  ['error.speed', { contacts: { error: { speed: { seconds: 1, a: { velocity: [0, 0, 0] } } as never } } }],
  ['error.view', { contacts: { error: { view: 3 as never } } }],
  ['budget.tests', { contacts: { budget: { tests: 0 } } }],
  ['budget.ms', { contacts: { budget: { ms: -1 } } }],
  ['engine', { contacts: { engine: 'best' as 'auto' } }],
])('refuses a bad %s', (option, bad) => {
  const error = errorOf(() => new Simulation({ ...OPTIONS, ...bad }));
  expect(error.code).toBe('bad-option');
  expect(error.message).toContain(option);
});

test('the error of contacts can be changed, to what is one', () => {
  const simulation = new Simulation({ ...OPTIONS, contacts: { error: 0.01 } });
  simulation.contactError = 0.02;
  expect(simulation.contactError).toBe(0.02);
  const allowed = { size: 0.01, speed: { seconds: 0.1 }, combined: 'max' } as const;
  simulation.contactError = allowed;
  expect(simulation.contactError).toEqual(allowed);
  simulation.contactError = 0.02;
  simulation.contactBudget = { tests: 10 };
  expect(simulation.contactBudget).toEqual({ tests: 10 });
  expect(
    errorOf(() => {
      simulation.contactError = -1;
    }).message,
  ).toContain('contactError');
  expect(simulation.contactError).toBe(0.02);
  simulation.dispose();
});

describe('a body', () => {
  test('off the float32 grid is refused, with its vertex', () => {
    const body = scenery(floor(1), 'ground');
    body.positions[7] += 1e-12;
    const error = errorOf(() => new Simulation(OPTIONS).add(body));
    expect(error.detail).toMatchObject({ object: 'ground', vertex: 2 });
  });
  test('cannot come twice, nor go when it is not there', () => {
    const simulation = new Simulation(OPTIONS);
    const body = scenery(floor(1), 'ground');
    const handle = simulation.add(body);
    expect(simulation.handles).toEqual([handle]);
    expect(handle).toMatchObject({ id: 0, body });
    expect(errorOf(() => simulation.add(body)).message).toContain('ground');
    handle.remove();
    expect(errorOf(() => handle.remove())).toMatchObject({ code: 'removed', detail: { object: 'ground' } });
    expect(simulation.bodies).toEqual([]);
    expect(simulation.handles).toEqual([]);
    expect(simulation.add(body).id).toBe(1);
  });
  test('that meets another at the start is named', () => {
    const simulation = new Simulation(OPTIONS);
    simulation.add(new SpringBody(ball(0.2, 5, [0, 0.1, 0]), { name: 'ball' }));
    const ground = simulation.add(scenery(floor(1), 'ground'));
    const error = errorOf(() => simulation.step());
    expect(error.code).toBe('bad-input');
    expect(error.message).toMatch(/triangle \d+ of (ball|ground) meets triangle \d+ of (ground|ball)/);
    ground.remove();
    expect(simulation.step().step).toBe(1);
  });
  test.each(['removed', 'placed elsewhere'])(
    'that is rigid and meets another goes on once it is %s',
    (how) => {
      const simulation = new Simulation(OPTIONS);
      const [near, other, third] = [0, 0.3, 9].map((x, i) =>
        rigidBody({ ...box(0.5, 0.5, 0.5), name: `cube ${i}` }, { position: [x, 1, 0] }),
      );
      const handles = [near, third].map((body) => simulation.add(body));
      simulation.step();
      handles.push(simulation.add(other));
      const height = third.position[1];
      for (let times = 0; times < 2; times++) {
        const error = errorOf(() => simulation.step());
        expect(error.message).toContain(how);
        expect(error.message).toContain('cube 1');
        expect(third.position[1]).toBe(height);
      }
      if (how === 'removed') handles[2].remove();
      else other.position = [2, 1, 0];
      expect(simulation.step().step).toBe(2);
      expect(third.position[1]).toBeLessThan(height);
      expect(simulation.intersections()).toBe(0);
      simulation.dispose();
    },
  );
});

describe.each([
  ['NaN', Number.NaN, 'non-finite'],
  ['Infinity', -Infinity, 'non-finite'],
  ['an explosion', 1e35, 'bad-input'],
])('%s in a proposal', (_, value, code) => {
  test('names body and vertex, and nothing moves', () => {
    const simulation = new Simulation(OPTIONS);
    const good = new SpringBody(sheet(5, 1, 0.3), { name: 'good', velocity: [0, -1, 0] });
    const bad = new SpringBody(sheet(5, 1, 0.6), { name: 'bad' });
    simulation.add(good);
    simulation.add(bad);
    simulation.add(scenery(floor(1)));
    for (let s = 0; s < 10; s++) simulation.step();
    const before = [good, bad].map((body) => [body.positions.slice(), body.velocities.slice()]);
    const speed = bad.velocities[31];
    bad.velocities[31] = value;
    const error = errorOf(() => simulation.step());
    expect(error.code).toBe(code);
    expect(error.detail).toMatchObject({ object: 'bad' });
    expect(error.message).toMatch(/bad: vertex \d+/);
    bad.velocities[31] = speed;
    expect([good, bad].map((body) => [body.positions, body.velocities])).toEqual(before);
    expect(simulation.steps).toBe(10);
    expect(simulation.intersections()).toBe(0);
    expect(simulation.step().step).toBe(11);
  });
});

describe('on threads', () => {
  /** A pool that works on the calling thread. */
  const pool: WorkerPool = {
    size: 0,
    call: async (call) => callHere(call),
    dispose: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };

  function scene(options: { pool?: WorkerPool }) {
    const simulation = new Simulation({ ...OPTIONS, ...options });
    const cloth = new SpringBody(sheet(7, 0.8, 0.32), { name: 'cloth' });
    simulation.add(cloth);
    simulation.add(scenery(ball(0.3, 5, [0, 0, 0])));
    return { simulation, cloth };
  }

  test('a step is the same', async () => {
    const one = scene({});
    const other = scene({ pool });
    for (let s = 0; s < 30; s++) {
      const report = one.simulation.step();
      expect((await other.simulation.stepParallel()).events).toBe(report.events);
    }
    expect(other.cloth.positions).toEqual(one.cloth.positions);
  });
  test('nothing else can be done meanwhile, and an aborted step leaves no trace', async () => {
    const { simulation, cloth } = scene({ pool });
    const before = cloth.positions.slice();
    const step = simulation.stepParallel({ signal: AbortSignal.abort() });
    expect(errorOf(() => simulation.step())).toMatchObject({
      code: 'busy',
      message: 'the simulation is busy with a parallel step',
    });
    await expect(step).rejects.toMatchObject({ code: 'aborted' });
    expect(cloth.positions).toEqual(before);
    expect(simulation.step().step).toBe(1);
  });
  test('needs a pool', async () => {
    await expect(scene({}).simulation.stepParallel()).rejects.toMatchObject({ code: 'bad-option' });
  });
});

test('a simulation that was disposed refuses everything but another dispose', () => {
  deformKernels.kernels(); // compiles them, and they keep their work space
  const used = arena().usedBytes;
  const body = scenery(floor(1), 'ground');
  let handle: BodyHandle;
  {
    using simulation = new Simulation(OPTIONS);
    handle = simulation.add(body);
    simulation.step();
    expect(arena().usedBytes).toBeGreaterThan(used);
    simulation.dispose();
    for (const use of [() => simulation.step(), () => simulation.add(body), () => handle.remove()]) {
      expect(errorOf(use).code).toBe('disposed');
    }
  }
  expect(arena().usedBytes).toBeLessThanOrEqual(used);
});

test('times are told if there is a clock', () => {
  let time = 0;
  const simulation = new Simulation({ ...OPTIONS, now: () => time++ });
  simulation.add(new SpringBody(sheet(3, 1, 1)));
  const { ms } = simulation.step();
  expect(ms!.solver).toBeGreaterThan(0);
  expect(ms!.detection).toBeGreaterThan(0);
  expect(new Simulation(OPTIONS).step().ms).toBeUndefined();
});

describe('breaking', () => {
  /** Turns into `pieces` after so many steps. */
  class Fragile extends SpringBody {
    left: number;
    pieces: readonly Body[] = [];

    constructor(steps: number, height: number) {
      super(sheet(5, 0.4, height), { name: 'fragile' });
      this.left = steps;
    }

    broken(): readonly Body[] | undefined {
      if (this.left-- > 0) return undefined;
      const shard = (name: string, shift: number) => {
        const positions = sheet(3, 0.15, this.positions[1]).positions;
        return new SpringBody(
          {
            positions: Array.from(positions, (x, i) => x + (i % 3 === 0 ? shift : 0)),
            indices: sheet(3, 1, 0).indices,
          },
          { name },
        );
      };
      this.pieces = [shard('left', -0.1), shard('right', 0.1)];
      return this.pieces;
    }
  }

  full('exchanges a body for its pieces while things collide', () => {
    const simulation = new Simulation(OPTIONS);
    const fragile = new Fragile(10, 0.06);
    const ground = scenery(floor(1), 'ground');
    simulation.add(fragile);
    simulation.add(ground);
    const broken: string[] = [];
    for (let s = 0; s < 40; s++) broken.push(...simulation.step().broken);
    expect(broken).toEqual(['fragile']);
    expect(simulation.bodies.map(({ name }) => name)).toEqual(['ground', 'left', 'right']);
    expect(simulation.intersections()).toBe(0);
    for (const piece of fragile.pieces as SpringBody[]) expect(piece.centre(1)).toBeLessThan(0.02);
  });
  test('is put off while the pieces would not be free', () => {
    const simulation = new Simulation(OPTIONS);
    simulation.add(new Fragile(0, 0.5));
    const hanging = new SpringBody(sheet(2, 0.01, 0.5), { name: 'hanging', mass: 100 });
    for (let i = 0; i < hanging.positions.length; i += 3) {
      hanging.positions[i] = Math.fround(hanging.positions[i] - 0.3);
      hanging.velocities[i] = 0;
    }
    class Wide extends Fragile {
      override broken(): readonly Body[] | undefined {
        const shape = sheet(3, 1, this.positions[1]);
        return [new SpringBody(shape, { name: 'wide', self: false })];
      }
    }
    const simulationOfWide = new Simulation({ ...OPTIONS, gravity: [0, 0, 0] });
    simulationOfWide.add(new Wide(0, 0.5));
    simulationOfWide.add(hanging);
    const report = simulationOfWide.step();
    expect(report.broken).toEqual([]);
    expect(report.heldTogether).toEqual(['fragile']);
    expect(simulationOfWide.intersections()).toBe(0);
    expect(simulationOfWide.step().step).toBe(2);
  });
});
