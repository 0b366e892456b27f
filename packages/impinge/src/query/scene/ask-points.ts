/** Questions about points, of meshes, of scenes of posed objects, and of engines such as stored models. */
import { ImpingeError } from '../../base/errors.js';
import { readAtMost, readKnown } from '../../base/options.js';
import type { Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { NearestFirst } from '../../scene/nearest-first.js';
import type { Scene, SlotObject } from '../../scene/scene.js';
import { gapOfBoxes } from '../pair/box-gap.js';
import { inTurn, isEngine, placeColumns, type QueryEngine } from '../pair/engine.js';
import {
  type ClosestPointResult,
  type ClosestPoints,
  closestPoint as closestOfMesh,
  closestPoints as closestOfMeshMany,
} from '../point/closest-point.js';
import { type ClosestOptions, type PointOptions, readPoints } from '../point/point-input.js';
import {
  pointsInMesh as sidesOfMesh,
  signedDistance as signedOfMesh,
  signedDistances as signedOfMeshMany,
} from '../point/signed-distance.js';
import { pointInMesh as locationInMesh } from '../solid/containment.js';
import type { PointLocation } from '../solid/locate.js';
import { type Answer, isScene, refusePose, type Target } from '../target.js';
import { closestPosed, sideOf, signedPosed } from './closest-posed.js';
import { eachPart } from './placed-target.js';

/**
 * Finds the point of a mesh, scene or engine closest to a point, or undefined where none is within `atMost`. Of objects
 * equally far the first is named.
 */
export function closestPoint<T extends Target>(
  target: T,
  point: ArrayLike<number>,
  options?: ClosestOptions,
): Answer<T, ClosestPointResult<T> | undefined>;
export function closestPoint(target: Target, point: ArrayLike<number>, options?: ClosestOptions): unknown {
  readKnown('closestPoint', options ?? {}, { pose: true, atMost: true });
  if (!isScene(target) && !isEngine(target)) return closestOfMesh(target, point, options);
  refusePose(options);
  const { atMost = Infinity } = options ?? {};
  readAtMost('atMost', atMost);
  const at = Float64Array.from(readPoints('closestPoint', point, true));
  return isScene(target) ? closestIn(target)(at, atMost) : closestOfEngine(target, at, atMost);
}

/** The same for many points, three numbers each, with typed arrays for answers. */
export function closestPoints<T extends Target>(
  target: T,
  points: ArrayLike<number>,
  options?: ClosestOptions,
): Answer<T, ClosestPoints<T>>;
export function closestPoints(target: Target, points: ArrayLike<number>, options?: ClosestOptions): unknown {
  readKnown('closestPoints', options ?? {}, { pose: true, atMost: true });
  if (!isScene(target) && !isEngine(target)) return closestOfMeshMany(target, points, options);
  refusePose(options);
  const { atMost = Infinity } = options ?? {};
  readAtMost('atMost', atMost);
  if (isEngine(target)) {
    const all = eachPoint('closestPoints', points, (at) => at.slice());
    return inTurn(all, (at) => closestOfEngine(target, at, atMost)).then((found) => ({
      ...columnsOf(found),
      ...placeColumns(found),
    }));
  }
  const closest = closestIn(target);
  const found = eachPoint('closestPoints', points, (at) => closest(at, atMost));
  return { ...columnsOf(found), objects: found.map((one) => one?.object) };
}

function columnsOf(found: readonly (ClosestPointResult<Scene | QueryEngine> | undefined)[]) {
  const places = new Float64Array(3 * found.length).fill(Number.NaN);
  found.forEach((one, i) => {
    if (one) places.set(one.point, 3 * i);
  });
  return {
    distances: Float64Array.from(found, (one) => one?.distance ?? Infinity),
    triangles: Int32Array.from(found, (one) => one?.triangle ?? -1),
    points: places,
  };
}

/**
 * The distance of a point from a mesh, negative inside; of a scene, the least over its objects: negative where it is
 * inside one, and then of the one it is deepest in; Infinity of an empty scene. Open meshes: by their generalised
 * winding numbers. Of a stored model, whose objects near the point must be closed, as of a scene.
 */
export function signedDistance<T extends Target>(
  target: T,
  point: ArrayLike<number>,
  options?: PointOptions,
): Answer<T, number>;
export function signedDistance(target: Target, point: ArrayLike<number>, options?: PointOptions): unknown {
  readKnown('signedDistance', options ?? {}, { pose: true });
  if (!isScene(target) && !isEngine(target)) return signedOfMesh(target, point, options);
  refusePose(options);
  const at = Float64Array.from(readPoints('signedDistance', point, true));
  return isScene(target) ? signedIn(target)(at) : signedOfEngine(target, at);
}

/** The same for many points, three numbers each. */
export function signedDistances<T extends Target>(
  target: T,
  points: ArrayLike<number>,
  options?: PointOptions,
): Answer<T, Float64Array>;
export function signedDistances(target: Target, points: ArrayLike<number>, options?: PointOptions): unknown {
  readKnown('signedDistances', options ?? {}, { pose: true });
  if (!isScene(target) && !isEngine(target)) return signedOfMeshMany(target, points, options);
  refusePose(options);
  if (isEngine(target)) {
    const all = eachPoint('signedDistances', points, (at) => at.slice());
    return inTurn(all, (at) => signedOfEngine(target, at)).then((found) => Float64Array.from(found));
  }
  return Float64Array.from(eachPoint('signedDistances', points, signedIn(target)));
}

/**
 * Says where a point lies: inside a mesh, on it or outside; of a scene, inside any object, else on any. Meshes must be
 * closed, else 'bad-input': of a scene those whose boxes hold the point. Exact.
 */
export function pointInMesh(target: Mesh | Scene, point: Vec3, options?: PointOptions): PointLocation {
  readKnown('pointInMesh', options ?? {}, { pose: true });
  if (!isScene(target)) return locationInMesh(target, point, options);
  refusePose(options);
  const at = Float64Array.from(readPoints('pointInMesh', point, true));
  return LOCATIONS[1 - sideIn(target)(at)];
}

const LOCATIONS = ['inside', 'on', 'outside'] as const;

/** The same for many points, three numbers each: 1 inside, 0 on the surface, −1 outside. */
export function pointsInMesh(
  target: Mesh | Scene,
  points: ArrayLike<number>,
  options?: PointOptions,
): Int8Array {
  readKnown('pointsInMesh', options ?? {}, { pose: true });
  if (!isScene(target)) return sidesOfMesh(target, points, options);
  refusePose(options);
  return Int8Array.from(eachPoint('pointsInMesh', points, sideIn(target)));
}

function eachPoint<One>(name: string, points: ArrayLike<number>, ask: (at: Float64Array) => One): One[] {
  const read = readPoints(name, points, false);
  const at = new Float64Array(3);
  return Array.from({ length: read.length / 3 }, (_, i) => {
    for (let k = 0; k < 3; k++) at[k] = read[3 * i + k];
    return ask(at);
  });
}

/** The closest point of a primitive's surface; its one triangle is 0, with the weight on its first corner. */
function closestOfPrimitive(
  { primitive, pose }: SlotObject,
  p: Float64Array,
  atMost: number,
): ClosestPointResult | undefined {
  const { point, normal } = primitive!.closest(pose, p);
  const distance = Math.hypot(p[0] - point[0], p[1] - point[1], p[2] - point[2]);
  if (!(distance <= atMost)) return undefined;
  const length = Math.hypot(...normal);
  const unit: Vec3 = [normal[0] / length, normal[1] / length, normal[2] / length];
  const [x, y, z] = point;
  return { distance, point: [x, y, z], triangle: 0, barycentrics: [1, 0, 0], normal: unit };
}

function sideOfPrimitive({ primitive, pose }: SlotObject, point: Float64Array): number {
  return primitive!.closest(pose, point).side;
}

// each for points asked about in a scene that stays as it is meanwhile

function closestIn(scene: Scene) {
  const walk = new NearestFirst(scene);
  return (point: Float64Array, atMost: number): ClosestPointResult<Scene> | undefined => {
    let best: (ClosestPointResult<Scene> & { readonly object: SlotObject }) | undefined;
    walk.visit(gapFrom(point), atMost, (object, limit) => {
      const found = object.primitive
        ? closestOfPrimitive(object, point, limit)
        : closestPosed(object, point, limit);
      if (!found) return limit;
      if (best && found.distance === best.distance && object.slot > best.object.slot) return limit;
      best = { ...found, object };
      return found.distance;
    });
    return best;
  };
}

function signedIn(scene: Scene) {
  const walk = new NearestFirst(scene);
  return (point: Float64Array): number => {
    let best = Infinity;
    walk.visit(gapFrom(point), Infinity, (object, limit) => {
      const own = object.primitive
        ? closestOfPrimitive(object, point, Infinity)!.distance * (0 - sideOfPrimitive(object, point))
        : signedPosed(object, point, limit);
      best = Math.min(best, own);
      return Math.max(0, best);
    });
    return best;
  };
}

function sideIn(scene: Scene) {
  const walk = new NearestFirst(scene);
  return (point: Float64Array): number => {
    let best = -1;
    walk.visit(gapFrom(point), 0, (object) => {
      best = Math.max(best, object.primitive ? sideOfPrimitive(object, point) : sideOf(object, point));
      return best > 0 ? -1 : 0;
    });
    return best;
  };
}

/** How far a point is from a box: what is in it is no nearer. */
function gapFrom(point: Float64Array) {
  const own = Float64Array.of(...point, ...point);
  // boxes are larger than what is in them by more than rounding
  return (boxes: Float64Array, at: number) => gapOfBoxes(own, 0, boxes, at) * (1 - 1e-12);
}

async function signedOfEngine(engine: QueryEngine, point: Float64Array): Promise<number> {
  if (!engine.objectsAround)
    throw new ImpingeError(
      'unsupported',
      `signedDistance: engine "${engine.name}" cannot tell inside from outside`,
    );
  const around = await engine.objectsAround(point);
  const from = async (one: QueryEngine) =>
    (await closestOfEngine(one, point, Infinity))?.distance ?? Infinity;
  return around.length > 0 ? -Math.max(...(await inTurn(around, from))) : from(engine);
}

async function closestOfEngine(
  engine: QueryEngine,
  point: Float64Array,
  atMost: number,
): Promise<ClosestPointResult<QueryEngine> | undefined> {
  let best: ClosestPointResult<QueryEngine> | undefined;
  const limit = () => best?.distance ?? atMost;
  const near = Float64Array.of(...point, ...point);
  const ask = { near, distance: limit, bound: gapFrom(point), limit };
  await eachPart(engine, ask, (part) => {
    const found = closestPosed(part, point, limit());
    const { object, piece } = part;
    const isLater = best && (object - best.object || piece - best.piece) > 0;
    if (found && !(found.distance === best?.distance && isLater)) best = { ...found, object, piece };
    return false;
  });
  return best;
}
