/**
 * A convex shape against boxes and triangles: planes around it, its corners, and which planes share an edge.
 *
 * Idea: a triangle misses the shape if a plane separates them: a plane of the shape; the triangle's own plane; or a
 * plane through an edge of the shape, which is a sum of the two planes that meet there, with weights that are found
 * here and need not be exact. It meets the shape if a corner of it is inside, or the middle of the triangle clipped by
 * the planes.
 * Errs: the shape is below all planes, as their numbers define them; `blur` exceeds the rounding of a distance from a
 * plane. A point P_INNER below all planes is inside. So NO and YES are certain, the rest is MAYBE.
 */
import { ROW } from '../layout';
import { BOX_MAX, BOX_MIN } from '../rays/layout';
import {
  PLANE_BYTES, P_COARSE, P_IN, P_INNER, P_OFFSET, P_OUT, P_ROWS, S_BLUR, S_BOX, S_CORNERS, S_CORNER_COUNT, S_EDGES, S_EDGE_COUNT, S_PLANES,
  S_MOTION, S_PLANE_COUNT, S_TABLE,
} from './layout';

export const NO: i32 = 0;
export const YES: i32 = 1;
export const MAYBE: i32 = 2;

/** Relative error of determinants of differences, as in ../triangles.ts. */
const ERROR: f64 = 1e-14;
/** Relative error of sums of three products in float32. */
const COARSE: f32 = 6e-7;
const UP: f64 = 1.0000002;

let planes: usize = 0, planeEnd: usize = 0;
let low0: v128 = i64x2.splat(0), low1: v128 = i64x2.splat(0), low2: v128 = i64x2.splat(0);
let high0: v128 = i64x2.splat(0), high1: v128 = i64x2.splat(0), high2: v128 = i64x2.splat(0);
let mid0: v128 = i64x2.splat(0), mid1: v128 = i64x2.splat(0), mid2: v128 = i64x2.splat(0);
/** Lanes of the last block whose boxes are certainly inside. */
export let convexInside: i32 = 0;

/** Origin of the planes' float32 numbers along an axis of the shape's box; 0 if the box is unbounded there. */
// @ts-ignore: decorator
@inline function middle(query: usize, axis: usize): f32 {
  const low = load<f64>(query + axis, S_BOX), high = load<f64>(query + axis, S_BOX + 24);
  return high - low < 1e30 ? <f32>(0.5 * (low + high)) : 0;
}
// @ts-ignore: decorator
@inline function down(x: f64): v128 { return f32x4.splat(<f32>(x > 0 ? x / UP : x * UP)); }
// @ts-ignore: decorator
@inline function up(x: f64): v128 { return f32x4.splat(<f32>(x > 0 ? x * UP : x / UP)); }

export function setConvex(query: usize): void {
  planes = <usize>load<u32>(query, S_PLANES);
  planeEnd = planes + PLANE_BYTES * <usize>load<u32>(query, S_PLANE_COUNT);
  low0 = down(load<f64>(query, S_BOX)); low1 = down(load<f64>(query, S_BOX + 8)); low2 = down(load<f64>(query, S_BOX + 16));
  high0 = up(load<f64>(query, S_BOX + 24)); high1 = up(load<f64>(query, S_BOX + 32)); high2 = up(load<f64>(query, S_BOX + 40));
  const x = middle(query, 0), y = middle(query, 8), z = middle(query, 16);
  mid0 = f32x4.splat(x); mid1 = f32x4.splat(y); mid2 = f32x4.splat(z);
  for (let p = planes; p < planeEnd; p += PLANE_BYTES) setPlane(p, <f64>x, <f64>y, <f64>z, load<f64>(query, S_BLUR));
}

/** Writes the float32 part of a plane. */
function setPlane(p: usize, x: f64, y: f64, z: f64, blur: f64): void {
  const nx = load<f64>(p), ny = load<f64>(p, 8), nz = load<f64>(p, 16);
  const offset = load<f64>(p, P_OFFSET) - nx * x - ny * y - nz * z;
  store<f32>(p, <f32>nx, P_COARSE);
  store<f32>(p, <f32>ny, P_COARSE + 4);
  store<f32>(p, <f32>nz, P_COARSE + 8);
  store<f32>(p, <f32>offset, P_COARSE + 12);
  const slack = 1e-6 * abs(offset) + 2 * blur + 1e-36;
  store<f32>(p, <f32>slack, P_OUT);
  store<f32>(p, <f32>((slack + load<f64>(p, P_INNER)) * UP), P_IN);
  store<u32>(p, <u32>(nx > 0 ? BOX_MIN : BOX_MAX), P_ROWS);
  store<u32>(p, <u32>(ny > 0 ? BOX_MIN : BOX_MAX) + <u32>ROW, P_ROWS + 4);
  store<u32>(p, <u32>(nz > 0 ? BOX_MIN : BOX_MAX) + 2 * <u32>ROW, P_ROWS + 8);
}

