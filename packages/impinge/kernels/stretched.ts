/**
 * Two trees, where b is posed by any invertible linear map: scaled, stretched, sheared, mirrored.
 *
 * Idea: such a map turns a box into a parallelepiped, which an oriented box encloses: its centre is mapped, its axes
 * are turned by the rotation nearest to the map, and its half extent along each new axis is the sum of the projections
 * of the mapped half axes. Under a similarity this is the scaled box itself. Boxes of b are always transformed into a's
 * frame, where distances are meaningful; leaves and triangles are posed by the matrix as usual.
 *
 * Layout: entries of near.ts. Q_POSE holds the map; Q_B_TO_A holds the nearest rotation, the translation between the
 * trees' centres and the slack; Q_SLACK is added to the bounds of leaves. The stack is bounded as in pairs.ts.
 * Errs: as pairs.ts and closest.ts, by a slack that the host increases with the size and the condition of the map.
 */
import { BLOCK_BYTES, EMPTY, PENDING_BIT, ROW, ROW_CENTRE, ROW_HALF, ROW_QUATERNION, ROW_REF, TREE_BLOCKS, isLeaf } from './layout';
import {
  DONE, DOUBTS_FULL, Q_BEST_A, Q_BEST_B, Q_BOUND, Q_B_TO_A, Q_DOUBT_CAPACITY, Q_DOUBT_COUNT, Q_EXACT_TESTS, Q_LIMIT,
  Q_PAIRS_FOUND, Q_POSE, Q_SLACK, Q_STACK, Q_STACK_TOP, Q_STARTED, Q_TREE_A, Q_TREE_B, Q_VOLUME_TESTS,
  addCount, addDoubt, addPair, askForTreelet, fullOutput,
} from './context';
import { boxSize, emptyLanes, forgetOne, lowerBoundSq4, overlap4, writeMatrix, writeTurned } from './obb';
import { exactTriangleA, exactTriangleB, forgetLeaves, idA, idB, leafCandidates, pairKey } from './leaf';
import { ENTRY, boundOf, squareUp } from './near';
import { DOUBT, YES, triangleDistanceSq, triangleTriangle } from './triangles';
import { BOUNDS, MATRICES, ONE, scratch } from './scratch';

/** Reports every pair at a distance of at most Q_BOUND (0: that meets), up to the limit. */
export function stretchedWithin(query: usize): i32 { return walk(query, false); }

/** Reduces Q_BOUND to the smallest distance and names the pair, as `closest` does. */
export function stretchedClosest(query: usize): i32 { return walk(query, true); }

// @ts-ignore: decorator
@inline function walk(query: usize, closest: bool): i32 {
  forgetLeaves();
  forgetOne();
  const treeA: usize = load<u32>(query, Q_TREE_A), treeB: usize = load<u32>(query, Q_TREE_B);
  const blocksA = treeA + load<u32>(treeA, TREE_BLOCKS), blocksB = treeB + load<u32>(treeB, TREE_BLOCKS);
  const stack: usize = load<u32>(query, Q_STACK);
  const limit = load<u32>(query, Q_LIMIT);
  const widened = load<f64>(query, Q_SLACK);
  const growth = <f32>growthSq(query);
  const byBound = closest || load<f64>(query, Q_BOUND) > 0;
  let bound = load<f64>(query, Q_BOUND);
  let limitSq = squareUp(bound);
  let top = stack + load<u32>(query, Q_STACK_TOP);
  let status = DONE;
  if (!load<u32>(query, Q_STARTED)) {
    store<u32>(query, 1, Q_STARTED);
    for (let lane: usize = 0; lane < 16; lane += 4) {
      if (load<u32>(blocksB + lane, ROW_REF) != EMPTY) top = push(query, top, top, blocksB + lane, blocksA, 15, limitSq, byBound);
    }
  }
  while (top > stack) {
    const slotA: usize = load<u32>(top - ENTRY), slotB: usize = load<u32>(top - ENTRY, 4);
    if (closest && !(load<f32>(top - ENTRY, 8) <= limitSq)) { top -= ENTRY; continue; }
    const refA = load<u32>(slotA, ROW_REF), refB = load<u32>(slotB, ROW_REF);
    if (isLeaf(refA) && isLeaf(refB)) {
      status = closest ? (load<u32>(query, Q_DOUBT_COUNT) + 16 > load<u32>(query, Q_DOUBT_CAPACITY) ? DOUBTS_FULL : DONE) : fullOutput(query);
      if (status != DONE) break;
      top -= ENTRY;
      let mask = leafCandidates(query, refA, refB, <f32>(bound + widened), 0);
      while (mask) {
        const bit = ctz(mask);
        mask &= mask - 1;
        addCount(query, Q_EXACT_TESTS, 1);
        const i = bit >> 2, j = bit & 3;
        const a = exactTriangleA(query, i), b = exactTriangleB(query, j);
        const meet = triangleTriangle(a, b);
        if (!closest) {
          if (meet == YES || (bound > 0 && triangleDistanceSq(a, b) <= bound * bound)) addPair(query, pairKey(i, j));
          else if (meet == DOUBT) addDoubt(query, pairKey(i, j));
          continue;
        }
        if (meet == DOUBT) addDoubt(query, pairKey(i, j));
        const d = meet == YES ? 0 : triangleDistanceSq(a, b);
        if (meet != YES && !(d <= bound * bound && bound > 0)) continue;
        store<u32>(query, idA(i), Q_BEST_A);
        store<u32>(query, idB(j), Q_BEST_B);
        bound = sqrt(d);
        limitSq = squareUp(bound);
        if (meet == YES) { mask = 0; top = stack; }
      }
      if (!closest && load<u32>(query, Q_PAIRS_FOUND) >= limit) break;
      continue;
    }
    addCount(query, Q_VOLUME_TESTS, 4);
    if (isLeaf(refB) || (!isLeaf(refA) && boxSize(slotA) >= growth * boxSize(slotB))) {
      if (refA & PENDING_BIT) { status = askForTreelet(query, true, slotA); break; }
      top -= ENTRY;
      top = push(query, top, top, slotB, blocksA + BLOCK_BYTES * <usize>refA, 15, limitSq, byBound);
    } else {
      if (refB & PENDING_BIT) { status = askForTreelet(query, false, slotB); break; }
      top -= ENTRY;
      const first = top;
      const laneA = (slotA - blocksA) % BLOCK_BYTES;
      const block = blocksB + BLOCK_BYTES * <usize>refB;
      for (let lane: usize = 0; lane < 16; lane += 4) {
        if (load<u32>(block + lane, ROW_REF) == EMPTY) continue;
        top = push(query, first, top, block + lane, slotA - laneA, 1 << <i32>(laneA >> 2), limitSq, byBound);
      }
    }
  }
  store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  if (closest) store<f64>(query, bound, Q_BOUND);
  return status;
}

