/**
 * Pairs of triangles of two objects, or of one: two trees are walked together, then the triangles are tested.
 *
 * Idea: blocks of four against blocks of four, sixteen pairs of boxes at a time; the taller tree is opened first. Pairs
 * of triangles whose boxes meet are tested along both normals in float32, four at a time; the rest is decided in
 * float64 for the library's own coordinates (b posed into a's stored frame), or left open.
 * Errs: no meeting pair is dropped. The bound of the normals is proved at `partedByNormals`. The stack: an entry pushes
 * at most 16 of which one is popped next, and heights only decrease, 30 in all: 15 · 30 + 16 < 1024.
 */
import { indicesOf, positionsOf, vertexAt, MESH_ORIGIN } from '../../../impinge/kernels/layout';
import { DOUBT, NO, YES, triangleTriangle } from '../../../impinge/kernels/triangles';
import { overlaps16, overlaps4 } from './boxes';
import {
  CORNER_BYTES, BLOCK_MASK, HEIGHT_SHIFT, OBJECT_CORNERS, OBJECT_HEIGHT, OBJECT_MARGIN, OBJECT_MESH, OBJECT_ORDER, OBJECT_POSE,
  OBJECT_SLOT, SEARCH_CANDIDATES, SEARCH_CAPACITY, SEARCH_DOUBTFUL, SEARCH_DOUBTFUL_COUNT, SEARCH_MEETING,
  SEARCH_MEETING_COUNT, SEARCH_OBJECTS, SEARCH_TASKS, SEARCH_UNDECIDED, TASK_BYTES, blockAt, objectAt,
} from './layout';
import { EXACT_A, EXACT_B, POSE, STACK, scratch } from './scratch';

// contents of the work space: the pair of objects whose pose it holds, the blocks whose triangles it holds
let posed: bool = false;
let heldA: u32 = 0;
let heldB: u32 = 0;
let exactA: u32 = 0;
let exactB: u32 = 0;

/** Processes tasks [from, to). Stops before the first whose pairs do not fit and returns its number, otherwise `to`. */
export function findPairs(search: usize, from: u32, to: u32): u32 {
  const objects: usize = load<u32>(search, SEARCH_OBJECTS);
  const tasks: usize = load<u32>(search, SEARCH_TASKS);
  let lastA: u32 = 0xffffffff, lastB: u32 = 0xffffffff;
  for (let t = from; t < to; t++) {
    const task = tasks + TASK_BYTES * <usize>t;
    const a = load<u32>(task), b = load<u32>(task, 4);
    if (a != lastA || b != lastB) {
      posed = false;
      heldA = 0xffffffff;
      heldB = 0xffffffff;
      lastA = a;
      lastB = b;
    }
    const meeting = load<u32>(search, SEARCH_MEETING_COUNT);
    const doubtful = load<u32>(search, SEARCH_DOUBTFUL_COUNT);
    const candidates = load<u32>(search, SEARCH_CANDIDATES);
    if (!walk(search, objectAt(objects, a), objectAt(objects, b), load<u32>(task, 8), load<u32>(task, 12))) {
      store<u32>(search, meeting, SEARCH_MEETING_COUNT);
      store<u32>(search, doubtful, SEARCH_DOUBTFUL_COUNT);
      store<u32>(search, candidates, SEARCH_CANDIDATES);
      return t;
    }
  }
  return to;
}

/**
 * Which pairs of lanes of two nodes continue: bit 4 i + j. A node lower than the other counts as a whole, in
 * the bits of lane 0.
 */
// @ts-ignore: decorator
@inline function step(a: usize, b: usize, heightA: u32, heightB: u32, blockA: u32, blockB: u32, self: bool): u32 {
  if (heightA > heightB) {
    const mask = overlaps4(laneOf(b, heightB, blockB), blockAt(a, heightA, blockA));
    return (mask & 1) | ((mask & 2) << 3) | ((mask & 4) << 6) | ((mask & 8) << 9);
  }
  if (heightB > heightA) return overlaps4(laneOf(a, heightA, blockA), blockAt(b, heightB, blockB));
  const mask = overlaps16(blockAt(a, heightA, blockA), blockAt(b, heightB, blockB));
  return self && blockA == blockB ? mask & (heightA ? 0x8cef : 0x08ce) : mask; // j ≥ i, or j > i
}

