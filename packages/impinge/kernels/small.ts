/**
 * Which triangles of two small posed meshes meet, or come within a distance, without trees. Used for meshes that are
 * queried only a few times, where a tree costs more than it saves, and for those of a scene.
 *
 * Idea: if the boxes of the meshes overlap, their ordered boxes (ordered-boxes.ts) are walked as pairs.ts walks trees,
 * one box against the four in the larger other one; the remaining triangles are tested four against four. If too many
 * remain (a soup without order), trees are faster, and this search gives up.
 * Frames: a's coordinates and b's coordinates, each relative to the middle of its mesh's box.
 * Layout (from Q_STACK): a head that serves as a tree's (TREE_ORDER) with all triangles in their given order, two
 * frames, the stack: pairs of boxes, 8 bytes each. Each step pops one pair and pushes at most four, one step deeper,
 * and trees are at most 6 high: 3 · 12 + 5 pairs suffice.
 * Errs: towards keeping pairs, by REACH_ERROR of the meshes' extent.
 */
import { MESH_BOX, MESH_TRIANGLE_COUNT, TREE_ORDER, leafRef } from './layout';
import {
  DONE, GIVEN_UP, NEED_BOXES, Q_BOUND, Q_BOXES_A, Q_BOXES_B, Q_EXACT_TESTS, Q_LEAF_PAIRS, Q_LIMIT, Q_MESH_A, Q_MESH_B, Q_PAIRS_FOUND,
  Q_POSE, Q_STACK, Q_STACK_TOP, Q_STARTED, Q_TREE_A, Q_TREE_B, Q_TRIANGLE_TESTS, Q_VOLUME_TESTS, addCount, addDoubt, addPair, fullOutput,
} from './context';
import { exactTriangleA, exactTriangleB, forgetLeaves, holdPair, leafCandidates, pairKey } from './leaf';
import { FRAME_BYTES, boxAround, boxAt, firstInside, gapsInside, holdsTriangles, middleOf, sizeAt, topBox, writeFrame } from './ordered-boxes';
import { DOUBT, YES, triangleDistanceSq, triangleTriangle } from './triangles';

// must equal the number in src/query/pair/small-pair.ts
// host: MOST_TRIANGLES
const MOST_TRIANGLES: usize = 2048;

const ORDER: usize = 64;
const B_TO_A: usize = ORDER + 4 * MOST_TRIANGLES;
const A_TO_B: usize = B_TO_A + FRAME_BYTES;
const REACH: usize = A_TO_B + FRAME_BYTES; // float32
const GAPS: usize = REACH + 16; // gaps of four boxes
const PAIRS: usize = GAPS + 16;
/** Bytes the host must allocate for the work space that `listTriangles` initialises. */
export function smallBytes(): usize { return PAIRS + 8 * 48; }

/** Must be called before the work space is first used. */
export function listTriangles(space: usize): void {
  store<u32>(space, <u32>ORDER, TREE_ORDER);
  for (let t: u32 = 0; t < MOST_TRIANGLES; t++) store<u32>(space + 4 * <usize>t, t, ORDER);
}

// With u = 2^-24, S the sum of a mesh's half sides and d the distance between the middles, a posed centre is off by
// less than 10 u (S + |d|) in each coordinate: entries, products, three sums, and the centre itself. Its half sides are
// off by 7 u S, and the box by 4 u S at each of 6 heights before it was posed: 41 u (S + |d|), 2.5e-6, rounded up.
const REACH_ERROR: f64 = 3e-6;

/** No triangle. */
const NOWHERE: u32 = 0xffffffff;

/** Results of comparing the boxes of two meshes. */
const APART: i32 = 0;
const NEAR: i32 = 1;
const TOO_LARGE: i32 = 2; // float32 cannot hold the numbers

