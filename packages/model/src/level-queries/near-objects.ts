/**
 * How far objects of two sides are apart, each pair of them that may come within a distance.
 *
 * With a slack s, the closest level points found of two objects are D apart, and none of theirs are nearer than D − s.
 * So their originals are at most D + in apart, and at least D − s − out. Originals that are d apart have level points
 * at most d + out apart, so looking that far, and s beyond where nothing was found yet, finds every pair of objects
 * with originals that near; those with a lower bound beyond d are then left out. s + out + in is the error, which
 * bounds the interval.
 */
import { composePoses, relativePose } from 'impinge/internal/math/pose.js';
import { distanceRounding } from 'impinge/internal/mesh/stored-pose.js';
import { distancePlaced } from 'impinge/internal/query/pair/distance.js';
import { HitList, type OpenHit } from 'impinge/internal/query/pair/hit-list.js';
import type { HitsRequest } from 'impinge/internal/query/pair/pair-request.js';
import { addStats } from 'impinge/internal/query/pair/stats.js';
import type { NearParts } from './near-parts.js';

/** The objects at most `distance` apart, with bounds and points; nothing is counted. */
export async function nearObjects(
  near: NearParts,
  { bToA, aToWorld, distance }: Pick<HitsRequest, 'bToA' | 'aToWorld' | 'distance'>,
  error: number,
): Promise<HitList> {
  const { a, b } = near;
  const list = new HitList();
  const slack = Math.max(0, error - a.out - a.in - b.out - b.in);
  const out = a.out + b.out;
  /** How near the parts found come. */
  const nearest = new Map<OpenHit, number>();
  let rounding = 0;
  for (const pair of near.nearestFirst(bToA, () => distance + out)) {
    const hit = list.of(a.objectOf(pair.a), b.objectOf(pair.b));
    const before = nearest.get(hit);
    if (before !== undefined && (before <= slack || pair.gapSq > (before - slack) ** 2)) continue;
    const parts = { partsA: [pair.a], partsB: [pair.b] };
    const wait = near.hold(parts);
    if (wait) await wait;
    try {
      const poseA = a.poseOf(pair.a);
      const between = relativePose(poseA, composePoses(bToA, b.poseOf(pair.b)));
      const placed = { bToA: between, aToWorld: composePoses(aToWorld, poseA) };
      const [partA, partB] = [a.part(pair.a), b.part(pair.b)];
      const [meshA, meshB] = [partA.tree.mesh, partB.tree.mesh];
      const own = distanceRounding(meshA, meshB, between);
      rounding = Math.max(rounding, own);
      const farthest = before ?? (distance + out + slack + own) * (1 + 1e-14);
      const found = distancePlaced(meshA, meshB, placed, farthest, slack);
      addStats(list.stats, found.stats);
      const { distance: apart, pointA, pointB } = found;
      if (!pointA || !pointB || (before !== undefined && apart >= before)) continue;
      nearest.set(hit, apart);
      const upper = apart + partA.in + partB.in + own;
      hit.add({ count: 0, bounds: [0, upper], pointA, pointB });
    } finally {
      near.release(parts);
    }
  }
  for (const [hit, apart] of nearest) {
    hit.lower = Math.max(0, apart - slack - out - rounding);
    if (hit.lower > distance) hit.forget();
  }
  return list;
}
