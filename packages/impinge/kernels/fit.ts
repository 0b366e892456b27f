/**
 * Fits oriented boxes to all lanes of a tree whose topology is known. Twin of the `obb` volume's `fit`, four at a time.
 *
 * Idea: the axes come from the covariance of the points (Jacobi rotations, four lanes at once, accumulated in a
 * quaternion) and are compared with the tree's own axes; the box with the smaller area wins. Subtrees of at most GATHER
 * triangles copy their points once into coordinate rows and reuse them for everything below. Larger ones are fitted to
 * the corners of the boxes two steps down, so what is above costs little.
 *
 * Layout: `ranges` has two uint32 per block (first leaf position, number of triangles); `moments` has ten float64 per
 * block (frames.ts); rows are three rows of 1544 float32 in the scratch area.
 * Errs: boxes are enlarged by 6e-7 of their farthest coordinate, which is more than float32 can lose here, and by the
 * least normal float32, because below that a share of a coordinate may round to nothing.
 */
import {
  BLOCK_BYTES, EMPTY, LEAST_NORMAL, LOW_BITS, MESH_INDICES, MESH_POSITIONS, PENDING_BIT, ROW, ROW_CENTRE, ROW_HALF, ROW_QUATERNION,
  ROW_REF, TREE_BLOCKS, TREE_CENTRE, TREE_ORDER, TREE_PENDING, isLeaf, leafCount, leafStart,
} from './layout';
import { maxima, minima, row0, row1, row2 } from './lanes';
import { addMoments, principalFrames, rowY, rowZ, writeCovariance, writeMatrices } from './frames';
import { CORNERS, COVARIANCE, EXTENTS, FRAME, LANE_MOMENTS, MATRICES, ROWS, scratch } from './scratch';

const GATHER: u32 = 512; // at least the size of a lazily built treelet
// host: MOMENT_BYTES
export const MOMENT_BYTES: usize = 80;
const CORNER_ROW: usize = 132 * 4; // at most 16 boxes of 8 corners

/** Fills `ranges` for blocks [from, to), children first; the ranges of blocks they refer to must be known. */
export function computeRanges(tree: usize, ranges: usize, from: u32, to: u32): void {
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  for (let b = <i32>to - 1; b >= <i32>from; b--) {
    const refs = blocks + BLOCK_BYTES * <usize>b + ROW_REF;
    // lanes cover consecutive ranges: the first gives the start, the last the end
    const start = laneStart(tree, ranges, load<u32>(refs));
    let last: usize = 12;
    while (load<u32>(refs + last) == EMPTY) last -= 4;
    const ref = load<u32>(refs + last);
    const count = laneStart(tree, ranges, ref) + laneCount(tree, ranges, ref) - start;
    store<u32>(ranges + 8 * <usize>b, start);
    store<u32>(ranges + 8 * <usize>b, count, 4);
  }
}

// @ts-ignore: decorator
@inline function laneStart(tree: usize, ranges: usize, ref: u32): u32 {
  if (isLeaf(ref)) return leafStart(ref);
  if (ref & PENDING_BIT) return load<u32>(tree + load<u32>(tree, TREE_PENDING) + 8 * <usize>(ref & LOW_BITS));
  return load<u32>(ranges + 8 * <usize>ref);
}
// @ts-ignore: decorator
@inline function laneCount(tree: usize, ranges: usize, ref: u32): u32 {
  if (isLeaf(ref)) return leafCount(ref);
  if (ref & PENDING_BIT) return load<u32>(tree + load<u32>(tree, TREE_PENDING) + 8 * <usize>(ref & LOW_BITS), 4);
  return load<u32>(ranges + 8 * <usize>ref, 4);
}

