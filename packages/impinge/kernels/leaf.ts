/**
 * Compares two leaves of at most four triangles each: which of the sixteen pairs need a closer look.
 *
 * Idea: both leaves are stored as coordinate rows, one triangle per lane, relative to a corner of leaf a, so that
 * float32 is precise to a millionth of the leaves' size. Each triangle of a is tested against all of b at once. A pair
 * is dropped if the boxes, or the direction of either triangle's normal, show a gap wider than the bound. A leaf that
 * is used twice in a row is not gathered again.
 * Errs: towards keeping pairs, by ERROR of the largest coordinate plus the rounding of the pose.
 *
 * Layout (from LEAF_AREA, rows of four float32): A_ROWS 9 + normal 3 + its interval 2; B_RAW 9 (relative to a corner of
 * leaf b, in b's frame); B_ROWS 9 + normal 3 + interval 2 + box 6; then the float64 triangles.
 */
import { LEAST_NORMAL, MESH_INDICES, MESH_POSITIONS, TREE_ORDER, indicesOf, leafCount, leafStart } from './layout';
import { Q_EXACT_TESTS, Q_LEAF_PAIRS, Q_MESH_A, Q_MESH_B, Q_POSE, Q_TREE_A, Q_TREE_B, Q_TRIANGLE_TESTS } from './context';
import { LEAF_AREA, scratch } from './scratch';

const A_ROWS: usize = 0;
const A_NORMAL: usize = 144;
const A_LOW: usize = 192;
const A_HIGH: usize = 208;
const B_RAW: usize = 224;
const B_ROWS: usize = 368;
const B_NORMAL: usize = 512;
const B_LOW: usize = 560;
const B_HIGH: usize = 576;
const B_BOX: usize = 592; // min x y z, max x y z
const A_ANCHOR: usize = 688; // three float64
const B_ANCHOR: usize = 712;
const A_IDS: usize = 736; // triangle numbers
const B_IDS: usize = 752;
const A_EXACT: usize = 768; // four float64 triangles
const B_EXACT: usize = 1056;
const A_CORNERS: usize = 1344; // vertex numbers: rows of first, second, third corners
const B_CORNERS: usize = 1392;
const A_REACH: usize = 1440; // the extent of each triangle of a along a direction, plus the bound
const POSE_SLACK: usize = 1456; // float32: bound of the rounding when b is posed in float64, far from zero

// With u = 2^-24 and c the largest coordinate: b's rows are off by (5 |raw| + 2 |d|) u ≤ (10 √3 + 2) u c in each of x,
// y and z; along a unit direction √3 times that, and 6 √3 u for the two dot products: 2.7e-6 c.
const ERROR: f32 = 3e-6;

// the leaves in the rows, and the exact triangles that are present
let heldA: u32 = 0;
let heldB: u32 = 0;
let exactA: u32 = 0;
let exactB: u32 = 0;

/** Forgets the contents of the work space; must be called when a query starts or resumes. */
export function forgetLeaves(): void {
  heldA = 0; // an inner reference, which is never requested
  heldB = 0;
}

/** The same of what depends on where b is. */
export function forgetPose(): void {
  heldB = 0;
}

/** Loads one triangle of each mesh in place of leaves, for functions that are called with number 0. */
export function holdPair(query: usize, a: u32, b: u32): void {
  const area = scratch + LEAF_AREA;
  forgetLeaves();
  exactA = 0;
  exactB = 0;
  store<u32>(area, a, A_IDS);
  store<u32>(area, b, B_IDS);
  const cornersA = indicesOf(load<u32>(query, Q_MESH_A)) + 12 * <usize>a;
  const cornersB = indicesOf(load<u32>(query, Q_MESH_B)) + 12 * <usize>b;
  for (let k: usize = 0; k < 12; k += 4) {
    store<u32>(area + 4 * k, load<u32>(cornersA + k), A_CORNERS);
    store<u32>(area + 4 * k, load<u32>(cornersB + k), B_CORNERS);
  }
}

