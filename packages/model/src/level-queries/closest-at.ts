/** The distance of two sides at one error; the proof is in levels-target.ts. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { composePoses } from 'impinge/internal/math/pose.js';
import { storedPose } from 'impinge/internal/mesh/stored-pose.js';
import { NOWHERE, witnessOf } from 'impinge/internal/query/pair/closest-search.js';
import type { ClosestRequest } from 'impinge/internal/query/pair/pair-request.js';
import type { DistanceResult } from 'impinge/internal/query/pair/results.js';
import { addStats, noStats } from 'impinge/internal/query/pair/stats.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import { findClosestParts } from './closest-parts.js';
import type { NearParts } from './near-parts.js';

/** Volumes compared per pair of parts, on average, from which on it pays to enclose parts more closely. */
const HARD = 512;
/** How much farther apart than the closest, as a share, what is found in the first few pairs of parts may be. */
const ROUGH = 0.25;

const NO_PARTS = { ...NOWHERE, objectA: -1, pieceA: -1, objectB: -1, pieceB: -1 };

export type Closest = Omit<DistanceResult<PartsTarget>, 'error'>;

interface ClosestAsk {
  readonly atMost: number;
  readonly error: number;
}

/** The distance at one error, if it is at most `atMost`. */
export async function closestAt(
  near: NearParts,
  request: Pick<ClosestRequest, 'bToA' | 'aToWorld'>,
  ask: ClosestAsk,
): Promise<Closest> {
  const search = closestSearch(near, request, ask);
  let next = search.next();
  while (!next.done) {
    try {
      await next.value;
    } catch (error) {
      next = search.throw(error);
      continue;
    }
    next = search.next();
  }
  return next.value;
}

/** The same at once, of parts that can be brought into memory without waiting. */
export function closestNow(
  near: NearParts,
  request: Pick<ClosestRequest, 'bToA' | 'aToWorld'>,
  ask: ClosestAsk,
): Closest {
  const { done, value } = closestSearch(near, request, ask).next();
  if (!done) throw new ImpingeError('bad-input', 'the store cannot be read synchronously');
  return value;
}

/** Yields what has to be waited for. */
function* closestSearch(
  near: NearParts,
  { bToA, aToWorld }: Pick<ClosestRequest, 'bToA' | 'aToWorld'>,
  { atMost, error }: ClosestAsk,
): Generator<Promise<void>, Closest, void> {
  const { a, b } = near;
  const slack = Math.max(0, error - a.out - a.in - b.out - b.in);
  const stats = noStats();
  let bound = atMost + a.out + b.out;
  let best: Omit<Closest, 'bounds' | 'stats'> | undefined;
  let upper = Infinity;
  let rounding = 0;
  let pairs = 0;
  // nothing farther apart than this is of interest
  const farthest = () => (best ? bound - slack : bound);
  for (const { batch, isRough } of near.nearestBatches(bToA, farthest)) {
    const wait = near.hold(batch);
    if (wait) yield wait;
    try {
      const parts = near.parts(batch, bToA);
      const isHard = stats.volumeTests > HARD * pairs;
      const closest = findClosestParts(parts, {
        ...{ bound, slack, isFirst: !best, isHard },
        share: isRough ? ROUGH : 0,
      });
      addStats(stats, closest.stats);
      pairs += closest.pairs;
      rounding = Math.max(rounding, closest.rounding);
      const { found } = closest;
      if (!found) continue;
      const [meshA, meshB] = [found.a.tree.mesh, found.b.tree.mesh];
      const pose = storedPose(meshA, meshB, parts.bToA);
      const toWorld = composePoses(aToWorld, batch.poseA);
      const witness = witnessOf(meshA, meshB, pose, [found.triangleA, found.triangleB], toWorld);
      if (best && witness.distance >= bound) continue;
      bound = witness.distance;
      upper = bound + found.a.in + found.b.in + closest.rounding;
      best = {
        ...witness,
        objectA: a.objectOf(found.a.part),
        pieceA: a.pieceOf(found.a.part),
        objectB: b.objectOf(found.b.part),
        pieceB: b.pieceOf(found.b.part),
      };
      if (bound <= slack) break;
    } finally {
      near.release(batch);
    }
  }
  if (!best) return { ...NO_PARTS, bounds: [atMost, Infinity], stats };
  const lower = Math.max(0, bound - slack - a.out - b.out - rounding);
  return { ...best, bounds: [lower, upper], stats };
}
