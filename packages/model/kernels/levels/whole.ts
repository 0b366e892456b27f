/**
 * Bounds the distance of a triangle from another mesh where they lie smoothly over each other: no piece has to be cut.
 */
import { assign } from './assigned';
import { G_SEEN, G_SEEN_LAST, NONE } from './layout';
import { first, pair, second } from './pairs';
import {
  baseX, baseY, baseZ, blur, cornerX1, cornerX2, cornerY2, height0, height1, isTurned, itsCorners, itsNear, itsPositions, normalX, normalY, normalZ, project, rightX, rightY, rightZ,
  sideX1, sideX2, sideY1, sideY2, slack, STEEPEST, THINNEST, upX, upY, upZ, word, x0, x1, x2, y0, y1, y2,
} from './plane';
import { UNDER, UNDER_BYTES, UNDER_CAPACITY, scratch } from './scratch';

let seen: usize = 0;
/** Number of walks so far; triangles reached by the last one are marked with it. */
let walks: u32 = 0;

export function beginWalks(group: usize): void {
  seen = load<u32>(group, G_SEEN);
  walks = load<u32>(group, G_SEEN_LAST);
}

export function endWalks(group: usize): void { store<u32>(group, walks, G_SEEN_LAST); }

/**
 * As `cover` of cover.ts: the largest distance of the current triangle, T, from the target mesh, searched from triangle
 * `start` on. Infinity if that is not below `limit`, or cannot be determined.
 *
 * Idea: the triangles below T are found by continuing over every edge that T crosses, starting at one below T's middle.
 * The intersection of T with one of them, S, has corners of two kinds: ends of edges of S, cut where they leave T, and
 * corners of T. The height is largest at one of them. All of T lies over the triangles found, except for a rim. Let T′
 * be the part of T at least √2 blur away from its sides. U, the part of T′ that they cover, is closed and not empty.
 * Its boundary within T′ consists of edges, beyond which there is another triangle that covers that side, and corners;
 * but removing points does not divide the interior of T′. So U is all of T′. Every point of T is near T′: shrunk by the
 * factor 1 − λ about the centre of its inscribed circle, of radius r, T is within T′ if λ r ≥ √2 blur, and no point has
 * moved by more than λ times the longest side; as r ≥ det / (3 longest), that is less than `slack`. Corners of T′ are
 * as near to those of T, and at most ten times as much lower or higher.
 */
