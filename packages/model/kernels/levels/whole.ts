/**
 * Bounds the distance of a triangle from another mesh where they lie smoothly over each other: no piece has to be cut.
 */
import { assign } from './assigned';
import { G_SEEN, G_SEEN_LAST, NONE } from './layout';
import {
  baseX, baseY, baseZ, blur, cornerX1, cornerX2, cornerY2, height0, height1, height2, isTurned, itsCorners, itsNear, itsPositions, normalX, normalY, normalZ, project, rightX, rightY, rightZ,
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
  under = scratch + UNDER;
  underEnd = under;
  // the first triangle: two of its corners, as if the walk had come over the edge between them
  store<u32>(seen + 4 * <usize>s, walks);
  addUnder(s, 0, word(itsCorners, 3 * s + 2), x1, y1, height1, outside1(x1, y1), outside2(x1, y1), x0, y0, height0, outside1(x0, y0), outside2(x0, y0), 0, 0);
  let largest: f64 = 0;
  for (let entry = under; entry < underEnd; entry += UNDER_BYTES) {
    s = load<u32>(entry, U_TRIANGLE);
    const e = load<u32>(entry, U_EDGE), e1: u32 = e == 2 ? 0 : e + 1, e2: u32 = e == 0 ? 2 : e - 1;
    const ax = load<f64>(entry, U_FIRST), ay = load<f64>(entry, U_FIRST + 8), ah = load<f64>(entry, U_FIRST + 16), ab = load<f64>(entry, U_FIRST + 24), ac = load<f64>(entry, U_FIRST + 32);
    const bx = load<f64>(entry, U_SECOND), by = load<f64>(entry, U_SECOND + 8), bh = load<f64>(entry, U_SECOND + 16), bb = load<f64>(entry, U_SECOND + 24), bc = load<f64>(entry, U_SECOND + 32);
    // its third corner
    const v = itsPositions + 12 * <usize>load<u32>(entry, U_THIRD);
    const px = <f64>load<f32>(v) - baseX, py = <f64>load<f32>(v, 4) - baseY, pz = <f64>load<f32>(v, 8) - baseZ;
    const cx = px * rightX + py * rightY + pz * rightZ, cy = px * upX + py * upY + pz * upZ, ch = px * normalX + py * normalY + pz * normalZ;
    const cb = outside1(cx, cy), cc = outside2(cx, cy);
    const ux = bx - ax, uy = by - ay, vx = cx - ax, vy = cy - ay, hu = bh - ah, hv = ch - ah;
    const det = ux * vy - uy * vx, riseX = hu * vy - hv * uy, riseY = hv * ux - hu * vx;
    if (det < 0 || !(det * det > THINNEST * (ux * ux + uy * uy) * (vx * vx + vy * vy)) || !(riseX * riseX + riseY * riseY < STEEPEST * det * det)) return Infinity;
    common = load<f64>(entry, U_HEIGHT);
    let over = load<u32>(entry, U_OVER);
    if (entry == under) {
      if (!goOver(s, e, ax, ay, ah, ab, ac, bx, by, bh, bb, bc)) return Infinity;
      over = cornersBehind;
    }
    if (!goOver(s, e1, bx, by, bh, bb, bc, cx, cy, ch, cb, cc)) return Infinity;
    over &= cornersBehind;
    if (!goOver(s, e2, cx, cy, ch, cb, cc, ax, ay, ah, ab, ac)) return Infinity;
    over &= cornersBehind;
    if (over != 0) {
      const per = 1 / det;
      const slopeX = riseX * per, slopeY = riseY * per, first = ah - slopeX * ax - slopeY * ay;
      if (over & 1) common = max(common, abs(first));
      if (over & 2) common = max(common, abs(first + slopeX * cornerX1));
      if (over & 4) common = max(common, abs(first + slopeX * cornerX2 + slopeY * cornerY2));
    }
    const d = common + 11 * slack + (spread ? carried : <f64>load<f32>(at + 4 * <usize>s));
    if (!(d < limit)) return Infinity;
    store<f64>(entry, d, U_HEIGHT);
    largest = max(largest, d);
  }
  if (spread) {
    for (let entry = under; entry < underEnd; entry += UNDER_BYTES) assign(load<u32>(entry, U_TRIANGLE), load<f64>(entry, U_HEIGHT));
  }
  return largest;
}

/** Maximum number of steps from the start triangle to the one below. */
const FARTHEST: i32 = 24;

// triangles under T, and the edges the walk came over: both ends with their distances outside the sides of T
const U_TRIANGLE: usize = 0;
const U_EDGE: usize = 4;
const U_THIRD: usize = 8; // the vertex opposite to the edge
const U_OVER: usize = 12; // one bit for each corner of T on the triangle's side of the edge
const U_HEIGHT: usize = 16; // the largest height: at the edge so far, finally over all with the carried bound
const U_FIRST: usize = 24; // x, y, height, outside the second side of T, outside the third
const U_SECOND: usize = 64;
let under: usize = 0, underEnd: usize = 0;

