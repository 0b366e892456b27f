/**
 * How far shapes are from meshes: 0 where they meet, which is decided as `meetsShape` does, else the distance of the
 * triangle that is closest to the shape's core, less the radius of a sphere or capsule.
 */
import { readAtMost, readBag } from '../../base/options.js';
import { distanceSqSegmentTriangle } from '../../geometry/distance/segment-triangle.js';
import { distanceSqTriangleTriangle } from '../../geometry/distance/triangle-triangle.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { type Pose, posePoint, type Vec3 } from '../../math/pose.js';
import { rigidly } from '../../mesh/baked.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import type { Place, Target } from '../target.js';
import { closestToCylinder } from './cylinder-distance.js';
import { cornersOf, findTriangles } from './find-triangles.js';
import { shapesKernels } from './kernels.generated.js';
import { S } from './layout.generated.js';
import type { ConvexShape, LocalShape } from './local-shape.js';
import type { ShapeOptions } from './meets-shape.js';
import { type MeshPlace, readPlace } from './mesh-place.js';
import { type PlacedShape, placeShape } from './place-shape.js';
import { ShapeBlock } from './shape-block.js';
import { readShape, type Shape } from './shape-input.js';

export interface ShapeDistanceOptions extends ShapeOptions {
  /** The farthest to look (default Infinity). */
  readonly atMost?: number;
}

export type ShapeDistance<T extends Target = Mesh> = Place<T> & {
  /** 0 where they meet. */
  readonly distance: number;
  /** The closest triangle, or one that meets the shape. */
  readonly triangle: number;
  /** The closest points of the mesh and of the shape; where they meet, undefined. */
  readonly points: readonly [Vec3, Vec3] | undefined;
};

const NONE = 0xffffffff;

/**
 * The distance of a shape from a mesh, or undefined where it is more than `atMost`.
 */
export function shapeDistance(
  given: Mesh,
  shape: Shape,
  options: ShapeDistanceOptions = {},
): ShapeDistance | undefined {
  assertMesh(given);
  const { atMost = Infinity } = readBag(options);
  const { mesh, place } = evenly(given, options.pose);
  readAtMost('atMost', atMost);
  const world = readShape('shapeDistance', shape);
  // kernels place boxes themselves to tell whether they meet
  const known = world.form === 'box' ? undefined : placeShape(world, mesh, place);
  const met = findTriangles(world, mesh, place, true, known);
  if (met.length > 0) return { distance: 0, triangle: met[0], points: undefined };
  const placed = known ?? placeShape(world, mesh, place);
  const { scale } = place.stretch;
  const radius = placed.shape.kind === 2 ? 0 : placed.shape.radius;
  const limit = (atMost / scale) * (1 + 1e-14) + radius;
  const triangle = kernelSupported() ? closest(mesh, placed.shape, limit) : closestPortable(mesh, placed);
  if (triangle === undefined) return undefined;
  if (world.form === 'cylinder') {
    const { points, ...found } = closestToCylinder(world, mesh, place, triangle);
    return found.distance > atMost ? undefined : { ...found, points: points && [points[1], points[0]] };
  }
  const { core, points } = gapTo(placed, cornersOf(mesh, triangle));
  const distance = Math.max(Number.MIN_VALUE, (core - radius) * scale);
  return distance > atMost ? undefined : { distance, triangle, points: toWorld(points, mesh, place) };
}

/** The mesh where it is, with what stretches it unevenly baked in. */
export function evenly(
  mesh: Mesh,
  pose: Pose | undefined,
): { readonly mesh: Mesh; readonly place: MeshPlace } {
  const place = readPlace(pose);
  if (place.stretch.rigid || place.stretch.scale > 0) return { mesh, place };
  const baked = rigidly(mesh, place.pose);
  return { mesh: baked.mesh, place: readPlace(baked.pose) };
}

function closest(mesh: Mesh, shape: LocalShape, limit: number): number | undefined {
  const block = ShapeBlock.take(mesh, shape, true);
  try {
    block.setDouble(S.best, limit);
    shapesKernels.kernels().nearestShape(block.block);
    const triangle = block.word(S.triangle);
    return triangle === NONE ? undefined : triangle;
  } finally {
    block.release();
  }
}

function closestPortable(mesh: Mesh, placed: PlacedShape): number {
  let best = Infinity;
  let triangle = 0;
  for (let t = 0; t < mesh.triangleCount; t++) {
    const { core } = gapTo(placed, cornersOf(mesh, t));
    if (core >= best) continue;
    best = core;
    triangle = t;
  }
  return triangle;
}

export interface Gap {
  /** The distance of a triangle from the shape's core. */
  readonly core: number;
  /** The closest points of the triangle and of the shape: six numbers. */
  readonly points: Float64Array;
  /** From the core to the triangle. */
  readonly way: Float64Array;
}

/** Of a triangle that the shape does not meet, in the mesh's numbers. */
export function gapTo({ shape }: PlacedShape, corners: Float64Array): Gap {
  if (shape.kind !== 2) {
    const out = new Float64Array(8);
    const core = Math.sqrt(distanceSqSegmentTriangle(Float64Array.from(shape.axis), 0, 3, corners, 0, out));
    const points = Float64Array.of(out[3], out[4], out[5], out[0], out[1], out[2]);
    const way = wayBetween(points);
    const share = core > 0 ? Math.min(1, shape.radius / core) : 0;
    for (let k = 0; k < 3; k++) points[3 + k] += share * (points[k] - points[3 + k]);
    return { core, points, way };
  }
  return shape.faces.length > 0 ? gapToFaces(shape, corners) : gapToPlane(shape, corners);
}

/** From the second of two points to the first. */
function wayBetween(p: Float64Array): Float64Array {
  return Float64Array.of(p[0] - p[3], p[1] - p[4], p[2] - p[5]);
}

function gapToFaces({ faces, points: hull }: ConvexShape, corners: Float64Array): Gap {
  const face = new Float64Array(9);
  const trial = new Float64Array(8);
  let core = Infinity;
  const points = new Float64Array(6);
  for (let f = 0; f < faces.length; f += 3) {
    for (let k = 0; k < 9; k++) face[k] = hull[3 * faces[f + Math.floor(k / 3)] + (k % 3)];
    const square = distanceSqTriangleTriangle(corners, 0, face, 0, trial);
    if (Math.sqrt(square) >= core) continue;
    core = Math.sqrt(square);
    points.set(trial.subarray(0, 6));
  }
  return { core, points, way: wayBetween(points) };
}

function gapToPlane({ planes: [nx, ny, nz, offset] }: ConvexShape, corners: Float64Array): Gap {
  let core = Infinity;
  let points = new Float64Array(6);
  for (let i = 0; i < 9; i += 3) {
    const [x, y, z] = corners.subarray(i, i + 3);
    const above = nx * x + ny * y + nz * z - offset;
    if (above >= core) continue;
    core = above;
    points = Float64Array.of(x, y, z, x - above * nx, y - above * ny, z - above * nz);
  }
  return { core, points, way: wayBetween(points) };
}

/** Two points where they are in the world. */
export function toWorld(points: Float64Array, { origin }: Mesh, { pose }: MeshPlace): [Vec3, Vec3] {
  const [a, b] = [0, 3].map((i) => {
    const out: [number, number, number] = [0, 0, 0];
    posePoint(pose, points[i] + origin[0], points[i + 1] + origin[1], points[i + 2] + origin[2], out, 0);
    return out;
  });
  return [a, b];
}
