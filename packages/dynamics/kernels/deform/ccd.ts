/**
 * The continuous test of batches of linearly moving elements.
 * Twin: src/geometry/ccd/fast-contact.ts, which describes the method; the same steps in the same order.
 *
 * The lanes are the two ends of the step: one vector operation handles a coordinate at T0 and at T1.
 *
 * Layout: `start` and `end` are float64 x, y, z of every vertex. `pairs` has four u32 vertices each: v, f0, f1, f2 or
 * a0, a1, b0, b1. `hits` receives 64 bytes each: u32 pair, u32 kind, f64 t, u, v, nx, ny, nz, 8 spare bytes; `doubts` a
 * u32 each; `counts` the number of each. There must be room for `count` of each.
 */
import { approach } from './ccd-approach';
import { MOST_SPLITS, THIRD, isolate } from './ccd-contact';
import { A, ANSWER, B, ERROR, HIT, LOST, MISS, SIZE_A, SIZE_B, SIZE_W, UNDERFLOW, VOLUME, VOLUME_BOUND, W } from './ccd-patch';
import { scratch } from './scratch';
import { HIT_BYTES } from './layout';

export function testVertexFaces(start: usize, end: usize, pairs: usize, count: u32, distance: f64, hits: usize, doubts: usize, counts: usize): void {
  testPairs(false, start, end, pairs, count, distance, hits, doubts, counts);
}

export function testEdgeEdges(start: usize, end: usize, pairs: usize, count: u32, distance: f64, hits: usize, doubts: usize, counts: usize): void {
  testPairs(true, start, end, pairs, count, distance, hits, doubts, counts);
}

// @ts-ignore: decorator
@inline function testPairs(square: bool, start: usize, end: usize, pairs: usize, count: u32, distance: f64, hits: usize, doubts: usize, counts: usize): void {
  const patch = scratch;
  const firstHit = hits, firstDoubt = doubts;
  for (let pair: u32 = 0; pair < count; pair++, pairs += 16) {
    const i0 = <usize>load<u32>(pairs) * 24, i1 = <usize>load<u32>(pairs, 4) * 24;
    const i2 = <usize>load<u32>(pairs, 8) * 24, i3 = <usize>load<u32>(pairs, 12) * 24;
    const verdict = square
      ? testPair(true, patch, distance, start, end, i0, i2, i1, i0, i2, i3)
      : testPair(false, patch, distance, start, end, i0, i1, i1, i2, i1, i3);
    if (verdict == MISS) continue;
    if (verdict == HIT) {
      store<u32>(hits, pair);
      store<u32>(hits, <u32>square, 4);
      v128.store(hits, v128.load(patch, ANSWER), 8);
      v128.store(hits, v128.load(patch, ANSWER + 16), 24);
      v128.store(hits, v128.load(patch, ANSWER + 32), 40);
      hits += HIT_BYTES;
    } else {
      store<u32>(doubts, pair);
      doubts += 4;
    }
  }
  store<u32>(counts, <u32>((hits - firstHit) / HIT_BYTES));
  store<u32>(counts, <u32>((doubts - firstDoubt) / 4), 4);
}

