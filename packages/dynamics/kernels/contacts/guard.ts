/**
 * Whether planes prove that surfaces stay apart during a motion.
 *
 * The distance of two triangles is at least their gap along any direction d. A vertex at distance r from its body's
 * centre, which moves straight while the body turns by φ, deviates from the straight path by at most r (1 − cos(φ / 2))
 * ≤ r φ² / 8. So the gap of two triangles along d is at least the smaller one of both ends, less that deviation of both
 * bodies. The relative motion is computed for every pair of leaves: when bodies turn, most points move less than the
 * fastest one. But for the turning of both, by at most the angles times the radii, all points of a leaf move alike: so
 * boxes of this motion and normals prove for many triangles at once (leaves.ts) that they stay apart, and only the
 * others are looked at one by one; two triangles that pass around each other, by several planes, one after the other.
 * Of convex shapes, one plane is enough (../convex/planes.ts). If planes do not suffice, the exact search over time
 * decides (../searched-share.ts).
 */
import {
  ENTRY_BYTES, FREE, I_ASKED, I_BEYOND, I_BODY_A, I_BODY_B, I_PAIR, ITEM_BYTES, KEPT, L_CENTRE, L_RADIUS, NEEDS_ROOM, OPEN, POSE_BYTES, P_HEAVY, P_LIST, P_LIST_COUNT, P_LIST_POSE,
  P_LIST_REACH, P_POSE, P_ROUND, P_SHAPE_A, P_SHAPE_B, P_STATUS, S_CORNERS, S_PLANES, S_RADIUS, S_VERTICES, TOO_FAR,
} from './layout';
import { areConvex } from '../convex/nearest';
import { stayApart as hullsStayApart } from '../convex/planes';
import { downOf, isHere, midX, midY, midZ, openEntries, placeEntry, placeLeaf } from './entries';
import { gapAtLeast, nearTriangles, takeTurn, triangleOf } from './leaves';
import { MOTION_A, MOTION_B, leafA, leafB, nextLeaves, openWalk, walkAll } from './moving-leaves';
import { listNear, roundingOf } from './near-leaves';
import { arc, halfSine, movedBetween, writeRelative } from './poses';
import { motions, triangles } from './scratch';
import { gapX, gapY, gapZ, triangleDistanceSq } from '../../../impinge/kernels/triangles';

/** Relative error that exceeds the rounding of a pose, a corner and a product with a direction. */
const ROUNDING: f64 = 1e-12;
/** Most planes for two triangles that pass around each other, and the shortest part of the motion for one. */
const MOST_PLANES: u32 = 16;
const SHORTEST_PART: f64 = 1 / 64;
/** The share of a part after which the next plane is found. */
const NEXT_PART: f64 = 0.9;
/** The displacement of one leaf relative to another, in a's frame at the start. */
let wayX: f64 = 0; let wayY: f64 = 0; let wayZ: f64 = 0;

/**
 * Writes to the pairs of items whether the motion from one set of poses to another is free. Returns the number of
 * failures.
 */
export function guardMotions(items: usize, from: u32, to: u32, starts: usize, ends: usize): u32 {
  let failed: u32 = 0;
  for (let i = from; i < to; i++) {
    const item = items + ITEM_BYTES * <usize>i;
    const pair: usize = load<u32>(item, I_PAIR);
    const a = POSE_BYTES * <usize>load<u32>(item, I_BODY_A), b = POSE_BYTES * <usize>load<u32>(item, I_BODY_B);
    const status = guard(pair, starts + a, ends + a, starts + b, ends + b, load<f64>(item, I_ASKED), load<f64>(item, I_BEYOND));
    store<i32>(pair, status, P_STATUS);
    if (status >= NEEDS_ROOM) failed++;
  }
  return failed;
}

