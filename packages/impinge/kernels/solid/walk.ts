/**
 * Steps shared by walks about points: down each part's tree, depth first, the most promising of four lanes on top. The
 * walks differ in the key of a lane.
 *
 * Layout: the stack holds (slot as an offset in the tree's blocks, key float32); each step pops one entry and pushes at
 * most four, one step deeper: 3 · 72 + 4 entries suffice.
 * Errs: boxes are tested in float32, enlarged by SLACK: no box is dropped that should be kept.
 */
import { ROW, ROW_CENTRE, ROW_HALF, ROW_QUATERNION, TREE_CENTRE, TREE_RADIUS } from '../layout';
import { NEED_TREELET } from '../context';
import { PART_BYTES, P_COUNT_A, P_PARTS_A, P_PENDING_PART, P_PENDING_SIDE, P_PENDING_SLOT } from './point-context';
import { emptyLanes } from '../obb';
import { POINT_KEYS, scratch } from './scratch';

/**
 * Relative error with which float32 may misplace a box: about ten roundings, and quaternions that are not quite of unit
 * length.
 */
const SLACK: f32 = 3e-6;
/** Factor that covers the rounding of a squared distance. */
export const UP: f64 = 1.00001;

// the point, middle or direction of the current walk, relative to the tree's centre
let x0: f32 = 0, y0: f32 = 0, z0: f32 = 0;
// half a segment
let hx: f32 = 0, hy: f32 = 0, hz: f32 = 0;
let slack: f32 = 0;

/** Sets the second vector of a walk: half a segment, or the normal of a plane. */
// @ts-ignore: decorator
@inline export function aim(x: f64, y: f64, z: f64): void {
  hx = <f32>x;
  hy = <f32>y;
  hz = <f32>z;
}

/** Sets the walk's direction, which needs no shift to the tree's centre. */
// @ts-ignore: decorator
@inline export function face(tree: usize, x: f64, y: f64, z: f64): void {
  x0 = <f32>x;
  y0 = <f32>y;
  z0 = <f32>z;
  slack = SLACK * load<f32>(tree, TREE_RADIUS);
}

/** Sets the walk's point relative to the tree's centre, and its slack. */
// @ts-ignore: decorator
@inline export function enter(tree: usize, px: f64, py: f64, pz: f64, reach: f64): void {
  x0 = <f32>(px - load<f64>(tree, TREE_CENTRE));
  y0 = <f32>(py - load<f64>(tree, TREE_CENTRE + 8));
  z0 = <f32>(pz - load<f64>(tree, TREE_CENTRE + 16));
  slack = SLACK * (abs(x0) + abs(y0) + abs(z0) + load<f32>(tree, TREE_RADIUS) + <f32>reach);
}

// @ts-ignore: decorator
@inline export function partTree(query: usize, side: usize, part: u32): usize { return load<u32>(<usize>load<u32>(query + 4 * side, P_PARTS_A) + PART_BYTES * <usize>part); }
// @ts-ignore: decorator
@inline export function partMesh(query: usize, side: usize, part: u32): usize { return load<u32>(<usize>load<u32>(query + 4 * side, P_PARTS_A) + PART_BYTES * <usize>part, 4); }
// @ts-ignore: decorator
@inline export function partMarks(query: usize, side: usize, part: u32): usize { return load<u32>(<usize>load<u32>(query + 4 * side, P_PARTS_A) + PART_BYTES * <usize>part, 8); }
// @ts-ignore: decorator
@inline export function partCount(query: usize, side: usize): u32 { return load<u32>(query + 4 * side, P_COUNT_A); }

/** Names the lane whose treelet is missing. */
export function askForPart(query: usize, side: usize, part: u32, slot: u32): i32 {
  store<u32>(query, <u32>side, P_PENDING_SIDE);
  store<u32>(query, part, P_PENDING_PART);
  store<u32>(query, slot, P_PENDING_SLOT);
  return NEED_TREELET;
}