/** Number of triangle i of the leaf loaded for a. */
// @ts-ignore: decorator
@inline export function idA(i: u32): u32 { return load<u32>(scratch + LEAF_AREA + 4 * <usize>i, A_IDS); }
// @ts-ignore: decorator
@inline export function idB(i: u32): u32 { return load<u32>(scratch + LEAF_AREA + 4 * <usize>i, B_IDS); }

/** A pair as one number that sorts by triangle of a, then of b. */
// @ts-ignore: decorator
@inline export function pairKey(i: u32, j: u32): u64 { return (<u64>idA(i) << 32) | <u64>idB(j); }

/** The same with the smaller number first, for pairs within one mesh. */
// @ts-ignore: decorator
@inline export function sortedPairKey(i: u32, j: u32): u64 {
  const a = idA(i), b = idB(j);
  return a < b ? (<u64>a << 32) | <u64>b : (<u64>b << 32) | <u64>a;
}

/**
 * Writes the triangles of a leaf: coordinates as nine rows relative to the anchor, triangle numbers and vertex numbers.
 */
export function gatherLeaf(tree: usize, mesh: usize, ref: u32, rows: usize, anchorAt: usize, ids: usize, corners: usize): void {
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  const order = tree + load<u32>(tree, TREE_ORDER) + 4 * <usize>leafStart(ref);
  const count = leafCount(ref);
  const t = load<u32>(order);
  const v = positions + 12 * <usize>load<u32>(indices + 12 * <usize>t);
  const anchor = v128.load(v);
  v128.store(anchorAt, f64x2.promote_low_f32x4(anchor));
  store<f64>(anchorAt, f32x4.extract_lane(anchor, 2), 16);
  // unused lanes repeat the last triangle
  const t1 = load<u32>(order + 4 * <usize>(count > 1 ? 1 : 0));
  const t2 = load<u32>(order + 4 * <usize>(count > 2 ? 2 : count - 1));
  const t3 = load<u32>(order + 4 * <usize>(count - 1));
  store<u32>(ids, t);
  store<u32>(ids, t1, 4);
  store<u32>(ids, t2, 8);
  store<u32>(ids, t3, 12);
  const tri0 = indices + 12 * <usize>t, tri1 = indices + 12 * <usize>t1, tri2 = indices + 12 * <usize>t2, tri3 = indices + 12 * <usize>t3;
  for (let k: usize = 0; k < 12; k += 4) {
    const n0 = load<u32>(tri0 + k), n1 = load<u32>(tri1 + k), n2 = load<u32>(tri2 + k), n3 = load<u32>(tri3 + k);
    const corner = corners + 4 * k;
    store<u32>(corner, n0);
    store<u32>(corner, n1, 4);
    store<u32>(corner, n2, 8);
    store<u32>(corner, n3, 12);
    // four corners, transposed to rows of x, y, z
    const v0 = f32x4.sub(v128.load(positions + 12 * <usize>n0), anchor);
    const v1 = f32x4.sub(v128.load(positions + 12 * <usize>n1), anchor);
    const v2 = f32x4.sub(v128.load(positions + 12 * <usize>n2), anchor);
    const v3 = f32x4.sub(v128.load(positions + 12 * <usize>n3), anchor);
    const xy01 = i32x4.shuffle(v0, v1, 0, 4, 1, 5), xy23 = i32x4.shuffle(v2, v3, 0, 4, 1, 5);
    const z01 = i32x4.shuffle(v0, v1, 2, 6, 2, 6), z23 = i32x4.shuffle(v2, v3, 2, 6, 2, 6);
    const row = rows + 12 * k;
    v128.store(row, i64x2.shuffle(xy01, xy23, 0, 2));
    v128.store(row, i64x2.shuffle(xy01, xy23, 1, 3), 16);
    v128.store(row, i64x2.shuffle(z01, z23, 0, 2), 32);
  }
}