function guard(pair: usize, fromA: usize, toA: usize, fromB: usize, toB: usize, distance: f64, beyond: f64): i32 {
  if (areConvex(pair)) {
    writeRelative(fromA, fromB, pair + P_POSE);
    return hullsStayApart(pair, fromA, toA, fromB, toB, distance) ? FREE : OPEN;
  }
  const a: usize = load<u32>(pair, P_SHAPE_A), b: usize = load<u32>(pair, P_SHAPE_B);
  const radiusA = load<f64>(a, S_RADIUS), radiusB = load<f64>(b, S_RADIUS);
  const angleA = 2 * arc(halfSine(fromA, toA)), angleB = 2 * arc(halfSine(fromB, toB));
  let waySq: f64 = 0, size = radiusA + radiusB;
  for (let k: usize = 72; k < POSE_BYTES; k += 8) {
    const way = load<f64>(toB + k) - load<f64>(fromB + k) - load<f64>(toA + k) + load<f64>(fromA + k);
    waySq += way * way;
    size += abs(load<f64>(fromA + k)) + abs(load<f64>(fromB + k)) + abs(load<f64>(toA + k)) + abs(load<f64>(toB + k));
  }
  const way = sqrt(waySq) + angleA * radiusA + angleB * radiusB;
  const stray = (angleA * angleA * radiusA + angleB * angleB * radiusB) / 8 + ROUNDING * size;
  const kept = distance + load<f64>(pair, P_ROUND) + stray;
  writeRelative(fromA, fromB, pair + P_POSE);
  // everything in the frame of a at the start
  const endA = triangles + 144, endB = endA + POSE_BYTES;
  writeRelative(fromA, toA, endA);
  writeRelative(fromA, toB, endB);
  if (load<u32>(pair, P_HEAVY) != 0) return guardByWalk(pair, endA, endB, way, kept, angleA, angleB);
  let moved = movedBetween(pair + P_POSE, pair + P_LIST_POSE, radiusB);
  if (!(load<f64>(pair, P_LIST_REACH) >= way + kept + moved)) {
    const status = listNear(pair, way + kept, beyond);
    if (status != KEPT) return status;
    moved = 0;
  }
  const list: usize = load<u32>(pair, P_LIST);
  const end = list + ENTRY_BYTES * <usize>load<u32>(pair, P_LIST_COUNT);
  const farthest = way + kept + moved;
  const rounding = roundingOf(pair);
  openEntries(pair, rounding);
  takeTurn(pair);
  for (let at = list; at < end; at += ENTRY_BYTES) {
    const wereApart = <f64>load<f32>(at, 8);
    if (wereApart > farthest) continue;
    const la: usize = load<u32>(at), lb: usize = load<u32>(at, 4);
    const apart = placeEntry(lb, wereApart);
    if (apart > way + kept) continue;
    takeWay(la, lb, endA, endB);
    const turning = angleA * load<f64>(la, L_RADIUS) + angleB * load<f64>(lb, L_RADIUS);
    const wayHere = min(way, sqrt(wayX * wayX + wayY * wayY + wayZ * wayZ) + turning);
    if (apart > wayHere + kept) continue;
    const free = leavesStayApart(pair, la, lb, endA, endB, wayHere, kept, turning + kept + rounding);
    if (isHere) store<f32>(at, downOf(max(apart, gapAtLeast - rounding)), 8);
    if (!free) return OPEN;
  }
  return FREE;
}

/** The same by a walk over the trees, of pairs with so many near leaves that these are not listed. */
function guardByWalk(pair: usize, endA: usize, endB: usize, way: f64, kept: f64, angleA: f64, angleB: f64): i32 {
  const motionA = motions + MOTION_A, motionB = motions + MOTION_B;
  for (let k: usize = 0; k < POSE_BYTES; k += 8) {
    // the diagonal of a rotation
    store<f64>(motionA + k, load<f64>(endA + k) - (k % 32 == 0 && k < 72 ? 1 : 0));
    store<f64>(motionB + k, load<f64>(endB + k) - load<f64>(pair + k, P_POSE));
  }
  if (!openWalk(pair, motionA, motionB, kept, angleA, angleB, 0)) return TOO_FAR;
  walkAll();
  const rounding = roundingOf(pair);
  openEntries(pair, rounding);
  takeTurn(pair);
  while (nextLeaves()) {
    const la = leafA, lb = leafB;
    placeLeaf(lb);
    takeWay(la, lb, endA, endB);
    const turning = angleA * load<f64>(la, L_RADIUS) + angleB * load<f64>(lb, L_RADIUS);
    const wayHere = min(way, sqrt(wayX * wayX + wayY * wayY + wayZ * wayZ) + turning);
    if (!leavesStayApart(pair, la, lb, endA, endB, wayHere, kept, turning + kept + rounding)) return OPEN;
  }
  return FREE;
}