/** The box of a block: a lane of the one above it; for the top block, its only lane. */
// @ts-ignore: decorator
@inline function laneOf(object: usize, height: u32, block: u32): usize {
  if (height + 1 == load<u32>(object, OBJECT_HEIGHT)) return blockAt(object, height, 0);
  return blockAt(object, height + 1, block >> 2) + 4 * <usize>(block & 3);
}

/** Returns false if the lists are full. */
function walk(search: usize, a: usize, b: usize, nodeA: u32, nodeB: u32): bool {
  const stack = scratch + STACK;
  let top = push(stack, nodeA, nodeB);
  while (top > stack) {
    top -= 8;
    nodeA = load<u32>(top);
    nodeB = load<u32>(top, 4);
    const heightA = nodeA >> HEIGHT_SHIFT, heightB = nodeB >> HEIGHT_SHIFT;
    const blockA = nodeA & BLOCK_MASK, blockB = nodeB & BLOCK_MASK;
    let mask = step(a, b, heightA, heightB, blockA, blockB, a == b);
    if (!mask) continue;
    if ((heightA | heightB) == 0) {
      if (!testBlocks(search, a, b, blockA, blockB, mask)) return false;
      continue;
    }
    while (mask) {
      const bit = ctz(mask);
      mask &= mask - 1;
      top = push(top, heightA >= heightB ? child(nodeA, bit >> 2) : nodeA, heightB >= heightA ? child(nodeB, bit & 3) : nodeB);
    }
  }
  return true;
}

// @ts-ignore: decorator
@inline function push(top: usize, nodeA: u32, nodeB: u32): usize {
  store<u32>(top, nodeA);
  store<u32>(top, nodeB, 4);
  return top + 8;
}

/** The block below a lane of a node. */
// @ts-ignore: decorator
@inline function child(node: u32, lane: u32): u32 {
  return (((node >> HEIGHT_SHIFT) - 1) << HEIGHT_SHIFT) | (4 * (node & BLOCK_MASK) + lane);
}

/**
 * Opens each of tasks [from, to) once; writes the resulting tasks, at most 16 each, to `out` and returns their number.
 */
export function splitTasks(search: usize, from: u32, to: u32, out: usize): u32 {
  const objects: usize = load<u32>(search, SEARCH_OBJECTS);
  const tasks: usize = load<u32>(search, SEARCH_TASKS);
  let count: u32 = 0;
  for (let t = from; t < to; t++) {
    const task = tasks + TASK_BYTES * <usize>t;
    const nodeA = load<u32>(task, 8), nodeB = load<u32>(task, 12);
    const heightA = nodeA >> HEIGHT_SHIFT, heightB = nodeB >> HEIGHT_SHIFT;
    if ((heightA | heightB) == 0) {
      v128.store(out + TASK_BYTES * <usize>count, v128.load(task));
      count++;
      continue;
    }
    const a = objectAt(objects, load<u32>(task)), b = objectAt(objects, load<u32>(task, 4));
    let mask = step(a, b, heightA, heightB, nodeA & BLOCK_MASK, nodeB & BLOCK_MASK, a == b);
    while (mask) {
      const bit = ctz(mask);
      mask &= mask - 1;
      const into = out + TASK_BYTES * <usize>count;
      count++;
      v128.store(into, v128.load(task));
      push(into + 8, heightA >= heightB ? child(nodeA, bit >> 2) : nodeA, heightB >= heightA ? child(nodeB, bit & 3) : nodeB);
    }
  }
  return count;
}

