/**
 * Which triangles of two posed meshes come within a distance: the walk of collide.ts with lower bounds of the squared
 * distance in place of overlap, nearest children first.
 * Layout: the stack holds entries of near.ts; as many as in collide.ts suffice.
 */
import { BLOCK_BYTES, EMPTY, PENDING_BIT, ROW_REF, TREE_BLOCKS, isLeaf } from './layout';
import {
  DONE, Q_BOUND, Q_EXACT_TESTS, Q_LIMIT, Q_PAIR_COUNT, Q_STACK, Q_STACK_TOP, Q_STARTED, Q_TREE_A, Q_TREE_B,
  Q_VOLUME_TESTS, addCount, addDoubt, addPair, askForTreelet, fullOutput,
} from './context';
import { boxSize, forgetOne } from './obb';
import { exactTriangleA, exactTriangleB, forgetLeaves, leafCandidates, pairKey } from './leaf';
import { ENTRY, pushNear, squareUp } from './near';
import { DOUBT, YES, triangleDistanceSq, triangleTriangle } from './triangles';

/** Reports every pair at a distance of at most Q_BOUND, up to the limit. */
export function within(query: usize): i32 {
  forgetLeaves();
  forgetOne();
  const treeA: usize = load<u32>(query, Q_TREE_A);
  const treeB: usize = load<u32>(query, Q_TREE_B);
  const blocksA = treeA + load<u32>(treeA, TREE_BLOCKS);
  const blocksB = treeB + load<u32>(treeB, TREE_BLOCKS);
  const stack: usize = load<u32>(query, Q_STACK);
  const limit = load<u32>(query, Q_LIMIT);
  const bound = load<f64>(query, Q_BOUND);
  const boundSq = bound * bound;
  const limitSq = squareUp(bound);
  let top = stack + load<u32>(query, Q_STACK_TOP);
  if (!load<u32>(query, Q_STARTED)) {
    store<u32>(query, 1, Q_STARTED);
    for (let lane: usize = 0; lane < 16; lane += 4) {
      if (load<u32>(blocksA + lane, ROW_REF) != EMPTY) top = pushNear(query, top, blocksA + lane, blocksB, true, limitSq);
    }
    addCount(query, Q_VOLUME_TESTS, 16);
  }
  let status = DONE;
  while (top > stack) {
    const slotA: usize = load<u32>(top - 16);
    const slotB: usize = load<u32>(top - 12);
    const refA = load<u32>(slotA, ROW_REF);
    const refB = load<u32>(slotB, ROW_REF);
    if (isLeaf(refA) && isLeaf(refB)) {
      status = fullOutput(query);
      if (status != DONE) break;
      top -= ENTRY;
      let mask = leafCandidates(query, refA, refB, <f32>bound, 0);
      while (mask) {
        const bit = ctz(mask);
        mask &= mask - 1;
        const i = bit >> 2;
        const j = bit & 3;
        addCount(query, Q_EXACT_TESTS, 1);
        const a = exactTriangleA(query, i);
        const b = exactTriangleB(query, j);
        const meet = triangleTriangle(a, b);
        // at 0 only meeting pairs count, and that is decided exactly
        if (meet == YES || (boundSq > 0 && triangleDistanceSq(a, b) <= boundSq)) {
          addPair(query, pairKey(i, j));
        } else if (meet == DOUBT) {
          // farther than the bound unless they cross: the host decides that
          addDoubt(query, pairKey(i, j));
        }
      }
      if (load<u32>(query, Q_PAIR_COUNT) >= limit) break;
      continue;
    }
    addCount(query, Q_VOLUME_TESTS, 4);
    if (isLeaf(refB) || (!isLeaf(refA) && boxSize(slotA) >= boxSize(slotB))) {
      if (refA & PENDING_BIT) { status = askForTreelet(query, true, slotA); break; }
      top = pushNear(query, top - ENTRY, slotB, blocksA + BLOCK_BYTES * <usize>refA, false, limitSq);
    } else {
      if (refB & PENDING_BIT) { status = askForTreelet(query, false, slotB); break; }
      top = pushNear(query, top - ENTRY, slotA, blocksB + BLOCK_BYTES * <usize>refB, true, limitSq);
    }
  }
  store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  return status;
}

// Tried and dropped: best first (closest.ts) for the first pair within the distance. It looks for the closest pair where
// any would do: over 200 poses of two scans it tested four times as many boxes as this walk.