/** Copies the points of leaf positions [start, start + count), relative to the tree's centre, into the rows. */
function gather(tree: usize, mesh: usize, start: u32, count: u32): void {
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  const order = tree + load<u32>(tree, TREE_ORDER);
  // the centre is a float32 number, so differences are rounded once
  const centre = f32x4(<f32>load<f64>(tree, TREE_CENTRE), <f32>load<f64>(tree, TREE_CENTRE + 8), <f32>load<f64>(tree, TREE_CENTRE + 16), 0);
  let out = scratch + ROWS;
  for (let i = start; i < start + count; i++) {
    const tri = indices + 12 * <usize>load<u32>(order + 4 * <usize>i);
    const v0 = f32x4.sub(v128.load(positions + 12 * <usize>load<u32>(tri)), centre);
    const v1 = f32x4.sub(v128.load(positions + 12 * <usize>load<u32>(tri, 4)), centre);
    const v2 = f32x4.sub(v128.load(positions + 12 * <usize>load<u32>(tri, 8)), centre);
    // transposed; the next triangle overwrites the fourth lane
    const xy = i32x4.shuffle(v0, v1, 0, 4, 1, 5);
    v128.store(out, i32x4.shuffle(xy, v2, 0, 1, 4, 4));
    v128.store(out, i32x4.shuffle(xy, v2, 2, 3, 5, 5), rowY);
    v128.store(out, i32x4.shuffle(i32x4.shuffle(v0, v1, 2, 6, 2, 6), v2, 0, 1, 6, 6), rowZ);
    out += 12;
  }
}

/**
 * Writes the extents of n ≥ 3 points in coordinate rows at p to EXTENTS: minima and maxima along the axes of lane
 * `lane` in MATRICES, and (unless `keepAxes`) along the tree's own axes.
 */
function measureLane(p: usize, n: u32, toY: usize, toZ: usize, lane: usize, keepAxes: bool): void {
  const m = scratch + MATRICES + 4 * lane;
  // the columns of the matrix are the axes
  const a00 = v128.load32_splat(m), a01 = v128.load32_splat(m, 16), a02 = v128.load32_splat(m, 32);
  const a10 = v128.load32_splat(m, 48), a11 = v128.load32_splat(m, 64), a12 = v128.load32_splat(m, 80);
  const a20 = v128.load32_splat(m, 96), a21 = v128.load32_splat(m, 112), a22 = v128.load32_splat(m, 128);
  let x = v128.load(p), y = v128.load(p + toY), z = v128.load(p + toZ);
  if (n == 3) {
    x = i32x4.shuffle(x, x, 0, 1, 2, 0);
    y = i32x4.shuffle(y, y, 0, 1, 2, 0);
    z = i32x4.shuffle(z, z, 0, 1, 2, 0);
  }
  let lx = x, ly = y, lz = z, hx = x, hy = y, hz = z;
  let lu = f32x4.add(f32x4.add(f32x4.mul(a00, x), f32x4.mul(a10, y)), f32x4.mul(a20, z)), hu = lu;
  let lv = f32x4.add(f32x4.add(f32x4.mul(a01, x), f32x4.mul(a11, y)), f32x4.mul(a21, z)), hv = lv;
  let lw = f32x4.add(f32x4.add(f32x4.mul(a02, x), f32x4.mul(a12, y)), f32x4.mul(a22, z)), hw = lw;
  // the last load overlaps the one before it, so as not to read past the end
  const last = p + 4 * <usize>(n < 4 ? 0 : n - 4);
  for (p += 16; p < last + 16; p += 16) {
    const at = p < last ? p : last;
    x = v128.load(at);
    y = v128.load(at + toY);
    z = v128.load(at + toZ);
    if (!keepAxes) {
      lx = f32x4.pmin(lx, x); hx = f32x4.pmax(hx, x);
      ly = f32x4.pmin(ly, y); hy = f32x4.pmax(hy, y);
      lz = f32x4.pmin(lz, z); hz = f32x4.pmax(hz, z);
    }
    const u = f32x4.add(f32x4.add(f32x4.mul(a00, x), f32x4.mul(a10, y)), f32x4.mul(a20, z));
    const v = f32x4.add(f32x4.add(f32x4.mul(a01, x), f32x4.mul(a11, y)), f32x4.mul(a21, z));
    const w = f32x4.add(f32x4.add(f32x4.mul(a02, x), f32x4.mul(a12, y)), f32x4.mul(a22, z));
    lu = f32x4.pmin(lu, u); hu = f32x4.pmax(hu, u);
    lv = f32x4.pmin(lv, v); hv = f32x4.pmax(hv, v);
    lw = f32x4.pmin(lw, w); hw = f32x4.pmax(hw, w);
  }
  const out = scratch + EXTENTS + 64 * lane;
  v128.store(out, minima(lu, lv, lw));
  v128.store(out, maxima(hu, hv, hw), 16);
  if (!keepAxes) {
    v128.store(out, minima(lx, ly, lz), 32);
    v128.store(out, maxima(hx, hy, hz), 48);
  }
}

