/** The objects of a shape: their poses, and whether they are near enough to be compared. Errors name the object. */
import { f64Column } from 'impinge/internal/base/column.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import {
  carvePose,
  IDENTITY,
  orthonormalised,
  type Pose,
  type RigidPose,
  toRigidPose,
} from 'impinge/internal/math/pose.js';
import { FARTHEST, reachOf } from 'impinge/internal/mesh/reach.js';
import { readObject } from './input.js';
import type { SourceObject } from './source.js';

/** Numbers of a pose. */
const POSE = 12;

export interface PlacedObject {
  readonly object: SourceObject;
  readonly pose: Float64Array | undefined;
}

/** The objects of one shape; where an iterable makes them anew each time, only the poses are kept in memory. */
export class PlacedObjects {
  /** Undefined where there are none. */
  readonly first: SourceObject | undefined;
  readonly #source: Iterable<SourceObject>;
  /** Of all. */
  readonly #poses = f64Column(POSE);
  readonly #tooFar = new Set<number>();
  #total = 0;

  constructor(objects: Iterable<SourceObject>) {
    // the caller may change its list
    this.#source = Array.isArray(objects) ? [...objects] : objects;
    for (const given of this.#source) {
      const object = readObject(given, this.#total++);
      this.first ??= object;
      this.#poses.append(poseOf(object) ?? IDENTITY);
    }
  }

  /** Without the objects left out. */
  get count(): number {
    return this.#total - this.#tooFar.size;
  }

  /** Leaves out objects that are too far away to be compared; they are reported, or refused. */
  leaveOutFar(box: Float64Array | undefined, onTooFar: ((object: SourceObject) => void) | undefined): void {
    // a non-finite vertex is refused elsewhere, by its number
    if (box === undefined) return;
    let i = 0;
    for (const pose of this.poses()) {
      if (!(reachOf(box, pose) < FARTHEST)) this.#tooFar.add(i);
      i++;
    }
    if (this.#tooFar.size === 0) return;
    i = 0;
    for (const object of this.#source) {
      if (!this.#tooFar.has(i++)) continue;
      if (onTooFar) onTooFar(object);
      else naming(object, refuseTooFar);
    }
  }

  /** Each in the same array. */
  *poses(): Generator<Float64Array> {
    const pose = new Float64Array(POSE);
    for (let i = 0; i < this.#total; i++) {
      if (this.#tooFar.has(i)) continue;
      this.#poses.copy(POSE * i, pose);
      yield pose;
    }
  }

  *[Symbol.iterator](): Generator<PlacedObject> {
    let i = 0;
    for (const object of this.#source) {
      if (i === this.#total) throw changed();
      if (!this.#tooFar.has(i)) {
        const pose = this.#poses.slice(POSE * i, POSE * i + POSE);
        yield { object, pose: object.pose === undefined ? undefined : pose };
      }
      i++;
    }
    if (i < this.#total) throw changed();
  }
}

function changed(): ImpingeError {
  return new ImpingeError('bad-input', 'the objects of a shape were not as many when they came again');
}

function poseOf(object: SourceObject): Float64Array | undefined {
  if (object.pose === undefined) return undefined;
  const { pose } = object;
  return naming(object, () => keptPose(pose));
}

/** A pose as stores keep it: a rotation as exact as float64 has it. */
export function keptPose(pose: Pose): RigidPose {
  return orthonormalised(toRigidPose(pose, carvePose), carvePose);
}

function refuseTooFar(): never {
  throw new ImpingeError('bad-input', `it reaches farther than ${FARTHEST.toExponential()} from zero`);
}

/** Says which object an error is about. */
export function naming<T>(object: SourceObject, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ImpingeError)) throw error;
    throw new ImpingeError(error.code, `object "${object.path}" of ${object.file}: ${error.message}`, {
      ...error.detail,
      object: object.path,
      file: object.file,
    });
  }
}
