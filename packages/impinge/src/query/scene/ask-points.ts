/** Questions about points. */
import { readAtMost, readKnown } from '../../base/options.js';
import { type Point, readPoint } from '../../math/point.js';
import { gapOfBoxes } from '../pair/box-gap.js';
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
import {
  type Answer,
  hasParts,
  inTurn,
  type PartsTarget,
  placeColumns,
  refusePose,
  type Target,
  type TargetParts,
  thenOf,
  whenVisited,
} from '../target.js';
import { closestPosed, sideOf, signedPosed } from './closest-posed.js';
import { leastOf } from './least-among.js';
import { partsMeeting } from './meeting-shape.js';

/**
 * Finds the point of a target closest to a point, or undefined where none is within `atMost`. Of objects equally far
 * the first is named.
 */
export function closestPoint<T extends Target>(
  target: T,
  point: Point,
  options?: ClosestOptions,
): Answer<T, ClosestPointResult<T> | undefined>;
export function closestPoint(target: Target, point: Point, options?: ClosestOptions): unknown {
  readKnown('closestPoint', options ?? {}, { pose: true, atMost: true });
  if (!hasParts(target)) return closestOfMesh(target, point, options);
  const atMost = readFarthest(options);
  return closestIn(target, onePoint('closestPoint', point), atMost);
}

/** The same for many points, three numbers each, with typed arrays for answers. */
export function closestPoints<T extends Target>(
  target: T,
  points: ArrayLike<number>,
  options?: ClosestOptions,
): Answer<T, ClosestPoints<T>>;
export function closestPoints(target: Target, points: ArrayLike<number>, options?: ClosestOptions): unknown {
  readKnown('closestPoints', options ?? {}, { pose: true, atMost: true });
  if (!hasParts(target)) return closestOfMeshMany(target, points, options);
  const atMost = readFarthest(options);
  return thenOf(
    askEach('closestPoints', points, (at) => closestIn(target, at, atMost)),
    (found) => {
      const places = new Float64Array(3 * found.length).fill(Number.NaN);
      found.forEach((one, i) => {
        if (one) places.set(one.point, 3 * i);
      });
      return {
        distances: Float64Array.from(found, (one) => one?.distance ?? Infinity),
        triangles: Int32Array.from(found, (one) => one?.triangle ?? -1),
        points: places,
        ...placeColumns(target, found),
      };
    },
  );
}

/**
 * The distance of a point from a mesh, negative inside; of other targets, the least over their objects: negative where
 * it is inside one, and then of the one it is deepest in; Infinity where there is none. Open meshes: by their
 * generalised winding numbers; objects of stored models whose boxes hold the point must be closed.
 */
export function signedDistance<T extends Target>(
  target: T,
  point: Point,
  options?: PointOptions,
): Answer<T, number>;
export function signedDistance(target: Target, point: Point, options?: PointOptions): unknown {
  readKnown('signedDistance', options ?? {}, { pose: true });
  if (!hasParts(target)) return signedOfMesh(target, point, options);
  refusePose(options);
  return signedIn(target, onePoint('signedDistance', point));
}

/** The same for many points, three numbers each. */
export function signedDistances<T extends Target>(
  target: T,
  points: ArrayLike<number>,
  options?: PointOptions,
): Answer<T, Float64Array>;
export function signedDistances(target: Target, points: ArrayLike<number>, options?: PointOptions): unknown {
  readKnown('signedDistances', options ?? {}, { pose: true });
  if (!hasParts(target)) return signedOfMeshMany(target, points, options);
  refusePose(options);
  return thenOf(
    askEach('signedDistances', points, (at) => signedIn(target, at)),
    (found) => Float64Array.from(found),
  );
}

/**
 * Says where a point lies: inside a mesh, on it or outside; of other targets, inside any object, else on any. Meshes
 * must be closed, else 'bad-input': of objects those whose boxes hold the point. Exact.
 */
