/**
 * What of a body must keep clear where it walks: all above a height. What is below is pressed flat to that height, so
 * that a closed body stays closed, and nothing of its outline is lost; triangles that cross it are cut there.
 *
 * Cuts of one edge are the same in both of its triangles, whichever way these go along it.
 * Errs: by the rounding of a mesh, `rounding`.
 */
import { Mesh, type Vec3 } from 'impinge';
import { dot, plus } from 'impinge/internal/query/walk/vectors.js';

/** Of the largest coordinate: float32, and the differences of those who cut. */
const ROUNDING = 2 ** -22;

export interface Trunk {
  readonly mesh: Mesh;
  /** No point of it is farther from where it should be. */
  readonly rounding: number;
}

/** `level`: how high the cut is, along the unit vector `up`. */
export function trunkOf(body: Mesh, up: Vec3, level: number): Trunk {
  const { storedPositions: p, storedIndices, origin } = body;
  const corner = (v: number): Vec3 => [
    p[3 * v] + origin[0],
    p[3 * v + 1] + origin[1],
    p[3 * v + 2] + origin[2],
  ];
  const above = (point: Vec3) => dot(point, up) - level;
  const positions: number[] = [];
  const addFan = (points: readonly Vec3[]) => {
    for (let i = 2; i < points.length; i++) positions.push(...points[0], ...points[i - 1], ...points[i]);
  };
  for (let t = 0; t < storedIndices.length; t += 3) {
    const corners = [0, 1, 2].map((k) => corner(storedIndices[t + k]));
    const upper: Vec3[] = [];
    const lower: Vec3[] = [];
    for (let k = 0; k < 3; k++) {
      const [a, b] = [corners[k], corners[(k + 1) % 3]];
      const [heightA, heightB] = [above(a), above(b)];
      if (heightA >= 0) upper.push(a);
      if (heightA <= 0) lower.push(plus(a, up, -heightA));
      if (heightA * heightB >= 0) continue;
      const cut = isBefore(a, b) ? between(a, heightA, b, heightB) : between(b, heightB, a, heightA);
      upper.push(cut);
      lower.push(cut);
    }
    addFan(upper);
    if (!corners.every((point) => above(point) >= 0)) addFan(lower);
  }
  const mesh = Mesh.from({ positions, name: body.name });
  const { min, max } = mesh.box;
  const far = [...min, ...max].reduce((most, x, k) => Math.max(most, Math.abs(x - mesh.origin[k % 3])), 0);
  return { mesh, rounding: ROUNDING * far };
}

/** Where the height is 0. */
function between(a: Vec3, heightA: number, b: Vec3, heightB: number): Vec3 {
  return plus(a, plus(b, a, -1), heightA / (heightA - heightB));
}

function isBefore(a: Vec3, b: Vec3): boolean {
  const k = a[0] !== b[0] ? 0 : a[1] !== b[1] ? 1 : 2;
  return a[k] < b[k];
}
