/** Bodies that are stored models: what is known of them, what is refused, and contacts held against the originals. */
import { buildLevels, MemorySink, MemorySource, openStore, StoreWriter } from '@impinge/model';
import type { StoredModel } from '@impinge/model/internal/store/model.js';
import { Random } from '@impinge/scenes/random';
import { distance, Mesh } from 'impinge';
import { beforeAll, describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { every, full } from '../../../../test/budget.js';
import { solidMass } from '../../src/bodies/solid-mass.js';
import {
  cloth,
  fixedBody,
  type RigidBody,
  rigidBody,
  Simulation,
  storedBody,
  storedScenery,
} from '../../src/index.js';
import { CONTACT_NUMBERS, ContactSet } from '../../src/rigid/contact-set.js';
import { GAP } from '../../src/rigid/exact/layout.generated.js';
import { CutContacts } from '../../src/rigid/stored/cut-contacts.js';
import { StoredShape } from '../../src/rigid/stored/stored-shape.js';
import { poseOf } from './engines/posed-shapes.js';
import { bumpyBall, modelOf } from './stored-models.js';

const BALL = bumpyBall(5, 0.05);
const THICKNESS = 0.01;
let model: StoredModel;
beforeAll(async () => {
  model = await modelOf(BALL, 'ball');
});

describe('the mass of a stored model', () => {
  test('is that of its triangles', async () => {
    const body = await storedBody(model, { density: 3 });
    const expected = solidMass(BALL.positions, BALL.indices, 3);
    expect(body.mass).toBeCloseTo(expected.mass, 9);
    body.position.forEach((x, k) => {
      expect(x).toBeCloseTo(expected.centre[k], 9);
    });
    body.state.mass.second.forEach((x, i) => {
      expect(x).toBeCloseTo(expected.second[i], 9);
    });
  });

  test('counts every object, where it is', async () => {
    const mesh = Mesh.from(BALL);
    const turn = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const two = await buildLevels([{ mesh }, { mesh, pose: { rotation: turn, translation: [4, 0, 0] } }]);
    mesh.dispose();
    const body = await storedBody(two);
    const one = solidMass(BALL.positions, BALL.indices, 1000);
    expect(body.mass).toBeCloseTo(2 * one.mass, 6);
    expect(body.position[0]).toBeCloseTo(0.5 * (one.centre[0] + 4 - one.centre[1]), 9);
    // of the second, x and y have changed places
    const apart = 4 - one.centre[1] - one.centre[0];
    expect(body.state.mass.second[0]).toBeCloseTo(
      one.second[0] + one.second[1] + 0.5 * one.mass * apart ** 2,
      5,
    );
  });

  test('can be given', async () => {
    const open = await modelOf({ ...BALL, indices: BALL.indices.slice(3) }, 'shell');
    await expect(storedBody(open)).rejects.toThrow('shell is open, so its mass cannot be computed');
    const mass = { mass: 2, centre: [0, 1, 0], inertia: [3, 4, 5, 0.1, 0.2, 0.3] };
    const body = await storedBody(open, mass);
    expect(body.mass).toBe(2);
    expect(body.position).toEqual([0, 1, 0]);
    body.spin = [1, 2, 3];
    const out = new Float64Array(6);
    body.momentum(out);
    // the inertia times the spin
    [3 + 0.2 + 0.9, 0.1 + 8 + 0.6, 0.3 + 0.4 + 15].forEach((x, k) => {
      expect(out[3 + k]).toBeCloseTo(x, 9);
    });
  });
});

describe('stored bodies refuse', () => {
  full('what they cannot be made of', async () => {
    const inward = {
      ...BALL,
      indices: BALL.indices.map((_, i) => BALL.indices[i - (i % 3) + (2 - (i % 3))]),
    };
    await expect(storedBody(await modelOf(inward, 'glove'))).rejects.toThrow('glove is inside out');
    const half = BALL.indices.map((_, i) => BALL.indices[i < 600 ? i : i - (i % 3) + (2 - (i % 3))]);
    await expect(storedBody(await modelOf({ ...BALL, indices: half }, 'quilt'))).rejects.toThrow(
      'quilt does not face one way consistently',
    );
    const sink = new MemorySink();
    const writer = new StoreWriter(sink);
    const about = { id: '0', path: '', type: '', discipline: '', file: '', storey: '' };
    await writer.add({ geometry: BALL, objects: [{ ...about, name: 'flat', pose: undefined }] });
    await writer.finish({ title: 'flat', metresPerUnit: 1, files: [], recipe: '' });
    const flat = await openStore(new MemorySource(sink.bytes()));
    await expect(storedBody(flat)).rejects.toThrow('flat has no levels');
    expect(() => storedScenery(flat)).toThrow('flat has no levels');
    const { source } = model;
    const late = { byteLength: source.byteLength, read: source.read.bind(source) };
    await expect(storedBody(await openStore(late))).rejects.toThrow('cannot be read synchronously');
  });

  test('numbers outside their domain', async () => {
    for (const density of [0, -1, Number.NaN, Infinity]) {
      await expect(storedBody(model, { density })).rejects.toThrow('density');
    }
    const mass = { mass: 1, centre: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] };
    for (const wrong of [
      { ...mass, mass: 0 },
      { ...mass, centre: [0, Number.NaN, 0] },
      { ...mass, inertia: [1, 1] },
      { ...mass, inertia: [1, 1, 3, 0, 0, 0] },
      { ...mass, inertia: [1, 1, 1, 0, Number.NaN, 0] },
    ]) {
      await expect(storedBody(model, wrong)).rejects.toThrow(/ball: .*(mass|centre|inertia)/);
    }
    await expect(storedBody(model, { velocity: [0, Number.NaN, 0] })).rejects.toThrow('velocity');
    expect(() => storedScenery(model, { path: 3 as never })).toThrow('ball: its path');
  });

  test('soft company, and a start that is not free', async () => {
    const sheet = cloth({ positions: [0, 9, 0, 1, 9, 0, 0, 9, 1], indices: [0, 1, 2] });
    const ball = await storedBody(model);
    const simulation = new Simulation({ dt: 0.01, thickness: THICKNESS });
    simulation.add(sheet);
    expect(() => simulation.add(ball)).toThrow('cloth is soft and ball is a stored model');
    simulation.dispose();
    const other = new Simulation({ dt: 0.01, thickness: THICKNESS });
    other.add(storedScenery(model, { name: 'ground', pose: { translation: [0, -1.5, 0] } }));
    other.add(ball);
    expect(() => other.add(sheet)).toThrow('cloth is soft and ground is a stored model');
    expect(() => other.step()).toThrow(/the start is not free: .* of (ball|ground), object 0/);
    expect(other.intersections()).toBeGreaterThan(0);
    ball.position = [0, 0.7, 0];
    other.step();
    other.dispose();
  });
});

