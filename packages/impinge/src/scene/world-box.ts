/**
 * The axis-aligned box of something posed in the world. Errs: outward, by more than the rounding of the pose and the
 * effect of a pose that is not quite rigid on the transform between two meshes' frames.
 */
import type { Stretch } from '../math/linear-map.js';
import { type RigidPose, rigidDeviation, type Vec3 } from '../math/pose.js';

const SLACK = 2 ** -46;

/** Writes minimum and maximum (six numbers) to out[at ..]. */
export function writeWorldBox(
  { box: { min, max } }: { readonly box: { readonly min: Vec3; readonly max: Vec3 } },
  pose: Readonly<RigidPose>,
  out: Float64Array,
  at: number,
  slack = slackOf(pose),
): void {
  for (let k = 0; k < 3; k++) {
    given[k] = min[k];
    given[3 + k] = max[k];
  }
  writePosedBox(given, 0, pose, slack, out, at);
}

const given = new Float64Array(6);

/** The same of the box at boxes[from ..]; `slack` is that of the pose. */
export function writePosedBox(
  boxes: Float64Array,
  from: number,
  pose: Readonly<RigidPose>,
  slack: number,
  out: Float64Array,
  at: number,
): void {
  let reach = 0;
  for (let k = 0; k < 3; k++) {
    reach += Math.abs(pose[9 + k]) + Math.abs(boxes[from + k]) + Math.abs(boxes[from + 3 + k]);
  }
  const x = 0.5 * (boxes[from] + boxes[from + 3]);
  const y = 0.5 * (boxes[from + 1] + boxes[from + 4]);
  const z = 0.5 * (boxes[from + 2] + boxes[from + 5]);
  const hx = 0.5 * (boxes[from + 3] - boxes[from]);
  const hy = 0.5 * (boxes[from + 4] - boxes[from + 1]);
  const hz = 0.5 * (boxes[from + 5] - boxes[from + 2]);
  for (let k = 0; k < 3; k++) {
    const [a, b, c] = [pose[3 * k], pose[3 * k + 1], pose[3 * k + 2]];
    const middle = pose[9 + k] + a * x + b * y + c * z;
    const half = slack * reach + Math.abs(a) * hx + Math.abs(b) * hy + Math.abs(c) * hz;
    out[at + k] = middle - half;
    out[at + 3 + k] = middle + half;
  }
}

/** The share of its reach by which to enlarge a posed box: more where the pose is not quite rigid. */
export function slackOf(pose: Readonly<RigidPose>): number {
  const deviation = rigidDeviation(pose);
  return SLACK + 4 * (deviation > SLACK ? deviation : 0); // anything less is rounding
}

/**
 * The same for a pose that is not rigid, undefined if it is: larger by its condition, for the rounding of its inverse.
 */
export function slackOfStretch({ rigid, most, leastInverse }: Stretch): number | undefined {
  return rigid ? undefined : 64 * SLACK * Math.max(1, most) * most * leastInverse;
}