/** Computes unit normals of four triangles in rows, and the interval each triangle covers along its own normal. */
// @ts-ignore: decorator
@inline function writeNormals(rows: usize, normal: usize): void {
  const x0 = v128.load(rows), y0 = v128.load(rows, 16), z0 = v128.load(rows, 32);
  const x1 = v128.load(rows, 48), y1 = v128.load(rows, 64), z1 = v128.load(rows, 80);
  const x2 = v128.load(rows, 96), y2 = v128.load(rows, 112), z2 = v128.load(rows, 128);
  const ux = f32x4.sub(x1, x0), uy = f32x4.sub(y1, y0), uz = f32x4.sub(z1, z0);
  const vx = f32x4.sub(x2, x0), vy = f32x4.sub(y2, y0), vz = f32x4.sub(z2, z0);
  let nx = f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy));
  let ny = f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz));
  let nz = f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx));
  const lengthSq = f32x4.add(f32x4.add(f32x4.mul(nx, nx), f32x4.mul(ny, ny)), f32x4.mul(nz, nz));
  // any direction of length ≤ 1 may separate them; that of a degenerate triangle is zero and separates nothing
  const inverse = v128.and(f32x4.gt(lengthSq, f32x4.splat(1e-37)), f32x4.div(f32x4.splat(0.9999995), f32x4.sqrt(lengthSq)));
  nx = f32x4.mul(nx, inverse);
  ny = f32x4.mul(ny, inverse);
  nz = f32x4.mul(nz, inverse);
  v128.store(normal, nx);
  v128.store(normal, ny, 16);
  v128.store(normal, nz, 32);
  const d0 = f32x4.add(f32x4.add(f32x4.mul(nx, x0), f32x4.mul(ny, y0)), f32x4.mul(nz, z0));
  const d1 = f32x4.add(f32x4.add(f32x4.mul(nx, x1), f32x4.mul(ny, y1)), f32x4.mul(nz, z1));
  const d2 = f32x4.add(f32x4.add(f32x4.mul(nx, x2), f32x4.mul(ny, y2)), f32x4.mul(nz, z2));
  v128.store(normal, f32x4.pmin(f32x4.pmin(d0, d1), d2), 48);
  v128.store(normal, f32x4.pmax(f32x4.pmax(d0, d1), d2), 64);
}

