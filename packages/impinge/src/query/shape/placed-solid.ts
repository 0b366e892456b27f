/** Primitives as solids in the world, kept until they move. */
import type { LinearPose } from '../../math/linear-map.js';
import { hullShape, largest } from './convex-shape.js';
import { type Decision, decisionOf } from './exact-shape.js';
import { cornersOfBox } from './place-shape.js';
import type { CylinderWorldShape, RoundWorldShape, WorldShape } from './shape-input.js';

export type HalfSpace = Extract<WorldShape, { readonly form: 'half-space' }>;

/** A hull in the world: its corners, the triangles of its surface, and what meets it. */
export interface Hull {
  readonly form: 'hull';
  readonly points: Float64Array;
  readonly surface: Float64Array;
  readonly meets: Decision;
}

export type Solid = RoundWorldShape | CylinderWorldShape | HalfSpace | Hull;

/** What a pose puts somewhere: a primitive. */
export interface Placeable {
  placed(pose: LinearPose): WorldShape;
}

/** By the pose of an object, which is another array when it has moved. */
const known = new WeakMap<LinearPose, { readonly primitive: Placeable; readonly solid: Solid }>();

/** A primitive as it lies in the world. */
export function solidAt(primitive: Placeable, pose: LinearPose): Solid {
  const its = known.get(pose);
  if (its?.primitive === primitive) return its.solid;
  const solid = makeSolid(primitive.placed(pose));
  known.set(pose, { primitive, solid });
  return solid;
}

/** A shape of the world as a solid. */
export function makeSolid(shape: WorldShape): Solid {
  if (shape.form !== 'hull' && shape.form !== 'box') return shape;
  const points = shape.form === 'hull' ? shape.points : cornersOfBox(shape);
  const convex = hullShape(points, largest(points));
  const surface = new Float64Array(3 * convex.faces.length);
  convex.faces.forEach((v, i) => {
    for (let k = 0; k < 3; k++) surface[3 * i + k] = points[3 * v + k];
  });
  return { form: 'hull', points, surface, meets: decisionOf(convex, undefined) };
}
