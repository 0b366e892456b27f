/**
 * Where a ray meets a triangle, decided without rounding: closed triangles, so that a ray through an edge meets both
 * its triangles. A ray in the plane of a triangle meets it where it enters it; degenerate triangles are segments and
 * points.
 *
 * Idea: all numbers become integers by one power of two. With corners A, B, C seen from the origin, the ray passes on
 * the same side of all edges where d·(B×C), d·(C×A) and d·(A×B) have no two different signs; their sum is d·n, and A·n
 * / d·n the distance to the plane. Errs: never about which triangles are hit; the numbers of the hit are rounded at the
 * end.
 */
import type { Coords } from '../../math/coords.js';
import { bitLength, toCommonIntegers } from '../../math/dyadic.js';

type Integers = readonly [bigint, bigint, bigint];
type Fraction = readonly [bigint, bigint];

/**
 * Which sides of a triangle count: −1 the ones facing the ray, +1 the ones facing away, 0 both, and triangles seen
 * edge-on.
 */
export type Facing = -1 | 0 | 1;

/**
 * Results of `hitRayTriangle`: `RAY_CROSSES` where the ray passes through, away from the rim and from its own origin.
 */
export const RAY_MISSES = 0;
export const RAY_TOUCHES = 1;
export const RAY_CROSSES = 2;

/**
 * Writes the distance along the ray (in lengths of its direction) at which it meets the triangle at `to`, at or after
 * `least`, and the weights of the second and third corner there. The ray is six numbers at `ro`: origin, direction.
 */
export function hitRayTriangle(
  ray: Coords,
  ro: number,
  triangle: Coords,
  to: number,
  facing: Facing,
  least: number,
  out: Float64Array,
): number {
  const numbers = new Float64Array(15);
  for (let i = 0; i < 6; i++) numbers[i] = ray[ro + i];
  for (let i = 0; i < 9; i++) numbers[6 + i] = triangle[to + i];
  const n = toCommonIntegers(numbers);
  const from = (at: number): Integers => [n[at] - n[0], n[at + 1] - n[1], n[at + 2] - n[2]];
  const corners = [from(6), from(9), from(12)] as const;
  const d: Integers = [n[3], n[4], n[5]];
  const [a, b, c] = corners;
  const faces = [cross(b, c), cross(c, a), cross(a, b)] as const;
  const [u, v, w] = faces.map((face) => dot(d, face));
  if ((u < 0n || v < 0n || w < 0n) && (u > 0n || v > 0n || w > 0n)) return RAY_MISSES;
  const det = u + v + w;
  if (det === 0n) return facing === 0 && hitInPlane(d, corners, least, out) ? RAY_TOUCHES : RAY_MISSES;
  if (facing !== 0 && facing < 0 !== det < 0n) return RAY_MISSES;
  const volume = dot(a, faces[0]);
  if (volume < 0n !== det < 0n && volume !== 0n) return RAY_MISSES;
  out[0] = quotient(volume, det);
  out[1] = quotient(v, det);
  out[2] = quotient(w, det);
  if (!(out[0] >= least)) return RAY_MISSES;
  return u !== 0n && v !== 0n && w !== 0n && volume !== 0n ? RAY_CROSSES : RAY_TOUCHES;
}

interface EdgeHit {
  readonly steps: Fraction;
  readonly edge: number;
  /** The position along the edge, as a share of its length. */
  readonly share: number;
}

/** The ray lies in the triangle's plane, or the triangle is degenerate: it meets it between two edges. */
function hitInPlane(
  d: Integers,
  corners: readonly [Integers, Integers, Integers],
  least: number,
  out: Float64Array,
): boolean {
  let first: EdgeHit | undefined;
  let last: EdgeHit | undefined;
  for (let edge = 0; edge < 3; edge++) {
    for (const hit of meetsEdge(d, corners[edge], corners[(edge + 1) % 3], edge)) {
      if (!first || compare(hit.steps, first.steps) < 0) first = hit;
      if (!last || compare(hit.steps, last.steps) > 0) last = hit;
    }
  }
  if (!first || !last || last.steps[0] < 0n) return false;
  const end = quotient(...last.steps);
  // of equal fractions, one may be rounded past the other
  const begin = Math.min(quotient(...first.steps), end);
  const at = Math.max(begin, least, 0);
  if (at > end) return false;
  const share = end > begin ? (at - begin) / (end - begin) : 0;
  out[0] = at;
  for (let k = 1; k < 3; k++) out[k] = (1 - share) * weightOf(first, k) + share * weightOf(last, k);
  return true;
}

/** The weight of a corner at a hit of an edge. */
function weightOf({ edge, share }: EdgeHit, corner: number): number {
  return corner === edge ? 1 - share : corner === (edge + 1) % 3 ? share : 0;
}

/** Where a line through 0 along d meets the segment from p to q, all in one plane: once, at both ends, or not. */
function meetsEdge(d: Integers, p: Integers, q: Integers, edge: number): EdgeHit[] {
  const onP = cross(d, p);
  const onQ = cross(d, q);
  const square = dot(d, d);
  const axis = [0, 1, 2].find((k) => onP[k] !== 0n || onQ[k] !== 0n);
  if (axis === undefined) {
    return [
      { steps: [dot(p, d), square], edge, share: 0 },
      { steps: [dot(q, d), square], edge, share: 1 },
    ];
  }
  const [s, t] = [onP[axis], onQ[axis]];
  if ((s < 0n && t < 0n) || (s > 0n && t > 0n)) return [];
  const apart = s - t;
  const steps: Fraction = [dot(q, d) * s - dot(p, d) * t, apart * square];
  return [{ steps: apart < 0n ? [-steps[0], -steps[1]] : steps, edge, share: quotient(s, apart) }];
}

/** The sign of a − b; denominators are positive. */
function compare(a: Fraction, b: Fraction): number {
  const difference = a[0] * b[1] - b[0] * a[1];
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function dot(a: Integers, b: Integers): bigint {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Integers, b: Integers): Integers {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** x / y to the last bits, whatever their magnitudes. */
function quotient(x: bigint, y: bigint): number {
  const excessX = Math.max(0, bitLength(x) - 64);
  const excessY = Math.max(0, bitLength(y) - 64);
  return (Number(x >> BigInt(excessX)) / Number(y >> BigInt(excessY))) * 2 ** (excessX - excessY);
}
