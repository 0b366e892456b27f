/** An object of a culler: a mesh at a place, for its caller and for backends alike. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { type Pose, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { MeshInput } from 'impinge/internal/mesh/mesh-input.js';
import type { InputObject } from './backend.js';
import type { CulledObject } from './types.js';

/** The culler, as its objects see it. */
export interface ObjectHost {
  /** Refuses changes while a query is under way, or after the end. */
  beforeChange(): void;
  beforeMove(): void;
  poseOf(object: CullerObject): RigidPose;
  place(object: CullerObject, pose: RigidPose): void;
  /** Requests a new layout. */
  layOutAgain(): void;
  remove(object: CullerObject): void;
  /** Counts users of meshes, and disposes of the culler's own when the last one is removed. */
  take(shape: Mesh | MeshInput): Mesh;
  release(mesh: Mesh): void;
}

export class CullerObject implements CulledObject, InputObject {
  readonly id: number;
  readonly self: boolean;
  /** The index among the objects; changes when objects are removed. */
  position: number;
  removed = false;
  readonly #host: ObjectHost;
  #mesh: Mesh;

  constructor(host: ObjectHost, id: number, position: number, mesh: Mesh, self: boolean) {
    this.#host = host;
    this.id = id;
    this.position = position;
    this.#mesh = mesh;
    this.self = self;
  }

  get mesh(): Mesh {
    return this.#mesh;
  }

  /** The pose at the time of the query under way. A view. */
  get pose(): RigidPose {
    return this.#host.poseOf(this);
  }

  move(pose: Pose): void {
    this.#assertHere();
    this.#host.beforeMove();
    this.#host.place(
      this,
      naming(this.id, () => toRigidPose(pose)),
    );
  }

  deform(positions: ArrayLike<number>): void {
    this.#assertHere();
    this.#host.beforeChange();
    naming(this.id, () => this.#mesh.setPositions(positions));
  }

  replace(shape: Mesh | MeshInput): void {
    this.#assertHere();
    this.#host.beforeChange();
    const before = this.#mesh;
    this.#mesh = naming(this.id, () => this.#host.take(shape));
    this.#host.release(before);
    this.#host.layOutAgain();
  }

  remove(): void {
    this.#assertHere();
    this.#host.beforeChange();
    this.removed = true;
    this.#host.remove(this);
    this.#host.release(this.#mesh);
  }

  #assertHere(): void {
    if (this.removed) {
      throw new ImpingeError('removed', `object ${this.id} was removed`, { object: this.id });
    }
  }
}

/** Runs a function, and adds the object's id to its errors. */
export function naming<T>(id: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw named(id, error);
  }
}

export function named(id: number, error: unknown): unknown {
  if (!(error instanceof ImpingeError)) return error;
  return new ImpingeError(error.code, `object ${id}: ${error.message}`, { ...error.detail, object: id });
}

/** The meshes of a culler: its own are disposed of with the last object that uses them. */
export class MeshUses {
  readonly #own = new Map<Mesh, number>();

  take(shape: Mesh | MeshInput): Mesh {
    if (shape instanceof Mesh) {
      shape.assertLive();
      const uses = this.#own.get(shape);
      if (uses !== undefined) this.#own.set(shape, uses + 1);
      return shape;
    }
    const mesh = Mesh.from(shape);
    this.#own.set(mesh, 1);
    return mesh;
  }

  release(mesh: Mesh): void {
    const uses = this.#own.get(mesh);
    if (uses === undefined) return;
    if (uses > 1) this.#own.set(mesh, uses - 1);
    else {
      this.#own.delete(mesh);
      mesh.dispose();
    }
  }

  releaseAll(): void {
    for (const mesh of this.#own.keys()) mesh.dispose();
    this.#own.clear();
  }
}
