/**
 * Element culling: of two triangles, which vertex–face and edge–edge pairs may meet.
 *
 * Idea: a vertex or edge takes part only with the triangle that owns it, so every pair of elements occurs once.
 * Elements are compared along all 13 axes at both ends of the step by their quantised DOPs; if the range of the scene
 * makes their steps as large as triangles, also by float32 positions. To avoid mispredicted branches, a batch of pairs
 * is first expanded into items by a table of ownership; then every item is written, and its place kept if it may meet.
 * Layout: four u32 vertices per pair: v, f0, f1, f2 and a0, a1, b0, b1, first the edge of the triangle to which the
 * caller gave the lower number; faces: the u32 triangle of each vertex–face pair. An item: u16: place in the batch · 16
 * + code; the code of edges k and l is 3 k + l, of corner k it is k.
 */
import {
  COARSE_DOPS, COMMON_VERTEX, CTX_CORNERS, CTX_DOPS, DOP_BYTES, CTX_OPTIONS, CTX_OWNED, CTX_STEPS, CTX_TRIANGLE_OF, NONE, OPPOSITE_ONLY,
  WRITTEN_EDGE_EDGES, TALLY_ELEMENT_PAIRS, TALLY_TESTED_PAIRS, WRITTEN_VERTEX_FACES, TRIANGLE,
} from './layout';
import { dopsApart, least, most } from './dop';
import { edgesMayMeet, setFine, vertexFaceMayMeet } from './element-fine';
import { BATCH, CODES, CORNER_CODES, EDGE_ITEMS, FIRST_ITEMS, ONE_TRIANGLE, SECOND_ITEMS, scratch } from './scratch';

let corners: usize = 0, dops: usize = 0, owned: usize = 0;
let coarse = false;
let edgeItemsEnd: usize = 0, firstItemsEnd: usize = 0, secondItemsEnd: usize = 0;

/**
 * Writes the element pairs of triangle pairs [from, to) of `pairs`; stops before the first that might not fit and
 * returns it, otherwise `to`. Adds to the tally, which also receives the number written of each kind.
 */
export function cullElements(
  ctx: usize, pairs: usize, from: u32, to: u32,
  vertexFaces: usize, faces: usize, vertexFaceCapacity: u32, edgeEdges: usize, edgeEdgeCapacity: u32, tally: usize,
): u32 {
  corners = load<u32>(ctx, CTX_CORNERS);
  owned = load<u32>(ctx, CTX_OWNED);
  dops = load<u32>(ctx, CTX_DOPS);
  coarse = (load<u32>(ctx, CTX_OPTIONS) & COARSE_DOPS) != 0;
  setFine(ctx);
  writeCodes();
  let vf = vertexFaces, ee = edgeEdges;
  const vfEnd = vertexFaces + 16 * <usize>vertexFaceCapacity, eeEnd = edgeEdges + 16 * <usize>edgeEdgeCapacity;
  let tried: usize = 0;
  let pair = from;
  while (pair < to) {
    const count = min(to - pair, BATCH);
    const batch = pairs + 8 * <usize>pair;
    spread(batch, count);
    const vfItems = (firstItemsEnd - scratch - FIRST_ITEMS + secondItemsEnd - scratch - SECOND_ITEMS) >> 1, eeItems = (edgeItemsEnd - scratch - EDGE_ITEMS) >> 1;
    if (vf + 16 * vfItems > vfEnd || ee + 16 * eeItems > eeEnd) break;
    tried += vfItems + eeItems;
    vf = judgeFirstVertices(ctx, batch, vf, faces + ((vf - vertexFaces) >> 2));
    vf = judgeSecondVertices(ctx, batch, vf, faces + ((vf - vertexFaces) >> 2));
    ee = judgeEdges(ctx, batch, ee);
    pair += count;
  }
  const vfCount = <u32>((vf - vertexFaces) >> 4), eeCount = <u32>((ee - edgeEdges) >> 4);
  store<f64>(tally, load<f64>(tally, TALLY_ELEMENT_PAIRS) + <f64>tried, TALLY_ELEMENT_PAIRS);
  store<f64>(tally, load<f64>(tally, TALLY_TESTED_PAIRS) + <f64>(vfCount + eeCount), TALLY_TESTED_PAIRS);
  store<u32>(tally, vfCount, WRITTEN_VERTEX_FACES);
  store<u32>(tally, eeCount, WRITTEN_EDGE_EDGES);
  return pair;
}