/** Transforms leaf b's rows into a's frame, relative to a's anchor. */
function poseLeafB(query: usize): void {
  const area = scratch + LEAF_AREA;
  const p = query + Q_POSE;
  const bx = load<f64>(area, B_ANCHOR), by = load<f64>(area, B_ANCHOR + 8), bz = load<f64>(area, B_ANCHOR + 16);
  const r0 = load<f64>(p), r1 = load<f64>(p, 8), r2 = load<f64>(p, 16);
  const r3 = load<f64>(p, 24), r4 = load<f64>(p, 32), r5 = load<f64>(p, 40);
  const r6 = load<f64>(p, 48), r7 = load<f64>(p, 56), r8 = load<f64>(p, 64);
  const tx = load<f64>(p, 72), ty = load<f64>(p, 80), tz = load<f64>(p, 88);
  store<f32>(area, <f32>(2e-15 * (abs(tx) + abs(ty) + abs(tz) + abs(bx) + abs(by) + abs(bz))), POSE_SLACK);
  const dx = f32x4.splat(<f32>(r0 * bx + r1 * by + r2 * bz + (tx - load<f64>(area, A_ANCHOR))));
  const dy = f32x4.splat(<f32>(r3 * bx + r4 * by + r5 * bz + (ty - load<f64>(area, A_ANCHOR + 8))));
  const dz = f32x4.splat(<f32>(r6 * bx + r7 * by + r8 * bz + (tz - load<f64>(area, A_ANCHOR + 16))));
  if (r0 == 1 && r4 == 1 && r8 == 1 && abs(r1) + abs(r2) + abs(r3) + abs(r5) + abs(r6) + abs(r7) == 0) {
    for (let k: usize = 0; k < 144; k += 48) {
      v128.store(area + k, f32x4.add(v128.load(area + k, B_RAW), dx), B_ROWS);
      v128.store(area + k, f32x4.add(v128.load(area + k, B_RAW + 16), dy), B_ROWS + 16);
      v128.store(area + k, f32x4.add(v128.load(area + k, B_RAW + 32), dz), B_ROWS + 32);
    }
  } else {
    const m0 = f32x4.splat(<f32>r0), m1 = f32x4.splat(<f32>r1), m2 = f32x4.splat(<f32>r2);
    const m3 = f32x4.splat(<f32>r3), m4 = f32x4.splat(<f32>r4), m5 = f32x4.splat(<f32>r5);
    const m6 = f32x4.splat(<f32>r6), m7 = f32x4.splat(<f32>r7), m8 = f32x4.splat(<f32>r8);
    for (let k: usize = 0; k < 144; k += 48) {
      const x = v128.load(area + k, B_RAW), y = v128.load(area + k, B_RAW + 16), z = v128.load(area + k, B_RAW + 32);
      v128.store(area + k, f32x4.add(f32x4.add(f32x4.mul(m0, x), f32x4.mul(m1, y)), f32x4.add(f32x4.mul(m2, z), dx)), B_ROWS);
      v128.store(area + k, f32x4.add(f32x4.add(f32x4.mul(m3, x), f32x4.mul(m4, y)), f32x4.add(f32x4.mul(m5, z), dy)), B_ROWS + 16);
      v128.store(area + k, f32x4.add(f32x4.add(f32x4.mul(m6, x), f32x4.mul(m7, y)), f32x4.add(f32x4.mul(m8, z), dz)), B_ROWS + 32);
    }
  }
  for (let k: usize = 0; k < 48; k += 16) {
    const c0 = v128.load(area + k, B_ROWS), c1 = v128.load(area + k, B_ROWS + 48), c2 = v128.load(area + k, B_ROWS + 96);
    v128.store(area + k, f32x4.pmin(f32x4.pmin(c0, c1), c2), B_BOX);
    v128.store(area + k, f32x4.pmax(f32x4.pmax(c0, c1), c2), B_BOX + 48);
  }
  writeNormals(area + B_ROWS, area + B_NORMAL);
}

/**
 * Bit 4·i + j of the result is set if triangle i of leaf a and j of leaf b may be closer than `bound` (0: may meet).
 * `direction`, unless 0, is the address of three float32: a vector of length ≤ 1 from a to b along which a gap is
 * likely. `sway`, unless 0, is that of three float32 by which b moves at most, forth and back.
 */
