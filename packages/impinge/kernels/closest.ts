/**
 * The closest triangles of two posed meshes, in two searches over pairs of boxes.
 *
 * Idea: a best-first search visits the fewest pairs, but may have to store all of them. A depth-first search stores
 * next to nothing, but goes astray as long as its best pair is bad. So the first search is best first with a heap of
 * fixed size. Overlapping boxes have no lower bound to sort by; among them the deeper pair comes first. If the heap
 * never overflowed, its result is the answer. If it overflowed, or the search took too many steps, it has at least
 * found a good pair, and a depth-first search finishes with that bound.
 *
 * Layout: the heap (in place of the pairs) and the stack hold entries of near.ts. The bound of a heap entry is −depth
 * where the boxes overlap. The stack is bounded as in pairs.ts; the heap holds Q_PAIR_CAPACITY / 2 entries.
 */
import { BLOCK_BYTES, EMPTY, PENDING_BIT, ROW_REF, TREE_BLOCKS, isLeaf } from './layout';
import {
  DONE, DOUBTS_FULL, Q_BEST_A, Q_BEST_B, Q_BOUND, Q_DOUBT_CAPACITY, Q_DOUBT_COUNT, Q_EXACT_TESTS, Q_HEAP_COUNT,
  Q_HEAP_STEPS, Q_PAIRS, Q_PAIR_CAPACITY, Q_SHARE, Q_SLACK, Q_STACK, Q_STACK_TOP, Q_STARTED, Q_TREE_A, Q_TREE_B, Q_VOLUME_TESTS,
  addCount, addDoubt, askForTreelet,
} from './context';
import { boxSize, forgetOne } from './obb';
import { exactTriangleA, exactTriangleB, forgetLeaves, idA, idB, leafCandidates, pairKey } from './leaf';
import { ENTRY, boundOf, nearLanes, pushNear, slotPair, squareUp } from './near';
import { DOUBT, YES, gapX, gapY, gapZ, triangleDistanceSq, triangleTriangle } from './triangles';
import { DIRECTION, scratch } from './scratch';

// values of Q_STARTED: the search in progress
const BEST_FIRST: u32 = 2;
const DEPTH_FIRST: u32 = 1;
/** Not 0: 0 may be the rounded distance of a pair that does not quite touch, while another one does. */
const CROSSING: f64 = -1;
/** Maximum number of pairs that the best-first search opens before the depth-first search takes over. */
const STEPS: u32 = 8192;

/**
 * Reduces Q_BOUND to the smallest distance and names the pair (Q_BEST_A stays EMPTY if no pair is below the given
 * bound). A crossing pair sets the bound to 0 and ends the search; pairs that may touch are added to the doubts. With
 * Q_SLACK and Q_SHARE, only pairs that are closer by more than both together are searched for.
 */
export function closest(query: usize): i32 {
  forgetLeaves();
  forgetOne();
  if (load<u32>(query, Q_STARTED) != DEPTH_FIRST) {
    const status = bestFirst(query);
    if (status != DONE || load<u32>(query, Q_STARTED) == BEST_FIRST) return status;
  }
  return depthFirst(query);
}

/** Tests the triangles of two leaves. Returns the bound, reduced if a pair is closer, or CROSSING if a pair crosses. */
function shrinkInLeaves(query: usize, refA: u32, refB: u32, bound: f64): f64 {
  const direction = load<u32>(query, Q_BEST_A) != EMPTY ? scratch + DIRECTION : 0;
  let mask = leafCandidates(query, refA, refB, <f32>below(query, bound), direction);
  while (mask) {
    const bit = ctz(mask);
    mask &= mask - 1;
    const i = bit >> 2;
    const j = bit & 3;
    addCount(query, Q_EXACT_TESTS, 1);
    const a = exactTriangleA(query, i);
    const b = exactTriangleB(query, j);
    const meet = triangleTriangle(a, b);
    if (meet == YES) {
      store<u32>(query, idA(i), Q_BEST_A);
      store<u32>(query, idB(j), Q_BEST_B);
      return CROSSING;
    }
    if (meet == DOUBT) {
      // they may touch: the host decides, but the bound follows the distance in any case
      addDoubt(query, pairKey(i, j));
    }
    const d = triangleDistanceSq(a, b);
    if (d <= bound * bound && bound > 0) { // at 0, only pairs that meet can be closer
      bound = sqrt(d);
      store<u32>(query, idA(i), Q_BEST_A);
      store<u32>(query, idB(j), Q_BEST_B);
      const unit = 0.9999995 / sqrt(gapX * gapX + gapY * gapY + gapZ * gapZ + 1e-300);
      store<f32>(scratch + DIRECTION, <f32>(gapX * unit));
      store<f32>(scratch + DIRECTION, <f32>(gapY * unit), 4);
      store<f32>(scratch + DIRECTION, <f32>(gapZ * unit), 8);
    }
  }
  return bound;
}