/** Which boxes of a block the shape may meet: one bit each. */
export function convexLanes(block: usize): i32 {
  const overlaps = v128.and(
    v128.and(
      v128.and(f32x4.le(v128.load(block, BOX_MIN), high0), f32x4.ge(v128.load(block, BOX_MAX), low0)),
      v128.and(f32x4.le(v128.load(block, BOX_MIN + ROW), high1), f32x4.ge(v128.load(block, BOX_MAX + ROW), low1)),
    ),
    v128.and(f32x4.le(v128.load(block, BOX_MIN + 2 * ROW), high2), f32x4.ge(v128.load(block, BOX_MAX + 2 * ROW), low2)),
  );
  let alive = i32x4.bitmask(overlaps);
  let inside: i32 = 15;
  for (let p = planes; p < planeEnd && alive; p += PLANE_BYTES) {
    const nx = v128.load32_splat(p, P_COARSE), ny = v128.load32_splat(p, P_COARSE + 4), nz = v128.load32_splat(p, P_COARSE + 8);
    const offset = v128.load32_splat(p, P_COARSE + 12), factor = f32x4.splat(COARSE);
    const rowX = <usize>load<u32>(p, P_ROWS), rowY = <usize>load<u32>(p, P_ROWS + 4), rowZ = <usize>load<u32>(p, P_ROWS + 8);
    let x = f32x4.mul(nx, f32x4.sub(v128.load(block + rowX), mid0));
    let y = f32x4.mul(ny, f32x4.sub(v128.load(block + rowY), mid1));
    let z = f32x4.mul(nz, f32x4.sub(v128.load(block + rowZ), mid2));
    let size = f32x4.add(f32x4.add(f32x4.abs(x), f32x4.abs(y)), f32x4.abs(z));
    const lowest = f32x4.sub(f32x4.add(f32x4.add(x, y), z), offset);
    alive &= ~i32x4.bitmask(f32x4.gt(lowest, f32x4.add(f32x4.mul(factor, size), v128.load32_splat(p, P_OUT))));
    if (!(inside & alive)) continue;
    // the opposite rows are highest
    x = f32x4.mul(nx, f32x4.sub(v128.load(block + opposite(rowX)), mid0));
    y = f32x4.mul(ny, f32x4.sub(v128.load(block + opposite(rowY)), mid1));
    z = f32x4.mul(nz, f32x4.sub(v128.load(block + opposite(rowZ)), mid2));
    size = f32x4.add(f32x4.add(f32x4.abs(x), f32x4.abs(y)), f32x4.abs(z));
    const highest = f32x4.sub(f32x4.add(f32x4.add(x, y), z), offset);
    inside &= i32x4.bitmask(f32x4.lt(f32x4.add(highest, f32x4.mul(factor, size)), f32x4.neg(v128.load32_splat(p, P_IN))));
  }
  convexInside = inside & alive;
  return alive;
}

/**
 * Which of up to four triangles, whose numbers are rows apart, no plane separates from the shape; inside: those with a
 * corner inside.
 */