function addUnder(
  s: u32, edge: u32, third: u32, bx: f64, by: f64, bh: f64, b1: f64, b2: f64, ax: f64, ay: f64, ah: f64, a1: f64, a2: f64, over: u32, height: f64,
): void {
  const entry = underEnd;
  underEnd = entry + UNDER_BYTES;
  store<u32>(entry, s, U_TRIANGLE);
  store<u32>(entry, edge, U_EDGE);
  store<u32>(entry, third, U_THIRD);
  store<u32>(entry, over, U_OVER);
  store<f64>(entry, height, U_HEIGHT);
  store<f64>(entry, ax, U_FIRST); store<f64>(entry, ay, U_FIRST + 8); store<f64>(entry, ah, U_FIRST + 16); store<f64>(entry, a1, U_FIRST + 24); store<f64>(entry, a2, U_FIRST + 32);
  store<f64>(entry, bx, U_SECOND); store<f64>(entry, by, U_SECOND + 8); store<f64>(entry, bh, U_SECOND + 16); store<f64>(entry, b1, U_SECOND + 24); store<f64>(entry, b2, U_SECOND + 32);
}

/** Distance of a point outside the second side of T, and the third. */
// @ts-ignore: decorator
@inline function outside1(x: f64, y: f64): f64 { return sideX1 * (x - cornerX1) + sideY1 * y; }
// @ts-ignore: decorator
@inline function outside2(x: f64, y: f64): f64 { return sideX2 * x + sideY2 * y; }

/** The largest known height of the current triangle over its intersection with T. */
let common: f64 = 0;
/** One bit for each corner of T that is not beyond the last edge tested, or whose nearby corner of T′ is not. */
let cornersBehind: u32 = 0;

/**
 * Tests edge k of triangle s, from a to b. If it meets T′, the part within T counts, and the triangle beyond also lies
 * under T. Returns false if there is no such triangle, or no room for it.
 */
function goOver(s: u32, k: u32, ax: f64, ay: f64, ah: f64, a1: f64, a2: f64, bx: f64, by: f64, bh: f64, b1: f64, b2: f64): bool {
  const ex = bx - ax, ey = by - ay;
  const beyond0 = ay * ex - ax * ey, beyond1 = beyond0 + cornerX1 * ey, beyond2 = beyond0 + cornerX2 * ey - cornerY2 * ex;
  const width = slack * (abs(ex) + abs(ey));
  cornersBehind = <u32>(beyond0 <= width) | (<u32>(beyond1 <= width) << 1) | (<u32>(beyond2 <= width) << 2);
  if (max(beyond0, max(beyond1, beyond2)) <= 0) return true;
  const rim = -1.5 * blur;
  if (max(ay, by) < -rim || min(a1, b1) > rim || min(a2, b2) > rim) return true;
  let from: f64 = 0, to: f64 = 1;
  if (ay < 0) from = ay / (ay - by); else if (by < 0) to = ay / (ay - by);
  if (a1 > 0) from = max(from, a1 / (a1 - b1)); else if (b1 > 0) to = min(to, a1 / (a1 - b1));
  if (a2 > 0) from = max(from, a2 / (a2 - b2)); else if (b2 > 0) to = min(to, a2 / (a2 - b2));
  if (from > to) return true;
  const height = max(abs(ah + from * (bh - ah)), abs(ah + to * (bh - ah)));
  common = max(common, height);
  const t = word(itsNear, 3 * s + k);
  if (t == NONE) return false;
  // the neighbour lies beyond if it has the edge in the opposite direction
  const a = word(itsCorners, 3 * s + k), b = word(itsCorners, 3 * s + (k == 2 ? 0 : k + 1));
  const t0 = word(itsCorners, 3 * t), t1 = word(itsCorners, 3 * t + 1), t2 = word(itsCorners, 3 * t + 2);
  const e: u32 = t0 == b && t1 == a ? 0 : t1 == b && t2 == a ? 1 : t2 == b && t0 == a ? 2 : 3;
  if (e == 3) return false;
  if (word(seen, t) == walks) return true;
  if (underEnd == under + UNDER_BYTES * <usize>UNDER_CAPACITY) return false;
  store<u32>(seen + 4 * <usize>t, walks);
  const before = <u32>(beyond0 >= -width) | (<u32>(beyond1 >= -width) << 1) | (<u32>(beyond2 >= -width) << 2);
  addUnder(t, e, e == 0 ? t2 : e == 1 ? t0 : t1, ax, ay, ah, a1, a2, bx, by, bh, b1, b2, before, height);
  return true;
}

/** Whether a point is beyond the edge from a to b. */
// @ts-ignore: decorator
@inline function isBeyond(x: f64, y: f64, ax: f64, ay: f64, bx: f64, by: f64): bool { return (x - ax) * (by - ay) > (y - ay) * (bx - ax); }
