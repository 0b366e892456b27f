/**
 * Between the callers' rays and the kernel: a block of memory for a few of them.
 *
 * Layout: the fields of a query in kernels/rays/layout.ts; then rays, hits and doubts. Questions take a block from a
 * pool and give it back; one that had to grow is freed instead.
 */
import { arena } from '../../base/arena.js';
import { Asked } from './asked.js';
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

export class Hit {
  // numbers that are not whole, so that engines make room for such from the start
  distance = 0.5;
  u = 0.5;
  v = 0.5;
  triangle: number = NO_TRIANGLE;
  /** Where the triangle's corners are in the box tree, and how far apart their numbers; 0: look them up in the mesh. */
  corners = 0;
  row = 0;
}

export class RayBlock {
  block = 0;
  /** Where rays, hits and doubts begin. */
  rays = 0;
  hits = 0;
  doubts = 0;
  room = 0;
  /** For a question about one thing: what is asked, what was found, and its point and normal. */
  readonly ask = new Asked();
  readonly hit = new Hit();
  readonly place: Float64Array = new Float64Array(6);

  private constructor() {
    this.#layOut(CHUNK);
  }

  static take(): RayBlock {
    return pool.pop() ?? new RayBlock();
  }

  #layOut(room: number): void {
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

  /** Makes room for twice as many hits and doubts, elsewhere; keeps the rays, and their first hits. */
  grow(): void {
    const { block, rays } = this;
    this.#layOut(2 * this.room);
    arena()
      .u8()
      .copyWithin(this.rays, rays, rays + CHUNK * (RAY_BYTES + HIT_BYTES));
    arena().free(block);
  }

  release(): void {
    if (this.room === CHUNK) pool.push(this);
    else arena().free(this.block);
  }
}
