/**
 * Oriented boxes for every lane of a tree whose topology is known. Twin of the `obb` volume's `fit`, four at a time.
 *
 * Idea: axes from the covariance of the points (Jacobi rotations, four lanes at once, gathered in a quaternion),
 * compared with the tree's own axes; the box of smaller area wins. Subtrees of at most GATHER triangles copy their
 * points once into coordinate rows and reuse them for every level below; larger ones are fitted to the corners
 * of the boxes two levels down, so the cost above is small.
 *
 * Layout: `ranges` two uint32 per block (first leaf position, triangles); `moments` ten float64 per block
 * (count, Σx Σy Σz, Σxx Σyy Σzz, Σxy Σxz Σyz). rows: three rows of 1544 float32 in the scratch area.
 * Errs: boxes are enlarged by 6e-7 of their farthest coordinate, more than float32 can lose here.
 */
import {
  BLOCK_BYTES, EMPTY, LOW_BITS, MESH_INDICES, MESH_POSITIONS, PENDING_BIT, ROW, ROW_CENTRE, ROW_HALF, ROW_QUATERNION,
  ROW_REF, TREE_BLOCKS, TREE_CENTRE, TREE_ORDER, TREE_PENDING, isLeaf, leafCount, leafStart,
} from './layout';
import { CORNERS, COVARIANCE, FRAME, LANE_MOMENTS, ROWS, scratch } from './scratch';

const GATHER: u32 = 512; // at least as many as a lazily built treelet holds
const MOMENT_BYTES: usize = 80;
const rowY: usize = (3 * 512 + 8) * 4;
const rowZ: usize = (3 * 512 + 8) * 8;
const CORNER_ROW: usize = 132 * 4; // at most 16 boxes of 8 corners