/**
 * Writes the extents along the axes of lane `lane` in MATRICES only, read directly from the triangles at leaf positions
 * [start, start + count). Used where no lane below needs their points. The results equal those of `gather` and
 * `measureLane`.
 */
function measureTriangles(tree: usize, mesh: usize, start: u32, count: u32, lane: usize): void {
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  const order = tree + load<u32>(tree, TREE_ORDER);
  const centre = f32x4(<f32>load<f64>(tree, TREE_CENTRE), <f32>load<f64>(tree, TREE_CENTRE + 8), <f32>load<f64>(tree, TREE_CENTRE + 16), 0);
  const m = scratch + MATRICES + 4 * lane;
  const ofX = f32x4(load<f32>(m), load<f32>(m, 16), load<f32>(m, 32), 0);
  const ofY = f32x4(load<f32>(m, 48), load<f32>(m, 64), load<f32>(m, 80), 0);
  const ofZ = f32x4(load<f32>(m, 96), load<f32>(m, 112), load<f32>(m, 128), 0);
  let lo = f32x4.splat(Infinity), hi = f32x4.splat(-Infinity), lo1 = lo, hi1 = hi, lo2 = lo, hi2 = hi;
  for (let i = start; i < start + count; i++) {
    const tri = indices + 12 * <usize>load<u32>(order + 4 * <usize>i);
    const p = f32x4.sub(v128.load(positions + 12 * <usize>load<u32>(tri)), centre);
    const q = f32x4.sub(v128.load(positions + 12 * <usize>load<u32>(tri, 4)), centre);
    const r = f32x4.sub(v128.load(positions + 12 * <usize>load<u32>(tri, 8)), centre);
    const u = along(p, ofX, ofY, ofZ), v = along(q, ofX, ofY, ofZ), w = along(r, ofX, ofY, ofZ);
    lo = f32x4.pmin(lo, u); hi = f32x4.pmax(hi, u);
    lo1 = f32x4.pmin(lo1, v); hi1 = f32x4.pmax(hi1, v);
    lo2 = f32x4.pmin(lo2, w); hi2 = f32x4.pmax(hi2, w);
  }
  lo = f32x4.pmin(f32x4.pmin(lo, lo1), lo2);
  hi = f32x4.pmax(f32x4.pmax(hi, hi1), hi2);
  const out = scratch + EXTENTS + 64 * lane;
  v128.store(out, lo);
  v128.store(out, hi, 16);
}

// @ts-ignore: decorator
@inline function along(p: v128, ofX: v128, ofY: v128, ofZ: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(ofX, i32x4.shuffle(p, p, 0, 0, 0, 0)), f32x4.mul(ofY, i32x4.shuffle(p, p, 1, 1, 1, 1))),
    f32x4.mul(ofZ, i32x4.shuffle(p, p, 2, 2, 2, 2)));
}