/** Tests up to sixteen pairs of triangles whose boxes meet. Returns false if the lists are full. */
function testBlocks(search: usize, a: usize, b: usize, blockA: u32, blockB: u32, mask: u32): bool {
  store<u32>(search, load<u32>(search, SEARCH_CANDIDATES) + popcnt(mask), SEARCH_CANDIDATES);
  mask &= ~partedByNormals(a, b, blockA, blockB, mask);
  if (!mask) return true;
  if (blockA != heldA) { heldA = blockA; exactA = 0; }
  if (blockB != heldB) { heldB = blockB; exactB = 0; }
  const self = a == b;
  const open = load<u32>(search, SEARCH_UNDECIDED) != 0;
  while (mask) {
    const bit = ctz(mask);
    mask &= mask - 1;
    const i = bit >> 2, j = bit & 3;
    const s = triangleAt(a, 4 * blockA + i), t = triangleAt(b, 4 * blockB + j);
    if (self && sharesNumber(a, s, t)) continue;
    let answer: i32 = DOUBT;
    if (!open) {
      const p = exactTriangleA(a, i, s), q = exactTriangleB(a, b, j, t);
      answer = triangleTriangle(p, q);
      if (answer == NO || (self && sharesPlace(p, q))) continue;
    }
    const countAt = answer == YES ? SEARCH_MEETING_COUNT : SEARCH_DOUBTFUL_COUNT;
    const count = load<u32>(search + countAt);
    if (count == load<u32>(search, SEARCH_CAPACITY)) return false;
    store<u32>(search + countAt, count + 1);
    const out = <usize>load<u32>(search + (answer == YES ? SEARCH_MEETING : SEARCH_DOUBTFUL)) + 8 * <usize>count;
    const slotA = load<u32>(a, OBJECT_SLOT) + s, slotB = load<u32>(b, OBJECT_SLOT) + t;
    store<u32>(out, min<u32>(slotA, slotB));
    store<u32>(out, max<u32>(slotA, slotB), 4);
  }
  return true;
}

/** Number of the triangle at a place. */
// @ts-ignore: decorator
@inline function triangleAt(object: usize, place: u32): u32 {
  const order: usize = load<u32>(object, OBJECT_ORDER);
  return order ? load<u32>(order + 4 * <usize>place) : place;
}

// Differences of corners relative to a corner of a have a relative error of 2^-24, products and sums as much: a dot
// product with n is off by less than 6 · 2^-24 |n|₁ · far, and two of them are compared. Rounded up.
const DOT: f32 = 2e-6;
// Products with a normal shorter than this may underflow; with a longer one, LEAST_MARGIN covers underflow.
const LEAST_NORMAL: f32 = 1e-30;
const LEAST_MARGIN: f32 = 1e-9;

/**
 * Which of the pairs in the mask are separated by a plane across one of their normals.
 *
 * However n was rounded, it is a direction. The exact corners are within the margin of the placed ones, in each
 * coordinate; so along n a triangle extends at most margin · |n|₁ beyond its placed corners. If the placed ones are
 * apart by more than that for both, and by more than rounding, they do not meet. Nor are they within reach, because
 * each margin includes half the reach and |n|₁ ≥ |n|₂.
 */