// @ts-ignore: decorator
@inline function vector(x: f64, y: f64, z: f64): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(0), 0, <f32>x), 1, <f32>y), 2, <f32>z);
}
// @ts-ignore: decorator
@inline function sizeOf(v: v128): f64 {
  return <f64>abs(f32x4.extract_lane(v, 0)) + <f64>abs(f32x4.extract_lane(v, 1)) + <f64>abs(f32x4.extract_lane(v, 2));
}

/** Half the sides of the box around a rotated box. */
// @ts-ignore: decorator
@inline function halfSides(c0: v128, c1: v128, c2: v128, half: v128): v128 {
  const xy = f32x4.add(f32x4.mul(f32x4.abs(c0), i32x4.shuffle(half, half, 0, 0, 0, 0)), f32x4.mul(f32x4.abs(c1), i32x4.shuffle(half, half, 1, 1, 1, 1)));
  return f32x4.add(xy, f32x4.mul(f32x4.abs(c2), i32x4.shuffle(half, half, 2, 2, 2, 2)));
}

/**
 * Whether the cross product of an edge of each box separates the two boxes by more than `reach`. d is the vector from
 * the middle of a's box to that of b's, in a's frame. No cross product is longer than 1, so the gap is no smaller than
 * computed.
 */
function edgesApart(p: usize, dx: f64, dy: f64, dz: f64, halfA: v128, halfB: v128, reach: f64): bool {
  const ax = <f64>f32x4.extract_lane(halfA, 0), ay = <f64>f32x4.extract_lane(halfA, 1), az = <f64>f32x4.extract_lane(halfA, 2);
  const bx = <f64>f32x4.extract_lane(halfB, 0), by = <f64>f32x4.extract_lane(halfB, 1), bz = <f64>f32x4.extract_lane(halfB, 2);
  // each axis of b in turn, and the other two with their half sides
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

/** Compares the boxes of the meshes; if they are near, writes the frames between them. */
function compareBoxes(query: usize, space: usize): i32 {
  const meshA: usize = load<u32>(query, Q_MESH_A);
  const meshB: usize = load<u32>(query, Q_MESH_B);
  const lowA = v128.load(meshA, MESH_BOX), highA = v128.load(meshA, MESH_BOX + 12);
  const lowB = v128.load(meshB, MESH_BOX), highB = v128.load(meshB, MESH_BOX + 12);
  const middleA = middleOf(meshA), middleB = middleOf(meshB);

  // from b's frame to a's: R x + d; back: Rᵀ x + e
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
  // a rotation that is not quite one: Rᵀ R − I moves b in its own frame and stretches distances
  const off = abs(r0 * r0 + r3 * r3 + r6 * r6 - 1) + abs(r1 * r1 + r4 * r4 + r7 * r7 - 1) + abs(r2 * r2 + r5 * r5 + r8 * r8 - 1)
    + abs(r0 * r1 + r3 * r4 + r6 * r7) + abs(r1 * r2 + r4 * r5 + r7 * r8) + abs(r2 * r0 + r5 * r3 + r8 * r6);
  const extent = sizeOf(f32x4.sub(highA, lowA)) + sizeOf(f32x4.sub(highB, lowB)) + abs(dx) + abs(dy) + abs(dz);
  if (!(extent > 1e-18 && extent < 1e17)) return TOO_LARGE;
  const far = abs(tx) + abs(ty) + abs(tz) + sizeOf(middleA) + sizeOf(middleB);
  const wide = 1.000001 * (load<f64>(query, Q_BOUND) * (1 + off) + (REACH_ERROR + off) * extent + 4e-15 * far);
  // lanes without a box are 1e30 away
  if (!(wide < 1e29)) return TOO_LARGE;
  const reach = f32x4.splat(<f32>wide);

  // the gaps along the axes of both boxes
  const a0 = vector(r0, r1, r2), a1 = vector(r3, r4, r5), a2 = vector(r6, r7, r8), e = vector(ex, ey, ez);
  const b0 = vector(r0, r3, r6), b1 = vector(r1, r4, r7), b2 = vector(r2, r5, r8), d = vector(dx, dy, dz);
  const halfA = f32x4.pmax(f32x4.sub(highA, middleA), f32x4.sub(middleA, lowA));
  const halfB = f32x4.pmax(f32x4.sub(highB, middleB), f32x4.sub(middleB, lowB));
  addCount(query, Q_VOLUME_TESTS, 1);
  const gapped = v128.or(
    f32x4.gt(f32x4.abs(d), f32x4.add(f32x4.add(halfA, reach), halfSides(b0, b1, b2, halfB))),
    f32x4.gt(f32x4.abs(e), f32x4.add(f32x4.add(halfB, reach), halfSides(a0, a1, a2, halfA))));
  // the cross product of two of b's axes differs from the third by less than 5 off, times half its sides
  if (i32x4.bitmask(gapped) & 7 || edgesApart(p, dx, dy, dz, halfA, halfB, wide + 4 * off * extent)) return APART;

  writeFrame(space + B_TO_A, r0, r1, r2, r3, r4, r5, r6, r7, r8, dx, dy, dz);
  writeFrame(space + A_TO_B, r0, r3, r6, r1, r4, r7, r2, r5, r8, ex, ey, ez);
  store<f32>(space, <f32>wide, REACH);
  return NEAR;
}

/** Whether the meshes may meet according to their boxes; also true if the boxes cannot be compared. */
export function mayMeet(query: usize): bool { return compareBoxes(query, load<u32>(query, Q_STACK)) != APART; }

/**
 * Pushes pairs of a box with those of four that are near, the deepest on top, since triangles are likely to meet there.
 */
// @ts-ignore: decorator
@inline function pushNear(top: usize, gaps: v128, reach: f32, first: u32, other: u32, firstIsA: bool, spare: usize): usize {
  let mask = <u32>i32x4.bitmask(f32x4.le(gaps, f32x4.splat(reach)));
  v128.store(spare, gaps);
  while (mask) {
    let lane = ctz(mask);
    for (let rest = mask & (mask - 1); rest; rest &= rest - 1) {
      const next = ctz(rest);
      if (load<f32>(spare + 4 * <usize>next) > load<f32>(spare + 4 * <usize>lane)) lane = next;
    }
    mask &= ~(<u32>1 << lane);
    store<u32>(top, firstIsA ? first + lane : other);
    store<u32>(top, firstIsA ? other : first + lane, 4);
    top += 8;
  }
  return top;
}

/** Whether triangles s and t of the loaded leaves meet, or come within the bound. */
// @ts-ignore: decorator
@inline function meetOrNear(query: usize, s: u32, t: u32, boundSq: f64): i32 {
  addCount(query, Q_EXACT_TESTS, 1);
  const p = exactTriangleA(query, s), q = exactTriangleB(query, t);
  const meet = triangleTriangle(p, q);
  return meet != YES && boundSq > 0 && triangleDistanceSq(p, q) <= boundSq ? YES : meet;
}

/** Reports a triangle of a and one of b if they certainly meet or come within the distance; returns whether they do. */
export function reportPair(query: usize, a: u32, b: u32): bool {
  const bound = load<f64>(query, Q_BOUND);
  holdPair(query, a, b);
  addCount(query, Q_TRIANGLE_TESTS, 1);
  if (meetOrNear(query, 0, 0, bound * bound) != YES) return false;
  addPair(query, pairKey(0, 0));
  return true;
}

/**
 * Reports every pair at a distance of at most Q_BOUND (0: that meets), up to the limit; or gives up, or requests the
 * boxes of both meshes (NEED_BOXES).
 */
export function smallPair(query: usize): i32 { return searchPair(query, NOWHERE, NOWHERE); }

/**
 * The same, but starts around a triangle of each if that is likely to end the search; that region is then visited
 * twice.
 */
export function searchPair(query: usize, nearA: u32, nearB: u32): i32 {
  const space: usize = load<u32>(query, Q_STACK);
  const stack = space + PAIRS;
  const boxesA: usize = load<u32>(query, Q_BOXES_A), boxesB: usize = load<u32>(query, Q_BOXES_B);
  let top = stack + load<u32>(query, Q_STACK_TOP);
  if (!load<u32>(query, Q_STARTED)) {
    const how = compareBoxes(query, space);
    if (how == TOO_LARGE) return GIVEN_UP;
    if (how == NEAR && !(boxesA && boxesB)) return NEED_BOXES;
    store<u32>(query, 1, Q_STARTED);
    if (how == APART) return DONE;
    store<u32>(query, <u32>space, Q_TREE_A);
    store<u32>(query, <u32>space, Q_TREE_B);
    store<u32>(top, topBox(boxesA));
    store<u32>(top, topBox(boxesB), 4);
    top += 8;
    if (nearA != NOWHERE) {
      store<u32>(top, boxAround(boxesA, nearA));
      store<u32>(top, boxAround(boxesB, nearB), 4);
      top += 8;
    }
  }
  forgetLeaves();
  const trianglesA = load<u32>(<usize>load<u32>(query, Q_MESH_A), MESH_TRIANGLE_COUNT);
  const trianglesB = load<u32>(<usize>load<u32>(query, Q_MESH_B), MESH_TRIANGLE_COUNT);
  // building a tree takes about as long as two pairs of leaves for each of its triangles
  const mostLeafPairs = trianglesA + trianglesB;
  const mostSteps: u32 = 8 * mostLeafPairs; // steps, which take a quarter of that
  const reach = load<f32>(space, REACH);
  const most = load<u32>(query, Q_LIMIT);
  const bound = load<f64>(query, Q_BOUND);
  const boundSq = bound * bound;
  let steps: u32 = 0;
  let status = DONE;
  while (top > stack) {
    const a = load<u32>(top - 8), b = load<u32>(top - 8, 4);
    if (holdsTriangles(a) && holdsTriangles(b)) {
      if (load<u32>(query, Q_LEAF_PAIRS) > mostLeafPairs) return GIVEN_UP;
      status = fullOutput(query);
      if (status != DONE) break;
      top -= 8;
      let mask = leafCandidates(query, leafRef(4 * a, min<u32>(4, trianglesA - 4 * a)), leafRef(4 * b, min<u32>(4, trianglesB - 4 * b)), <f32>bound, 0);
      while (mask) {
        const bit = ctz(mask);
        mask &= mask - 1;
        const s = bit >> 2, t = bit & 3;
        const meet = meetOrNear(query, s, t, boundSq);
        if (meet == YES) addPair(query, pairKey(s, t));
        else if (meet == DOUBT) addDoubt(query, pairKey(s, t));
      }
      if (load<u32>(query, Q_PAIRS_FOUND) >= most) break;
      continue;
    }
    top -= 8;
    if (++steps > mostSteps) return GIVEN_UP;
    const atA = boxAt(boxesA, a), atB = boxAt(boxesB, b);
    if (holdsTriangles(b) || (!holdsTriangles(a) && sizeAt(atA) >= sizeAt(atB))) {
      const first = firstInside(a);
      top = pushNear(top, gapsInside(atB, boxAt(boxesA, first), space + A_TO_B, space + B_TO_A), reach, first, b, true, space + GAPS);
    } else {
      const first = firstInside(b);
      top = pushNear(top, gapsInside(atA, boxAt(boxesB, first), space + B_TO_A, space + A_TO_B), reach, first, a, false, space + GAPS);
    }
  }
  addCount(query, Q_VOLUME_TESTS, 4 * steps);
  store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  return status;
}

// Tried and dropped: looking for a plane between meshes that did not meet in the previous query. Meshes with
// overlapping boxes mostly lie in each other's hollows: in a plant, eight directions, or two hundred, left 222 of 224
// thousand triangle tests.
