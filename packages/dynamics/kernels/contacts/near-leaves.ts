/**
 * The near leaves of two trees, cached while they are valid: until the relative motion of the shapes exceeds the
 * additional distance searched.
 *
 * Idea: a walk over two trees costs more than processing the leaves it reaches. So it searches farther than required
 * while that is cheap: if it meets more than MANY pairs of leaves, and most of them because of that, it starts again
 * with a shorter reach.
 */
import { BLOCK_BYTES, EMPTY, LEAST_NORMAL, ROW_REF, TREE_BLOCKS, TREE_RADIUS, isLeaf, leafStart } from '../../../impinge/kernels/layout';
import { Q_A_TO_B, Q_B_TO_A, Q_POSE, Q_TREE_A, Q_TREE_B } from '../../../impinge/kernels/context';
import { boxSize, emptyLanes, forgetOne } from '../../../impinge/kernels/obb';
import { boundOf, nearLanes, squareUp } from '../../../impinge/kernels/near';
import { BOUNDS, scratch } from '../../../impinge/kernels/scratch';
import { farOut, placeCentres } from '../../../impinge/kernels/tree-centres';
import {
  ENTRY_BYTES, KEPT, NEEDS_ROOM, POSE_BYTES, P_HEAVY, P_LIST, P_LIST_COUNT, P_LIST_LEAST, P_LIST_POSE, P_LIST_REACH, P_LIST_ROOM, P_NARROWED,
  P_POSE, P_SHAPE_A, P_SHAPE_B, S_CENTRE, S_LEAF_OF, S_RADIUS, S_TREE, TOO_FAR,
} from './layout';
import { query, stack } from './scratch';

/**
 * Number of pairs of leaves above which a list is narrowed, unless the share within the reach asked for is large; and
 * below which it is widened next time.
 */
const MANY: u32 = 320;
const SHARE: f64 = 0.4;
const FEW: u32 = 64;
/** Number of pairs of leaves from which on none are listed, since walks take less (moving-leaves.ts). */
export const HEAVY: u32 = 4096;
/** Factor for the additional distance with each step. */
const NARROWER: f64 = 0.4;
const MOST_STEPS: u32 = 4;
/** Used if nothing was left out. */
export const FAR: f64 = 1e18;
const GIVEN_UP: i32 = -1;

/** Lists the leaves within `asked` at the pair's pose, and more within `asked` + `beyond` if that is cheap. */
export function listNear(pair: usize, asked: f64, beyond: f64): i32 {
  const rounding = takePose(pair);
  if (!takeTrees(rounding)) return TOO_FAR;
  let narrowed = load<u32>(pair, P_NARROWED);
  while (true) {
    const extra = narrowed >= MOST_STEPS ? 0 : beyond * shareOf(narrowed);
    const status = walk(pair, asked, asked + extra, rounding, narrowed < MOST_STEPS);
    if (status == GIVEN_UP) { narrowed++; continue; }
    if (status != KEPT) return status;
    if (narrowed > 0 && load<u32>(pair, P_LIST_COUNT) < FEW) narrowed--;
    store<u32>(pair, narrowed, P_NARROWED);
    if (load<u32>(pair, P_LIST_COUNT) >= HEAVY) store<u32>(pair, 1, P_HEAVY);
    memory.copy(pair + P_LIST_POSE, pair + P_POSE, POSE_BYTES);
    return KEPT;
  }
}

function shareOf(steps: u32): f64 {
  let share: f64 = 1;
  for (let i: u32 = 0; i < steps; i++) share *= NARROWER;
  return share;
}

/** Sets up a query about the trees of two shapes at their pose; returns a bound of the rounding of distances. */
export function takePose(pair: usize): f64 {
  const a: usize = load<u32>(pair, P_SHAPE_A), b: usize = load<u32>(pair, P_SHAPE_B);
  const treeA: usize = load<u32>(a, S_TREE), treeB: usize = load<u32>(b, S_TREE);
  store<u32>(query, <u32>treeA, Q_TREE_A);
  store<u32>(query, <u32>treeB, Q_TREE_B);
  const p = query + Q_POSE, r = pair + P_POSE;
  for (let k: usize = 0; k < 72; k += 8) store<f64>(p + k, load<f64>(r + k));
  for (let k: usize = 0; k < 3; k++) {
    const row = r + 24 * k;
    const own = load<f64>(a + 8 * k, S_CENTRE);
    const x = load<f64>(b, S_CENTRE), y = load<f64>(b, S_CENTRE + 8), z = load<f64>(b, S_CENTRE + 16);
    const shift = load<f64>(r + 8 * k, 72);
    store<f64>(p + 8 * k, shift + own - (load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z), 72);
  }
  return roundingOf(pair);
}

