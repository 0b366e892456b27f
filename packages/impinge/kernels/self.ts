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
  DONE, DOUBTS_FULL, PAIRS_FULL, Q_B_TO_A, Q_DOUBTS, Q_DOUBT_CAPACITY, Q_DOUBT_COUNT, Q_EXACT_TESTS, Q_LIMIT,
  Q_PAIRS, Q_PAIR_CAPACITY, Q_PAIR_COUNT, Q_STACK, Q_STACK_TOP, Q_STARTED, Q_TREE_A, Q_VOLUME_TESTS, askForTreelet,
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
  const pairs: usize = load<u32>(query, Q_PAIRS);
  const pairCapacity = load<u32>(query, Q_PAIR_CAPACITY);
  const doubts: usize = load<u32>(query, Q_DOUBTS);
  const doubtCapacity = load<u32>(query, Q_DOUBT_CAPACITY);
  let pairCount = load<u32>(query, Q_PAIR_COUNT);
  let doubtCount = load<u32>(query, Q_DOUBT_COUNT);
  let volumeTests = load<u32>(query, Q_VOLUME_TESTS);
  let exactTests = load<u32>(query, Q_EXACT_TESTS);
  let top = stack + load<u32>(query, Q_STACK_TOP);
  if (!load<u32>(query, Q_STARTED)) {
    store<u32>(query, 1, Q_STARTED);
    top = pushSelf(query, top, blocks);
    volumeTests += 6;
  }
  let status = DONE;
  while (top > stack) {
    const slotA: usize = load<u32>(top - 8);
    const slotB: usize = load<u32>(top - 4);
    const refA = load<u32>(slotA, ROW_REF);
    const refB = load<u32>(slotB, ROW_REF);
    if (isLeaf(refA) && isLeaf(refB)) {
      if (pairCount + 16 > pairCapacity) { status = PAIRS_FULL; break; }
      if (doubtCount + 16 > doubtCapacity) { status = DOUBTS_FULL; break; }
      top -= 8;
      let mask = leafCandidates(query, refA, refB, 0, 0);
      if (slotA == slotB) mask &= 0x08ce; // j > i only
      if (mask) mask &= ~numberNeighbours(leafCount(refA));
      while (mask) {
        const bit = ctz(mask);
        mask &= mask - 1;
        const i = bit >> 2;
        const j = bit & 3;
        exactTests++;
        const answer = triangleTriangle(exactTriangleA(query, i), exactTriangleB(query, j));
        if (answer == NO || sharesPlace(query, i, j)) continue;
        if (answer == YES) {
          store<u64>(pairs + 8 * <usize>pairCount, sortedPairKey(i, j));
          pairCount++;
        } else {
          store<u64>(doubts + 8 * <usize>doubtCount, sortedPairKey(i, j));
          doubtCount++;
        }
      }
      if (pairCount >= limit) break;
      continue;
    }
    const openA = isLeaf(refB) || (!isLeaf(refA) && boxSize(slotA) >= boxSize(slotB));
    if ((openA ? refA : refB) & PENDING_BIT) { status = askForTreelet(query, openA, openA ? slotA : slotB); break; }
    top -= 8;
    const block = blocks + BLOCK_BYTES * <usize>(openA ? refA : refB);
    if (slotA == slotB) {
      volumeTests += 6;
      top = pushSelf(query, top, block);
    } else {
      volumeTests += 4;
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
  store<u32>(query, pairCount, Q_PAIR_COUNT);
  store<u32>(query, doubtCount, Q_DOUBT_COUNT);
  store<u32>(query, volumeTests, Q_VOLUME_TESTS);
  store<u32>(query, exactTests, Q_EXACT_TESTS);
  return status;
}