/** Writes the boxes of four lanes from EXTENTS, with the axes in FRAME or the tree's own, whichever box is smaller. */
function writeBoxes(block: usize, keepAxes: bool): void {
  const e = scratch + EXTENTS;
  const half = f32x4.splat(0.5);
  // transpose: one lane's minima (u v w) become three rows
  let p0 = v128.load(e), p1 = v128.load(e, 64), p2 = v128.load(e, 128), p3 = v128.load(e, 192);
  let q0 = v128.load(e, 16), q1 = v128.load(e, 80), q2 = v128.load(e, 144), q3 = v128.load(e, 208);
  let c0 = f32x4.mul(f32x4.add(p0, q0), half), c1 = f32x4.mul(f32x4.add(p1, q1), half), c2 = f32x4.mul(f32x4.add(p2, q2), half), c3 = f32x4.mul(f32x4.add(p3, q3), half);
  let d0 = f32x4.mul(f32x4.sub(q0, p0), half), d1 = f32x4.mul(f32x4.sub(q1, p1), half), d2 = f32x4.mul(f32x4.sub(q2, p2), half), d3 = f32x4.mul(f32x4.sub(q3, p3), half);
  const cu = row0(c0, c1, c2, c3), cv = row1(c0, c1, c2, c3), cw = row2(c0, c1, c2, c3);
  let ex = row0(d0, d1, d2, d3), ey = row1(d0, d1, d2, d3), ez = row2(d0, d1, d2, d3);
  const m = scratch + MATRICES;
  let cx = f32x4.add(f32x4.add(f32x4.mul(v128.load(m), cu), f32x4.mul(v128.load(m, 16), cv)), f32x4.mul(v128.load(m, 32), cw));
  let cy = f32x4.add(f32x4.add(f32x4.mul(v128.load(m, 48), cu), f32x4.mul(v128.load(m, 64), cv)), f32x4.mul(v128.load(m, 80), cw));
  let cz = f32x4.add(f32x4.add(f32x4.mul(v128.load(m, 96), cu), f32x4.mul(v128.load(m, 112), cv)), f32x4.mul(v128.load(m, 128), cw));
  if (!keepAxes) {
    p0 = v128.load(e, 32); p1 = v128.load(e, 96); p2 = v128.load(e, 160); p3 = v128.load(e, 224);
    q0 = v128.load(e, 48); q1 = v128.load(e, 112); q2 = v128.load(e, 176); q3 = v128.load(e, 240);
    c0 = f32x4.mul(f32x4.add(p0, q0), half); c1 = f32x4.mul(f32x4.add(p1, q1), half); c2 = f32x4.mul(f32x4.add(p2, q2), half); c3 = f32x4.mul(f32x4.add(p3, q3), half);
    d0 = f32x4.mul(f32x4.sub(q0, p0), half); d1 = f32x4.mul(f32x4.sub(q1, p1), half); d2 = f32x4.mul(f32x4.sub(q2, p2), half); d3 = f32x4.mul(f32x4.sub(q3, p3), half);
    const ax = row0(d0, d1, d2, d3), ay = row1(d0, d1, d2, d3), az = row2(d0, d1, d2, d3);
    const turned = f32x4.lt(
      f32x4.add(f32x4.add(f32x4.mul(ex, ey), f32x4.mul(ey, ez)), f32x4.mul(ez, ex)),
      f32x4.add(f32x4.add(f32x4.mul(ax, ay), f32x4.mul(ay, az)), f32x4.mul(az, ax)));
    cx = v128.bitselect(cx, row0(c0, c1, c2, c3), turned);
    cy = v128.bitselect(cy, row1(c0, c1, c2, c3), turned);
    cz = v128.bitselect(cz, row2(c0, c1, c2, c3), turned);
    ex = v128.bitselect(ex, ax, turned);
    ey = v128.bitselect(ey, ay, turned);
    ez = v128.bitselect(ez, az, turned);
    const f = scratch + FRAME;
    v128.store(block, v128.and(v128.load(f), turned), ROW_QUATERNION);
    v128.store(block, v128.and(v128.load(f, 16), turned), ROW_QUATERNION + ROW);
    v128.store(block, v128.and(v128.load(f, 32), turned), ROW_QUATERNION + 2 * ROW);
    v128.store(block, v128.bitselect(v128.load(f, 48), f32x4.splat(1), turned), ROW_QUATERNION + 3 * ROW);
  }
  const slack = f32x4.add(f32x4.splat(LEAST_NORMAL), f32x4.mul(f32x4.splat(6e-7), f32x4.add(
    f32x4.add(f32x4.add(f32x4.abs(cx), f32x4.abs(cy)), f32x4.abs(cz)), f32x4.add(f32x4.add(ex, ey), ez))));
  v128.store(block, cx, ROW_CENTRE);
  v128.store(block, cy, ROW_CENTRE + ROW);
  v128.store(block, cz, ROW_CENTRE + 2 * ROW);
  v128.store(block, f32x4.add(ex, slack), ROW_HALF);
  v128.store(block, f32x4.add(ey, slack), ROW_HALF + ROW);
  v128.store(block, f32x4.add(ez, slack), ROW_HALF + 2 * ROW);
  for (let lane: usize = 0; lane < 4; lane++) {
    if (load<u32>(block + 4 * lane, ROW_REF) == EMPTY) writeEmptyLane(block + 4 * lane);
  }
}

