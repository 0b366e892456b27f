/**
 * How far an answer may be off, by place. The place of two points, one of a and one of b, is that of a.
 *
 * Promise. No point of a box is permitted less than `over` says, and a box within another is not given less, in
 * floating point, too. Proof. Everything is composed of additions of the same terms in the same order, products with
 * constants, minima, maxima and, of numbers of at least 0, products, squares and roots. Each rises or falls with each
 * argument, and rounding keeps order. So where numbers range over intervals, evaluating at the ends gives an interval
 * that holds every rounded value inside, and that contains those of all smaller intervals. A point is a box, too, of
 * which `over` is the value. By term:
 * - size: a constant.
 * - speed: the components of v + w × x are sums over the coordinates of x. The least of their absolute values bound the
 *   norm; it is attained but for the components having their least values at different points.
 * - view: the distance of the camera from the box, attained.
 * - The least of a minimum, maximum or product is at least that of the least ones.
 * The box that a function is told of is composed likewise, so those of nested boxes are nested, and hold each point
 * where `posePoint` puts it.
 */
import { readLength } from 'impinge/internal/base/options.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { type Allowance, readAllowed } from 'impinge/internal/query/pair/allowed.js';
import type { ErrorBounds, ErrorLimit, PairRequest } from 'impinge/internal/query/pair/pair-request.js';
import { writeWorldBox } from 'impinge/internal/scene/world-box.js';

export interface ErrorField {
  /** The error, if it is the same everywhere. */
  readonly constant: number | undefined;
  /** The least error permitted in the box at boxes[at ..], minimum and maximum, in the frame of a. */
  over(boxes: Float64Array, at: number): number;
}

export interface FieldContext extends Omit<ErrorBounds, 'box'> {
  readonly aToWorld: RigidPose;
}

export function errorFieldOf(limit: ErrorLimit, context: FieldContext): ErrorField {
  const { sizeA, sizeB, moved, aToWorld } = context;
  if (typeof limit === 'function') {
    const over = (boxes: Float64Array, at: number) =>
      readLength('error', limit({ box: posedBox(boxes, at, aToWorld), sizeA, sizeB, moved }));
    return { constant: undefined, over };
  }
  const allowance = readAllowed('error', limit, aToWorld);
  const { size, speed, view } = allowance;
  if (size !== undefined && !speed && !view) return { constant: size, over: () => size };
  return { constant: undefined, over: (boxes, at) => readLength('error', leastOf(allowance, boxes, at)) };
}

/**
 * One error for all that are at most `reach` apart.
 *
 * Let N(r) be a box around what a and b have within r of each other in a, growing with r, and e = over(N(reach + u))
 * with u = over(N(reach)). Then e ≤ u, so all that is at most reach + e apart is in N(reach + u), and permitted e.
 */
export function errorWithin(
  field: ErrorField,
  { a, b, bToA }: Pick<PairRequest, 'a' | 'b' | 'bToA'>,
  reach: number,
): number {
  if (field.constant !== undefined) return field.constant;
  const { min, max } = a.box;
  if (!(min[0] <= max[0] && b.box.min[0] <= b.box.max[0])) return 0; // nothing is near nothing
  const around = new Float64Array(6);
  writeWorldBox(b, bToA, around, 0);
  const near = new Float64Array(6);
  const leastWithin = (r: number) => {
    for (let k = 0; k < 3; k++) {
      near[k] = Math.min(Math.max(around[k] - r, min[k]), max[k]);
      near[3 + k] = Math.min(Math.max(around[3 + k] + r, min[k]), max[k]);
    }
    return field.over(near, 0);
  };
  return leastWithin(reach + leastWithin(reach));
}

function leastOf(
  { size, speed, view, combined = 'min' }: Allowance,
  boxes: Float64Array,
  at: number,
): number {
  const combine = COMBINE[combined];
  let least = size;
  if (speed) least = combine(least, speed.seconds * leastSpeed(speed, boxes, at));
  if (view) least = combine(least, view.perDistance * distanceTo(view.camera, boxes, at));
  return least!;
}

const COMBINE = {
  min: (one: number | undefined, other: number) => Math.min(one ?? Infinity, other),
  max: (one: number | undefined, other: number) => Math.max(one ?? 0, other),
  product: (one: number | undefined, other: number) => (one ?? 1) * other,
} as const;

/** Of |v + w × x| in a box. */
function leastSpeed(
  { velocity, spin }: NonNullable<Allowance['speed']>,
  boxes: Float64Array,
  at: number,
): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    const [up, down] = [spin[i], spin[j]]; // times x[j] and, subtracted, x[i]
    const [j0, j1] = [up * boxes[at + j], up * boxes[at + 3 + j]];
    const [i0, i1] = [down * boxes[at + i], down * boxes[at + 3 + i]];
    const lower = velocity[k] + Math.min(j0, j1) - Math.max(i0, i1);
    const upper = velocity[k] + Math.max(j0, j1) - Math.min(i0, i1);
    const least = Math.max(0, lower, -upper);
    sum += least * least;
  }
  return Math.sqrt(sum);
}

/** From a point to a box. */
function distanceTo(point: readonly number[], boxes: Float64Array, at: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const apart = Math.max(0, boxes[at + k] - point[k], point[k] - boxes[at + 3 + k]);
    sum += apart * apart;
  }
  return Math.sqrt(sum);
}

/** A box around a posed one. */
export function posedBox(boxes: Float64Array, at: number, pose: RigidPose): Float64Array {
  const box = new Float64Array(6);
  for (let k = 0; k < 3; k++) {
    let [lower, upper] = [0, 0];
    for (let j = 0; j < 3; j++) {
      const one = pose[3 * k + j] * boxes[at + j];
      const other = pose[3 * k + j] * boxes[at + 3 + j];
      lower += Math.min(one, other);
      upper += Math.max(one, other);
    }
    box[k] = lower + pose[9 + k];
    box[3 + k] = upper + pose[9 + k];
  }
  return box;
}
