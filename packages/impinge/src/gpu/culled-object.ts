/** An object of a culler: a mesh at a place, for its caller and for backends alike. */
import { ImpingeError } from '../base/errors.js';
import { type Pose, type RigidPose, toRigidPose } from '../math/pose.js';
import { Mesh, type MeshInput } from '../mesh/mesh.js';
import type { WorldObject } from './backend.js';
import type { CulledObject } from './types.js';

/** What an object needs of its culler. */
export interface Keeper {
  /** Refuses changes while a question is under way, or after the end. */
  beforeChange(): void;
  beforeMove(): void;
  poseOf(object: HeldObject): RigidPose;
  place(object: HeldObject, pose: RigidPose): void;
  /** The layout is to be made anew. */
  relay(): void;
  remove(object: HeldObject): void;
  /** Counts users of meshes, and disposes those the culler made when the last one goes. */
  take(shape: Mesh | MeshInput): Mesh;
  release(mesh: Mesh): void;
}

export class HeldObject implements CulledObject, WorldObject {
  readonly id: number;
  readonly self: boolean;
  /** Where it is among the objects; changes when others are removed. */
  position: number;
  removed = false;
  readonly #keeper: Keeper;
  #mesh: Mesh;

  constructor(keeper: Keeper, id: number, position: number, mesh: Mesh, self: boolean) {
    this.#keeper = keeper;
    this.id = id;
    this.position = position;
    this.#mesh = mesh;
    this.self = self;
  }

  get mesh(): Mesh {
    return this.#mesh;
  }

  /** As it was when the question under way was asked. A view. */
  get pose(): RigidPose {
    return this.#keeper.poseOf(this);
  }

  move(pose: Pose): void {
    this.#assertHere();
    this.#keeper.beforeMove();
    this.#keeper.place(
      this,
      naming(this.id, () => toRigidPose(pose)),
    );
  }

  deform(positions: ArrayLike<number>): void {
    this.#assertHere();
    this.#keeper.beforeChange();
    naming(this.id, () => this.#mesh.setPositions(positions));
  }

  replace(shape: Mesh | MeshInput): void {
    this.#assertHere();
    this.#keeper.beforeChange();
    const before = this.#mesh;
    this.#mesh = naming(this.id, () => this.#keeper.take(shape));
    this.#keeper.release(before);
    this.#keeper.relay();
  }

  remove(): void {
    this.#assertHere();
    this.#keeper.beforeChange();
    this.removed = true;
    this.#keeper.remove(this);
    this.#keeper.release(this.#mesh);
  }

  #assertHere(): void {
    if (this.removed) {
      throw new ImpingeError('disposed', `object ${this.id} was removed`, { object: this.id });
    }
  }
}

/** Runs what may fail because of an object's caller, and says which object it was. */
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

/** The meshes of a culler: its own are disposed when the last object that uses them goes. */
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
