/** The last resort: zones keep momentum while they can, stop when they must, and always come to an end. */
import { describe, expect, test } from 'vitest';
import type { Body } from '../../src/bodies/body.js';
import { ImpactZones } from '../../src/bodies/impact-zones.js';
import { kinematicBody } from '../../src/bodies/scenery.js';
import { floor, SpringBody, scenery, sheet } from './contact-bodies.js';
import {
  EDGE_EDGE,
  type EventInput,
  eventsOf,
  impulse,
  solverStateOf,
  VERTEX_FACE,
} from './solver-states.js';

const contact: EventInput = {
  kind: VERTEX_FACE,
  bodies: [0, 1],
  vertices: [0, 0, 1, 2],
  weights: [0.3, 0.3],
  normal: [0, 1, 0],
  time: 0.5,
};

/** A sheet above another; corner 0 of the first is on its way down by 2, the second on its way up by 1. */
function pair(lower: Body = new SpringBody(sheet(3, 1, 0), { name: 'lower', mass: 2 })) {
  const state = solverStateOf([new SpringBody(sheet(3, 1, 1), { name: 'upper' }), lower]);
  state.end[1] -= 2;
  if (lower.kind !== 'fixed') for (let i = 28; i < state.end.length; i += 3) state.end[i] += 1;
  return state;
}

describe('a zone of free bodies', () => {
  test('keeps its momentum at first, and closes less each time', () => {
    const state = pair();
    const zones = new ImpactZones(state);
    const before = impulse(state, state.end);
    let closing = 3;
    for (let round = 0; round < 3; round++) {
      zones.shorten(eventsOf(contact));
      for (let k = 0; k < 3; k++) expect(impulse(state, state.end)[k]).toBeCloseTo(before[k], 5);
      const now = state.end[28] - state.start[28] - (state.end[1] - state.start[1]);
      expect(now).toBeLessThan(0.5 * closing + 1e-6);
      closing = now;
    }
    expect(closing).toBeCloseTo(0, 6);
    expect(zones.shortened).toBe(4);
    // vertices outside the zone go on
    expect(state.end[28 + 9] - state.start[28 + 9]).toBe(1);
  });
  test('stands after the fourth time', () => {
    const state = pair();
    const zones = new ImpactZones(state);
    for (let round = 0; round < 4; round++) zones.shorten(eventsOf(contact));
    expect(state.end.subarray(0, 3)).toEqual(state.start.subarray(0, 3));
    expect(state.end.subarray(27, 36)).toEqual(state.start.subarray(27, 36));
  });
  test('joined by a common vertex is one zone', () => {
    const state = pair();
    const zones = new ImpactZones(state);
    const second: EventInput = {
      kind: EDGE_EDGE,
      bodies: [0, 1],
      vertices: [0, 1, 4, 5],
      weights: [0.5, 0.5],
      normal: [0, 1, 0],
      time: 0.25,
    };
    zones.shorten(eventsOf(contact, second));
    expect(zones.shortened).toBe(7);
    // all of them by the earlier time
    const relative = (a: number, b: number) =>
      state.end[a] - state.start[a] - (state.end[b] - state.start[b]);
    expect(relative(28, 1)).toBeCloseTo(0.9 * 0.25 * 3, 5);
  });
  test('is on the float32 grid', () => {
    const state = pair();
    new ImpactZones(state).shorten(eventsOf({ ...contact, time: 1 / 3 }));
    expect(state.end).toEqual(state.end.map(Math.fround));
  });
});

test('a zone on fixed ground is shortened towards where it stood', () => {
  const state = pair(scenery(floor(2)));
  new ImpactZones(state).shorten(eventsOf(contact));
  expect(state.end[1]).toBeCloseTo(1 - 0.9 * 0.5 * 2, 6);
});

describe('a zone on moving scenery', () => {
  const lift = () =>
    kinematicBody({ ...sheet(3, 1, 0), name: 'lift' }, (time) => ({ translation: [0, time, 0] }));

  test('rides on it, then stands, then has it wait', () => {
    const state = pair(lift());
    const zones = new ImpactZones(state);
    for (let round = 0; round < 3; round++) zones.shorten(eventsOf(contact));
    expect(state.end[1]).toBe(2);
    expect(zones.waiting).toEqual([]);
    zones.shorten(eventsOf(contact));
    expect(state.end[1]).toBe(1);
    expect(zones.waiting).toEqual([]);
    zones.shorten(eventsOf(contact));
    expect(zones.waiting).toEqual(['lift']);
    expect(state.end).toEqual(state.start);
  });
  test('names a contact that was there from the start', () => {
    const zones = new ImpactZones(pair(lift()));
    for (let round = 0; round < 5; round++) zones.shorten(eventsOf(contact));
    expect(() => zones.shorten(eventsOf(contact))).toThrow(
      /already in contact.*upper vertex 0, lift vertex 0/,
    );
  });
});

test('contacts that never end stop neighbours, then bodies, then everything', () => {
  const state = solverStateOf(
    Array.from({ length: 30 }, (_, i) => new SpringBody(sheet(8, 1, i), { name: `sheet ${i}` })),
  );
  for (let i = 1; i < state.end.length; i += 3) state.end[i] -= 0.25;
  const zones = new ImpactZones(state);
  const standing = () =>
    state.participants.filter(({ start, end }) => end.every((x, i) => x === start[i])).length;
  const moved = ({ start, end }: { start: Float64Array; end: Float64Array }) =>
    end.filter((x, i) => x !== start[i]).length;
  for (let round = 0; round < 8; round++) zones.shorten(eventsOf({ ...contact, vertices: [round, 0, 1, 8] }));
  const before = moved(state.participants[1]);
  zones.shorten(eventsOf({ ...contact, vertices: [8, 0, 1, 8] }));
  expect(moved(state.participants[1])).toBeLessThan(before);
  for (let round = 9; round < 16; round++)
    zones.shorten(eventsOf({ ...contact, bodies: [2 * round - 14, 2 * round - 13] }));
  expect(standing()).toBeLessThan(3);
  for (let round = 16; round < 24; round++)
    zones.shorten(eventsOf({ ...contact, bodies: [2 * round - 30, 2 * round - 29] }));
  expect(standing()).toBeGreaterThan(15);
  expect(standing()).toBeLessThan(20);
  zones.shorten(eventsOf({ ...contact, bodies: [28, 29] }));
  expect(standing()).toBe(30);
  zones.begin(0.01);
  expect(zones.shortened).toBe(0);
});
