/**
 * Tests candidate pairs of triangles: the axes besides x, y, z, common vertices.
 *
 * Along one axis, triangles on the same side of each other at both ends of the step are so all the time, because every
 * difference of two vertices is linear in time. Survivors are written without branches: the end of a list advances or
 * not.
 * Layout: pairs of u32 triangles; the second carries COMMON_VERTEX and OPPOSITE_ONLY where they apply.
 */
import {
  CLEAR, COMMON_VERTEX, CTX_CLEAR_RINGS, CTX_CORNERS, CTX_DOPS, CTX_OPTIONS, CTX_STEPS, DOP_BYTES,
  CTX_SURFACE_OF, CTX_TRIANGLE_DOPS, HAS_THICKNESS, LEAVE_OUT_NEIGHBOURS, OPPOSITE_ONLY, OTHERS, OWN_ONLY, ROOM, TALLY_BOX_PAIRS,
  TALLY_CANDIDATES, TALLY_DOP_PAIRS, WRITTEN_PAIRS, TALLY_PRIMITIVE_PAIRS,
} from './layout';
import { dopsApart, least, most } from './dop';
import { partedAtVertex, setNeighbours, unfoldedAtEdge } from './normal';
import { COMMON, ONE_DOP, scratch } from './scratch';

// the current call
let ctx: usize = 0;
let corners: usize = 0, dops: usize = 0, surfaceOf: usize = 0;
let options: u32 = 0;
let first: usize = 0, out: usize = 0, outEnd: usize = 0;
let boxPairs: u64 = 0, dopPairs: u64 = 0;
let full = false;
// state after the last complete part
let keptOut: usize = 0;
let keptBox: u64 = 0, keptDop: u64 = 0;

/** Begins a list of pairs; `extra` options apply to it. */
export function beginPairs(context: usize, pairs: usize, capacity: u32, extra: u32): void {
  ctx = context;
  corners = load<u32>(ctx, CTX_CORNERS);
  dops = load<u32>(ctx, CTX_DOPS);
  surfaceOf = load<u32>(ctx, CTX_SURFACE_OF);
  options = load<u32>(ctx, CTX_OPTIONS) | extra;
  setNeighbours(ctx);
  first = out = keptOut = pairs;
  outEnd = pairs + 8 * <usize>capacity;
  boxPairs = dopPairs = keptBox = keptDop = 0;
  full = false;
}

/** From now on pairs are of different surfaces that may meet, or of one that tests itself. */
export function betweenSurfaces(others: bool): void { options = others ? options | OTHERS : options & ~OTHERS; }

/** Whether pairs of the current part did not fit. */
// @ts-ignore: decorator
@inline export function isFull(): bool { return full; }

/** Ends a part: keeps all of its pairs, or none if they do not fit; returns whether it kept them. */
export function keepPart(): bool {
  if (full) return false;
  keptOut = out;
  keptBox = boxPairs;
  keptDop = dopPairs;
  return true;
}

/** Adds the counts of the complete parts, and writes the number of pairs. */
export function endPairs(tally: usize, candidates: u64): void {
  addTally(tally, TALLY_CANDIDATES, candidates);
  addTally(tally, TALLY_BOX_PAIRS, keptBox);
  addTally(tally, TALLY_DOP_PAIRS, keptDop);
  addTally(tally, TALLY_PRIMITIVE_PAIRS, (keptOut - first) >> 3);
  store<u32>(tally, <u32>((keptOut - first) >> 3), WRITTEN_PAIRS);
}

function addTally(tally: usize, field: usize, n: u64): void { store<f64>(tally + field, load<f64>(tally + field) + <f64>n); }

/** Tests triangle t against the queue. */
export function cullQueue(t: u32, queue: usize, count: u32): void {
  if (count == 0) return;
  boxPairs += count;
  if (out + 8 * <usize>count > outEnd) full = true;
  if (full) return;
  if (options & OTHERS) cullOthers(t, queue, queue + 4 * <usize>count);
  else cullOwn(t, queue, queue + 4 * <usize>count);
}

