/**
 * Which triangles of two posed meshes, or of one mesh, meet or come within a distance: the trees are walked together,
 * depth first.
 *
 * Idea: a pair of boxes that may contain such triangles is replaced by pairs of one box with the four children of the
 * other, larger one, so every step is one test of four boxes. A subtree against itself becomes each of its children
 * against itself, and each pair of children once. The three questions share one walk: `asked` is a compile-time
 * constant, so branches for the other questions are removed.
 * Layout: the stack holds pairs of slots (addresses of lanes), 8 bytes each; for a distance, entries of near.ts. Each
 * step pops one pair and pushes at most four, one step deeper: 3 · (depth of a + depth of b) + 16 entries suffice, and
 * depths stay below 72 (see build.ts). Two equal slots represent a subtree against itself, which pushes at most ten
 * pairs, of which only those of one path are open at a time: 9 · 72 + 3 · 72 + 16 < 1024 entries.
 */
import { BLOCK_BYTES, EMPTY, PENDING_BIT, ROW_REF, TREE_BLOCKS, isLeaf, leafCount } from './layout';
import {
  DONE, Q_A_TO_B, Q_BOUND, Q_B_TO_A, Q_EXACT_TESTS, Q_LIMIT, Q_PAIRS_FOUND, Q_STACK, Q_STACK_TOP, Q_STARTED, Q_TREE_A,
  Q_TREE_B, Q_VOLUME_TESTS, addCount, addDoubt, addPair, askForTreelet, fullOutput,
} from './context';
import { boxSize, forgetOne, overlap4, prepareOne } from './obb';
import {
  exactTriangleA, exactTriangleB, forgetLeaves, leafCandidates, numberNeighbours, pairKey, sharesPlace, sortedPairKey,
} from './leaf';
import { ENTRY, pushNear, squareUp } from './near';
import { DOUBT, NO, YES, triangleDistanceSq, triangleTriangle } from './triangles';
import { ONE, scratch } from './scratch';

/**
 * Values of `asked`: triangles of two meshes that meet, or that come within Q_BOUND, or triangles of one mesh that
 * meet.
 */
const MEETING: i32 = 0;
const NEAR: i32 = 1;
const OWN: i32 = 2;

/** Finds meeting triangles until done, or until the limit or the end of an output is reached. */
export function collide(query: usize): i32 { return walk(query, MEETING); }

/** Reports every pair at a distance of at most Q_BOUND, up to the limit. */
export function within(query: usize): i32 { return walk(query, NEAR); }

/**
 * Finds meeting triangles of one mesh, each pair once with the smaller number first. Triangles that share a corner (by
 * number, or by position in a soup) are neighbours and are not reported.
 */
export function selfCollide(query: usize): i32 { return walk(query, OWN); }

