/** Corners of triangles on their way to the kernels: nine float32 each, copied to the arena some thousands at a time. */
import { arena } from '../base/arena.js';

const MOST_TRIANGLES = 1 << 13;

export class CornerBatch {
  /** Where they are: a byte offset in the arena. */
  readonly at: number = arena().alloc(36 * MOST_TRIANGLES);

  /** Copies one part of `corners` after the other, and says how many triangles it has. */
  *parts(corners: Float32Array): Generator<number> {
    for (let from = 0; from < corners.length; from += 9 * MOST_TRIANGLES) {
      const part = corners.subarray(from, from + 9 * MOST_TRIANGLES);
      arena()
        .f32()
        .set(part, this.at >>> 2);
      yield part.length / 9;
    }
  }

  dispose(): void {
    arena().free(this.at);
  }
}
