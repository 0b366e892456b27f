/**
 * How meeting triangles pass through each other: their common segment, and whether it is more than rounding.
 *
 * Idea: in nearly all meeting pairs, every corner is well off the other triangle's plane. Then each triangle covers an
 * interval of the line common to both planes, and the two inner ends bound the segment.
 * Twin: `describeExactly` in src/query/solid/triangle-meeting.ts, which decides the cases left open here.
 *
 * Errs: a pair is described only if every sign exceeds its rounding error, the segment is longer than its own error,
 * and its ends are off by less than PRECISE of their coordinates; all other pairs are left OPEN.
 */
import { indicesOf, positionsOf, vertexAt } from '../layout';
import { M_COUNT, M_MEETING, M_MESH_A, M_MESH_B, M_PAIRS, M_POSE, M_SEGMENTS, M_SLACK } from './meeting-context';
import { writePosed } from './polygon';
import { MEETING_CORNERS, scratch } from './scratch';

// host: Meeting.* = CROSSING BLURRED EDGE_A EDGE_B COPLANAR DEGENERATE
// host: OPEN
/** They pass through each other; by no more than rounding. */
const CROSSING: u8 = 1;
const BLURRED: u8 = 2;
/** Cases left to the host: along an edge of a's triangle, or of b's; in one plane; one of them has no area. */
const EDGE_A: u8 = 4;
const EDGE_B: u8 = 8;
const COPLANAR: u8 = 16;
const DEGENERATE: u8 = 32;
const OPEN: u8 = 255;

/** Times Σ |products|: bounds the rounding of a determinant of differences, as in src/math/predicates.ts. */
const BOUND: f64 = 8.881784197001252e-16; // 8 · 2^-53
const PRECISE: f64 = 1e-12;

// in the work space: the corners of both triangles, their heights over the other's plane, the four ends of the
// intervals
const Q: usize = 72;
const HEIGHTS_P: usize = 144;
const HEIGHTS_Q: usize = 168;
const ENDS: usize = 192;

/** Describes the pairs of a batch. */
export function describePairs(batch: usize): void {
  const meshA: usize = load<u32>(batch, M_MESH_A), meshB: usize = load<u32>(batch, M_MESH_B);
  const positionsA = positionsOf(meshA), indicesA = indicesOf(meshA);
  const positionsB = positionsOf(meshB), indicesB = indicesOf(meshB);
  const count: usize = load<u32>(batch, M_COUNT);
  const slack = load<f64>(batch, M_SLACK);
  const p = scratch + MEETING_CORNERS;
  for (let i: usize = 0; i < count; i++) {
    const cornersA = indicesA + 12 * <usize>load<u32>(batch + 8 * i, M_PAIRS);
    const cornersB = indicesB + 12 * <usize>load<u32>(batch + 8 * i, M_PAIRS + 4);
    for (let k: usize = 0; k < 3; k++) {
      const v = vertexAt(positionsA, load<u32>(cornersA + 4 * k));
      store<f64>(p + 24 * k, <f64>load<f32>(v));
      store<f64>(p + 24 * k, <f64>load<f32>(v, 4), 8);
      store<f64>(p + 24 * k, <f64>load<f32>(v, 8), 16);
      const w = vertexAt(positionsB, load<u32>(cornersB + 4 * k));
      writePosed(batch + M_POSE, <f64>load<f32>(w), <f64>load<f32>(w, 4), <f64>load<f32>(w, 8), p + Q + 24 * k);
    }
    store<u8>(batch + i, describe(p, slack, batch + M_SEGMENTS + 48 * i), M_MEETING);
  }
}

// results of `measureHeights`: the plane's normal, the largest error of a height, the lesser extent to either side
let normalX: f64 = 0, normalY: f64 = 0, normalZ: f64 = 0;
let heightError: f64 = 0;
let reach: f64 = 0;

/**
 * Writes the heights of t's corners over the plane of o, times the length of its normal. Returns false if a sign is
 * uncertain.
 */
function measureHeights(t: usize, o: usize, out: usize): bool {
  const x = load<f64>(o), y = load<f64>(o, 8), z = load<f64>(o, 16);
  const ux = load<f64>(o, 24) - x, uy = load<f64>(o, 32) - y, uz = load<f64>(o, 40) - z;
  const vx = load<f64>(o, 48) - x, vy = load<f64>(o, 56) - y, vz = load<f64>(o, 64) - z;
  const yz = uy * vz, zy = uz * vy, zx = uz * vx, xz = ux * vz, xy = ux * vy, yx = uy * vx;
  const mx = abs(yz) + abs(zy), my = abs(zx) + abs(xz), mz = abs(xy) + abs(yx);
  normalX = yz - zy; normalY = zx - xz; normalZ = xy - yx;
  heightError = 0;
  let above: f64 = 0, below: f64 = 0;
  for (let k: usize = 0; k < 3; k++) {
    const wx = load<f64>(t + 24 * k) - x, wy = load<f64>(t + 24 * k, 8) - y, wz = load<f64>(t + 24 * k, 16) - z;
    const height = wx * normalX + wy * normalY + wz * normalZ;
    const error = BOUND * (abs(wx) * mx + abs(wy) * my + abs(wz) * mz);
    if (!(abs(height) > error)) return false;
    if (error > heightError) heightError = error;
    if (height > above) above = height;
    if (-height > below) below = -height;
    store<f64>(out + 8 * k, height);
  }
  reach = above < below ? above : below;
  return reach > 0;
}