/** Whether planes prove that the triangles of two leaves, of which those of b were placed, keep their distance. */
function leavesStayApart(pair: usize, la: usize, lb: usize, endA: usize, endB: usize, way: f64, kept: f64, near: f64): bool {
  const dx = midX - load<f64>(la, L_CENTRE), dy = midY - load<f64>(la, L_CENTRE + 8), dz = midZ - load<f64>(la, L_CENTRE + 16);
  let mask = nearTriangles(la, lb, dx, dy, dz, near, true, near, wayX, wayY, wayZ);
  while (mask) {
    const bit = ctz(mask);
    mask &= mask - 1;
    if (!stayApart(pair, triangleOf(la, bit >> 2), triangleOf(lb, bit & 3), endA, endB, way, kept)) return false;
  }
  return true;
}

/**
 * Finds the displacement of the middle of b's leaf relative to that of a's, from one end of a motion to the other. A
 * point at u from the middle moves by (R′ − R) u more, which is no longer than the angle times |u|.
 */
function takeWay(la: usize, lb: usize, endA: usize, endB: usize): void {
  wayX = wayAlong(la, lb, endA, endB, 0, midX);
  wayY = wayAlong(la, lb, endA, endB, 8, midY);
  wayZ = wayAlong(la, lb, endA, endB, 16, midZ);
}

// @ts-ignore: decorator
@inline function wayAlong(la: usize, lb: usize, endA: usize, endB: usize, axis: usize, mid: f64): f64 {
  const p = endA + 3 * axis, q = endB + 3 * axis;
  const a = load<f64>(p) * load<f64>(la, L_CENTRE) + load<f64>(p, 8) * load<f64>(la, L_CENTRE + 8) + load<f64>(p, 16) * load<f64>(la, L_CENTRE + 16);
  const b = load<f64>(q) * load<f64>(lb, L_CENTRE) + load<f64>(q, 8) * load<f64>(lb, L_CENTRE + 8) + load<f64>(q, 16) * load<f64>(lb, L_CENTRE + 16);
  return b + load<f64>(endB + axis, 72) - mid - (a + load<f64>(endA + axis, 72) - load<f64>(la + axis, L_CENTRE));
}

/**
 * Whether a plane proves that two triangles keep their distance: along one of their normals, or between their closest
 * points.
 */
function stayApart(pair: usize, ta: u32, tb: u32, endA: usize, endB: usize, way: f64, kept: f64): bool {
  const a: usize = load<u32>(pair, P_SHAPE_A), b: usize = load<u32>(pair, P_SHAPE_B);
  const p = triangles, q = triangles + 72, p1 = endB + POSE_BYTES, q1 = p1 + 72;
  const start = pair + P_POSE;
  readOwn(a, ta, p);
  readCorners(b, tb, start, q);
  readCorners(a, ta, endA, p1);
  readCorners(b, tb, endB, q1);
  let plane = <usize>load<u32>(a, S_PLANES) + 32 * <usize>ta;
  if (staysAlong(p, q, p1, q1, load<f64>(plane), load<f64>(plane, 8), load<f64>(plane, 16), kept)) return true;
  plane = <usize>load<u32>(b, S_PLANES) + 32 * <usize>tb;
  const x = load<f64>(plane), y = load<f64>(plane, 8), z = load<f64>(plane, 16);
  const nx = load<f64>(start) * x + load<f64>(start, 8) * y + load<f64>(start, 16) * z;
  const ny = load<f64>(start, 24) * x + load<f64>(start, 32) * y + load<f64>(start, 40) * z;
  const nz = load<f64>(start, 48) * x + load<f64>(start, 56) * y + load<f64>(start, 64) * z;
  if (staysAlong(p, q, p1, q1, -nx, -ny, -nz, kept)) return true;
  const apart = sqrt(triangleDistanceSq(p, q));
  if (!(apart > kept)) return false;
  return apart > way + kept || stayApartInParts(p, q, p1, q1, kept);
}

/**
 * Whether planes between the closest points of two triangles, whose corners move straight, prove it: the gap along a
 * direction is kept until the first pair of corners uses it up, and the next plane begins a little earlier. Called
 * where the first closest points were found.
 */
