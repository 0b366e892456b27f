/**
 * Whether triangles are the whole surface of a convex solid, and its corners as kernels want them.
 *
 * A closed surface that has no corner in front of any of its facets lies on its hull. Corners may be in front by their
 * rounding: a hull holds the surface in any case, so what planes between hulls prove is certain, and what is near its
 * hull by rounding is found by it.
 */
import { MOST_HULL_TRIANGLES, MOST_HULL_VERTICES } from '../exact/layout.generated.js';

/** Relative to the largest coordinate: how far corners may be in front of facets. */
const GRAIN = 2 ** -18;

/** Rows of float32, each the x, y or z of all vertices, in the coordinates of the mesh. */
export interface ConvexRows {
  readonly rows: Float32Array;
  /** Numbers in a row: even, the last vertex may occur twice. */
  readonly stride: number;
  /** How far corners are in front of facets. */
  readonly off: number;
}

interface ClosedTriangles {
  /** About a centre. */
  readonly vertices: Float64Array;
  readonly corners: Uint32Array;
  /** Unit normal and offset of the facet of each; all zero where that has no area. */
  readonly planes: Float64Array;
  readonly facet: Uint32Array;
}

/** Undefined where closed triangles are not convex, or too many; `fromOrigin` leads from there to the centre. */
export function convexRows(
  { vertices: x, corners, planes, facet }: ClosedTriangles,
  fromOrigin: ArrayLike<number>,
): ConvexRows | undefined {
  const count = x.length / 3;
  const stride = 2 * Math.ceil(count / 2);
  if (stride > MOST_HULL_VERTICES || facet.length > MOST_HULL_TRIANGLES) return undefined;
  const used = new Uint8Array(count);
  let largest = 0;
  for (const v of corners) {
    used[v] = 1;
    for (let k = 0; k < 3; k++) largest = Math.max(largest, Math.abs(x[3 * v + k] + fromOrigin[k]));
  }
  let off = 0;
  for (let t = 0; t < facet.length; t++) {
    if (facet[t] !== t) continue;
    const [nx, ny, nz, offset] = planes.subarray(4 * t, 4 * t + 4);
    for (let v = 0; v < count; v++)
      if (used[v]) off = Math.max(off, nx * x[3 * v] + ny * x[3 * v + 1] + nz * x[3 * v + 2] - offset);
    if (off > GRAIN * largest) return undefined;
  }
  const rows = new Float32Array(3 * stride);
  for (let i = 0; i < stride; i++) {
    const v = i < count && used[i] ? i : corners[0];
    for (let k = 0; k < 3; k++) rows[k * stride + i] = x[3 * v + k] + fromOrigin[k];
  }
  return { rows, stride, off };
}
