/**
 * Which points are inside a closed mesh: by the parity of what a ray from each crosses, exactly.
 *
 * A ray through an edge or a corner says nothing, and another is sent; a point that its ray meets at once is on the
 * surface.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { MeshHeader } from '../../kernel/layout.generated.js';
import type { Mesh } from '../../mesh/mesh.js';
import { ExactRay, run } from './cast.js';
import { HIT_BYTES, Mode, R, RAY_BYTES, RayStatus } from './layout.generated.js';
import type { RayBlock } from './ray-block.js';

/** Rays that met an edge or a corner before the search for a better one is given up. */
const MAX_RAYS = 64;

/**
 * Says of the first `count` points of a block (in the mesh's numbers, where rays have their origins) whether they are
 * inside (1), on the surface (0) or outside (−1).
 */
export function locateChunk(mesh: Mesh, query: RayBlock, count: number, out: Int8Array, at: number): void {
  let waiting = Array.from({ length: count }, (_, i) => i);
  const points = arena()
    .f64()
    .slice(query.rays >>> 3, (query.rays + RAY_BYTES * count) >>> 3);
  for (let ray = 0; waiting.length > 0; ray++) {
    if (ray === MAX_RAYS)
      throw new ImpingeError('unsupported', `object "${mesh.name}": no ray avoids its edges`, {
        object: mesh.name,
      });
    const doubles = arena().f64();
    waiting.forEach((point, i) => {
      const to = (query.rays + RAY_BYTES * i) >>> 3;
      doubles.set(points.subarray(8 * point, 8 * point + 3), to);
      writeDirection(mesh, ray, doubles, to);
    });
    const sides = new Int8Array(waiting.length);
    shoot(mesh, query, sides);
    waiting.forEach((point, i) => {
      out[at + point] = sides[i];
    });
    waiting = waiting.filter((_, i) => sides[i] === UNKNOWN);
  }
}

const UNKNOWN = 2;

/** Towards the nearest side of the box, and then the others, a little askew. */
function writeDirection({ block }: Mesh, ray: number, doubles: Float64Array, at: number): void {
  const box = arena().f32();
  const from = (block >>> 2) + MeshHeader.box;
  const gap = (side: number) =>
    side < 3 ? doubles[at + side] - box[from + side] : box[from + side] - doubles[at + side - 3];
  const gaps = [0, 1, 2, 3, 4, 5].map(gap);
  const side = [0, 1, 2, 3, 4, 5].sort((s, t) => gaps[s] - gaps[t])[ray % 6];
  for (let k = 0; k < 3; k++)
    doubles[at + 3 + k] = 0.3 * (((0.754877666 * (ray + 1) + 0.569840291 * (k + 1)) % 1) - 0.497);
  doubles[at + 3 + (side % 3)] = side < 3 ? -1 : 1;
  doubles[at + 6] = 0;
  doubles[at + 7] = Infinity;
}

/** Tells of each ray of the block where its origin is; UNKNOWN where it has to be sent another way. */
function shoot(mesh: Mesh, query: RayBlock, sides: Int8Array): void {
  const count = sides.length;
  if (!kernelSupported()) {
    for (let ray = 0; ray < count; ray++) sides[ray] = shootPortable(new ExactRay(mesh, query, ray, 0));
    return;
  }
  let from = 0;
  for (;;) {
    const status = run(mesh, query, count, from, Mode.count, 0);
    const words = arena().u32();
    const next = words[(query.block + R.next) >>> 2];
    for (let i = from; i < next; i++) {
      sides[i] = words[(query.hits + HIT_BYTES * i + 24) >>> 2] % 2 ? 1 : -1;
    }
    decideDoubts(mesh, query, words[(query.block + R.doubtCount) >>> 2], sides);
    if (status === RayStatus.done) return;
    if (next === from) query.grow();
    from = next;
  }
}

/** Without rounding. */
function shootPortable(exact: ExactRay): number {
  let crossings = 0;
  let touches = false;
  let isOn = false;
  exact.along(Mode.count, (t) => {
    if (!exact.meets(t)) return;
    if (exact.distance === 0) isOn = true;
    else if (exact.crosses) crossings++;
    else touches = true;
  });
  if (isOn) return 0;
  return touches ? UNKNOWN : crossings % 2 ? 1 : -1;
}

/** A triangle in doubt that is not met changes nothing; one that is met at the origin says that the point is on it. */
function decideDoubts(mesh: Mesh, query: RayBlock, count: number, sides: Int8Array): void {
  const words = arena().u32();
  const on = new Set<number>();
  for (let i = 0, at = query.doubts >>> 2; i < count; i++, at += 2) {
    const ray = words[at + 1];
    if (on.has(ray)) continue;
    const exact = new ExactRay(mesh, query, ray, 0);
    if (!exact.meets(words[at])) continue;
    if (exact.distance === 0) {
      on.add(ray);
      sides[ray] = 0;
    } else if (exact.crosses && sides[ray] !== UNKNOWN) {
      sides[ray] = -sides[ray];
    } else {
      sides[ray] = UNKNOWN;
    }
  }
}
