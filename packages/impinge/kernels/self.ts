/**
 * Which triangles of one mesh meet each other: the tree is walked against itself.
 *
 * Idea: a subtree against itself is each of its children against itself, and each pair of children once. Triangles
 * that share a corner (by number, or by place in a soup) are neighbours and not reported.
 * Layout: as in collide.ts; an entry whose two slots are equal stands for a subtree against itself. Such an entry
 * leaves at most ten, of which only those of one path are ever open: 9 · 72 + 3 · 72 + 16 < 1024 entries.
 */
import { BLOCK_BYTES, EMPTY, PENDING_BIT, ROW_REF, TREE_BLOCKS, isLeaf, leafCount } from './layout';
import {
  DONE, Q_B_TO_A, Q_EXACT_TESTS, Q_LIMIT, Q_PAIR_COUNT, Q_STACK, Q_STACK_TOP, Q_STARTED, Q_TREE_A, Q_VOLUME_TESTS,
  addCount, addDoubt, addPair, askForTreelet, fullOutput,
} from './context';
import { boxSize, overlap4, prepareOne, forgetOne } from './obb';
import { exactTriangleA, exactTriangleB, forgetLeaves, leafCandidates, numberNeighbours, sharesPlace, sortedPairKey } from './leaf';
import { NO, YES, triangleTriangle } from './triangles';
import { ONE, scratch } from './scratch';

// @ts-ignore: decorator
@inline function push(top: usize, slotA: usize, slotB: usize): usize {
  store<u32>(top, <u32>slotA);
  store<u32>(top, <u32>slotB, 4);
  return top + 8;
}

/** Pushes the children of `block` against themselves and against each other. */
function pushSelf(query: usize, top: usize, block: usize): usize {
  const one = scratch + ONE;
  for (let lane: u32 = 0; lane < 4; lane++) {
    const slot = block + 4 * <usize>lane;
    if (load<u32>(slot, ROW_REF) == EMPTY) continue;
    top = push(top, slot, slot);
    if (lane == 3) continue;
    prepareOne(slot, query + Q_B_TO_A, one);
    let mask = overlap4(one, block) & ~((2 << lane) - 1);
    while (mask) {
      top = push(top, slot, block + 4 * <usize>ctz(mask));
      mask &= mask - 1;
    }
  }
  return top;
}

/** Finds meeting, non-adjacent triangles of one mesh, each pair once with the smaller number first. */
export function selfCollide(query: usize): i32 {
  forgetLeaves();
  forgetOne();
  const tree: usize = load<u32>(query, Q_TREE_A);
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  const stack: usize = load<u32>(query, Q_STACK);
  const limit = load<u32>(query, Q_LIMIT);
  let top = stack + load<u32>(query, Q_STACK_TOP);
  if (!load<u32>(query, Q_STARTED)) {
    store<u32>(query, 1, Q_STARTED);
    top = pushSelf(query, top, blocks);
    addCount(query, Q_VOLUME_TESTS, 6);
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
      if (slotA == slotB) mask &= 0x08ce; // j > i only
      if (mask) mask &= ~numberNeighbours(leafCount(refA));
      while (mask) {
        const bit = ctz(mask);
        mask &= mask - 1;
        const i = bit >> 2;
        const j = bit & 3;
        addCount(query, Q_EXACT_TESTS, 1);
        const answer = triangleTriangle(exactTriangleA(query, i), exactTriangleB(query, j));
        if (answer == NO || sharesPlace(query, i, j)) continue;
        if (answer == YES) addPair(query, sortedPairKey(i, j));
        else addDoubt(query, sortedPairKey(i, j));
      }
      if (load<u32>(query, Q_PAIR_COUNT) >= limit) break;
      continue;
    }
    const openA = isLeaf(refB) || (!isLeaf(refA) && boxSize(slotA) >= boxSize(slotB));
    if ((openA ? refA : refB) & PENDING_BIT) { status = askForTreelet(query, openA, openA ? slotA : slotB); break; }
    top -= 8;
    const block = blocks + BLOCK_BYTES * <usize>(openA ? refA : refB);
    if (slotA == slotB) {
      addCount(query, Q_VOLUME_TESTS, 6);
      top = pushSelf(query, top, block);
    } else {
      addCount(query, Q_VOLUME_TESTS, 4);
      const other = openA ? slotB : slotA;
      prepareOne(other, query + Q_B_TO_A, scratch + ONE);
      let mask = overlap4(scratch + ONE, block);
      while (mask) {
        const lane = block + 4 * <usize>ctz(mask);
        mask &= mask - 1;
        top = push(top, openA ? lane : slotA, openA ? slotB : lane);
      }
    }
  }
  store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  return status;
}