/** Divides without branches into pairs with and without common vertices, and tests the latter by quantised DOPs. */
function cullOwn(t: u32, queue: usize, end: usize): void {
  const c = corners + 12 * <usize>t;
  const v0 = v128.load32_splat(c), v1 = v128.load32_splat(c, 4), v2 = v128.load32_splat(c, 8);
  const allCorners = corners, all: usize = load<u32>(ctx, CTX_TRIANGLE_DOPS);
  let neighbours = scratch + COMMON;
  // where triangles have a common vertex, their DOPs are never apart
  let others = queue;
  for (let at = queue; at < end; at += 4) {
    const u = load<u32>(at);
    const isCommon = <usize>(commonCorners(v128.load(allCorners + 12 * <usize>u), v0, v1, v2) != 0);
    store<u32>(neighbours, u);
    neighbours += isCommon << 2;
    store<u32>(others, u);
    others += (1 - isCommon) << 2;
  }
  const a = all + DOP_BYTES * <usize>t;
  enlarge(v128.load(a), v128.load(a, 16), v128.load(a, 32), v128.load(a, 48));
  const one = scratch + ONE_DOP;
  const ownOnly = (options & OWN_ONLY) != 0, surface = load<u32>(surfaceOf + 4 * <usize>t);
  let to = out;
  for (let at = queue; at < others; at += 4) {
    const u = load<u32>(at);
    const b = all + DOP_BYTES * <usize>u;
    const off = dopsApart(v128.load(one), v128.load(one, 16), v128.load(one, 32), v128.load(one, 48), v128.load(b), v128.load(b, 16), v128.load(b, 32), v128.load(b, 48));
    let keep = <usize>(1 ^ <u32>v128.any_true(off)) << 3;
    if (ownOnly && load<u32>(surfaceOf + 4 * <usize>u) != surface) keep = 0;
    store<u32>(to, t);
    store<u32>(to, u, 4);
    to += keep;
  }
  dopPairs += ((to - out) >> 3) + ((neighbours - scratch - COMMON) >> 2);
  out = to;
  if (!(options & LEAVE_OUT_NEIGHBOURS || isClear(c))) judgeCommon(t, neighbours);
}

/** Whether the triangle at c meets none of its neighbours anywhere else, nor comes near one with a thickness. */
// @ts-ignore: decorator
@inline function isClear(c: usize): bool {
  const clear: usize = load<u32>(ctx, CTX_CLEAR_RINGS);
  const enough = options & HAS_THICKNESS ? ROOM : CLEAR;
  return (load<u8>(clear + load<u32>(c)) & load<u8>(clear + load<u32>(c, 4)) & load<u8>(clear + load<u32>(c, 8)) & enough) != 0;
}

/** For different surfaces: DOPs are computed from those of corners, because few occur twice. */
function cullOthers(t: u32, queue: usize, end: usize): void {
  const c = corners + 12 * <usize>t;
  const allCorners = corners, all = dops;
  const p = all + DOP_BYTES * <usize>load<u32>(c), q = all + DOP_BYTES * <usize>load<u32>(c, 4), r = all + DOP_BYTES * <usize>load<u32>(c, 8);
  const p0 = v128.load(p), q0 = v128.load(q), r0 = v128.load(r), p1 = v128.load(p, 32), q1 = v128.load(q, 32), r1 = v128.load(r, 32);
  enlarge(least(least(p0, q0), r0), least(least(p1, q1), r1), most(most(p0, q0), r0), most(most(p1, q1), r1));
  const one = scratch + ONE_DOP;
  let to = out;
  for (let at = queue; at < end; at += 4) {
    const u = load<u32>(at);
    const d = allCorners + 12 * <usize>u;
    const bp = all + DOP_BYTES * <usize>load<u32>(d), bq = all + DOP_BYTES * <usize>load<u32>(d, 4), br = all + DOP_BYTES * <usize>load<u32>(d, 8);
    const bp0 = v128.load(bp), bq0 = v128.load(bq), br0 = v128.load(br), bp1 = v128.load(bp, 32), bq1 = v128.load(bq, 32), br1 = v128.load(br, 32);
    const off = dopsApart(v128.load(one), v128.load(one, 16), v128.load(one, 32), v128.load(one, 48), least(least(bp0, bq0), br0), least(least(bp1, bq1), br1), most(most(bp0, bq0), br0), most(most(bp1, bq1), br1));
    store<u32>(to, t);
    store<u32>(to, u, 4);
    to += <usize>(1 ^ <u32>v128.any_true(off)) << 3;
  }
  dopPairs += (to - out) >> 3;
  out = to;
}

