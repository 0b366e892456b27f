/** Contacts of bodies on frames: few of them, the nearest ones, acting on nodes. */
import { expect, test } from 'vitest';
import type { Body, Frame } from '../../src/bodies/body.js';
import { ContactList } from '../../src/bodies/contact-list.js';
import { ContactSelection } from '../../src/bodies/contact-selection.js';
import type { ContactEvents } from '../../src/deform/types.js';
import { floor, SpringBody, scenery, sheet } from './contact-bodies.js';
import { type EventInput, eventsOf, solverStateOf, VERTEX_FACE } from './solver-states.js';

/** Three nodes in a row along x at the height of 1; the sheet's vertices follow the two beside them. */
function onFrame(masses: readonly [number, number, number]): Body & { frame: Frame } {
  const body = new SpringBody(sheet(5, 2, 1), { name: 'on a frame', self: false });
  const weights: number[] = [];
  const nodes: number[] = [];
  for (let v = 0; v < body.vertexCount; v++) {
    const x = body.positions[3 * v];
    nodes.push(...(x < 0 ? [0, 1] : [1, 2]));
    weights.push(...(x < 0 ? [-x, 1 + x] : [1 - x, x]));
  }
  const frame = {
    masses: Float64Array.from(masses),
    proposed: Float64Array.of(-1, 1, 0, 0, 1, 0, 1, 1, 0),
    start: Uint32Array.from({ length: body.vertexCount + 1 }, (_, v) => 2 * v),
    nodes: Uint32Array.from(nodes),
    weights: Float64Array.from(weights),
  };
  return Object.assign(body, { frame });
}

const contact = (vertex: number): EventInput => ({
  kind: VERTEX_FACE,
  bodies: [0, 1],
  vertices: [vertex, 0, 1, 2],
  weights: [0.3, 0.3],
  normal: [0, 1, 0],
});

const LAW = { thickness: 0.1, friction: 0, restitution: 0, restingApproach: 0 };

function selectionOf(bodies: readonly Body[]) {
  const state = solverStateOf(bodies);
  const list = new ContactList(state, LAW);
  const selection = new ContactSelection(state, list);
  /** How many contacts there are after another look at the events. */
  const countAfter = (events: ContactEvents, slack: number) => {
    selection.take(events, { slack });
    return list.count;
  };
  return { state, list, selection, countAfter };
}

test('of contacts at the same nodes the nearest is taken, the others when they are missed', () => {
  const body = onFrame([1, 1, 1]);
  const { state, list, selection, countAfter } = selectionOf([body, scenery(floor(2))]);
  // vertices 0 … 4 are at x = −1, 10 … 14 at x = 0; numbers 2 and 12 go deepest
  for (const vertex of [0, 1, 2, 3, 10, 12, 14]) state.end[3 * vertex + 1] = 0.05;
  state.end[3 * 2 + 1] = -0.3;
  state.end[3 * 12 + 1] = -0.2;
  for (const node of [0, 1]) state.masses[3 * node + 1] = node === 0 ? -0.3 : -0.2;
  const events = eventsOf(...[0, 1, 2, 3, 10, 12, 14].map(contact));
  selection.begin(events.count);
  expect(countAfter(events, 0)).toBe(2);
  list.relax(1, 0);
  expect(state.masses[1]).toBeCloseTo(0.1, 12);
  expect(state.masses[4]).toBeCloseTo(0.1, 12);
  // the next two, then the next, until none is missed by more than the slack
  expect(countAfter(events, 0.6)).toBe(2);
  expect(countAfter(events, 0.4)).toBe(4);
  state.end[3 * 3 + 1] = 0.1;
  expect(countAfter(events, 0.4)).toBe(6);
  expect(countAfter(events, 0.4)).toBe(6);
});

test('without frames all that are missed are', () => {
  const { state, selection, countAfter } = selectionOf([new SpringBody(sheet(5, 2, 1)), scenery(floor(2))]);
  const events = eventsOf(contact(0), contact(1), contact(2));
  selection.begin(events.count);
  expect(countAfter(events, 0)).toBe(0);
  state.end[1] = 0;
  state.end[4] = 0.05;
  expect(countAfter(events, 0.6)).toBe(1);
  expect(countAfter(events, 0)).toBe(2);
  expect(countAfter(events, -Infinity)).toBe(3);
});

test('a contact moves the nodes by weight and mass, and no others', () => {
  const body = onFrame([1, 4, 1]);
  const state = solverStateOf([body, scenery(floor(2))]);
  const list = new ContactList(state, LAW);
  // vertex 5 is at x = −1/2; its nodes want to be at −1
  for (const node of [0, 1]) state.masses[3 * node + 1] = -1;
  list.add(eventsOf(contact(5)));
  list.relax(1, 0);
  expect(state.masses[1] / 2 + state.masses[4] / 2).toBeCloseTo(0.1, 12);
  expect((state.masses[1] + 1) / (state.masses[4] + 1)).toBeCloseTo(4, 12);
  expect(state.masses[7]).toBe(1);
  state.pushBack('none');
  expect(body.frame.proposed[1]).toBe(state.masses[1]);
});