// @ts-ignore: decorator
@inline function after(k: usize): usize { return k == 2 ? 0 : k + 1; }

/**
 * Writes CODES: for each six bits of ownership of edges (the second triangle's low) 32 bytes with their codes; then,
 * for three bits, corners.
 */
function writeCodes(): void {
  for (let bits: usize = 0; bits < 64; bits++) {
    let edge = scratch + CODES + 32 * bits;
    for (let k: usize = 0; k < 3; k++) {
      for (let l: usize = 0; l < 3; l++) {
        if (!(bits >> (3 + k) & bits >> l & 1)) continue;
        store<u16>(edge, <u16>(3 * k + l));
        edge += 2;
      }
    }
  }
  for (let bits: usize = 0; bits < 8; bits++) {
    let corner = scratch + CORNER_CODES + 8 * bits;
    for (let k: usize = 0; k < 3; k++) {
      if (!(bits >> k & 1)) continue;
      store<u16>(corner, <u16>k);
      corner += 2;
    }
  }
}

/** Writes the items of a batch. */
function spread(batch: usize, count: u32): void {
  let edge = scratch + EDGE_ITEMS, first = scratch + FIRST_ITEMS, other = scratch + SECOND_ITEMS;
  for (let i: u32 = 0; i < count; i++) {
    const t = load<u32>(batch + 8 * <usize>i);
    const second = load<u32>(batch + 8 * <usize>i, 4);
    const ownC = <u32>load<u8>(owned + t), ownD = <u32>load<u8>(owned + (second & TRIANGLE));
    let ownFirst = ownC & 7, ownSecond = ownD & 7;
    const place = i16x8.splat(<i16>(i << 4));
    if (second & COMMON_VERTEX) {
      const c = corners + 12 * <usize>t, d = corners + 12 * <usize>(second & TRIANGLE);
      const other = v128.load(d);
      const at0 = cornersAt(other, c), at1 = cornersAt(other, c + 4), at2 = cornersAt(other, c + 8);
      const inC = <u32>(at0 != 0) | <u32>(at1 != 0) << 1 | <u32>(at2 != 0) << 2, inD = at0 | at1 | at2;
      // bits 3 k + l of edges with a common end; if opposite edges are asked for, of all that end in a common vertex
      let gone = edgesAt(at0 | at1) | edgesAt(at1 | at2) << 3 | edgesAt(at2 | at0) << 6;
      if (second & OPPOSITE_ONLY) {
        const ending = edgesAt(inC);
        gone |= edgesAt(inD) * 0x49 | (ending & 1 | (ending & 2) << 2 | (ending & 4) << 4) * 7;
        ownFirst = ownSecond = 0;
      }
      let edges = ownedEdges(ownC, ownD) & ~gone;
      for (; edges; edges &= edges - 1, edge += 2) store<u16>(edge, <u16>(i << 4 | ctz(edges)));
      ownFirst &= ~inC;
      ownSecond &= ~inD;
    } else {
      const codes = scratch + CODES + 32 * <usize>((ownC & 0x38) | ownD >> 3);
      v128.store(edge, v128.or(v128.load(codes), place));
      v128.store(edge, v128.or(v128.load(codes, 16), place), 16);
      edge += 2 * <usize>(popcnt(ownC >> 3) * popcnt(ownD >> 3));
    }
    const places = i64x2.extract_lane(place, 0);
    store<u64>(first, load<u64>(scratch + CORNER_CODES + 8 * <usize>ownFirst) | places);
    store<u64>(other, load<u64>(scratch + CORNER_CODES + 8 * <usize>ownSecond) | places);
    first += 2 * <usize>popcnt(ownFirst);
    other += 2 * <usize>popcnt(ownSecond);
  }
  edgeItemsEnd = edge;
  firstItemsEnd = first;
  secondItemsEnd = other;
}

/** Bits 3 k + l of owned edges. */
// @ts-ignore: decorator
@inline function ownedEdges(ownC: u32, ownD: u32): u32 {
  return ((ownC >> 3 & 1) | (ownC >> 1 & 8) | (ownC << 1 & 64)) * (ownD >> 3);
}

