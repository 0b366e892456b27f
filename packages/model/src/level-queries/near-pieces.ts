/** Which pairs of parts come within a distance of each other, each as a whole (see kernels/patches/near-patches.ts). */
import { arena } from 'impinge/internal/base/arena.js';
import { Q, Status } from 'impinge/internal/kernel/layout.generated.js';
import { pairRounding } from 'impinge/internal/mesh/stored-pose.js';
import { decideDoubts, UNLIMITED } from 'impinge/internal/query/pair/collide.js';
import { type QueryStats, tooFar } from 'impinge/internal/query/pair/context.js';
import { BatchQuery, type PartPairs } from './batch-query.js';
import { patchesKernels } from './kernels.generated.js';
import { ANSWER_BYTES, BatchField } from './layout.generated.js';
import { orderAt } from './near-patches.js';

export interface PiecesAsk {
  /** Of each pair: how near its surfaces have to come. */
  readonly reaches: Float64Array;
  /** Of each pair: two triangles to try first, EMPTY where none are known. Overwritten by those that are near. */
  readonly tried: Uint32Array;
}

export interface NearPieces {
  /** Of each pair: how near two of its triangles are at most; Infinity where nothing comes within its reach. */
  readonly apart: Float64Array;
  /** What distances of these parts lose to rounding at most. */
  readonly rounding: number;
  /** Whether trees were built further. */
  readonly isGrown: boolean;
  readonly stats: QueryStats;
}

const ANSWER_WORDS = ANSWER_BYTES / 4;

/**
 * Decides for each pair of parts whether triangles of it come within its reach. The answer depends on nothing but the
 * parts and their pose: whatever is nearer by more than rounding is found.
 */
export function findNearPieces(parts: PartPairs, { reaches, tried }: PiecesAsk): NearPieces {
  const query = new BatchQuery(parts, { limit: UNLIMITED });
  try {
    query.setWord(Q.pairCapacity, Math.floor((2 * query.word(Q.pairCapacity)) / ANSWER_WORDS));
    arena().f32()[(query.block + BatchField.patch) >>> 2] = Infinity;
    query.writeTried(tried);
    query.writeNumbers((a, b, pair) => {
      const rounding = pairRounding(a.tree.mesh, b.tree.mesh, query.pose);
      const bound = reaches[pair] * (1 + 1e-14) + rounding;
      return [bound, bound];
    });
    const apart = new Float64Array(reaches.length).fill(Infinity);
    let adaptiveTests = 0;
    let isGrown = false;
    let status: number;
    do {
      status = patchesKernels.kernels().nearPatches(query.block);
      if (status === Status.tooFar) throw tooFar();
      takeAnswers(query, apart, tried);
      if (status === Status.doubtsFull) {
        const doubts = query.takeDoubts();
        adaptiveTests += doubts.length;
        for (const key of decideDoubts(query, doubts, 1)) {
          apart[query.cursor] = 0;
          tried[2 * query.cursor] = Number(key >> 32n);
          tried[2 * query.cursor + 1] = Number(key & 0xffffffffn);
        }
      }
      if (status === Status.needTreelet) {
        query.expand();
        isGrown = true;
      }
    } while (status !== Status.done);
    return { apart, rounding: query.rounding, isGrown, stats: query.stats(adaptiveTests) };
  } finally {
    query.release();
  }
}

function takeAnswers(query: BatchQuery, apart: Float64Array, tried: Uint32Array): void {
  const memory = arena();
  const words = memory.u32();
  const floats = memory.f32();
  const count = query.word(Q.pairsFound);
  for (let i = 0, at = query.word(Q.pairs) >>> 2; i < count; i++, at += ANSWER_WORDS) {
    const pair = words[at];
    apart[pair] = Math.min(apart[pair], floats[at + 8]);
    if (words[at + 3] === 0) continue; // those tried
    tried[2 * pair] = words[orderAt(query.partA(pair).tree) + words[at + 5]];
    tried[2 * pair + 1] = words[orderAt(query.partB(pair).tree) + words[at + 6]];
  }
  query.setWord(Q.pairsFound, 0);
}
