/** Contacts one by one: what they ask for, what they keep, how far friction goes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ContactList } from '../../src/bodies/contact-list.js';
import type { SolverState } from '../../src/bodies/solver-state.js';
import { floor, SpringBody, scenery } from './contact-bodies.js';
import {
  action,
  EDGE_EDGE,
  type EventInput,
  eventsOf,
  impulse,
  solverStateOf,
  VERTEX_FACE,
} from './solver-states.js';

const LAW = { thickness: 0.1, friction: 0, restitution: 0, restingApproach: 0 };
const UP = [0, 1, 0] as const;

const triangle = (height: number, mass = 1) =>
  new SpringBody(
    { positions: [0, height, 0, 1, height, 0, 0, height, 1], indices: [0, 1, 2] },
    { name: `at ${height}`, mass },
  );

/** Corner 0 of a triangle at `height` above the floor, on the way to `heightT1`, `slip` further along x. */
function above(height: number, heightT1: number, law: Partial<typeof LAW> = {}, slip = 0) {
  const state = solverStateOf([triangle(height), scenery(floor(2))]);
  state.masses[1] = heightT1;
  state.end[1] = heightT1;
  state.masses[0] += slip;
  const list = new ContactList(state, { ...LAW, ...law });
  list.add(
    eventsOf({ kind: VERTEX_FACE, bodies: [0, 1], vertices: [0, 0, 1, 2], weights: [0.3, 0.2], normal: UP }),
  );
  list.relax(20, 0);
  return { height: state.masses[1], slip: state.masses[0] };
}

describe('a vertex above a floor', () => {
  test('may come as near as the thickness', () => {
    expect(above(1, 0.5).height).toBe(0.5);
    expect(above(1, -3).height).toBeCloseTo(0.1, 12);
  });
  test('nearer than that may not come nearer, and is left where it is', () => {
    expect(above(Math.fround(0.07), -1).height).toBeCloseTo(0.07, 6);
    expect(above(Math.fround(0.07), 0.08).height).toBe(0.08);
    expect(above(Math.fround(0.07), 0.3).height).toBe(0.3);
  });
  test('nearer than half of it is gently lifted', () => {
    expect(above(Math.fround(0.01), 0.01).height).toBeCloseTo(0.014, 6);
  });
  test('bounces by restitution, unless it rests', () => {
    expect(above(0.5, -1.5, { restitution: 0.5 }).height).toBeCloseTo(1.5, 12);
    expect(above(0.5, -1.5, { restitution: 0.5, restingApproach: 3 }).height).toBeCloseTo(0.1, 12);
  });
  test('sticks within the cone of friction, and slides at its border beyond', () => {
    // stopped by 0.4 from 0.1
    const law = { friction: 0.5 };
    expect(above(Math.fround(0.1), -0.3, law, 0.19).slip).toBeCloseTo(0, 12);
    expect(above(Math.fround(0.1), -0.3, law, 0.5).slip).toBeCloseTo(0.3, 6);
    expect(above(Math.fround(0.1), 0.2, law, 0.5).slip).toBe(0.5);
  });
});

test('what cannot be moved makes no contact', () => {
  const state = solverStateOf([
    new SpringBody({ positions: [0, 1, 0, 1, 1, 0, 0, 1, 1], indices: [0, 1, 2] }, { pinned: [0, 1, 2] }),
    scenery(floor(2)),
  ]);
  const list = new ContactList(state, LAW);
  list.add(
    eventsOf({ kind: VERTEX_FACE, bodies: [0, 1], vertices: [0, 0, 1, 2], weights: [0.3, 0.2], normal: UP }),
  );
  expect(list.count).toBe(0);
});

