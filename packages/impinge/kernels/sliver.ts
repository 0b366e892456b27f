/**
 * Points over the face of a triangle that is too thin for precise barycentric coordinates.
 *
 * Idea: the residual of a projection, apart from the normal, is projected again; the rounding of each pass is relative
 * to the residual instead of the distance.
 */

/** The residual of the last pass, from the face to the point; and the weights of u and v at the foot point. */
export let residualX: f64 = 0, residualY: f64 = 0, residualZ: f64 = 0;
export let weightU: f64 = 0, weightV: f64 = 0;

/**
 * The squared distance of the point w from the face spanned by u and v, with normal n = u × v; Infinity if its foot
 * point is not on the face. All are relative to the corner where u and v begin.
 */
// @ts-ignore: decorator
@inline export function sliverDistanceSq(
  wx: f64, wy: f64, wz: f64, ux: f64, uy: f64, uz: f64, vx: f64, vy: f64, vz: f64,
  nx: f64, ny: f64, nz: f64, nn: f64, passes: i32,
): f64 {
  let s: f64 = 0, t: f64 = 0, rx = wx, ry = wy, rz = wz;
  for (let pass = 0; pass < passes; pass++) {
    s += ((ry * vz - rz * vy) * nx + (rz * vx - rx * vz) * ny + (rx * vy - ry * vx) * nz) / nn;
    t += ((uy * rz - uz * ry) * nx + (uz * rx - ux * rz) * ny + (ux * ry - uy * rx) * nz) / nn;
    rx = wx - (s * ux + t * vx);
    ry = wy - (s * uy + t * vy);
    rz = wz - (s * uz + t * vz);
  }
  if (!(s >= 0 && t >= 0 && s + t <= 1)) return Infinity;
  residualX = rx; residualY = ry; residualZ = rz;
  weightU = s; weightV = t;
  return rx * rx + ry * ry + rz * rz;
}