// @ts-ignore: decorator
@inline function walk(query: usize, asked: i32): i32 {
  forgetLeaves();
  forgetOne();
  const treeA: usize = load<u32>(query, Q_TREE_A);
  const treeB: usize = load<u32>(query, Q_TREE_B);
  const blocksA = treeA + load<u32>(treeA, TREE_BLOCKS);
  const blocksB = treeB + load<u32>(treeB, TREE_BLOCKS);
  const stack: usize = load<u32>(query, Q_STACK);
  const limit = load<u32>(query, Q_LIMIT);
  const bound: f64 = asked == NEAR ? load<f64>(query, Q_BOUND) : 0;
  const limitSq: f32 = asked == NEAR ? squareUp(bound) : 0;
  const entry: usize = asked == NEAR ? ENTRY : 8;
  let top = stack + load<u32>(query, Q_STACK_TOP);
  if (!load<u32>(query, Q_STARTED)) {
    store<u32>(query, 1, Q_STARTED);
    if (asked == OWN) top = pushOwn(query, top, blocksA);
    else {
      for (let lane: usize = 0; lane < 16; lane += 4) {
        if (load<u32>(blocksA + lane, ROW_REF) != EMPTY) top = pushLanes(query, top, blocksA + lane, blocksB, true, limitSq, asked);
      }
      addCount(query, Q_VOLUME_TESTS, 16);
    }
  }
  let status = DONE;
  while (top > stack) {
    const slotA: usize = load<u32>(top - entry);
    const slotB: usize = load<u32>(top - entry, 4);
    const refA = load<u32>(slotA, ROW_REF);
    const refB = load<u32>(slotB, ROW_REF);
    if (isLeaf(refA) && isLeaf(refB)) {
      status = fullOutput(query);
      if (status != DONE) break;
      top -= entry;
      let mask = leafCandidates(query, refA, refB, <f32>bound, 0);
      if (asked == OWN) {
        if (slotA == slotB) mask &= 0x08ce; // j > i only
        if (mask) mask &= ~numberNeighbours(leafCount(refA));
      }
      while (mask) {
        const bit = ctz(mask);
        mask &= mask - 1;
        testPair(query, bit >> 2, bit & 3, bound * bound, asked);
      }
      if (load<u32>(query, Q_PAIRS_FOUND) >= limit) break;
      continue;
    }
    if (asked == OWN && slotA == slotB) {
      if (refA & PENDING_BIT) { status = askForTreelet(query, true, slotA); break; }
      top = pushOwn(query, top - entry, blocksA + BLOCK_BYTES * <usize>refA);
      continue;
    }
    addCount(query, Q_VOLUME_TESTS, 4);
    if (isLeaf(refB) || (!isLeaf(refA) && boxSize(slotA) >= boxSize(slotB))) {
      if (refA & PENDING_BIT) { status = askForTreelet(query, true, slotA); break; }
      top = pushLanes(query, top - entry, slotB, blocksA + BLOCK_BYTES * <usize>refA, false, limitSq, asked);
    } else {
      if (refB & PENDING_BIT) { status = askForTreelet(query, false, slotB); break; }
      top = pushLanes(query, top - entry, slotA, blocksB + BLOCK_BYTES * <usize>refB, true, limitSq, asked);
    }
  }
  store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  return status;
}

/** Pushes the lanes of `block` that may form a requested pair with the box at `slot` (of side a if `slotIsA`). */
// @ts-ignore: decorator
@inline function pushLanes(query: usize, top: usize, slot: usize, block: usize, slotIsA: bool, limitSq: f32, asked: i32): usize {
  if (asked == NEAR) return pushNear(query, top, slot, block, slotIsA, limitSq);
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

/** Pushes the children of `block` paired with themselves and with each other. */
function pushOwn(query: usize, top: usize, block: usize): usize {
  const one = scratch + ONE;
  addCount(query, Q_VOLUME_TESTS, 6);
  for (let lane: u32 = 0; lane < 4; lane++) {
    const slot = block + 4 * <usize>lane;
    if (load<u32>(slot, ROW_REF) == EMPTY) continue;
    store<u32>(top, <u32>slot);
    store<u32>(top, <u32>slot, 4);
    top += 8;
    if (lane == 3) continue;
    prepareOne(slot, query + Q_B_TO_A, one);
    let mask = overlap4(one, block) & ~((2 << lane) - 1);
    while (mask) {
      store<u32>(top, <u32>slot);
      store<u32>(top, <u32>(block + 4 * <usize>ctz(mask)), 4);
      mask &= mask - 1;
      top += 8;
    }
  }
  return top;
}

/** Decides about triangles i and j of the loaded leaves, or leaves them to the host. */
// @ts-ignore: decorator
@inline function testPair(query: usize, i: u32, j: u32, boundSq: f64, asked: i32): void {
  addCount(query, Q_EXACT_TESTS, 1);
  const a = exactTriangleA(query, i);
  const b = exactTriangleB(query, j);
  const meet = triangleTriangle(a, b);
  if (asked == OWN && (meet == NO || sharesPlace(query, i, j))) return;
  const key = asked == OWN ? sortedPairKey(i, j) : pairKey(i, j);
  if (meet == YES) addPair(query, key);
  // at 0, only meeting pairs count, and that is decided exactly
  else if (asked == NEAR && boundSq > 0 && triangleDistanceSq(a, b) <= boundSq) addPair(query, key);
  // a doubt although there is a bound: they are farther apart than the bound unless they cross
  else if (meet == DOUBT) addDoubt(query, key);
}

// Tried and dropped: a best-first search (closest.ts) for the first pair within the distance. It looks for the closest
// pair where any would do: over 200 poses of two scans it tested four times as many boxes as this walk.
