/**
 * Which triangles of two posed meshes meet: both trees are walked together, depth first.
 *
 * Idea: a pair of boxes that may overlap is replaced by one box against the four children of the other, larger one,
 * so every step is one call of `overlap4`.
 * Layout: the stack holds pairs of slots (addresses of lanes), 8 bytes each. Each step takes one pair and leaves at
 * most four, one level deeper: 3 · (depth of a + depth of b) + 16 entries suffice, and depths stay below 72 (see build.ts).
 */
import { EMPTY, ROW_REF, TREE_BLOCKS, BLOCK_BYTES, isLeaf, PENDING_BIT } from './layout';
import {
  DONE, Q_A_TO_B, Q_B_TO_A, Q_EXACT_TESTS, Q_LIMIT, Q_PAIR_COUNT, Q_STACK, Q_STACK_TOP, Q_STARTED, Q_TREE_A,
  Q_TREE_B, Q_VOLUME_TESTS, addCount, addDoubt, addPair, askForTreelet, fullOutput,
} from './context';
import { boxSize, overlap4, prepareOne, forgetOne } from './obb';
import { exactTriangleA, exactTriangleB, forgetLeaves, leafCandidates, pairKey } from './leaf';
import { DOUBT, YES, triangleTriangle } from './triangles';
import { ONE, scratch } from './scratch';

/** Pushes the lanes of `block` that may overlap the box at `slot` (of side a when `slotIsA`). */
// @ts-ignore: decorator
@inline function pushLanes(query: usize, top: usize, slot: usize, block: usize, slotIsA: bool): usize {
  const one = scratch + ONE;
  prepareOne(slot, query + (slotIsA ? Q_A_TO_B : Q_B_TO_A), one);
  let mask = overlap4(one, block);
  while (mask) {
    const lane = block + 4 * <usize>ctz(mask);
    mask &= mask - 1;
    store<u32>(top, slotIsA ? slot : lane);
    store<u32>(top, slotIsA ? lane : slot, 4);
    top += 8;
  }
  return top;
}

/** Finds meeting triangles until done, or until the limit or an output's end is reached. */
export function collide(query: usize): i32 {
  forgetLeaves();
  forgetOne();
  const treeA: usize = load<u32>(query, Q_TREE_A);
  const treeB: usize = load<u32>(query, Q_TREE_B);
  const blocksA = treeA + load<u32>(treeA, TREE_BLOCKS);
  const blocksB = treeB + load<u32>(treeB, TREE_BLOCKS);
  const stack: usize = load<u32>(query, Q_STACK);
  const limit = load<u32>(query, Q_LIMIT);
  let top = stack + load<u32>(query, Q_STACK_TOP);
  if (!load<u32>(query, Q_STARTED)) {
    store<u32>(query, 1, Q_STARTED);
    for (let lane: usize = 0; lane < 16; lane += 4) {
      if (load<u32>(blocksA + lane, ROW_REF) != EMPTY) top = pushLanes(query, top, blocksA + lane, blocksB, true);
    }
    addCount(query, Q_VOLUME_TESTS, 16);
  }
  let status = DONE;
  while (top > stack) {
    const slotA: usize = load<u32>(top - 8);
    const slotB: usize = load<u32>(top - 4);
    const refA = load<u32>(slotA, ROW_REF);
    const refB = load<u32>(slotB, ROW_REF);
    if (isLeaf(refA) && isLeaf(refB)) {
      status = fullOutput(query);
      if (status != DONE) break;
      top -= 8;
      let mask = leafCandidates(query, refA, refB, 0, 0);
      while (mask) {
        const bit = ctz(mask);
        mask &= mask - 1;
        const i = bit >> 2;
        const j = bit & 3;
        addCount(query, Q_EXACT_TESTS, 1);
        const answer = triangleTriangle(exactTriangleA(query, i), exactTriangleB(query, j));
        if (answer == YES) addPair(query, pairKey(i, j));
        else if (answer == DOUBT) addDoubt(query, pairKey(i, j));
      }
      if (load<u32>(query, Q_PAIR_COUNT) >= limit) break;
      continue;
    }
    addCount(query, Q_VOLUME_TESTS, 4);
    if (isLeaf(refB) || (!isLeaf(refA) && boxSize(slotA) >= boxSize(slotB))) {
      if (refA & PENDING_BIT) { status = askForTreelet(query, true, slotA); break; }
      top = pushLanes(query, top - 8, slotB, blocksA + BLOCK_BYTES * <usize>refA, false);
    } else {
      if (refB & PENDING_BIT) { status = askForTreelet(query, false, slotB); break; }
      top = pushLanes(query, top - 8, slotA, blocksB + BLOCK_BYTES * <usize>refB, true);
    }
  }
  store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  return status;
}
