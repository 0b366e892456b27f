/**
 * How close two posed meshes come: the closest pair, or the pairs within a given distance.
 *
 * Idea: the walk of collide.ts with lower bounds of the squared distance in place of overlap. For the closest pair
 * the nearest children are looked at first, and everything that cannot beat the best pair so far is dropped.
 * Layout: the stack holds (slot of a, slot of b, lower bound float32, unused), 16 bytes; bounded as in collide.ts.
 */
import { BLOCK_BYTES, EMPTY, PENDING_BIT, ROW_REF, TREE_BLOCKS, isLeaf } from './layout';
import {
  DONE, DOUBTS_FULL, NEED_TREELET, PAIRS_FULL, Q_A_TO_B, Q_BEST_A, Q_BEST_B, Q_BOUND, Q_B_TO_A, Q_DOUBTS, Q_DOUBT_CAPACITY,
  Q_DOUBT_COUNT, Q_EXACT_TESTS, Q_LIMIT, Q_PAIRS, Q_PAIR_CAPACITY, Q_PAIR_COUNT, Q_PENDING_SIDE, Q_PENDING_SLOT, Q_STACK,
  Q_STACK_TOP, Q_STARTED, Q_TREE_A, Q_TREE_B, Q_VOLUME_TESTS,
} from './context';
import { boxSize, lowerBoundSq4, prepareOne, forgetOne } from './obb';
import { exactTriangleA, exactTriangleB, forgetLeaves, idA, idB, leafCandidates, pairKey } from './leaf';
import { DOUBT, YES, gapX, gapY, gapZ, triangleDistanceSq, triangleTriangle } from './triangles';
import { BOUNDS, DIRECTION, ONE, scratch } from './scratch';

/** Pushes the lanes of `block` whose bound is below `limitSq`, the nearest on top. */
// @ts-ignore: decorator
@inline function pushNear(query: usize, top: usize, slot: usize, block: usize, slotIsA: bool, limitSq: f32): usize {
  const one = scratch + ONE;
  const bounds = scratch + BOUNDS;
  prepareOne(slot, query + (slotIsA ? Q_A_TO_B : Q_B_TO_A), one);
  lowerBoundSq4(one, block, bounds);
  let mask = i32x4.bitmask(f32x4.le(v128.load(bounds), f32x4.splat(limitSq))); // an empty lane's bound is infinite
  const first = top;
  while (mask) {
    const lane = 4 * <usize>ctz(mask);
    mask &= mask - 1;
    const bound = load<f32>(bounds + lane);
    // insertion: larger bounds below. Entries move as the two 64-bit halves they were written in.
    let at = top;
    while (at > first && load<f32>(at - 8) < bound) {
      store<u64>(at, load<u64>(at - 16));
      store<u32>(at, load<u32>(at - 8), 8);
      at -= 16;
    }
    const child = <u64>(block + lane);
    store<u64>(at, slotIsA ? <u64>slot | (child << 32) : child | (<u64>slot << 32));
    store<f32>(at, bound, 8);
    top += 16;
  }
  return top;
}

/** float32 above the square of a float64 distance. */
// @ts-ignore: decorator
@inline function squareUp(d: f64): f32 { return <f32>(d * d * 1.00001); }

/**
 * Shrinks Q_BOUND to the smallest distance and names the pair (Q_BEST_A stays EMPTY when none is below the bound
 * given). Crossing pairs make it 0 and end the walk; pairs too close to tell go to the doubts.
 */
export function closest(query: usize): i32 { return walk(query, true); }

/** Reports every pair at a distance of at most Q_BOUND, up to the limit. */
export function within(query: usize): i32 { return walk(query, false); }

