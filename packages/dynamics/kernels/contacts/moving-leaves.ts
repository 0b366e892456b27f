/**
 * The leaves of two trees that may come near each other in a motion, one pair after the other, by a walk that keeps
 * nothing for the next one.
 *
 * Idea: boxes are told apart by how far they stay apart until the end of the motion (obb.ts of impinge): of
 * surfaces close to each other everywhere, as those of a nut and its bolt, far fewer leaves are left than by their
 * distance and the length of the way.
 *
 * The middles of two boxes move straight, by w against each other; other points of theirs move otherwise by at most a
 * share of their distance from the middle, which callers know. Boxes are left out if their bound, for the middles
 * alone, exceeds `base` + `turnA` · radius of a + `turnB` · radius of b + `veer` · |w|.
 *
 * Layout: motions are twelve float64, what a rotation and a translation change: x moves by M x + m, in a's frame. The
 * work space has four of them as float32, of boxes of a and of b, for blocks of a and of b.
 */
import { BLOCK_BYTES, EMPTY, ROW, ROW_CENTRE, ROW_REF, TREE_BLOCKS, TREE_CENTRE, TREE_RADIUS, isLeaf, leafStart } from '../../../impinge/kernels/layout';
import { Q_A_TO_B, Q_B_TO_A, Q_TREE_A, Q_TREE_B } from '../../../impinge/kernels/context';
import {
  ONE_WAY, boundBoxes4, boxSize, emptyLanes, forgetOne, halfDiagonal, halfDiagonals4, prepareOne,
} from '../../../impinge/kernels/obb';
import { ONE, scratch } from '../../../impinge/kernels/scratch';
import { L_SLOT, POSE_BYTES, P_POSE, P_SHAPE_A, P_SHAPE_B, S_CENTRE, S_LEAF_OF } from './layout';
import { FAR, takePose, takeTrees } from './near-leaves';
import { motions, query, stack } from './scratch';

/** Motions in the work space, by the tree of the box that moves and that of the block, whose frame it is in. */
const A_IN_A: usize = 0;
const B_IN_A: usize = 48;
const A_IN_B: usize = 96;
const B_IN_B: usize = 144;
/** Motions in float64: one that is worked on, and room for those of both bodies. */
const EXACT: usize = 192;
export const MOTION_A: usize = 288;
export const MOTION_B: usize = 384;

// A motion is off by 2^-24 of each of its terms, four to a coordinate, and w by a few times that when it is turned into
// the frame of a box: less than this share of the terms, of which no way is longer than the sum.
const ROUNDING: f64 = 4e-6;
/** More than squares and sums of what is compared are off by. */
const LARGER: f64 = 1.00001;

/**
 * Of boxes of about the same size, that of b is opened: then several leaves of a follow each other for one of b, which
 * is turned into the frame of a but once.
 */
const BIAS: f32 = 4;

/** The pair of leaves found last. */
export let leafA: usize = 0;
export let leafB: usize = 0;

let top: usize = 0;
let blocksA: usize = 0;
let blocksB: usize = 0;
let leavesA: usize = 0;
let leavesB: usize = 0;
let perRadiusA: f32 = 0;
let perRadiusB: f32 = 0;
let perWay: f32 = 0;
let least: f32 = 0;
/** The smallest bound, squared, of boxes that were left out. */
let leftSq: v128 = f32x4.splat(0);

/**
 * Prepares walks at a pair's pose; false if its trees extend too far. `motionA` and `motionB` are of points relative to
 * the centres of the shapes.
 */
export function openWalk(pair: usize, motionA: usize, motionB: usize, base: f64, turnA: f64, turnB: f64, veer: f64): bool {
  const rounding = takePose(pair);
  if (!takeTrees(rounding)) return false;
  forgetOne();
  ownSlot = 0;
  const a: usize = load<u32>(pair, P_SHAPE_A), b: usize = load<u32>(pair, P_SHAPE_B);
  const treeA: usize = load<u32>(query, Q_TREE_A), treeB: usize = load<u32>(query, Q_TREE_B);
  blocksA = treeA + load<u32>(treeA, TREE_BLOCKS);
  blocksB = treeB + load<u32>(treeB, TREE_BLOCKS);
  leavesA = load<u32>(a, S_LEAF_OF);
  leavesB = load<u32>(b, S_LEAF_OF);
  const terms = writeMotion(motionA, a, treeA, pair, A_IN_A, A_IN_B) + writeMotion(motionB, b, treeB, pair, B_IN_A, B_IN_B);
  least = <f32>((base + rounding + ROUNDING * terms) * LARGER);
  perRadiusA = <f32>(turnA * LARGER);
  perRadiusB = <f32>(turnB * LARGER);
  perWay = <f32>(veer * LARGER);
  leftSq = f32x4.splat(Infinity);
  return true;
}