/** Writes a lane that overlaps nothing. */
function writeEmptyLane(slot: usize): void {
  for (let row: usize = 0; row < 10; row++) store<f32>(slot + ROW * row, row >= 3 && row < 6 ? -1e30 : row == 9 ? 1 : 0);
}

/** Merges the extents of a lane from the boxes below it if all of them have the tree's axes; that loses nothing. */
function mergeAligned(tree: usize, block: usize, lane: usize, ref: u32): bool {
  if (isLeaf(ref) || ref & PENDING_BIT) return false;
  const slot = block + 4 * lane + ROW_QUATERNION;
  if (load<f32>(slot) != 0 || load<f32>(slot, ROW) != 0 || load<f32>(slot, 2 * ROW) != 0) return false;
  const child = tree + load<u32>(tree, TREE_BLOCKS) + BLOCK_BYTES * <usize>ref;
  const turned = v128.or(v128.or(v128.load(child, ROW_QUATERNION), v128.load(child, ROW_QUATERNION + ROW)), v128.load(child, ROW_QUATERNION + 2 * ROW));
  if (v128.any_true(turned)) return false;
  const cx = v128.load(child, ROW_CENTRE), cy = v128.load(child, ROW_CENTRE + ROW), cz = v128.load(child, ROW_CENTRE + 2 * ROW);
  const hx = v128.load(child, ROW_HALF), hy = v128.load(child, ROW_HALF + ROW), hz = v128.load(child, ROW_HALF + 2 * ROW);
  const out = scratch + EXTENTS + 64 * lane;
  // the extents of an empty lane are inverted and change nothing
  v128.store(out, minima(f32x4.sub(cx, hx), f32x4.sub(cy, hy), f32x4.sub(cz, hz)));
  v128.store(out, maxima(f32x4.add(cx, hx), f32x4.add(cy, hy), f32x4.add(cz, hz)), 16);
  return true;
}

/**
 * Fits block b, whose points [start, …) are at the beginning of the gathered rows. `moments` of its child blocks are
 * known.
 */
function fitGathered(tree: usize, ranges: usize, moments: usize, b: u32, gatherStart: u32, keepAxes: bool): void {
  const block = tree + load<u32>(tree, TREE_BLOCKS) + BLOCK_BYTES * <usize>b;
  if (keepAxes) holdFrames(block);
  else findFramesGathered(tree, ranges, moments, b, gatherStart, block);
  writeMatrices();
  for (let lane: usize = 0; lane < 4; lane++) {
    const ref = load<u32>(block + 4 * lane, ROW_REF);
    if (ref == EMPTY || (keepAxes && mergeAligned(tree, block, lane, ref))) continue;
    const p = scratch + ROWS + 12 * <usize>(laneStart(tree, ranges, ref) - gatherStart);
    measureLane(p, 3 * laneCount(tree, ranges, ref), rowY, rowZ, lane, keepAxes);
  }
  writeBoxes(block, keepAxes);
}

/** Loads the present axes of a block into FRAME. */
function holdFrames(block: usize): void {
  for (let k: usize = 0; k < 64; k += 16) v128.store(scratch + FRAME + k, v128.load(block + k, ROW_QUATERNION));
}

/** Computes the principal axes of the lanes of a block whose points are gathered. */
function findFramesGathered(tree: usize, ranges: usize, moments: usize, b: u32, gatherStart: u32, block: usize): void {
  const own = moments + MOMENT_BYTES * <usize>b;
  memory.fill(own, 0, MOMENT_BYTES);
  for (let lane: usize = 0; lane < 4; lane++) {
    const ref = load<u32>(block + 4 * lane, ROW_REF);
    if (ref == EMPTY) {
      for (let k: usize = 0; k < 96; k += 16) store<f32>(scratch + COVARIANCE + 4 * lane + k, 0);
      continue;
    }
    let from = scratch + LANE_MOMENTS;
    if (isLeaf(ref) || ref & PENDING_BIT) {
      memory.fill(scratch + LANE_MOMENTS, 0, MOMENT_BYTES);
      const p = scratch + ROWS + 12 * <usize>(laneStart(tree, ranges, ref) - gatherStart);
      addMoments(p, p + 12 * <usize>laneCount(tree, ranges, ref), scratch + LANE_MOMENTS);
    } else from = moments + MOMENT_BYTES * <usize>ref;
    writeCovariance(from, lane);
    for (let k: usize = 0; k < MOMENT_BYTES; k += 16) v128.store(own + k, f64x2.add(v128.load(own + k), v128.load(from + k)));
  }
  principalFrames();
}