describe('contacts of stored models', () => {
  const exact = Mesh.from(BALL);

  /** Poses of b in the frame of a, about at a distance. */
  const poses = (count: number, apart: number) => {
    const random = new Random(7);
    return Array.from({ length: count }, () => {
      const q = [0, 1, 2, 3].map(() => random.next() - 0.5);
      const way = [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5];
      const scale = (apart + 0.1 * random.next()) / Math.hypot(...way);
      return poseOf(
        q,
        way.map((value) => scale * value),
      );
    });
  };
  /** Turned by an angle about the z axis, above where the other is; what is turned away comes down. */
  const rolling = (angle: number, above = 2.02) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1, 0, above, 0);
  };
  const leastGap = ({ count, data }: ContactSet) =>
    Math.min(...Array.from({ length: count }, (_, i) => data[CONTACT_NUMBERS * i + GAP]));
  const placeOf = (p: Float64Array) => ({ rotation: p.subarray(0, 9), translation: p.subarray(9) });

  for (const error of every([4 * THICKNESS, 0.5 * THICKNESS, 0], 3)) {
    full(`are no farther apart than the originals, at an error of ${error}`, () => {
      const shape = new StoredShape('ball', model, [0, 0, 0], 2 ** 24);
      const set = new ContactSet();
      let near = 0;
      for (const pose of poses(25, 2)) {
        const engine = new CutContacts({ error, engine: 'auto', thickness: THICKNESS });
        const { distance: apart } = distance(exact, exact, { pose: placeOf(pose) });
        if (apart === 0) continue; // bodies never meet
        const pair = { a: shape, b: shape, pose };
        engine.contacts(pair, 5 * THICKNESS, set);
        if (apart <= 5 * THICKNESS) {
          near++;
          expect(set.count).toBeGreaterThan(0);
          const least = leastGap(set);
          expect(least).toBeLessThanOrEqual(apart + 1e-5);
          expect(least).toBeGreaterThanOrEqual(apart - 1.1 * error - 1e-5);
        }
        expect(set.atLeast).toBeLessThanOrEqual(apart + 1e-9);
        expect(engine.distance(pair)).toBeLessThanOrEqual(apart + 1e-9);
        engine.dispose();
      }
      expect(near).toBeGreaterThan(0);
      shape.dispose();
    });

    full(`stop motions before the originals are too near, at an error of ${error}`, () => {
      const shape = new StoredShape('ball', model, [0, 0, 0], 2 ** 24);
      const from = poses(6, 2.6);
      const to = poses(6, 1.2);
      const still = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
      let stopped = 0;
      for (let i = 0; i < from.length; i++) {
        const engine = new CutContacts({ error, engine: 'auto', thickness: THICKNESS });
        // without turning: where it is at a share is plain to see
        const end = from[i].slice();
        end.set(to[i].subarray(9), 9);
        const motion = { fromA: still, toA: still, fromB: from[i], toB: end };
        const share = engine.freeShare(shape, shape, motion, THICKNESS);
        for (let s = 0; s <= 1; s += 0.125) {
          const at = from[i].map((x, k) => x + s * share * (end[k] - x));
          expect(distance(exact, exact, { pose: placeOf(at) }).distance).toBeGreaterThan(THICKNESS - 1e-6);
        }
        if (share < 1) {
          stopped++;
          const at = from[i].map((x, k) => x + Math.min(1, share) * (end[k] - x));
          const { distance: apart } = distance(exact, exact, { pose: placeOf(at) });
          expect(apart).toBeLessThan(1.2 * THICKNESS + 1.3 * error);
        }
        engine.dispose();
      }
      expect(stopped).toBeGreaterThan(2);
      shape.dispose();
    });
  }

  full('follow a body that turns, as if each look were the first', () => {
    const shape = new StoredShape('ball', model, [0, 0, 0], 2 ** 24);
    const settings = { error: THICKNESS, engine: 'auto', thickness: THICKNESS } as const;
    const engine = new CutContacts(settings);
    const [set, fresh] = [new ContactSet(), new ContactSet()];
    const reach = 3 * THICKNESS;
    let near = 0;
    let free = 0;
    const turning = Array.from({ length: 20 }, (_, i) => rolling(0.008 * i));
    turning.forEach((pose, i) => {
      const { distance: apart } = distance(exact, exact, { pose: placeOf(pose) });
      const pair = { a: shape, b: shape, pose };
      engine.contacts(pair, reach, set);
      const first = new CutContacts(settings);
      first.contacts(pair, reach, fresh);
      first.dispose();
      expect(set.atLeast).toBeLessThanOrEqual(apart + 1e-9);
      expect(set.count > 0).toBe(fresh.count > 0);
      if (set.count > 0) {
        near++;
        expect(leastGap(set)).toBeCloseTo(leastGap(fresh), 9);
      }
      if (i + 1 === turning.length) return;
      const motion = { fromA: rolling(0, 0), toA: rolling(0, 0), fromB: pose, toB: turning[i + 1] };
      const share = engine.freeShare(shape, shape, motion, 0.1 * THICKNESS);
      if (share === 1) free++;
      for (let s = 0; s <= share; s += 0.25) {
        const at = rolling(0.008 * (i + s));
        const between = distance(exact, exact, { pose: placeOf(at) }).distance;
        expect(between).toBeGreaterThan(0.1 * THICKNESS - 1e-6);
      }
    });
    expect(near).toBeGreaterThan(5);
    expect(free).toBeGreaterThan(5);
    engine.dispose();
    shape.dispose();
  });

  test('begin nearer to each other than fronts can tell', async () => {
    const simulation = new Simulation({
      dt: 1 / 60,
      thickness: THICKNESS,
      contacts: { error: 4 * THICKNESS },
    });
    simulation.add(fixedBody({ ...box(6, 1, 6), name: 'slab' } as never));
    const ball = await storedBody(model);
    const lowest = Math.min(...BALL.positions.filter((_, i) => i % 3 === 1));
    ball.position = [0, 0.5 + 0.2 * THICKNESS + ball.position[1] - lowest, 0];
    simulation.add(ball);
    const start = ball.position[1];
    for (let step = 0; step < 12; step++) {
      simulation.step();
      expect(simulation.intersections()).toBe(0);
    }
    // it is let go of the slab, not thrown off
    expect(ball.position[1]).toBeGreaterThan(start - 0.2 * THICKNESS);
    expect(ball.position[1]).toBeLessThan(start + THICKNESS);
    simulation.dispose();
  });

  full('meet meshes, too', async () => {
    const simulation = new Simulation({ dt: 1 / 60, thickness: THICKNESS, contacts: { error: THICKNESS } });
    simulation.add(fixedBody({ ...box(6, 1, 6), name: 'slab' } as never));
    const ball = await storedBody(model, { position: [0, 1.7, 0] });
    simulation.add(ball);
    for (let step = 0; step < 30; step++) {
      simulation.step();
      expect(simulation.intersections()).toBe(0);
    }
    expect(ball.velocity[1]).toBeGreaterThan(-0.5);
    simulation.dispose();
  });
});

