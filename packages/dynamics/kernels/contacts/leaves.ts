/**
 * The leaves of a shape, laid out once, and which triangles of two of them may be near each other.
 *
 * Idea: both leaves are coordinate rows, one triangle per lane, about the middle of each leaf, so that float32 is
 * precise to a millionth of their size; each triangle of a is tested against all of b at once. A pair is dropped if the
 * boxes, or the direction of either triangle's normal, show a gap wider than the bound, and that it persists.
 * (../leaf.ts does the same for meshes, whose leaves it has to gather.)
 * Errs: towards keeping pairs, by ERROR of the largest coordinate.
 *
 * Layout of a leaf: see layout.ts. In the work space, for the last leaf of b used: nine rows rotated into a's frame,
 * three of normals, and its box (least x, y, z, greatest); then the rotation, nine float32.
 */
import { BLOCK_BYTES, EMPTY, ROW_REF, TREE_BLOCKS, TREE_BLOCK_COUNT, TREE_ORDER, isLeaf, leafCount, leafStart } from '../../../impinge/kernels/layout';
import {
  LEAF_BYTES, L_BOX, L_CENTRE, L_COUNT, L_HIGH, L_LOW, L_NORMAL, L_OWNERS, L_RADIUS, L_ROWS, L_SIZE, L_SLOT, L_TRIANGLES, P_POSE, S_CORNERS, S_LEAF_OF, S_OWNED,
  S_TREE, S_VERTICES,
} from './layout';
import { turned } from './scratch';

const NORMAL: usize = 144;
const BOX: usize = 192;
const ROTATION: usize = 288;

// With u = 2^-24 and c the largest of: coordinates of corners relative to the middle of their leaf, and of the vector
// between the middles. A coordinate of b in a's frame sums three products of numbers rounded once, and the vector: off
// by (7 √3 + 2) u c, and at most (√3 + 1) c. Along a direction of length ≤ 1: √3 times that, three roundings of a
// product of at most √3 (√3 + 1) c, and the same for a's corners, below 7 u c: 47 u c. A normal of b is rotated with an
// error of at most 7 u, which moves b's corners along it by 7 √3 u c relative to their interval before the rotation;
// that and the rounding of both sides is less. Boxes: 35 u c. A motion no longer than c adds a rounding or two to each.
const ERROR: f32 = 3e-6;
/** Slightly less than 1, so that a rotated normal is still no longer than 1. */
const SHORT: f32 = 0.999998;

let held: usize = 0;
/** A lower bound of the distance of the last two leaves tested. */
export let gapAtLeast: f64 = 0;

export function countLeaves(tree: usize): u32 {
  let count: u32 = 0;
  const end = lastOf(tree);
  for (let block = tree + load<u32>(tree, TREE_BLOCKS); block < end; block += BLOCK_BYTES) {
    for (let lane: usize = 0; lane < 16; lane += 4) if (holdsLeaf(block + lane)) count++;
  }
  return count;
}

// @ts-ignore: decorator
@inline function lastOf(tree: usize): usize { return tree + load<u32>(tree, TREE_BLOCKS) + BLOCK_BYTES * <usize>load<u32>(tree, TREE_BLOCK_COUNT); }

// @ts-ignore: decorator
@inline function holdsLeaf(slot: usize): bool {
  const ref = load<u32>(slot, ROW_REF);
  return ref != EMPTY && isLeaf(ref);
}

/**
 * Writes the leaves of a shape, and their addresses by the position of their first triangle in the order of the tree.
 */
export function layOutLeaves(shape: usize, leaves: usize): void {
  const tree: usize = load<u32>(shape, S_TREE);
  const leafOf: usize = load<u32>(shape, S_LEAF_OF);
  const end = lastOf(tree);
  for (let block = tree + load<u32>(tree, TREE_BLOCKS); block < end; block += BLOCK_BYTES) {
    for (let lane: usize = 0; lane < 16; lane += 4) {
      if (!holdsLeaf(block + lane)) continue;
      const ref = load<u32>(block + lane, ROW_REF);
      writeLeaf(shape, tree, ref, leaves);
      store<u32>(leaves, <u32>(block + lane), L_SLOT);
      store<u32>(leafOf + 4 * <usize>leafStart(ref), <u32>leaves);
      leaves += LEAF_BYTES;
    }
  }
}

