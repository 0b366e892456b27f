/**
 * The free place of a body that is nearest to a point, with a turn that is given: by branch and bound over places.
 *
 * Idea: boxes of places are looked at, the nearest first. One whose middle is blocked by more than its half diagonal
 * holds no free place (inner-balls.ts); one that is too small to matter is left; others are halved. Where the middle
 * is free, the body is moved from there towards the point until it hits something: the nearest place so far. The
 * search ends when no box left is nearer than that.
 * To stand, a body sinks from where it is free until it hits something. Boxes in which it is farther from everything
 * than it gets within them hold no place to stand at.
 * Errs: every place found is free by the exact test. `atLeast` bounds the way to any free place from below.
 */
import type { Vec3 } from 'impinge';
import { PairHeap } from 'impinge/internal/base/heap.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { Room } from '../bounds.js';
import type { MotionContact } from '../edge-search.js';
import type { FreeSpace } from '../free-space.js';
import type { InnerBalls } from './inner-balls.js';

/** How far to look around at first, as shares of the body's radius: from, to, and from one to the next. */
const FIRST = 1e-3;
const LAST = 4;
const FACTOR = Math.SQRT2;

export interface FoundPlace {
  readonly pose: RigidPose;
  /** How far the middle of the body's box is from the point. */
  readonly length: number;
  /** What it stands on, where it is to stand. */
  readonly floor: MotionContact | undefined;
}

export interface PlaceSearchOptions {
  readonly free: FreeSpace;
  readonly balls: InnerBalls;
  /** How the body is turned; its translation is of no meaning. */
  readonly turn: RigidPose;
  /** Where the middle of the body's box is to be, and where it may be. */
  readonly near: ArrayLike<number>;
  readonly region: Room;
  /** Boxes that are smaller are left, and places that are nearer by less are not looked for. */
  readonly accuracy: number;
  /** Places farther away are of no use. */
  readonly most: number;
  /** Against gravity, of length 1, where the body is to stand. */
  readonly up: Vec3 | undefined;
}

/** The 26 unit vectors along axes and between them. */
const WAYS = Array.from({ length: 27 }, (_, i) => [
  (i % 3) - 1,
  (Math.floor(i / 3) % 3) - 1,
  Math.floor(i / 9) - 1,
])
  .filter((way) => way.some((x) => x !== 0))
  .map((way) => way.map((x) => x / Math.hypot(...way)));

export class NearestPlace {
  best: FoundPlace | undefined;
  /** Whether boxes were left that may hold a free place. */
  isOpen = false;
  /** Boxes looked at. */
  cells = 0;
  readonly #options: PlaceSearchOptions;
  readonly #heap = new PairHeap();
  /** Minimum and maximum of every box. */
  readonly #boxes: Float64Array[] = [];
  /** How far the nearest box is that was left, and those that were not looked at yet. */
  #left = Infinity;
  #reached = 0;

  constructor(options: PlaceSearchOptions) {
    this.#options = options;
    const { min, max } = options.region;
    this.#push(Float64Array.of(min[0], min[1], min[2], max[0], max[1], max[2]));
    const wish = this.#poseAt(options.near);
    if (options.free.isFree(wish)) this.#approach(wish);
    else if (!options.up) this.#lookAround();
  }