function stayApartInParts(p: usize, q: usize, p1: usize, q1: usize, kept: f64): bool {
  const now = q1 + 72;
  let time: f64 = 0;
  for (let part: u32 = 0; part < MOST_PLANES; part++) {
    const norm = 1 / sqrt(gapX * gapX + gapY * gapY + gapZ * gapZ);
    const until = keptUntil(p, q, p1, q1, gapX * norm, gapY * norm, gapZ * norm, kept);
    if (until > 1) return true;
    if (!(until - time > SHORTEST_PART)) return false;
    time += NEXT_PART * (until - time);
    for (let k: usize = 0; k < 72; k += 8) {
      store<f64>(now + k, load<f64>(p + k) + time * (load<f64>(p1 + k) - load<f64>(p + k)));
      store<f64>(now + k, load<f64>(q + k) + time * (load<f64>(q1 + k) - load<f64>(q + k)), 72);
    }
    if (!(triangleDistanceSq(now, now + 72) > kept * kept)) return false;
  }
  return false;
}

/** The share of a motion after which a gap of triangles along a direction is not kept; above 1 if there is none. */
function keptUntil(p: usize, q: usize, p1: usize, q1: usize, dx: f64, dy: f64, dz: f64, kept: f64): f64 {
  let until: f64 = 2;
  for (let j: usize = 0; j < 72; j += 24) {
    const start = along(q + j, dx, dy, dz) - kept, end = along(q1 + j, dx, dy, dz) - kept;
    for (let i: usize = 0; i < 72; i += 24) {
      const from = start - along(p + i, dx, dy, dz), to = end - along(p1 + i, dx, dy, dz);
      if (to <= 0) until = min(until, from > 0 ? from / (from - to) : 0);
    }
  }
  return until;
}

// @ts-ignore: decorator
@inline function along(at: usize, dx: f64, dy: f64, dz: f64): f64 { return dx * load<f64>(at) + dy * load<f64>(at, 8) + dz * load<f64>(at, 16); }

/**
 * Whether the gap from the first of two triangles to the second along a direction exceeds `kept` at both ends of a
 * motion.
 */
// @ts-ignore: decorator
@inline function staysAlong(p: usize, q: usize, p1: usize, q1: usize, dx: f64, dy: f64, dz: f64, kept: f64): bool {
  return gapAlong(p, q, dx, dy, dz) > kept && gapAlong(p1, q1, dx, dy, dz) > kept;
}

/** The gap from the first of two triangles to the second along a direction. */
function gapAlong(p: usize, q: usize, dx: f64, dy: f64, dz: f64): f64 {
  let most: f64 = -Infinity, least: f64 = Infinity;
  for (let k: usize = 0; k < 72; k += 24) {
    most = max(most, along(p + k, dx, dy, dz));
    least = min(least, along(q + k, dx, dy, dz));
  }
  return least - most;
}

function readCorners(shape: usize, t: u32, p: usize, out: usize): void {
  const corners: usize = load<u32>(shape, S_CORNERS), vertices: usize = load<u32>(shape, S_VERTICES);
  for (let i: usize = 0; i < 3; i++) {
    const v = vertices + 24 * <usize>load<u32>(corners + 12 * <usize>t + 4 * i);
    const x = load<f64>(v), y = load<f64>(v, 8), z = load<f64>(v, 16);
    store<f64>(out + 24 * i, load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z + load<f64>(p, 72));
    store<f64>(out + 24 * i, load<f64>(p, 24) * x + load<f64>(p, 32) * y + load<f64>(p, 40) * z + load<f64>(p, 80), 8);
    store<f64>(out + 24 * i, load<f64>(p, 48) * x + load<f64>(p, 56) * y + load<f64>(p, 64) * z + load<f64>(p, 88), 16);
  }
}

/** Reads the corners of a triangle in the frame of its shape. */
function readOwn(shape: usize, t: u32, out: usize): void {
  const corners: usize = load<u32>(shape, S_CORNERS), vertices: usize = load<u32>(shape, S_VERTICES);
  for (let i: usize = 0; i < 3; i++) memory.copy(out + 24 * i, vertices + 24 * <usize>load<u32>(corners + 12 * <usize>t + 4 * i), 24);
}
