/**
 * The current triangle, T, and its plane; the target mesh, and its triangles projected onto that plane.
 *
 * Points of the plane have two coordinates; projected points also have a height.
 */
import { NONE } from './layout';

// @ts-ignore: decorator
@inline export function word(at: usize, i: u32): u32 { return load<u32>(at + 4 * <usize>i); }
// @ts-ignore: decorator
@inline function point(positions: usize, v: u32, k: usize): f64 { return <f64>load<f32>(positions + 12 * <usize>v + 4 * k); }

// the target mesh
export let mesh: usize = 0, itsPositions: usize = 0, itsCorners: usize = 0, itsNear: usize = 0, itsList: usize = 0, itsBoxes: usize = 0;
export let itsCount: u32 = 0;
export let blur: f64 = 0;

/** Sets the target mesh: its header, vertices, corners, neighbours; a list of its triangles, boxes over it. */
export function ask(header: usize, positions: usize, corners: usize, near: usize, list: usize, boxes: usize, count: u32, width: f64): void {
  mesh = header;
  itsPositions = positions;
  itsCorners = corners;
  itsNear = near;
  itsList = list;
  itsBoxes = boxes;
  itsCount = count;
  blur = width;
}

// the plane of the current triangle: its first corner, two unit vectors, the normal
export let baseX: f64 = 0, baseY: f64 = 0, baseZ: f64 = 0;
export let rightX: f64 = 0, rightY: f64 = 0, rightZ: f64 = 0;
export let upX: f64 = 0, upY: f64 = 0, upZ: f64 = 0;
export let normalX: f64 = 0, normalY: f64 = 0, normalZ: f64 = 0;
// its other corners in the plane, and the outward normals of the sides between and after them
export let cornerX1: f64 = 0, cornerX2: f64 = 0, cornerY2: f64 = 0;
export let sideX1: f64 = 0, sideY1: f64 = 0, sideX2: f64 = 0, sideY2: f64 = 0;
/** Bound of the distance of a point of T from one that is covered despite rounding; see whole.ts. */
export let slack: f64 = 0;
const SLACK: f64 = 5;

/**
 * Sets the plane. Returns false if the triangle has none; then two of its sides serve as axes, with the same corners.
 */
export function setPlane(corners: usize, t: u32): bool {
  projected = NONE;
  const a = word(corners, 3 * t), b = word(corners, 3 * t + 1), c = word(corners, 3 * t + 2);
  baseX = point(itsPositions, a, 0); baseY = point(itsPositions, a, 1); baseZ = point(itsPositions, a, 2);
  const ux = point(itsPositions, b, 0) - baseX, uy = point(itsPositions, b, 1) - baseY, uz = point(itsPositions, b, 2) - baseZ;
  const vx = point(itsPositions, c, 0) - baseX, vy = point(itsPositions, c, 1) - baseY, vz = point(itsPositions, c, 2) - baseZ;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz, uu = ux * ux + uy * uy + uz * uz, vv = vx * vx + vy * vy + vz * vz;
  if (!(nn > THINNEST * uu * vv)) {
    rightX = ux; rightY = uy; rightZ = uz;
    upX = vx; upY = vy; upZ = vz;
    cornerX1 = 1; cornerX2 = 0; cornerY2 = 1;
    slack = blur;
    return false;
  }
  const n = 1 / sqrt(nn), u = 1 / sqrt(uu);
  normalX = nx * n; normalY = ny * n; normalZ = nz * n;
  rightX = ux * u; rightY = uy * u; rightZ = uz * u;
  upX = normalY * rightZ - normalZ * rightY; upY = normalZ * rightX - normalX * rightZ; upZ = normalX * rightY - normalY * rightX;
  cornerX1 = uu * u;
  cornerX2 = vx * rightX + vy * rightY + vz * rightZ; cornerY2 = vx * upX + vy * upY + vz * upZ;
  const wx = vx - ux, wy = vy - uy, wz = vz - uz, ww = wx * wx + wy * wy + wz * wz;
  const v = 1 / sqrt(vv), w = 1 / sqrt(ww);
  sideX1 = cornerY2 * w; sideY1 = (cornerX1 - cornerX2) * w;
  sideX2 = -cornerY2 * v; sideY2 = cornerX2 * v;
  slack = SLACK * blur * n * max(max(uu, vv), ww);
  return true;
}

