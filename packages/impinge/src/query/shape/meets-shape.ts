/**
 * Shapes against meshes: whether they meet, and which triangles do. Shapes are solid: a triangle inside meets it, too.
 */
import { readBag } from '../../base/options.js';
import type { Pose } from '../../math/pose.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { findTriangles } from './find-triangles.js';
import { readPlace } from './mesh-place.js';
import { readShape, type Shape } from './shape-input.js';

export interface ShapeOptions {
  /**
   * Where the mesh is; it may be scaled, stretched or sheared. Objects of scenes and models have their own poses, and
   * shapes are in the world.
   */
  readonly pose?: Pose;
}

/** Whether any triangle of the mesh meets the shape. */
export function meetsShape(mesh: Mesh, shape: Shape, options?: ShapeOptions): boolean {
  assertMesh(mesh);
  const place = readPlace(readPose(options));
  return findTriangles(readShape('meetsShape', shape), mesh, place, true).length > 0;
}

/** The triangles of the mesh that meet the shape, in order. */
export function trianglesInShape(mesh: Mesh, shape: Shape, options?: ShapeOptions): Uint32Array {
  assertMesh(mesh);
  const place = readPlace(readPose(options));
  const found = findTriangles(readShape('trianglesInShape', shape), mesh, place, false);
  return found instanceof Uint32Array ? found : Uint32Array.from(found);
}

export function readPose(options: ShapeOptions | undefined): Pose | undefined {
  return options === undefined ? undefined : readBag(options).pose;
}
