/**
 * Which parts of two sides are near each other, and which will be soon if they go on moving as they do.
 *
 * State between questions: boxes that were posed, and where the sides were last. Answers do not depend on it.
 */
import { composePoses, IDENTITY, type RigidPose, relativePose } from '../../math/pose.js';
import { type BoxPair, NearBoxes } from './near-boxes.js';
import type { Side } from './side.js';

/** How many steps ahead parts are fetched. */
const AHEAD = 4;

export class NearParts {
  readonly a: Side;
  readonly b: Side;
  readonly #near: NearBoxes;
  #last: RigidPose | undefined;

  constructor(a: Side, b: Side) {
    this.a = a;
    this.b = b;
    this.#near = new NearBoxes(a.boxes, b.boxes);
  }

  /** Pairs of parts no farther apart than that, in the order of their numbers: part of a · parts of b + part of b. */
  pairs(bToA: RigidPose, distance: number): Float64Array {
    const keys: number[] = [];
    const count = this.b.boxes.order.length;
    this.#near.forEach(bToA, distance, (a, b) => keys.push(a * count + b));
    return Float64Array.from(keys).sort();
  }

  /** Pairs of parts, the nearest first, until they are farther apart than `bound()` says then. */
  nearestFirst(bToA: RigidPose, bound: () => number): Generator<BoxPair> {
    return this.#near.nearestFirst(bToA, bound);
  }

  /** Begins to fetch what will be near within a few steps like the last one. */
  lookAhead(bToA: RigidPose, distance: number): void {
    const last = this.#last;
    this.#last = bToA.slice() as RigidPose;
    if (!last) return;
    const moved = this.#moved(last, bToA);
    if (moved === 0) return;
    // in a's frame: what took b from where it was to where it is
    const step = composePoses(bToA, relativePose(last, IDENTITY as RigidPose));
    let pose = bToA;
    for (let steps = 0; steps < AHEAD; steps++) pose = composePoses(step, pose);
    const [soonA, soonB] = [new Set<number>(), new Set<number>()];
    // what is near on the way there is near enough to its end
    this.#near.forEach(pose, distance + AHEAD * moved, (a, b) => {
      soonA.add(a);
      soonB.add(b);
    });
    this.a.prefetch([...soonA]);
    this.b.prefetch([...soonB]);
  }

  /** How far a corner of b's box moves. */
  #moved(from: RigidPose, to: RigidPose): number {
    const box = this.b.boxes.nodeBoxes;
    let most = 0;
    for (let corner = 0; corner < 8; corner++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        let by = to[9 + k] - from[9 + k];
        for (let j = 0; j < 3; j++)
          by += (to[3 * k + j] - from[3 * k + j]) * box[(corner & (1 << j) ? 3 : 0) + j];
        sum += by * by;
      }
      most = Math.max(most, Math.sqrt(sum));
    }
    return most;
  }
}