/** Only pairs closer than this matter. */
// @ts-ignore: decorator
@inline export function below(query: usize, bound: f64): f64 {
  return max<f64>(0, bound * (1 - <f64>load<f32>(query, Q_SHARE)) - load<f64>(query, Q_SLACK));
}

/** Whether no pair can be closer by more than the slack. */
// @ts-ignore: decorator
@inline function isCloseEnough(query: usize, bound: f64): bool { return bound <= load<f64>(query, Q_SLACK) && bound > 0; }

// @ts-ignore: decorator
@inline function doubtsAreFull(query: usize): bool {
  return load<u32>(query, Q_DOUBT_COUNT) + 16 > load<u32>(query, Q_DOUBT_CAPACITY);
}

// @ts-ignore: decorator
@inline function move(from: usize, to: usize): void {
  store<u64>(to, load<u64>(from));
  store<f32>(to, load<f32>(from, 8), 8);
  store<u32>(to, load<u32>(from, 12), 12);
}

/** Adds an entry to the heap of `count` entries. */
// @ts-ignore: decorator
@inline function heapPush(heap: usize, count: u32, slots: u64, key: f32, depth: u32): void {
  let i = count;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (load<f32>(heap + ENTRY * <usize>parent, 8) <= key) break;
    move(heap + ENTRY * <usize>parent, heap + ENTRY * <usize>i);
    i = parent;
  }
  const at = heap + ENTRY * <usize>i;
  store<u64>(at, slots);
  store<f32>(at, key, 8);
  store<u32>(at, depth, 12);
}

/** Removes the first entry of a heap of `count` entries. */
// @ts-ignore: decorator
@inline function heapPop(heap: usize, count: u32): void {
  const last = heap + ENTRY * <usize>(count - 1);
  const key = load<f32>(last, 8);
  const end = count - 1;
  let i: u32 = 0;
  while (true) {
    let child: u32 = 2 * i + 1;
    if (child >= end) break;
    if (child + 1 < end && load<f32>(heap + ENTRY * <usize>(child + 1), 8) < load<f32>(heap + ENTRY * <usize>child, 8)) child++;
    if (key <= load<f32>(heap + ENTRY * <usize>child, 8)) break;
    move(heap + ENTRY * <usize>child, heap + ENTRY * <usize>i);
    i = child;
  }
  move(last, heap + ENTRY * <usize>i);
}

