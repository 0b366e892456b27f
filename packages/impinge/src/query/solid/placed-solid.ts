/**
 * One object of a pair as a solid: where a point of the common frame lies, and which side of a triangle is inside.
 * Errs: a side is judged at a point a millionth of the triangle's height off its centre; what is thinner than that, or
 * cuts the triangle elsewhere, is not seen.
 */
import { IDENTITY, posePoint, type RigidPose } from '../../math/pose.js';
import { distanceTo, locatePoint, type PointLocation } from './locate.js';
import type { PlacedPair } from './placed-pair.js';
import type { Parts } from './point-query.js';

/** How far to step off a triangle, relative to its height. */
const STEP_ASIDE = 1e-6;
/** More than the rounding of a point on a triangle, relative to its coordinates. */
const ROUNDING = 1e-13;

export class PlacedSolid {
  readonly parts: Parts;
  pointTests = 0;
  readonly #toCommon: RigidPose;
  readonly #fromCommon: RigidPose;
  readonly #sides = new Map<number, boolean>();
  readonly #corners = new Float64Array(9);
  readonly #point = new Float64Array(3);
  readonly #stored = new Float64Array(3);

  /** The poses lead from the parts' stored numbers to the common frame and back. */
  constructor(parts: Parts, toCommon: RigidPose, fromCommon: RigidPose) {
    this.parts = parts;
    this.#toCommon = toCommon;
    this.#fromCommon = fromCommon;
  }

  /** Where the point at `at` lies. The parts must be closed. */
  locate(points: Float64Array, at: number): PointLocation {
    this.pointTests++;
    posePoint(this.#fromCommon, points[at], points[at + 1], points[at + 2], this.#stored, 0);
    return locatePoint(this.parts, this.#stored);
  }

  /** Whether the surface is farther than `distance` from a point. */
  isFartherThan(distance: number, point: Float64Array): boolean {
    posePoint(this.#fromCommon, point[0], point[1], point[2], this.#stored, 0);
    return distanceTo(this.parts, this.#stored) > distance;
  }

  /** Writes a triangle in the common frame. */
  writeTriangle(part: number, triangle: number, out: Float64Array): void {
    const { storedPositions: positions, storedIndices: indices } = this.parts.meshes[part];
    for (let k = 0; k < 3; k++) {
      const v = 3 * indices[3 * triangle + k];
      posePoint(this.#toCommon, positions[v], positions[v + 1], positions[v + 2], out, 3 * k);
    }
  }

  /** Whether the side of a triangle to which `normal` (along or against its own) points is inside. */
  isInsideBeside(part: number, triangle: number, normal: Float64Array): boolean {
    const c = this.#corners;
    this.writeTriangle(part, triangle, c);
    const own = normalOf(c, 0, c, 3, c, 6);
    const facing = own[0] * normal[0] + own[1] * normal[1] + own[2] * normal[2] > 0;
    // both sides are kept: of a face that is there twice, both are inside or neither
    const key = 2 * (part * 2 ** 28 + triangle) + (facing ? 1 : 0);
    let inside = this.#sides.get(key);
    if (inside === undefined) {
      for (let k = 0; k < 3; k++) this.#point[k] = (c[k] + c[3 + k] + c[6 + k]) / 3;
      inside = this.locateBeside(this.#point, normal, STEP_ASIDE * heightOf(c, own)) === 'inside';
      this.#sides.set(key, inside);
    }
    return inside;
  }

  /** Where the point a step from another one along a vector lies. */
  locateBeside(from: Float64Array, along: Float64Array, step: number): PointLocation {
    const length = Math.hypot(along[0], along[1], along[2]);
    const rounding = ROUNDING * (Math.abs(from[0]) + Math.abs(from[1]) + Math.abs(from[2]));
    const scale = length > 0 ? (step + Math.sign(step) * rounding) / length : 0;
    const point = Float64Array.of(
      from[0] + scale * along[0],
      from[1] + scale * along[1],
      from[2] + scale * along[2],
    );
    return this.locate(point, 0);
  }
}

/** Both objects of a pair. */
export function solidsOf({ a, b, pose, inverse }: PlacedPair): readonly [PlacedSolid, PlacedSolid] {
  const here = IDENTITY as RigidPose;
  return [new PlacedSolid(a.parts, here, here), new PlacedSolid(b.parts, pose, inverse)];
}

/** (q − p) × (r − p). */
export function normalOf(
  p: Float64Array,
  po: number,
  q: Float64Array,
  qo: number,
  r: Float64Array,
  ro: number,
): Float64Array {
  const ux = q[qo] - p[po];
  const uy = q[qo + 1] - p[po + 1];
  const uz = q[qo + 2] - p[po + 2];
  const vx = r[ro] - p[po];
  const vy = r[ro + 1] - p[po + 1];
  const vz = r[ro + 2] - p[po + 2];
  return Float64Array.of(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}

/** Of the triangle above its longest side. */
export function heightOf(c: Float64Array, normal: Float64Array): number {
  let longestSq = 0;
  for (let k = 0; k < 9; k += 3) {
    const j = (k + 3) % 9;
    const lengthSq = (c[j] - c[k]) ** 2 + (c[j + 1] - c[k + 1]) ** 2 + (c[j + 2] - c[k + 2]) ** 2;
    longestSq = Math.max(longestSq, lengthSq);
  }
  return longestSq > 0 ? Math.hypot(normal[0], normal[1], normal[2]) / Math.sqrt(longestSq) : 0;
}
