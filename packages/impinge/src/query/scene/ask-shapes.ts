/** Questions about shapes. */
import { readAtMost, readKnown } from '../../base/options.js';
import type { Point } from '../../math/point.js';
import { assertScene, type Scene, type SceneObject } from '../../scene/scene.js';
import {
  meetsShape as meetsMesh,
  type ShapeOptions,
  trianglesInShape as trianglesOfMesh,
} from '../shape/meets-shape.js';
import {
  meetsSpheres as meetsMeshMany,
  readSpheres,
  type Spheres,
  sphereAt,
} from '../shape/meets-spheres.js';
import {
  shapeDistance as distanceOfMesh,
  type ShapeDistance,
  type ShapeDistanceOptions,
} from '../shape/shape-distance.js';
import { readShape, type Shape, type WorldShape } from '../shape/shape-input.js';
import {
  readMotion,
  readSweptShape,
  type ShapeContact,
  sweepShape as sweepMesh,
} from '../shape/sweep-shape.js';
import {
  type Answer,
  hasParts,
  inTurn,
  isRead,
  type PartsTarget,
  refusePose,
  type Target,
  type TargetParts,
  thenOf,
} from '../target.js';
import { leastOf } from './least-among.js';
import { type ObjectTriangles, partsMeeting } from './meeting-shape.js';
import { gapFromShape, sweepBound } from './shape-bounds.js';

/** Whether any triangle meets the shape. */
export function meetsShape<T extends Target>(
  target: T,
  shape: Shape,
  options?: ShapeOptions,
): Answer<T, boolean>;
export function meetsShape(target: Target, shape: Shape, options?: ShapeOptions): unknown {
  readKnown('meetsShape', options ?? {}, { pose: true });
  if (!hasParts(target)) return meetsMesh(target, shape, options);
  refusePose(options);
  return meets(target, readShape('meetsShape', shape));
}

function meets(target: TargetParts, shape: WorldShape): boolean | Promise<boolean> {
  return thenOf(partsMeeting(target, shape, 'first'), (found) => found.length > 0);
}

/** The triangles that meet the shape, in order: by objects of a scene, or by pieces, where there are any. */
export function trianglesInShape<T extends Target>(
  target: T,
  shape: Shape,
  options?: ShapeOptions,
): Answer<T, T extends Scene | PartsTarget ? ObjectTriangles<T>[] : Uint32Array>;
export function trianglesInShape(target: Target, shape: Shape, options?: ShapeOptions): unknown {
  readKnown('trianglesInShape', options ?? {}, { pose: true });
  if (!hasParts(target)) return trianglesOfMesh(target, shape, options);
  refusePose(options);
  return partsMeeting(target, readShape('trianglesInShape', shape), 'all');
}

/** The objects of a scene of which any triangle meets the shape, in order; of other targets, their numbers. */
export function objectsInShape<T extends Scene | PartsTarget>(
  target: T,
  shape: Shape,
): Answer<T, T extends Scene ? SceneObject[] : Uint32Array>;
export function objectsInShape(target: Scene | PartsTarget, shape: Shape): unknown {
  const world = readShape('objectsInShape', shape);
  if (!hasParts(target)) assertScene(target);
  return thenOf(partsMeeting(target, world, 'one'), (found) => {
    const objects = new Set(found.map(({ object }) => object));
    return isRead(target) ? Uint32Array.from(objects as Set<number>) : [...objects];
  });
}

/** Which of many spheres meet the target: 1 or 0 for each, as `meetsShape` says of one. */
export function meetsSpheres<T extends Target>(
  target: T,
  spheres: Spheres,
  options?: ShapeOptions,
): Answer<T, Uint8Array>;
export function meetsSpheres(target: Target, spheres: Spheres, options?: ShapeOptions): unknown {
  readKnown('meetsSpheres', options ?? {}, { pose: true });
  if (!hasParts(target)) return meetsMeshMany(target, spheres, options);
  refusePose(options);
  const { centres, radiusOf } = readSpheres(spheres);
  const shapes = Array.from({ length: centres.length / 3 }, (_, i) => sphereAt(centres, i, radiusOf(i)));
  return thenOf(
    inTurn(shapes.length, (i) => meets(target, shapes[i])),
    (met) => Uint8Array.from(met, Number),
  );
}

/** The distance of a shape from a target, or undefined where it is more than `atMost`. */
export function shapeDistance<T extends Target>(
  target: T,
  shape: Shape,
  options?: ShapeDistanceOptions,
): Answer<T, ShapeDistance<T> | undefined>;
export function shapeDistance(target: Target, shape: Shape, options?: ShapeDistanceOptions): unknown {
  readKnown('shapeDistance', options ?? {}, { pose: true, atMost: true });
  if (!hasParts(target)) return distanceOfMesh(target, shape, options);
  refusePose(options);
  const { atMost = Infinity } = options ?? {};
  readAtMost('atMost', atMost);
  const world = readShape('shapeDistance', shape);
  return leastOf(target, gapFromShape(world), atMost, (part, most) => {
    if (!part.primitive) return distanceOfMesh(part.mesh, shape, { pose: part.pose, atMost: most });
    const { distance, points } = part.primitive.gap(part.pose, world);
    return distance <= most ? { distance, points, triangle: 0 } : undefined;
  });
}

/**
 * Moves a shape by a vector, and says what of the target it touches first; undefined: nothing. The time is never late.
 */
export function sweepShape<T extends Target>(
  target: T,
  shape: Shape,
  by: Point,
  options?: ShapeOptions,
): Answer<T, ShapeContact<T> | undefined>;
export function sweepShape(target: Target, shape: Shape, by: Point, options?: ShapeOptions): unknown {
  readKnown('sweepShape', options ?? {}, { pose: true });
  if (!hasParts(target)) return sweepMesh(target, shape, by, options);
  refusePose(options);
  const world = readSweptShape(shape);
  const motion = readMotion(by);
  return leastOf(target, sweepBound(world, motion), 1, ({ mesh, pose }) =>
    sweepMesh(mesh, shape, motion, { pose }),
  );
}