/** Begins a walk of all leaves. */
export function walkAll(): void {
  top = stack;
  for (let lane: usize = 0; lane < 16; lane += 4) {
    if (load<u32>(blocksA + lane, ROW_REF) != EMPTY) push(comingLanes(blocksA + lane, blocksB, true), blocksA + lane, blocksB, true);
  }
}

/** Begins a walk of a leaf of one and all of the other. */
export function walkFrom(leaf: usize, ofA: bool): void {
  const slot: usize = load<u32>(leaf, L_SLOT), block = ofA ? blocksB : blocksA;
  top = stack;
  push(comingLanes(slot, block, ofA), slot, block, ofA);
}

/** Finds the next pair of leaves; false after the last one. */
export function nextLeaves(): bool {
  while (top > stack) {
    top -= 8;
    const slotA: usize = load<u32>(top), slotB: usize = load<u32>(top, 4);
    const refA = load<u32>(slotA, ROW_REF), refB = load<u32>(slotB, ROW_REF);
    if (isLeaf(refA) && isLeaf(refB)) {
      leafA = load<u32>(leavesA + 4 * <usize>leafStart(refA));
      leafB = load<u32>(leavesB + 4 * <usize>leafStart(refB));
      return true;
    }
    const openA = isLeaf(refB) || (!isLeaf(refA) && boxSize(slotA) >= BIAS * boxSize(slotB));
    const block = openA ? blocksA + BLOCK_BYTES * <usize>refA : blocksB + BLOCK_BYTES * <usize>refB;
    const slot = openA ? slotB : slotA;
    push(comingLanes(slot, block, !openA), slot, block, !openA);
  }
  return false;
}

/**
 * A lower bound of the distance, until the end of the motion, of leaves that were not found, but for turns and veer.
 */
export function leftApart(): f64 {
  let sq = f32x4.pmin(leftSq, i32x4.shuffle(leftSq, leftSq, 2, 3, 0, 1));
  sq = f32x4.pmin(sq, i32x4.shuffle(sq, sq, 1, 0, 3, 2));
  const nearest = <f64>f32x4.extract_lane(sq, 0);
  return nearest < FAR ? sqrt(nearest) * 0.99999 : FAR;
}

function push(mask: i32, slot: usize, block: usize, slotIsA: bool): void {
  while (mask) {
    const child = block + 4 * <usize>ctz(mask);
    mask &= mask - 1;
    store<u32>(top, <u32>(slotIsA ? slot : child));
    store<u32>(top, <u32>(slotIsA ? child : slot), 4);
    top += 8;
  }
}

/**
 * Writes a motion of a shape as one of points of its tree, in the axes of a and in those of b; returns a bound of the
 * sum of its terms.
 */
function writeMotion(motion: usize, shape: usize, tree: usize, pair: usize, inA: usize, inB: usize): f64 {
  const exact = motions + EXACT, pose = pair + P_POSE;
  const x = load<f64>(tree, TREE_CENTRE) - load<f64>(shape, S_CENTRE), y = load<f64>(tree, TREE_CENTRE + 8) - load<f64>(shape, S_CENTRE + 8);
  const z = load<f64>(tree, TREE_CENTRE + 16) - load<f64>(shape, S_CENTRE + 16);
  memory.copy(exact, motion, POSE_BYTES);
  let turned: f64 = 0, moved: f64 = 0;
  for (let k: usize = 0; k < 3; k++) {
    const row = exact + 24 * k;
    const shift = load<f64>(exact + 8 * k, 72) + (load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z);
    store<f64>(exact + 8 * k, shift, 72);
    moved += abs(shift);
    turned += abs(load<f64>(row)) + abs(load<f64>(row, 8)) + abs(load<f64>(row, 16));
  }
  for (let k: usize = 0; k < 12; k++) store<f32>(motions + inA + 4 * k, <f32>load<f64>(exact + 8 * k));
  for (let j: usize = 0; j < 3; j++) {
    const p0 = load<f64>(pose + 8 * j), p1 = load<f64>(pose + 8 * j, 24), p2 = load<f64>(pose + 8 * j, 48);
    for (let i: usize = 0; i < 3; i++) {
      store<f32>(motions + inB + 12 * j + 4 * i, <f32>(p0 * load<f64>(exact + 8 * i) + p1 * load<f64>(exact + 8 * i, 24) + p2 * load<f64>(exact + 8 * i, 48)));
    }
    store<f32>(motions + inB + 4 * j, <f32>(p0 * load<f64>(exact, 72) + p1 * load<f64>(exact, 80) + p2 * load<f64>(exact, 88)), 36);
  }
  return turned * <f64>load<f32>(tree, TREE_RADIUS) + moved;
}