  /** No free place is nearer than this. */
  get atLeast(): number {
    return Math.min(this.#left, this.#reached, this.best?.length ?? Infinity);
  }

  /** Looks at a box; false when there is nothing left to look for. */
  step(): boolean {
    const { free, balls, accuracy, most, up } = this.#options;
    const heap = this.#heap;
    if (!heap.pop()) {
      this.#reached = Infinity;
      return false;
    }
    this.#reached = heap.key;
    if (heap.key >= Math.min(most, this.best?.length ?? Infinity) - accuracy) {
      return false;
    }
    this.cells++;
    const box = this.#boxes[heap.a];
    this.#boxes[heap.a] = box.subarray(0, 0);
    const middle = [0, 1, 2].map((k) => 0.5 * (box[k] + box[3 + k]));
    const half = 0.5 * Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
    const pose = this.#poseAt(middle);
    if (balls.blockedBy(free.near(pose, free.clearance), pose, half) > half) return true;
    if (free.isFree(pose)) {
      this.#approach(pose);
      const reach = free.clearance + half + accuracy;
      if (up && free.nearest(pose, reach) === undefined) return true;
    }
    if (half <= accuracy) {
      this.isOpen = true;
      this.#left = Math.min(this.#left, heap.key);
      return true;
    }
    const sizes = [0, 1, 2].map((k) => box[3 + k] - box[k]);
    const axis = sizes.indexOf(Math.max(...sizes));
    for (const side of [0, 1]) {
      const part = box.slice();
      part[side === 0 ? 3 + axis : axis] = middle[axis];
      this.#push(part);
    }
    return true;
  }

  /** A first place by few questions, so that boxes farther away need not be looked at: along axes and between them. */
  #lookAround(): void {
    const { free, near } = this.#options;
    for (let far = FIRST * free.ball.radius; far < LAST * free.ball.radius && !this.best; far *= FACTOR) {
      for (const way of WAYS) {
        const pose = this.#poseAt(way.map((x, k) => near[k] + far * x));
        if (free.isFree(pose)) this.#approach(pose);
      }
    }
  }

  #push(box: Float64Array): void {
    const { near } = this.#options;
    const key = Math.hypot(...[0, 1, 2].map((k) => Math.max(0, box[k] - near[k], near[k] - box[3 + k])));
    this.#heap.push(key, this.#boxes.push(box) - 1, 0);
  }

  /** The pose with the middle of the body's box at a place. */
  #poseAt(middle: ArrayLike<number>): RigidPose {
    const out = this.#options.turn.slice();
    const [x, y, z] = this.#options.free.ball.centre;
    for (let k = 0; k < 3; k++)
      out[9 + k] = middle[k] - (out[3 * k] * x + out[3 * k + 1] * y + out[3 * k + 2] * z);
    return out;
  }

  #middleOf(pose: RigidPose): number[] {
    const [x, y, z] = this.#options.free.ball.centre;
    return [0, 1, 2].map((k) => pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k]);
  }

  /** From a free pose as near as the body gets by moving straight, or to where it stands below. */
  #approach(from: RigidPose): void {
    const { free, near, up } = this.#options;
    if (up) {
      this.#stand(from, up);
      return;
    }
    this.#keep(from, undefined);
    const to = this.#poseAt(near);
    const found = free.firstHit(from, to);
    if (found.verdict === 'free') this.#keep(to, undefined);
    else this.#keepBefore(from, to, found.time, undefined);
  }

  #stand(from: RigidPose, up: Vec3): void {
    const { free, region } = this.#options;
    const middle = this.#middleOf(from);
    let depth = 0;
    for (let k = 0; k < 3; k++)
      depth += Math.abs(up[k]) * Math.max(middle[k] - region.min[k], region.max[k] - middle[k]);
    if (!(depth > 0)) return;
    const to = this.#poseAt(middle.map((x, k) => x - (depth + free.ball.radius) * up[k]));
    const { verdict, time, contact } = free.firstHit(from, to);
    if (verdict !== 'free' && contact) this.#keepBefore(from, to, time, contact);
  }

  /** The last free pose before a hit, as near to it as the accuracy. */
  #keepBefore(from: RigidPose, to: RigidPose, time: number, floor: MotionContact | undefined): void {
    const { free, accuracy } = this.#options;
    const way = Math.hypot(to[9] - from[9], to[10] - from[10], to[11] - from[11]);
    for (let back = Math.min(free.accuracy, accuracy); back <= accuracy; back *= 2) {
      const share = Math.max(0, time - back / way);
      const pose = from.map((x, k) => (k < 9 ? x : x + share * (to[k] - x)));
      if (!free.isFree(pose)) continue;
      this.#keep(pose, floor);
      return;
    }
  }

  #keep(pose: RigidPose, floor: MotionContact | undefined): void {
    const { near, region } = this.#options;
    const middle = this.#middleOf(pose);
    const length = Math.hypot(...middle.map((x, k) => x - near[k]));
    const isIn = middle.every((x, k) => x >= region.min[k] && x <= region.max[k]);
    if (isIn && length < Math.min(this.#options.most, this.best?.length ?? Infinity))
      this.best = { pose, length, floor };
  }
}