/** Appends the 8 corners of the box at `slot` to the corner rows at byte `at`; returns the new end. */
function addCorners(slot: usize, at: usize): usize {
  const hx = load<f32>(slot, ROW_HALF), hy = load<f32>(slot, ROW_HALF + ROW), hz = load<f32>(slot, ROW_HALF + 2 * ROW);
  const qx = load<f32>(slot, ROW_QUATERNION), qy = load<f32>(slot, ROW_QUATERNION + ROW);
  const qz = load<f32>(slot, ROW_QUATERNION + 2 * ROW), qw = load<f32>(slot, ROW_QUATERNION + 3 * ROW);
  const out = scratch + CORNERS + at;
  addCornerRow(out, load<f32>(slot, ROW_CENTRE), hx * (1 - 2 * (qy * qy + qz * qz)), hy * (2 * (qx * qy - qz * qw)), hz * (2 * (qx * qz + qy * qw)));
  addCornerRow(out + CORNER_ROW, load<f32>(slot, ROW_CENTRE + ROW), hx * (2 * (qx * qy + qz * qw)), hy * (1 - 2 * (qx * qx + qz * qz)), hz * (2 * (qy * qz - qx * qw)));
  addCornerRow(out + 2 * CORNER_ROW, load<f32>(slot, ROW_CENTRE + 2 * ROW), hx * (2 * (qx * qz - qy * qw)), hy * (2 * (qy * qz + qx * qw)), hz * (1 - 2 * (qx * qx + qy * qy)));
  return at + 32;
}

// @ts-ignore: decorator
@inline function addCornerRow(out: usize, c: f32, a: f32, b: f32, d: f32): void {
  const face = f32x4(c - a - b, c + a - b, c - a + b, c + a + b);
  v128.store(out, f32x4.sub(face, f32x4.splat(d)));
  v128.store(out, f32x4.add(face, f32x4.splat(d)), 16);
}

/** Fits a block above the gathered subtrees to the corners of the boxes one or two steps below each lane. */
function fitUpper(tree: usize, mesh: usize, ranges: usize, moments: usize, b: u32, keepAxes: bool): void {
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  const block = blocks + BLOCK_BYTES * <usize>b;
  if (keepAxes) holdFrames(block);
  else findFramesUpper(tree, mesh, ranges, moments, b, block);
  writeMatrices();
  for (let lane: usize = 0; lane < 4; lane++) {
    const slot = block + 4 * lane;
    const ref = load<u32>(slot, ROW_REF);
    if (ref == EMPTY || (keepAxes && mergeAligned(tree, block, lane, ref))) continue;
    if (isLeaf(ref) || ref & PENDING_BIT) {
      const start = laneStart(tree, ranges, ref), count = laneCount(tree, ranges, ref);
      if (keepAxes) measureTriangles(tree, mesh, start, count, lane);
      else {
        gather(tree, mesh, start, count);
        measureLane(scratch + ROWS, 3 * count, rowY, rowZ, lane, false);
      }
      continue;
    }
    let at: usize = 0;
    const child = blocks + BLOCK_BYTES * <usize>ref;
    for (let i: usize = 0; i < 4; i++) {
      const childRef = load<u32>(child + 4 * i, ROW_REF);
      if (childRef == EMPTY) continue;
      if (isLeaf(childRef) || childRef & PENDING_BIT) { at = addCorners(child + 4 * i, at); continue; }
      const grandchild = blocks + BLOCK_BYTES * <usize>childRef;
      for (let j: usize = 0; j < 4; j++) {
        if (load<u32>(grandchild + 4 * j, ROW_REF) != EMPTY) at = addCorners(grandchild + 4 * j, at);
      }
    }
    measureLane(scratch + CORNERS, <u32>(at >> 2), CORNER_ROW, 2 * CORNER_ROW, lane, keepAxes);
  }
  writeBoxes(block, keepAxes);
}

