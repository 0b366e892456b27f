/**
 * Boxes of a mesh's triangles in their given order: one box per four triangles, one per four of those boxes, up to one
 * box for all. One pass over the triangles builds them; they replace a tree where building a tree takes longer than it
 * saves (small.ts).
 *
 * Layout: a head (height of the tree, then where each height starts), then blocks of four boxes: three rows of centres,
 * three of half sides, float32, in the mesh's coordinates minus the middle of its box. Box i at a height contains block
 * i of the height below, or triangles 4 i to 4 i + 3. Lanes without a box have half sides so far below 0 that they are
 * near nothing.
 * Errs: outward except for rounding: with u = 2^-24 and S the sum of the mesh's half sides, by less than 4 u S at each
 * height.
 */
import { MESH_BOX, MESH_INDICES, MESH_POSITIONS, MESH_TRIANGLE_COUNT } from './layout';

export const BOX_BLOCK_BYTES: usize = 96;
const HEAD: usize = 32;
/** Offset of the rows of half sides in a block. */
const HALF: usize = 48;
const NO_BOX: f32 = -1e30;
/** A box is identified by its height, from this bit on, and its number. */
const HEIGHT_SHIFT: u32 = 16;

// @ts-ignore: decorator
@inline export function topBox(boxes: usize): u32 { return (load<u32>(boxes) - 1) << HEIGHT_SHIFT; }
// @ts-ignore: decorator
@inline export function holdsTriangles(box: u32): bool { return box >> HEIGHT_SHIFT == 0; }

/** Address of the first number of a box; the others follow one row apart. */
// @ts-ignore: decorator
@inline export function boxAt(boxes: usize, box: u32): usize {
  const number = box & 0xffff;
  return boxes + load<u32>(boxes + 4 * <usize>(box >> HEIGHT_SHIFT), 4) + BOX_BLOCK_BYTES * <usize>(number >> 2) + 4 * <usize>(number & 3);
}

/** The first of the four boxes in a box, and their block. */
// @ts-ignore: decorator
@inline export function firstInside(box: u32): u32 { return (box & 0xffff0000) - (1 << HEIGHT_SHIFT) + ((box & 0xffff) << 2); }

/** The box of the sixteen triangles around one, or the box of all if there are no more. */
// @ts-ignore: decorator
@inline export function boxAround(boxes: usize, triangle: u32): u32 {
  return load<u32>(boxes) > 1 ? (1 << HEIGHT_SHIFT) + (triangle >> 4) : 0;
}

/** The sum of the half sides. */
// @ts-ignore: decorator
@inline export function sizeAt(at: usize): f32 { return load<f32>(at, HALF) + load<f32>(at, HALF + 16) + load<f32>(at, HALF + 32); }

/** The middle of a mesh's box, in the mesh's coordinates. */
// @ts-ignore: decorator
@inline export function middleOf(mesh: usize): v128 {
  const half = f32x4.splat(0.5);
  return f32x4.add(f32x4.mul(v128.load(mesh, MESH_BOX), half), f32x4.mul(v128.load(mesh, MESH_BOX + 12), half));
}

/** Bytes that the host must allocate for the boxes of this many triangles. */
export function boxesBytes(triangles: u32): usize {
  let bytes = HEAD;
  let count = triangles;
  do {
    count = (count + 3) >> 2;
    bytes += BOX_BLOCK_BYTES * <usize>((count + 3) >> 2);
  } while (count > 1);
  return bytes;
}

// @ts-ignore: decorator
@inline function writeOne(at: usize, low: v128, high: v128): void {
  const half = f32x4.splat(0.5);
  const centre = f32x4.add(f32x4.mul(low, half), f32x4.mul(high, half));
  const sides = f32x4.pmax(f32x4.sub(high, centre), f32x4.sub(centre, low));
  store<f32>(at, f32x4.extract_lane(centre, 0));
  store<f32>(at, f32x4.extract_lane(centre, 1), 16);
  store<f32>(at, f32x4.extract_lane(centre, 2), 32);
  store<f32>(at, f32x4.extract_lane(sides, 0), HALF);
  store<f32>(at, f32x4.extract_lane(sides, 1), HALF + 16);
  store<f32>(at, f32x4.extract_lane(sides, 2), HALF + 32);
}