/** A bound of the rounding of distances at a pair's pose. */
export function roundingOf(pair: usize): f64 {
  const a: usize = load<u32>(pair, P_SHAPE_A), b: usize = load<u32>(pair, P_SHAPE_B);
  let far: f64 = load<f64>(a, S_RADIUS) + load<f64>(b, S_RADIUS);
  for (let k: usize = 0; k < 24; k += 8) far += abs(load<f64>(pair + k, P_POSE + 72)) + abs(load<f64>(a + k, S_CENTRE)) + abs(load<f64>(b + k, S_CENTRE));
  return 1e-13 * far;
}

/** Writes the pose between the centres of the trees, as QueryContext does; false if they extend too far. */
export function takeTrees(rounding: f64): bool {
  const treeA: usize = load<u32>(query, Q_TREE_A), treeB: usize = load<u32>(query, Q_TREE_B);
  const deviation = writeQuaternions(query + Q_POSE);
  const reach = <f64>load<f32>(treeA, TREE_RADIUS) + <f64>load<f32>(treeB, TREE_RADIUS) + placeCentres(query, treeA, treeB);
  const slack = <f32>((2e-6 + 3 * deviation) * reach + rounding + 1e-15 * farOut(treeB)) + LEAST_NORMAL;
  store<f32>(query, slack, Q_B_TO_A + 28);
  store<f32>(query, slack, Q_A_TO_B + 28);
  return reach < FAR && rounding < FAR;
}

/**
 * Writes the unit quaternion of the rotation at p, and its inverse; returns the largest difference of an entry of its
 * matrix.
 */
function writeQuaternions(p: usize): f64 {
  const r0 = load<f64>(p), r1 = load<f64>(p, 8), r2 = load<f64>(p, 16), r3 = load<f64>(p, 24), r4 = load<f64>(p, 32), r5 = load<f64>(p, 40);
  const r6 = load<f64>(p, 48), r7 = load<f64>(p, 56), r8 = load<f64>(p, 64);
  let x: f64, y: f64, z: f64, w: f64;
  if (r0 + r4 + r8 > 0) { x = r7 - r5; y = r2 - r6; z = r3 - r1; w = 1 + r0 + r4 + r8; }
  else if (r0 >= r4 && r0 >= r8) { x = 1 + r0 - r4 - r8; y = r1 + r3; z = r2 + r6; w = r7 - r5; }
  else if (r4 >= r8) { x = r1 + r3; y = 1 - r0 + r4 - r8; z = r5 + r7; w = r2 - r6; }
  else { x = r2 + r6; y = r5 + r7; z = 1 - r0 - r4 + r8; w = r3 - r1; }
  const inverse = 1 / sqrt(x * x + y * y + z * z + w * w);
  x *= inverse; y *= inverse; z *= inverse; w *= inverse;
  store<f32>(query, <f32>x, Q_B_TO_A);
  store<f32>(query, <f32>y, Q_B_TO_A + 4);
  store<f32>(query, <f32>z, Q_B_TO_A + 8);
  store<f32>(query, <f32>w, Q_B_TO_A + 12);
  store<f32>(query, <f32>(-x), Q_A_TO_B);
  store<f32>(query, <f32>(-y), Q_A_TO_B + 4);
  store<f32>(query, <f32>(-z), Q_A_TO_B + 8);
  store<f32>(query, <f32>w, Q_A_TO_B + 12);
  let most = abs(1 - 2 * (y * y + z * z) - r0) + abs(2 * (x * y - z * w) - r1) + abs(2 * (x * z + y * w) - r2);
  most += abs(2 * (x * y + z * w) - r3) + abs(1 - 2 * (x * x + z * z) - r4) + abs(2 * (y * z - x * w) - r5);
  return most + abs(2 * (x * z - y * w) - r6) + abs(2 * (y * z + x * w) - r7) + abs(1 - 2 * (x * x + y * y) - r8);
}