export function coverWhole(start: u32, carried: f64, at: usize, spread: bool, limit: f64): f64 {
  const middleX = (cornerX1 + cornerX2) / 3, middleY = cornerY2 / 3;
  // the triangle is too small compared with its rounding
  if (!(slack < middleY)) return Infinity;
  let s = start;
  for (let steps = 0; ; steps++) {
    if (steps == FARTHEST || !project(s) || isTurned) return Infinity;
    const k: u32 = isBeyond(middleX, middleY, x0, y0, x1, y1) ? 0 : isBeyond(middleX, middleY, x1, y1, x2, y2) ? 1 : isBeyond(middleX, middleY, x2, y2, x0, y0) ? 2 : 3;
    if (k == 3) break;
    s = word(itsNear, 3 * s + k);
    if (s == NONE) return Infinity;
  }
  walks++;
  const under = scratch + UNDER, full = under + UNDER_BYTES * <usize>UNDER_CAPACITY;
  const axesX = pair(rightX, upX), axesY = pair(rightY, upY), axesZ = pair(rightZ, upZ), base = pair(baseX, baseY);
  const sidesX = pair(sideX1, sideX2), sidesY = pair(sideY1, sideY2), sidesAt = pair(cornerX1, 0), none = f64x2.splat(0), one = f64x2.splat(1);
  const nX = normalX, nY = normalY, nZ = normalZ, oZ = baseZ;
  const farX1 = cornerX1, farX2 = cornerX2, farY2 = cornerY2, loose = slack, rim = -1.5 * blur;
  const positions = itsPositions, corners = itsCorners, nears = itsNear, reached = seen, walk = walks;
  // the first triangle: two of its corners, as if the walk had come over the edge between them
  let end = under + UNDER_BYTES;
  store<u32>(reached + 4 * <usize>s, walk);
  v128.store(under, words(s, 0, word(corners, 3 * s + 2), 7), U_TRIANGLE);
  let a = pair(x0, y0), b = pair(x1, y1), c = none;
  v128.store(under, a, U_FIRST); v128.store(under, outside(a, sidesX, sidesY, sidesAt), U_FIRST_OUT);
  v128.store(under, b, U_SECOND); v128.store(under, outside(b, sidesX, sidesY, sidesAt), U_SECOND_OUT);
  v128.store(under, pair(height0, height1), U_HEIGHTS);
  store<f64>(under, 0, U_HEIGHT);
  let largest: f64 = 0;
  for (let entry = under; entry < end; entry += UNDER_BYTES) {
    const own = v128.load(entry, U_TRIANGLE), heights = v128.load(entry, U_HEIGHTS);
    s = i32x4.extract_lane(own, 0);
    a = v128.load(entry, U_FIRST); b = v128.load(entry, U_SECOND);
    let aOut = v128.load(entry, U_FIRST_OUT), bOut = v128.load(entry, U_SECOND_OUT);
    let ah = first(heights), bh = second(heights);
    // its third corner; like triangles, vertices are followed by more memory of the group
    const point = v128.load(positions + 12 * <usize><u32>i32x4.extract_lane(own, 2));
    const p = f64x2.sub(f64x2.promote_low_f32x4(point), base), px = first(p), py = second(p), pz = <f64>f32x4.extract_lane(point, 2) - oZ;
    c = f64x2.add(f64x2.add(f64x2.mul(f64x2.splat(px), axesX), f64x2.mul(f64x2.splat(py), axesY)), f64x2.mul(f64x2.splat(pz), axesZ));
    let cOut = outside(c, sidesX, sidesY, sidesAt), ch = px * nX + py * nY + pz * nZ;
    const u = f64x2.sub(b, a), w = f64x2.sub(c, a), ux = first(u), uy = second(u), vx = first(w), vy = second(w), hu = bh - ah, hv = ch - ah;
    const det = ux * vy - uy * vx, riseX = hu * vy - hv * uy, riseY = hv * ux - hu * vx;
    if (<i32>(det < 0) | <i32>!(det * det > THINNEST * (ux * ux + uy * uy) * (vx * vx + vy * vy)) | <i32>!(riseX * riseX + riseY * riseY < STEEPEST * det * det)) return Infinity;
    // the largest known height over the intersection with T; one bit for each corner of T that is not beyond an edge,
    // or whose nearby corner of T′ is not
    let common = load<f64>(entry, U_HEIGHT), over: u32 = i32x4.extract_lane(own, 3), k: u32 = i32x4.extract_lane(own, 1);
    for (let edge = 0; edge < 3; edge++) {
      if (edge > 0 || entry == under) {
        const e = f64x2.sub(b, a), ex = first(e), ey = second(e), ay = second(a), by = second(b);
        const beyond0 = ay * ex - first(a) * ey, beyond1 = beyond0 + farX1 * ey, beyond2 = beyond0 + farX2 * ey - farY2 * ex;
        const width = loose * (abs(ex) + abs(ey));
        over &= <u32>(beyond0 <= width) | (<u32>(beyond1 <= width) << 1) | (<u32>(beyond2 <= width) << 2);
        const out = f64x2.min(aOut, bOut);
        // part of T is beyond the edge, and the edge is not outside of a side of T′
        if (<i32>(max(beyond0, max(beyond1, beyond2)) > 0) & <i32>(max(-max(ay, by), max(first(out), second(out))) <= rim)) {
          // the part of the edge within T
          const t = ay / (ay - by), ts = f64x2.div(aOut, f64x2.sub(aOut, bOut));
          const froms = v128.and(ts, f64x2.gt(aOut, none)), tos = v128.bitselect(ts, one, f64x2.gt(bOut, none));
          const from = max(ay < 0 ? t : 0, max(first(froms), second(froms))), to = min(by < 0 ? t : 1, min(first(tos), second(tos)));
          if (from <= to) {
            const height = max(abs(ah + from * (bh - ah)), abs(ah + to * (bh - ah)));
            common = max(common, height);
            const t = word(nears, 3 * s + k);
            if (t == NONE) return Infinity;
            // the neighbour lies beyond if it has the edge in the opposite direction
            const p = word(corners, 3 * s + k), q = word(corners, 3 * s + (k == 2 ? 0 : k + 1)), its = v128.load(corners + 12 * <usize>t);
            const t0: u32 = i32x4.extract_lane(its, 0), t1: u32 = i32x4.extract_lane(its, 1), t2: u32 = i32x4.extract_lane(its, 2);
            const n: u32 = t0 == q && t1 == p ? 0 : t1 == q && t2 == p ? 1 : t2 == q && t0 == p ? 2 : 3;
            if (n == 3) return Infinity;
            const mark = reached + 4 * <usize>t;
            if (load<u32>(mark) != walk) {
              if (end == full) return Infinity;
              store<u32>(mark, walk);
              const behind = <u32>(beyond0 >= -width) | (<u32>(beyond1 >= -width) << 1) | (<u32>(beyond2 >= -width) << 2);
              v128.store(end, words(t, n, n == 0 ? t2 : n == 1 ? t0 : t1, behind), U_TRIANGLE);
              v128.store(end, b, U_FIRST); v128.store(end, bOut, U_FIRST_OUT);
              v128.store(end, a, U_SECOND); v128.store(end, aOut, U_SECOND_OUT);
              v128.store(end, pair(bh, ah), U_HEIGHTS);
              store<f64>(end, height, U_HEIGHT);
              end += UNDER_BYTES;
            }
          }
        }
      }
      // the next edge; after three, a, b and c are as before
      const point = a, its = aOut, height = ah;
      a = b; aOut = bOut; ah = bh;
      b = c; bOut = cOut; bh = ch;
      c = point; cOut = its; ch = height;
      k = k == 2 ? 0 : k + 1;
    }
    if (over != 0) {
      const per = 1 / det;
      const slopeX = riseX * per, slopeY = riseY * per, level = ah - slopeX * first(a) - slopeY * second(a);
      if (over & 1) common = max(common, abs(level));
      if (over & 2) common = max(common, abs(level + slopeX * farX1));
      if (over & 4) common = max(common, abs(level + slopeX * farX2 + slopeY * farY2));
    }
    const d = common + 11 * loose + (spread ? carried : <f64>load<f32>(at + 4 * <usize>s));
    if (!(d < limit)) return Infinity;
    store<f64>(entry, d, U_HEIGHT);
    largest = max(largest, d);
  }
  if (spread) {
    for (let entry = under; entry < end; entry += UNDER_BYTES) assign(load<u32>(entry, U_TRIANGLE), load<f64>(entry, U_HEIGHT));
  }
  return largest;
}

