/**
 * The poses of a rigid body as states: where its centre is, and a unit quaternion.
 *
 * The weight of turning is such that a small turn counts as far as the farthest point of the body moves.
 */
import { ImpingeError } from 'impinge';
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { type RigidPose, toRigidPose, writeQuaternionTurn } from 'impinge/internal/math/pose.js';
import type { Room } from '../bounds.js';
import type { FreeSpace } from '../free-space.js';
import { writeRandomTurn } from '../random-turn.js';
import { type Slide, slideAlong } from './slide.js';
import type { RoomySpace, State } from './state-space.js';
import { surfaceFreedom } from './surface-freedom.js';
import type { UprightTurns } from './upright.js';

const DIMENSION = 7;
/** Share of headings that follow no axis of the body. */
const ANY_HEADING = 0.3;
/** Share of the body's radius. */
const RESOLUTION = 0.12;
/** A turn counts less than the way of the farthest point: in narrow places it is turns that are to be found. */
const TURNING = 0.3;

export class RigidSpace implements RoomySpace {
  readonly dimension = DIMENSION;
  readonly weights: Float64Array;
  readonly resolution: number;
  readonly extent: number;
  readonly free: FreeSpace;
  /** No point of the body is farther from its centre. */
  readonly arm: number;
  /** What turns it keeps to; undefined: any. */
  readonly upright: UprightTurns | undefined;
  readonly #min: Float64Array;
  readonly #max: Float64Array;

