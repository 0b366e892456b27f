/**
 * Spheres, capsules, cylinders, boxes, half-spaces and convex hulls as objects of scenes, beside meshes. They are
 * solid: what is inside one meets it.
 */
import { ImpingeError } from '../../base/errors.js';
import { invertLinear, type LinearPose, stretchOf } from '../../math/linear-map.js';
import type { PrimitiveHit, PrimitivePoint, ScenePrimitive } from '../../scene/scene-primitive.js';
import type { PairsFound } from '../pair/many-pairs.js';
import type { DistanceResult } from '../pair/results.js';
import { distanceOfPrimitive, gapOf, withinPrimitive } from '../scene/primitive-pairs.js';
import { onSurface } from '../scene/primitive-points.js';
import { boxOfShape } from '../scene/shape-bounds.js';
import type { TargetPart } from '../target.js';
import type { Gap } from './convex-gap.js';
import { facesOfHull } from './convex-shape.js';
import { cornersOfBox } from './place-shape.js';
import { makeSolid, solidAt } from './placed-solid.js';
import { crossingsOf } from './ray-shape.js';
import { poseAll, readShape, type Shape, type WorldShape } from './shape-input.js';

/** Half-spaces have no end; squares of this are still numbers. */
const FAR = 1e150;
const KINDS = {
  round: 'sphere',
  cylinder: 'cylinder',
  box: 'box',
  'half-space': 'half-space',
  hull: 'hull',
} as const;

export class Primitive implements ScenePrimitive {
  readonly kind: 'sphere' | 'capsule' | 'cylinder' | 'box' | 'half-space' | 'hull';
  readonly #shape: WorldShape;

  /** Takes a shape with a volume; frustums are hulls. */
  constructor(shape: Shape) {
    const read = readShape('Primitive', shape);
    this.kind = read.form === 'round' && 'from' in Object(shape) ? 'capsule' : KINDS[read.form];
    if (
      read.form === 'round' ? !(read.radius > 0) : 'ends' in read || 'points' in read ? isFlat(read) : false
    ) {
      throw new ImpingeError('bad-input', `Primitive: a ${this.kind} without a volume`);
    }
    this.#shape = read.form === 'box' ? { form: 'hull', points: cornersOfBox(read) } : read;
  }

  assertPose(pose: LinearPose): void {
    const { rigid, scale } = stretchOf(pose);
    const { form } = this.#shape;
    if ((form !== 'round' && form !== 'cylinder') || rigid || scale > 0) return;
    throw new ImpingeError('bad-pose', `a ${this.kind} cannot be scaled unevenly`);
  }

  writeBox(pose: LinearPose, out: Float64Array, at: number): void {
    const shape = this.placed(pose);
    const box = boxOfShape(shape);
    for (let k = 0; k < 6; k++) out[at + k] = Math.max(-FAR, Math.min(FAR, box[k]));
    if (shape.form === 'half-space') clipAlongAxis(shape, out, at);
  }

  crossings(pose: LinearPose, ray: Float64Array): PrimitiveHit[] {
    return crossingsOf(this.placed(pose), ray);
  }

  closest(pose: LinearPose, point: Float64Array): PrimitivePoint {
    return onSurface(solidAt(this, pose), point);
  }

  /** @internal */
  gap(pose: LinearPose, shape: WorldShape): Gap {
    return gapOf(solidAt(this, pose), makeSolid(shape));
  }

  /** @internal */
  within(a: TargetPart, b: TargetPart, distance: number, limit: number): PairsFound | undefined {
    return withinPrimitive(a, b, distance, limit);
  }

  /** @internal */
  distance(a: TargetPart, b: TargetPart, atMost: number): DistanceResult {
    return distanceOfPrimitive(a, b, atMost);
  }

  /** @internal The shape where a pose puts it. */
  placed(pose: LinearPose): WorldShape {
    const shape = this.#shape;
    if (shape.form === 'half-space') {
      const back = invertLinear(pose);
      const [x, y, z] = shape.normal;
      const normal = [0, 1, 2].map((k) => back[k] * x + back[3 + k] * y + back[6 + k] * z);
      const moved = normal[0] * pose[9] + normal[1] * pose[10] + normal[2] * pose[11];
      return { form: 'half-space', normal, offset: shape.offset + moved };
    }
    if (shape.form === 'round' || shape.form === 'cylinder') {
      const axis = shape.axis.slice();
      poseAll(axis, pose);
      const { rigid, scale } = stretchOf(pose);
      return { form: shape.form, axis, radius: rigid ? shape.radius : scale * shape.radius };
    }
    const points = Float64Array.from(shape.form === 'hull' ? shape.points : cornersOfBox(shape));
    poseAll(points, pose);
    return { form: 'hull', points };
  }
}

function isFlat(shape: Extract<WorldShape, { readonly form: 'hull' | 'box' }>): boolean {
  const p = shape.form === 'hull' ? shape.points : cornersOfBox(shape);
  const faces = facesOfHull(p);
  let volume = 0;
  for (let f = 0; f < faces.length; f += 3) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = [0, 1, 2].flatMap((c) =>
      [0, 1, 2].map((k) => p[3 * faces[f + c] + k] - p[k]),
    );
    volume += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return volume === 0;
}

/** Ends the box of a half-space where that ends along an axis. */
function clipAlongAxis(
  { normal, offset }: Extract<WorldShape, { readonly form: 'half-space' }>,
  out: Float64Array,
  at: number,
): void {
  const axis = normal.findIndex((x) => x !== 0);
  if (normal.some((x, k) => x !== 0 && k !== axis)) return;
  const end = offset / normal[axis];
  const slack = 1e-12 * Math.abs(end);
  if (!(Math.abs(end) < FAR)) return;
  if (normal[axis] > 0) out[at + 3 + axis] = end + slack;
  else out[at + axis] = end - slack;
}