test('elements of one body that are close by build are not pushed apart', () => {
  const body = new SpringBody({
    positions: [0, 0, 0, 1, 0, 0, 0, 0, 1, 0.2, 0.02, 0.2, 1, 0.02, 1, 1, 1, 1],
    indices: [0, 1, 2, 3, 4, 5],
  });
  const event: EventInput = {
    kind: VERTEX_FACE,
    bodies: [0, 0],
    vertices: [3, 0, 1, 2],
    weights: [0.2, 0.2],
    normal: UP,
  };
  const state = solverStateOf([body]);
  state.masses[10] = Math.fround(0.012);
  const list = new ContactList(state, LAW);
  list.add(eventsOf(event));
  list.relax(20, 0);
  expect(state.masses[10]).toBe(Math.fround(0.012));
});

describe('any contact of two free triangles', () => {
  const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  const mass = fc.constantFrom(1e-3, 1, 7, 1e4);
  const scene = fc.record({
    kind: fc.constantFrom(VERTEX_FACE, EDGE_EDGE),
    ends: fc.array(coordinate, { minLength: 18, maxLength: 18 }),
    direction: fc.tuple(coordinate, coordinate, coordinate).filter((n) => Math.hypot(...n) > 0.1),
    u: unit,
    v: unit,
    massA: mass,
    massB: mass,
    friction: fc.constantFrom(0, 0.3, 2),
  });

  function build(input: typeof scene extends fc.Arbitrary<infer T> ? T : never) {
    const { kind, ends, direction, friction, massA, massB } = input;
    const length = Math.hypot(...direction);
    const normal = direction.map((x) => x / length) as [number, number, number];
    const share = kind === VERTEX_FACE ? 0.5 : 1;
    const state = solverStateOf([triangle(1, massA), triangle(0, massB)]);
    for (let i = 0; i < 18; i++) state.masses[i] += ends[i];
    const event: EventInput = {
      kind,
      bodies: [0, 1],
      vertices: [0, kind === VERTEX_FACE ? 0 : 1, 1, 2],
      weights: [share * input.u, share * input.v],
      normal,
    };
    return { state, event, list: new ContactList(state, { ...LAW, thickness: 1e-6, friction }) };
  }

  /** n · Σ aᵢ xᵢ. */
  function gap({ weights: [u, v], normal, kind }: EventInput, x: ArrayLike<number>): number {
    const at = (i: number, k: number) => x[3 * i + k];
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const first = kind === VERTEX_FACE ? at(0, k) : (1 - u) * at(0, k) + u * at(1, k);
      const second =
        kind === VERTEX_FACE
          ? (1 - u - v) * at(3, k) + u * at(4, k) + v * at(5, k)
          : (1 - v) * at(4, k) + v * at(5, k);
      sum += normal[k] * (first - second);
    }
    return sum;
  }

  const relaxed = (state: SolverState, list: ContactList, event: EventInput) => {
    list.add(eventsOf(event));
    list.relax(50, 0);
    return state;
  };

  test('keeps momentum (seed 401)', () => {
    fc.assert(
      fc.property(scene, (input) => {
        const { state, event, list } = build(input);
        const before = impulse(state, state.masses);
        relaxed(state, list, event);
        const after = impulse(state, state.masses);
        for (let k = 0; k < 3; k++)
          expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-9 * (input.massA + input.massB));
      }),
      { seed: 401 },
    );
  });
  test('that approaches loses energy, and is opened as far as asked (seed 402)', () => {
    fc.assert(
      fc.property(scene, (input) => {
        const { state, event, list } = build(input);
        fc.pre(gap(event, state.start) >= 1e-6);
        const before = action(state, state.masses);
        const approached = gap(event, state.masses) < 1e-6;
        const copy = state.masses.slice();
        relaxed(state, list, event);
        if (!approached) expect(state.masses).toEqual(copy);
        expect(action(state, state.masses)).toBeLessThanOrEqual(before * (1 + 1e-9));
        expect(gap(event, state.masses)).toBeGreaterThan(1e-6 - 1e-9);
      }),
      { seed: 402 },
    );
  });
});
