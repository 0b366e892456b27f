/**
 * What rays meet: the first triangle, any, or all of them, exactly. Triangles are closed: a ray through an edge or a corner meets all
 * that share it, so that none slips through a closed surface.
 */
import { arena } from '../../base/arena.js';
import { type Pose, type RigidPose, toRigidPose, type Vec3 } from '../../math/pose.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { castAll, castFirst, type Hit, Mode, readHit } from './cast.js';
import { placeOf, poseHit } from './hit-point.js';
import { CHUNK, HIT_BYTES, NO_TRIANGLE, RAY_BYTES, RayBlock } from './ray-block.js';
import {
  type Ray,
  type RayMode,
  type RayOptions,
  type Rays,
  readRayOptions,
  readRays,
  toLocal,
  writeOne,
} from './ray-input.js';

export interface RaycastOptions extends RayOptions {
  /** The `first` triangle (default), `any` of them, which is found sooner, or `all`, the nearest first. */
  readonly mode?: RayMode;
  /** Where the mesh is. */
  readonly pose?: Pose;
}

/** Where a ray meets a triangle. */
export interface RayHit {
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
}

/** Hits of many rays, as columns. */
export interface RayHits {
  /** How many hits there are. */
  readonly count: number;
  /** Infinity and −1 where a ray meets nothing. */
  readonly distances: Float64Array;
  readonly triangles: Int32Array;
  /** Weights of the second and third corner, two for each ray; that of the first is what they lack of 1. */
  readonly weights: Float64Array;
}

/** All hits of many rays: those of ray i are from starts[i] up to starts[i + 1], the nearest first. */
export interface AllRayHits extends RayHits {
  readonly starts: Uint32Array;
}

/** Finds what a ray meets. The nearer triangle is first, of two at the same distance the one with the lower number. */
export function raycast(
  mesh: Mesh,
  ray: Ray,
  options?: RaycastOptions & { readonly mode?: 'first' | 'any' },
): RayHit | undefined;
export function raycast(mesh: Mesh, ray: Ray, options: RaycastOptions & { readonly mode: 'all' }): RayHit[];
export function raycast(mesh: Mesh, ray: Ray, options?: RaycastOptions): RayHit | RayHit[] | undefined {
  assertMesh(mesh);
  const ask = readRayOptions(options);
  const pose = options?.pose === undefined ? undefined : toRigidPose(options.pose);
  const frame = { local: toLocal(pose), origin: mesh.origin };
  let block = RayBlock.take();
  try {
    writeOne(ray, ask, frame, arena().f64(), block.rays >>> 3);
    if (ask.mode === Mode.all) {
      const hits: Hit[] = [];
      block = castAll(mesh, block, ask.faces, hits);
      return hits.map((hit) => hitOf(mesh, pose, block, hit));
    }
    block = castFirst(mesh, block, 1, ask.mode, ask.faces);
    const hit = readHit(block, 0);
    return hit.triangle === NO_TRIANGLE ? undefined : hitOf(mesh, pose, block, hit);
  } finally {
    block.release();
  }
}

/** The same for many rays at once, with typed arrays for answers. */
export function raycastMany(
  mesh: Mesh,
  rays: Rays,
  options?: RaycastOptions & { readonly mode?: 'first' | 'any' },
): RayHits;
export function raycastMany(
  mesh: Mesh,
  rays: Rays,
  options: RaycastOptions & { readonly mode: 'all' },
): AllRayHits;
export function raycastMany(mesh: Mesh, rays: Rays, options: RaycastOptions = {}): RayHits | AllRayHits {
  assertMesh(mesh);
  const ask = readRayOptions(options);
  const pose = options.pose === undefined ? undefined : toRigidPose(options.pose);
  const frame = { local: toLocal(pose), origin: mesh.origin };
  const { count, write } = readRays(rays, ask);
  let block = RayBlock.take();
  try {
    if (ask.mode === Mode.all) {
      const starts = new Uint32Array(count + 1);
      const hits: Hit[] = [];
      for (let i = 0; i < count; i++) {
        write(i, frame, arena().f64(), block.rays >>> 3);
        block = castAll(mesh, block, ask.faces, hits);
        starts[i + 1] = hits.length;
      }
      return {
        count: hits.length,
        starts,
        distances: Float64Array.from(hits, ({ distance }) => distance),
        triangles: Int32Array.from(hits, ({ triangle }) => triangle),
        weights: Float64Array.from(hits.flatMap(({ u, v }) => [u, v])),
      };
    }
    const out = {
      count: 0,
      distances: new Float64Array(count),
      triangles: new Int32Array(count),
      weights: new Float64Array(2 * count),
    };
    for (let from = 0; from < count; from += CHUNK) {
      const size = Math.min(CHUNK, count - from);
      const doubles = arena().f64();
      for (let i = 0; i < size; i++) write(from + i, frame, doubles, (block.rays + RAY_BYTES * i) >>> 3);
      block = castFirst(mesh, block, size, ask.mode, ask.faces);
      out.count += copyHits(block, size, from, out);
    }
    return out;
  } finally {
    block.release();
  }
}

/** Copies the hits of a chunk to columns; returns how many there are. */
function copyHits({ hits }: RayBlock, size: number, from: number, out: RayHits): number {
  const doubles = arena().f64();
  const words = arena().i32();
  let count = 0;
  for (let i = 0; i < size; i++) {
    const at = (hits + HIT_BYTES * i) >>> 3;
    const triangle = words[2 * at + 6]; // NO_TRIANGLE is −1
    const hit = triangle !== -1;
    count += hit ? 1 : 0;
    out.distances[from + i] = hit ? doubles[at] : Infinity;
    out.triangles[from + i] = triangle;
    out.weights[2 * (from + i)] = hit ? doubles[at + 1] : 0;
    out.weights[2 * (from + i) + 1] = hit ? doubles[at + 2] : 0;
  }
  return count;
}

/** What callers get of a hit: the ray is the first of the block, in the mesh's frame. */
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
