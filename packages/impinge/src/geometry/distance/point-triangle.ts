/**
 * The point of a triangle closest to a given one. The triangle may be a sliver, a segment or a point.
 *
 * Over the face, barycentric coordinates come from cross products with the normal. For slivers these are coarse,
 * so the residual is projected again, a few times, and the best point of the three edges competes with the result.
 * Features: 0 … 2 vertex i, 3 … 5 edge i − 3 (edge i joins vertices i and i + 1 mod 3), 6 the face.
 * Errs: by less than 1e-13 times the extent of point and triangle.
 */
import type { Coords } from '../../math/coords.js';
import { distanceSqSegmentSegment } from './segment-segment.js';

/** The feature code of the face. */
export const FACE = 6;

/** Squared sine of the angle at vertex 0 below which a triangle is treated as a sliver. */
export const SLIVER = 1e-4;

/** Each pass leaves 2⁻⁵³ / sine of the error; eight suffice down to sines that float64 can distinguish from zero. */
const SLIVER_PASSES = 8;

/**
 * Writes the point of the triangle closest to the point at `po` to out[oo .. oo + 3) and returns its feature.
 */
export function closestPointOnTriangle(
  p: Coords,
  po: number,
  t: Coords,
  to: number,
  out: Float64Array,
  oo: number,
): number {
  const witness = new Float64Array(8);
  distanceSqPointTriangle(p, po, t, to, witness);
  for (let k = 0; k < 3; k++) out[oo + k] = witness[3 + k];
  return witness[7];
}

/**
 * The squared distance of the point at `po` from a triangle. `out`, eight numbers when given, receives the point
 * itself, the closest point of the triangle, 0, and the triangle's feature.
 */
export function distanceSqPointTriangle(
  p: Coords,
  po: number,
  t: Coords,
  to: number,
  out?: Float64Array,
): number {
  const x = p[po] - t[to];
  const y = p[po + 1] - t[to + 1];
  const z = p[po + 2] - t[to + 2];
  const ux = t[to + 3] - t[to];
  const uy = t[to + 4] - t[to + 1];
  const uz = t[to + 5] - t[to + 2];
  const vx = t[to + 6] - t[to];
  const vy = t[to + 7] - t[to + 1];
  const vz = t[to + 8] - t[to + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  let face = Infinity;
  let rx = x;
  let ry = y;
  let rz = z;
  if (nn > 0) {
    const sliver = nn < SLIVER * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz);
    let beta = 0;
    let gamma = 0;
    for (let pass = sliver ? SLIVER_PASSES : 1; pass > 0; pass--) {
      beta += ((ry * vz - rz * vy) * nx + (rz * vx - rx * vz) * ny + (rx * vy - ry * vx) * nz) / nn;
      gamma += ((uy * rz - uz * ry) * nx + (uz * rx - ux * rz) * ny + (ux * ry - uy * rx) * nz) / nn;
      rx = x - (beta * ux + gamma * vx);
      ry = y - (beta * uy + gamma * vy);
      rz = z - (beta * uz + gamma * vz);
    }
    if (beta >= 0 && gamma >= 0 && beta + gamma <= 1) {
      face = rx * rx + ry * ry + rz * rz;
      if (out !== undefined) {
        for (let k = 0; k < 3; k++) out[k] = p[po + k];
        out[6] = 0;
        out[3] = t[to] + (beta * ux + gamma * vx);
        out[4] = t[to + 1] + (beta * uy + gamma * vy);
        out[5] = t[to + 2] + (beta * uz + gamma * vz);
        out[7] = FACE;
      }
      if (!sliver) return face;
    }
  }
  return nearestEdge(p, po, t, to, face, out);
}

/** The best of the three edges if it beats `best`, else `best` with `out` as it is. */
function nearestEdge(
  p: Coords,
  po: number,
  t: Coords,
  to: number,
  best: number,
  out: Float64Array | undefined,
): number {
  let edge = -1;
  for (let i = 0; i < 3; i++) {
    const d = distanceSqSegmentSegment(p, po, po, t, to + 3 * i, to + 3 * ((i + 1) % 3));
    if (d < best) {
      best = d;
      edge = i;
    }
  }
  if (edge >= 0 && out !== undefined) {
    distanceSqSegmentSegment(p, po, po, t, to + 3 * edge, to + 3 * ((edge + 1) % 3), out);
    out[7] = edgeFeature(edge, out[7]);
  }
  return best;
}

/** The triangle's feature for a feature (0 or 1 an end, 2 between them) of its edge `edge`. */
export function edgeFeature(edge: number, feature: number): number {
  return feature === 2 ? 3 + edge : (edge + feature) % 3;
}