/** Rotates (x, y, z) into the axes of the four boxes of a block; the results stay in the three globals below. */
let turnedX: v128 = i32x4.splat(0), turnedY: v128 = i32x4.splat(0), turnedZ: v128 = i32x4.splat(0);
// @ts-ignore: decorator
@inline function turn(block: usize, x: v128, y: v128, z: v128): void {
  const qx = v128.load(block, ROW_QUATERNION), qy = v128.load(block, ROW_QUATERNION + ROW);
  const qz = v128.load(block, ROW_QUATERNION + 2 * ROW), qw = v128.load(block, ROW_QUATERNION + 3 * ROW);
  const two = f32x4.splat(2);
  const tx = f32x4.mul(two, f32x4.sub(f32x4.mul(qy, z), f32x4.mul(qz, y)));
  const ty = f32x4.mul(two, f32x4.sub(f32x4.mul(qz, x), f32x4.mul(qx, z)));
  const tz = f32x4.mul(two, f32x4.sub(f32x4.mul(qx, y), f32x4.mul(qy, x)));
  turnedX = f32x4.add(f32x4.sub(x, f32x4.mul(qw, tx)), f32x4.sub(f32x4.mul(qy, tz), f32x4.mul(qz, ty)));
  turnedY = f32x4.add(f32x4.sub(y, f32x4.mul(qw, ty)), f32x4.sub(f32x4.mul(qz, tx), f32x4.mul(qx, tz)));
  turnedZ = f32x4.add(f32x4.sub(z, f32x4.mul(qw, tz)), f32x4.sub(f32x4.mul(qx, ty), f32x4.mul(qy, tx)));
}

/** Lower bounds of the squared distance of the four boxes from the point. */
// @ts-ignore: decorator
@inline export function boxDistanceSq4(block: usize): v128 {
  turn(block, f32x4.sub(f32x4.splat(x0), v128.load(block, ROW_CENTRE)), f32x4.sub(f32x4.splat(y0), v128.load(block, ROW_CENTRE + ROW)),
    f32x4.sub(f32x4.splat(z0), v128.load(block, ROW_CENTRE + 2 * ROW)));
  const zero = f32x4.splat(0), more = f32x4.splat(slack);
  const x = f32x4.pmax(zero, f32x4.sub(f32x4.abs(turnedX), f32x4.add(v128.load(block, ROW_HALF), more)));
  const y = f32x4.pmax(zero, f32x4.sub(f32x4.abs(turnedY), f32x4.add(v128.load(block, ROW_HALF + ROW), more)));
  const z = f32x4.pmax(zero, f32x4.sub(f32x4.abs(turnedZ), f32x4.add(v128.load(block, ROW_HALF + 2 * ROW), more)));
  return f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
}

/** 0 for boxes that the segment may meet, 1 for those that one of six axes separates from it. */
// @ts-ignore: decorator
@inline export function segmentMisses4(block: usize): v128 {
  turn(block, f32x4.splat(hx), f32x4.splat(hy), f32x4.splat(hz));
  const ux = f32x4.abs(turnedX), uy = f32x4.abs(turnedY), uz = f32x4.abs(turnedZ);
  const dx = turnedX, dy = turnedY, dz = turnedZ;
  turn(block, f32x4.sub(f32x4.splat(x0), v128.load(block, ROW_CENTRE)), f32x4.sub(f32x4.splat(y0), v128.load(block, ROW_CENTRE + ROW)),
    f32x4.sub(f32x4.splat(z0), v128.load(block, ROW_CENTRE + 2 * ROW)));
  const cx = turnedX, cy = turnedY, cz = turnedZ;
  const more = f32x4.splat(slack);
  const ex = f32x4.add(v128.load(block, ROW_HALF), more), ey = f32x4.add(v128.load(block, ROW_HALF + ROW), more);
  const ez = f32x4.add(v128.load(block, ROW_HALF + 2 * ROW), more);
  let apart = v128.or(f32x4.gt(f32x4.abs(cx), f32x4.add(ex, ux)), f32x4.gt(f32x4.abs(cy), f32x4.add(ey, uy)));
  apart = v128.or(apart, f32x4.gt(f32x4.abs(cz), f32x4.add(ez, uz)));
  // the rounding of the half vector counts in proportion to the distance of the box
  const all = f32x4.add(f32x4.add(ux, uy), uz);
  const rounding = f32x4.mul(f32x4.mul(f32x4.splat(SLACK), all), f32x4.add(f32x4.add(f32x4.abs(cx), f32x4.abs(cy)), f32x4.abs(cz)));
  apart = v128.or(apart, f32x4.gt(f32x4.abs(f32x4.sub(f32x4.mul(cy, dz), f32x4.mul(cz, dy))), f32x4.add(rounding, f32x4.add(f32x4.mul(ey, uz), f32x4.mul(ez, uy)))));
  apart = v128.or(apart, f32x4.gt(f32x4.abs(f32x4.sub(f32x4.mul(cz, dx), f32x4.mul(cx, dz))), f32x4.add(rounding, f32x4.add(f32x4.mul(ez, ux), f32x4.mul(ex, uz)))));
  apart = v128.or(apart, f32x4.gt(f32x4.abs(f32x4.sub(f32x4.mul(cx, dy), f32x4.mul(cy, dx))), f32x4.add(rounding, f32x4.add(f32x4.mul(ex, uy), f32x4.mul(ey, ux)))));
  return v128.and(apart, f32x4.splat(1));
}

