/**
 * The parts of an assembly, each where it is, and which of them are in the way of which straight motion of another.
 *
 * A part is out when its box has left the box of all parts. Whether one part is in the way of another does not depend
 * on the others, so it is found once, when it is first asked.
 */
import { ImpingeError, type Mesh, type Motion, type SceneObject, type Vec3 } from 'impinge';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { dot } from 'impinge/internal/query/walk/vectors.js';
import { FreeSpace } from '../free-space.js';
import type { HeldPair } from '../held-pair.js';
import { NearObstacles } from '../near-obstacles.js';
import { type Obstacle, type Obstacles, readObstacles } from '../obstacles.js';
import { nearFaces } from '../plan/near-faces.js';
import { waysOff } from '../plan/ways-off.js';

/** A part, as it was given. */
export type Part = Mesh | SceneObject;

export interface AssemblyOptions {
  readonly clearance: number;
  readonly allowed: number | ((part: Part, other: Part) => number);
  /** Tried for every part. */
  readonly directions: readonly Vec3[];
}

/** A straight way out of a part. */
interface Way {
  readonly direction: Vec3;
  readonly motion: Motion;
  /** Of every other part: whether it is in the way, as far as that is known. */
  readonly blocks: Int8Array;
}

export const AXES: readonly Vec3[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];
const UNKNOWN = 0;
const FREE = 1;
const BLOCKED = 2;
/** Of the size of the assembly: how far apart what is out is from it. */
const MARGIN = 0.01;
/** Directions that differ by less count as one. */
const SAME = 0.9999;

export class Assembly {
  readonly parts: readonly Obstacle[];
  /** Minimum and maximum of all parts. */
  readonly box: Float64Array;
  readonly size: number;
  readonly #options: AssemblyOptions;
  readonly #spaces: (FreeSpace | undefined)[];
  /** Of every part, its pairs by the number of the other part; undefined where that may be passed through. */
  readonly #pairs: (readonly (HeldPair | undefined)[])[] = [];
  readonly #directions: (readonly Vec3[] | undefined)[] = [];
  /** Of every part. */
  readonly #ways: readonly Way[][];
  #stuck: readonly (readonly [number, number])[] | undefined;
  /** Motions asked about. */
  asked = 0;

  constructor(given: Obstacles, options: AssemblyOptions) {
    const parts = (this.parts = readObstacles(given));
    if (new Set(parts.map(({ source }) => source)).size < parts.length)
      throw new ImpingeError('bad-input', 'a part is listed twice');
    this.#options = options;
    this.#spaces = parts.map(() => undefined);
    this.#ways = parts.map(() => []);
    const box = (this.box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity));
    for (const part of parts) {
      for (let k = 0; k < 3; k++) {
        box[k] = Math.min(box[k], part.box[k]);
        box[3 + k] = Math.max(box[3 + k], part.box[3 + k]);
      }
    }
    this.size = parts.length > 0 ? Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) : 0;
  }

  /** How deep a part may be in the others. */
  allowedOf(part: number): (other: Part) => number {
    const { allowed } = this.#options;
    const { source } = this.parts[part];
    return typeof allowed === 'function' ? (other) => allowed(source, other) : () => allowed;
  }

  /** A part among all others, from where it is. */
  spaceOf(part: number): FreeSpace {
    let space = this.#spaces[part];
    if (space) return space;
    const { mesh, pose } = this.parts[part];
    const others = this.parts.filter((_, other) => other !== part);
    const contact = { poses: [pose], allowed: this.allowedOf(part) };
    this.#spaces[part] = space = new FreeSpace(mesh, others, { clearance: this.#options.clearance, contact });
    return space;
  }

  pairOf(part: number, other: number): HeldPair | undefined {
    let pairs = this.#pairs[part];
    if (!pairs) {
      const bySource = new Map(this.spaceOf(part).pairs.map((pair) => [pair.obstacle.source, pair]));
      this.#pairs[part] = pairs = this.parts.map(({ source }) => bySource.get(source));
    }
    return pairs[other];
  }

  /** Pairs that are deeper in each other, or nearer, than is allowed: nothing can be said of their motions. */
  get stuck(): readonly (readonly [number, number])[] {
    if (this.#stuck) return this.#stuck;
    const found: [number, number][] = [];
    for (let b = 0; b < this.parts.length; b++) {
      for (let a = 0; a < b; a++) if (this.#areStuck(a, b) || this.#areStuck(b, a)) found.push([a, b]);
    }
    return (this.#stuck = found);
  }

  #areStuck(part: number, other: number): boolean {
    const pair = this.pairOf(part, other);
    return pair !== undefined && !this.spaceOf(part).isApart(pair, this.parts[part].pose);
  }

  /** The directions in which a part is tried to leave, those that contacts suggest first. */
  directionsOf(part: number): readonly Vec3[] {
    return (this.#directions[part] ??= this.#findDirections(part));
  }

  /** Whether another part is in the way of a straight motion out. */
  isBlocking(part: number, direction: Vec3, other: number): boolean {
    const { motion, blocks } = this.#wayOf(part, direction);
    if (blocks[other] === UNKNOWN) blocks[other] = this.isFree(part, motion, other) ? FREE : BLOCKED;
    return blocks[other] === BLOCKED;
  }

  /** Parts that are known to be in the way. */
  knownBlockers(part: number, direction: Vec3): number[] {
    const { blocks } = this.#wayOf(part, direction);
    return [...blocks.keys()].filter((other) => blocks[other] === BLOCKED);
  }

  /** How far a part goes until it is out. */
  wayOut(part: number, direction: Vec3): number {
    const { box } = this.parts[part];
    let way = Infinity;
    for (let k = 0; k < 3; k++) {
      const gap = direction[k] > 0 ? this.box[3 + k] - box[k] : box[3 + k] - this.box[k];
      if (direction[k] !== 0) way = Math.min(way, gap / Math.abs(direction[k]));
    }
    return way + MARGIN * this.size + this.#options.clearance;
  }

  /** Where a part is after a straight way. */
  movedBy(part: number, direction: Vec3, way: number): RigidPose {
    return this.parts[part].pose.map((x, k) => (k < 9 ? x : x + way * direction[k - 9]));
  }

  /** Whether a motion from where the part is keeps clear of one other, with which it is not stuck. */
  isFree(part: number, motion: Motion, other: number): boolean {
    const pair = this.pairOf(part, other);
    if (pair === undefined) return true;
    this.asked++;
    return this.spaceOf(part).along(motion, false, new NearObstacles([pair])).verdict === 'free';
  }

  #wayOf(part: number, direction: Vec3): Way {
    const ways = this.#ways[part];
    let way = ways.find((one) => one.direction === direction);
    if (!way) {
      const to = this.movedBy(part, direction, this.wayOut(part, direction));
      const motion = { from: this.parts[part].pose, to };
      way = { direction, motion, blocks: new Int8Array(this.parts.length) };
      ways.push(way);
    }
    return way;
  }

  #findDirections(part: number): Vec3[] {
    const { standing } = nearFaces(this.spaceOf(part), this.parts[part].pose);
    const out: Vec3[] = [];
    for (const direction of [...waysOff(standing), ...this.#options.directions]) {
      if (out.every((known) => dot(known, direction) < SAME)) out.push(direction);
    }
    return out;
  }
}
