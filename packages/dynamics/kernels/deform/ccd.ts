/**
 * The continuous test of batches of linearly moving elements.
 * Twin: src/geometry/ccd/fast-contact.ts, which describes the method; the same steps in the same order.
 *
 * The lanes are the two ends of the step: one vector operation handles a coordinate at T0 and at T1. Pairs that the
 * volume leaves wait until there are some dozens, whose roots are then found together (ccd-roots.ts).
 *
 * Layout: `start` and `end` are float64 x, y, z of every vertex, by the numbers in `vertexOf`. `pairs` has four u32
 * vertices each: v, f0, f1, f2 or a0, a1, b0, b1. `hits` receives 64 bytes each: u32 pair, u32 kind, f64 t, u, v, nx,
 * ny, nz, 8 spare bytes; `doubts` a u32 each; `counts` the number of each. There must be room for `count` of each.
 */
import { approach } from './ccd-approach';
import { MOST_SPLITS, THIRD, isolate } from './ccd-contact';
import {
  A, ANSWER, B, EARLY, ERROR, FIRST_ROOT, HIT, LATE, LOST, MISS, NOT_FOUND, NO_ROOT, PAIR, PATCH_BYTES, SECOND_ROOT, SIZE_A, SIZE_B, SIZE_W,
  TIME, UNDERFLOW, VOLUME, VOLUME_BOUND, W,
} from './ccd-patch';
import { contactBetween } from './ccd-root';
import { findRoots } from './ccd-roots';
import { PATCHES, PATCH_COUNT, scratch } from './scratch';
import { HIT_BYTES } from './layout';

export function testVertexFaces(start: usize, end: usize, vertexOf: usize, pairs: usize, count: u32, distance: f64, hits: usize, doubts: usize, counts: usize): void {
  testPairs(false, start, end, vertexOf, pairs, count, distance, hits, doubts, counts);
}

export function testEdgeEdges(start: usize, end: usize, vertexOf: usize, pairs: usize, count: u32, distance: f64, hits: usize, doubts: usize, counts: usize): void {
  testPairs(true, start, end, vertexOf, pairs, count, distance, hits, doubts, counts);
}

/** Writes the patches that the volume does not decide one behind the other, and decides them when there are many. */
// @ts-ignore: decorator
@inline function testPairs(square: bool, start: usize, end: usize, vertexOf: usize, pairs: usize, count: u32, distance: f64, hits: usize, doubts: usize, counts: usize): void {
  const firstHit = hits, firstDoubt = doubts;
  const patches = scratch + PATCHES;
  for (let pair: u32 = 0; pair < count; ) {
    let patchesEnd = patches;
    for (; pair < count && patchesEnd < patches + PATCH_COUNT * PATCH_BYTES; pair++, pairs += 16) {
      const i0 = placeOf(vertexOf, pairs), i1 = placeOf(vertexOf, pairs + 4);
      const i2 = placeOf(vertexOf, pairs + 8), i3 = placeOf(vertexOf, pairs + 12);
      store<u32>(patchesEnd, pair, PAIR);
      patchesEnd += writePatch(square, patchesEnd, distance, start, end, i0, i1, i2, i3) ? PATCH_BYTES : 0;
    }
    if (!(distance > 0)) findRoots(patches, patchesEnd);
    for (let patch = patches; patch < patchesEnd; patch += PATCH_BYTES) {
      const verdict = distance > 0 ? approach(patch, square, 0, 1, distance) : contactOf(patch, square);
      if (verdict == MISS) continue;
      if (verdict == HIT) {
        store<u32>(hits, load<u32>(patch, PAIR));
        store<u32>(hits, <u32>square, 4);
        v128.store(hits, v128.load(patch, ANSWER), 8);
        v128.store(hits, v128.load(patch, ANSWER + 16), 24);
        v128.store(hits, v128.load(patch, ANSWER + 32), 40);
        hits += HIT_BYTES;
      } else {
        store<u32>(doubts, load<u32>(patch, PAIR));
        doubts += 4;
      }
    }
  }
  store<u32>(counts, <u32>((hits - firstHit) / HIT_BYTES));
  store<u32>(counts, <u32>((doubts - firstDoubt) / 4), 4);
}