export function convexTriangles(a: usize, row: usize): i32 {
  const b = a + 3 * row, c = b + 3 * row;
  const ax = f32x4.sub(v128.load(a), mid0), ay = f32x4.sub(v128.load(a + row), mid1), az = f32x4.sub(v128.load(a + 2 * row), mid2);
  const bx = f32x4.sub(v128.load(b), mid0), by = f32x4.sub(v128.load(b + row), mid1), bz = f32x4.sub(v128.load(b + 2 * row), mid2);
  const cx = f32x4.sub(v128.load(c), mid0), cy = f32x4.sub(v128.load(c + row), mid1), cz = f32x4.sub(v128.load(c + 2 * row), mid2);
  let out = i32x4.splat(0), inA = i32x4.splat(-1), inB = i32x4.splat(-1), inC = i32x4.splat(-1);
  const size = f32x4.mul(
    f32x4.splat(COARSE),
    f32x4.pmax(f32x4.pmax(sizeOf(ax, ay, az), sizeOf(bx, by, bz)), sizeOf(cx, cy, cz)),
  );
  for (let p = planes; p < planeEnd; p += PLANE_BYTES) {
    const nx = v128.load32_splat(p, P_COARSE), ny = v128.load32_splat(p, P_COARSE + 4), nz = v128.load32_splat(p, P_COARSE + 8);
    const offset = v128.load32_splat(p, P_COARSE + 12);
    const aboveA = f32x4.sub(f32x4.add(f32x4.add(f32x4.mul(nx, ax), f32x4.mul(ny, ay)), f32x4.mul(nz, az)), offset);
    const aboveB = f32x4.sub(f32x4.add(f32x4.add(f32x4.mul(nx, bx), f32x4.mul(ny, by)), f32x4.mul(nz, bz)), offset);
    const aboveC = f32x4.sub(f32x4.add(f32x4.add(f32x4.mul(nx, cx), f32x4.mul(ny, cy)), f32x4.mul(nz, cz)), offset);
    const lowest = f32x4.pmin(f32x4.pmin(aboveA, aboveB), aboveC);
    out = v128.or(out, f32x4.gt(lowest, f32x4.add(size, v128.load32_splat(p, P_OUT))));
    const under = f32x4.neg(f32x4.add(size, v128.load32_splat(p, P_IN)));
    inA = v128.and(inA, f32x4.lt(aboveA, under));
    inB = v128.and(inB, f32x4.lt(aboveB, under));
    inC = v128.and(inC, f32x4.lt(aboveC, under));
  }
  convexInside = i32x4.bitmask(v128.or(v128.or(inA, inB), inC));
  return ~i32x4.bitmask(out) & 15;
}

/** An upper bound of the absolute sum of products with a normal. */
// @ts-ignore: decorator
@inline function sizeOf(x: v128, y: v128, z: v128): v128 { return f32x4.add(f32x4.add(f32x4.abs(x), f32x4.abs(y)), f32x4.abs(z)); }

// @ts-ignore: decorator
@inline function opposite(row: usize): usize { return row < BOX_MAX ? row + BOX_MAX : row - BOX_MAX; }

/** Whether the shape meets the triangle at t (nine float64). */
export function convexTriangle(query: usize, t: usize): i32 {
  const ax = load<f64>(t), ay = load<f64>(t, 8), az = load<f64>(t, 16);
  const bx = load<f64>(t, 24), by = load<f64>(t, 32), bz = load<f64>(t, 40);
  const cx = load<f64>(t, 48), cy = load<f64>(t, 56), cz = load<f64>(t, 64);
  const blur = load<f64>(query, S_BLUR);
  let row = <usize>load<u32>(query, S_TABLE);
  let insideA = true, insideB = true, insideC = true;
  for (let p = planes; p < planeEnd; p += PLANE_BYTES, row += 24) {
    const nx = load<f64>(p), ny = load<f64>(p, 8), nz = load<f64>(p, 16), offset = load<f64>(p, P_OFFSET), inner = load<f64>(p, P_INNER);
    const a = nx * ax + ny * ay + nz * az - offset;
    const b = nx * bx + ny * by + nz * bz - offset;
    const c = nx * cx + ny * cy + nz * cz - offset;
    if (a > blur && b > blur && c > blur) return NO;
    insideA = insideA && a < -inner;
    insideB = insideB && b < -inner;
    insideC = insideC && c < -inner;
    store<f64>(row, a);
    store<f64>(row, b, 8);
    store<f64>(row, c, 16);
  }
  if (insideA || insideB || insideC) return YES;
  if (!load<u32>(query, S_CORNER_COUNT)) return MAYBE;
  if (isBesidePlane(query, t) || isBesideEdge(query, blur)) return NO;
  return middleIsInside(query) ? YES : MAYBE;
}

/**
 * A time before which the triangle at t cannot be within `near` of the shape that moves by S_MOTION; Infinity: never.
 */
export function planeTime(query: usize, t: usize, near: f64): f64 {
  const mx = load<f64>(query, S_MOTION), my = load<f64>(query, S_MOTION + 8), mz = load<f64>(query, S_MOTION + 16);
  let latest: f64 = 0;
  for (let p = planes; p < planeEnd; p += PLANE_BYTES) {
    const off = lowestAbove(p, t) - near;
    if (off <= 0) continue;
    const closing = load<f64>(p) * mx + load<f64>(p, 8) * my + load<f64>(p, 16) * mz;
    if (!(closing > 0)) return Infinity;
    latest = max(latest, off / closing * (1 - 1e-14));
  }
  return latest;
}

