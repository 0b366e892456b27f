/**
 * Pairs of original triangles, where the exact pieces of both sides are known: pairs of near pieces are pairs of
 * meshes. As `pairsOfParts` answers, without looking at the boxes of all pieces for each piece.
 */
import { type FoundPairs, joinPairs } from 'impinge/internal/query/pair/near-pairs.js';
import type { PairsRequest } from 'impinge/internal/query/pair/pair-request.js';
import type { CollideResult } from 'impinge/internal/query/pair/results.js';
import { addStats, noStats } from 'impinge/internal/query/pair/stats.js';
import { withinPlaced } from 'impinge/internal/query/pair/within.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import type { NearParts } from './near-parts.js';

/** The pairs of triangles at most `distance` apart. The parts of both sides are exact. */
export async function exactPairs(
  near: NearParts,
  { bToA, distance, limit }: Pick<PairsRequest, 'bToA' | 'distance' | 'limit'>,
): Promise<CollideResult<PartsTarget>> {
  const { a, b } = near;
  const found: FoundPairs[] = [];
  const stats = noStats();
  let left = limit;
  let complete = true;
  for (const batch of near.within(bToA, distance)) {
    const wait = near.hold(batch);
    if (wait) await wait;
    try {
      const parts = near.parts(batch, bToA);
      for (let i = 0; i < parts.a.length && complete; i++) {
        const [partA, partB] = [parts.a[i], parts.b[i]];
        // where there is no room for more, one that is left over tells that the list is not complete
        const most = Math.max(1, left);
        const met = withinPlaced(partA.tree.mesh, partB.tree.mesh, parts.bToA, most, distance);
        addStats(stats, met.stats);
        complete = met.complete && met.count <= left;
        if (met.count === 0 || left === 0) continue;
        left -= met.count;
        const [p, q] = [partA.part, partB.part];
        found.push({ a: placeIn(a, p), b: placeIn(b, q), pairs: met.pairs });
      }
    } finally {
      near.release(batch);
    }
    if (!complete) break;
  }
  return { ...joinPairs(found), complete, error: 0, stats };
}

function placeIn(side: NearParts['a'], part: number) {
  const [object, piece] = [side.objectOf(part), side.pieceOf(part)];
  return { slot: 2 ** 26 * object + piece, object, piece };
}