function partedByNormals(a: usize, b: usize, blockA: u32, blockB: u32, mask: u32): u32 {
  const rowsA = <usize>load<u32>(a, OBJECT_CORNERS) + CORNER_BYTES * <usize>blockA;
  const rowsB = <usize>load<u32>(b, OBJECT_CORNERS) + CORNER_BYTES * <usize>blockB;
  const margin = f32x4.splat((load<f32>(a, OBJECT_MARGIN) + load<f32>(b, OBJECT_MARGIN)) * 1.000001 + LEAST_MARGIN);
  const qx0 = v128.load(rowsB), qy0 = v128.load(rowsB, 16), qz0 = v128.load(rowsB, 32);
  const qx1 = v128.load(rowsB, 48), qy1 = v128.load(rowsB, 64), qz1 = v128.load(rowsB, 80);
  const qx2 = v128.load(rowsB, 96), qy2 = v128.load(rowsB, 112), qz2 = v128.load(rowsB, 128);
  // normals of b, the offset of its third corner along them (0 except for rounding), their sums of absolute values
  const ux = f32x4.sub(qx1, qx0), uy = f32x4.sub(qy1, qy0), uz = f32x4.sub(qz1, qz0);
  const vx = f32x4.sub(qx2, qx0), vy = f32x4.sub(qy2, qy0), vz = f32x4.sub(qz2, qz0);
  const nbx = f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy));
  const nby = f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz));
  const nbz = f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx));
  const nb = spanOf(nbx, nby, nbz);
  const zero = f32x4.splat(0);
  const alongU = dot(nbx, nby, nbz, ux, uy, uz), alongV = dot(nbx, nby, nbz, vx, vy, vz);
  const highB = f32x4.pmax(zero, f32x4.pmax(alongU, alongV)), lowB = f32x4.pmin(zero, f32x4.pmin(alongU, alongV));
  const sizeB = f32x4.add(spanOf(ux, uy, uz), spanOf(vx, vy, vz));
  let parted: u32 = 0;
  for (let i: u32 = 0; i < 4; i++) {
    if (!((mask >> (4 * i)) & 15)) continue;
    const row = rowsA + 4 * <usize>i;
    const px0 = v128.load32_splat(row), py0 = v128.load32_splat(row, 16), pz0 = v128.load32_splat(row, 32);
    const px1 = v128.load32_splat(row, 48), py1 = v128.load32_splat(row, 64), pz1 = v128.load32_splat(row, 80);
    const px2 = v128.load32_splat(row, 96), py2 = v128.load32_splat(row, 112), pz2 = v128.load32_splat(row, 128);
    // corners of a relative to the first corner of b, along b's normals
    const ax0 = f32x4.sub(px0, qx0), ay0 = f32x4.sub(py0, qy0), az0 = f32x4.sub(pz0, qz0);
    const ax1 = f32x4.sub(px1, qx0), ay1 = f32x4.sub(py1, qy0), az1 = f32x4.sub(pz1, qz0);
    const ax2 = f32x4.sub(px2, qx0), ay2 = f32x4.sub(py2, qy0), az2 = f32x4.sub(pz2, qz0);
    const far = f32x4.add(f32x4.add(spanOf(ax0, ay0, az0), spanOf(ax1, ay1, az1)), f32x4.add(spanOf(ax2, ay2, az2), sizeB));
    const slack = f32x4.add(margin, f32x4.mul(far, f32x4.splat(DOT)));
    let d0 = dot(nbx, nby, nbz, ax0, ay0, az0), d1 = dot(nbx, nby, nbz, ax1, ay1, az1), d2 = dot(nbx, nby, nbz, ax2, ay2, az2);
    let reach = f32x4.mul(nb, slack);
    let apart = v128.and(f32x4.gt(nb, f32x4.splat(LEAST_NORMAL)), v128.or(
      f32x4.gt(f32x4.pmin(f32x4.pmin(d0, d1), d2), f32x4.add(highB, reach)),
      f32x4.lt(f32x4.pmax(f32x4.pmax(d0, d1), d2), f32x4.sub(lowB, reach))));
    // corners of b relative to the first corner of a, along a's normal
    const sx = f32x4.sub(px1, px0), sy = f32x4.sub(py1, py0), sz = f32x4.sub(pz1, pz0);
    const tx = f32x4.sub(px2, px0), ty = f32x4.sub(py2, py0), tz = f32x4.sub(pz2, pz0);
    const nx = f32x4.sub(f32x4.mul(sy, tz), f32x4.mul(sz, ty));
    const ny = f32x4.sub(f32x4.mul(sz, tx), f32x4.mul(sx, tz));
    const nz = f32x4.sub(f32x4.mul(sx, ty), f32x4.mul(sy, tx));
    const na = spanOf(nx, ny, nz);
    reach = f32x4.mul(na, f32x4.add(slack, f32x4.mul(f32x4.add(spanOf(sx, sy, sz), spanOf(tx, ty, tz)), f32x4.splat(DOT))));
    const alongS = dot(nx, ny, nz, sx, sy, sz), alongT = dot(nx, ny, nz, tx, ty, tz);
    d0 = f32x4.neg(dot(nx, ny, nz, ax0, ay0, az0));
    d1 = dot(nx, ny, nz, f32x4.sub(qx1, px0), f32x4.sub(qy1, py0), f32x4.sub(qz1, pz0));
    d2 = dot(nx, ny, nz, f32x4.sub(qx2, px0), f32x4.sub(qy2, py0), f32x4.sub(qz2, pz0));
    apart = v128.or(apart, v128.and(f32x4.gt(na, f32x4.splat(LEAST_NORMAL)), v128.or(
      f32x4.gt(f32x4.pmin(f32x4.pmin(d0, d1), d2), f32x4.add(f32x4.pmax(zero, f32x4.pmax(alongS, alongT)), reach)),
      f32x4.lt(f32x4.pmax(f32x4.pmax(d0, d1), d2), f32x4.sub(f32x4.pmin(zero, f32x4.pmin(alongS, alongT)), reach)))));
    parted |= <u32>i32x4.bitmask(apart) << (4 * i);
  }
  return parted;
}