/**
 * Pushes the `lanes` of a's `block` that are near the box of b at `slot`, the nearest of those from `first` on on top.
 */
function push(query: usize, first: usize, top: usize, slot: usize, block: usize, lanes: i32, limitSq: f32, byBound: bool): usize {
  const one = scratch + ONE;
  mapBox(query, slot, one);
  let mask: i32;
  if (byBound) {
    lowerBoundSq4(one, block, scratch + BOUNDS);
    mask = i32x4.bitmask(v128.andnot(f32x4.le(v128.load(scratch + BOUNDS), f32x4.splat(limitSq)), emptyLanes(block)));
  } else mask = overlap4(one, block);
  mask &= lanes;
  while (mask) {
    const lane = <usize>ctz(mask);
    mask &= mask - 1;
    const bound: f32 = byBound ? boundOf(lane) : 0;
    let at = top;
    while (at > first && load<f32>(at - ENTRY, 8) < bound) {
      store<u64>(at, load<u64>(at - ENTRY));
      store<f32>(at, load<f32>(at - ENTRY, 8), 8);
      at -= ENTRY;
    }
    store<u32>(at, <u32>(block + 4 * lane));
    store<u32>(at, <u32>slot, 4);
    store<f32>(at, bound, 8);
    top += ENTRY;
  }
  return top;
}

/** The mean factor by which the map increases squared lengths. */
function growthSq(query: usize): f64 {
  let sum: f64 = 0;
  for (let k: usize = 0; k < 72; k += 8) sum += load<f64>(query + k, Q_POSE) * load<f64>(query + k, Q_POSE);
  return sum / 3;
}

/** Writes the oriented box around the mapped box at `slot` as a "one" of obb.ts. */
function mapBox(query: usize, slot: usize, one: usize): void {
  const motion = query + Q_B_TO_A, p = query + Q_POSE;
  const cx = <f64>load<f32>(slot, ROW_CENTRE), cy = <f64>load<f32>(slot, ROW_CENTRE + ROW), cz = <f64>load<f32>(slot, ROW_CENTRE + 2 * ROW);
  for (let k: usize = 0; k < 3; k++) {
    const row = p + 24 * k;
    const c = load<f64>(row) * cx + load<f64>(row, 8) * cy + load<f64>(row, 16) * cz + <f64>load<f32>(motion + 4 * k, 16);
    store<f32>(one + 4 * k, <f32>c);
  }
  writeTurned(slot, motion, one);
  const axes = scratch + MATRICES;
  writeMatrix(axes, load<f32>(slot, ROW_QUATERNION), load<f32>(slot, ROW_QUATERNION + ROW), load<f32>(slot, ROW_QUATERNION + 2 * ROW), load<f32>(slot, ROW_QUATERNION + 3 * ROW));
  let h0: f64 = 0, h1: f64 = 0, h2: f64 = 0;
  const r00 = <f64>load<f32>(one, 40), r01 = <f64>load<f32>(one, 44), r02 = <f64>load<f32>(one, 48);
  const r10 = <f64>load<f32>(one, 52), r11 = <f64>load<f32>(one, 56), r12 = <f64>load<f32>(one, 60);
  const r20 = <f64>load<f32>(one, 64), r21 = <f64>load<f32>(one, 68), r22 = <f64>load<f32>(one, 72);
  for (let i: usize = 0; i < 3; i++) {
    const half = <f64>load<f32>(slot + ROW * i, ROW_HALF);
    const ax = half * <f64>load<f32>(axes + 4 * i), ay = half * <f64>load<f32>(axes + 4 * i, 12), az = half * <f64>load<f32>(axes + 4 * i, 24);
    const mx = load<f64>(p) * ax + load<f64>(p, 8) * ay + load<f64>(p, 16) * az;
    const my = load<f64>(p, 24) * ax + load<f64>(p, 32) * ay + load<f64>(p, 40) * az;
    const mz = load<f64>(p, 48) * ax + load<f64>(p, 56) * ay + load<f64>(p, 64) * az;
    h0 += abs(r00 * mx + r10 * my + r20 * mz);
    h1 += abs(r01 * mx + r11 * my + r21 * mz);
    h2 += abs(r02 * mx + r12 * my + r22 * mz);
  }
  const slack = load<f32>(motion, 28);
  store<f32>(one, <f32>h0 + slack, 12);
  store<f32>(one, <f32>h1 + slack, 16);
  store<f32>(one, <f32>h2 + slack, 20);
}