/** Maximum number of steps from the start triangle to the one below. */
const FARTHEST: i32 = 24;

// triangles under T: four words in a row, then the edge that the walk came over. Two numbers at a time: the ends in the
// plane, their distances outside the second side of T and the third, and the heights of both
const U_TRIANGLE: usize = 0; // then the edge; the vertex opposite to it; a bit for each corner of T on its side of it
const U_FIRST: usize = 16;
const U_FIRST_OUT: usize = 32;
const U_SECOND: usize = 48;
const U_SECOND_OUT: usize = 64;
const U_HEIGHTS: usize = 80;
const U_HEIGHT: usize = 96; // the largest height: at the edge so far, finally over all with the carried bound

// @ts-ignore: decorator
@inline function words(a: u32, b: u32, c: u32, d: u32): v128 { return i32x4.replace_lane(i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(a), 1, b), 2, c), 3, d); }
/** Distances of a point outside the second side of T, and the third. */
// @ts-ignore: decorator
@inline function outside(p: v128, sidesX: v128, sidesY: v128, sidesAt: v128): v128 {
  return f64x2.add(f64x2.mul(sidesX, f64x2.sub(f64x2.splat(first(p)), sidesAt)), f64x2.mul(sidesY, f64x2.splat(second(p))));
}

/** Whether a point is beyond the edge from a to b. */
// @ts-ignore: decorator
@inline function isBeyond(x: f64, y: f64, ax: f64, ay: f64, bx: f64, by: f64): bool { return (x - ax) * (by - ay) > (y - ay) * (bx - ax); }