// @ts-ignore: decorator
@inline function walk(query: usize, shrink: bool): i32 {
  forgetLeaves();
  forgetOne();
  const treeA: usize = load<u32>(query, Q_TREE_A);
  const treeB: usize = load<u32>(query, Q_TREE_B);
  const blocksA = treeA + load<u32>(treeA, TREE_BLOCKS);
  const blocksB = treeB + load<u32>(treeB, TREE_BLOCKS);
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
  let bound = load<f64>(query, Q_BOUND);
  let boundSq = bound * bound;
  let limitSq = squareUp(bound);
  let top = stack + load<u32>(query, Q_STACK_TOP);
  if (!load<u32>(query, Q_STARTED)) {
    store<u32>(query, 1, Q_STARTED);
    for (let lane: usize = 0; lane < 16; lane += 4) {
      if (load<u32>(blocksA + lane, ROW_REF) != EMPTY) top = pushNear(query, top, blocksA + lane, blocksB, true, limitSq);
    }
    volumeTests += 16;
  }
  let status = DONE;
  while (top > stack) {
    if (!(load<f32>(top - 8) <= limitSq)) { top -= 16; continue; }
    const slotA: usize = load<u32>(top - 16);
    const slotB: usize = load<u32>(top - 12);
    const refA = load<u32>(slotA, ROW_REF);
    const refB = load<u32>(slotB, ROW_REF);
    if (isLeaf(refA) && isLeaf(refB)) {
      if (pairCount + 16 > pairCapacity) { status = PAIRS_FULL; break; }
      if (doubtCount + 16 > doubtCapacity) { status = DOUBTS_FULL; break; }
      top -= 16;
      let mask = leafCandidates(query, refA, refB, <f32>bound, shrink && load<u32>(query, Q_BEST_A) != EMPTY ? scratch + DIRECTION : 0);
      while (mask) {
        const bit = ctz(mask);
        mask &= mask - 1;
        const i = bit >> 2;
        const j = bit & 3;
        exactTests++;
        const a = exactTriangleA(query, i);
        const b = exactTriangleB(query, j);
        const meet = triangleTriangle(a, b);
        let near = meet == YES;
        if (!near) {
          const d = triangleDistanceSq(a, b);
          near = d <= boundSq;
          if (shrink) {
            if (meet == DOUBT) {
              // they may touch: the host decides; the bound follows the distance all the same
              store<u64>(doubts + 8 * <usize>doubtCount, pairKey(i, j));
              doubtCount++;
            }
            if (near) {
              boundSq = d;
              bound = sqrt(d);
              limitSq = squareUp(bound);
              store<u32>(query, idA(i), Q_BEST_A);
              store<u32>(query, idB(j), Q_BEST_B);
              const unit = 0.9999995 / sqrt(gapX * gapX + gapY * gapY + gapZ * gapZ + 1e-300);
              store<f32>(scratch + DIRECTION, <f32>(gapX * unit));
              store<f32>(scratch + DIRECTION, <f32>(gapY * unit), 4);
              store<f32>(scratch + DIRECTION, <f32>(gapZ * unit), 8);
            }
          } else if (!near && meet == DOUBT) {
            // farther than the bound unless they cross: the host decides that
            store<u64>(doubts + 8 * <usize>doubtCount, pairKey(i, j));
            doubtCount++;
          }
        } else if (shrink) {
          bound = 0;
          store<u32>(query, idA(i), Q_BEST_A);
          store<u32>(query, idB(j), Q_BEST_B);
          top = stack;
          break;
        }
        if (!shrink && near) {
          store<u64>(pairs + 8 * <usize>pairCount, pairKey(i, j));
          pairCount++;
        }
      }
      if (!shrink && pairCount >= limit) break;
      continue;
    }
    volumeTests += 4;
    if (isLeaf(refB) || (!isLeaf(refA) && boxSize(slotA) >= boxSize(slotB))) {
      if (refA & PENDING_BIT) { store<u32>(query, 0, Q_PENDING_SIDE); store<u32>(query, slotA, Q_PENDING_SLOT); status = NEED_TREELET; break; }
      top = pushNear(query, top - 16, slotB, blocksA + BLOCK_BYTES * <usize>refA, false, limitSq);
    } else {
      if (refB & PENDING_BIT) { store<u32>(query, 1, Q_PENDING_SIDE); store<u32>(query, slotB, Q_PENDING_SLOT); status = NEED_TREELET; break; }
      top = pushNear(query, top - 16, slotA, blocksB + BLOCK_BYTES * <usize>refB, true, limitSq);
    }
  }
  store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  store<u32>(query, pairCount, Q_PAIR_COUNT);
  store<u32>(query, doubtCount, Q_DOUBT_COUNT);
  store<u32>(query, volumeTests, Q_VOLUME_TESTS);
  store<u32>(query, exactTests, Q_EXACT_TESTS);
  store<f64>(query, bound, Q_BOUND);
  return status;
}
