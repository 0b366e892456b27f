/**
 * The distance of two convex hulls, or the depth of their overlap, starting from their last answer.
 *
 * Rounding: coordinates are float32 and exact; a posed one is off by at most 4 ulp of the sum of its terms, a product
 * with a unit vector by 3 more, so a difference of two hulls along a direction is off by less than 16 · 2⁻⁵³ times the
 * largest sum of coordinates. Twice that is used. Layout: see kernels/hulls/hull.ts.
 */
import { arena } from 'impinge/internal/base/arena.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { hullsKernels } from './kernels.generated.js';
import { PAIR_BYTES, Q } from './layout.generated.js';

export const ROUNDING = 32 * 2 ** -53;

/** Where the vertices of a hull are: rows x, y, z of `stride` float32 each. `reach`: the largest |x| + |y| + |z|. */
export interface HullBlock {
  readonly at: number;
  readonly stride: number;
  readonly reach: number;
}

/** Bounds on the distance of two hulls: `lower` ≤ distance ≤ `upper`, negative where they overlap. */
export interface HullDistance {
  readonly lower: number;
  readonly upper: number;
  /** From a to b, where a is; the way for b to get out, where they overlap. */
  readonly normal: readonly [number, number, number];
  readonly pointA: readonly [number, number, number];
  readonly pointB: readonly [number, number, number];
}

export class HullPair {
  readonly #block: number;

  constructor() {
    this.#block = arena().alloc(PAIR_BYTES);
    this.forget();
  }

  /** Begins anew with the next question: for other hulls. */
  forget(): void {
    arena().u32()[(this.#block + Q.corners) >>> 2] = 0;
  }

  /** `far`: for hulls farther apart than this, a `lower` that shows so is enough. */
  distance(a: HullBlock, b: HullBlock, bToA: RigidPose, far = Infinity): HullDistance {
    const memory = arena();
    const words = memory.u32();
    const numbers = memory.f64();
    const [at, to] = [this.#block >>> 2, this.#block >>> 3];
    words[at + Q.hullA / 4] = a.at;
    words[at + Q.hullB / 4] = b.at;
    words[at + Q.strideA / 4] = a.stride;
    words[at + Q.strideB / 4] = b.stride;
    numbers.set(bToA, to + Q.pose / 8);
    numbers[to + Q.far / 8] = far;
    const moved = Math.abs(bToA[9]) + Math.abs(bToA[10]) + Math.abs(bToA[11]);
    numbers[to + Q.rounding / 8] = ROUNDING * (a.reach + 3 * b.reach + moved);
    hullsKernels.kernels().hullDistance(this.#block);
    const vector = (byte: number) =>
      [0, 1, 2].map((k) => numbers[to + byte / 8 + k]) as [number, number, number];
    return {
      lower: numbers[to + Q.lower / 8],
      upper: numbers[to + Q.upper / 8],
      normal: vector(Q.normal),
      pointA: vector(Q.pointA),
      pointB: vector(Q.pointB),
    };
  }

  dispose(): void {
    arena().free(this.#block);
  }
}