/** Squared sine below which a triangle has no usable plane. */
export const THINNEST: f64 = 1e-10;

// the last projected triangle: its corners in the plane, and its height over it
export let x0: f64 = 0, y0: f64 = 0, x1: f64 = 0, y1: f64 = 0, x2: f64 = 0, y2: f64 = 0;
export let height0: f64 = 0, height1: f64 = 0, height2: f64 = 0, slopeX: f64 = 0, slopeY: f64 = 0;

/** The square of the steepest slope. */
export const STEEPEST: f64 = 99;

/**
 * Bound of the error if a point that is over the triangle except for rounding is not over it. The point is at most √2
 * blur beyond each line that bounds the triangle, so the triangle itself is at most √2 blur / sin (α / 2) away, where
 * α, the sharpest angle, has a sine of at least det / longest²; over that distance it rises by at most ten times as
 * much: 2 √2 · 11 < SPILL.
 */
export let spill: f64 = 0;
const SPILL: f64 = 32;

/** The last projected triangle, and the result. */
let projected: u32 = NONE;
let isUsable: bool = false;

/** Whether the last projected triangle faces the other way: its edges run in the opposite direction in the plane. */
export let isTurned: bool = false;

/** Projects a triangle. Returns false if it is too steep. */
// @ts-ignore: decorator
@inline export function project(s: u32): bool {
  if (s != projected) {
    projected = s;
    isUsable = projectAnew(s);
  }
  return isUsable;
}

function projectAnew(s: u32): bool {
  const a = itsPositions + 12 * <usize>word(itsCorners, 3 * s), b = itsPositions + 12 * <usize>word(itsCorners, 3 * s + 1), c = itsPositions + 12 * <usize>word(itsCorners, 3 * s + 2);
  const ax = <f64>load<f32>(a) - baseX, ay = <f64>load<f32>(a, 4) - baseY, az = <f64>load<f32>(a, 8) - baseZ;
  const bx = <f64>load<f32>(b) - baseX, by = <f64>load<f32>(b, 4) - baseY, bz = <f64>load<f32>(b, 8) - baseZ;
  const cx = <f64>load<f32>(c) - baseX, cy = <f64>load<f32>(c, 4) - baseY, cz = <f64>load<f32>(c, 8) - baseZ;
  x0 = ax * rightX + ay * rightY + az * rightZ; y0 = ax * upX + ay * upY + az * upZ;
  x1 = bx * rightX + by * rightY + bz * rightZ; y1 = bx * upX + by * upY + bz * upZ;
  x2 = cx * rightX + cy * rightY + cz * rightZ; y2 = cx * upX + cy * upY + cz * upZ;
  const ux = x1 - x0, uy = y1 - y0, vx = x2 - x0, vy = y2 - y0;
  const det = ux * vy - uy * vx;
  if (!(det * det > THINNEST * (ux * ux + uy * uy) * (vx * vx + vy * vy))) return false;
  isTurned = det < 0;
  height0 = ax * normalX + ay * normalY + az * normalZ;
  height1 = bx * normalX + by * normalY + bz * normalZ;
  height2 = cx * normalX + cy * normalY + cz * normalZ;
  const hu = height1 - height0, hv = height2 - height0, per = 1 / det;
  slopeX = (hu * vy - hv * uy) * per;
  slopeY = (hv * ux - hu * vx) * per;
  const wx = x2 - x1, wy = y2 - y1;
  spill = SPILL * blur * abs(per) * max(max(ux * ux + uy * uy, vx * vx + vy * vy), wx * wx + wy * wy);
  return slopeX * slopeX + slopeY * slopeY < STEEPEST;
}