/** Fills `ranges` for blocks [from, to), children first. Returns nothing; needs ranges of later blocks. */
export function computeRanges(tree: usize, ranges: usize, from: u32, to: u32): void {
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  for (let b = <i32>to - 1; b >= <i32>from; b--) {
    const refs = blocks + BLOCK_BYTES * <usize>b + ROW_REF;
    let start: u32 = 0xffffffff;
    let count: u32 = 0;
    for (let lane: usize = 0; lane < 4; lane++) {
      const ref = load<u32>(refs + 4 * lane);
      if (ref == EMPTY) continue;
      start = min(start, laneStart(tree, ranges, ref));
      count += laneCount(tree, ranges, ref);
    }
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
  const cx = load<f64>(tree, TREE_CENTRE);
  const cy = load<f64>(tree, TREE_CENTRE + 8);
  const cz = load<f64>(tree, TREE_CENTRE + 16);
  let out = (scratch + ROWS);
  for (let i = start; i < start + count; i++) {
    const tri = indices + 12 * <usize>load<u32>(order + 4 * <usize>i);
    for (let k: usize = 0; k < 12; k += 4) {
      const v = positions + 12 * <usize>load<u32>(tri + k);
      store<f32>(out, <f32>(<f64>load<f32>(v) - cx));
      store<f32>(out, <f32>(<f64>load<f32>(v, 4) - cy), rowY);
      store<f32>(out, <f32>(<f64>load<f32>(v, 8) - cz), rowZ);
      out += 4;
    }
  }
}

/** Adds the moments of row points [p, end) (byte addresses in the x row) to `into`. */
function addMoments(p: usize, end: usize, into: usize): void {
  let sx: f64 = 0, sy: f64 = 0, sz: f64 = 0, xx: f64 = 0, yy: f64 = 0, zz: f64 = 0, xy: f64 = 0, xz: f64 = 0, yz: f64 = 0;
  const n = <f64>((end - p) >> 2);
  for (; p < end; p += 4) {
    const x = <f64>load<f32>(p);
    const y = <f64>load<f32>(p, rowY);
    const z = <f64>load<f32>(p, rowZ);
    sx += x; sy += y; sz += z;
    xx += x * x; yy += y * y; zz += z * z;
    xy += x * y; xz += x * z; yz += y * z;
  }
  store<f64>(into, load<f64>(into) + n);
  store<f64>(into, load<f64>(into, 8) + sx, 8);
  store<f64>(into, load<f64>(into, 16) + sy, 16);
  store<f64>(into, load<f64>(into, 24) + sz, 24);
  store<f64>(into, load<f64>(into, 32) + xx, 32);
  store<f64>(into, load<f64>(into, 40) + yy, 40);
  store<f64>(into, load<f64>(into, 48) + zz, 48);
  store<f64>(into, load<f64>(into, 56) + xy, 56);
  store<f64>(into, load<f64>(into, 64) + xz, 64);
  store<f64>(into, load<f64>(into, 72) + yz, 72);
}

/** Writes lane `lane` of the covariance rows from moments, scaled to a trace of 1. */
function writeCovariance(moments: usize, lane: usize): void {
  const n = load<f64>(moments);
  const inv: f64 = n > 0 ? 1 / n : 0;
  const mx = load<f64>(moments, 8) * inv;
  const my = load<f64>(moments, 16) * inv;
  const mz = load<f64>(moments, 24) * inv;
  const xx = max(0, load<f64>(moments, 32) * inv - mx * mx);
  const yy = max(0, load<f64>(moments, 40) * inv - my * my);
  const zz = max(0, load<f64>(moments, 48) * inv - mz * mz);
  const trace = xx + yy + zz;
  const s: f64 = trace > 0 ? 1 / trace : 0;
  const out = (scratch + COVARIANCE) + 4 * lane;
  store<f32>(out, <f32>(xx * s));
  store<f32>(out, <f32>(yy * s), 16);
  store<f32>(out, <f32>(zz * s), 32);
  store<f32>(out, <f32>((load<f64>(moments, 56) * inv - mx * my) * s), 48);
  store<f32>(out, <f32>((load<f64>(moments, 64) * inv - mx * mz) * s), 64);
  store<f32>(out, <f32>((load<f64>(moments, 72) * inv - my * mz) * s), 80);
}

/**
 * Four Jacobi diagonalisations at once: covariance rows in, unit quaternions out (in FRAME). Approximate rotations
 * after McAdams et al. 2011, "Computing the singular value decomposition of 3 × 3 matrices with minimal branching".
 */
function principalFrames(): void {
  let xx = v128.load((scratch + COVARIANCE));
  let yy = v128.load((scratch + COVARIANCE), 16);
  let zz = v128.load((scratch + COVARIANCE), 32);
  let xy = v128.load((scratch + COVARIANCE), 48);
  let xz = v128.load((scratch + COVARIANCE), 64);
  let yz = v128.load((scratch + COVARIANCE), 80);
  const one = f32x4.splat(1);
  const tiny = f32x4.splat(1e-30);
  let qx = f32x4.splat(0);
  let qy = f32x4.splat(0);
  let qz = f32x4.splat(0);
  let qw = one;
  for (let sweep = 0; sweep < 4; sweep++) {
    for (let k = 0; k < 3; k++) {
      // rotate the plane (p, q) about the axis r = k; (p, q, r) cyclic: k=2: (x,y), k=0: (y,z), k=1: (z,x)
      const pp = k == 2 ? xx : k == 0 ? yy : zz;
      const qq = k == 2 ? yy : k == 0 ? zz : xx;
      const pq = k == 2 ? xy : k == 0 ? yz : xz;
      const pr = k == 2 ? xz : k == 0 ? xy : yz;
      const qr = k == 2 ? yz : k == 0 ? xz : xy;
      // half the angle φ ≈ pq / (pp − qq), or π / 8 where that is too large: either shrinks pq, with one root
      const pq2 = f32x4.add(pq, pq);
      let ch = f32x4.sub(pp, qq);
      ch = f32x4.add(ch, ch);
      const shSq = f32x4.mul(pq, pq);
      const chSq = f32x4.mul(ch, ch);
      const small = f32x4.lt(f32x4.mul(f32x4.splat(5.828427), shSq), chSq);
      const inverse = f32x4.div(one, f32x4.sqrt(f32x4.pmax(f32x4.add(shSq, chSq), tiny)));
      ch = v128.bitselect(f32x4.mul(ch, inverse), f32x4.splat(0.9238795), small);
      const sh = v128.bitselect(f32x4.mul(pq, inverse), f32x4.splat(0.3826834), small);
      const c = f32x4.sub(f32x4.mul(ch, ch), f32x4.mul(sh, sh));
      const s = f32x4.mul(f32x4.add(ch, ch), sh);
      // R^T A R
      const cc = f32x4.mul(c, c);
      const ss = f32x4.mul(s, s);
      const cs2pq = f32x4.mul(f32x4.mul(c, s), pq2);
      const npp = f32x4.add(f32x4.add(f32x4.mul(cc, pp), f32x4.mul(ss, qq)), cs2pq);
      const nqq = f32x4.sub(f32x4.add(f32x4.mul(ss, pp), f32x4.mul(cc, qq)), cs2pq);
      const npr = f32x4.add(f32x4.mul(c, pr), f32x4.mul(s, qr));
      const nqr = f32x4.sub(f32x4.mul(c, qr), f32x4.mul(s, pr));
      const npq = f32x4.add(f32x4.mul(f32x4.sub(cc, ss), pq), f32x4.mul(f32x4.mul(c, s), f32x4.sub(qq, pp)));
      // q := q * (sh e_k, ch)
      const ox = qx, oy = qy, oz = qz, ow = qw;
      if (k == 2) {
        xx = npp; yy = nqq; xy = npq; xz = npr; yz = nqr;
        qx = f32x4.add(f32x4.mul(ox, ch), f32x4.mul(oy, sh));
        qy = f32x4.sub(f32x4.mul(oy, ch), f32x4.mul(ox, sh));
        qz = f32x4.add(f32x4.mul(oz, ch), f32x4.mul(ow, sh));
        qw = f32x4.sub(f32x4.mul(ow, ch), f32x4.mul(oz, sh));
      } else if (k == 0) {
        yy = npp; zz = nqq; yz = npq; xy = npr; xz = nqr;
        qy = f32x4.add(f32x4.mul(oy, ch), f32x4.mul(oz, sh));
        qz = f32x4.sub(f32x4.mul(oz, ch), f32x4.mul(oy, sh));
        qx = f32x4.add(f32x4.mul(ox, ch), f32x4.mul(ow, sh));
        qw = f32x4.sub(f32x4.mul(ow, ch), f32x4.mul(ox, sh));
      } else {
        zz = npp; xx = nqq; xz = npq; yz = npr; xy = nqr;
        qz = f32x4.add(f32x4.mul(oz, ch), f32x4.mul(ox, sh));
        qx = f32x4.sub(f32x4.mul(ox, ch), f32x4.mul(oz, sh));
        qy = f32x4.add(f32x4.mul(oy, ch), f32x4.mul(ow, sh));
        qw = f32x4.sub(f32x4.mul(ow, ch), f32x4.mul(oy, sh));
      }
    }
  }
  const norm = f32x4.div(one, f32x4.sqrt(f32x4.add(
    f32x4.add(f32x4.mul(qx, qx), f32x4.mul(qy, qy)), f32x4.add(f32x4.mul(qz, qz), f32x4.mul(qw, qw)))));
  v128.store((scratch + FRAME), f32x4.mul(qx, norm));
  v128.store((scratch + FRAME), f32x4.mul(qy, norm), 16);
  v128.store((scratch + FRAME), f32x4.mul(qz, norm), 32);
  v128.store((scratch + FRAME), f32x4.mul(qw, norm), 48);
}

// @ts-ignore: decorator
@inline function minLane(v: v128): f32 {
  const a = f32x4.pmin(v, i32x4.shuffle(v, v, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.pmin(a, i32x4.shuffle(a, a, 1, 0, 3, 2)), 0);
}
// @ts-ignore: decorator
@inline function maxLane(v: v128): f32 {
  const a = f32x4.pmax(v, i32x4.shuffle(v, v, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.pmax(a, i32x4.shuffle(a, a, 1, 0, 3, 2)), 0);
}

/**
 * Fits the box of one lane to n ≥ 3 points in coordinate rows at p, with the axes in FRAME or (unless `keepAxes`) the
 * tree's own, whichever makes the smaller box, and stores it.
 */
function fitLane(p: usize, n: u32, toY: usize, toZ: usize, slot: usize, lane: usize, keepAxes: bool): void {
  const qx = load<f32>((scratch + FRAME) + 4 * lane);
  const qy = load<f32>((scratch + FRAME) + 4 * lane, 16);
  const qz = load<f32>((scratch + FRAME) + 4 * lane, 32);
  const qw = load<f32>((scratch + FRAME) + 4 * lane, 48);
  // columns of the matrix are the axes
  const r00: f32 = 1 - 2 * (qy * qy + qz * qz), r01: f32 = 2 * (qx * qy - qz * qw), r02: f32 = 2 * (qx * qz + qy * qw);
  const r10: f32 = 2 * (qx * qy + qz * qw), r11: f32 = 1 - 2 * (qx * qx + qz * qz), r12: f32 = 2 * (qy * qz - qx * qw);
  const r20: f32 = 2 * (qx * qz - qy * qw), r21: f32 = 2 * (qy * qz + qx * qw), r22: f32 = 1 - 2 * (qx * qx + qy * qy);
  const a00 = f32x4.splat(r00), a10 = f32x4.splat(r10), a20 = f32x4.splat(r20);
  const a01 = f32x4.splat(r01), a11 = f32x4.splat(r11), a21 = f32x4.splat(r21);
  const a02 = f32x4.splat(r02), a12 = f32x4.splat(r12), a22 = f32x4.splat(r22);
  let lx = f32x4.splat(Infinity), ly = lx, lz = lx, lu = lx, lv = lx, lw = lx;
  let hx = f32x4.splat(-Infinity), hy = hx, hz = hx, hu = hx, hv = hx, hw = hx;
  let i: u32 = 0;
  while (true) {
    let x = v128.load(p + 4 * <usize>i);
    let y = v128.load(p + 4 * <usize>i + toY);
    let z = v128.load(p + 4 * <usize>i + toZ);
    if (n == 3) {
      x = i32x4.shuffle(x, x, 0, 1, 2, 0);
      y = i32x4.shuffle(y, y, 0, 1, 2, 0);
      z = i32x4.shuffle(z, z, 0, 1, 2, 0);
    }
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
    if (i + 4 >= n) break;
    i = min(i + 4, n - 4); // the last load overlaps the one before instead of running over the end
  }
  const u0 = minLane(lu), u1 = maxLane(hu), v0 = minLane(lv), v1 = maxLane(hv), w0 = minLane(lw), w1 = maxLane(hw);
  const du = u1 - u0, dv = v1 - v0, dw = w1 - w0;
  const cu: f32 = (u0 + u1) * 0.5, cv: f32 = (v0 + v1) * 0.5, cw: f32 = (w0 + w1) * 0.5;
  let cx = r00 * cu + r01 * cv + r02 * cw;
  let cy = r10 * cu + r11 * cv + r12 * cw;
  let cz = r20 * cu + r21 * cv + r22 * cw;
  let ex: f32 = du * 0.5, ey: f32 = dv * 0.5, ez: f32 = dw * 0.5;
  let turned = true;
  if (!keepAxes) {
    const x0 = minLane(lx), x1 = maxLane(hx), y0 = minLane(ly), y1 = maxLane(hy), z0 = minLane(lz), z1 = maxLane(hz);
    const dx = x1 - x0, dy = y1 - y0, dz = z1 - z0;
    turned = du * dv + dv * dw + dw * du < dx * dy + dy * dz + dz * dx;
    if (!turned) {
      cx = (x0 + x1) * 0.5; cy = (y0 + y1) * 0.5; cz = (z0 + z1) * 0.5;
      ex = dx * 0.5; ey = dy * 0.5; ez = dz * 0.5;
    }
  }
  const slack: f32 = 6e-7 * (abs(cx) + abs(cy) + abs(cz) + ex + ey + ez);
  store<f32>(slot, cx, ROW_CENTRE);
  store<f32>(slot, cy, ROW_CENTRE + ROW);
  store<f32>(slot, cz, ROW_CENTRE + 2 * ROW);
  store<f32>(slot, ex + slack, ROW_HALF);
  store<f32>(slot, ey + slack, ROW_HALF + ROW);
  store<f32>(slot, ez + slack, ROW_HALF + 2 * ROW);
  store<f32>(slot, turned ? qx : 0, ROW_QUATERNION);
  store<f32>(slot, turned ? qy : 0, ROW_QUATERNION + ROW);
  store<f32>(slot, turned ? qz : 0, ROW_QUATERNION + 2 * ROW);
  store<f32>(slot, turned ? qw : 1, ROW_QUATERNION + 3 * ROW);
}

/** A lane that overlaps nothing. */
function fitEmpty(slot: usize): void {
  for (let row: usize = 0; row < 10; row++) store<f32>(slot + ROW * row, row >= 3 && row < 6 ? -1e30 : row == 9 ? 1 : 0);
}

/** Fits block b, whose points [start, …) begin the gathered rows. `moments` of its child blocks are known. */
function fitGathered(tree: usize, ranges: usize, moments: usize, b: u32, gatherStart: u32, keepAxes: bool): void {
  const block = tree + load<u32>(tree, TREE_BLOCKS) + BLOCK_BYTES * <usize>b;
  if (keepAxes) holdFrames(block);
  else findFramesGathered(tree, ranges, moments, b, gatherStart, block);
  for (let lane: usize = 0; lane < 4; lane++) {
    const ref = load<u32>(block + 4 * lane, ROW_REF);
    if (ref == EMPTY) { fitEmpty(block + 4 * lane); continue; }
    const p = (scratch + ROWS) + 12 * <usize>(laneStart(tree, ranges, ref) - gatherStart);
    fitLane(p, 3 * laneCount(tree, ranges, ref), rowY, rowZ, block + 4 * lane, lane, keepAxes);
  }
}

/** The axes a block has, into FRAME. */
function holdFrames(block: usize): void {
  for (let k: usize = 0; k < 64; k += 16) v128.store((scratch + FRAME) + k, v128.load(block + k, ROW_QUATERNION));
}

/** Principal axes of the lanes of a block whose points are gathered. */
function findFramesGathered(tree: usize, ranges: usize, moments: usize, b: u32, gatherStart: u32, block: usize): void {
  const own = moments + MOMENT_BYTES * <usize>b;
  memory.fill(own, 0, MOMENT_BYTES);
  for (let lane: usize = 0; lane < 4; lane++) {
    const ref = load<u32>(block + 4 * lane, ROW_REF);
    if (ref == EMPTY) {
      for (let k: usize = 0; k < 96; k += 16) store<f32>((scratch + COVARIANCE) + 4 * lane + k, 0);
      continue;
    }
    let from = (scratch + LANE_MOMENTS);
    if (isLeaf(ref) || ref & PENDING_BIT) {
      memory.fill((scratch + LANE_MOMENTS), 0, MOMENT_BYTES);
      const p = (scratch + ROWS) + 12 * <usize>(laneStart(tree, ranges, ref) - gatherStart);
      addMoments(p, p + 12 * <usize>laneCount(tree, ranges, ref), (scratch + LANE_MOMENTS));
    } else from = moments + MOMENT_BYTES * <usize>ref;
    writeCovariance(from, lane);
    for (let k: usize = 0; k < MOMENT_BYTES; k += 16) v128.store(own + k, f64x2.add(v128.load(own + k), v128.load(from + k)));
  }
  principalFrames();
}

/** Appends the 8 corners of the box at `slot` to the corner rows at byte `at`; returns the new end. */
function addCorners(slot: usize, at: usize): usize {
  const cx = load<f32>(slot, ROW_CENTRE), cy = load<f32>(slot, ROW_CENTRE + ROW), cz = load<f32>(slot, ROW_CENTRE + 2 * ROW);
  const hx = load<f32>(slot, ROW_HALF), hy = load<f32>(slot, ROW_HALF + ROW), hz = load<f32>(slot, ROW_HALF + 2 * ROW);
  const qx = load<f32>(slot, ROW_QUATERNION), qy = load<f32>(slot, ROW_QUATERNION + ROW);
  const qz = load<f32>(slot, ROW_QUATERNION + 2 * ROW), qw = load<f32>(slot, ROW_QUATERNION + 3 * ROW);
  const ax = hx * (1 - 2 * (qy * qy + qz * qz)), bx = hy * (2 * (qx * qy - qz * qw)), dx = hz * (2 * (qx * qz + qy * qw));
  const ay = hx * (2 * (qx * qy + qz * qw)), by = hy * (1 - 2 * (qx * qx + qz * qz)), dy = hz * (2 * (qy * qz - qx * qw));
  const az = hx * (2 * (qx * qz - qy * qw)), bz = hy * (2 * (qy * qz + qx * qw)), dz = hz * (1 - 2 * (qx * qx + qy * qy));
  for (let k = 0; k < 8; k++) {
    const sa: f32 = k & 1 ? 1 : -1, sb: f32 = k & 2 ? 1 : -1, sd: f32 = k & 4 ? 1 : -1;
    store<f32>((scratch + CORNERS) + at, cx + sa * ax + sb * bx + sd * dx);
    store<f32>((scratch + CORNERS) + at, cy + sa * ay + sb * by + sd * dy, CORNER_ROW);
    store<f32>((scratch + CORNERS) + at, cz + sa * az + sb * bz + sd * dz, 2 * CORNER_ROW);
    at += 4;
  }
  return at;
}

/** Fits a block above the gathered subtrees to the corners of the boxes one or two levels below each lane. */
function fitUpper(tree: usize, mesh: usize, ranges: usize, moments: usize, b: u32, keepAxes: bool): void {
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  const block = blocks + BLOCK_BYTES * <usize>b;
  if (keepAxes) holdFrames(block);
  else findFramesUpper(tree, mesh, ranges, moments, b, block);
  for (let lane: usize = 0; lane < 4; lane++) {
    const slot = block + 4 * lane;
    const ref = load<u32>(slot, ROW_REF);
    if (ref == EMPTY) { fitEmpty(slot); continue; }
    if (isLeaf(ref) || ref & PENDING_BIT) {
      gather(tree, mesh, laneStart(tree, ranges, ref), laneCount(tree, ranges, ref));
      fitLane((scratch + ROWS), 3 * laneCount(tree, ranges, ref), rowY, rowZ, slot, lane, keepAxes);
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
    fitLane((scratch + CORNERS), <u32>(at >> 2), CORNER_ROW, 2 * CORNER_ROW, slot, lane, keepAxes);
  }}

/** Principal axes of the lanes of a block above the gathered subtrees. */
function findFramesUpper(tree: usize, mesh: usize, ranges: usize, moments: usize, b: u32, block: usize): void {
  const own = moments + MOMENT_BYTES * <usize>b;
  memory.fill(own, 0, MOMENT_BYTES);
  for (let lane: usize = 0; lane < 4; lane++) {
    const ref = load<u32>(block + 4 * lane, ROW_REF);
    for (let k: usize = 0; k < 96; k += 16) store<f32>((scratch + COVARIANCE) + 4 * lane + k, 0);
    if (ref == EMPTY) continue;
    let from = (scratch + LANE_MOMENTS);
    if (isLeaf(ref) || ref & PENDING_BIT) {
      memory.fill((scratch + LANE_MOMENTS), 0, MOMENT_BYTES);
      gather(tree, mesh, laneStart(tree, ranges, ref), laneCount(tree, ranges, ref));
      addMoments((scratch + ROWS), (scratch + ROWS) + 12 * <usize>laneCount(tree, ranges, ref), (scratch + LANE_MOMENTS));
    } else from = moments + MOMENT_BYTES * <usize>ref;
    writeCovariance(from, lane);
    for (let k: usize = 0; k < MOMENT_BYTES; k += 16) v128.store(own + k, f64x2.add(v128.load(own + k), v128.load(from + k)));
  }
  principalFrames();
}

/**
 * Fits the maximal subtrees of at most GATHER triangles among blocks [from, to). Blocks of one subtree are
 * consecutive. Subtrees are independent of one another: workers may take different ranges. With `keepAxes` the boxes
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

/** Fits the blocks that fitSubtrees leaves out, children first. */
export function fitUpperBlocks(tree: usize, mesh: usize, ranges: usize, moments: usize, from: u32, to: u32, keepAxes: bool): void {
  for (let b = <i32>to - 1; b >= <i32>from; b--) {
    if (load<u32>(ranges + 8 * <usize>b, 4) > GATHER) fitUpper(tree, mesh, ranges, moments, b, keepAxes);
  }
}