/** Bits of the corners of a triangle, in its vector, that are v. */
// @ts-ignore: decorator
@inline function cornersAt(d: v128, v: usize): u32 { return 7 & i32x4.bitmask(i32x4.eq(d, v128.load32_splat(v))); }
/** Bits of the edges that end in one of the corners. */
// @ts-ignore: decorator
@inline function edgesAt(corners: u32): u32 { return 7 & (corners | corners >> 1 | corners << 2); }

/**
 * Writes the enlarged quantised DOPs of the edges of the triangle at c to ONE_TRIANGLE, or that of its face: lo0, lo1,
 * hi0, hi1 of both halves each.
 */
// @ts-ignore: decorator
@inline function prepare(edges: bool, ctx: usize, c: usize): void {
  const p = dops + DOP_BYTES * <usize>load<u32>(c), q = dops + DOP_BYTES * <usize>load<u32>(c, 4), r = dops + DOP_BYTES * <usize>load<u32>(c, 8);
  for (let half: usize = 0; half < 2; half++) {
    const margin = v128.load(ctx + 16 * half, CTX_STEPS);
    for (let end: usize = 0; end < 2; end++) {
      const from = 16 * half + 32 * end;
      const to = scratch + ONE_TRIANGLE + 64 * half + 16 * end;
      const a = v128.load(p + from), b = v128.load(q + from), d = v128.load(r + from);
      if (edges) {
        storeRange(to, least(a, b), most(a, b), margin);
        storeRange(to + 128, least(b, d), most(b, d), margin);
        storeRange(to + 256, least(d, a), most(d, a), margin);
      } else storeRange(to, least(least(a, b), d), most(most(a, b), d), margin);
    }
  }
}

// @ts-ignore: decorator
@inline function storeRange(at: usize, lo: v128, hi: v128, margin: v128): void {
  v128.store(at, i16x8.sub_sat_s(lo, margin));
  v128.store(at, i16x8.add_sat_s(hi, margin), 32);
}

/** One half of the comparison of an edge of ONE_TRIANGLE with one whose ends have their quantised DOPs at r and s. */
// @ts-ignore: decorator
@inline function edgesApart(one: usize, r: usize, s: usize): v128 {
  const r0 = v128.load(r), r1 = v128.load(r, 32), s0 = v128.load(s), s1 = v128.load(s, 32);
  return dopsApart(v128.load(one), v128.load(one, 16), v128.load(one, 32), v128.load(one, 48), least(r0, s0), least(r1, s1), most(r0, s0), most(r1, s1));
}

function judgeEdges(ctx: usize, batch: usize, ee: usize): usize {
  let prepared = NONE;
  const triangleOf: usize = load<u32>(ctx, CTX_TRIANGLE_OF);
  for (let item = scratch + EDGE_ITEMS; item < edgeItemsEnd; item += 2) {
    const bits = <usize>load<u16>(item);
    const pair = batch + 8 * (bits >> 4);
    const code = bits & 15;
    const k = (code * 11) >> 5, l = code - 3 * k;
    const t = load<u32>(pair), u = load<u32>(pair, 4) & TRIANGLE;
    const d = corners + 12 * <usize>u;
    if (t != prepared) { prepare(true, ctx, corners + 12 * <usize>t); prepared = t; }
    const b0 = load<u32>(d + 4 * l), b1 = load<u32>(d + 4 * after(l));
    const one = scratch + ONE_TRIANGLE + 128 * k;
    const r = dops + DOP_BYTES * <usize>b0, s = dops + DOP_BYTES * <usize>b1;
    const off = v128.or(edgesApart(one, r, s), edgesApart(one + 64, r + 16, s + 16));
    const c = corners + 12 * <usize>t;
    const a0 = load<u32>(c + 4 * k), a1 = load<u32>(c + 4 * after(k));
    const first = <usize>(load<u32>(triangleOf + 4 * <usize>t) > load<u32>(triangleOf + 4 * <usize>u)) << 3;
    store<u32>(ee + first, a0);
    store<u32>(ee + first, a1, 4);
    store<u32>(ee + (8 - first), b0);
    store<u32>(ee + (8 - first), b1, 4);
    let kept: usize = v128.any_true(off) ? 0 : 16;
    if (coarse && kept && !edgesMayMeet(a0, a1, b0, b1)) kept = 0;
    ee += kept;
  }
  return ee;
}