export function leafCandidates(query: usize, refA: u32, refB: u32, bound: f32, direction: usize, sway: usize = 0): u32 {
  const area = scratch + LEAF_AREA;
  const changed = refA != heldA || refB != heldB;
  if (refA != heldA) {
    gatherLeaf(load<u32>(query, Q_TREE_A), load<u32>(query, Q_MESH_A), refA, area + A_ROWS, area + A_ANCHOR, area + A_IDS, area + A_CORNERS);
    writeNormals(area + A_ROWS, area + A_NORMAL);
    heldA = refA;
    exactA = 0;
  }
  if (refB != heldB) {
    gatherLeaf(load<u32>(query, Q_TREE_B), load<u32>(query, Q_MESH_B), refB, area + B_RAW, area + B_ANCHOR, area + B_IDS, area + B_CORNERS);
    heldB = refB;
    exactB = 0;
  }
  if (changed) poseLeafB(query);
  const countA = leafCount(refA);
  const countB = leafCount(refB);
  store<u32>(query, load<u32>(query, Q_LEAF_PAIRS) + 1, Q_LEAF_PAIRS);
  store<u32>(query, load<u32>(query, Q_TRIANGLE_TESTS) + countA * countB, Q_TRIANGLE_TESTS);

  let bx0 = v128.load(area, B_BOX), by0 = v128.load(area, B_BOX + 16), bz0 = v128.load(area, B_BOX + 32);
  let bx1 = v128.load(area, B_BOX + 48), by1 = v128.load(area, B_BOX + 64), bz1 = v128.load(area, B_BOX + 80);
  if (sway) {
    const sx = f32x4.abs(v128.load32_splat(sway)), sy = f32x4.abs(v128.load32_splat(sway, 4)), sz = f32x4.abs(v128.load32_splat(sway, 8));
    bx0 = f32x4.sub(bx0, sx); by0 = f32x4.sub(by0, sy); bz0 = f32x4.sub(bz0, sz);
    bx1 = f32x4.add(bx1, sx); by1 = f32x4.add(by1, sy); bz1 = f32x4.add(bz1, sz);
  }
  // largest coordinate: bounds the rounding of all that follows
  let big = f32x4.pmax(f32x4.pmax(f32x4.abs(bx0), f32x4.abs(bx1)), f32x4.pmax(f32x4.abs(by0), f32x4.abs(by1)));
  big = f32x4.pmax(big, f32x4.pmax(f32x4.abs(bz0), f32x4.abs(bz1)));
  for (let k: usize = 48; k < 144; k += 16) big = f32x4.pmax(big, f32x4.abs(v128.load(area + k, A_ROWS)));
  big = f32x4.pmax(big, i32x4.shuffle(big, big, 2, 3, 0, 1));
  big = f32x4.pmax(big, i32x4.shuffle(big, big, 1, 0, 3, 2));
  const reach = f32x4.add(f32x4.splat(bound * 1.000001 + load<f32>(area, POSE_SLACK) + LEAST_NORMAL), f32x4.mul(big, f32x4.splat(ERROR)));
  const reachSq = f32x4.mul(reach, reach);
  const zero = f32x4.splat(0);

  const nbx = v128.load(area, B_NORMAL), nby = v128.load(area, B_NORMAL + 16), nbz = v128.load(area, B_NORMAL + 32);
  const reachB = f32x4.add(reach, swayAlong(sway, nbx, nby, nbz));
  const bLow = f32x4.sub(v128.load(area, B_LOW), reachB), bHigh = f32x4.add(v128.load(area, B_HIGH), reachB);
  const px0 = v128.load(area, B_ROWS), py0 = v128.load(area, B_ROWS + 16), pz0 = v128.load(area, B_ROWS + 32);
  const px1 = v128.load(area, B_ROWS + 48), py1 = v128.load(area, B_ROWS + 64), pz1 = v128.load(area, B_ROWS + 80);
  const px2 = v128.load(area, B_ROWS + 96), py2 = v128.load(area, B_ROWS + 112), pz2 = v128.load(area, B_ROWS + 128);
  const lanes: u32 = (1 << countB) - 1;
  const pairReach = area + A_REACH;
  let bNear = f32x4.splat(Infinity); // where b begins along the direction
  if (direction) {
    const vx = v128.load32_splat(direction), vy = v128.load32_splat(direction, 4), vz = v128.load32_splat(direction, 8);
    bNear = f32x4.pmin(
      f32x4.pmin(f32x4.add(f32x4.add(f32x4.mul(vx, px0), f32x4.mul(vy, py0)), f32x4.mul(vz, pz0)),
        f32x4.add(f32x4.add(f32x4.mul(vx, px1), f32x4.mul(vy, py1)), f32x4.mul(vz, pz1))),
      f32x4.add(f32x4.add(f32x4.mul(vx, px2), f32x4.mul(vy, py2)), f32x4.mul(vz, pz2)));
    // … and where a ends, plus the bound
    let far = f32x4.splat(-Infinity);
    for (let k: usize = 0; k < 144; k += 48) {
      far = f32x4.pmax(far, f32x4.add(f32x4.add(f32x4.mul(vx, v128.load(area + k, A_ROWS)), f32x4.mul(vy, v128.load(area + k, A_ROWS + 16))), f32x4.mul(vz, v128.load(area + k, A_ROWS + 32))));
    }
    v128.store(pairReach, f32x4.add(far, f32x4.add(reach, swayAlong(sway, vx, vy, vz))));
  }
  let found: u32 = 0;
  for (let i: u32 = 0; i < countA; i++) {
    const a = area + 4 * <usize>i;
    const ax0 = v128.load32_splat(a, A_ROWS), ay0 = v128.load32_splat(a, A_ROWS + 16), az0 = v128.load32_splat(a, A_ROWS + 32);
    const ax1 = v128.load32_splat(a, A_ROWS + 48), ay1 = v128.load32_splat(a, A_ROWS + 64), az1 = v128.load32_splat(a, A_ROWS + 80);
    const ax2 = v128.load32_splat(a, A_ROWS + 96), ay2 = v128.load32_splat(a, A_ROWS + 112), az2 = v128.load32_splat(a, A_ROWS + 128);
    let apart = i32x4.splat(0);
    if (direction) {
      apart = f32x4.gt(bNear, v128.load32_splat(a, A_REACH));
      if ((i32x4.bitmask(apart) & lanes) == lanes) continue;
    }
    // gaps between the boxes
    const gx = f32x4.pmax(zero, f32x4.pmax(f32x4.sub(bx0, f32x4.pmax(f32x4.pmax(ax0, ax1), ax2)), f32x4.sub(f32x4.pmin(f32x4.pmin(ax0, ax1), ax2), bx1)));
    const gy = f32x4.pmax(zero, f32x4.pmax(f32x4.sub(by0, f32x4.pmax(f32x4.pmax(ay0, ay1), ay2)), f32x4.sub(f32x4.pmin(f32x4.pmin(ay0, ay1), ay2), by1)));
    const gz = f32x4.pmax(zero, f32x4.pmax(f32x4.sub(bz0, f32x4.pmax(f32x4.pmax(az0, az1), az2)), f32x4.sub(f32x4.pmin(f32x4.pmin(az0, az1), az2), bz1)));
    apart = v128.or(apart, f32x4.gt(f32x4.add(f32x4.add(f32x4.mul(gx, gx), f32x4.mul(gy, gy)), f32x4.mul(gz, gz)), reachSq));
    if ((i32x4.bitmask(apart) & lanes) == lanes) continue;
    // b's corners along a's normal
    const nx = v128.load32_splat(a, A_NORMAL), ny = v128.load32_splat(a, A_NORMAL + 16), nz = v128.load32_splat(a, A_NORMAL + 32);
    const reachA = f32x4.add(reach, swayAlong(sway, nx, ny, nz));
    let d0 = f32x4.add(f32x4.add(f32x4.mul(nx, px0), f32x4.mul(ny, py0)), f32x4.mul(nz, pz0));
    let d1 = f32x4.add(f32x4.add(f32x4.mul(nx, px1), f32x4.mul(ny, py1)), f32x4.mul(nz, pz1));
    let d2 = f32x4.add(f32x4.add(f32x4.mul(nx, px2), f32x4.mul(ny, py2)), f32x4.mul(nz, pz2));
    apart = v128.or(apart, f32x4.gt(f32x4.pmin(f32x4.pmin(d0, d1), d2), f32x4.add(v128.load32_splat(a, A_HIGH), reachA)));
    apart = v128.or(apart, f32x4.lt(f32x4.pmax(f32x4.pmax(d0, d1), d2), f32x4.sub(v128.load32_splat(a, A_LOW), reachA)));
    if ((i32x4.bitmask(apart) & lanes) == lanes) continue;
    // a's corners along the normals of b
    d0 = f32x4.add(f32x4.add(f32x4.mul(nbx, ax0), f32x4.mul(nby, ay0)), f32x4.mul(nbz, az0));
    d1 = f32x4.add(f32x4.add(f32x4.mul(nbx, ax1), f32x4.mul(nby, ay1)), f32x4.mul(nbz, az1));
    d2 = f32x4.add(f32x4.add(f32x4.mul(nbx, ax2), f32x4.mul(nby, ay2)), f32x4.mul(nbz, az2));
    apart = v128.or(apart, f32x4.gt(f32x4.pmin(f32x4.pmin(d0, d1), d2), bHigh));
    apart = v128.or(apart, f32x4.lt(f32x4.pmax(f32x4.pmax(d0, d1), d2), bLow));
    found |= (~i32x4.bitmask(apart) & lanes) << (4 * i);
  }
  return found;
}

