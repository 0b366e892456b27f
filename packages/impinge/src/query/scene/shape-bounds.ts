/**
 * What boxes say about shapes: how far apart they are at least, and when a moving shape may touch what is in a box at
 * the earliest.
 */
import type { BoxBound } from '../../scene/nearest-first.js';
import { entersBox } from '../ray/ray-box.js';
import { alongOf } from '../shape/cylinder.js';
import { cornersOfBox } from '../shape/place-shape.js';
import type { WorldShape } from '../shape/shape-input.js';

/** Of the coordinates: more than rounding does to shapes in the numbers of meshes. */
const SLACK = 1e-12;

type HalfSpace = Extract<WorldShape, { readonly form: 'half-space' }>;

/** What a shape is the hull of, but for its radius. */
function pointsOf(shape: Exclude<WorldShape, HalfSpace>): ArrayLike<number> {
  if (shape.form === 'round' || shape.form === 'cylinder') return shape.axis;
  return shape.form === 'box' ? cornersOfBox(shape) : shape.points;
}

/** The box around a shape, six numbers; without ends around a half-space. */
export function boxOfShape(shape: WorldShape): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  if (shape.form === 'half-space') return box.map((x) => -x);
  const points = pointsOf(shape);
  const radius = 'radius' in shape ? shape.radius : 0;
  const unit = shape.form === 'cylinder' ? alongOf(shape).unit : undefined;
  for (let i = 0; i < points.length; i++) {
    box[i % 3] = Math.min(box[i % 3], points[i]);
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], points[i]);
  }
  for (let k = 0; k < 3; k++) {
    const slack = SLACK * (Math.abs(box[k]) + Math.abs(box[3 + k]) + radius);
    // the ends of a cylinder are narrow as seen along it
    const wide = unit ? radius * Math.sqrt(Math.max(0, 1 - unit[k] * unit[k])) : radius;
    box[k] -= wide + slack;
    box[3 + k] += wide + slack;
  }
  return box;
}

/** The least distance of a shape from what is in a box; 0 where they may meet. */
export function gapFromShape(shape: WorldShape): BoxBound {
  if (shape.form === 'half-space') return gapFromPlane(shape);
  const radius = 'radius' in shape ? shape.radius * (1 + SLACK) : 0;
  // of round shapes the axis: corners of the box around them are farther than the radius
  const own = boxOfShape('radius' in shape ? { ...shape, radius: 0 } : shape);
  return (boxes, at) => {
    let sum = 0;
    let size = 0;
    for (let k = 0; k < 3; k++) {
      const low = boxes[at + k];
      const high = boxes[at + 3 + k];
      const gap = Math.max(0, low - own[3 + k], own[k] - high);
      sum += gap * gap;
      size += Math.abs(low) + Math.abs(high);
    }
    const gap = Math.sqrt(sum) * (1 - SLACK) - radius - SLACK * size;
    return Math.max(gap, 0);
  };
}

function gapFromPlane({ normal, offset }: HalfSpace): BoxBound {
  const length = Math.hypot(...normal);
  return (boxes, at) => {
    let lowest = -offset;
    let size = Math.abs(offset);
    for (let k = 0; k < 3; k++) {
      lowest += normal[k] * boxes[at + (normal[k] > 0 ? k : 3 + k)];
      size += Math.abs(normal[k]) * (Math.abs(boxes[at + k]) + Math.abs(boxes[at + 3 + k]));
    }
    const gap = (lowest - SLACK * size) / length;
    return Math.max(gap, 0);
  };
}

/**
 * When a shape that moves by a vector during 0 … 1 may touch what is in a box at the earliest; Infinity: it does not.
 */
export function sweepBound(shape: WorldShape, motion: Float64Array): BoxBound {
  const length = Math.hypot(...motion);
  const own = boxOfShape(shape);
  if (length === 0) {
    const gap = gapFromShape(shape);
    return (boxes, at) => (gap(boxes, at) > 0 ? Infinity : 0);
  }
  const far = Math.max(...own.map(Math.abs)) + length;
  // the middle of the shape against boxes that are larger by its halves
  const middle = [0, 1, 2].map((k) => own[k] / 2 + own[3 + k] / 2);
  const ray = Float64Array.of(...middle, ...motion, 0, length * (1 + SLACK));
  const grown = new Float64Array(6);
  return (boxes, at) => {
    for (let k = 0; k < 3; k++) {
      const half = (own[3 + k] - own[k]) / 2;
      const slack = SLACK * (far + Math.abs(boxes[at + k]) + Math.abs(boxes[at + 3 + k]));
      grown[k] = boxes[at + k] - half - slack;
      grown[3 + k] = boxes[at + 3 + k] + half + slack;
    }
    return entersBox(ray, grown, 0) / length;
  };
}
