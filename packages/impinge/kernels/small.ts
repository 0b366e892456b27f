/**
 * Which triangles of two small posed meshes meet, or come within a distance, without trees: for meshes that are asked
 * about a few times only, where a tree costs more than it saves.
 *
 * Idea: where the boxes overlap, each mesh's triangles are clipped to the other's box, in the other's frame, then to what
 * is left of the other.
 * The survivors, four by four in the mesh's order, are the leaves: leaves whose boxes come near each other in both frames
 * go the way of pairs.ts. Where too much survives (a soup without order), trees do better: gives up.
 * Frames: a's numbers and b's numbers, each relative to the middle of its mesh's box.
 * Layout (from Q_STACK): per side a head that passes for a tree's (TREE_ORDER), survivors, corners in the other side's
 * frame (four float32, the last 0), leaves (low and high in a's frame, then in b's: four float32 each, the last unused).
 * Errs: to the side of keeping, by REACH_ERROR of the meshes' extent.
 */
import { MESH_INDICES, MESH_POSITIONS, MESH_TRIANGLE_COUNT, MESH_VERTEX_COUNT, TREE_ORDER, leafRef } from './layout';
import {
  DONE, GIVEN_UP, Q_BOUND, Q_EXACT_TESTS, Q_LEAF_PAIRS, Q_LIMIT, Q_MESH_A, Q_MESH_B, Q_PAIRS_FOUND, Q_POSE, Q_STACK, Q_STACK_TOP, Q_STARTED,
  Q_TREE_A, Q_TREE_B, Q_VOLUME_TESTS, addCount, addDoubt, addPair, fullOutput,
} from './context';
import { exactTriangleA, exactTriangleB, forgetLeaves, leafCandidates, pairKey } from './leaf';
import { DOUBT, YES, triangleDistanceSq, triangleTriangle } from './triangles';

// the same numbers as src/query/pair/small-pair.ts
const MOST_TRIANGLES: usize = 2048;
const MOST_VERTICES: usize = 4096;
export const MESH_BOX: usize = 88;

const SIDE_ORDER: usize = 64;
const SIDE_POSED: usize = SIDE_ORDER + 4 * MOST_TRIANGLES;
const SIDE_CODES: usize = SIDE_POSED + 16 * MOST_VERTICES;
const SIDE_LEAVES: usize = SIDE_CODES + 8 * MOST_VERTICES;
const SIDE_BYTES: usize = SIDE_LEAVES + 16 * MOST_TRIANGLES;
const SPARE: usize = 2 * SIDE_BYTES; // a box: low, high
const COUNTS: usize = SPARE + 32; // survivors of a, of b; float32 reach
/** Bytes the host must give. */
export function smallBytes(): usize { return COUNTS + 16; }

const LEAF: usize = 64;
/** Most comparisons of leaves' boxes before giving up: less than building trees takes. */
const MOST_BOX_PAIRS: u32 = 1 << 16;

// With u = 2^-24, S the sum of a mesh's half sides and d the way between the middles, a posed corner is off by less than
// 10 u (S + |d|) in each coordinate: entries, products, three sums, and the corner itself. 6e-7, rounded up.
const REACH_ERROR: f64 = 3e-6;

// @ts-ignore: decorator
@inline function vector(x: f64, y: f64, z: f64): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(0), 0, <f32>x), 1, <f32>y), 2, <f32>z);
}
// @ts-ignore: decorator
@inline function sizeOf(v: v128): f64 {
  return <f64>abs(f32x4.extract_lane(v, 0)) + <f64>abs(f32x4.extract_lane(v, 1)) + <f64>abs(f32x4.extract_lane(v, 2));
}

/** Half the sides of the box around a turned box. */
// @ts-ignore: decorator
@inline function halfSides(c0: v128, c1: v128, c2: v128, half: v128): v128 {
  const xy = f32x4.add(f32x4.mul(f32x4.abs(c0), i32x4.shuffle(half, half, 0, 0, 0, 0)), f32x4.mul(f32x4.abs(c1), i32x4.shuffle(half, half, 1, 1, 1, 1)));
  return f32x4.add(xy, f32x4.mul(f32x4.abs(c2), i32x4.shuffle(half, half, 2, 2, 2, 2)));
}

/** The vector at `at`, less `by`; the fourth number lies beyond all others, on the side of `beyond`. */
// @ts-ignore: decorator
@inline function limit(at: usize, by: v128, beyond: f32): v128 {
  return f32x4.replace_lane(f32x4.sub(v128.load(at), by), 3, beyond);
}