function writeLeaf(shape: usize, tree: usize, ref: u32, leaf: usize): void {
  const vertices: usize = load<u32>(shape, S_VERTICES), corners: usize = load<u32>(shape, S_CORNERS);
  const order = tree + load<u32>(tree, TREE_ORDER) + 4 * <usize>leafStart(ref);
  const count = leafCount(ref);
  const owned: usize = load<u32>(shape, S_OWNED);
  let owners: u32 = 0;
  for (let i: u32 = 0; i < count; i++) if (load<u8>(owned + <usize>load<u32>(order + 4 * <usize>i)) != 0) owners |= 1 << i;
  store<u32>(leaf, owners, L_OWNERS);
  store<u32>(leaf, count, L_COUNT);
  // unused lanes repeat the last triangle
  for (let i: u32 = 0; i < 4; i++) store<u32>(leaf + 4 * <usize>i, load<u32>(order + 4 * <usize>min(i, count - 1)), L_TRIANGLES);
  for (let k: usize = 0; k < 24; k += 8) {
    let low: f64 = Infinity, high: f64 = -Infinity;
    for (let c: usize = 0; c < 12; c++) {
      const x = load<f64>(vertices + 24 * <usize>cornerOf(leaf, corners, c) + k);
      low = min(low, x); high = max(high, x);
    }
    store<f64>(leaf + k, 0.5 * (low + high), L_CENTRE);
  }
  let radiusSq: f64 = 0, size: f64 = 0;
  for (let c: usize = 0; c < 12; c++) {
    const v = vertices + 24 * <usize>cornerOf(leaf, corners, c);
    let sq: f64 = 0;
    for (let k: usize = 0; k < 3; k++) {
      const x = load<f64>(v + 8 * k) - load<f64>(leaf + 8 * k, L_CENTRE);
      store<f32>(leaf + 48 * (c % 3) + 16 * k + 4 * (c / 3), <f32>x, L_ROWS);
      size = max(size, abs(x));
      sq += x * x;
    }
    radiusSq = max(radiusSq, sq);
  }
  store<f64>(leaf, sqrt(radiusSq) * (1 + 1e-12), L_RADIUS);
  store<f32>(leaf, <f32>(size * 1.000001), L_SIZE);
  writeBounds(leaf);
}

/** Vertex c % 3 of triangle c / 3 of a leaf. */
// @ts-ignore: decorator
@inline function cornerOf(leaf: usize, corners: usize, c: usize): u32 {
  return load<u32>(corners + 12 * <usize>load<u32>(leaf + 4 * (c / 3), L_TRIANGLES) + 4 * (c % 3));
}

/** Writes normals of length ≤ 1, the interval each triangle covers along its own, and boxes. */
function writeBounds(leaf: usize): void {
  const x0 = v128.load(leaf, L_ROWS), y0 = v128.load(leaf, L_ROWS + 16), z0 = v128.load(leaf, L_ROWS + 32);
  const x1 = v128.load(leaf, L_ROWS + 48), y1 = v128.load(leaf, L_ROWS + 64), z1 = v128.load(leaf, L_ROWS + 80);
  const x2 = v128.load(leaf, L_ROWS + 96), y2 = v128.load(leaf, L_ROWS + 112), z2 = v128.load(leaf, L_ROWS + 128);
  const ux = f32x4.sub(x1, x0), uy = f32x4.sub(y1, y0), uz = f32x4.sub(z1, z0);
  const vx = f32x4.sub(x2, x0), vy = f32x4.sub(y2, y0), vz = f32x4.sub(z2, z0);
  let nx = f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy));
  let ny = f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz));
  let nz = f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx));
  // the normal of a degenerate triangle is zero and separates nothing
  const lengthSq = dot(nx, ny, nz, nx, ny, nz);
  const inverse = v128.and(f32x4.gt(lengthSq, f32x4.splat(1e-37)), f32x4.div(f32x4.splat(SHORT), f32x4.sqrt(lengthSq)));
  nx = f32x4.mul(nx, inverse);
  ny = f32x4.mul(ny, inverse);
  nz = f32x4.mul(nz, inverse);
  v128.store(leaf, nx, L_NORMAL);
  v128.store(leaf, ny, L_NORMAL + 16);
  v128.store(leaf, nz, L_NORMAL + 32);
  const d0 = dot(nx, ny, nz, x0, y0, z0), d1 = dot(nx, ny, nz, x1, y1, z1), d2 = dot(nx, ny, nz, x2, y2, z2);
  v128.store(leaf, least(d0, d1, d2), L_LOW);
  v128.store(leaf, most(d0, d1, d2), L_HIGH);
  v128.store(leaf, least(x0, x1, x2), L_BOX);
  v128.store(leaf, least(y0, y1, y2), L_BOX + 16);
  v128.store(leaf, least(z0, z1, z2), L_BOX + 32);
  v128.store(leaf, most(x0, x1, x2), L_BOX + 48);
  v128.store(leaf, most(y0, y1, y2), L_BOX + 64);
  v128.store(leaf, most(z0, z1, z2), L_BOX + 80);
}