// @ts-ignore: decorator
@inline function dot(x: v128, y: v128, z: v128, a: v128, b: v128, c: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(x, a), f32x4.mul(y, b)), f32x4.mul(z, c));
}

/** At least the largest absolute value of the three. */
// @ts-ignore: decorator
@inline function spanOf(x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.abs(x), f32x4.abs(y)), f32x4.abs(z));
}

/** Address of triangle t, lane i of its block, as nine float64 in mesh a's coordinates. */
function exactTriangleA(a: usize, i: u32, t: u32): usize {
  const out = scratch + EXACT_A + 72 * <usize>i;
  if (exactA & (1 << i)) return out;
  exactA |= 1 << i;
  const mesh: usize = load<u32>(a, OBJECT_MESH);
  const positions = positionsOf(mesh);
  const triangle = indicesOf(mesh) + 12 * <usize>t;
  for (let k: usize = 0; k < 3; k++) {
    const v = vertexAt(positions, load<u32>(triangle + 4 * k));
    store<f64>(out + 24 * k, load<f32>(v));
    store<f64>(out + 24 * k, load<f32>(v, 4), 8);
    store<f64>(out + 24 * k, load<f32>(v, 8), 16);
  }
  return out;
}

/** Address of triangle t of b, posed into a's stored frame with the same rounding as posePoint in src/math/pose.ts. */
function exactTriangleB(a: usize, b: usize, j: u32, t: u32): usize {
  const out = scratch + EXACT_B + 72 * <usize>j;
  if (exactB & (1 << j)) return out;
  exactB |= 1 << j;
  const p = scratch + POSE;
  if (!posed) {
    writePose(a, b, p);
    posed = true;
  }
  const mesh: usize = load<u32>(b, OBJECT_MESH);
  const positions = positionsOf(mesh);
  const triangle = indicesOf(mesh) + 12 * <usize>t;
  for (let k: usize = 0; k < 3; k++) {
    const v = vertexAt(positions, load<u32>(triangle + 4 * k));
    const x = <f64>load<f32>(v), y = <f64>load<f32>(v, 4), z = <f64>load<f32>(v, 8);
    store<f64>(out + 24 * k, load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z + load<f64>(p, 72));
    store<f64>(out + 24 * k, load<f64>(p, 24) * x + load<f64>(p, 32) * y + load<f64>(p, 40) * z + load<f64>(p, 80), 8);
    store<f64>(out + 24 * k, load<f64>(p, 48) * x + load<f64>(p, 56) * y + load<f64>(p, 64) * z + load<f64>(p, 88), 16);
  }
  return out;
}