/** Leaves Q_STARTED at BEST_FIRST if it has the answer or must be called again, otherwise at DEPTH_FIRST. */
function bestFirst(query: usize): i32 {
  const treeA: usize = load<u32>(query, Q_TREE_A);
  const treeB: usize = load<u32>(query, Q_TREE_B);
  const blocksA = treeA + load<u32>(treeA, TREE_BLOCKS);
  const blocksB = treeB + load<u32>(treeB, TREE_BLOCKS);
  const heap: usize = load<u32>(query, Q_PAIRS);
  const capacity = load<u32>(query, Q_PAIR_CAPACITY) >> 1;
  let count = load<u32>(query, Q_HEAP_COUNT);
  let steps = load<u32>(query, Q_HEAP_STEPS);
  let bound = load<f64>(query, Q_BOUND);
  let limitSq = squareUp(below(query, bound));
  let volumeTests = load<u32>(query, Q_VOLUME_TESTS);
  let status = DONE;
  let overflow = false;
  if (!load<u32>(query, Q_STARTED)) {
    store<u32>(query, BEST_FIRST, Q_STARTED);
    volumeTests += 16;
    for (let lane: usize = 0; lane < 16; lane += 4) {
      if (load<u32>(blocksA + lane, ROW_REF) == EMPTY) continue;
      let mask = nearLanes(query, blocksA + lane, blocksB, true, limitSq);
      while (mask) {
        const other = <usize>ctz(mask);
        mask &= mask - 1;
        const key = boundOf(other);
        heapPush(heap, count++, slotPair(blocksA + lane, blocksB + 4 * other, true), key > 0 ? key : -1, 1);
      }
    }
  }
  while (count > 0 && load<f32>(heap, 8) <= limitSq) {
    const slotA: usize = load<u32>(heap);
    const slotB: usize = load<u32>(heap, 4);
    const depth = load<u32>(heap, 12) + 1;
    const refA = load<u32>(slotA, ROW_REF);
    const refB = load<u32>(slotB, ROW_REF);
    if (isLeaf(refA) && isLeaf(refB)) {
      if (doubtsAreFull(query)) { status = DOUBTS_FULL; break; }
      heapPop(heap, count--);
      bound = shrinkInLeaves(query, refA, refB, bound);
      if (bound == CROSSING) { bound = 0; count = 0; break; }
      if (isCloseEnough(query, bound)) { count = 0; break; }
      limitSq = squareUp(below(query, bound));
      continue;
    }
    const openA = isLeaf(refB) || (!isLeaf(refA) && boxSize(slotA) >= boxSize(slotB));
    const ref = openA ? refA : refB;
    if (ref & PENDING_BIT) { status = askForTreelet(query, openA, openA ? slotA : slotB); break; }
    if (++steps > STEPS || count + 4 > capacity) { overflow = true; break; }
    heapPop(heap, count--);
    const block = (openA ? blocksA : blocksB) + BLOCK_BYTES * <usize>ref;
    const slot = openA ? slotB : slotA;
    let mask = nearLanes(query, slot, block, !openA, limitSq);
    volumeTests += 4;
    while (mask) {
      const lane = <usize>ctz(mask);
      mask &= mask - 1;
      const key = boundOf(lane);
      heapPush(heap, count++, slotPair(slot, block + 4 * lane, !openA), key > 0 ? key : -<f32>depth, depth);
    }
  }
  store<u32>(query, count, Q_HEAP_COUNT);
  store<u32>(query, steps, Q_HEAP_STEPS);
  store<u32>(query, volumeTests, Q_VOLUME_TESTS);
  store<f64>(query, bound, Q_BOUND);
  if (overflow) {
    // the depth-first search starts again at the roots, with this bound
    store<u32>(query, 0, Q_HEAP_COUNT);
    store<u32>(query, 0, Q_STACK_TOP);
    store<u32>(query, DEPTH_FIRST, Q_STARTED);
    let top: usize = load<u32>(query, Q_STACK);
    const stack = top;
    for (let lane: usize = 0; lane < 16; lane += 4) {
      if (load<u32>(blocksA + lane, ROW_REF) != EMPTY) top = pushNear(query, top, blocksA + lane, blocksB, true, limitSq);
    }
    store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  }
  return status;
}

function depthFirst(query: usize): i32 {
  const treeA: usize = load<u32>(query, Q_TREE_A);
  const treeB: usize = load<u32>(query, Q_TREE_B);
  const blocksA = treeA + load<u32>(treeA, TREE_BLOCKS);
  const blocksB = treeB + load<u32>(treeB, TREE_BLOCKS);
  const stack: usize = load<u32>(query, Q_STACK);
  let bound = load<f64>(query, Q_BOUND);
  let limitSq = squareUp(below(query, bound));
  let volumeTests = load<u32>(query, Q_VOLUME_TESTS);
  let top = stack + load<u32>(query, Q_STACK_TOP);
  let status = DONE;
  while (top > stack) {
    if (!(load<f32>(top - 8) <= limitSq)) { top -= ENTRY; continue; }
    const slotA: usize = load<u32>(top - 16);
    const slotB: usize = load<u32>(top - 12);
    const refA = load<u32>(slotA, ROW_REF);
    const refB = load<u32>(slotB, ROW_REF);
    if (isLeaf(refA) && isLeaf(refB)) {
      if (doubtsAreFull(query)) { status = DOUBTS_FULL; break; }
      top -= ENTRY;
      bound = shrinkInLeaves(query, refA, refB, bound);
      if (bound == CROSSING) { bound = 0; top = stack; break; }
      if (isCloseEnough(query, bound)) { top = stack; break; }
      limitSq = squareUp(below(query, bound));
      continue;
    }
    const openA = isLeaf(refB) || (!isLeaf(refA) && boxSize(slotA) >= boxSize(slotB));
    const ref = openA ? refA : refB;
    if (ref & PENDING_BIT) { status = askForTreelet(query, openA, openA ? slotA : slotB); break; }
    volumeTests += 4;
    const block = (openA ? blocksA : blocksB) + BLOCK_BYTES * <usize>ref;
    top = pushNear(query, top - ENTRY, openA ? slotB : slotA, block, !openA, limitSq);
  }
  store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  store<u32>(query, volumeTests, Q_VOLUME_TESTS);
  store<f64>(query, bound, Q_BOUND);
  return status;
}