// result of `cutEdges`: the error of the ends
let endError: f64 = 0;

/**
 * Writes the points where the edges of t at its lone corner cross the plane over which it has these heights. Returns
 * false if too little is certain.
 */
function cutEdges(t: usize, heights: usize, error: f64, out: usize): bool {
  const h0 = load<f64>(heights) > 0, h1 = load<f64>(heights, 8) > 0, h2 = load<f64>(heights, 16) > 0;
  const lone: usize = h0 == h1 ? 2 : h0 == h2 ? 1 : 0;
  const from = t + 24 * lone;
  const h = load<f64>(heights + 8 * lone);
  const x = load<f64>(from), y = load<f64>(from, 8), z = load<f64>(from, 16);
  for (let k: usize = 1; k < 3; k++) {
    const other = lone + k > 2 ? lone + k - 3 : lone + k;
    const to = t + 24 * other;
    const ex = load<f64>(to) - x, ey = load<f64>(to, 8) - y, ez = load<f64>(to, 16) - z;
    const inverse = 1 / (h - load<f64>(heights + 8 * other));
    const s = h * inverse;
    const cx = x + s * ex, cy = y + s * ey, cz = z + s * ez;
    const off = (abs(ex) + abs(ey) + abs(ez)) * (2 * error * abs(inverse) + BOUND);
    const ax = abs(cx), ay = abs(cy), az = abs(cz);
    const far = ax > ay ? (ax > az ? ax : az) : ay > az ? ay : az;
    if (!(off <= PRECISE * far)) return false;
    const most = off + BOUND * far;
    if (most > endError) endError = most;
    const at = out + 24 * (k - 1);
    store<f64>(at, cx);
    store<f64>(at, cy, 8);
    store<f64>(at, cz, 16);
  }
  return true;
}

function describe(p: usize, slack: f64, out: usize): u8 {
  const q = p + Q;
  if (!measureHeights(p, q, p + HEIGHTS_P)) return OPEN;
  const qx = normalX, qy = normalY, qz = normalZ, reachP = reach;
  endError = 0;
  if (!cutEdges(p, p + HEIGHTS_P, heightError, p + ENDS)) return OPEN;
  if (!measureHeights(q, p, p + HEIGHTS_Q)) return OPEN;
  if (!cutEdges(q, p + HEIGHTS_Q, heightError, p + ENDS + 48)) return OPEN;
  // along the coordinate in which the common line is longest
  const dx = abs(qy * normalZ - qz * normalY), dy = abs(qz * normalX - qx * normalZ), dz = abs(qx * normalY - qy * normalX);
  const axis: usize = dx > dy ? (dx > dz ? 0 : 16) : dy > dz ? 8 : 16;
  const ends = p + ENDS;
  let p0 = ends, p1 = ends + 24, q0 = ends + 48, q1 = ends + 72;
  if (load<f64>(p0 + axis) > load<f64>(p1 + axis)) { p0 = ends + 24; p1 = ends; }
  if (load<f64>(q0 + axis) > load<f64>(q1 + axis)) { q0 = ends + 72; q1 = ends + 48; }
  const start = load<f64>(p0 + axis) > load<f64>(q0 + axis) ? p0 : q0;
  const end = load<f64>(p1 + axis) < load<f64>(q1 + axis) ? p1 : q1;
  if (!(load<f64>(end + axis) - load<f64>(start + axis) > 4 * endError)) return OPEN;
  let lengthSq: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    const a0 = load<f64>(p + k), a1 = load<f64>(p + k, 24), a2 = load<f64>(p + k, 48);
    const b0 = load<f64>(q + k), b1 = load<f64>(q + k, 24), b2 = load<f64>(q + k, 48);
    const low = larger(smaller(smaller(a0, a1), a2), smaller(smaller(b0, b1), b2));
    const high = smaller(larger(larger(a0, a1), a2), larger(larger(b0, b1), b2));
    const x = smaller(larger(load<f64>(start + k), low), high), y = smaller(larger(load<f64>(end + k), low), high);
    store<f64>(out + k, x);
    store<f64>(out + k, y, 24);
    lengthSq += (y - x) * (y - x);
  }
  if (slack == 0) return CROSSING;
  const clear = sqrt(lengthSq) > slack && reachP / sqrt(qx * qx + qy * qy + qz * qz) > slack
    && reach / sqrt(normalX * normalX + normalY * normalY + normalZ * normalZ) > slack;
  return clear ? CROSSING : BLURRED;
}

/** The float64 minima and maxima of WASM are slow, because they handle NaN and the sign of zero. */
// @ts-ignore: decorator
@inline function smaller(a: f64, b: f64): f64 { return a < b ? a : b; }
// @ts-ignore: decorator
@inline function larger(a: f64, b: f64): f64 { return a > b ? a : b; }