/**
 * Whether the motion does not cross some plane between the shape and the triangle at t, both within `near` of that
 * plane.
 */
export function leavesTriangle(query: usize, t: usize, near: f64, along: f64): bool {
  const mx = load<f64>(query, S_MOTION), my = load<f64>(query, S_MOTION + 8), mz = load<f64>(query, S_MOTION + 16);
  for (let p = planes; p < planeEnd; p += PLANE_BYTES) {
    const closing = load<f64>(p) * mx + load<f64>(p, 8) * my + load<f64>(p, 16) * mz;
    if (closing <= along && lowestAbove(p, t) >= -near) return true;
  }
  const ax = load<f64>(t), ay = load<f64>(t, 8), az = load<f64>(t, 16);
  const ux = load<f64>(t, 24) - ax, uy = load<f64>(t, 32) - ay, uz = load<f64>(t, 40) - az;
  const vx = load<f64>(t, 48) - ax, vy = load<f64>(t, 56) - ay, vz = load<f64>(t, 64) - az;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const length = sqrt(nx * nx + ny * ny + nz * nz);
  let least: f64 = Infinity, most: f64 = -Infinity;
  let at = <usize>load<u32>(query, S_CORNERS);
  for (let i = load<u32>(query, S_CORNER_COUNT); i > 0; i--, at += 24) {
    const side = nx * (load<f64>(at) - ax) + ny * (load<f64>(at, 8) - ay) + nz * (load<f64>(at, 16) - az);
    least = min(least, side);
    most = max(most, side);
  }
  const rise = nx * mx + ny * my + nz * mz;
  if (!(length > 0)) return false;
  return (least >= -near * length && rise >= -along * length) || (most <= near * length && rise <= along * length);
}

/** Height of the lowest corner of the triangle at t above a plane. */
// @ts-ignore: decorator
@inline function lowestAbove(p: usize, t: usize): f64 {
  const nx = load<f64>(p), ny = load<f64>(p, 8), nz = load<f64>(p, 16);
  const a = nx * load<f64>(t) + ny * load<f64>(t, 8) + nz * load<f64>(t, 16);
  const b = nx * load<f64>(t, 24) + ny * load<f64>(t, 32) + nz * load<f64>(t, 40);
  const c = nx * load<f64>(t, 48) + ny * load<f64>(t, 56) + nz * load<f64>(t, 64);
  return min(a, min(b, c)) - load<f64>(p, P_OFFSET);
}

/** A lower bound of a box's distance from the first plane. */
export function planeGap(query: usize, box: usize): f64 {
  let sum = -load<f64>(planes, P_OFFSET) - 2 * load<f64>(query, S_BLUR);
  for (let k: usize = 0; k < 3; k++) {
    const n = load<f64>(planes + 8 * k);
    sum += n * <f64>load<f32>(box + ROW * k + (n > 0 ? BOX_MIN : BOX_MAX));
  }
  return max(0, sum);
}

/**
 * Distance of the triangle at t from the plane that separates it best: a lower bound of its distance from the shape; 0
 * if no plane does.
 */
export function planeDistance(query: usize, t: usize): f64 {
  let farthest: f64 = 0;
  for (let p = planes; p < planeEnd; p += PLANE_BYTES) farthest = max(farthest, lowestAbove(p, t));
  return max(0, farthest - load<f64>(query, S_BLUR));
}

/** Whether all corners of the shape are on one side of the triangle's plane. */
function isBesidePlane(query: usize, t: usize): bool {
  const ax = load<f64>(t), ay = load<f64>(t, 8), az = load<f64>(t, 16);
  const ux = load<f64>(t, 24) - ax, uy = load<f64>(t, 32) - ay, uz = load<f64>(t, 40) - az;
  const vx = load<f64>(t, 48) - ax, vy = load<f64>(t, 56) - ay, vz = load<f64>(t, 64) - az;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const m = abs(ux) + abs(uy) + abs(uz) + abs(vx) + abs(vy) + abs(vz);
  const error = ERROR * m * m;
  let above = true, below = true;
  let at = <usize>load<u32>(query, S_CORNERS);
  for (let i = load<u32>(query, S_CORNER_COUNT); i > 0; i--, at += 24) {
    const wx = load<f64>(at) - ax, wy = load<f64>(at, 8) - ay, wz = load<f64>(at, 16) - az;
    const side = nx * wx + ny * wy + nz * wz;
    const bound = error * (abs(wx) + abs(wy) + abs(wz));
    above = above && side > bound;
    below = below && side < -bound;
    if (!above && !below) return false;
  }
  return true;
}

