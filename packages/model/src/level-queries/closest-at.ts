/** The distance of two sides at one error; the proof is in levels-target.ts. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { composePoses } from 'impinge/internal/math/pose.js';
import { storedPose } from 'impinge/internal/mesh/stored-pose.js';
import { NOWHERE, witnessOf } from 'impinge/internal/query/pair/closest-search.js';
import type { ClosestRequest } from 'impinge/internal/query/pair/pair-request.js';
import type { DistanceResult } from 'impinge/internal/query/pair/results.js';
import { addStats, noStats } from 'impinge/internal/query/pair/stats.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import { type ClosestParts, findClosestParts } from './closest-parts.js';
import type { NearParts } from './near-parts.js';

/** Volumes compared per pair of parts, on average, from which on it pays to enclose parts more closely. */
const HARD = 512;
/** Volumes compared after which any upper bound will do. */
const ENOUGH = 2048;

/** What a question has taken so far. */
export class Effort {
  readonly stats = noStats();
  #pairs = 0;

  add({ stats, pairs }: ClosestParts): void {
    addStats(this.stats, stats);
    this.#pairs += pairs;
  }

  get isHard(): boolean {
    return this.stats.volumeTests > HARD * this.#pairs;
  }
}

const NO_PARTS = { ...NOWHERE, objectA: -1, pieceA: -1, objectB: -1, pieceB: -1 };

/** The distance at one error. */
export interface ClosestAt {
  readonly answer: Omit<DistanceResult<PartsTarget>, 'error' | 'stats'>;
  /** False: some parts were left out, so there may be closer ones, and only the upper bound holds. */
  readonly isWhole: boolean;
}

interface ClosestAsk {
  readonly atMost: number;
  readonly error: number;
  readonly upperWillDo: boolean;
}

/** The distance at one error, if it is at most `atMost`; where an upper bound will do, that of a few near parts. */
export async function closestAt(
  near: NearParts,
  request: Pick<ClosestRequest, 'bToA' | 'aToWorld'>,
  ask: ClosestAsk,
  effort: Effort,
): Promise<ClosestAt> {
  const search = closestSearch(near, request, ask, effort);
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
): ClosestAt {
  const { done, value } = closestSearch(near, request, ask, new Effort()).next();
  if (!done) throw new ImpingeError('bad-input', 'the store cannot be read synchronously');
  return value;
}

/** Yields what has to be waited for. */
function* closestSearch(
  near: NearParts,
  { bToA, aToWorld }: Pick<ClosestRequest, 'bToA' | 'aToWorld'>,
  { atMost, error, upperWillDo }: ClosestAsk,
  effort: Effort,
): Generator<Promise<void>, ClosestAt, void> {
  const { a, b } = near;
  const slack = Math.max(0, error - a.out - a.in - b.out - b.in);
  let bound = atMost + a.out + b.out;
  let best: Omit<DistanceResult<PartsTarget>, 'bounds' | 'error' | 'stats'> | undefined;
  let upper = Infinity;
  let rounding = 0;
  let tests = 0;
  // nothing farther apart than this is of interest
  const farthest = () => (best ? bound - slack : bound);
  const few = upperWillDo ? near.nearestFew(bToA, bound) : undefined;
  let isWhole = few?.isAll ?? true;
  for (const batch of few?.batches ?? near.nearestBatches(bToA, farthest)) {
    if (upperWillDo && best && tests > ENOUGH) {
      isWhole = false;
      break;
    }
    const wait = near.hold(batch);
    if (wait) yield wait;
    try {
      const parts = near.parts(batch, bToA);
      const closest = findClosestParts(parts, { bound, slack, isFirst: !best, isHard: effort.isHard });
      effort.add(closest);
      tests += closest.stats.volumeTests;
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
  if (!best) return { answer: { ...NO_PARTS, bounds: [atMost, Infinity] }, isWhole };
  const lower = Math.max(0, bound - slack - a.out - b.out - rounding);
  return { answer: { ...best, bounds: [lower, upper] }, isWhole };
}