/** Writes every vertex, less `middle`, turned by the matrix with columns c0, c1, c2 and moved by d. */
function poseVertices(mesh: usize, middle: v128, c0: v128, c1: v128, c2: v128, d: v128, out: usize): void {
  let from = mesh + load<u32>(mesh, MESH_POSITIONS);
  const end = from + 12 * <usize>load<u32>(mesh, MESH_VERTEX_COUNT);
  for (; from < end; from += 12, out += 16) {
    const v = f32x4.sub(v128.load(from), middle);
    const xy = f32x4.add(f32x4.mul(c0, i32x4.shuffle(v, v, 0, 0, 0, 0)), f32x4.mul(c1, i32x4.shuffle(v, v, 1, 1, 1, 1)));
    v128.store(out, f32x4.add(xy, f32x4.add(f32x4.mul(c2, i32x4.shuffle(v, v, 2, 2, 2, 2)), d)));
  }
}

/**
 * Leaves in the list the triangles that come within `reach` of the box; returns how many. First every vertex gets eight
 * bytes that tell beyond which sides of the box it lies: a triangle is apart if its corners have a byte in common.
 */
function keepNear(mesh: usize, side: usize, count: u32, vertices: usize, stride: usize, middle: v128, box: usize, reach: v128): u32 {
  const low = limit(box, reach, -Infinity), high = limit(box + 16, f32x4.neg(reach), Infinity);
  if (count * 3 < load<u32>(mesh, MESH_VERTEX_COUNT)) return keepFewNear(mesh, side, count, vertices, stride, middle, low, high);
  const codes = side + SIDE_CODES;
  const lastCode = codes + 8 * <usize>load<u32>(mesh, MESH_VERTEX_COUNT);
  for (let code = codes; code < lastCode; code += 8, vertices += stride) {
    const v = f32x4.sub(v128.load(vertices), middle);
    const sides = i16x8.narrow_i32x4_s(f32x4.lt(v, low), f32x4.gt(v, high));
    store<i64>(code, i64x2.extract_lane(i8x16.narrow_i16x8_s(sides, sides), 0));
  }
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  const order = side + SIDE_ORDER;
  const end = order + 4 * <usize>count;
  let to = order;
  for (let at = order; at < end; at += 4) {
    const t = load<u32>(at);
    const corners = indices + 12 * <usize>t;
    const beyond = load<u64>(codes + 8 * <usize>load<u32>(corners)) & load<u64>(codes + 8 * <usize>load<u32>(corners, 4)) & load<u64>(codes + 8 * <usize>load<u32>(corners, 8));
    store<u32>(to, t);
    to += <usize>(beyond == 0) << 2;
  }
  return <u32>((to - order) >> 2);
}

/** The same where the triangles have fewer corners than there are vertices. */
function keepFewNear(mesh: usize, side: usize, count: u32, vertices: usize, stride: usize, middle: v128, low: v128, high: v128): u32 {
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  const order = side + SIDE_ORDER;
  const end = order + 4 * <usize>count;
  let to = order;
  for (let at = order; at < end; at += 4) {
    const t = load<u32>(at);
    const corners = indices + 12 * <usize>t;
    const u = v128.load(vertices + stride * <usize>load<u32>(corners));
    const v = v128.load(vertices + stride * <usize>load<u32>(corners, 4));
    const w = v128.load(vertices + stride * <usize>load<u32>(corners, 8));
    const least = f32x4.sub(f32x4.pmin(f32x4.pmin(u, v), w), middle), most = f32x4.sub(f32x4.pmax(f32x4.pmax(u, v), w), middle);
    store<u32>(to, t);
    to += <usize>(!v128.any_true(v128.or(f32x4.lt(most, low), f32x4.gt(least, high)))) << 2;
  }
  return <u32>((to - order) >> 2);
}

/**
 * Whether two boxes lie apart along the cross product of an edge of each by more than `reach`. d: from the middle of a's to
 * that of b's, in a's frame. No cross product is longer than 1, so the gap is no smaller than it seems.
 */
