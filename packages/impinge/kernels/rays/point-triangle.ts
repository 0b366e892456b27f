/**
 * The distance of a point from a triangle, and the weights of the corners at the closest point. Twin of
 * src/geometry/distance/point-triangle.ts.
 *
 * Over the face, the weights come from cross products with the normal. For slivers these are imprecise, so the residual
 * beside the normal is projected again, and the edges compete with the result.
 */
import { sliverDistanceSq, weightU, weightV } from '../sliver';

/** Squared sine of the angle at the first corner below which a triangle is a sliver. */
const SLIVER: f64 = 1e-4;
/** Each pass reduces the error to 2⁻⁵³ / sine of it. */
const PASSES: i32 = 8;
/** Factor that covers the rounding of a squared distance. */
const UP: f64 = 1.00001;

/** Weights of the second and third corner at the closest point. */
export let footU: f64 = 0, footV: f64 = 0;

/**
 * The squared distance of a point from the triangle whose numbers are `row` bytes apart if it is at most `limit`,
 * otherwise any larger number.
 */
export function pointTriangle(px: f64, py: f64, pz: f64, a: usize, row: usize, limit: f64): f64 {
  const b = a + 3 * row, c = b + 3 * row;
  const ax = <f64>load<f32>(a), ay = <f64>load<f32>(a + row), az = <f64>load<f32>(a + 2 * row);
  const ux = <f64>load<f32>(b) - ax, uy = <f64>load<f32>(b + row) - ay, uz = <f64>load<f32>(b + 2 * row) - az;
  const vx = <f64>load<f32>(c) - ax, vy = <f64>load<f32>(c + row) - ay, vz = <f64>load<f32>(c + 2 * row) - az;
  const wx = px - ax, wy = py - ay, wz = pz - az;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const uu = ux * ux + uy * uy + uz * uz, vv = vx * vx + vy * vy + vz * vz;
  let best: f64 = Infinity;
  if (nn > SLIVER * uu * vv) {
    const h = wx * nx + wy * ny + wz * nz;
    if (h * h > limit * nn * UP) return Infinity;
    const s = (wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz;
    const t = (uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz;
    if (s >= 0 && t >= 0 && s + t <= nn) {
      footU = s / nn;
      footV = t / nn;
      return h * h / nn;
    }
  } else if (nn > 0) {
    best = sliverDistanceSq(wx, wy, wz, ux, uy, uz, vx, vy, vz, nx, ny, nz, nn, PASSES);
    if (best < Infinity) { footU = weightU; footV = weightV; }
  }
  const onU = shareOf(wx * ux + wy * uy + wz * uz, uu);
  let d = square(wx - onU * ux, wy - onU * uy, wz - onU * uz);
  if (d < best) { best = d; footU = onU; footV = 0; }
  const onV = shareOf(wx * vx + wy * vy + wz * vz, vv);
  d = square(wx - onV * vx, wy - onV * vy, wz - onV * vz);
  if (d < best) { best = d; footU = 0; footV = onV; }
  const ex = vx - ux, ey = vy - uy, ez = vz - uz, fx = wx - ux, fy = wy - uy, fz = wz - uz;
  const onE = shareOf(fx * ex + fy * ey + fz * ez, ex * ex + ey * ey + ez * ez);
  d = square(fx - onE * ex, fy - onE * ey, fz - onE * ez);
  if (d < best) { best = d; footU = 1 - onE; footV = onE; }
  return best;
}

// @ts-ignore: decorator
@inline function square(x: f64, y: f64, z: f64): f64 { return x * x + y * y + z * z; }
/** Position of the closest point along an edge, from 0 to 1. */
// @ts-ignore: decorator
@inline function shareOf(along: f64, whole: f64): f64 { return along > 0 ? (along >= whole ? 1 : along / whole) : 0; }
