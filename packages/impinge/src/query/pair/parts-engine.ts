/**
 * An engine that is asked about part by part: pairs of near parts are pairs of meshes.
 * Errs: answers are exact for the parts; what these leave open of the surface meant is `error`, of both sides added up.
 */
import { composePoses, IDENTITY, type RigidPose, relativePose, type Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { BoxBound } from '../../scene/nearest-first.js';
import { writeWorldBox } from '../../scene/world-box.js';
import { NOWHERE } from './closest-search.js';
import { distance } from './distance.js';
import type {
  ClosestRequest,
  EngineCollideResult,
  EngineDistanceResult,
  EnginePart,
  EngineRequest,
  HitsRequest,
  HitsResult,
  PairsRequest,
  QueryEngine,
} from './engine.js';
import { addStats, HitList, noStats } from './hit-list.js';
import type { DistanceResult } from './results.js';
import { withinPlaced } from './within.js';

/** What two parts have in common. */
export interface PartPairs {
  /** Object and piece of a, of b. */
  readonly place: readonly [number, number, number, number];
  readonly pairs: Uint32Array;
}

export abstract class PartsEngine implements QueryEngine {
  abstract readonly name: string;
  abstract readonly box: { readonly min: Vec3; readonly max: Vec3 };
  abstract readonly error: number;
  abstract parts(near: Float64Array, distance: () => number): AsyncIterable<EnginePart>;
  partsBy?(bound: BoxBound, limit: () => number): AsyncIterable<EnginePart>;

  async pairs(request: PairsRequest): Promise<EngineCollideResult> {
    const found: PartPairs[] = [];
    const stats = noStats();
    let left = request.limit;
    let complete = true;
    for await (const { a, b, bToA } of nearParts(request, () => request.distance)) {
      if (left === 0) {
        complete = false;
        break;
      }
      const met = withinPlaced(a.mesh, b.mesh, bToA, left, request.distance);
      addStats(stats, met.stats);
      complete &&= met.complete;
      left -= met.count;
      if (met.count > 0) found.push({ place: [a.object, a.piece, b.object, b.piece], pairs: met.pairs });
    }
    return { ...joinPairs(found), complete, error: errorOf(request), stats };
  }

  async hits(request: HitsRequest): Promise<HitsResult> {
    const list = new HitList();
    for await (const { a, b, bToA } of nearParts(request, () => request.distance)) {
      const placed = { bToA, aToWorld: composePoses(request.aToWorld, a.pose) };
      list.of(a.object, b.object).addMeshes(a.mesh, b.mesh, placed, request, list.stats);
    }
    return list.result(request.mode, errorOf(request));
  }

  async closest(request: ClosestRequest): Promise<EngineDistanceResult> {
    const { aToWorld } = request;
    let bound = request.atMost;
    let best: DistanceResult | undefined;
    let where = [-1, -1, -1, -1];
    const stats = noStats();
    for await (const { a, b, bToA } of nearParts(request, () => bound)) {
      const toWorld = composePoses(aToWorld, a.pose);
      const poses = { poseA: toWorld, poseB: composePoses(toWorld, bToA) };
      const met = distance(a.mesh, b.mesh, { ...poses, atMost: bound });
      addStats(stats, met.stats);
      if (!met.pointA || (best && met.distance >= best.distance)) continue;
      best = met;
      where = [a.object, a.piece, b.object, b.piece];
      bound = met.distance;
      if (bound === 0) break;
    }
    const [objectA, pieceA, objectB, pieceB] = where;
    const found = best ?? NOWHERE;
    const error = errorOf(request);
    const bounds = [Math.max(0, found.distance - error), found.distance + error] as const;
    return { ...found, objectA, pieceA, objectB, pieceB, bounds, error, stats };
  }
}

/** Parts of a and of b whose boxes are near each other, and the way from b's part to a's. */
async function* nearParts(
  { a, b, bToA }: EngineRequest,
  distance: () => number,
): AsyncGenerator<{ a: EnginePart; b: EnginePart; bToA: RigidPose }> {
  const nearA = new Float64Array(6);
  const nearB = new Float64Array(6);
  writeWorldBox(b, bToA, nearA, 0);
  for await (const partA of sidesParts(a, nearA, distance)) {
    writeWorldBox(partA.mesh, relativePose(bToA, partA.pose), nearB, 0);
    for await (const partB of sidesParts(b, nearB, distance)) {
      yield { a: partA, b: partB, bToA: relativePose(partA.pose, composePoses(bToA, partB.pose)) };
    }
  }
}

function sidesParts(
  side: Mesh | QueryEngine,
  near: Float64Array,
  distance: () => number,
): AsyncIterable<EnginePart> | readonly EnginePart[] {
  if ('parts' in side) return side.parts(near, distance);
  return [{ object: 0, piece: 0, mesh: side, pose: IDENTITY as RigidPose }];
}

function errorOf({ a, b }: EngineRequest): number {
  return ('parts' in a ? a.error : 0) + ('parts' in b ? b.error : 0);
}

/** One list in the order of objects, pieces, triangles. */
export function joinPairs(
  found: PartPairs[],
): Pick<EngineCollideResult, 'colliding' | 'count' | 'pairs' | 'objects' | 'pieces'> {
  found.sort(({ place: p }, { place: q }) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2] || p[3] - q[3]);
  const length = found.reduce((sum, { pairs }) => sum + pairs.length, 0);
  const [pairs, objects, pieces] = [0, 1, 2].map(() => new Uint32Array(length));
  let at = 0;
  for (const { place, pairs: own } of found) {
    pairs.set(own, at);
    for (const end = at + own.length; at < end; at += 2) {
      [objects[at], pieces[at], objects[at + 1], pieces[at + 1]] = place;
    }
  }
  return { colliding: length > 0, count: length / 2, pairs, objects, pieces };
}