describe('snapshots of stored bodies', () => {
  const error = 2 * THICKNESS;
  /** Two on a slab and on each other, a crate on them, and scenery that moves. */
  const make = async (stored = model) => {
    const simulation = new Simulation({ dt: 1 / 60, thickness: THICKNESS, contacts: { error } });
    const path = (t: number) => ({ translation: [2.8 + 0.1 * Math.sin(3 * t), 0.6, 0] });
    const crate = rigidBody({ ...box(0.5, 0.5, 0.5), name: 'crate' } as never, { position: [0.3, 5, 0] });
    const bodies = [
      fixedBody({ ...box(9, 1, 6), name: 'slab' } as never),
      storedScenery(stored, { name: 'mover', path }),
      await storedBody(stored, { name: 'lower', position: [0, 1.7, 0] }),
      await storedBody(stored, { name: 'upper', position: [0.3, 3.75, 0.1], spin: [0.5, 1, 0] }),
      crate,
    ];
    for (const body of bodies) simulation.add(body);
    return simulation;
  };
  const went = (simulation: Simulation, steps: number) =>
    Array.from({ length: steps }, () => {
      const { events, iterations, shortened, asleep } = simulation.step();
      const states = simulation.bodies.map((body) =>
        'state' in body ? (body as RigidBody).state.numbers.slice() : 0,
      );
      return { events, iterations, shortened, asleep, states };
    });

  test.each(every([25, 1, 60], 3))('go on after %d steps as if nothing had been', async (before) => {
    const simulation = await make();
    for (let step = 0; step < before; step++) {
      if (step === 10) simulation.contactError = error / 2; // those that are near each other keep theirs
      simulation.step();
    }
    const bytes = simulation.snapshot();
    expect(Buffer.compare(simulation.snapshot(), bytes)).toBe(0);
    const steps = went(simulation, 30);
    expect(steps.some(({ events }) => events > 0)).toBe(true);
    const other = await make();
    for (let step = 0; step < 5; step++) other.step(); // it has a past of its own
    other.restore(bytes);
    expect(Buffer.compare(other.snapshot(), bytes)).toBe(0);
    expect(went(other, 30)).toEqual(steps);
    simulation.restore(bytes);
    expect(went(simulation, 30)).toEqual(steps);
    expect(simulation.intersections()).toBe(0);
    for (const one of [simulation, other]) one.dispose();
  });

  test('are not of another model', async () => {
    const other = await make(await modelOf(bumpyBall(5, 0.05), 'ball', 96));
    const simulation = await make();
    expect(() => other.restore(simulation.snapshot())).toThrow(
      'its body 2 is mover, and here it is mover, which differs',
    );
    for (const one of [simulation, other]) one.dispose();
  });
});