/** As `boxDistanceSq4`, but infinite for boxes off the plane through the point with normal (hx, hy, hz). */
// @ts-ignore: decorator
@inline export function planeDistanceSq4(block: usize): v128 {
  const near = boxDistanceSq4(block);
  const nx = f32x4.splat(hx), ny = f32x4.splat(hy), nz = f32x4.splat(hz);
  const off = f32x4.add(f32x4.add(f32x4.mul(nx, f32x4.sub(f32x4.splat(x0), v128.load(block, ROW_CENTRE))), f32x4.mul(ny, f32x4.sub(f32x4.splat(y0), v128.load(block, ROW_CENTRE + ROW)))),
    f32x4.mul(nz, f32x4.sub(f32x4.splat(z0), v128.load(block, ROW_CENTRE + 2 * ROW))));
  turn(block, nx, ny, nz);
  const half = f32x4.add(f32x4.add(f32x4.mul(f32x4.abs(turnedX), v128.load(block, ROW_HALF)), f32x4.mul(f32x4.abs(turnedY), v128.load(block, ROW_HALF + ROW))),
    f32x4.mul(f32x4.abs(turnedZ), v128.load(block, ROW_HALF + 2 * ROW)));
  return v128.bitselect(f32x4.splat(Infinity), near, f32x4.gt(f32x4.abs(off), f32x4.add(half, f32x4.splat(slack + slack))));
}

/** Minus upper bounds of the extents of the four boxes along the direction (x0, y0, z0). */
// @ts-ignore: decorator
@inline export function minusReach4(block: usize): v128 {
  const x = f32x4.splat(x0), y = f32x4.splat(y0), z = f32x4.splat(z0);
  turn(block, x, y, z);
  const middle = f32x4.add(f32x4.add(f32x4.mul(x, v128.load(block, ROW_CENTRE)), f32x4.mul(y, v128.load(block, ROW_CENTRE + ROW))),
    f32x4.mul(z, v128.load(block, ROW_CENTRE + 2 * ROW)));
  const half = f32x4.add(f32x4.add(f32x4.mul(f32x4.abs(turnedX), v128.load(block, ROW_HALF)), f32x4.mul(f32x4.abs(turnedY), v128.load(block, ROW_HALF + ROW))),
    f32x4.mul(f32x4.abs(turnedZ), v128.load(block, ROW_HALF + 2 * ROW)));
  return f32x4.neg(f32x4.add(f32x4.add(middle, half), f32x4.splat(slack)));
}

/** Pushes the lanes of a block whose key is at most `limit`, the smallest on top. */
// @ts-ignore: decorator
@inline export function pushLanes(top: usize, blocks: usize, block: usize, keys: v128, limit: f32): usize {
  let mask = i32x4.bitmask(v128.andnot(f32x4.le(keys, f32x4.splat(limit)), emptyLanes(block)));
  v128.store(scratch + POINT_KEYS, keys);
  const first = top;
  while (mask) {
    const lane = <usize>ctz(mask);
    mask &= mask - 1;
    const key = load<f32>(scratch + POINT_KEYS + 4 * lane);
    let at = top;
    while (at > first && load<f32>(at - 4) < key) {
      store<u32>(at, load<u32>(at - 8));
      store<f32>(at, load<f32>(at - 4), 4);
      at -= 8;
    }
    store<u32>(at, <u32>(block + 4 * lane - blocks));
    store<f32>(at, key, 4);
    top += 8;
  }
  return top;
}