function edgesApart(p: usize, dx: f64, dy: f64, dz: f64, halfA: v128, halfB: v128, reach: f64): bool {
  const ax = <f64>f32x4.extract_lane(halfA, 0), ay = <f64>f32x4.extract_lane(halfA, 1), az = <f64>f32x4.extract_lane(halfA, 2);
  const bx = <f64>f32x4.extract_lane(halfB, 0), by = <f64>f32x4.extract_lane(halfB, 1), bz = <f64>f32x4.extract_lane(halfB, 2);
  // every axis of b in turn, and the two others with their half sides
  for (let l: usize = 0; l < 3; l++) {
    const at = p + 8 * l;
    const x = load<f64>(at), y = load<f64>(at, 24), z = load<f64>(at, 48);
    const first = p + (l == 2 ? 0 : 8 * l + 8), second = p + (l == 0 ? 16 : 8 * l - 8);
    const h1 = l == 0 ? by : l == 1 ? bz : bx, h2 = l == 0 ? bz : l == 1 ? bx : by;
    if (abs(dz * y - dy * z) > reach + ay * abs(z) + az * abs(y) + h1 * abs(load<f64>(second)) + h2 * abs(load<f64>(first))) return true;
    if (abs(dx * z - dz * x) > reach + az * abs(x) + ax * abs(z) + h1 * abs(load<f64>(second, 24)) + h2 * abs(load<f64>(first, 24))) return true;
    if (abs(dy * x - dx * y) > reach + ax * abs(y) + ay * abs(x) + h1 * abs(load<f64>(second, 48)) + h2 * abs(load<f64>(first, 48))) return true;
  }
  return false;
}

/** Writes the box of some triangles in the list. */
function writeBox(order: usize, count: u32, indices: usize, vertices: usize, stride: usize, middle: v128, box: usize): void {
  let low = f32x4.splat(Infinity), high = f32x4.splat(-Infinity);
  const end = order + 4 * <usize>count;
  for (let at = order; at < end; at += 4) {
    const corners = indices + 12 * <usize>load<u32>(at);
    for (let k: usize = 0; k < 12; k += 4) {
      const v = v128.load(vertices + stride * <usize>load<u32>(corners + k));
      low = f32x4.pmin(low, v);
      high = f32x4.pmax(high, v);
    }
  }
  v128.store(box, f32x4.sub(low, middle));
  v128.store(box, f32x4.sub(high, middle), 16);
}

/** Writes the boxes of leaves of four, in their own frame and in the other side's. */
function writeLeaves(side: usize, count: u32, mesh: usize, middle: v128, own: usize, other: usize): void {
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  let leaf = side + SIDE_LEAVES;
  for (let at: u32 = 0; at < count; at += 4, leaf += LEAF) {
    const order = side + SIDE_ORDER + 4 * <usize>at;
    const some = min<u32>(4, count - at);
    writeBox(order, some, indices, positions, 12, middle, leaf + own);
    writeBox(order, some, indices, side + SIDE_POSED, 16, f32x4.splat(0), leaf + other);
  }
}

function listAll(side: usize, count: u32): void {
  store<u32>(side, <u32>SIDE_ORDER, TREE_ORDER);
  for (let t: u32 = 0; t < count; t++) store<u32>(side + SIDE_ORDER + 4 * <usize>t, t);
}

