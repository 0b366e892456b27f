/**
 * Between the callers' rays and the kernel: a block of memory for a few of them.
 *
 * Layout: the fields of a query in kernels/rays/layout.ts; then rays, hits and doubts. Questions take a block from a
 * pool and give it back; one that had to grow is freed instead.
 */
import { arena } from '../../base/arena.js';
import { HIT_BYTES, R, R_HEADER_BYTES, RAY_BYTES } from './layout.generated.js';

const DOUBT_BYTES = 8;
/**
 * As an int32: read as a uint32 it would be no small integer, and what engines have compiled for hits would be thrown
 * away at the first miss.
 */
export const NO_TRIANGLE = -1;

/** Rays that are asked about in one call. */
export const CHUNK = 512;

const pool: RayBlock[] = [];

export class RayBlock {
  readonly block: number;
  /** Where rays, hits and doubts begin. */
  readonly rays: number;
  readonly hits: number;
  readonly doubts: number;
  readonly room: number;

  private constructor(room: number) {
    this.room = room;
    this.block = arena().alloc(R_HEADER_BYTES + CHUNK * RAY_BYTES + room * (HIT_BYTES + DOUBT_BYTES));
    this.rays = this.block + R_HEADER_BYTES;
    this.hits = this.rays + CHUNK * RAY_BYTES;
    this.doubts = this.hits + room * HIT_BYTES;
    const words = arena().u32();
    const at = this.block >>> 2;
    words[at + R.rays / 4] = this.rays;
    words[at + R.hits / 4] = this.hits;
    words[at + R.doubts / 4] = this.doubts;
    words[at + R.hitCapacity / 4] = words[at + R.doubtCapacity / 4] = room;
  }

  static take(): RayBlock {
    return pool.pop() ?? new RayBlock(CHUNK);
  }

  /** A block with room for twice as many hits and doubts, with the rays and hits of this one, which is given back. */
  grown(): RayBlock {
    const larger = new RayBlock(2 * this.room);
    const memory = arena().u8();
    memory.copyWithin(larger.rays, this.rays, this.rays + CHUNK * RAY_BYTES);
    memory.copyWithin(larger.hits, this.hits, this.hits + CHUNK * HIT_BYTES);
    this.release();
    return larger;
  }

  release(): void {
    if (this.room === CHUNK) pool.push(this);
    else arena().free(this.block);
  }
}
