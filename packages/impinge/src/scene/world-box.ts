/**
 * The axis-aligned box of something posed in the world.
 * Errs: outward, by more than the rounding of the pose and the effect of a pose that is not quite rigid on the transform
 * between two meshes' frames.
 */
import type { Stretch } from '../math/linear-map.js';
import type { RigidPose, Vec3 } from '../math/pose.js';

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
  for (let k = 0; k < 3; k++) {
    let middle = pose[9 + k];
    let half = slack * reach;
    for (let j = 0; j < 3; j++) {
      const low = boxes[from + j];
      const high = boxes[from + 3 + j];
      middle += pose[3 * k + j] * 0.5 * (low + high);
      half += Math.abs(pose[3 * k + j]) * 0.5 * (high - low);
    }
    out[at + k] = middle - half;
    out[at + 3 + k] = middle + half;
  }
}

/** By which share of its reach a posed box has to be enlarged: more where the pose is not quite rigid. */
export function slackOf(pose: Readonly<RigidPose>): number {
  return SLACK + 4 * deviationOf(pose);
}

/** The same of a pose that is not rigid; undefined where it is: by its condition more, for what undoing it rounds. */
export function slackOfStretch({ rigid, most, leastInverse }: Stretch): number | undefined {
  return rigid ? undefined : 64 * SLACK * Math.max(1, most) * most * leastInverse;
}

/** The largest entry of RᵀR − I, without rounding noise. */
function deviationOf(r: Readonly<RigidPose>): number {
  let deviation = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = i; j < 3; j++) {
      const dot = r[i] * r[j] + r[3 + i] * r[3 + j] + r[6 + i] * r[6 + j];
      deviation = Math.max(deviation, Math.abs(dot - (i === j ? 1 : 0)));
    }
  }
  return deviation > SLACK ? deviation : 0;
}