let least: f64 = 0, most: f64 = 0;
/** Narrows the weights of the second plane to those for which the sum is above 0 at a corner. */
// @ts-ignore: decorator
@inline function narrow(first: f64, second: f64): bool {
  if (second > 0) least = max(least, -first / second);
  else if (second < 0) most = min(most, first / -second);
  else return first > 0;
  return true;
}
// @ts-ignore: decorator
@inline function isAbove(first: f64, second: f64, weight: f64): bool {
  const other = weight * second;
  return first + other > 1e-15 * (abs(first) + abs(other));
}

/** Whether a plane through an edge of the shape separates it from the triangle. */
function isBesideEdge(query: usize, blur: f64): bool {
  const table = <usize>load<u32>(query, S_TABLE);
  const margin = 2 * blur;
  let edge = <usize>load<u32>(query, S_EDGES);
  for (let i = load<u32>(query, S_EDGE_COUNT); i > 0; i--, edge += 8) {
    const p = table + 24 * <usize>load<u32>(edge), q = table + 24 * <usize>load<u32>(edge, 4);
    const pa = load<f64>(p) - margin, pb = load<f64>(p, 8) - margin, pc = load<f64>(p, 16) - margin;
    const qa = load<f64>(q) - margin, qb = load<f64>(q, 8) - margin, qc = load<f64>(q, 16) - margin;
    least = 0;
    most = Infinity;
    if (!narrow(pa, qa) || !narrow(pb, qb) || !narrow(pc, qc) || !(least < most)) continue;
    const weight = most < Infinity ? 0.5 * (least + most) : 2 * least + 1;
    if (isAbove(pa, qa, weight) && isAbove(pb, qb, weight) && isAbove(pc, qc, weight)) return true;
  }
  return false;
}

/** Whether the middle of the triangle, clipped by the planes, is inside. Points are weights of its corners. */
function middleIsInside(query: usize): bool {
  const table = <usize>load<u32>(query, S_TABLE);
  const count = <usize>load<u32>(query, S_PLANE_COUNT);
  let from = table + 24 * count, to = from + 24 * (count + 3);
  let points: u32 = 3;
  for (let i: usize = 0; i < 9; i++) store<f64>(from + 8 * i, i % 4 == 0 ? 1 : 0);
  for (let row = table; row < table + 24 * count; row += 24) {
    const a = load<f64>(row), b = load<f64>(row, 8), c = load<f64>(row, 16);
    if (a <= 0 && b <= 0 && c <= 0) continue;
    let last = from + 24 * <usize>(points - 1);
    let lastAbove = load<f64>(last) * a + load<f64>(last, 8) * b + load<f64>(last, 16) * c;
    let kept: u32 = 0;
    for (let i: u32 = 0, at = from; i < points; i++, at += 24) {
      const above = load<f64>(at) * a + load<f64>(at, 8) * b + load<f64>(at, 16) * c;
      // rounding may make a line cross more than twice: there is room for one more point than there were
      if ((above > 0) != (lastAbove > 0) && kept < points + 1) {
        putBetween(to + 24 * <usize>kept, last, at, lastAbove / (lastAbove - above));
        kept++;
      }
      if (above <= 0 && kept < points + 1) {
        putBetween(to + 24 * <usize>kept, at, at, 0);
        kept++;
      }
      last = at;
      lastAbove = above;
    }
    if (!kept) return false;
    points = kept;
    const other = from;
    from = to;
    to = other;
  }
  let wa: f64 = 0, wb: f64 = 0, wc: f64 = 0;
  for (let i: u32 = 0, at = from; i < points; i++, at += 24) {
    wa += load<f64>(at);
    wb += load<f64>(at, 8);
    wc += load<f64>(at, 16);
  }
  const whole = 1 / (wa + wb + wc);
  let p = planes;
  for (let row = table; p < planeEnd; p += PLANE_BYTES, row += 24) {
    const above = (load<f64>(row) * wa + load<f64>(row, 8) * wb + load<f64>(row, 16) * wc) * whole;
    if (!(above < -load<f64>(p, P_INNER))) return false;
  }
  return true;
}

// @ts-ignore: decorator
@inline function putBetween(to: usize, p: usize, q: usize, share: f64): void {
  for (let k: usize = 0; k < 24; k += 8) store<f64>(to + k, load<f64>(p + k) + share * (load<f64>(q + k) - load<f64>(p + k)));
}