// @ts-ignore: decorator
@inline function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}
// @ts-ignore: decorator
@inline function least(a: v128, b: v128, c: v128): v128 { return f32x4.pmin(f32x4.pmin(a, b), c); }
// @ts-ignore: decorator
@inline function most(a: v128, b: v128, c: v128): v128 { return f32x4.pmax(f32x4.pmax(a, b), c); }

/** Sets the rotation from b to a of a pair's pose, for all leaves of b from now on. */
export function takeTurn(pair: usize): void {
  held = 0;
  for (let k: usize = 0; k < 9; k++) store<f32>(turned + 4 * k, <f32>load<f64>(pair + 8 * k, P_POSE), ROTATION);
}

/** Rotates a leaf of b into a's frame, about its middle. */
function turnLeaf(b: usize): void {
  const m = turned + ROTATION;
  const m0 = v128.load32_splat(m), m1 = v128.load32_splat(m, 4), m2 = v128.load32_splat(m, 8);
  const m3 = v128.load32_splat(m, 12), m4 = v128.load32_splat(m, 16), m5 = v128.load32_splat(m, 20);
  const m6 = v128.load32_splat(m, 24), m7 = v128.load32_splat(m, 28), m8 = v128.load32_splat(m, 32);
  // corners, then normals: L_NORMAL follows L_ROWS
  for (let k: usize = 0; k < 192; k += 48) {
    const x = v128.load(b + k, L_ROWS), y = v128.load(b + k, L_ROWS + 16), z = v128.load(b + k, L_ROWS + 32);
    v128.store(turned + k, dot(m0, m1, m2, x, y, z));
    v128.store(turned + k, dot(m3, m4, m5, x, y, z), 16);
    v128.store(turned + k, dot(m6, m7, m8, x, y, z), 32);
  }
  for (let k: usize = 0; k < 48; k += 16) {
    const c0 = v128.load(turned + k), c1 = v128.load(turned + k, 48), c2 = v128.load(turned + k, 96);
    v128.store(turned + k, least(c0, c1, c2), BOX);
    v128.store(turned + k, most(c0, c1, c2), BOX + 48);
  }
  held = b;
}

/**
 * Bit 4·i + j of the result is set if the boxes of triangle i of leaf a and j of leaf b may be closer than `bound`
 * where b has made half of its way (vx, vy, vz) or, with `inMotion`, anywhere on it, and no normal of theirs proves
 * that they stay farther apart than `still` on it; (dx, dy, dz) leads from the middle of a to that of b. All in a's
 * frame.
 */