export function pointInMesh<T extends Target>(
  target: T,
  point: Point,
  options?: PointOptions,
): Answer<T, PointLocation>;
export function pointInMesh(target: Target, point: Point, options?: PointOptions): unknown {
  readKnown('pointInMesh', options ?? {}, { pose: true });
  if (!hasParts(target)) return locationInMesh(target, point, options);
  refusePose(options);
  return thenOf(sideIn(target, onePoint('pointInMesh', point)), (side) => LOCATIONS[1 - side]);
}

const LOCATIONS = ['inside', 'on', 'outside'] as const;

/** The same for many points, three numbers each: 1 inside, 0 on the surface, −1 outside. */
export function pointsInMesh<T extends Target>(
  target: T,
  points: ArrayLike<number>,
  options?: PointOptions,
): Answer<T, Int8Array>;
export function pointsInMesh(target: Target, points: ArrayLike<number>, options?: PointOptions): unknown {
  readKnown('pointsInMesh', options ?? {}, { pose: true });
  if (!hasParts(target)) return sidesOfMesh(target, points, options);
  refusePose(options);
  return thenOf(
    askEach('pointsInMesh', points, (at) => sideIn(target, at)),
    (sides) => Int8Array.from(sides),
  );
}

function readFarthest(options: ClosestOptions | undefined): number {
  refusePose(options);
  return readAtMost('atMost', options?.atMost ?? Infinity);
}

function onePoint(call: string, point: Point): Float64Array {
  return readPoint(`${call}: the point`, point, new Float64Array(3));
}

function askEach<One>(
  call: string,
  points: ArrayLike<number>,
  ask: (at: Float64Array) => One | Promise<One>,
): One[] | Promise<One[]> {
  const read = Float64Array.from(readPoints(call, points)); // nobody else's
  return inTurn(read.length / 3, (i) => ask(read.subarray(3 * i, 3 * i + 3)));
}

function closestIn(target: TargetParts, point: Float64Array, atMost: number) {
  return leastOf(target, gapFrom(point), atMost, (part, limit) => closestPosed(part, point, limit));
}

function signedIn(target: TargetParts, point: Float64Array): number | Promise<number> {
  const { objectsAround } = target as Partial<PartsTarget>;
  if (objectsAround) return signedAmong(target as PartsTarget, point);
  let best = Infinity;
  const visited = target.eachPart(gapFrom(point), Infinity, (part, limit) => {
    best = Math.min(best, signedPosed(part, point, limit));
    return Math.max(0, best);
  });
  return whenVisited(visited, () => best);
}

/** The same where parts are less than objects. */
async function signedAmong(target: PartsTarget, point: Float64Array): Promise<number> {
  const from = async (one: PartsTarget) => (await closestIn(one, point, Infinity))?.distance ?? Infinity;
  const around = await target.objectsAround!(point);
  return around.length > 0
    ? -Math.max(...(await inTurn(around.length, (i) => from(around[i]))))
    : from(target);
}

function sideIn(target: TargetParts, point: Float64Array): number | Promise<number> {
  const { objectsAround } = target as Partial<PartsTarget>;
  if (objectsAround) return sideAmong(target as PartsTarget, point);
  let best = -1;
  const visited = target.eachPart(gapFrom(point), 0, (part) => {
    best = Math.max(best, sideOf(part, point));
    return best > 0 ? -1 : 0;
  });
  return whenVisited(visited, () => best);
}

async function sideAmong(target: PartsTarget, point: Float64Array): Promise<number> {
  if ((await target.objectsAround!(point)).length > 0) return 1;
  const here = { form: 'round', axis: [...point, ...point], radius: 0 } as const;
  return (await partsMeeting(target, here, 'first')).length > 0 ? 0 : -1;
}

/** How far a point is from a box: what is in it is no nearer. */
function gapFrom(point: Float64Array) {
  const own = Float64Array.of(...point, ...point);
  // boxes are larger than what is in them by more than rounding
  return (boxes: Float64Array, at: number) => gapOfBoxes(own, 0, boxes, at) * (1 - 1e-12);
}