// @ts-ignore: decorator
@inline function testPair(square: bool, patch: usize, distance: f64, start: usize, end: usize, wFrom: usize, wTo: usize, aFrom: usize, aTo: usize, bFrom: usize, bTo: usize): i32 {
  const wx = f64x2.sub(ends(start + wTo, end + wTo, 0), ends(start + wFrom, end + wFrom, 0));
  const wy = f64x2.sub(ends(start + wTo, end + wTo, 8), ends(start + wFrom, end + wFrom, 8));
  const wz = f64x2.sub(ends(start + wTo, end + wTo, 16), ends(start + wFrom, end + wFrom, 16));
  const ax = f64x2.sub(ends(start + aTo, end + aTo, 0), ends(start + aFrom, end + aFrom, 0));
  const ay = f64x2.sub(ends(start + aTo, end + aTo, 8), ends(start + aFrom, end + aFrom, 8));
  const az = f64x2.sub(ends(start + aTo, end + aTo, 16), ends(start + aFrom, end + aFrom, 16));
  const bx = f64x2.sub(ends(start + bTo, end + bTo, 0), ends(start + bFrom, end + bFrom, 0));
  const by = f64x2.sub(ends(start + bTo, end + bTo, 8), ends(start + bFrom, end + bFrom, 8));
  const bz = f64x2.sub(ends(start + bTo, end + bTo, 16), ends(start + bFrom, end + bFrom, 16));
  // Bernstein coefficients of A × B: the outer ones in the lanes, and twice the inner one
  const nx = f64x2.sub(f64x2.mul(ay, bz), f64x2.mul(az, by));
  const ny = f64x2.sub(f64x2.mul(az, bx), f64x2.mul(ax, bz));
  const nz = f64x2.sub(f64x2.mul(ax, by), f64x2.mul(ay, bx));
  const rx = swap(bx), ry = swap(by), rz = swap(bz);
  const mx = bothLanes(f64x2.sub(f64x2.mul(ay, rz), f64x2.mul(az, ry)));
  const my = bothLanes(f64x2.sub(f64x2.mul(az, rx), f64x2.mul(ax, rz)));
  const mz = bothLanes(f64x2.sub(f64x2.mul(ax, ry), f64x2.mul(ay, rx)));
  const outer = dot(wx, wy, wz, nx, ny, nz);
  const inner = f64x2.add(swap(dot(wx, wy, wz, swap(nx), swap(ny), swap(nz))), dot(wx, wy, wz, mx, my, mz));
  const sizeW = size(wx, wy, wz), sizeA = size(ax, ay, az), sizeB = size(bx, by, bz);
  const lost = UNDERFLOW * (1 + sizeW + sizeA + sizeB);
  const error = VOLUME_BOUND * (sizeW * sizeA * sizeB) + lost;
  let reach = error;
  let innerReach = error;
  if (distance > 0) {
    // the volume is the distance from the patch's plane times |A × B|, which is at most its largest coefficient
    const areas = dot(nx, ny, nz, nx, ny, nz);
    const area1 = 0.25 * f64x2.extract_lane(dot(mx, my, mz, mx, my, mz), 0);
    const largest = max(f64x2.extract_lane(areas, 0), max(area1, f64x2.extract_lane(areas, 1)));
    reach = distance * sqrt(largest) + error;
    innerReach = 3 * reach;
  }
  if (allAbove(outer, inner, reach, innerReach) || allAbove(f64x2.neg(outer), f64x2.neg(inner), reach, innerReach)) return MISS;
  v128.store(patch, wx, W), v128.store(patch, wy, W + 16), v128.store(patch, wz, W + 32);
  v128.store(patch, ax, A), v128.store(patch, ay, A + 16), v128.store(patch, az, A + 32);
  v128.store(patch, bx, B), v128.store(patch, by, B + 16), v128.store(patch, bz, B + 32);
  store<f64>(patch, sizeW, SIZE_W), store<f64>(patch, sizeA, SIZE_A), store<f64>(patch, sizeB, SIZE_B);
  if (distance > 0) return approach(patch, square, 0, 1, distance);
  const c0 = f64x2.extract_lane(outer, 0), c3 = f64x2.extract_lane(outer, 1);
  const c1 = f64x2.extract_lane(inner, 0), c2 = f64x2.extract_lane(inner, 1);
  store<f64>(patch, c0, VOLUME), store<f64>(patch, c1, VOLUME + 8);
  store<f64>(patch, c2, VOLUME + 16), store<f64>(patch, c3, VOLUME + 24);
  store<f64>(patch, error, ERROR), store<f64>(patch, lost, LOST);
  return isolate(patch, square, 0, 1, c0, THIRD * c1, THIRD * c2, c3, MOST_SPLITS);
}

/** A coordinate at both ends of the step. */
// @ts-ignore: decorator
@inline function ends(start: usize, end: usize, offset: usize): v128 {
  return v128.load64_lane(end + offset, v128.load64_zero(start + offset), 1);
}

// @ts-ignore: decorator
@inline function swap(x: v128): v128 { return v128.shuffle<f64>(x, x, 1, 0); }

/** The sum of the lanes, in both. */
// @ts-ignore: decorator
@inline function bothLanes(x: v128): v128 { return f64x2.add(x, swap(x)); }

// @ts-ignore: decorator
@inline function dot(ux: v128, uy: v128, uz: v128, vx: v128, vy: v128, vz: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(ux, vx), f64x2.mul(uy, vy)), f64x2.mul(uz, vz));
}

/** Sum of the magnitudes at both ends. */
// @ts-ignore: decorator
@inline function size(x: v128, y: v128, z: v128): f64 {
  const sums = f64x2.add(f64x2.add(f64x2.abs(x), f64x2.abs(y)), f64x2.abs(z));
  return f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
}

// @ts-ignore: decorator
@inline function allAbove(outer: v128, inner: v128, reach: f64, innerReach: f64): bool {
  return i64x2.all_true(v128.and(f64x2.gt(outer, f64x2.splat(reach)), f64x2.gt(inner, f64x2.splat(innerReach))));
}

// Tried, on the pairs of a folding cloth (ns per pair, one run each):
// - Newton's steps until the bracket is narrow instead of three of Halley's: hits 221 instead of 192.
// - the axis of the inside test by selects instead of branches: no gain.
// - a start from the chord of the ends instead of the control polygon: more roots need another round, 260 instead of
//   203.
// - steps along fixed directions only (ccd-approach.ts): 24 closest points per hit at a distance instead of 6; 1 370
//   instead of 590. A first direction from the time at which the volume vanishes does not help there.
// - the roots of two pairs at a time, one in each lane: exact tests take 0.92 to 0.95 of the time, for 80 lines more.