/** Poses, clips and boxes both sides; false where float32 cannot hold the numbers. */
function prepare(query: usize, sideA: usize, sideB: usize): bool {
  const meshA: usize = load<u32>(query, Q_MESH_A);
  const meshB: usize = load<u32>(query, Q_MESH_B);
  const spare = sideA + SPARE;
  const lowA = v128.load(meshA, MESH_BOX), highA = v128.load(meshA, MESH_BOX + 12);
  const lowB = v128.load(meshB, MESH_BOX), highB = v128.load(meshB, MESH_BOX + 12);
  const half = f32x4.splat(0.5), zero = f32x4.splat(0);
  const middleA = f32x4.add(f32x4.mul(lowA, half), f32x4.mul(highA, half));
  const middleB = f32x4.add(f32x4.mul(lowB, half), f32x4.mul(highB, half));

  // b's frame to a's: R x + d; back: Rᵀ x + e
  const p = query + Q_POSE;
  const r0 = load<f64>(p), r1 = load<f64>(p, 8), r2 = load<f64>(p, 16);
  const r3 = load<f64>(p, 24), r4 = load<f64>(p, 32), r5 = load<f64>(p, 40);
  const r6 = load<f64>(p, 48), r7 = load<f64>(p, 56), r8 = load<f64>(p, 64);
  const tx = load<f64>(p, 72), ty = load<f64>(p, 80), tz = load<f64>(p, 88);
  const bx = <f64>f32x4.extract_lane(middleB, 0), by = <f64>f32x4.extract_lane(middleB, 1), bz = <f64>f32x4.extract_lane(middleB, 2);
  const dx = r0 * bx + r1 * by + r2 * bz + (tx - <f64>f32x4.extract_lane(middleA, 0));
  const dy = r3 * bx + r4 * by + r5 * bz + (ty - <f64>f32x4.extract_lane(middleA, 1));
  const dz = r6 * bx + r7 * by + r8 * bz + (tz - <f64>f32x4.extract_lane(middleA, 2));
  const ex = -(r0 * dx + r3 * dy + r6 * dz), ey = -(r1 * dx + r4 * dy + r7 * dz), ez = -(r2 * dx + r5 * dy + r8 * dz);
  // a rotation that is not quite one: Rᵀ R − I moves b in its own frame, and stretches distances
  const off = abs(r0 * r0 + r3 * r3 + r6 * r6 - 1) + abs(r1 * r1 + r4 * r4 + r7 * r7 - 1) + abs(r2 * r2 + r5 * r5 + r8 * r8 - 1)
    + abs(r0 * r1 + r3 * r4 + r6 * r7) + abs(r1 * r2 + r4 * r5 + r7 * r8) + abs(r2 * r0 + r5 * r3 + r8 * r6);
  const extent = sizeOf(f32x4.sub(highA, lowA)) + sizeOf(f32x4.sub(highB, lowB)) + abs(dx) + abs(dy) + abs(dz);
  if (!(extent > 1e-18 && extent < 1e17)) return false;
  const far = abs(tx) + abs(ty) + abs(tz) + sizeOf(middleA) + sizeOf(middleB);
  const wide = 1.000001 * (load<f64>(query, Q_BOUND) * (1 + off) + (REACH_ERROR + off) * extent + 4e-15 * far);
  const reach = f32x4.splat(<f32>wide);

  // the boxes along their own axes
  const a0 = vector(r0, r1, r2), a1 = vector(r3, r4, r5), a2 = vector(r6, r7, r8), e = vector(ex, ey, ez);
  const b0 = vector(r0, r3, r6), b1 = vector(r1, r4, r7), b2 = vector(r2, r5, r8), d = vector(dx, dy, dz);
  const halfA = f32x4.pmax(f32x4.sub(highA, middleA), f32x4.sub(middleA, lowA));
  const halfB = f32x4.pmax(f32x4.sub(highB, middleB), f32x4.sub(middleB, lowB));
  addCount(query, Q_VOLUME_TESTS, 1);
  const gapped = v128.or(
    f32x4.gt(f32x4.abs(d), f32x4.add(f32x4.add(halfA, reach), halfSides(b0, b1, b2, halfB))),
    f32x4.gt(f32x4.abs(e), f32x4.add(f32x4.add(halfB, reach), halfSides(a0, a1, a2, halfA))));
  // the cross product of two of b's axes differs from the third by less than 5 off, times half its sides
  if (i32x4.bitmask(gapped) & 7 || edgesApart(p, dx, dy, dz, halfA, halfB, wide + 4 * off * extent)) {
    v128.store(sideA + COUNTS, zero);
    return true;
  }

  // b against the box of a, a against the box of what is left of b, then each against what is left of the other
  const indicesA = meshA + load<u32>(meshA, MESH_INDICES), indicesB = meshB + load<u32>(meshB, MESH_INDICES);
  const positionsA = meshA + load<u32>(meshA, MESH_POSITIONS), positionsB = meshB + load<u32>(meshB, MESH_POSITIONS);
  const orderA = sideA + SIDE_ORDER, orderB = sideB + SIDE_ORDER;
  const posedA = sideA + SIDE_POSED, posedB = sideB + SIDE_POSED;
  let countA = load<u32>(meshA, MESH_TRIANGLE_COUNT), countB = load<u32>(meshB, MESH_TRIANGLE_COUNT);
  v128.store(spare, f32x4.sub(lowA, middleA));
  v128.store(spare, f32x4.sub(highA, middleA), 16);
  listAll(sideB, countB);
  poseVertices(meshB, middleB, b0, b1, b2, d, posedB);
  addCount(query, Q_VOLUME_TESTS, countB);
  countB = keepNear(meshB, sideB, countB, posedB, 16, zero, spare, reach);
  if (countB) {
    writeBox(orderB, countB, indicesB, posedB, 16, zero, spare);
    listAll(sideA, countA);
    addCount(query, Q_VOLUME_TESTS, countA);
    countA = keepNear(meshA, sideA, countA, positionsA, 12, middleA, spare, reach);
    if (countA) {
      writeBox(orderB, countB, indicesB, positionsB, 12, middleB, spare);
      poseVertices(meshA, middleA, a0, a1, a2, e, posedA);
      countA = keepNear(meshA, sideA, countA, posedA, 16, zero, spare, reach);
      writeBox(orderA, countA, indicesA, positionsA, 12, middleA, spare);
      countB = keepNear(meshB, sideB, countB, posedB, 16, zero, spare, reach);
      writeLeaves(sideA, countA, meshA, middleA, 0, 32);
      writeLeaves(sideB, countB, meshB, middleB, 32, 0);
    }
  } else countA = 0;
  store<u32>(sideA + COUNTS, countA);
  store<u32>(sideA + COUNTS, countB, 4);
  store<f32>(sideA + COUNTS, f32x4.extract_lane(reach, 0), 8);
  return true;
}

