/**
 * Two targets asked about part by part: pairs of near parts are pairs of meshes.
 * Errs: answers are exact for the parts; what these leave open of the surfaces meant is `error`, of both added up.
 */
import { RIGID } from '../../math/linear-map.js';
import { composePoses, IDENTITY, type RigidPose, relativePose } from '../../math/pose.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { whileUnchanged } from '../../mesh/revisions.js';
import type { BoxBound } from '../../scene/nearest-first.js';
import type { SceneObject } from '../../scene/scene.js';
import { slackOfStretch, writeWorldBox } from '../../scene/world-box.js';
import {
  hasParts,
  isRead,
  type PartsTarget,
  type Target,
  type TargetPart,
  type TargetParts,
  type VisitPart,
  whenVisited,
} from '../target.js';
import { gapOfBoxes } from './box-gap.js';
import { nothingMeets } from './boxes-apart.js';
import { NOWHERE } from './closest-search.js';
import type { Placement } from './context.js';
import type { ClosestRequest, PairRequest, PairsRequest } from './pair-request.js';
import { type StretchedPlacement, stretchedPlacement } from './placement.js';
import type { CollideResult, DistanceResult } from './results.js';
import { addStats, noStats } from './stats.js';
import { withinStretched } from './stretched.js';

// as of targets with numbered objects; callers know better
export type AnyPairs = CollideResult<PartsTarget, PartsTarget>;
type AnyDistance = DistanceResult<PartsTarget, PartsTarget>;

/** Throws unless both are targets; says whether part by part is how they are asked about. */
export function areParted(a: Target, b: Target): boolean {
  const [ofA, ofB] = [isParted(a), isParted(b)];
  return ofA || ofB;
}

function isParted(side: Target): boolean {
  if (hasParts(side)) return true;
  assertMesh(side);
  return false;
}

type OwnAnswers = Pick<PartsTarget, 'pairs' | 'hits' | 'closest' | 'contacts' | 'penetration'>;

/** Asks the one of two targets that knows a way of its own, or both part by part. */
export function askPair<Key extends keyof OwnAnswers, Request extends PairRequest, Found>(
  key: Key,
  request: Request,
  byParts: (request: Request) => Found | Promise<Found>,
): Found | Promise<Found> {
  const { a, b } = request;
  const read = [a, b].filter(isRead);
  if (read.length === 0) return byParts(request);
  const own = read.find((side) => side[key]);
  return whileUnchanged([a, b], async () => (own ? ((await own[key]!(request)) as Found) : byParts(request)));
}

/** Two parts, and how their targets lie: from b's frame to a's, from a's to the world. */
export interface PartPair extends Pick<PairRequest, 'bToA' | 'aToWorld'> {
  readonly a: TargetPart;
  readonly b: TargetPart;
}

/** From the mesh of b to that of a, both rigidly posed, and from that to the world. */
export function placementOf({ a, b, bToA, aToWorld }: PartPair): Placement {
  return {
    bToA: relativePose(a.pose, composePoses(bToA, b.pose)),
    aToWorld: composePoses(aToWorld, a.pose),
  };
}

/** The two where they are in the world. */
function inWorld(pair: PartPair): [TargetPart, TargetPart] {
  const { a, b, bToA, aToWorld } = pair;
  const poseA = composePoses(aToWorld, a.pose);
  const poseB = isRigid(pair)
    ? composePoses(poseA, placementOf(pair).bToA)
    : composePoses(aToWorld, composePoses(bToA, b.pose));
  return [posed(a, poseA), posed(b, poseB)];
}

function isRigid({ a, b }: PartPair): boolean {
  return (a.stretch ?? RIGID).rigid && (b.stretch ?? RIGID).rigid;
}

/** Where both poses are in the world, unless they are rigid. */
export function stretchedPair(pair: PartPair): StretchedPlacement | undefined {
  return isRigid(pair) ? undefined : stretchedPlacement(...inWorld(pair));
}

function posed(part: TargetPart, pose: RigidPose): TargetPart {
  const { slot, place, primitive, stretch } = part;
  return { slot, place, primitive, stretch, pose, mesh: primitive ? (undefined as never) : part.mesh };
}

/** Which triangles of two meshes are within a distance of each other. */
type AskMeshes = (a: Mesh, b: Mesh, bToA: RigidPose, limit: number, distance: number) => CollideResult;

export function pairsOfParts(request: PairsRequest, askMeshes: AskMeshes): AnyPairs | Promise<AnyPairs> {
  const { limit, distance } = request;
  const found: FoundPairs[] = [];
  const stats = noStats();
  let left = limit;
  let complete = true;
  const visited = eachNearPair(request, distance, (pair) => {
    if (left === 0) {
      complete = false;
      return -1;
    }
    const met = askParts(pair, left, distance, askMeshes);
    addStats(stats, met.stats);
    complete &&= met.complete;
    left -= met.count;
    if (met.count > 0) found.push({ a: foundAt(pair.a), b: foundAt(pair.b), pairs: met.pairs });
    return distance;
  });
  return whenVisited(visited, () => ({ ...joinPairs(found), complete, error: errorOf(request), stats }));
}

/** A pair that is no pair of rigidly posed meshes is asked about in the world. */
function askParts(pair: PartPair, limit: number, distance: number, askMeshes: AskMeshes) {
  const { a, b } = pair;
  const primitive = a.primitive ?? b.primitive;
  if (primitive) {
    const found = primitive.within(...inWorld(pair), distance, limit);
    return found ? { ...found, stats: noStats() } : nothingMeets();
  }
  const stretched = stretchedPair(pair);
  return stretched
    ? withinStretched(a.mesh, b.mesh, stretched, limit, distance)
    : askMeshes(a.mesh, b.mesh, placementOf(pair).bToA, limit, distance);
}