/** By how much what sways moves along a direction. */
// @ts-ignore: decorator
@inline function swayAlong(sway: usize, nx: v128, ny: v128, nz: v128): v128 {
  if (!sway) return f32x4.splat(0);
  const x = f32x4.mul(v128.load32_splat(sway), nx), y = f32x4.mul(v128.load32_splat(sway, 4), ny);
  return f32x4.abs(f32x4.add(f32x4.add(x, y), f32x4.mul(v128.load32_splat(sway, 8), nz)));
}

/** Address of triangle i of leaf a as nine float64 in mesh a's coordinates. */
export function exactTriangleA(query: usize, i: u32): usize {
  const out = scratch + LEAF_AREA + A_EXACT + 72 * <usize>i;
  if (exactA & (1 << i)) return out;
  exactA |= 1 << i;
  const mesh: usize = load<u32>(query, Q_MESH_A);
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  for (let k: usize = 0; k < 3; k++) {
    const v = positions + 12 * <usize>load<u32>(scratch + LEAF_AREA + A_CORNERS + 4 * <usize>i + 16 * k);
    store<f64>(out + 24 * k, load<f32>(v));
    store<f64>(out + 24 * k, load<f32>(v, 4), 8);
    store<f64>(out + 24 * k, load<f32>(v, 8), 16);
  }
  return out;
}

