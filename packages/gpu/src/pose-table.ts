/**
 * The poses of all objects, in the order of their ids.
 *
 * Idea: a query borrows the poses as they are at its call. A move meanwhile writes to a copy, so that nothing waits,
 * and nothing is copied without a move.
 * Layout: twelve numbers per object, as a RigidPose, and the deviation of its matrix from a rotation.
 */
import { copyRigidPose } from 'impinge/internal/math/pose.js';

export interface Poses {
  readonly poses: Float64Array;
  /** The largest entry of RᵀR − I for each object. */
  readonly deviations: Float64Array;
}

interface PoseBuffer extends Poses {
  borrowers: number;
}

export class PoseTable {
  #current = newBuffer(16);
  /** Buffers of the same size without readers. */
  #spare: PoseBuffer[] = [];

  get current(): Poses {
    return this.#current;
  }

  /** Lends the poses as they are now. */
  borrow(): Poses {
    this.#current.borrowers++;
    return this.#current;
  }

  giveBack(lent: Poses): void {
    const buffer = lent as PoseBuffer;
    buffer.borrowers--;
    if (buffer !== this.#current && buffer.borrowers === 0) this.#retire(buffer);
  }

  /** Makes room for `count` objects; only while nothing is lent. */
  reserve(count: number): void {
    const capacity = this.#current.deviations.length;
    if (count <= capacity) return;
    const larger = newBuffer(Math.max(count, 2 * capacity));
    larger.poses.set(this.#current.poses);
    larger.deviations.set(this.#current.deviations);
    this.#current = larger;
    this.#spare = [];
  }

  /** Writes one pose, of twelve numbers. */
  write(place: number, pose: Float64Array): void {
    if (this.#current.borrowers > 0) {
      const copy = this.#takeSpare();
      copy.poses.set(this.#current.poses);
      copy.deviations.set(this.#current.deviations);
      this.#current = copy;
    }
    this.#current.deviations[place] = copyRigidPose(pose, 0, this.#current.poses, 12 * place);
  }

  /** Writes all poses or, where one is refused, none; `refused` then receives its place and the error. */
  writeAll(poses: Float64Array, count: number, refused: (place: number, error: unknown) => never): void {
    const target = this.#takeSpare();
    let place = 0;
    try {
      for (; place < count; place++) {
        target.deviations[place] = copyRigidPose(poses, 12 * place, target.poses, 12 * place);
      }
    } catch (error) {
      this.#spare.push(target);
      refused(place, error);
    }
    const before = this.#current;
    this.#current = target;
    if (before.borrowers === 0) this.#retire(before);
  }

  /** Moves a pose down to another place; only while nothing is lent. */
  shift(from: number, to: number): void {
    this.#current.poses.copyWithin(12 * to, 12 * from, 12 * from + 12);
    this.#current.deviations[to] = this.#current.deviations[from];
  }

  #takeSpare(): PoseBuffer {
    return this.#spare.pop() ?? newBuffer(this.#current.deviations.length);
  }

  #retire(buffer: PoseBuffer): void {
    if (buffer.deviations.length === this.#current.deviations.length) this.#spare.push(buffer);
  }
}

function newBuffer(count: number): PoseBuffer {
  return { poses: new Float64Array(12 * count), deviations: new Float64Array(count), borrowers: 0 };
}
