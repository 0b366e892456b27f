/**
 * Contacts and the distance of two models with contact levels, as finely as necessary at each place.
 *
 * Promise. `lower` ≤ the distance of the originals below two nodes: an original point is in its hull of level 0, no
 * farther than h from every hull above it, so two of them are no nearer than their hulls less both h, nor than boxes
 * around them. Every original pair within the query's distance is below a contact. The overall distance lies between
 * the least of the contacts' `lower` and the distance of two original triangles that a walk down from the nearest
 * contact finds. The walk is kept between queries, so that the next one, after a small motion, compares few hulls.
 */
import { DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readAtMost, readKnown, readLength } from 'impinge/internal/base/options.js';
import type { RigidPose, Vec3 } from 'impinge/internal/math/pose.js';
import { shiftPose } from 'impinge/internal/mesh/stored-pose.js';
import { type Allowed, readAllowed } from 'impinge/internal/query/pair/allowed.js';
import { type Budget, readBudget } from 'impinge/internal/query/pair/budget.js';
import { POSE_NAMES, type PoseOptions, readPlacement } from 'impinge/internal/query/pair/context.js';
import { ContactLevels } from '../contact-levels/contact-levels.js';
import { ClosestOriginals } from './closest-originals.js';
import { dualBlockOf } from './dual-block.js';
import { type HullQuestion, HullWalk, type NearHulls, NUMBERS } from './hull-walk.js';

interface ContactPairAsk extends PoseOptions {
  /** The detail that may be omitted at a contact; 0 for none. */
  readonly allowed: number | Allowed;
  readonly budget?: Budget;
}

const NAMES = { ...POSE_NAMES, allowed: true, budget: true } as const;

export interface ContactPairOptions extends ContactPairAsk {
  /** How near counts as a contact. */
  readonly distance: number;
  /** Whether to find for each contact how near its originals come at least. */
  readonly bounded?: boolean;
}

export interface ContactPairDistanceOptions extends ContactPairAsk {
  /** Do not look beyond this distance (default: Infinity). */
  readonly atMost?: number;
}

/** Two hulls near each other. Points and normal are in the world (in a's frame when only `pose` is given). */
export interface HullContact {
  readonly nodeA: number;
  readonly nodeB: number;
  readonly pointA: Vec3;
  readonly pointB: Vec3;
  /** From a to b; the way out for b, where the hulls overlap. */
  readonly normal: Vec3;
  /** The distance of the two hulls; negative: the depth of their overlap. */
  readonly distance: number;
  /**
   * A lower bound on the distance of their originals: no less than `distance` less the parts that stick out of the
   * hulls.
   */
  readonly lower: number;
  /** And comes at least this near; with `bounded` only. */
  readonly upper?: number;
}

export interface ContactPairReached {
  /** The largest ratio of omitted to allowed detail: 1 or less unless a budget was exhausted first. */
  readonly reached: number;
  readonly stats: {
    /** Pairs of boxes and of hulls looked at. */
    readonly tests: number;
    /** Pairs of nodes kept for the next question. */
    readonly front: number;
  };
}

export interface ContactPairResult extends ContactPairReached {
  /** By node of a, then of b. */
  readonly contacts: readonly HullContact[];
  /** No contact stands for anything nearer than its distance by more than this. */
  readonly error: number;
}

export interface ContactPairDistanceResult extends ContactPairReached {
  /** Bounds of the distance; Infinity where they are farther apart than `atMost`. */
  readonly lower: number;
  readonly upper: number;
  /** Points of the originals `upper` apart; undefined beyond `atMost`. */
  readonly pointA: Vec3 | undefined;
  readonly pointB: Vec3 | undefined;
}

export class ContactPair {
  readonly a: ContactLevels;
  readonly b: ContactLevels;
  readonly #walk: HullWalk;
  readonly #closest: ClosestOriginals;
  #disposed = false;

  constructor(a: ContactLevels, b: ContactLevels) {
    for (const side of [a, b]) {
      if (!(side instanceof ContactLevels)) throw new ImpingeError('bad-input', 'contact levels are needed');
    }
    this.a = a;
    this.b = b;
    this.#walk = new HullWalk(dualBlockOf(a), dualBlockOf(b));
    this.#closest = new ClosestOriginals(a, b);
  }