/** Fills the lanes of a height that have no box. */
function fillLast(from: usize, count: u32): void {
  for (let i = count; i & 3; i++) {
    const at = from + BOX_BLOCK_BYTES * <usize>(i >> 2) + 4 * <usize>(i & 3);
    for (let row: usize = 0; row < HALF; row += 16) {
      store<f32>(at + row, 0);
      store<f32>(at + row, NO_BOX, HALF);
    }
  }
}

// @ts-ignore: decorator
@inline function least4(row: v128): f32 {
  const two = f32x4.pmin(row, i32x4.shuffle(row, row, 2, 3, 0, 1));
  return min(f32x4.extract_lane(two, 0), f32x4.extract_lane(two, 1));
}
// @ts-ignore: decorator
@inline function most4(row: v128): f32 { return -least4(f32x4.neg(row)); }

/** Writes the box around the boxes of a block. */
// @ts-ignore: decorator
@inline function writeAround(at: usize, block: usize): void {
  for (let row: usize = 0; row < HALF; row += 16) {
    const centre = v128.load(block + row);
    // in a lane without a box, the high end is below the low one
    const half = v128.load(block + row, HALF);
    const isBox = f32x4.ge(half, f32x4.splat(0));
    const low = least4(v128.bitselect(f32x4.sub(centre, half), f32x4.splat(Infinity), isBox));
    const high = most4(v128.bitselect(f32x4.add(centre, half), f32x4.splat(-Infinity), isBox));
    const middle = <f32>0.5 * low + <f32>0.5 * high;
    store<f32>(at + row, middle);
    store<f32>(at + row, max(high - middle, middle - low), HALF);
  }
}

export function writeBoxes(mesh: usize, boxes: usize): void {
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  const triangles = load<u32>(mesh, MESH_TRIANGLE_COUNT);
  const middle = middleOf(mesh);
  let corner = mesh + load<u32>(mesh, MESH_INDICES);
  const end = corner + 12 * <usize>triangles;
  let count = (triangles + 3) >> 2;
  let here = boxes + HEAD;
  for (let i: u32 = 0; i < count; i++) {
    // each corner has its own minimum and maximum, so that no step waits for the previous one
    let low = f32x4.splat(Infinity), high = f32x4.splat(-Infinity), low1 = low, high1 = high, low2 = low, high2 = high;
    const last = min(corner + 48, end);
    for (; corner < last; corner += 12) {
      const u = v128.load(positions + 12 * <usize>load<u32>(corner));
      const v = v128.load(positions + 12 * <usize>load<u32>(corner, 4));
      const w = v128.load(positions + 12 * <usize>load<u32>(corner, 8));
      low = f32x4.pmin(low, u); high = f32x4.pmax(high, u);
      low1 = f32x4.pmin(low1, v); high1 = f32x4.pmax(high1, v);
      low2 = f32x4.pmin(low2, w); high2 = f32x4.pmax(high2, w);
    }
    low = f32x4.pmin(f32x4.pmin(low, low1), low2);
    high = f32x4.pmax(f32x4.pmax(high, high1), high2);
    writeOne(here + BOX_BLOCK_BYTES * <usize>(i >> 2) + 4 * <usize>(i & 3), f32x4.sub(low, middle), f32x4.sub(high, middle));
  }
  fillLast(here, count);
  store<u32>(boxes, <u32>HEAD, 4);
  let height: u32 = 1;
  while (count > 1) {
    const below = here;
    const blocks = (count + 3) >> 2;
    here += BOX_BLOCK_BYTES * <usize>blocks;
    for (let i: u32 = 0; i < blocks; i++) writeAround(here + BOX_BLOCK_BYTES * <usize>(i >> 2) + 4 * <usize>(i & 3), below + BOX_BLOCK_BYTES * <usize>i);
    fillLast(here, blocks);
    store<u32>(boxes + 4 * <usize>height, <u32>(here - boxes), 4);
    height++;
    count = blocks;
  }
  store<u32>(boxes, height);
}

