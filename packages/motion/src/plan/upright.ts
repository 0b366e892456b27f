/**
 * Turns by which a body keeps its own up within an angle of the world's.
 *
 * Along a motion, a direction of the body goes about one axis, by at most half a turn. Its part along `up` after the
 * angle φ is c + a·cos φ + b·sin φ, which is least at an end, or where (a, b) points away from φ: so the most that the
 * body leans is known in closed form. Between two turns about `up` it does not lean at all; between two others it may
 * lean by more than at either.
 */
import { ImpingeError, type Motion, type Point, type Vec3 } from 'impinge';
import { readKnown, readLength } from 'impinge/internal/base/options.js';
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { RigidMotion } from 'impinge/internal/math/motion.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { cross, dot, lengthOf, plus, times, unit } from 'impinge/internal/query/walk/vectors.js';
import { readDirection } from '../bounds.js';

/** How a body is to be kept upright. */
export interface Upright {
  /** By how much it may lean, in radians (default 0: it only turns about `up`). */
  readonly angle?: number;
  /** Against gravity (default 0, 0, 1). */
  readonly up?: Point;
  /** What is to point up, in the body's coordinates (default: as `up`, so that it stands as it was modelled). */
  readonly own?: Point;
}

/** Radians that poses may lean farther: more than they lose when they are written down. */
const ROUNDING = 1e-6;

export class UprightTurns {
  readonly angle: number;
  readonly up: Vec3;
  readonly own: Vec3;
  /** From `own` to `up`. */
  readonly #standing: Turn;

  constructor(given: Upright) {
    const {
      angle = 0,
      up = [0, 0, 1],
      own = up,
    } = readKnown('upright', given, {
      angle: true,
      up: true,
      own: true,
    });
    this.angle = readLength('upright.angle', angle);
    if (angle > Math.PI) throw new ImpingeError('bad-option', `upright.angle is more than π: ${angle}`);
    this.up = readDirection('upright.up', up);
    this.own = readDirection('upright.own', own);
    this.#standing = turnFrom(this.own, this.up);
  }

  /** By how much a pose leans, in radians. */
  leanOf(pose: RigidPose): number {
    return angleBetween(this.#upOf(pose), this.up);
  }

  /** The most that a body leans along a motion. */
  leanAlong(motion: Motion): number {
    const { start, axis, angle } = new RigidMotion(motion, 'motion');
    const own = this.#upOf(start);
    const along = dot(axis, own);
    const c = along * dot(axis, this.up);
    const a = dot(own, this.up) - c;
    const b = dot(cross(axis, own), this.up);
    const ends = [0, angle].map((turn) => c + a * Math.cos(turn) + b * Math.sin(turn));
    const turned = Math.atan2(-b, -a);
    const isBetween = turned >= 0 && turned <= angle;
    const least = isBetween ? c - Math.hypot(a, b) : Math.min(...ends);
    return Math.acos(Math.max(-1, Math.min(1, least)));
  }

  holds(lean: number): boolean {
    return lean <= this.angle + ROUNDING;
  }

  /** Writes a random unit quaternion to out[at ..]: any turn about `up`, leaning any way by any angle. */
  writeRandom(random: SeededRandom, out: Float64Array, at: number): void {
    const around = turnAbout(this.up, 2 * Math.PI * random.next());
    const way = 2 * Math.PI * random.next();
    const lean = this.angle * random.next();
    const standing = product(around, this.#standing);
    const [x, y] = sidesOf(this.up);
    const axis = plus(times(x, Math.cos(way)), times(y, Math.sin(way)));
    out.set(product(turnAbout(axis, lean), standing), at);
  }

  /** Writes the unit quaternion of a body that stands, turned about `up` by an angle. */
  writeTurn(angle: number, out: Float64Array, at: number): void {
    out.set(product(turnAbout(this.up, angle), this.#standing), at);
  }

  /** By what angle about `up` a body is turned that stands. */
  turnOf(given: Float64Array, at: number): number {
    const [x, y, z, w] = this.#standing;
    const turn: Turn = [given[at], given[at + 1], given[at + 2], given[at + 3]];
    const [a, b, c, d] = product(turn, [-x, -y, -z, w]);
    return 2 * Math.atan2(dot([a, b, c], this.up), d);
  }

  /** Turns what leans too far, a unit quaternion at out[at ..], back by the least angle. */
  raise(out: Float64Array, at: number): void {
    const turn: Turn = [out[at], out[at + 1], out[at + 2], out[at + 3]];
    const own = turned(turn, this.own);
    const lean = angleBetween(own, this.up);
    if (lean <= this.angle) return;
    const axis = cross(own, this.up);
    const length = lengthOf(axis);
    const about = length > 1e-9 ? times(axis, 1 / length) : sidesOf(this.up)[0];
    out.set(product(turnAbout(about, lean - this.angle), turn), at);
  }

  #upOf(pose: RigidPose): Vec3 {
    const { own } = this;
    return [dot(pose, own), dot(pose.subarray(3), own), dot(pose.subarray(6), own)];
  }
}

/** A unit quaternion x, y, z, w. */
type Turn = readonly [number, number, number, number];

function turnAbout(axis: Vec3, angle: number): Turn {
  const sine = Math.sin(0.5 * angle);
  return [sine * axis[0], sine * axis[1], sine * axis[2], Math.cos(0.5 * angle)];
}

/** The least turn from one direction to another. */
function turnFrom(a: Vec3, b: Vec3): Turn {
  const axis = cross(a, b);
  const length = lengthOf(axis);
  const about = length > 1e-9 ? times(axis, 1 / length) : sidesOf(a)[0];
  return turnAbout(about, angleBetween(a, b));
}

/** One turn after another. */
function product([x, y, z, w]: Turn, [a, b, c, d]: Turn): Turn {
  return [
    w * a + x * d + y * c - z * b,
    w * b - x * c + y * d + z * a,
    w * c + x * b - y * a + z * d,
    w * d - x * a - y * b - z * c,
  ];
}

function turned([x, y, z, w]: Turn, v: Vec3): Vec3 {
  const q: Vec3 = [x, y, z];
  const t = times(cross(q, v), 2);
  return plus(plus(v, t, w), cross(q, t));
}

/** Two unit vectors at right angles to another and to each other: x and y where it is z. */
export function sidesOf(v: Vec3): readonly [Vec3, Vec3] {
  const y = unit(cross(v, Math.abs(v[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  return [cross(y, v), y];
}

/** Of unit vectors; exact for small angles. */
function angleBetween(a: Vec3, b: Vec3): number {
  return 2 * Math.atan2(lengthOf(plus(a, b, -1)), lengthOf(plus(a, b)));
}