// @ts-ignore: decorator
@inline function contactOf(patch: usize, square: bool): i32 {
  if (load<f64>(patch, FIRST_ROOT) == NOT_FOUND || load<f64>(patch, SECOND_ROOT) == NOT_FOUND) {
    return isolate(patch, square, 0, 1, load<f64>(patch, VOLUME), THIRD * load<f64>(patch, VOLUME + 8), THIRD * load<f64>(patch, VOLUME + 16), load<f64>(patch, VOLUME + 24), MOST_SPLITS);
  }
  for (let root = patch + FIRST_ROOT; root <= patch + SECOND_ROOT; root += SECOND_ROOT - FIRST_ROOT) {
    const sign = load<f64>(root);
    if (sign == NO_ROOT) break;
    const verdict = contactBetween(patch, square, load<f64>(root, EARLY), load<f64>(root, LATE), load<f64>(root, TIME), sign);
    if (verdict != MISS) return verdict;
  }
  return MISS;
}

/** Writes a patch; returns whether it may come within the distance of the origin, as far as the volume shows. */
// @ts-ignore: decorator
@inline function writePatch(square: bool, patch: usize, distance: f64, start: usize, end: usize, i0: usize, i1: usize, i2: usize, i3: usize): bool {
  const x0 = ends(start + i0, end + i0, 0), y0 = ends(start + i0, end + i0, 8), z0 = ends(start + i0, end + i0, 16);
  const x1 = ends(start + i1, end + i1, 0), y1 = ends(start + i1, end + i1, 8), z1 = ends(start + i1, end + i1, 16);
  const x2 = ends(start + i2, end + i2, 0), y2 = ends(start + i2, end + i2, 8), z2 = ends(start + i2, end + i2, 16);
  const x3 = ends(start + i3, end + i3, 0), y3 = ends(start + i3, end + i3, 8), z3 = ends(start + i3, end + i3, 16);
  const wx = f64x2.sub(square ? x2 : x1, x0), wy = f64x2.sub(square ? y2 : y1, y0), wz = f64x2.sub(square ? z2 : z1, z0);
  const ax = square ? f64x2.sub(x0, x1) : f64x2.sub(x2, x1), bx = f64x2.sub(x3, square ? x2 : x1);
  const ay = square ? f64x2.sub(y0, y1) : f64x2.sub(y2, y1), by = f64x2.sub(y3, square ? y2 : y1);
  const az = square ? f64x2.sub(z0, z1) : f64x2.sub(z2, z1), bz = f64x2.sub(z3, square ? z2 : z1);
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
  v128.store(patch, wx, W), v128.store(patch, wy, W + 16), v128.store(patch, wz, W + 32);
  v128.store(patch, ax, A), v128.store(patch, ay, A + 16), v128.store(patch, az, A + 32);
  v128.store(patch, bx, B), v128.store(patch, by, B + 16), v128.store(patch, bz, B + 32);
  store<f64>(patch, sizeW, SIZE_W), store<f64>(patch, sizeA, SIZE_A), store<f64>(patch, sizeB, SIZE_B);
  v128.store(patch, i64x2.shuffle(outer, inner, 0, 2), VOLUME);
  v128.store(patch, i64x2.shuffle(inner, outer, 1, 3), VOLUME + 16);
  store<f64>(patch, error, ERROR), store<f64>(patch, lost, LOST);
  return !(allAbove(outer, inner, reach, innerReach) | allAbove(f64x2.neg(outer), f64x2.neg(inner), reach, innerReach));
}

// @ts-ignore: decorator
@inline function placeOf(vertexOf: usize, pair: usize): usize { return 24 * <usize>load<u32>(vertexOf + 4 * <usize>load<u32>(pair)); }

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
// Tried on letters with a thickness, where an approach looks at a patch 3.3 times: looks at two dozen patches in turn,
// sides and steps chosen by masks instead of branches, projections kept from look to look: no gain from any.
