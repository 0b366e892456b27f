/** A scene's handle for each of its objects: its pose, its mesh or shape, and the calls to move or remove it. */
import { ImpingeError } from '../base/errors.js';
import { type LinearPose, RIGID, readLinearPose, type Stretch } from '../math/linear-map.js';
import { IDENTITY, type Pose, type RigidPose } from '../math/pose.js';
import type { Mesh } from '../mesh/mesh.js';
import { isPrimitive, type ScenePrimitive } from './scene-primitive.js';

/** An object of a scene. */
export interface SceneObject {
  /** Never used again in this scene. */
  readonly id: number;
  /** As given to `add`; that of the mesh by default. */
  readonly name: string;
  /** The mesh; error 'unsupported' if the object is a primitive. */
  readonly mesh: Mesh;
  /** The primitive, if the object is not a mesh. */
  readonly primitive: ScenePrimitive | undefined;
  /** Data of the caller; the library never uses it. */
  userData: unknown;
  /** Twelve numbers as in math/pose.ts, a new array after every move; read-only. */
  readonly pose: RigidPose;
  /** Moves the object to a pose. The next query about pairs costs time in proportion to the boxes it has passed. */
  move(pose: Pose): void;
  remove(): void;
}

/** An object as a part of the scene (query/target.ts). */
export interface ScenePart extends SceneObject {
  /** What the pose does to lengths. */
  readonly stretch: Stretch;
  readonly slot: number;
  readonly place: { readonly object: SceneObject };
}

/** What a slot holds, for the rest of the library. */
export type SlotObject = ScenePart;

/** What handles ask of their scene. */
export interface Keeper {
  /** Room for a pose, never used before. */
  newPose(): Float64Array;
  place(object: PlacedObject): void;
  takeOut(object: PlacedObject): void;
}

export class PlacedObject implements SlotObject {
  readonly id: number;
  readonly name: string;
  userData: unknown;
  readonly primitive: ScenePrimitive | undefined;
  readonly #mesh: Mesh | undefined;
  readonly slot: number;
  readonly #scene: Keeper;
  #pose: LinearPose = IDENTITY as RigidPose;
  stretch: Stretch = RIGID;
  /** The mesh's revision when its box was measured. */
  measured = -1;
  #removed = false;

  constructor(id: number, slot: number, thing: Mesh | ScenePrimitive, options: AddOptions, scene: Keeper) {
    this.id = id;
    this.slot = slot;
    this.primitive = isPrimitive(thing) ? thing : undefined;
    this.#mesh = isPrimitive(thing) ? undefined : thing;
    this.name = options.name ?? this.#mesh?.name ?? '';
    this.userData = options.userData;
    this.#scene = scene;
    if (options.pose !== undefined) this.#put(options.pose);
  }

  get place(): { readonly object: SceneObject } {
    return { object: this };
  }

  get mesh(): Mesh {
    if (this.#mesh) return this.#mesh;
    const { id, primitive } = this;
    throw new ImpingeError('unsupported', `object ${id} is a ${primitive?.kind}: this call needs a mesh`, {
      object: id,
    });
  }

  /** Of its mesh; primitives stay as they are. */
  get revision(): number {
    return this.#mesh?.revision ?? 0;
  }

  get pose(): RigidPose {
    return this.#pose;
  }

  move(pose: Pose): void {
    this.assertThere();
    this.#put(pose);
    this.#scene.place(this);
  }

  #put(pose: Pose): void {
    const read = this.#scene.newPose();
    const stretch = readLinearPose(pose, read);
    this.primitive?.assertPose(read);
    this.stretch = stretch;
    this.#pose = read;
  }

  remove(): void {
    this.assertThere();
    this.#removed = true;
    this.#scene.takeOut(this);
  }

  /** Throws where it was removed. */
  assertThere(): void {
    const { id } = this;
    if (this.#removed)
      throw new ImpingeError('removed', `object ${id} was removed from its scene`, { object: id });
  }
}

export const ADD_NAMES = { pose: true, name: true, userData: true } as const;

export interface AddOptions {
  readonly pose?: Pose;
  /** For people: names need not be unique (default: the mesh's). */
  readonly name?: string;
  readonly userData?: unknown;
}