/**
 * A frame for comparisons, which maps coordinates on the side of the four boxes to the side of the one. Each entry is
 * repeated four times: nine of a rotation, their nine absolute values, three of a translation.
 */
export const FRAME_BYTES: usize = 21 * 16;
const SIZES: usize = 144;
const SHIFT: usize = 288;

// @ts-ignore: decorator
@inline function splat(at: usize, x: f64): void { v128.store(at, f32x4.splat(<f32>x)); }

export function writeFrame(
  at: usize, r0: f64, r1: f64, r2: f64, r3: f64, r4: f64, r5: f64, r6: f64, r7: f64, r8: f64, dx: f64, dy: f64, dz: f64,
): void {
  splat(at, r0); splat(at + 16, r1); splat(at + 32, r2);
  splat(at + 48, r3); splat(at + 64, r4); splat(at + 80, r5);
  splat(at + 96, r6); splat(at + 112, r7); splat(at + 128, r8);
  splat(at + SHIFT, dx); splat(at + SHIFT + 16, dy); splat(at + SHIFT + 32, dz);
  for (let k: usize = 0; k < SIZES; k += 16) v128.store(at + k, f32x4.abs(v128.load(at + k)), SIZES);
}

// @ts-ignore: decorator
@inline function turned(frame: usize, row: usize, x: v128, y: v128, z: v128): v128 {
  const at = frame + row;
  return f32x4.add(f32x4.add(f32x4.mul(v128.load(at), x), f32x4.mul(v128.load(at, 16), y)), f32x4.mul(v128.load(at, 32), z));
}

/**
 * The gap between each of the four boxes at `block` and the one at `one`, along the axis of either with the widest gap;
 * negative where they overlap. `back` is the inverse of `frame`.
 */
// @ts-ignore: decorator
@inline export function gapsInside(one: usize, block: usize, frame: usize, back: usize): v128 {
  const ox = v128.load32_splat(one), oy = v128.load32_splat(one, 16), oz = v128.load32_splat(one, 32);
  const ohx = v128.load32_splat(one, HALF), ohy = v128.load32_splat(one, HALF + 16), ohz = v128.load32_splat(one, HALF + 32);
  const x = v128.load(block), y = v128.load(block, 16), z = v128.load(block, 32);
  const hx = v128.load(block, HALF), hy = v128.load(block, HALF + 16), hz = v128.load(block, HALF + 32);
  // the four in the frame of the one, then the one in their frame
  return f32x4.pmax(
    f32x4.pmax(f32x4.pmax(gap(frame, 0, 0, x, y, z, ox, hx, hy, hz, ohx), gap(frame, 48, 16, x, y, z, oy, hx, hy, hz, ohy)), gap(frame, 96, 32, x, y, z, oz, hx, hy, hz, ohz)),
    f32x4.pmax(f32x4.pmax(gap(back, 0, 0, ox, oy, oz, x, ohx, ohy, ohz, hx), gap(back, 48, 16, ox, oy, oz, y, ohx, ohy, ohz, hy)), gap(back, 96, 32, ox, oy, oz, z, ohx, ohy, ohz, hz)));
}

/**
 * Gap along one axis between a rotated box at (x, y, z) with half sides (hx, hy, hz) and one at `at` with half side
 * `half`.
 */
// @ts-ignore: decorator
@inline function gap(frame: usize, row: usize, shift: usize, x: v128, y: v128, z: v128, at: v128, hx: v128, hy: v128, hz: v128, half: v128): v128 {
  const way = f32x4.sub(f32x4.add(turned(frame, row, x, y, z), v128.load(frame + shift, SHIFT)), at);
  return f32x4.sub(f32x4.abs(way), f32x4.add(half, turned(frame + SIZES, row, hx, hy, hz)));
}