/** Reports every pair at a distance of at most Q_BOUND (0: that meets), up to the limit, or gives up. */
export function smallPair(query: usize): i32 {
  const sideA: usize = load<u32>(query, Q_STACK);
  const sideB = sideA + SIDE_BYTES;
  if (!load<u32>(query, Q_STARTED)) {
    store<u32>(query, <u32>sideA, Q_TREE_A);
    store<u32>(query, <u32>sideB, Q_TREE_B);
    if (!prepare(query, sideA, sideB)) return GIVEN_UP;
    store<u32>(query, 1, Q_STARTED);
  }
  forgetLeaves();
  const countA = load<u32>(sideA + COUNTS), countB = load<u32>(sideA + COUNTS, 4);
  const leavesA = (countA + 3) >> 2, leavesB = (countB + 3) >> 2;
  if (leavesA * leavesB > MOST_BOX_PAIRS) return GIVEN_UP;
  // a tree takes as long as about two pairs of leaves for each of its triangles
  const mostLeafPairs = load<u32>(<usize>load<u32>(query, Q_MESH_A), MESH_TRIANGLE_COUNT) + load<u32>(<usize>load<u32>(query, Q_MESH_B), MESH_TRIANGLE_COUNT);
  const reach = f32x4.splat(load<f32>(sideA + COUNTS, 8));
  const away = f32x4.neg(reach);
  const most = load<u32>(query, Q_LIMIT);
  const bound = load<f64>(query, Q_BOUND);
  const boundSq = bound * bound;
  // the next pair of leaves: where a call that was left goes on
  const from = load<u32>(query, Q_STACK_TOP);
  let i = from / max<u32>(leavesB, 1), j = from % max<u32>(leavesB, 1);
  for (; i < leavesA; i++) {
    const a = sideA + SIDE_LEAVES + LEAF * <usize>i;
    const low0 = limit(a, reach, -Infinity), high0 = limit(a + 16, away, Infinity);
    const low1 = limit(a + 32, reach, -Infinity), high1 = limit(a + 48, away, Infinity);
    const refA = leafRef(4 * i, min<u32>(4, countA - 4 * i));
    addCount(query, Q_VOLUME_TESTS, leavesB - j);
    for (let b = sideB + SIDE_LEAVES + LEAF * <usize>j; j < leavesB; j++, b += LEAF) {
      const apart = v128.or(
        v128.or(f32x4.lt(v128.load(b, 16), low0), f32x4.gt(v128.load(b), high0)),
        v128.or(f32x4.lt(v128.load(b, 48), low1), f32x4.gt(v128.load(b, 32), high1)));
      if (v128.any_true(apart)) continue;
      if (load<u32>(query, Q_LEAF_PAIRS) > mostLeafPairs) return GIVEN_UP;
      const full = fullOutput(query);
      if (full != DONE || load<u32>(query, Q_PAIRS_FOUND) >= most) {
        store<u32>(query, i * leavesB + j, Q_STACK_TOP);
        return full;
      }
      let mask = leafCandidates(query, refA, leafRef(4 * j, min<u32>(4, countB - 4 * j)), <f32>bound, 0);
      while (mask) {
        const bit = ctz(mask);
        mask &= mask - 1;
        const s = bit >> 2, t = bit & 3;
        addCount(query, Q_EXACT_TESTS, 1);
        const p = exactTriangleA(query, s), q = exactTriangleB(query, t);
        const meet = triangleTriangle(p, q);
        if (meet == YES || (boundSq > 0 && triangleDistanceSq(p, q) <= boundSq)) addPair(query, pairKey(s, t));
        else if (meet == DOUBT) addDoubt(query, pairKey(s, t));
      }
    }
    j = 0;
  }
  store<u32>(query, 0, Q_STACK_TOP);
  return DONE;
}