/**
 * Writes the pose from b's stored positions to a's, operation by operation as relativePose and storedPose compute it.
 */
function writePose(a: usize, b: usize, out: usize): void {
  const p = a + OBJECT_POSE, q = b + OBJECT_POSE;
  let same = true;
  for (let k: usize = 0; k < 96; k += 8) same = same && load<f64>(p + k) == load<f64>(q + k);
  if (same) {
    for (let k: usize = 0; k < 96; k += 8) store<f64>(out + k, k < 72 && k % 32 == 0 ? 1 : 0);
  } else {
    for (let i: usize = 0; i < 24; i += 8) {
      const r0 = load<f64>(p + i), r1 = load<f64>(p + i, 24), r2 = load<f64>(p + i, 48); // row i of a's inverse
      const back = -(r0 * load<f64>(p, 72) + r1 * load<f64>(p, 80) + r2 * load<f64>(p, 88));
      for (let j: usize = 0; j < 24; j += 8) {
        store<f64>(out + 3 * i + j, r0 * load<f64>(q + j) + r1 * load<f64>(q + j, 24) + r2 * load<f64>(q + j, 48));
      }
      store<f64>(out + i, r0 * load<f64>(q, 72) + r1 * load<f64>(q, 80) + r2 * load<f64>(q, 88) + back, 72);
    }
  }
  const o = <usize>load<u32>(a, OBJECT_MESH) + MESH_ORIGIN, w = <usize>load<u32>(b, OBJECT_MESH) + MESH_ORIGIN;
  const ax = load<f64>(o), ay = load<f64>(o, 8), az = load<f64>(o, 16);
  const bx = load<f64>(w), by = load<f64>(w, 8), bz = load<f64>(w, 16);
  if (ax == 0 && ay == 0 && az == 0 && bx == 0 && by == 0 && bz == 0) return;
  if (ax == bx && ay == by && az == bz && isIdentity(out)) return;
  store<f64>(out, load<f64>(out) * bx + load<f64>(out, 8) * by + load<f64>(out, 16) * bz - ax + load<f64>(out, 72), 72);
  store<f64>(out, load<f64>(out, 24) * bx + load<f64>(out, 32) * by + load<f64>(out, 40) * bz - ay + load<f64>(out, 80), 80);
  store<f64>(out, load<f64>(out, 48) * bx + load<f64>(out, 56) * by + load<f64>(out, 64) * bz - az + load<f64>(out, 88), 88);
}

function isIdentity(pose: usize): bool {
  let same = true;
  for (let k: usize = 0; k < 96; k += 8) same = same && load<f64>(pose + k) == (k < 72 && k % 32 == 0 ? 1 : 0);
  return same;
}

/** Whether two triangles of one mesh share a vertex number. */
function sharesNumber(object: usize, s: u32, t: u32): bool {
  const mesh: usize = load<u32>(object, OBJECT_MESH);
  const indices = indicesOf(mesh);
  const p = indices + 12 * <usize>s, q = indices + 12 * <usize>t;
  const q0 = load<u32>(q), q1 = load<u32>(q, 4), q2 = load<u32>(q, 8);
  for (let k: usize = 0; k < 12; k += 4) {
    const n = load<u32>(p + k);
    if (n == q0 || n == q1 || n == q2) return true;
  }
  return false;
}

/** Whether two triangles of one mesh have a corner at the same position. */
function sharesPlace(p: usize, q: usize): bool {
  for (let k: usize = 0; k < 72; k += 24) {
    for (let l: usize = 0; l < 72; l += 24) {
      if (load<f64>(p + k) == load<f64>(q + l) && load<f64>(p + k, 8) == load<f64>(q + l, 8) && load<f64>(p + k, 16) == load<f64>(q + l, 16)) return true;
    }
  }
  return false;
}