  /** Pairs of hulls that represent everything within a distance. */
  contacts(options: ContactPairOptions): ContactPairResult {
    const reach = readLength(
      'distance',
      readKnown('contacts', options, { ...NAMES, distance: true, bounded: true }).distance,
    );
    const { pose, aToWorld, question } = this.#read(options);
    const near = this.#walk.near(pose, { reach, ...question });
    const contacts: HullContact[] = [];
    for (let i = 0; i < near.count; i++) {
      const contact = this.#contact(near, i, aToWorld);
      if (!options.bounded) contacts.push(contact);
      else {
        const { distance: upper } = this.#closest.below(contact.nodeA, contact.nodeB, pose);
        contacts.push({ ...contact, upper });
      }
    }
    const [hA, hB] = [this.a.array('h'), this.b.array('h')];
    let error = 0;
    for (const { nodeA, nodeB } of contacts) error = Math.max(error, hA[nodeA] + hB[nodeB]);
    if (question.time) this.#walk.handedOn(question.time, near.count);
    return { contacts, error, ...reachedOf(near) };
  }

  /** Bounds of the distance. */
  distance(options: ContactPairDistanceOptions): ContactPairDistanceResult {
    const atMost = readAtMost(
      'atMost',
      readKnown('distance', options, { ...NAMES, atMost: true }).atMost ?? Infinity,
    );
    const { pose, aToWorld, question } = this.#read(options);
    let best = this.#closest.near(pose);
    const nearer = (nodeA: number, nodeB: number): number => {
      const found = this.#closest.below(nodeA, nodeB, pose);
      if (found.distance < best.distance) best = found;
      return best.distance;
    };
    const near = this.#walk.near(pose, { reach: Math.min(best.distance, atMost), ...question, nearer });
    let nearest = -1;
    for (let i = 0; i < near.count; i++) {
      if (nearest < 0 || near.numbers[NUMBERS * i] < near.numbers[NUMBERS * nearest]) nearest = i;
    }
    if (nearest >= 0) nearer(near.nodes[2 * nearest], near.nodes[2 * nearest + 1]);
    const { distance, pointA, pointB } = best;
    // everything not below a contact is farther apart than the reach was
    let lower = Math.min(distance, atMost);
    for (let i = 0; i < near.count; i++)
      lower = Math.min(lower, Math.max(0, near.numbers[NUMBERS * i + LEAST]));
    const beyond = distance > atMost;
    return {
      lower: beyond && near.count === 0 ? Infinity : Math.min(lower, distance),
      upper: beyond ? Infinity : distance,
      pointA: beyond ? undefined : this.#inWorld(pointA, 0, aToWorld),
      pointB: beyond ? undefined : this.#inWorld(pointB, 0, aToWorld),
      ...reachedOf(near),
    };
  }

  /** Frees the state kept between queries. The levels stay. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#walk.dispose();
    this.#closest.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  #read(options: ContactPairAsk): {
    pose: RigidPose;
    aToWorld: RigidPose;
    question: Omit<HullQuestion, 'reach'>;
  } {
    if (this.#disposed) throw new ImpingeError('disposed', 'the pair was disposed');
    this.a.assertLive();
    this.b.assertLive();
    const limits = readBudget(options.budget);
    const began = limits.time?.now();
    const { bToA, aToWorld } = readPlacement(options);
    const pose = bToA.slice() as RigidPose;
    shiftPose(pose, ...this.a.origin, ...this.b.origin);
    const allowance = readAllowed('allowed', options.allowed, aToWorld, this.a.origin);
    return {
      pose,
      aToWorld,
      question: { allowance, ...limits, ...(began !== undefined && { began }) },
    };
  }

  #contact({ nodes, numbers }: NearHulls, i: number, m: RigidPose): HullContact {
    const at = NUMBERS * i;
    const [x, y, z] = [numbers[at + 2], numbers[at + 3], numbers[at + 4]];
    return {
      nodeA: nodes[2 * i],
      nodeB: nodes[2 * i + 1],
      pointA: this.#inWorld(numbers, at + 5, m),
      pointB: this.#inWorld(numbers, at + 8, m),
      normal: [
        m[0] * x + m[1] * y + m[2] * z,
        m[3] * x + m[4] * y + m[5] * z,
        m[6] * x + m[7] * y + m[8] * z,
      ],
      distance: numbers[at + 1],
      lower: Math.max(0, numbers[at + LEAST]),
    };
  }

  #inWorld(points: ArrayLike<number>, at: number, m: RigidPose): Vec3 {
    const { origin } = this.a;
    const x = points[at] + origin[0];
    const y = points[at + 1] + origin[1];
    const z = points[at + 2] + origin[2];
    return [
      m[0] * x + m[1] * y + m[2] * z + m[9],
      m[3] * x + m[4] * y + m[5] * z + m[10],
      m[6] * x + m[7] * y + m[8] * z + m[11],
    ];
  }
}

/** Where the least distance of the originals is among the numbers of an answer. */
const LEAST = 12;

function reachedOf({ measure, tests, front }: NearHulls): ContactPairReached {
  return { reached: measure, stats: { tests, front } };
}
