/**
 * The distance of two segments of space, either of which may be a point.
 *
 * With s the parameter of the closest point on the first line, clamped, the second segment's parameter follows,
 * is clamped, and corrects s once: that is the optimum. The textbook quotient for s cancels when the segments
 * are nearly parallel, so there it is taken from cross products: the wrong s that rounding leaves then changes
 * the distance by no more than rounding.
 * Layout: `out` receives the point on the first segment, the point on the second, and the two features: 0 or 1
 * an end, 2 between them. Eight numbers.
 * Errs: by less than 1e-13 times the pair's extent.
 */
import type { Coords } from '../../math/coords.js';

/** Squared sine of the angle below which two directions count as nearly parallel. */
export const NEARLY_PARALLEL = 1e-2;

/**
 * The squared distance of the segments p0 p1 and q0 q1 (offsets of their ends in `p` and `q`); witness points and
 * features go to `out` when given.
 */
export function distanceSqSegmentSegment(
  p: Coords,
  p0: number,
  p1: number,
  q: Coords,
  q0: number,
  q1: number,
  out?: Float64Array,
): number {
  const s = closestParameter(p, p0, p1, q, q0, q1);
  // relative to q0, so that far from the origin no digit is lost
  const dx = q[q1] - q[q0];
  const dy = q[q1 + 1] - q[q0 + 1];
  const dz = q[q1 + 2] - q[q0 + 2];
  const rx = p[p0] - q[q0] + s * (p[p1] - p[p0]);
  const ry = p[p0 + 1] - q[q0 + 1] + s * (p[p1 + 1] - p[p0 + 1]);
  const rz = p[p0 + 2] - q[q0 + 2] + s * (p[p1 + 2] - p[p0 + 2]);
  const lengthSq = dx * dx + dy * dy + dz * dz;
  const t = lengthSq > 0 ? clamp01((dx * rx + dy * ry + dz * rz) / lengthSq) : 0;
  if (out !== undefined) {
    writeAlong(p, p0, p1, s, out, 0);
    writeAlong(q, q0, q1, t, out, 3);
    out[6] = s === 0 ? 0 : s === 1 ? 1 : 2;
    out[7] = t === 0 ? 0 : t === 1 ? 1 : 2;
  }
  return (rx - t * dx) ** 2 + (ry - t * dy) ** 2 + (rz - t * dz) ** 2;
}

/** The point at parameter s of p0 p1; at the ends, the end itself. */
function writeAlong(p: Coords, p0: number, p1: number, s: number, out: Float64Array, oo: number): void {
  for (let k = 0; k < 3; k++) out[oo + k] = s === 1 ? p[p1 + k] : p[p0 + k] + s * (p[p1 + k] - p[p0 + k]);
}

/** The parameter in [0, 1] of the point of p0 p1 that is closest to q0 q1. */
export function closestParameter(
  p: Coords,
  p0: number,
  p1: number,
  q: Coords,
  q0: number,
  q1: number,
): number {
  const ux = p[p1] - p[p0];
  const uy = p[p1 + 1] - p[p0 + 1];
  const uz = p[p1 + 2] - p[p0 + 2];
  const vx = q[q1] - q[q0];
  const vy = q[q1 + 1] - q[q0 + 1];
  const vz = q[q1 + 2] - q[q0 + 2];
  const rx = p[p0] - q[q0];
  const ry = p[p0 + 1] - q[q0 + 1];
  const rz = p[p0 + 2] - q[q0 + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  if (uu === 0) return 0;
  const ur = ux * rx + uy * ry + uz * rz;
  if (vv === 0) return clamp01(-ur / uu);
  const uv = ux * vx + uy * vy + uz * vz;
  const vr = vx * rx + vy * ry + vz * rz;
  const denominator = uu * vv - uv * uv;
  let s: number;
  if (denominator > NEARLY_PARALLEL * uu * vv) s = clamp01((uv * vr - ur * vv) / denominator);
  else {
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const nn = nx * nx + ny * ny + nz * nz;
    const along = (ry * vz - rz * vy) * nx + (rz * vx - rx * vz) * ny + (rx * vy - ry * vx) * nz;
    s = nn > 0 ? clamp01(-along / nn) : 0;
  }
  const t = (uv * s + vr) / vv;
  if (t < 0) return clamp01(-ur / uu);
  if (t > 1) return clamp01((uv - ur) / uu);
  return s;
}

function clamp01(x: number): number {
  return x <= 0 ? 0 : Math.min(x, 1);
}
