/** One ray against one mesh, and the hits as callers get them. */
import { arena } from '../../base/arena.js';
import type { RigidPose, Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { Place, Target } from '../target.js';
import { castAll, castFirst, type Hit, readHit } from './cast.js';
import { placeOf, poseHit } from './hit-point.js';
import { Mode } from './layout.generated.js';
import { NO_TRIANGLE, RayBlock } from './ray-block.js';
import { type Ray, type RayAsk, toLocal, writeOne } from './ray-input.js';

/** Where a ray meets a triangle. */
export type RayHit<T extends Target = Mesh> = Place<T> & {
  /** From the ray's origin, as a length. */
  readonly distance: number;
  readonly triangle: number;
  readonly point: Vec3;
  /** Weights of the triangle's corners; they add up to 1. */
  readonly barycentrics: Vec3;
  /** Of length 1, on the side where the corners turn counter-clockwise; zero where the triangle has none. */
  readonly normal: Vec3;
  /** Whether the ray comes from the side that the normal points away from. */
  readonly back: boolean;
};

/** All hits, or the first or any if there is one. The mesh is one, and live. */
export function castMesh(mesh: Mesh, ray: Ray, ask: RayAsk, pose: RigidPose | undefined): RayHit[] {
  if (ask.mode !== Mode.all) {
    const hit = castNearest(mesh, ray, ask, pose);
    return hit ? [hit] : [];
  }
  let block = RayBlock.take();
  try {
    writeOne(ray, ask, toLocal(pose), mesh.origin, arena().f64(), block.rays >>> 3);
    const hits: Hit[] = [];
    block = castAll(mesh, block, ask.faces, hits);
    return hits.map((hit) => hitOf(mesh, pose, block, hit));
  } finally {
    block.release();
  }
}

/** The first hit, or any, without a list around it. */
export function castNearest(
  mesh: Mesh,
  ray: Ray,
  ask: RayAsk,
  pose: RigidPose | undefined,
): RayHit | undefined {
  let block = RayBlock.take();
  try {
    writeOne(ray, ask, toLocal(pose), mesh.origin, arena().f64(), block.rays >>> 3);
    block = castFirst(mesh, block, 1, ask.mode, ask.faces);
    const hit = readHit(block, 0);
    return hit.triangle === NO_TRIANGLE ? undefined : hitOf(mesh, pose, block, hit);
  } finally {
    block.release();
  }
}

/** The ray is the first of the block, in the mesh's frame. */
function hitOf(mesh: Mesh, pose: RigidPose | undefined, { rays }: RayBlock, hit: Hit): RayHit {
  const { distance, triangle, u, v } = hit;
  const { point, normal } = placeOf(mesh, undefined, hit);
  const at = (rays >>> 3) + 3;
  const doubles = arena().f64();
  const [x, y, z] = normal;
  const back = x * doubles[at] + y * doubles[at + 1] + z * doubles[at + 2] > 0;
  if (pose) poseHit(pose, point, normal);
  return { distance, triangle, point, barycentrics: [1 - u - v, u, v], normal, back };
}
