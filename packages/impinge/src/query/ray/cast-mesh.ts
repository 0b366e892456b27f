/** One ray against one mesh, and the hits as callers get them. */
import { arena } from '../../base/arena.js';
import { invertPose, type RigidPose, type Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { Place, Target } from '../target.js';
import type { Asked, RayAsk } from './asked.js';
import { castAll, castFirst, type Hit, readHit } from './cast.js';
import { poseHit, writePlace } from './hit-point.js';
import { type HitTarget, writeHit } from './into.js';
import { Mode } from './layout.generated.js';
import { NO_TRIANGLE, RayBlock } from './ray-block.js';
import { type Ray, writeOne } from './ray-input.js';

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
  const block = RayBlock.take();
  try {
    const where = { pose, local: pose && invertPose(pose) };
    if (ask.mode === Mode.all) return castEach(mesh, ray, ask, where, block);
    const hit = castNearest(mesh, ray, ask, where, block, undefined);
    return hit ? [hit as RayHit] : [];
  } finally {
    block.release();
  }
}

/** Where a mesh is, and what undoes that. */
type Where = Pick<Asked, 'pose' | 'local'>;

/** All hits. */
export function castEach(
  mesh: Mesh,
  ray: Ray,
  ask: RayAsk,
  { pose, local }: Where,
  block: RayBlock,
): RayHit[] {
  writeOne(ray, ask, local, mesh.origin, arena().f64(), block.rays >>> 3);
  const hits: Hit[] = [];
  castAll(mesh, block, ask.faces, hits);
  return hits.map((hit) => hitOf(mesh, pose, block, hit, undefined) as RayHit);
}

/** The first hit, or any: a new one, or as it is written into another. */
export function castNearest(
  mesh: Mesh,
  ray: Ray,
  ask: RayAsk,
  { pose, local }: Where,
  block: RayBlock,
  into: HitTarget | undefined,
): HitTarget | undefined {
  writeOne(ray, ask, local, mesh.origin, arena().f64(), block.rays >>> 3);
  castFirst(mesh, block, 1, ask.mode, ask.faces);
  const hit = readHit(block, 0, block.hit);
  return hit.triangle === NO_TRIANGLE ? undefined : hitOf(mesh, pose, block, hit, into);
}

/** The ray is the first of the block, in the mesh's frame. */
function hitOf(
  mesh: Mesh,
  pose: RigidPose | undefined,
  { rays, place }: RayBlock,
  hit: Hit,
  into: HitTarget | undefined,
): HitTarget {
  writePlace(mesh, undefined, hit, place);
  const at = (rays >>> 3) + 3;
  const doubles = arena().f64();
  const along = place[3] * doubles[at] + place[4] * doubles[at + 1] + place[5] * doubles[at + 2];
  if (pose) poseHit(pose, place);
  return writeHit(into, hit, place, along > 0);
}
