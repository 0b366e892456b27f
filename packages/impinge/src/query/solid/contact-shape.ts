/**
 * Length, middle, normal and box of a contact region.
 *
 * Normal: the surfaces run through each other along closed curves, and the area vector of a patch depends on its
 * border only. So the curve itself, run through with a's surface on one side, gives the mean normal of the patches
 * it encloses on both meshes; no patch has to be built, and refining the meshes does not change it.
 * Where a curve is open or encloses nothing to speak of, the normals of the triangles along it are averaged.
 */
import { ImpingeError } from '../../base/errors.js';
import type { Vec3 } from '../../math/pose.js';
import type { Curve } from './contact-curves.js';
import type { ContactPieces } from './contact-pieces.js';

/** An area vector shorter than this share of the curve's length squared says nothing about direction. */
const NO_AREA = 1e-3;

function gap(points: Float64Array, n: number, m: number): number {
  return Math.hypot(
    points[3 * m] - points[3 * n],
    points[3 * m + 1] - points[3 * n + 1],
    points[3 * m + 2] - points[3 * n + 2],
  );
}

export function lengthOf({ nodes, closed }: Curve, points: Float64Array): number {
  let length = closed ? gap(points, nodes[nodes.length - 1], nodes[0]) : 0;
  for (let i = 1; i < nodes.length; i++) length += gap(points, nodes[i - 1], nodes[i]);
  return length;
}

/** Half way along the longest curve; where there is none, the point of touch. */
export function middleOfCurves(
  own: readonly number[],
  curves: readonly Curve[],
  lengths: readonly number[],
  { points, first }: ContactPieces,
): Vec3 {
  if (curves.length === 0) {
    const at = 3 * first[own[0]];
    return [points[at], points[at + 1], points[at + 2]];
  }
  const longest = lengths.reduce((best, length, i) => (length > lengths[best] ? i : best), 0);
  const { nodes } = curves[longest];
  let left = lengths[longest] / 2;
  for (let i = 1; i <= nodes.length; i++) {
    const from = nodes[i - 1];
    const to = nodes[i % nodes.length];
    const step = gap(points, from, to);
    if (step >= left || i === nodes.length) {
      const s = step > 0 ? Math.min(1, left / step) : 0;
      const along = (k: number) => points[3 * from + k] + s * (points[3 * to + k] - points[3 * from + k]);
      return [along(0), along(1), along(2)];
    }
    left -= step;
  }
  throw new ImpingeError('bad-input', 'a contact curve without points');
}

/** The centre of the largest polygon that two triangles share. */
export function middleOfArea(own: readonly number[], { points, first }: ContactPieces): Vec3 {
  let most = -1;
  let middle: Vec3 = [0, 0, 0];
  for (const pair of own) {
    const count = first[pair + 1] - first[pair];
    if (count < 3) continue;
    const area = Math.hypot(...polygonArea(points, first[pair], count));
    if (area <= most) continue;
    most = area;
    const mean = (k: number) => {
      let sum = 0;
      for (let c = first[pair]; c < first[pair + 1]; c++) sum += points[3 * c + k];
      return sum / count;
    };
    middle = [mean(0), mean(1), mean(2)];
  }
  return middle;
}

function polygonArea(points: Float64Array, from: number, count: number): [number, number, number] {
  const area: [number, number, number] = [0, 0, 0];
  for (let i = 1; i + 1 < count; i++) addHalfCross(points, from, from + i, from + i + 1, 1, area);
  return area;
}

/** Adds half of (p − o) × (q − o), times a sign. */
function addHalfCross(
  points: Float64Array,
  o: number,
  p: number,
  q: number,
  sign: number,
  out: [number, number, number],
): void {
  const u = [0, 1, 2].map((k) => points[3 * p + k] - points[3 * o + k]);
  const v = [0, 1, 2].map((k) => points[3 * q + k] - points[3 * o + k]);
  for (let k = 0; k < 3; k++) {
    out[k] += 0.5 * sign * (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
  }
}

/** Unit vector: the way to push b out of a. `facing` turns the triangles' normals outwards. */
export function pushDirection(
  own: readonly number[],
  { points, first, normals }: ContactPieces,
  [facingA, facingB]: readonly [number, number],
  loops: boolean,
): Vec3 {
  const area: [number, number, number] = [0, 0, 0];
  // of what meets in points, in segments and in polygons
  const means: [number, number, number][] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  let length = 0;
  for (const pair of own) {
    const from = first[pair];
    const count = first[pair + 1] - from;
    const a = normals.subarray(6 * pair, 6 * pair + 3);
    const b = normals.subarray(6 * pair + 3, 6 * pair + 6);
    let weight = 1;
    if (count === 2) {
      weight = gap(points, from, from + 1);
      length += weight;
      // run through the segment along a's normal × b's
      let along = 0;
      for (let k = 0; k < 3; k++) {
        const turn = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        along += turn * (points[3 * from + 3 + k] - points[3 * from + k]);
      }
      addHalfCross(points, first[own[0]], from, from + 1, Math.sign(along) * facingA * facingB, area);
    } else if (count > 2) weight = Math.hypot(...polygonArea(points, from, count));
    const mean = means[Math.min(count, 3) - 1];
    for (let k = 0; k < 3; k++) mean[k] += weight * (facingA * a[k] - facingB * b[k]);
  }
  if (loops && Math.hypot(...area) > NO_AREA * length * length) return unit(area);
  return unit(means[2].some((x) => x !== 0) ? means[2] : means[1].some((x) => x !== 0) ? means[1] : means[0]);
}

export function unit([x, y, z]: Vec3): Vec3 {
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : [0, 0, 0];
}

export function boxOf(
  own: readonly number[],
  { points, first }: ContactPieces,
  toWorld: (x: number, y: number, z: number) => Vec3,
): { min: Vec3; max: Vec3 } {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const pair of own) {
    for (let c = first[pair]; c < first[pair + 1]; c++) {
      const p = toWorld(points[3 * c], points[3 * c + 1], points[3 * c + 2]);
      for (let k = 0; k < 3; k++) {
        min[k] = Math.min(min[k], p[k]);
        max[k] = Math.max(max[k], p[k]);
      }
    }
  }
  return { min, max };
}