/** Writes a DOP, enlarged by the margin, to ONE_DOP; otherwise compilers recompute it for every entry of a queue. */
// @ts-ignore: decorator
@inline function enlarge(lo0: v128, lo1: v128, hi0: v128, hi1: v128): void {
  const margin = v128.load(ctx, CTX_STEPS);
  const one = scratch + ONE_DOP;
  v128.store(one, i16x8.sub_sat_s(lo0, margin));
  v128.store(one, i16x8.sub_sat_s(lo1, margin), 16);
  v128.store(one, i16x8.add_sat_s(hi0, margin), 32);
  v128.store(one, i16x8.add_sat_s(hi1, margin), 48);
}

/** Tests the triangles in COMMON, which have vertices in common with t. */
function judgeCommon(t: u32, end: usize): void {
  const c = corners + 12 * <usize>t;
  const clear: usize = load<u32>(ctx, CTX_CLEAR_RINGS);
  // opposite edges of triangles that are separated at a vertex may still come close
  const parted: u32 = options & HAS_THICKNESS ? COMMON_VERTEX | OPPOSITE_ONLY : 0;
  const enough = parted ? ROOM : CLEAR;
  for (let at = scratch + COMMON; at < end; at += 4) {
    const u = load<u32>(at);
    const d = corners + 12 * <usize>u;
    // tested in the order of their numbers, so that the answer does not depend on the grid
    const low = t < u ? c : d, high = t < u ? d : c;
    const shared = commonCorners(v128.load(high), v128.load32_splat(low), v128.load32_splat(low, 4), v128.load32_splat(low, 8));
    let verdicts: u32 = 0;
    for (let bits = shared; bits; bits &= bits - 1) verdicts |= load<u8>(clear + load<u32>(high + 4 * <usize>ctz(bits)));
    if (verdicts & enough) continue;
    const isClear = (verdicts & CLEAR) != 0;
    let flags = COMMON_VERTEX;
    if (shared & (shared - 1)) {
      if (isClear || unfoldedAtEdge(low, high, shared) || haveSameCorners(low, high)) continue;
    } else if (isClear || partedAtVertex(low, high, <usize>ctz(shared))) {
      if (!parted || oppositeApart(low, high, <usize>ctz(shared))) continue;
      flags = parted;
    }
    store<u32>(out, t);
    store<u32>(out, u | flags, 4);
    out += 8;
  }
}

/** Whether the edges opposite the common vertex, corner k of `high`, stay farther apart than the thickness. */
function oppositeApart(low: usize, high: usize, k: usize): bool {
  const v = load<u32>(high + 4 * k);
  const j: usize = load<u32>(low) == v ? 0 : load<u32>(low, 4) == v ? 1 : 2;
  const p = dops + DOP_BYTES * <usize>load<u32>(low + 4 * ((j + 1) % 3));
  const q = dops + DOP_BYTES * <usize>load<u32>(low + 4 * ((j + 2) % 3));
  const r = dops + DOP_BYTES * <usize>load<u32>(high + 4 * ((k + 1) % 3));
  const s = dops + DOP_BYTES * <usize>load<u32>(high + 4 * ((k + 2) % 3));
  for (let half: usize = 0; half < 32; half += 16) {
    const margin = v128.load(ctx + half, CTX_STEPS);
    const p0 = v128.load(p + half), q0 = v128.load(q + half), p1 = v128.load(p + half, 32), q1 = v128.load(q + half, 32);
    const r0 = v128.load(r + half), s0 = v128.load(s + half), r1 = v128.load(r + half, 32), s1 = v128.load(s + half, 32);
    const off = dopsApart(
      i16x8.sub_sat_s(least(p0, q0), margin), i16x8.sub_sat_s(least(p1, q1), margin),
      i16x8.add_sat_s(most(p0, q0), margin), i16x8.add_sat_s(most(p1, q1), margin),
      least(r0, s0), least(r1, s1), most(r0, s0), most(r1, s1));
    if (v128.any_true(off)) return true;
  }
  return false;
}

/** Whether every corner of one is also one of the other: then every pair of elements has a common vertex. */
function haveSameCorners(c: usize, d: usize): bool {
  return commonCorners(v128.load(d), v128.load32_splat(c), v128.load32_splat(c, 4), v128.load32_splat(c, 8)) == 7
    && commonCorners(v128.load(c), v128.load32_splat(d), v128.load32_splat(d, 4), v128.load32_splat(d, 8)) == 7;
}

/** Bits of the corners in w that are among v0, v1, v2. */
// @ts-ignore: decorator
@inline function commonCorners(w: v128, v0: v128, v1: v128, v2: v128): u32 {
  return 7 & i32x4.bitmask(v128.or(v128.or(i32x4.eq(w, v0), i32x4.eq(w, v1)), i32x4.eq(w, v2)));
}
