/**
 * Batches of meeting pairs for the kernel that describes them (kernels/solid/meeting.ts).
 *
 * Layout: see kernels/solid/meeting-context.ts. Batches nest: each takes its own block from a pool and gives it back.
 */
import { arena } from '../../base/arena.js';
import type { RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { solidKernels } from './kernels.generated.js';
import { M, M_BYTES } from './layout.generated.js';

const pool: number[] = [];

/** Take one, run it on up to `BATCH` pairs at a time, release it. */
export class MeetingBatch {
  readonly #kernels = solidKernels.kernels();
  readonly #block: number;

  /** `pose` takes b's stored numbers to a's; what is smaller than `slack` may be its rounding. */
  constructor(pose: RigidPose, slack: number) {
    this.#block = pool.pop() ?? arena().alloc(M_BYTES);
    const doubles = arena().f64();
    doubles[(this.#block + M.slack) >>> 3] = slack;
    doubles.set(pose, (this.#block + M.pose) >>> 3);
  }

  /** Makes (triangle of a, triangle of b) the pair at `i`. */
  setPair(i: number, triangleA: number, triangleB: number): void {
    const words = arena().u32();
    const at = (this.#block + M.pairs + 8 * i) >>> 2;
    words[at] = triangleA;
    words[at + 1] = triangleB;
  }

  /** Describes the first `count` pairs: how they meet and, where that is not `OPEN`, the segments they share. */
  run(a: Mesh, b: Mesh, count: number, meeting: Uint8Array, segments: Float64Array, from: number): void {
    const words = arena().u32();
    const at = this.#block >>> 2;
    words[at + M.meshA / 4] = a.block;
    words[at + M.meshB / 4] = b.block;
    words[at + M.count / 4] = count;
    this.#kernels.describePairs(this.#block);
    const bytes = this.#block + M.meeting;
    meeting.set(
      arena()
        .u8()
        .subarray(bytes, bytes + count),
      from,
    );
    const doubles = (this.#block + M.segments) >>> 3;
    segments.set(
      arena()
        .f64()
        .subarray(doubles, doubles + 6 * count),
      6 * from,
    );
  }

  release(): void {
    pool.push(this.#block);
  }
}