export function nearTriangles(a: usize, b: usize, dx: f64, dy: f64, dz: f64, bound: f64, inMotion: bool, still: f64, vx: f64, vy: f64, vz: f64): u32 {
  if (b != held) turnLeaf(b);
  const far = max(max(abs(dx), max(abs(dy), abs(dz))), max(abs(vx), max(abs(vy), abs(vz))));
  const big = max(max(load<f32>(a, L_SIZE), load<f32>(b, L_SIZE)), <f32>far);
  const reach = f32x4.splat(<f32>bound * 1.000001 + big * ERROR);
  const reachSq = f32x4.mul(reach, reach);
  const near = f32x4.splat(<f32>still * 1.000001 + big * ERROR);
  const wx = f32x4.splat(<f32>vx), wy = f32x4.splat(<f32>vy), wz = f32x4.splat(<f32>vz);
  const zero = f32x4.splat(0);
  const ox = f32x4.splat(<f32>dx), oy = f32x4.splat(<f32>dy), oz = f32x4.splat(<f32>dz);
  let bx0 = f32x4.add(v128.load(turned, BOX), ox), by0 = f32x4.add(v128.load(turned, BOX + 16), oy), bz0 = f32x4.add(v128.load(turned, BOX + 32), oz);
  let bx1 = f32x4.add(v128.load(turned, BOX + 48), ox), by1 = f32x4.add(v128.load(turned, BOX + 64), oy), bz1 = f32x4.add(v128.load(turned, BOX + 80), oz);
  let hx = zero, hy = zero, hz = zero;
  if (inMotion) {
    bx0 = f32x4.add(bx0, f32x4.pmin(zero, wx)); by0 = f32x4.add(by0, f32x4.pmin(zero, wy)); bz0 = f32x4.add(bz0, f32x4.pmin(zero, wz));
    bx1 = f32x4.add(bx1, f32x4.pmax(zero, wx)); by1 = f32x4.add(by1, f32x4.pmax(zero, wy)); bz1 = f32x4.add(bz1, f32x4.pmax(zero, wz));
  } else {
    const half = f32x4.splat(0.5);
    hx = f32x4.mul(half, wx); hy = f32x4.mul(half, wy); hz = f32x4.mul(half, wz);
  }
  const px0 = f32x4.add(v128.load(turned), ox), py0 = f32x4.add(v128.load(turned, 16), oy), pz0 = f32x4.add(v128.load(turned, 32), oz);
  const px1 = f32x4.add(v128.load(turned, 48), ox), py1 = f32x4.add(v128.load(turned, 64), oy), pz1 = f32x4.add(v128.load(turned, 80), oz);
  const px2 = f32x4.add(v128.load(turned, 96), ox), py2 = f32x4.add(v128.load(turned, 112), oy), pz2 = f32x4.add(v128.load(turned, 128), oz);
  const nbx = v128.load(turned, NORMAL), nby = v128.load(turned, NORMAL + 16), nbz = v128.load(turned, NORMAL + 32);
  const along = dot(nbx, nby, nbz, ox, oy, oz);
  const awayB = dot(nbx, nby, nbz, wx, wy, wz);
  const bLow = f32x4.add(v128.load(b, L_LOW), along), bHigh = f32x4.add(v128.load(b, L_HIGH), along);
  const nearAbove = f32x4.add(near, f32x4.pmax(zero, awayB)), nearBelow = f32x4.add(near, f32x4.pmax(zero, f32x4.neg(awayB)));
  const lanes: u32 = (1 << load<u32>(b, L_COUNT)) - 1;
  const countA = load<u32>(a, L_COUNT);
  let found: u32 = 0;
  let gaps = f32x4.splat(Infinity);
  for (let i: u32 = 0; i < countA; i++) {
    const at = a + 4 * <usize>i;
    // gaps between the boxes
    const lowX = v128.load32_splat(at, L_BOX), lowY = v128.load32_splat(at, L_BOX + 16), lowZ = v128.load32_splat(at, L_BOX + 32);
    const highX = v128.load32_splat(at, L_BOX + 48), highY = v128.load32_splat(at, L_BOX + 64), highZ = v128.load32_splat(at, L_BOX + 80);
    const ax = f32x4.sub(bx0, highX), ay = f32x4.sub(by0, highY), az = f32x4.sub(bz0, highZ);
    const ux = f32x4.sub(lowX, bx1), uy = f32x4.sub(lowY, by1), uz = f32x4.sub(lowZ, bz1);
    let gx = most(zero, ax, ux), gy = most(zero, ay, uy), gz = most(zero, az, uz);
    const gapSq = dot(gx, gy, gz, gx, gy, gz);
    let gap = f32x4.sqrt(gapSq);
    gx = most(zero, f32x4.add(ax, hx), f32x4.sub(ux, hx)); gy = most(zero, f32x4.add(ay, hy), f32x4.sub(uy, hy)); gz = most(zero, f32x4.add(az, hz), f32x4.sub(uz, hz));
    let apart = f32x4.gt(dot(gx, gy, gz, gx, gy, gz), reachSq);
    if (i32x4.all_true(apart)) { gaps = f32x4.pmin(gaps, gap); continue; }
    // b's corners along a's normal
    const nx = v128.load32_splat(at, L_NORMAL), ny = v128.load32_splat(at, L_NORMAL + 16), nz = v128.load32_splat(at, L_NORMAL + 32);
    let d0 = dot(nx, ny, nz, px0, py0, pz0), d1 = dot(nx, ny, nz, px1, py1, pz1), d2 = dot(nx, ny, nz, px2, py2, pz2);
    const away = dot(nx, ny, nz, wx, wy, wz);
    let above = f32x4.sub(least(d0, d1, d2), v128.load32_splat(at, L_HIGH)), below = f32x4.sub(v128.load32_splat(at, L_LOW), most(d0, d1, d2));
    gap = most(gap, above, below);
    apart = v128.or(apart, v128.or(f32x4.gt(above, f32x4.add(near, f32x4.pmax(zero, f32x4.neg(away)))), f32x4.gt(below, f32x4.add(near, f32x4.pmax(zero, away)))));
    if (i32x4.all_true(apart)) { gaps = f32x4.pmin(gaps, gap); continue; }
    // a's corners along the normals of b
    const ax0 = v128.load32_splat(at, L_ROWS), ay0 = v128.load32_splat(at, L_ROWS + 16), az0 = v128.load32_splat(at, L_ROWS + 32);
    const ax1 = v128.load32_splat(at, L_ROWS + 48), ay1 = v128.load32_splat(at, L_ROWS + 64), az1 = v128.load32_splat(at, L_ROWS + 80);
    const ax2 = v128.load32_splat(at, L_ROWS + 96), ay2 = v128.load32_splat(at, L_ROWS + 112), az2 = v128.load32_splat(at, L_ROWS + 128);
    d0 = dot(nbx, nby, nbz, ax0, ay0, az0);
    d1 = dot(nbx, nby, nbz, ax1, ay1, az1);
    d2 = dot(nbx, nby, nbz, ax2, ay2, az2);
    above = f32x4.sub(least(d0, d1, d2), bHigh);
    below = f32x4.sub(bLow, most(d0, d1, d2));
    gaps = f32x4.pmin(gaps, most(gap, above, below));
    apart = v128.or(apart, v128.or(f32x4.gt(above, nearAbove), f32x4.gt(below, nearBelow)));
    found |= (~i32x4.bitmask(apart) & lanes) << (4 * i);
  }
  gaps = f32x4.pmin(gaps, i32x4.shuffle(gaps, gaps, 2, 3, 0, 1));
  gaps = f32x4.pmin(gaps, i32x4.shuffle(gaps, gaps, 1, 0, 3, 2));
  gapAtLeast = <f64>f32x4.extract_lane(gaps, 0) * 0.999999 - <f64>(big * ERROR);
  return found;
}

