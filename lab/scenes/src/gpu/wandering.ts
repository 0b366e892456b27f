/**
 * Motion without state: a straight line folded at the walls of the unit cube, and a steady rotation. The position
 * depends only on the frame, so that errors do not accumulate over long runs.
 */
import type { ScenePose } from '../deform/scene-mesh.js';
import { circlePoint, randomPose } from '../deform/turning.js';
import type { Random } from '../random.js';

export interface Wandering {
  readonly start: ScenePose;
  /** Per frame. */
  readonly velocity: readonly [number, number, number];
  readonly axis: readonly [number, number, number];
  readonly turnsPerFrame: number;
  /** The centre keeps this distance from the walls. */
  readonly margin: number;
}

/** Random position and orientation in the cube; the speed is up to `speed` per frame along each axis. */
export function wandering(random: Random, radius: number, speed: number): Wandering {
  const margin = Math.min(radius, 0.45);
  const place = () => margin + (1 - 2 * margin) * random.next();
  const start = randomPose(random, place(), place(), place());
  const signed = () => 2 * random.next() - 1;
  // a uniform random direction, taken from a rotation
  const turned = randomPose(random, 0, 0, 0);
  return {
    start,
    velocity: [speed * signed(), speed * signed(), speed * signed()],
    axis: [turned[0], turned[3], turned[6]],
    turnsPerFrame: 0.005 * signed(),
    margin,
  };
}

/** Writes the pose at a frame. */
export function writePose(motion: Wandering, frame: number, out: Float64Array, offset: number): void {
  const { start, velocity, axis, turnsPerFrame, margin } = motion;
  writeTurned(start, axis, frame * turnsPerFrame, out, offset);
  for (let i = 0; i < 3; i++) {
    out[offset + 9 + i] = folded(start[9 + i] + frame * velocity[i], margin, 1 - margin);
  }
}

/** Writes the rotation of `start`, turned about an axis: nine numbers. */
export function writeTurned(
  start: ArrayLike<number>,
  [x, y, z]: readonly number[],
  turns: number,
  out: Float64Array,
  offset: number,
): void {
  const [c, s] = circlePoint(turns);
  const d = 1 - c;
  // biome-ignore format: three rows
  const turn = [
    c + d * x * x, d * x * y - s * z, d * x * z + s * y,
    d * x * y + s * z, c + d * y * y, d * y * z - s * x,
    d * x * z - s * y, d * y * z + s * x, c + d * z * z,
  ];
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) {
      out[offset + i + j] = turn[i] * start[j] + turn[i + 1] * start[3 + j] + turn[i + 2] * start[6 + j];
    }
  }
}

/** A coordinate reflected at both ends. */
function folded(value: number, low: number, high: number): number {
  const span = high - low;
  const along = (value - low) / (2 * span);
  const part = 2 * (along - Math.floor(along));
  return low + span * (part <= 1 ? part : 2 - part);
}
