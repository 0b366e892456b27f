/**
 * Convex shapes for the kernel: the planes around points, and which of them share an edge.
 *
 * Idea: a plane is good for keeping things off whatever its normal is, as long as all points are below it. What is
 * below all planes by more than they differ from the exact faces is inside. So planes of faces that nearly coincide are
 * one. The planes of a box are known without looking for faces at all (kernels/shapes/place-box.ts). Errs: exact
 * decisions (exact-shape.ts) are about the hull of the very points given here.
 */
import { HullBuilder } from '../../geometry/hull/hull-builder.js';
import { ROUNDING } from './layout.generated.js';
import type { ConvexShape } from './local-shape.js';

/** Normals and offsets that differ by less, relatively, are of one plane. */
const SAME = 1e-12;

/** The largest of the numbers, in size. */
export function largest(numbers: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i++) most = Math.max(most, Math.abs(numbers[i]));
  return most;
}

function boxAround(points: Float64Array): number[] {
  const box = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < 3; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = k; i < points.length; i += 3) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    box[k] = low;
    box[3 + k] = high;
  }
  return box;
}

/**
 * Writes the plane through three points, above all of them, for a shape that extends by `extent` beyond their triangle.
 * Returns how wide that is; 0: it has no plane.
 */
function writePlane(
  points: Float64Array,
  a: number,
  b: number,
  c: number,
  out: Float64Array,
  at: number,
  most: number,
  extent: number,
): number {
  const [x, y, z] = [points[3 * a], points[3 * a + 1], points[3 * a + 2]];
  const [ux, uy, uz] = [points[3 * b] - x, points[3 * b + 1] - y, points[3 * b + 2] - z];
  const [vx, vy, vz] = [points[3 * c] - x, points[3 * c + 1] - y, points[3 * c + 2] - z];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(nx, ny, nz);
  const longer = Math.max(Math.hypot(ux, uy, uz), Math.hypot(vx, vy, vz));
  if (!(length > 0)) return 0;
  const width = length / longer;
  out[at] = nx / length;
  out[at + 1] = ny / length;
  out[at + 2] = nz / length;
  out[at + 3] = highestAlong(points, out, at) + ROUNDING * most;
  out[at + 4] = innerMargin(points, [a, b, c], out, at, most, Math.max(longer, extent) / width);
  return width;
}

function along(points: Float64Array, i: number, planes: Float64Array, at: number): number {
  return planes[at] * points[3 * i] + planes[at + 1] * points[3 * i + 1] + planes[at + 2] * points[3 * i + 2];
}

function highestAlong(points: Float64Array, planes: Float64Array, at: number): number {
  let highest = -Infinity;
  for (let i = 0; i < points.length / 3; i++) highest = Math.max(highest, along(points, i, planes, at));
  return highest;
}

/**
 * How far below a plane a point must be to be below a face for certain: what the face's corners are below the plane,
 * and what rounding turns its normal by, over the shape's extent. `reach` is that extent in widths of the face.
 */
function innerMargin(
  points: Float64Array,
  corners: readonly number[],
  planes: Float64Array,
  at: number,
  most: number,
  reach: number,
): number {
  const lowest = Math.min(...corners.map((i) => along(points, i, planes, at)));
  return planes[at + 3] - lowest + 4 * ROUNDING * most * (1 + reach);
}

/** What is below one plane: normal · p ≤ offset. */
export function halfSpaceShape(normal: readonly number[], offset: number, size: number): ConvexShape {
  const length = Math.hypot(...normal);
  const distance = offset / length;
  const blur = ROUNDING * Math.max(size, Math.abs(distance));
  return {
    kind: 2,
    points: new Float64Array(0),
    planes: Float64Array.of(normal[0] / length, normal[1] / length, normal[2] / length, distance, 2 * blur),
    edges: new Uint32Array(0),
    faces: new Uint32Array(0),
    box: Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity),
    blur,
  };
}

/** The hull of any points; they may lie in a plane, on a line, or all in one place. */
export function hullShape(points: Float64Array, size: number): ConvexShape {
  const faces = facesOfHull(points);
  const most = Math.max(size, largest(points));
  const box = boxAround(points);
  const extent = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const planes: number[] = [];
  const planeOf: number[] = [];
  const one = new Float64Array(5);
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = faces.subarray(f, f + 3);
    const width = writePlane(points, a, b, c, one, 0, most, extent);
    // a face without a plane in float64: nothing is inside for certain
    if (width === 0) one.set([1, 0, 0, box[3] + ROUNDING * most, Infinity]);
    let same = planes.findIndex(
      (_, i) => i % 5 === 0 && [0, 1, 2].every((k) => Math.abs(planes[i + k] - one[k]) < SAME),
    );
    if (same < 0) {
      same = planes.length;
      planes.push(...one);
    } else {
      const tilt = Math.hypot(planes[same] - one[0], planes[same + 1] - one[1], planes[same + 2] - one[2]);
      const kept = Float64Array.from(planes.slice(same, same + 5));
      const margin = innerMargin(points, [a, b, c], kept, 0, most, extent / width) + tilt * extent;
      planes[same + 4] = Math.max(planes[same + 4], width > 0 ? margin : Infinity);
    }
    planeOf.push(same / 5);
  }
  if (planes.length === 0) planes.push(1, 0, 0, box[3] + ROUNDING * most, Infinity);
  return {
    kind: 2,
    points,
    planes: Float64Array.from(planes),
    edges: edgesOf(faces, planeOf),
    faces: faces.length > 0 ? faces : lineFaces(points),
    box,
    blur: ROUNDING * most,
  };
}

/** Its arrays take longer to make than a small hull. */
const hull = new HullBuilder();

/** Triangles of the hull's surface by exact signs, as corners; none where all points are on a line. */
export function facesOfHull(points: Float64Array): Uint32Array {
  const seen = new Set<string>();
  const ids: number[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const name = `${points[i] + 0} ${points[i + 1] + 0} ${points[i + 2] + 0}`;
    if (!seen.has(name)) ids.push(i / 3);
    seen.add(name);
  }
  hull.build(points, ids, ids.length);
  return Uint32Array.from(hull.corners.subarray(0, 3 * hull.faceCount));
}

/** Points on a line as a triangle without area. */
function lineFaces(points: Float64Array): Uint32Array {
  let least = 0;
  let most = 0;
  const isBefore = (i: number, j: number): boolean => {
    for (let k = 0; k < 3; k++)
      if (points[3 * i + k] !== points[3 * j + k]) return points[3 * i + k] < points[3 * j + k];
    return false;
  };
  for (let i = 1; i < points.length / 3; i++) {
    if (isBefore(i, least)) least = i;
    if (isBefore(most, i)) most = i;
  }
  return Uint32Array.of(least, most, most);
}

/** Pairs of different planes whose faces share an edge. */
function edgesOf(faces: Uint32Array, planeOf: readonly number[]): Uint32Array {
  const beside = new Map<string, number>();
  const pairs = new Map<string, readonly [number, number]>();
  for (let i = 0; i < faces.length; i++) {
    const [from, to] = [faces[i], faces[i % 3 === 2 ? i - 2 : i + 1]];
    const plane = planeOf[Math.floor(i / 3)];
    const other = beside.get(`${to} ${from}`);
    if (other === undefined) beside.set(`${from} ${to}`, plane);
    else if (other !== plane)
      pairs.set(`${Math.min(plane, other)} ${Math.max(plane, other)}`, [plane, other]);
  }
  return Uint32Array.from([...pairs.values()].flat());
}