/**
 * Bit i is set if triangle i of a leaf may be within `reach` of a point in the frame of its shape: neither its box nor
 * its plane shows that it is not.
 */
export function trianglesNear(leaf: usize, x: f64, y: f64, z: f64, reach: f64): u32 {
  const dx = x - load<f64>(leaf, L_CENTRE), dy = y - load<f64>(leaf, L_CENTRE + 8), dz = z - load<f64>(leaf, L_CENTRE + 16);
  const big = max(<f64>load<f32>(leaf, L_SIZE), max(abs(dx), max(abs(dy), abs(dz))));
  const limit = f32x4.splat(<f32>(reach * 1.000001 + big * <f64>ERROR));
  const px = f32x4.splat(<f32>dx), py = f32x4.splat(<f32>dy), pz = f32x4.splat(<f32>dz), zero = f32x4.splat(0);
  const gx = most(zero, f32x4.sub(v128.load(leaf, L_BOX), px), f32x4.sub(px, v128.load(leaf, L_BOX + 48)));
  const gy = most(zero, f32x4.sub(v128.load(leaf, L_BOX + 16), py), f32x4.sub(py, v128.load(leaf, L_BOX + 64)));
  const gz = most(zero, f32x4.sub(v128.load(leaf, L_BOX + 32), pz), f32x4.sub(pz, v128.load(leaf, L_BOX + 80)));
  const height = dot(v128.load(leaf, L_NORMAL), v128.load(leaf, L_NORMAL + 16), v128.load(leaf, L_NORMAL + 32), px, py, pz);
  const beyond = f32x4.pmax(f32x4.sub(height, v128.load(leaf, L_HIGH)), f32x4.sub(v128.load(leaf, L_LOW), height));
  const apart = v128.or(f32x4.gt(dot(gx, gy, gz, gx, gy, gz), f32x4.mul(limit, limit)), f32x4.gt(beyond, limit));
  return ~i32x4.bitmask(apart) & 15;
}

/** Bits as in nearTriangles: set if at least one of the two owns a feature. */
// @ts-ignore: decorator
@inline export function ownersOf(a: usize, b: usize): u32 {
  const owners = load<u32>(a, L_OWNERS);
  const rows = (owners & 1) | ((owners & 2) << 3) | ((owners & 4) << 6) | ((owners & 8) << 9);
  return (15 * rows) | (0x1111 * load<u32>(b, L_OWNERS));
}

/** The first leaf of a shape that is looked up. */
// @ts-ignore: decorator
@inline export function firstLeaf(shape: usize): usize { return load<u32>(<usize>load<u32>(shape, S_LEAF_OF)); }

/** Number of triangle i of a leaf. */
// @ts-ignore: decorator
@inline export function triangleOf(leaf: usize, i: u32): u32 { return load<u32>(leaf + 4 * <usize>i, L_TRIANGLES); }
