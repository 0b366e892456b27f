/** Questions about shapes, of meshes, of scenes of posed objects, and of engines such as stored models. */
import { readAtMost, readKnown } from '../../base/options.js';
import type { Mesh } from '../../mesh/mesh.js';
import { NearestFirst } from '../../scene/nearest-first.js';
import { assertScene, type Scene, type SceneObject } from '../../scene/scene.js';
import { inTurn, isEngine, type QueryEngine } from '../pair/engine.js';
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
import { readShape, type Shape } from '../shape/shape-input.js';
import {
  readMotion,
  readSweptShape,
  type ShapeContact,
  sweepShape as sweepMesh,
} from '../shape/sweep-shape.js';
import { type Answer, isScene, refusePose, type Target } from '../target.js';
import { leastOfEngine, leastOfScene } from './least-among.js';
import { meetsScene, type ObjectTriangles, objectsMeeting, partsMeeting } from './meeting-shape.js';
import type { PosedMesh } from './placed-target.js';
import { gapToShape } from './primitive-pairs.js';
import { boxOfShape, gapFromShape, sweepBound, sweptBox } from './shape-bounds.js';

/** Whether any triangle meets the shape. */
export function meetsShape<T extends Target>(
  target: T,
  shape: Shape,
  options?: ShapeOptions,
): Answer<T, boolean>;
export function meetsShape(target: Target, shape: Shape, options?: ShapeOptions): unknown {
  readKnown('meetsShape', options ?? {}, { pose: true });
  if (!isScene(target) && !isEngine(target)) return meetsMesh(target, shape, options);
  refusePose(options);
  const world = readShape('meetsShape', shape);
  if (isScene(target)) return meetsScene(new NearestFirst(target), world);
  return partsMeeting(target, world, true).then((found) => found.length > 0);
}

/**
 * The triangles that meet the shape, in order: of a scene by its objects, of an engine by its pieces, where there are
 * any.
 */
export function trianglesInShape<T extends Target>(
  target: T,
  shape: Shape,
  options?: ShapeOptions,
): Answer<T, T extends Mesh ? Uint32Array : ObjectTriangles<T>[]>;
export function trianglesInShape(target: Target, shape: Shape, options?: ShapeOptions): unknown {
  readKnown('trianglesInShape', options ?? {}, { pose: true });
  if (!isScene(target) && !isEngine(target)) return trianglesOfMesh(target, shape, options);
  refusePose(options);
  const world = readShape('trianglesInShape', shape);
  return isScene(target) ? objectsMeeting(target, world, false) : partsMeeting(target, world, false);
}

/** The objects of a scene of which any triangle meets the shape, in order; of an engine, their numbers. */
export function objectsInShape<T extends Scene | QueryEngine>(
  target: T,
  shape: Shape,
): Answer<T, T extends Scene ? SceneObject[] : Uint32Array>;
export function objectsInShape(target: Scene | QueryEngine, shape: Shape): unknown {
  const world = readShape('objectsInShape', shape);
  if (isEngine(target)) {
    return partsMeeting(target, world, false).then((found) =>
      Uint32Array.from(new Set(found.map(({ object }) => object))),
    );
  }
  assertScene(target);
  return objectsMeeting(target, world, true).map(({ object }) => object);
}

/**
 * Which of many spheres meet the mesh, or anything in the scene or engine: 1 or 0 for each, as `meetsShape` says of
 * one.
 */
export function meetsSpheres<T extends Target>(
  target: T,
  spheres: Spheres,
  options?: ShapeOptions,
): Answer<T, Uint8Array>;
export function meetsSpheres(target: Target, spheres: Spheres, options?: ShapeOptions): unknown {
  readKnown('meetsSpheres', options ?? {}, { pose: true });
  if (!isScene(target) && !isEngine(target)) return meetsMeshMany(target, spheres, options);
  refusePose(options);
  const { centres, radiusOf } = readSpheres(spheres);
  const shapes = Array.from({ length: centres.length / 3 }, (_, i) => sphereAt(centres, i, radiusOf(i)));
  if (isEngine(target)) return inTurn(shapes, (shape) => partsMeeting(target, shape, true)).then(whichHave);
  const walk = new NearestFirst(target);
  return Uint8Array.from(shapes, (shape) => (meetsScene(walk, shape) ? 1 : 0));
}

function whichHave(found: readonly (readonly unknown[])[]): Uint8Array {
  return Uint8Array.from(found, (parts) => parts.length);
}

/**
 * The distance of a shape from a mesh, scene or engine, or undefined where it is more than `atMost`. Poses may be
 * scaled, but evenly, else 'bad-pose': of a scene those of the objects that are near.
 */
export function shapeDistance<T extends Target>(
  target: T,
  shape: Shape,
  options?: ShapeDistanceOptions,
): Answer<T, ShapeDistance<T> | undefined>;
export function shapeDistance(target: Target, shape: Shape, options?: ShapeDistanceOptions): unknown {
  readKnown('shapeDistance', options ?? {}, { pose: true, atMost: true });
  if (!isScene(target) && !isEngine(target)) return distanceOfMesh(target, shape, options);
  refusePose(options);
  const { atMost = Infinity } = options ?? {};
  readAtMost('atMost', atMost);
  const world = readShape('shapeDistance', shape);
  const bound = gapFromShape(world);
  const measure = (posed: PosedMesh, most: number) => {
    const found = distanceOfMesh(posed.mesh, shape, { pose: posed.pose, atMost: most });
    return found && { ...found, key: found.distance };
  };
  if (isScene(target)) {
    return leastOfScene(target, bound, atMost, (object, most) => {
      if (!object.primitive) return measure(object, most);
      const { distance, points } = gapToShape(object, world);
      return distance <= most ? { distance, points, triangle: 0, key: distance } : undefined;
    });
  }
  const near = boxOfShape(world);
  return leastOfEngine(target, near, bound, atMost, measure, (limit) => limit);
}

/**
 * Moves a shape by a vector, and says what of the mesh, scene or engine it touches first; undefined: nothing. The time
 * is never late. Poses may be scaled, but evenly, else 'bad-pose': of a scene those of the objects on the way.
 */
export function sweepShape<T extends Target>(
  target: T,
  shape: Shape,
  by: ArrayLike<number>,
  options?: ShapeOptions,
): Answer<T, ShapeContact<T> | undefined>;
export function sweepShape(
  target: Target,
  shape: Shape,
  by: ArrayLike<number>,
  options?: ShapeOptions,
): unknown {
  readKnown('sweepShape', options ?? {}, { pose: true });
  if (!isScene(target) && !isEngine(target)) return sweepMesh(target, shape, by, options);
  refusePose(options);
  const world = readSweptShape(shape);
  const motion = readMotion(by);
  const bound = sweepBound(world, motion);
  const measure = (posed: PosedMesh) => {
    const found = sweepMesh(posed.mesh, shape, motion, { pose: posed.pose });
    return found && { ...found, key: found.time };
  };
  if (isScene(target)) return leastOfScene(target, bound, 1, measure);
  return leastOfEngine(target, sweptBox(world, motion), bound, 1, measure, () => 0);
}
