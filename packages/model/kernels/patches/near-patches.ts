/**
 * Which patches of two posed meshes come within a distance: the walk of pairs.ts, which stops as soon as it knows
 * enough.
 *
 * Idea: if an error is acceptable, not every pair of triangles must be found. A patch is the set of triangles below a
 * box no larger than Q_PATCH, or a leaf. Below a pair of patches the walk continues, the nearest boxes first, only
 * until it has found one point of each, or a pair of triangles, at most Q_ACCEPT apart: then the patches certainly come
 * that near, and are one answer. Triangles nearer than Q_BOUND (not above Q_ACCEPT) are always in an answer: boxes are
 * only dropped if they are farther apart, or if the triangles of two leaves are. Answers do not depend on how much of
 * the trees was built before: points come from leaves, and boxes do not change.
 *
 * One call handles many pairs of trees, all in the same pose. Doubts belong to the pair at Q_CURSOR. If Q_PATCH is
 * infinite, a pair of trees is one pair of patches: its first answer ends it. Two triangles that were near the last
 * time are tried first.
 *
 * Layout: stack as in pairs.ts, entries of near.ts. The current pair of patches stays on the stack, below the pairs it
 * was opened into, and ends at Q_MARK; 0 means there is none. The two float64 of a pair of trees are its Q_BOUND and
 * Q_ACCEPT. An answer is seven uint32 (number of the pair of trees, first leaf position of a, of b, count of a, of b,
 * and positions of a triangle of each, in or next to the parts found near) and two float32: a lower and an upper bound
 * of the distance of the two patches. Counts of 0: the triangles tried first are still near.
 */
import { BLOCK_BYTES, EMPTY, PENDING_BIT, ROW_REF, TREE_BLOCKS, isLeaf, leafCount, leafStart } from '../../../impinge/kernels/layout';
import {
  DONE, DOUBTS_FULL, Q_BOUND, Q_DOUBT_COUNT, Q_EXACT_TESTS, Q_LIMIT, Q_PAIRS, Q_PAIRS_FOUND, Q_STACK, Q_STACK_TOP,
  Q_STARTED, Q_TREE_A, Q_TREE_B, Q_VOLUME_TESTS, TOO_FAR, addCount, addDoubt, askForTreelet, fullOutput,
} from '../../../impinge/kernels/context';
import { boxSize, forgetOne } from '../../../impinge/kernels/obb';
import { exactTriangleA, exactTriangleB, forgetLeaves, holdPair, leafCandidates, pairKey } from '../../../impinge/kernels/leaf';
import { ENTRY, pushNear, squareUp } from '../../../impinge/kernels/near';
import { DOUBT, YES, triangleDistanceSq, triangleTriangle } from '../../../impinge/kernels/triangles';
import { firstLeaf, forgetPoints, holdPoint, pointOf, pointsApart, rangeOf, unbuilt } from './patch';
import { forgetPointLeaves, pointToLeaf } from './point-leaf';
import { Q_CURSOR, Q_TREE_COUNT, TOO_WIDE, TRIED_A, TRIED_B, takeTrees, treesAt } from './tree-pairs';

// host: BatchField.* = Q_*
// host: ANSWER_BYTES
/** float64: the distance of points at which their patches become an answer. */
const Q_ACCEPT: usize = 264;
/** float32: the square of half the diagonal of the largest box that counts as a patch. */
const Q_PATCH: usize = 272;
const Q_MARK: usize = 276;

const ANSWER_BYTES: usize = 36;

/** Factor that covers the rounding to float32. */
const UP: f64 = 1.0000002;
/** Factor that covers the rounding of lower bounds of squared distances (squareUp of near.ts). */
const LOWER: f32 = 0.99999;
const NONE: f64 = -1;
/** A box's point is tried if the square of the box's extent from its centre, in units of Q_ACCEPT, is at most this. */
const POINT_LIKE: f64 = 4;

/** Positions of the triangles named in the next answer. */
let namedA: u32 = 0;
let namedB: u32 = 0;

/**
 * Finds patches until done, until the limit or the end of an output is reached, or until the host must decide or build.
 */
