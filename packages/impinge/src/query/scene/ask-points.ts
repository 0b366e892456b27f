/** Questions about points. */
import { readAtMost, readKnown } from '../../base/options.js';
import { type Point, readPoint } from '../../math/point.js';
import { assertClosed } from '../../mesh/closed.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { gapOfBoxes } from '../pair/box-gap.js';
import {
  type ClosestPointResult,
  type ClosestPoints,
  closestPoints as closestOfMesh,
  closestOn,
} from '../point/closest-point.js';
import {
  type ClosestOptions,
  type PointOptions,
  readPointOptions,
  readPoints,
  writePoint,
} from '../point/point-input.js';
import { pointsInMesh as sidesOfMesh, signedDistances as signedOnMesh } from '../point/signed-distance.js';
import { Asked } from '../ray/asked.js';
import { copyHit, type HitTarget, type Into, readInto } from '../ray/into.js';
import { RayBlock } from '../ray/ray-block.js';
import { locatePoint, type PointLocation } from '../solid/locate.js';
import {
  type Answer,
  hasParts,
  inTurn,
  type PartsTarget,
  placeColumns,
  refusePose,
  type Target,
  type TargetPart,
  type TargetParts,
  thenOf,
  whenVisited,
} from '../target.js';
import { closestPosed, sideOf, signedPosed } from './closest-posed.js';
import { leastOf } from './least-among.js';
import { partsMeeting } from './meeting-shape.js';

const NAMES = { pose: true } as const;
const CLOSEST_NAMES = { ...NAMES, atMost: true } as const;
const INTO_NAMES = { ...CLOSEST_NAMES, into: true } as const;
const NONE = {};

/**
 * Finds the point of a target closest to a point, or undefined where none is within `atMost`. Of objects equally far
 * the first is named. With `into`, that is written to and returned.
 */
export function closestPoint<T extends Target, I extends HitTarget>(
  target: T,
  point: Point,
  options: ClosestOptions & { readonly into: I },
): Answer<T, I | undefined>;
export function closestPoint<T extends Target>(
  target: T,
  point: Point,
  options?: ClosestOptions,
): Answer<T, ClosestPointResult<T> | undefined>;
export function closestPoint(target: Target, point: Point, options?: ClosestOptions & Into): unknown {
  readKnown<ClosestOptions & Into>('closestPoint', options ?? NONE, INTO_NAMES);
  const into = readInto(options);
  if (hasParts(target)) {
    const atMost = readFarthest(options);
    const found = closestIn(target, onePoint('closestPoint', point), atMost);
    return thenOf(found, (hit) => copyHit(into, hit));
  }
  assertMesh(target);
  const block = RayBlock.take();
  try {
    const ask = readPointOptions(options, block.ask);
    const at = readPoint('closestPoint: the point', point, block.place);
    if (ask.stretch.rigid) return closestOn(target, at, block, into);
    return copyHit(into, closestPosed(ask.partOf(target), at.slice(0, 3), ask.atMost));
  } finally {
    block.release();
  }
}

/** The same for many points, three numbers each, with typed arrays for answers. */
export function closestPoints<T extends Target>(
  target: T,
  points: ArrayLike<number>,
  options?: ClosestOptions,
): Answer<T, ClosestPoints<T>>;
export function closestPoints(target: Target, points: ArrayLike<number>, options?: ClosestOptions): unknown {
  readKnown('closestPoints', options ?? NONE, CLOSEST_NAMES);
  if (hasParts(target)) {
    const atMost = readFarthest(options);
    const found = askEach('closestPoints', points, (at) => closestIn(target, at, atMost));
    return thenOf(found, (all) => ({ ...closestColumns(all), ...placeColumns(target, all) }));
  }
  return onMesh(
    target,
    options,
    (block) => closestOfMesh(target, readPoints('closestPoints', points), block),
    (part, atMost) => {
      const found = askEach('closestPoints', points, (at) => closestPosed(part, at, atMost));
      return closestColumns(found as Brief[]);
    },
  );
}

type Brief = Pick<ClosestPointResult, 'distance' | 'triangle' | 'point'> | undefined;

function closestColumns(found: readonly Brief[]) {
  const points = new Float64Array(3 * found.length).fill(Number.NaN);
  found.forEach((one, i) => {
    if (one) points.set(one.point, 3 * i);
  });
  return {
    distances: Float64Array.from(found, (one) => one?.distance ?? Infinity),
    triangles: Int32Array.from(found, (one) => one?.triangle ?? -1),
    points,
  };
}

/** Asks about a mesh where the block says it is; if that stretches it, as about an object of a scene. */
function onMesh<Found>(
  mesh: Mesh,
  options: ClosestOptions | undefined,
  rigidly: (block: RayBlock) => Found,
  stretched?: (part: TargetPart, atMost: number) => Found,
): Found {
  assertMesh(mesh);
  const block = RayBlock.take();
  try {
    const ask = readPointOptions(options, block.ask);
    return stretched && !ask.stretch.rigid ? stretched(ask.partOf(mesh), ask.atMost) : rigidly(block);
  } finally {
    block.release();
  }
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
  readKnown('signedDistance', options ?? NONE, NAMES);
  const at = onePoint('signedDistance', point);
  if (!hasParts(target)) return signedOfMesh(target, options, at)[0];
  refusePose(options);
  return signedIn(target, at);
}

/** The same for many points, three numbers each. */
export function signedDistances<T extends Target>(
  target: T,
  points: ArrayLike<number>,
  options?: PointOptions,
): Answer<T, Float64Array>;
export function signedDistances(target: Target, points: ArrayLike<number>, options?: PointOptions): unknown {
  readKnown('signedDistances', options ?? NONE, NAMES);
  if (!hasParts(target)) return signedOfMesh(target, options, readPoints('signedDistances', points));
  refusePose(options);
  return thenOf(
    askEach('signedDistances', points, (at) => signedIn(target, at)),
    (found) => Float64Array.from(found),
  );
}

function signedOfMesh(
  mesh: Mesh,
  options: PointOptions | undefined,
  points: ArrayLike<number>,
): Float64Array {
  return onMesh(
    mesh,
    options,
    (block) => signedOnMesh(mesh, points, block),
    (part) =>
      Float64Array.from(
        askEach('signedDistances', points, (at) => signedPosed(part, at, Infinity)) as number[],
      ),
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
  readKnown('pointInMesh', options ?? NONE, NAMES);
  const at = onePoint('pointInMesh', point);
  if (hasParts(target)) {
    refusePose(options);
    return thenOf(sideIn(target, at), (side) => LOCATIONS[1 - side]);
  }
  assertClosed(target);
  const ask = readPointOptions(options, new Asked());
  writePoint(at, 0, ask.local, target.origin, at, 0);
  return locatePoint({ meshes: [target], closed: true }, at);
}

const LOCATIONS = ['inside', 'on', 'outside'] as const;

/** The same for many points, three numbers each: 1 inside, 0 on the surface, −1 outside. */
export function pointsInMesh<T extends Target>(
  target: T,
  points: ArrayLike<number>,
  options?: PointOptions,
): Answer<T, Int8Array>;
export function pointsInMesh(target: Target, points: ArrayLike<number>, options?: PointOptions): unknown {
  readKnown('pointsInMesh', options ?? NONE, NAMES);
  if (!hasParts(target)) {
    const read = readPoints('pointsInMesh', points);
    return onMesh(target, options, (block) => sidesOfMesh(target, read, block));
  }
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
