/**
 * How a pair that is in contact from the start, and may be, is held: one of both is drawn in by just enough
 * (drawn-body.ts), and is never to meet the other. As of held-pair.ts, where bodies are rigid.
 */
import { leastParting } from '../held-pair.js';
import { BodyPair, type MeetingPair } from './body-pair.js';
import type { DrawnBodies } from './drawn-body.js';
import { slidingSurfaces } from './sliding-surfaces.js';

/** How deep two things may be in each other, or every two: Infinity where they may pass through each other. */
export type AllowedBetweenBodies = number | ((pair: MeetingPair) => number);

/** Where contact is allowed, and how deep. */
export interface JointContact {
  /** What meets at one of these, or is nearer than the clearance, may be in contact. */
  readonly configurations: readonly ArrayLike<number>[];
  readonly allowed: AllowedBetweenBodies;
  /** Default 0: what meets. */
  readonly clearance?: number;
}

/** The configurations of a contact, asked about a pair. */
export interface ContactPlaces {
  /** Whether the two are apart at all of them. */
  parts(pair: BodyPair): boolean;
  /** How near two that are apart come at one of them. */
  nearest(pair: BodyPair): number;
}

/** Of the distance that a pair has at first: how near it may come, and how well meshes may stand for solids. */
const ACCURACY = 0.5;
const FINE = 0.125;

/** A pair drawn in by at most a depth until it is apart; itself where that does not part it. */
export function holdPair(pair: BodyPair, most: number, places: ContactPlaces, drawn: DrawnBodies): BodyPair {
  const { a, b, bodyA, bodyB, shared, ancestor, isSolid } = pair;
  const parts = (one: BodyPair) => places.parts(one);
  const make = (ownA: typeof bodyA, ownB: typeof bodyB, depth: number) => {
    const other = 'link' in ownB ? { index: b, body: ownB } : ownB;
    return new BodyPair({ index: a, body: ownA }, other, shared, ancestor, depth);
  };
  const held =
    leastParting(most, parts, (length) => {
      const own = drawn.by(bodyA, length, isSolid);
      return own && make(own.body, bodyB, own.depth);
    }) ??
    // a thin body has little to draw in: then the other may
    leastParting(most, parts, (length) => {
      const own = drawn.by(bodyB, length, isSolid);
      return own && make(bodyA, own.body, own.depth);
    });
  if (!held) return pair;
  const room = places.nearest(held);
  held.sliding = slidingSurfaces(held, FINE * room);
  // nothing else is known well of surfaces that slide
  if (held.isSolid || held.sliding) held.accuracy = ACCURACY * room;
  return held;
}