export function closestOfParts(
  request: ClosestRequest,
  askMeshes: (
    a: Mesh,
    b: Mesh,
    poses: { poseA: RigidPose; poseB: RigidPose },
    atMost: number,
  ) => DistanceResult,
): AnyDistance | Promise<AnyDistance> {
  let best: { readonly met: DistanceResult; readonly at: readonly [FoundPlace, FoundPlace] } | undefined;
  const stats = noStats();
  const visited = eachNearPair(request, request.atMost, (pair, limit) => {
    const [a, b] = inWorld(pair);
    const primitive = a.primitive ?? b.primitive;
    const met = primitive
      ? (primitive.distance(a, b, limit) as DistanceResult)
      : askMeshes(a.mesh, b.mesh, { poseA: a.pose, poseB: b.pose }, limit);
    addStats(stats, met.stats);
    if (met.distance === Infinity || (best && met.distance >= best.met.distance)) return limit;
    best = { met, at: [foundAt(pair.a), foundAt(pair.b)] };
    return met.distance === 0 ? -1 : met.distance;
  });
  return whenVisited(visited, () => {
    const { met, at } = best ?? { met: NOWHERE, at: [nowhereIn(request.a), nowhereIn(request.b)] };
    const [{ object: objectA, piece: pieceA }, { object: objectB, piece: pieceB }] = at;
    const error = errorOf(request);
    const bounds = [Math.max(0, met.distance - error), met.distance + error] as const;
    return { ...met, objectA, pieceA, objectB, pieceB, bounds, error, stats } as AnyDistance;
  });
}

function nowhereIn(target: Target) {
  return { object: hasParts(target) && !isRead(target) ? undefined : -1, piece: -1 };
}

/** Visits pairs of parts whose boxes are near each other; `visit` returns the limit from then on, −1 ends it. */
export function eachNearPair(
  { a, b, bToA, aToWorld }: PairRequest,
  limit: number,
  visit: (pair: PartPair, limit: number) => number,
): void | Promise<void> {
  // what is read comes first: it can wait for the other
  const swapped = isRead(b) && !isRead(a);
  const [outer, inner] = swapped ? [partsOf(b), partsOf(a)] : [partsOf(a), partsOf(b)];
  const toOuter = swapped ? relativePose(bToA, IDENTITY as RigidPose) : bToA;
  if (!(inner.box.min[0] <= inner.box.max[0])) return undefined;
  const around = new Float64Array(6);
  writeWorldBox(inner, toOuter, around, 0);
  return outer.eachPart(gapTo(around), limit, ((part, most) => {
    const near = new Float64Array(6);
    writePartBox(part, swapped ? composePoses(bToA, part.pose) : relativePose(bToA, part.pose), near);
    let left = most;
    const visited = inner.eachPart(gapTo(near), most, (other, now) => {
      const pair = swapped ? { a: other, b: part } : { a: part, b: other };
      left = visit({ ...pair, bToA, aToWorld }, now);
      return left;
    });
    return visited ? visited.then(() => left) : left;
  }) as VisitPart<number | Promise<number>> as VisitPart);
}

function gapTo(box: Float64Array): BoxBound {
  return (boxes, at) => gapOfBoxes(box, 0, boxes, at);
}

function writePartBox(part: TargetPart, pose: RigidPose, out: Float64Array): void {
  if (part.primitive) part.primitive.writeBox(pose, out, 0);
  else writeWorldBox(part.mesh, pose, out, 0, slackOfStretch(part.stretch ?? RIGID));
}

/** A mesh is one part of itself. */
function partsOf(target: Target): TargetParts {
  if (hasParts(target)) return target;
  const part = { slot: 0, place: { object: 0, piece: 0 }, mesh: target, pose: IDENTITY as RigidPose };
  return {
    box: target.box,
    error: 0,
    revision: target.revision,
    eachPart: (_, limit, visit) => {
      visit(part, limit);
    },
  };
}

export function errorOf({ a, b }: PairRequest): number {
  return (hasParts(a) ? a.error : 0) + (hasParts(b) ? b.error : 0);
}

/** What two parts have in common. */
export interface FoundPairs {
  readonly a: FoundPlace;
  readonly b: FoundPlace;
  readonly pairs: Uint32Array;
}

interface FoundPlace {
  readonly object: SceneObject | number;
  readonly piece: number;
  /** Orders parts. */
  readonly slot: number;
}

function foundAt({ slot, place: { object, piece = 0 } }: TargetPart): FoundPlace {
  return { slot, object, piece };
}

/** One list in the order of parts and triangles. */
export function joinPairs(
  found: FoundPairs[],
): Pick<AnyPairs, 'colliding' | 'count' | 'pairs' | 'objects' | 'pieces'> {
  found.sort((p, q) => p.a.slot - q.a.slot || p.b.slot - q.b.slot);
  const length = found.reduce((sum, { pairs }) => sum + pairs.length, 0);
  const numbered = found.every(({ a, b }) => typeof a.object === 'number' && typeof b.object === 'number');
  const objects: (SceneObject | number)[] | Uint32Array = numbered ? new Uint32Array(length) : [];
  const [pairs, pieces] = [new Uint32Array(length), new Uint32Array(length)];
  let at = 0;
  for (const { a, b, pairs: own } of found) {
    pairs.set(own, at);
    for (const end = at + own.length; at < end; at += 2) {
      [objects[at], objects[at + 1]] = [a.object, b.object] as number[];
      [pieces[at], pieces[at + 1]] = [a.piece, b.piece];
    }
  }
  return { colliding: length > 0, count: length / 2, pairs, objects: objects as Uint32Array, pieces };
}
