/**
 * A small motion of a rigid body along a heading, past what is in the way: where it hits, the part of the heading that
 * goes into the contact is taken off, as if the body were pushed. Threads and holes guide it.
 *
 * Layout: a heading has six numbers of length 1 together: the velocity of the centre, and that of the turn times the
 * body's arm, both in the world.
 */
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { cross, dot } from 'impinge/internal/query/walk/vectors.js';
import type { FreeSpace } from '../free-space.js';
import type { State } from './state-space.js';

/** What a slide asks of the space that a body moves in. */
export interface SlidingSpace {
  readonly free: FreeSpace;
  readonly arm: number;
  keepsClear(state: State): boolean;
  moved(state: State, heading: Float64Array, length: number): State;
  poseOf(state: State): RigidPose;
}

export interface Slide {
  readonly state: State;
  readonly heading: Float64Array;
}

/** Contacts that one motion is turned aside by. */
const MOST_CONTACTS = 6;
/** Halvings of the way to a contact. */
const HALVINGS = 5;
/** How much a motion leads away from its contacts, as a share of its length. */
const AWAY = 0.02;
/** What is left of a heading, below which the body is stuck. */
const STUCK = 0.1;
const ROUNDS = 12;

/** Undefined where the body is stuck. */
export function slideAlong(
  space: SlidingSpace,
  from: State,
  wish: Float64Array,
  length: number,
): Slide | undefined {
  const contacts: Float64Array[] = [];
  let heading = wish;
  for (;;) {
    const to = space.moved(from, heading, length);
    if (space.keepsClear(to)) return { state: to, heading };
    if (contacts.length === MOST_CONTACTS) return undefined;
    const contact = contactOf(space, from, heading, length);
    if (!contact) return undefined;
    contacts.push(contact);
    const aside = turnedAside(wish, contacts);
    if (!aside) return undefined;
    heading = aside;
  }
}

/** What a heading must not have a part against: of length 1, as a heading. */
function contactOf(space: SlidingSpace, from: State, heading: Float64Array, length: number) {
  let free = 0;
  let hit = 1;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = 0.5 * (free + hit);
    if (space.keepsClear(space.moved(from, heading, middle * length))) free = middle;
    else hit = middle;
  }
  const place = space.moved(from, heading, free * length);
  const contact = space.free.nearest(space.poseOf(place));
  if (!contact || contact.distance === 0) return undefined;
  const { normal, pointBody } = contact;
  const turn = cross(
    pointBody.map((x, k) => x - place[k]),
    normal,
  );
  const row = Float64Array.of(...normal, ...turn.map((x) => x / space.arm));
  const scale = 1 / Math.sqrt(dotAll(row, row));
  return row.map((x) => x * scale);
}

/** The wish without what leads into contacts; undefined where little is left. */
function turnedAside(wish: Float64Array, contacts: readonly Float64Array[]): Float64Array | undefined {
  const out = wish.slice();
  for (let round = 0; round < ROUNDS; round++) {
    for (const contact of contacts) {
      const lacking = AWAY - dotAll(contact, out);
      if (lacking > 0) for (let k = 0; k < 6; k++) out[k] += lacking * contact[k];
    }
  }
  const left = dotAll(out, wish);
  if (!(left > STUCK)) return undefined;
  const scale = 1 / Math.sqrt(dotAll(out, out));
  return out.map((x) => x * scale);
}

function dotAll(a: Float64Array, b: Float64Array): number {
  return dot(a, b) + dot(a.subarray(3), b.subarray(3));
}