/** Address of triangle j of leaf b, posed with the same rounding as posePoint in src/math/pose.ts. */
export function exactTriangleB(query: usize, j: u32): usize {
  const out = scratch + LEAF_AREA + B_EXACT + 72 * <usize>j;
  if (exactB & (1 << j)) return out;
  exactB |= 1 << j;
  const mesh: usize = load<u32>(query, Q_MESH_B);
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  const p = query + Q_POSE;
  for (let k: usize = 0; k < 3; k++) {
    const v = positions + 12 * <usize>load<u32>(scratch + LEAF_AREA + B_CORNERS + 4 * <usize>j + 16 * k);
    const x = <f64>load<f32>(v), y = <f64>load<f32>(v, 4), z = <f64>load<f32>(v, 8);
    store<f64>(out + 24 * k, load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z + load<f64>(p, 72));
    store<f64>(out + 24 * k, load<f64>(p, 24) * x + load<f64>(p, 32) * y + load<f64>(p, 40) * z + load<f64>(p, 80), 8);
    store<f64>(out + 24 * k, load<f64>(p, 48) * x + load<f64>(p, 56) * y + load<f64>(p, 64) * z + load<f64>(p, 88), 16);
  }
  return out;
}

/** Bit 4·i + j is set if triangles i and j of the loaded leaves share a vertex number. */
export function numberNeighbours(countA: u32): u32 {
  const area = scratch + LEAF_AREA;
  const b0 = v128.load(area, B_CORNERS), b1 = v128.load(area, B_CORNERS + 16), b2 = v128.load(area, B_CORNERS + 32);
  let found: u32 = 0;
  for (let i: u32 = 0; i < countA; i++) {
    let same = i32x4.splat(0);
    for (let k: usize = 0; k < 48; k += 16) {
      const n = v128.load32_splat(area + A_CORNERS + 4 * <usize>i + k);
      same = v128.or(same, v128.or(v128.or(i32x4.eq(n, b0), i32x4.eq(n, b1)), i32x4.eq(n, b2)));
    }
    found |= <u32>i32x4.bitmask(same) << (4 * i);
  }
  return found;
}

/** Whether triangles i and j have a corner at the same position. */
export function sharesPlace(query: usize, i: u32, j: u32): bool {
  const a = exactTriangleA(query, i);
  const b = exactTriangleB(query, j);
  for (let k: usize = 0; k < 72; k += 24) {
    for (let l: usize = 0; l < 72; l += 24) {
      if (load<f64>(a + k) == load<f64>(b + l) && load<f64>(a + k, 8) == load<f64>(b + l, 8) && load<f64>(a + k, 16) == load<f64>(b + l, 16)) return true;
    }
  }
  return false;
}
