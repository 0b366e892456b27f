/**
 * What rays meet: the first triangle, any, or all of them, exactly. Triangles are closed: a ray through an edge or a
 * corner meets all that share it, so that none slips through a closed surface.
 */
import { arena } from '../../base/arena.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import {
  type Answer,
  hasParts,
  type PartsTarget,
  refusePose,
  type Target,
  type TargetPart,
  type TargetParts,
  thenOf,
} from '../target.js';
import { Asked, type RayAsk } from './asked.js';
import { castAll, castFirst, type Hit } from './cast.js';
import { castEach, castNearest, type RayHit } from './cast-mesh.js';
import { castParts, castPartsMany } from './cast-parts.js';
import { hitColumns, type RayHits } from './hit-columns.js';
import { copyHit, type HitTarget, type Into, readInto } from './into.js';
import { HIT_BYTES, Mode } from './layout.generated.js';
import { CHUNK, RayBlock } from './ray-block.js';
import {
  type Ray,
  type RaycastOptions,
  type RayMode,
  type Rays,
  readRayOptions,
  readRays,
} from './ray-input.js';
import { areScattered, RaySegment, type WriteRay, writeRays } from './ray-order.js';

/**
 * Finds what a ray meets. The nearer triangle is first, of two at the same distance the one with the lower number.
 * With `into`, that is written to and returned.
 */
export function raycast<T extends Target, I extends HitTarget>(
  target: T,
  ray: Ray,
  options: RaycastOptions<'first' | 'any'> & { readonly into: I },
): Answer<T, I | undefined>;
export function raycast<T extends Target, M extends RayMode = 'first'>(
  target: T,
  ray: Ray,
  options?: RaycastOptions<M>,
): Answer<T, M extends 'all' ? RayHit<T>[] : RayHit<T> | undefined>;
export function raycast(target: Target, ray: Ray, options?: RaycastOptions & Into): unknown {
  const into = readInto(options);
  if (hasParts(target)) {
    refusePose(options);
    const ask = readRayOptions('raycast', options, new Asked());
    return thenOf(castParts(target, ray, ask), (hits) =>
      ask.mode === Mode.all ? hits : copyHit(into, hits[0]),
    );
  }
  assertMesh(target);
  const block = RayBlock.take();
  try {
    const ask = readRayOptions('raycast', options, block.ask);
    const isAll = ask.mode === Mode.all;
    if (!ask.stretch.rigid) {
      const hits = castParts(onePart(ask.partOf(target)), ray, ask) as RayHit[];
      return isAll ? hits : copyHit(into, hits[0]);
    }
    return isAll ? castEach(target, ray, ask, ask, block) : castNearest(target, ray, ask, ask, block, into);
  } finally {
    block.release();
  }
}

/** A target of one part. */
function onePart(part: TargetPart): Pick<TargetParts, 'eachPart'> {
  return { eachPart: (_, limit, visit) => void visit(part, limit) };
}

/** The same for many rays at once, with typed arrays for answers. */
export function raycastMany<T extends Target, M extends RayMode = 'first'>(
  target: T,
  rays: Rays,
  options?: RaycastOptions<M>,
): Answer<T, RayHits<T, M>>;
export function raycastMany(mesh: Target, rays: Rays, options?: RaycastOptions): unknown {
  if (hasParts(mesh)) {
    refusePose(options);
    return castPartsMany(mesh, rays, readRayOptions('raycastMany', options, new Asked()));
  }
  assertMesh(mesh);
  const block = RayBlock.take();
  try {
    const ask = readRayOptions('raycastMany', options, block.ask);
    if (!ask.stretch.rigid) {
      const { objects, pieces, ...hits } = castPartsMany(
        onePart(ask.partOf(mesh)),
        rays,
        ask,
      ) as RayHits<PartsTarget>;
      return hits;
    }
    const frame = { local: ask.local, origin: mesh.origin };
    const { count, write } = readRays(rays, ask);
    if (ask.mode === Mode.all) {
      const starts = new Uint32Array(count + 1);
      const hits: Hit[] = [];
      for (let i = 0; i < count; i++) {
        write(i, frame, arena().f64(), block.rays >>> 3);
        castAll(mesh, block, ask.faces, hits);
        starts[i + 1] = hits.length;
      }
      return { ...hitColumns(hits), starts };
    }
    return firstOfMany(mesh, block, count, ask, (i, to, at) => write(i, frame, to, at));
  } finally {
    block.release();
  }
}

/** The first triangle that each ray meets, or any. */
function firstOfMany(mesh: Mesh, block: RayBlock, count: number, { mode, faces }: RayAsk, write: WriteRay) {
  const hits = {
    count: 0,
    distances: new Float64Array(count),
    triangles: new Int32Array(count),
    weights: new Float64Array(2 * count),
  };
  const segment = areScattered(mesh, block, count, write) ? new RaySegment(count) : undefined;
  const step = segment?.capacity ?? CHUNK;
  try {
    for (let start = 0; start < count; start += step) {
      const end = Math.min(start + step, count);
      segment?.fill(mesh, start, end - start, write);
      for (let from = start; from < end; from += CHUNK) {
        const size = Math.min(CHUNK, end - from);
        const order = segment?.hand(from - start, size, block);
        if (!segment) writeRays(block.rays, from, size, write);
        castFirst(mesh, block, size, mode, faces);
        hits.count += copyHits(block, size, start, order, hits);
      }
    }
    return hits;
  } finally {
    segment?.release();
  }
}

/** Copies the hits of a chunk to columns, each to its ray's place; returns how many there are. */
function copyHits(
  { hits }: RayBlock,
  size: number,
  from: number,
  order: number | undefined,
  out: RayHits,
): number {
  const doubles = arena().f64();
  const words = arena().i32();
  let count = 0;
  for (let i = 0; i < size; i++) {
    const at = (hits + HIT_BYTES * i) >>> 3;
    const triangle = words[2 * at + 6]; // NO_TRIANGLE is −1
    const hit = triangle !== -1;
    const to = from + (order === undefined ? i : words[order + i]);
    count += hit ? 1 : 0;
    out.distances[to] = hit ? doubles[at] : Infinity;
    out.triangles[to] = triangle;
    out.weights[2 * to] = hit ? doubles[at + 1] : 0;
    out.weights[2 * to + 1] = hit ? doubles[at + 2] : 0;
  }
  return count;
}