/** Computes the principal axes of the lanes of a block above the gathered subtrees. */
function findFramesUpper(tree: usize, mesh: usize, ranges: usize, moments: usize, b: u32, block: usize): void {
  const own = moments + MOMENT_BYTES * <usize>b;
  memory.fill(own, 0, MOMENT_BYTES);
  for (let lane: usize = 0; lane < 4; lane++) {
    const ref = load<u32>(block + 4 * lane, ROW_REF);
    for (let k: usize = 0; k < 96; k += 16) store<f32>(scratch + COVARIANCE + 4 * lane + k, 0);
    if (ref == EMPTY) continue;
    let from = scratch + LANE_MOMENTS;
    if (isLeaf(ref) || ref & PENDING_BIT) {
      memory.fill(from, 0, MOMENT_BYTES);
      gather(tree, mesh, laneStart(tree, ranges, ref), laneCount(tree, ranges, ref));
      addMoments(scratch + ROWS, scratch + ROWS + 12 * <usize>laneCount(tree, ranges, ref), from);
    } else from = moments + MOMENT_BYTES * <usize>ref;
    writeCovariance(from, lane);
    for (let k: usize = 0; k < MOMENT_BYTES; k += 16) v128.store(own + k, f64x2.add(v128.load(own + k), v128.load(from + k)));
  }
  principalFrames();
}

/**
 * Fits the maximal subtrees of at most GATHER triangles among blocks [from, to). The blocks of one subtree are
 * consecutive. Subtrees are independent of each other, so workers may take different ranges. With `keepAxes` the boxes
 * keep their orientation and `moments` is not used.
 */
export function fitSubtrees(tree: usize, mesh: usize, ranges: usize, moments: usize, from: u32, to: u32, keepAxes: bool): void {
  let b = from;
  while (b < to) {
    const count = load<u32>(ranges + 8 * <usize>b, 4);
    if (count > GATHER) { b++; continue; }
    const start = load<u32>(ranges + 8 * <usize>b);
    let end = b + 1;
    while (end < to && load<u32>(ranges + 8 * <usize>end) - start < count) end++;
    gather(tree, mesh, start, count);
    for (let k = <i32>end - 1; k >= <i32>b; k--) fitGathered(tree, ranges, moments, k, start, keepAxes);
    b = end;
  }
}

/** Fits the blocks that fitSubtrees skips, children first. */
export function fitUpperBlocks(tree: usize, mesh: usize, ranges: usize, moments: usize, from: u32, to: u32, keepAxes: bool): void {
  for (let b = <i32>to - 1; b >= <i32>from; b--) {
    if (load<u32>(ranges + 8 * <usize>b, 4) > GATHER) fitUpper(tree, mesh, ranges, moments, b, keepAxes);
  }
}

/** Resets the axes of blocks [from, to) to the tree's own; a fit that keeps them then makes axis-aligned boxes. */
export function alignAxes(tree: usize, from: u32, to: u32): void {
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  for (let b = from; b < to; b++) {
    const block = blocks + BLOCK_BYTES * <usize>b;
    for (let k: usize = 0; k < 48; k += 16) v128.store(block + k, f32x4.splat(0), ROW_QUATERNION);
    v128.store(block, f32x4.splat(1), ROW_QUATERNION + 3 * ROW);
  }
}

/** Fits blocks [from, to) completely on one thread; they must not refer to blocks outside the range. */
export function fitRange(tree: usize, mesh: usize, ranges: usize, moments: usize, from: u32, to: u32, aligned: bool): void {
  if (aligned) alignAxes(tree, from, to);
  fitSubtrees(tree, mesh, ranges, moments, from, to, aligned);
  fitUpperBlocks(tree, mesh, ranges, moments, from, to, aligned);
}

// Tried and dropped: with `keepAxes`, fitting lanes of more than 24 triangles to the four boxes below them instead of
// their points. Refitting 1 M triangles is 10 % faster, but distance queries on the result test twice as many boxes.