export function nearPatches(query: usize): i32 {
  const count = load<u32>(query, Q_TREE_COUNT);
  const limit = load<u32>(query, Q_LIMIT);
  let cursor = load<u32>(query, Q_CURSOR);
  while (cursor < count) {
    let apart = false;
    if (!load<u32>(query, Q_STARTED)) {
      const trees = treesAt(query, cursor);
      const gap = takeTrees(query, trees);
      if (gap == TOO_WIDE) return TOO_FAR;
      store<f64>(query, load<f64>(trees, 16), Q_BOUND);
      store<f64>(query, load<f64>(trees, 24), Q_ACCEPT);
      apart = gap > load<f64>(query, Q_BOUND);
      if (!apart && load<f32>(query, Q_PATCH) == Infinity) apart = areStillNear(query, cursor, trees);
    }
    if (!apart) {
      const status = walk(query, cursor);
      if (status != DONE || load<u32>(query, Q_STACK_TOP)) return status;
      if (load<u32>(query, Q_DOUBT_COUNT)) return DOUBTS_FULL;
      store<u32>(query, 0, Q_STARTED);
    }
    store<u32>(query, ++cursor, Q_CURSOR);
    if (load<u32>(query, Q_PAIRS_FOUND) >= limit) break;
  }
  return DONE;
}

/** Answers with the triangles that are tried first, if they are near enough. */
function areStillNear(query: usize, pair: u32, trees: usize): bool {
  const a = load<u32>(trees, TRIED_A);
  if (a == EMPTY) return false;
  if (fullOutput(query) != DONE) return false;
  holdPair(query, a, load<u32>(trees, TRIED_B));
  addCount(query, Q_EXACT_TESTS, 1);
  const apart = sqrt(triangleDistanceSq(exactTriangleA(query, 0), exactTriangleB(query, 0)));
  if (!(apart <= load<f64>(query, Q_ACCEPT))) return false;
  record(query, pair, 0, 0, 0, apart);
  return true;
}

/** Continues with one pair of trees. */
function walk(query: usize, pair: u32): i32 {
  forgetLeaves();
  forgetOne();
  forgetPoints();
  forgetPointLeaves();
  const treeA: usize = load<u32>(query, Q_TREE_A);
  const treeB: usize = load<u32>(query, Q_TREE_B);
  const blocksA = treeA + load<u32>(treeA, TREE_BLOCKS);
  const blocksB = treeB + load<u32>(treeB, TREE_BLOCKS);
  const stack: usize = load<u32>(query, Q_STACK);
  const limit = load<u32>(query, Q_LIMIT);
  const bound = load<f64>(query, Q_BOUND);
  const limitSq = squareUp(bound);
  const accept = load<f64>(query, Q_ACCEPT);
  const pointLike = <f32>(POINT_LIKE * accept * accept);
  const largest = load<f32>(query, Q_PATCH);
  let top = stack + load<u32>(query, Q_STACK_TOP);
  let mark: usize = load<u32>(query, Q_MARK);
  if (!load<u32>(query, Q_STARTED)) {
    store<u32>(query, 1, Q_STARTED);
    for (let lane: usize = 0; lane < 16; lane += 4) {
      if (load<u32>(blocksA + lane, ROW_REF) != EMPTY) top = pushNear(query, top, blocksA + lane, blocksB, true, limitSq);
    }
    addCount(query, Q_VOLUME_TESTS, 16);
  }
  let status = DONE;
  let opened = false; // whether the pair on top is a newly found pair of patches
  while (top > stack) {
    if (mark && top == stack + mark && !opened) { // nothing near was found below it
      top -= ENTRY;
      mark = 0;
      continue;
    }
    const slotA: usize = load<u32>(top - ENTRY);
    const slotB: usize = load<u32>(top - ENTRY, 4);
    const refA = load<u32>(slotA, ROW_REF);
    const refB = load<u32>(slotB, ROW_REF);
    const leafA = isLeaf(refA), leafB = isLeaf(refB);
    const sizeA = boxSize(slotA), sizeB = boxSize(slotB);
    if (!mark && (leafA || sizeA <= largest) && (leafB || sizeB <= largest)) {
      mark = top - stack;
      opened = true;
    }
    if (mark) {
      let apart = NONE;
      if (leafA && leafB) {
        status = fullOutput(query);
        if (status != DONE) break;
        apart = leavesApart(query, refA, refB, bound, accept, sizeA <= pointLike);
      } else if ((leafA || sizeA <= pointLike) && (leafB || sizeB <= pointLike)) {
        status = fullOutput(query);
        if (status != DONE) break;
        if (!holdPoint(query, slotA, true)) { status = askForTreelet(query, true, unbuilt); break; }
        if (!holdPoint(query, slotB, false)) { status = askForTreelet(query, false, unbuilt); break; }
        apart = pointsApart();
        if (leafB && !(apart <= accept)) apart = pointToLeaf(query, pointOf(true), false, refB);
        if (leafA && !(apart <= accept)) apart = pointToLeaf(query, pointOf(false), true, refA);
        if (!(apart <= accept)) apart = NONE;
      }
      if (apart != NONE) {
        if (!(leafA && leafB)) {
          namedA = leafStart(firstLeaf(blocksA, slotA));
          namedB = leafStart(firstLeaf(blocksB, slotB));
        }
        top = stack + mark - ENTRY;
        mark = 0;
        opened = false;
        answer(query, pair, load<u32>(top), load<u32>(top, 4), sqrt(load<f32>(top, 8)) * LOWER, apart);
        if (largest == Infinity) { top = stack; break; }
        if (load<u32>(query, Q_PAIRS_FOUND) >= limit) break;
        continue;
      }
      if (leafA && leafB) {
        if (opened) mark = 0;
        opened = false;
        top -= ENTRY;
        continue;
      }
    }
    const openA = leafB || (!leafA && sizeA >= sizeB);
    const ref = openA ? refA : refB;
    if (ref & PENDING_BIT) { status = askForTreelet(query, openA, openA ? slotA : slotB); break; }
    addCount(query, Q_VOLUME_TESTS, 4);
    const block = (openA ? blocksA : blocksB) + BLOCK_BYTES * <usize>ref;
    top = pushNear(query, opened ? top : top - ENTRY, openA ? slotB : slotA, block, !openA, limitSq);
    opened = false;
  }
  if (opened) mark = 0; // found again when the walk resumes
  store<u32>(query, <u32>mark, Q_MARK);
  store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  return status;
}