/** Writes the list for one reach, of which part was asked for. KEPT if it is complete. */
function walk(pair: usize, asked: f64, reach: f64, rounding: f64, mayGiveUp: bool): i32 {
  forgetOne();
  const limitSq = squareUp(reach * (1 + 1e-12) + rounding);
  const treeA: usize = load<u32>(query, Q_TREE_A), treeB: usize = load<u32>(query, Q_TREE_B);
  const blocksA = treeA + load<u32>(treeA, TREE_BLOCKS), blocksB = treeB + load<u32>(treeB, TREE_BLOCKS);
  const leavesA: usize = load<u32>(<usize>load<u32>(pair, P_SHAPE_A), S_LEAF_OF), leavesB: usize = load<u32>(<usize>load<u32>(pair, P_SHAPE_B), S_LEAF_OF);
  const list: usize = load<u32>(pair, P_LIST);
  const room = load<u32>(pair, P_LIST_ROOM);
  const askedSq = squareUp(asked * (1 + 1e-12) + rounding);
  let count: u32 = 0, within: u32 = 0;
  let leastSq: f32 = Infinity;
  let beyondSq = f32x4.splat(Infinity);
  let top = stack;
  for (let lane: usize = 0; lane < 16; lane += 4) {
    if (load<u32>(blocksA + lane, ROW_REF) == EMPTY) continue;
    const mask = nearLanes(query, blocksA + lane, blocksB, true, limitSq);
    beyondSq = f32x4.pmin(beyondSq, lanesBeyond(blocksB, limitSq));
    top = push(top, mask, blocksA + lane, blocksB, true);
  }
  while (top > stack) {
    top -= 12;
    const slotA: usize = load<u32>(top), slotB: usize = load<u32>(top, 4);
    const refA = load<u32>(slotA, ROW_REF), refB = load<u32>(slotB, ROW_REF);
    if (isLeaf(refA) && isLeaf(refB)) {
      if (mayGiveUp && count >= MANY && <f64>within < SHARE * <f64>count) return GIVEN_UP;
      const boundSq = load<f32>(top, 8);
      if (boundSq <= askedSq) within++;
      leastSq = min(leastSq, boundSq);
      if (count < room) {
        const at = list + ENTRY_BYTES * <usize>count;
        store<u32>(at, load<u32>(leavesA + 4 * <usize>leafStart(refA)));
        store<u32>(at, load<u32>(leavesB + 4 * <usize>leafStart(refB)), 4);
        store<f32>(at, <f32>distanceOf(boundSq, rounding), 8);
      }
      count++;
      continue;
    }
    const openA = isLeaf(refB) || (!isLeaf(refA) && boxSize(slotA) >= boxSize(slotB));
    const block = (openA ? blocksA + BLOCK_BYTES * <usize>refA : blocksB + BLOCK_BYTES * <usize>refB);
    const slot = openA ? slotB : slotA;
    const mask = nearLanes(query, slot, block, !openA, limitSq);
    beyondSq = f32x4.pmin(beyondSq, lanesBeyond(block, limitSq));
    top = push(top, mask, slot, block, !openA);
  }
  store<u32>(pair, count, P_LIST_COUNT);
  if (count > room) return NEEDS_ROOM;
  // all other leaves are beyond the boxes that were left out
  beyondSq = f32x4.pmin(beyondSq, i32x4.shuffle(beyondSq, beyondSq, 2, 3, 0, 1));
  beyondSq = f32x4.pmin(beyondSq, i32x4.shuffle(beyondSq, beyondSq, 1, 0, 3, 2));
  const left = f32x4.extract_lane(beyondSq, 0);
  const complete = <f64>left < FAR ? max(reach, distanceOf(left, rounding)) : FAR;
  store<f64>(pair, complete, P_LIST_REACH);
  store<f64>(pair, min(complete, count > 0 ? distanceOf(leastSq, rounding) : complete), P_LIST_LEAST);
  return KEPT;
}

/** A lower bound of the distance, from a bound of its square. */
// @ts-ignore: decorator
@inline function distanceOf(boundSq: f32, rounding: f64): f64 { return max<f64>(0, sqrt(<f64>boundSq) * 0.99999 - rounding); }

/** The bounds of the lanes that are left out. */
// @ts-ignore: decorator
@inline function lanesBeyond(block: usize, limitSq: f32): v128 {
  const bounds = v128.load(scratch + BOUNDS);
  return v128.bitselect(f32x4.splat(Infinity), bounds, v128.or(emptyLanes(block), f32x4.le(bounds, f32x4.splat(limitSq))));
}

// @ts-ignore: decorator
@inline function push(top: usize, mask: i32, slot: usize, block: usize, slotIsA: bool): usize {
  while (mask) {
    const lane = <usize>ctz(mask);
    mask &= mask - 1;
    const child = block + 4 * lane;
    store<u32>(top, <u32>(slotIsA ? slot : child));
    store<u32>(top, <u32>(slotIsA ? child : slot), 4);
    store<f32>(top, boundOf(lane), 8);
    top += 12;
  }
  return top;
}
