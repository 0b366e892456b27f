/**
 * An order of many rays in which neighbours take much the same way through a tree, so that what one of them reads is at
 * hand for the next. Answers do not depend on it.
 *
 * Idea: the kernel says how each ray goes down the first depths of the tree, each time to the nearest box.
 */
import { arena } from '../../base/arena.js';
import { kernelSupported } from '../../kernel/kernel.js';
import type { Mesh } from '../../mesh/mesh.js';
import { boxTreeOf } from './box-tree.js';
import { raysKernels } from './kernels.generated.js';
import { KEY_DEPTH, RAY_BYTES } from './layout.generated.js';
import { CHUNK, type RayBlock } from './ray-block.js';

/** Writes the i-th ray. */
export type WriteRay = (i: number, out: Float64Array, at: number) => void;

/** Fewer rays, or triangles, are not worth it. */
const LEAST = 2048;
const LEAST_TRIANGLES = 30_000;
/** Neighbours whose keys differ by more than these bits, two for each depth, are apart. */
const NEAR_BITS = 8;
/** Rays that are put in order together: nine megabytes of them. */
const SEGMENT = 1 << 17;

/**
 * Whether many rays had better be asked about in another order, by what some neighbours have in common. The block is
 * written to.
 */
export function areScattered(mesh: Mesh, { rays, hits }: RayBlock, count: number, write: WriteRay): boolean {
  if (count < LEAST || mesh.triangleCount < LEAST_TRIANGLES || !kernelSupported()) return false;
  const doubles = arena().f64();
  const step = Math.floor((2 * count) / CHUNK);
  for (let i = 0; i < CHUNK; i++) write(step * (i >> 1) + (i & 1), doubles, (rays + RAY_BYTES * i) >>> 3);
  raysKernels.kernels().rayKeys(boxTreeOf(mesh), rays, CHUNK, hits);
  const keys = arena().u32();
  let apart = 0;
  for (let i = hits >>> 2; i < (hits >>> 2) + CHUNK; i += 2)
    apart += (keys[i] ^ keys[i + 1]) >>> NEAR_BITS ? 1 : 0;
  return 4 * apart > CHUNK;
}

/** Writes a chunk of rays to an address. It is soon compiled, being called for each. */
export function writeRays(to: number, from: number, count: number, write: WriteRay): void {
  const doubles = arena().f64();
  for (let i = 0; i < count; i++) write(from + i, doubles, (to + RAY_BYTES * i) >>> 3);
}

/** Many rays, which are handed out in another order. */
export class RaySegment {
  readonly capacity: number;
  readonly #rays: number;
  readonly #order: number;
  readonly #work: number;

  constructor(count: number) {
    this.capacity = Math.min(SEGMENT, count);
    const room = this.capacity + 1;
    this.#rays = arena().alloc((RAY_BYTES + 8) * room + 4 * 4 ** KEY_DEPTH);
    this.#order = this.#rays + RAY_BYTES * room;
    this.#work = this.#order + 4 * room;
  }

  /** Takes up to `capacity` rays, from the given one on. */
  fill(mesh: Mesh, from: number, count: number, write: WriteRay): void {
    for (let i = 0; i < count; i += CHUNK)
      writeRays(this.#rays + RAY_BYTES * i, from + i, Math.min(CHUNK, count - i), write);
    raysKernels.kernels().orderRays(boxTreeOf(mesh), this.#rays, count, this.#order, this.#work);
  }

  /**
   * Copies some rays, the `from`-th in the new order first, to a block, and returns which they were, as words of the
   * arena.
   */
  hand(from: number, count: number, to: RayBlock): number {
    const order = this.#order + 4 * from;
    raysKernels.kernels().takeRays(this.#rays, order, count, to.rays);
    return order >>> 2;
  }

  release(): void {
    arena().free(this.#rays);
  }
}