/**
 * The distance of two triangles of the leaves, the first found within `accept`; NONE if none are within `bound`.
 * `cornersA`: whether corners of a are worth trying.
 */
function leavesApart(query: usize, refA: u32, refB: u32, bound: f64, accept: f64, cornersA: bool): f64 {
  const near = leafCandidates(query, refA, refB, <f32>bound, 0);
  const firstA = leafStart(refA), firstB = leafStart(refB);
  if (cornersA) {
    namedB = firstB;
    for (let i: u32 = 0; i < leafCount(refA); i++) {
      if (!((near >> (4 * i)) & 15)) continue;
      namedA = firstA + i;
      const a = exactTriangleA(query, i);
      for (let corner: usize = 0; corner < 72; corner += 24) {
        const d = pointToLeaf(query, a + corner, false, refB);
        if (d <= accept) return d;
      }
    }
  }
  let doubts: u32 = 0;
  for (let mask = near; mask; mask &= mask - 1) {
    const bit = ctz(mask);
    namedA = firstA + (bit >> 2);
    namedB = firstB + (bit & 3);
    addCount(query, Q_EXACT_TESTS, 1);
    const meet = triangleTriangle(exactTriangleA(query, bit >> 2), exactTriangleB(query, bit & 3));
    if (meet == YES) return 0;
    if (meet == DOUBT) doubts |= 1 << bit;
  }
  for (let mask = near; mask; mask &= mask - 1) {
    const bit = ctz(mask);
    namedA = firstA + (bit >> 2);
    namedB = firstB + (bit & 3);
    const d = sqrt(triangleDistanceSq(exactTriangleA(query, bit >> 2), exactTriangleB(query, bit & 3)));
    if (d <= accept) return d;
  }
  // farther than the bound unless they cross: the host decides
  for (; doubts; doubts &= doubts - 1) addDoubt(query, pairKey(ctz(doubts) >> 2, ctz(doubts) & 3));
  return NONE;
}

function answer(query: usize, pair: u32, slotA: usize, slotB: usize, lower: f32, upper: f64): void {
  record(query, pair, rangeOf(load<u32>(query, Q_TREE_A), slotA), rangeOf(load<u32>(query, Q_TREE_B), slotB), lower, upper);
}

function record(query: usize, pair: u32, a: u64, b: u64, lower: f32, upper: f64): void {
  const n = load<u32>(query, Q_PAIRS_FOUND);
  const at = <usize>load<u32>(query, Q_PAIRS) + ANSWER_BYTES * <usize>n;
  store<u32>(at, pair);
  store<u32>(at, <u32>a, 4);
  store<u32>(at, <u32>b, 8);
  store<u32>(at, <u32>(a >> 32) - <u32>a, 12);
  store<u32>(at, <u32>(b >> 32) - <u32>b, 16);
  store<u32>(at, namedA, 20);
  store<u32>(at, namedB, 24);
  store<f32>(at, lower, 28);
  store<f32>(at, <f32>(upper * UP), 32);
  store<u32>(query, n + 1, Q_PAIRS_FOUND);
}