/** How the middle of the last "one" moves: the same box is often tested against several blocks in a row. */
let ownSlot: usize = 0; let ownMotion: usize = 0;
let ownX: f32 = 0; let ownY: f32 = 0; let ownZ: f32 = 0;

function takeOwn(slot: usize, motion: usize): void {
  const x = load<f32>(slot, ROW_CENTRE), y = load<f32>(slot, ROW_CENTRE + ROW), z = load<f32>(slot, ROW_CENTRE + 2 * ROW);
  ownSlot = slot;
  ownMotion = motion;
  ownX = along(motion, 0, x, y, z);
  ownY = along(motion, 1, x, y, z);
  ownZ = along(motion, 2, x, y, z);
}

// @ts-ignore: decorator
@inline function along(motion: usize, row: usize, x: f32, y: f32, z: f32): f32 {
  return load<f32>(motion + 12 * row) * x + load<f32>(motion + 12 * row, 4) * y + load<f32>(motion + 12 * row, 8) * z + load<f32>(motion + 4 * row, 36);
}

// @ts-ignore: decorator
@inline function along4(motion: usize, row: usize, x: v128, y: v128, z: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load32_splat(motion + 12 * row), x), f32x4.mul(v128.load32_splat(motion + 12 * row, 4), y)),
    f32x4.add(f32x4.mul(v128.load32_splat(motion + 12 * row, 8), z), v128.load32_splat(motion + 4 * row, 36)));
}

// @ts-ignore: decorator
@inline function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

/** Bit l is set if the box at `slot` and lane l of a block may come near each other. */
function comingLanes(slot: usize, block: usize, slotIsA: bool): i32 {
  const one = scratch + ONE;
  prepareOne(slot, query + (slotIsA ? Q_A_TO_B : Q_B_TO_A), one);
  const cx = v128.load(block, ROW_CENTRE), cy = v128.load(block, ROW_CENTRE + ROW), cz = v128.load(block, ROW_CENTRE + 2 * ROW);
  // how the lanes move against the "one"
  const theirs = motions + (slotIsA ? B_IN_B : A_IN_A), own = motions + (slotIsA ? A_IN_B : B_IN_A);
  if (slot != ownSlot || own != ownMotion) takeOwn(slot, own);
  const ex = f32x4.sub(along4(theirs, 0, cx, cy, cz), f32x4.splat(ownX));
  const ey = f32x4.sub(along4(theirs, 1, cx, cy, cz), f32x4.splat(ownY));
  const ez = f32x4.sub(along4(theirs, 2, cx, cy, cz), f32x4.splat(ownZ));
  const boundSq = boundBoxes4(one, block, ex, ey, ez, ONE_WAY);
  // what it takes to leave them out
  const radii = halfDiagonals4(block), radius = f32x4.splat(halfDiagonal(one));
  const turns = slotIsA
    ? f32x4.add(f32x4.mul(radii, f32x4.splat(perRadiusB)), f32x4.mul(radius, f32x4.splat(perRadiusA)))
    : f32x4.add(f32x4.mul(radii, f32x4.splat(perRadiusA)), f32x4.mul(radius, f32x4.splat(perRadiusB)));
  let needed = f32x4.add(f32x4.splat(least), turns);
  if (perWay > 0) needed = f32x4.add(needed, f32x4.mul(f32x4.sqrt(dot(ex, ey, ez, ex, ey, ez)), f32x4.splat(perWay)));
  const neededSq = f32x4.mul(needed, needed);
  const out = f32x4.gt(boundSq, neededSq);
  const empty = emptyLanes(block);
  leftSq = f32x4.pmin(leftSq, v128.bitselect(boundSq, f32x4.splat(Infinity), v128.andnot(out, empty)));
  return i32x4.bitmask(v128.or(out, empty)) ^ 15;
}
