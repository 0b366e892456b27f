/**
 * Pairs of original triangles, where the exact pieces of both sides are known: pairs of near pieces are pairs of
 * meshes. As PartsEngine.pairs answers, without looking at the boxes of all pieces for each piece.
 */
import type { EngineCollideResult, PairsRequest } from 'impinge/internal/query/pair/engine.js';
import { addStats } from 'impinge/internal/query/pair/hit-list.js';
import { joinPairs, type PartPairs } from 'impinge/internal/query/pair/parts-engine.js';
import { withinPlaced } from 'impinge/internal/query/pair/within.js';
import type { NearParts } from './near-parts.js';

/** The pairs of triangles at most `distance` apart. The parts of both sides are exact. */
export async function exactPairs(
  near: NearParts,
  { bToA, distance, limit }: Pick<PairsRequest, 'bToA' | 'distance' | 'limit'>,
): Promise<EngineCollideResult> {
  const { a, b } = near;
  const found: PartPairs[] = [];
  const stats = { volumeTests: 0, triangleTests: 0, exactTests: 0, adaptiveTests: 0 };
  let left = limit;
  let complete = true;
  for (const batch of near.within(bToA, distance)) {
    const wait = near.hold(batch);
    if (wait) await wait;
    try {
      const parts = near.parts(batch, bToA);
      for (let i = 0; i < batch.pairs.length && complete; i += 2) {
        const partA = parts.a[batch.pairs[i]];
        const partB = parts.b[batch.pairs[i + 1]];
        // where there is no room for more, one that is left over tells that the list is not complete
        const most = Math.max(1, left);
        const met = withinPlaced(partA.tree.mesh, partB.tree.mesh, parts.bToA, most, distance);
        addStats(stats, met.stats);
        complete = met.complete && met.count <= left;
        if (met.count === 0 || left === 0) continue;
        left -= met.count;
        const [p, q] = [partA.part, partB.part];
        found.push({ place: [a.objectOf(p), a.pieceOf(p), b.objectOf(q), b.pieceOf(q)], pairs: met.pairs });
      }
    } finally {
      near.release(batch);
    }
    if (!complete) break;
  }
  return { ...joinPairs(found), complete, error: 0, stats };
}