/** One half of the comparison of a vertex with a face, whose quantised DOPs are at m and p, q, r. */
// @ts-ignore: decorator
@inline function vertexFaceApart(m: usize, p: usize, q: usize, r: usize, margin: v128): v128 {
  const m0 = v128.load(m), m1 = v128.load(m, 32);
  const p0 = v128.load(p), p1 = v128.load(p, 32), q0 = v128.load(q), q1 = v128.load(q, 32), r0 = v128.load(r), r1 = v128.load(r, 32);
  return dopsApart(i16x8.sub_sat_s(m0, margin), i16x8.sub_sat_s(m1, margin), i16x8.add_sat_s(m0, margin), i16x8.add_sat_s(m1, margin),
    least(least(p0, q0), r0), least(least(p1, q1), r1), most(most(p0, q0), r0), most(most(p1, q1), r1));
}

/** Tests vertices of first triangles against second faces. */
function judgeFirstVertices(ctx: usize, batch: usize, vf: usize, face: usize): usize {
  const margin = v128.load(ctx, CTX_STEPS), otherMargin = v128.load(ctx, CTX_STEPS + 16);
  for (let item = scratch + FIRST_ITEMS; item < firstItemsEnd; item += 2) {
    const bits = <usize>load<u16>(item);
    const pair = batch + 8 * (bits >> 4);
    const u = load<u32>(pair, 4) & TRIANGLE;
    const d = corners + 12 * <usize>u;
    const v = load<u32>(corners + 12 * <usize>load<u32>(pair) + 4 * (bits & 15));
    const m = dops + DOP_BYTES * <usize>v;
    const p = dops + DOP_BYTES * <usize>load<u32>(d), q = dops + DOP_BYTES * <usize>load<u32>(d, 4), r = dops + DOP_BYTES * <usize>load<u32>(d, 8);
    const off = v128.or(vertexFaceApart(m, p, q, r, margin), vertexFaceApart(m + 16, p + 16, q + 16, r + 16, otherMargin));
    let kept: usize = v128.any_true(off) ? 0 : 4;
    if (coarse && kept && !vertexFaceMayMeet(v, d)) kept = 0;
    writeVertexFace(vf, face, v, d, u);
    vf += 4 * kept;
    face += kept;
  }
  return vf;
}

/** One half of the comparison of the face of ONE_TRIANGLE with a vertex whose quantised DOP is at m. */
// @ts-ignore: decorator
@inline function vertexApart(one: usize, m: usize): v128 {
  const m0 = v128.load(m), m1 = v128.load(m, 32);
  return dopsApart(v128.load(one), v128.load(one, 16), v128.load(one, 32), v128.load(one, 48), m0, m1, m0, m1);
}

/** Tests vertices of second triangles against first faces. */
function judgeSecondVertices(ctx: usize, batch: usize, vf: usize, face: usize): usize {
  let prepared = NONE;
  const one = scratch + ONE_TRIANGLE;
  for (let item = scratch + SECOND_ITEMS; item < secondItemsEnd; item += 2) {
    const bits = <usize>load<u16>(item);
    const pair = batch + 8 * (bits >> 4);
    const t = load<u32>(pair);
    const c = corners + 12 * <usize>t;
    if (t != prepared) { prepare(false, ctx, c); prepared = t; }
    const v = load<u32>(corners + 12 * <usize>(load<u32>(pair, 4) & TRIANGLE) + 4 * (bits & 15));
    const m = dops + DOP_BYTES * <usize>v;
    let kept: usize = v128.any_true(v128.or(vertexApart(one, m), vertexApart(one + 64, m + 16))) ? 0 : 4;
    if (coarse && kept && !vertexFaceMayMeet(v, c)) kept = 0;
    writeVertexFace(vf, face, v, c, t);
    vf += 4 * kept;
    face += kept;
  }
  return vf;
}

// @ts-ignore: decorator
@inline function writeVertexFace(at: usize, face: usize, v: u32, c: usize, t: u32): void {
  store<u32>(at, v);
  store<u64>(at, load<u64>(c), 4);
  store<u32>(at, load<u32>(c, 8), 12);
  store<u32>(face, t);
}
