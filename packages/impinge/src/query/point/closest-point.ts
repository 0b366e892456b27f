/** The point of a mesh closest to a given one, singly and for many at once. */
import { arena } from '../../base/arena.js';
import { distanceSqPointTriangle } from '../../geometry/distance/point-triangle.js';
import { kernelSupported } from '../../kernel/kernel.js';
import type { Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { boxTreeOf } from '../ray/box-tree.js';
import { type Hit, readHit } from '../ray/cast.js';
import { writePlace } from '../ray/hit-point.js';
import { type HitTarget, writeHit } from '../ray/into.js';
import { HIT_BYTES, R, RAY_BYTES } from '../ray/layout.generated.js';
import { CHUNK, NO_TRIANGLE, RayBlock } from '../ray/ray-block.js';
import type { Place, PlaceColumns, Target } from '../target.js';
import { pointsKernels } from './kernels.generated.js';
import { writePoint } from './point-input.js';

export type ClosestPointResult<T extends Target = Mesh> = Place<T> & {
  readonly distance: number;
  readonly point: Vec3;
  readonly triangle: number;
  /** Weights of the triangle's corners; they add up to 1. */
  readonly barycentrics: Vec3;
  /** The triangle's, of length 1; zero where it has none. */
  readonly normal: Vec3;
};

/** Closest points of many, as columns. */
export type ClosestPoints<T extends Target = Mesh> = PlaceColumns<T> & {
  /** Infinity and −1 where nothing is near enough. */
  readonly distances: Float64Array;
  readonly triangles: Int32Array;
  /** Three numbers for each; NaN where nothing is near enough. */
  readonly points: Float64Array;
};

/** Finds the point of a mesh closest to a point of its own frame, or undefined where none is within `atMost`. */
export function closestPoint(
  mesh: Mesh,
  point: ArrayLike<number>,
  atMost: number,
): ClosestPointResult | undefined {
  const block = RayBlock.take();
  try {
    block.ask.atMost = atMost;
    block.ask.place(undefined);
    return closestOn(mesh, point, block, undefined) as ClosestPointResult | undefined;
  } finally {
    block.release();
  }
}

/** The same of a mesh that is where the block says, rigidly: a new answer, or written into another. */
export function closestOn(
  mesh: Mesh,
  point: ArrayLike<number>,
  block: RayBlock,
  into: HitTarget | undefined,
): HitTarget | undefined {
  const { ask, place } = block;
  findClosest(mesh, point, 0, 1, block);
  const hit = readHit(block, 0, block.hit);
  if (hit.triangle === NO_TRIANGLE || hit.distance > ask.atMost) return undefined;
  writePlace(mesh, ask.pose, hit, place);
  return writeHit(into, hit, place);
}

/** The same for many points, three numbers each, with typed arrays for answers. */
export function closestPoints(mesh: Mesh, points: ArrayLike<number>, block: RayBlock): ClosestPoints {
  const count = points.length / 3;
  const out = {
    distances: new Float64Array(count).fill(Infinity),
    triangles: new Int32Array(count).fill(-1),
    points: new Float64Array(3 * count).fill(Number.NaN),
  };
  eachClosest(mesh, points, block, (i, hit) => {
    out.distances[i] = hit.distance;
    out.triangles[i] = hit.triangle;
    writePlace(mesh, block.ask.pose, hit, block.place);
    for (let k = 0; k < 3; k++) out.points[3 * i + k] = block.place[k];
  });
  return out;
}

/** Visits the closest point of each that has one near enough. */
export function eachClosest(
  mesh: Mesh,
  points: ArrayLike<number>,
  block: RayBlock,
  visit: (i: number, hit: Hit) => void,
): void {
  const count = points.length / 3;
  for (let from = 0; from < count; from += CHUNK) {
    const size = Math.min(CHUNK, count - from);
    findClosest(mesh, points, from, size, block);
    for (let i = 0; i < size; i++) {
      const hit = readHit(block, i, block.hit);
      if (hit.triangle !== NO_TRIANGLE && hit.distance <= block.ask.atMost) visit(from + i, hit);
    }
  }
}

/** Finds the closest of each of `size` points from `from` on, and writes them where the kernel does. */
function findClosest(
  mesh: Mesh,
  points: ArrayLike<number>,
  from: number,
  size: number,
  { ask: { local, atMost }, block, rays, hits }: RayBlock,
): void {
  const kernels = kernelSupported();
  const tree = kernels ? boxTreeOf(mesh) : 0;
  const doubles = arena().f64();
  for (let i = 0; i < size; i++) {
    const at = (rays + RAY_BYTES * i) >>> 3;
    writePoint(points, from + i, local, mesh.origin, doubles, at);
    doubles[at + 7] = atMost;
    if (!kernels) closestPortable(mesh, doubles, at, (hits + HIT_BYTES * i) >>> 3);
  }
  if (!kernels) return;
  const words = arena().u32();
  words[(block + R.mesh) >>> 2] = mesh.block;
  words[(block + R.tree) >>> 2] = tree;
  words[(block + R.count) >>> 2] = size;
  pointsKernels.kernels().nearestPoints(block);
}

/** Every triangle, in float64. */
function closestPortable(mesh: Mesh, doubles: Float64Array, at: number, hit: number): void {
  const { storedPositions: positions, storedIndices: indices, triangleCount } = mesh;
  const corners = new Float64Array(9);
  const out = new Float64Array(8);
  const words = arena().i32();
  let best = Infinity;
  words[2 * hit + 6] = NO_TRIANGLE;
  for (let t = 0; t < triangleCount; t++) {
    for (let k = 0; k < 9; k++) corners[k] = positions[3 * indices[3 * t + Math.floor(k / 3)] + (k % 3)];
    const square = distanceSqPointTriangle(doubles, at, corners, 0, out);
    if (square >= best) continue;
    best = square;
    const [u, v] = weightsAt(corners, out.subarray(3, 6));
    doubles[hit] = Math.sqrt(square);
    doubles[hit + 1] = u;
    doubles[hit + 2] = v;
    words[2 * hit + 6] = t;
    words[2 * hit + 8] = 0;
  }
}

/**
 * Weights of the second and third corner at a point of a triangle, by areas; of one without area, along its longer
 * edge.
 */
export function weightsAt(t: Float64Array, p: Float64Array): [number, number] {
  const u = [t[3] - t[0], t[4] - t[1], t[5] - t[2]];
  const v = [t[6] - t[0], t[7] - t[1], t[8] - t[2]];
  const w = [p[0] - t[0], p[1] - t[1], p[2] - t[2]];
  const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [uu, uv, vv, wu, wv] = [dot(u, u), dot(u, v), dot(v, v), dot(w, u), dot(w, v)];
  const whole = uu * vv - uv * uv;
  if (whole > 0) return [(wu * vv - wv * uv) / whole, (wv * uu - wu * uv) / whole];
  if (uu === 0 && vv === 0) return [0, 0];
  return uu >= vv ? [wu / uu, 0] : [0, wv / vv];
}