  constructor(free: FreeSpace, bounds: Room, upright?: UprightTurns) {
    this.free = free;
    this.upright = upright;
    this.#min = Float64Array.from(bounds.min);
    this.#max = Float64Array.from(bounds.max);
    const { ball, centre } = free;
    if (!(ball.radius > 0)) throw new ImpingeError('bad-input', 'the body has no size');
    const arm = (this.arm = Math.hypot(...ball.centre.map((c, k) => c - centre[k])) + ball.radius);
    // quaternions a small angle apart differ by half of it
    const turn = 2 * arm * TURNING;
    this.weights = Float64Array.of(1, 1, 1, turn, turn, turn, turn);
    this.resolution = RESOLUTION * arm;
    this.extent = Math.hypot(...this.#max.map((x, k) => x - this.#min[k])) + Math.SQRT2 * turn;
  }

  sample(random: SeededRandom): State {
    const out = new Float64Array(DIMENSION);
    for (let k = 0; k < 3; k++) out[k] = this.#min[k] + random.next() * (this.#max[k] - this.#min[k]);
    if (this.upright) this.upright.writeRandom(random, out, 3);
    else writeRandomTurn(random, out, 3);
    return out;
  }

  sampleNear(state: State, distance: number, random: SeededRandom): State {
    const out = new Float64Array(DIMENSION);
    const step = gaussian6(random);
    const scale = (distance * random.next()) / Math.hypot(...step);
    for (let k = 0; k < 3; k++) out[k] = state[k] + scale * step[k];
    const [x, y, z] = [3, 4, 5].map((k) => (scale * step[k]) / this.weights[k]);
    writeProduct(x, y, z, 1, state, out);
    this.upright?.raise(out, 3);
    return out;
  }

  /** A direction to slide in: along or about an axis of the body, or any. */
  heading(state: State, random: SeededRandom): Float64Array {
    const out = new Float64Array(6);
    if (random.next() < ANY_HEADING) {
      const any = gaussian6(random);
      const length = Math.hypot(...any);
      return out.map((_, k) => any[k] / length);
    }
    const pose = this.poseOf(state);
    const axis = Math.floor(3 * random.next());
    const first = random.next() < 0.5 ? 0 : 3;
    const sign = random.next() < 0.5 ? -1 : 1;
    for (let k = 0; k < 3; k++) out[first + k] = sign * pose[3 * k + axis];
    return out;
  }

  freedom(state: State): Float64Array[] {
    return surfaceFreedom(this.free, this.poseOf(state), this.arm);
  }

  slide(state: State, heading: Float64Array, length: number): Slide | undefined {
    return slideAlong(this, state, heading, length);
  }

  /** A state moved along a heading (slide.ts). */
  moved(state: State, heading: Float64Array, length: number): State {
    const out = new Float64Array(DIMENSION);
    for (let k = 0; k < 3; k++) out[k] = state[k] + length * heading[k];
    const turn = Math.hypot(heading[3], heading[4], heading[5]);
    const half = (0.5 * length * turn) / this.arm;
    const scale = turn > 0 ? Math.sin(half) / turn : 0;
    writeProduct(scale * heading[3], scale * heading[4], scale * heading[5], Math.cos(half), state, out);
    this.upright?.raise(out, 3);
    return out;
  }

  images(state: State): State[] {
    return [state, state.map((x, k) => (k < 3 ? x : -x))];
  }

  interpolate(from: State, to: State, share: number): State {
    const out = new Float64Array(DIMENSION);
    for (let k = 0; k < 3; k++) out[k] = from[k] + share * (to[k] - from[k]);
    const dot = from[3] * to[3] + from[4] * to[4] + from[5] * to[5] + from[6] * to[6];
    const angle = Math.acos(Math.min(1, Math.abs(dot)));
    const sine = Math.sin(angle);
    const a = sine > 1e-9 ? Math.sin((1 - share) * angle) / sine : 1 - share;
    const b = (sine > 1e-9 ? Math.sin(share * angle) / sine : share) * (dot < 0 ? -1 : 1);
    for (let k = 3; k < 7; k++) out[k] = a * from[k] + b * to[k];
    normalise(out);
    return out;
  }

  isInBounds(state: State): boolean {
    for (let k = 0; k < 3; k++) if (!(state[k] >= this.#min[k] && state[k] <= this.#max[k])) return false;
    return true;
  }

  keepsClear(state: State): boolean {
    if (!this.isInBounds(state)) return false;
    const pose = this.poseOf(state);
    return this.isUpright(pose) && this.free.isFree(pose);
  }

  roomAt(state: State, atMost: number): number {
    return this.free.nearest(this.poseOf(state), atMost)?.distance ?? atMost;
  }

  edgeFree(from: State, to: State): boolean {
    const motion = this.free.motion(this.poseOf(from), this.poseOf(to));
    if (this.upright && !this.upright.holds(this.upright.leanAlong(motion))) return false;
    return this.free.along(motion, false).verdict === 'free';
  }

  isUpright(pose: RigidPose): boolean {
    return !this.upright || this.upright.holds(this.upright.leanOf(pose));
  }

  poseOf(state: State): RigidPose {
    const out = new Float64Array(12);
    const [tx, ty, tz, x, y, z, w] = state;
    writeQuaternionTurn(x, y, z, w, out);
    const [cx, cy, cz] = this.free.centre;
    out[9] = tx - (out[0] * cx + out[1] * cy + out[2] * cz);
    out[10] = ty - (out[3] * cx + out[4] * cy + out[5] * cz);
    out[11] = tz - (out[6] * cx + out[7] * cy + out[8] * cz);
    return out;
  }

  stateOf(pose: RigidPose): State {
    const p = toRigidPose(pose);
    const [cx, cy, cz] = this.free.centre;
    const out = new Float64Array(DIMENSION);
    for (let k = 0; k < 3; k++) out[k] = p[3 * k] * cx + p[3 * k + 1] * cy + p[3 * k + 2] * cz + p[9 + k];
    const [xx, yy, zz] = [p[0], p[4], p[8]];
    // four times the products of the largest component with all four: x, y, z, w
    const products = [
      [1 + xx - yy - zz, p[3] + p[1], p[2] + p[6], p[7] - p[5]],
      [p[3] + p[1], 1 - xx + yy - zz, p[7] + p[5], p[2] - p[6]],
      [p[2] + p[6], p[7] + p[5], 1 - xx - yy + zz, p[3] - p[1]],
      [p[7] - p[5], p[2] - p[6], p[3] - p[1], 1 + xx + yy + zz],
    ];
    let largest = 0;
    for (let i = 1; i < 4; i++) if (products[i][i] > products[largest][largest]) largest = i;
    out.set(products[largest], 3);
    normalise(out);
    return out;
  }
}

/** All there is, with room for the body around it. */
export function boundsAround(free: FreeSpace, poses: readonly RigidPose[]): Room {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  const { centre, ball, pairs } = free;
  const room = 2 * (ball.radius + Math.hypot(...ball.centre.map((c, k) => c - centre[k])) + free.clearance);
  const cover = (low: number, high: number, k: number) => {
    min[k] = Math.min(min[k], low - room);
    max[k] = Math.max(max[k], high + room);
  };
  for (let k = 0; k < 3; k++) {
    for (const { obstacle } of pairs) cover(obstacle.box[k], obstacle.box[3 + k], k);
    for (const p of poses) {
      const at = p[3 * k] * centre[0] + p[3 * k + 1] * centre[1] + p[3 * k + 2] * centre[2] + p[9 + k];
      cover(at, at, k);
    }
  }
  return { min, max };
}

/** Six numbers whose directions are all alike. */
function gaussian6(random: SeededRandom): number[] {
  const out: number[] = [];
  for (let i = 0; i < 3; i++) {
    const length = Math.sqrt(-2 * Math.log(1 - random.next()));
    const angle = 2 * Math.PI * random.next();
    out.push(length * Math.cos(angle), length * Math.sin(angle));
  }
  return out;
}

/** The turn of a state followed by a turn x, y, z, w of any length. */
function writeProduct(x: number, y: number, z: number, w: number, state: State, out: State): void {
  const [, , , a, b, c, d] = state;
  out[3] = w * a + x * d + y * c - z * b;
  out[4] = w * b - x * c + y * d + z * a;
  out[5] = w * c + x * b - y * a + z * d;
  out[6] = w * d - x * a - y * b - z * c;
  normalise(out);
}

function normalise(state: State): void {
  const scale = 1 / Math.sqrt(state[3] ** 2 + state[4] ** 2 + state[5] ** 2 + state[6] ** 2);
  for (let k = 3; k < 7; k++) state[k] *= scale;
}
