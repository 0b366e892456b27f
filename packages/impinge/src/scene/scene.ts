/**
 * Many objects with poses, and the pairs of them that are near each other. One mesh may serve any number of objects.
 *
 * Idea: the first question about pairs is answered by one pass over all boxes. Who asks again has moving objects: then
 * sorted lists are made and kept up to date.
 * Slots of removed objects are used anew, their handles and ids are not.
 */
import { ImpingeError } from '../base/errors.js';
import { readBag, readLength } from '../base/options.js';
import { type Pose, type RigidPose, toRigidPose } from '../math/pose.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';
import { type BroadPhase, boxesNear } from '../volumes/broad-phase.js';
import { boxSweep } from './box-sweep.js';
import { SweepAndPrune, type SweepStats } from './sweep-and-prune.js';
import { writeWorldBox } from './world-box.js';

const MOST_OBJECTS = 2 ** 24;

/** An object of a scene. */
export interface SceneObject {
  /** Never used again in this scene. */
  readonly id: number;
  readonly mesh: Mesh;
  /** Twelve numbers as in math/pose.ts, another array after every move; not to be written to. */
  readonly pose: RigidPose;
  /**
   * Moves the object to a pose, or takes note that its mesh has changed where none is given. Costs as much as the
   * object passes others.
   */
  move(pose?: Pose): void;
  remove(): void;
}

/** What a slot holds, for the rest of the library. */
export interface SlotObject extends SceneObject {
  /** The mesh's revision when its box was measured. */
  readonly measured: number;
}

/** What handles ask of their scene. */
interface Keeper {
  place(object: PlacedObject): void;
  takeOut(object: PlacedObject): void;
}

class PlacedObject implements SlotObject {
  readonly id: number;
  readonly mesh: Mesh;
  readonly slot: number;
  readonly #scene: Keeper;
  #pose: RigidPose;
  measured: number;
  #removed = false;

  constructor(id: number, slot: number, mesh: Mesh, pose: RigidPose, scene: Keeper) {
    this.id = id;
    this.slot = slot;
    this.mesh = mesh;
    this.#pose = pose;
    this.#scene = scene;
    this.measured = mesh.revision;
  }

  get pose(): RigidPose {
    return this.#pose;
  }

  move(pose?: Pose): void {
    this.#assertThere();
    if (pose !== undefined) this.#pose = toRigidPose(pose);
    this.#scene.place(this);
  }

  remove(): void {
    this.#assertThere();
    this.#removed = true;
    this.#scene.takeOut(this);
  }

  #assertThere(): void {
    const { id } = this;
    if (this.#removed)
      throw new ImpingeError('removed', `object ${id} was removed from its scene`, { object: id });
  }
}

export interface SceneStats extends Readonly<SweepStats> {
  readonly objects: number;
}

export interface SceneOptions {
  /**
   * Finds near pairs anew at every question. Default: one sweep for the first question, from the second on sorted lists
   * that follow the objects.
   */
  readonly broadPhase?: BroadPhase;
}

/** Objects that are near each other: two numbers of the list for each pair. */
export interface NearPairs {
  readonly objects: readonly (SlotObject | undefined)[];
  readonly near: Uint32Array;
}

/** Throws unless it is a scene. */
export function assertScene(scene: Scene): void {
  if (typeof scene?.pairs !== 'function') throw new ImpingeError('bad-input', 'a scene is needed');
}

export class Scene {
  readonly #objects: (PlacedObject | undefined)[] = [];
  readonly #free: number[] = [];
  #boxes = new Float64Array(6 * 64);
  #sweep: SweepAndPrune | undefined; // from the second question on
  readonly #broadPhase: BroadPhase | undefined;
  #asked = false;
  #size = 0;
  #nextId = 0;

  constructor(options: SceneOptions = {}) {
    const { broadPhase } = readBag(options);
    if (broadPhase !== undefined && typeof broadPhase?.pairs !== 'function') {
      throw new ImpingeError('bad-option', 'broadPhase must be an object that finds pairs');
    }
    this.#broadPhase = broadPhase;
  }

  /** Number of objects. */
  get size(): number {
    return this.#size;
  }

  get stats(): SceneStats {
    return { swaps: 0, boxTests: 0, merges: 0, ...this.#sweep?.stats, objects: this.#size };
  }

  /** Adds an object. Adding many at once is cheap: they are sorted together at the next question. */
  add(mesh: Mesh, options: { readonly pose?: Pose } = {}): SceneObject {
    const { pose } = readBag(options);
    assertMesh(mesh);
    const rigid = toRigidPose(pose);
    const slot = this.#free.pop() ?? this.#objects.length;
    if (slot >= MOST_OBJECTS)
      throw new ImpingeError('out-of-memory', `a scene holds at most ${MOST_OBJECTS} objects`);
    const object = new PlacedObject(this.#nextId++, slot, mesh, rigid, this.#keeper);
    this.#objects[slot] = object;
    this.#size++;
    this.#placeBox(object);
    this.#sweep?.insert(slot, this.#box(slot));
    return object;
  }

  readonly #keeper: Keeper = {
    place: (object) => {
      this.#placeBox(object);
      this.#sweep?.update(object.slot, this.#box(object.slot));
    },
    takeOut: ({ slot }) => {
      this.#sweep?.remove(slot);
      this.#objects[slot] = undefined;
      this.#free.push(slot);
      this.#size--;
    },
  };

  /** In the order of their slots: a new object may take the place of a removed one. */
  objects(): SceneObject[] {
    return this.#inOrder();
  }
  /** One more than the last slot in use was. */
  get slotCount(): number {
    return this.#objects.length;
  }
  /** What is in a slot, for the rest of the library. */
  objectAt(slot: number): SlotObject | undefined {
    return this.#objects[slot];
  }

  /**
   * Pairs whose boxes come within `distance` of each other along every axis (default 0: overlap, touching included),
   * ordered by slot. The second question, and a greater distance than before, sort everything anew.
   */
  pairs(distance = 0): [SceneObject, SceneObject][] {
    const { objects, near } = this.nearPairs(distance);
    const out: [SceneObject, SceneObject][] = [];
    for (let i = 0; i < near.length; i += 2) out.push([objects[near[i]]!, objects[near[i + 1]]!]);
    return out;
  }

  /** The same for the rest of the library: two numbers of the list for each pair. */
  nearPairs(distance: number): NearPairs {
    readLength('distance', distance);
    if (this.#broadPhase || !this.#asked) {
      this.#asked = true;
      return this.#pairsAtOnce(this.#broadPhase ?? boxSweep, distance);
    }
    const sweep = this.#sweep && distance <= this.#sweep.distance ? this.#sweep : this.#sortFor(distance);
    const near: number[] = [];
    const partners: number[] = [];
    for (let slot = 0; slot < this.#objects.length; slot++) {
      if (!this.#objects[slot]) continue;
      partners.length = 0;
      for (const other of sweep.partnersOf(slot)) {
        if (other > slot && boxesNear(this.#boxes, slot, other, distance)) partners.push(other);
      }
      if (partners.length > 1) partners.sort((s, t) => s - t);
      for (const other of partners) near.push(slot, other);
    }
    return { objects: this.#objects, near: Uint32Array.from(near) };
  }

  #pairsAtOnce(broadPhase: BroadPhase, distance: number): NearPairs {
    const objects = this.#inOrder();
    const boxes = new Float64Array(6 * objects.length);
    objects.forEach(({ slot }, i) => {
      for (let k = 0; k < 6; k++) boxes[6 * i + k] = this.#boxes[6 * slot + k];
    });
    return { objects, near: broadPhase.pairs(boxes, distance) };
  }

  #inOrder(): PlacedObject[] {
    return this.#objects.filter((object) => object !== undefined);
  }

  /** Measures an object. */
  #placeBox(object: PlacedObject): void {
    const { slot } = object;
    if (6 * slot >= this.#boxes.length) {
      const boxes = new Float64Array(2 * this.#boxes.length);
      boxes.set(this.#boxes);
      this.#boxes = boxes;
    }
    object.measured = object.mesh.revision;
    writeWorldBox(object.mesh, object.pose, this.#boxes, 6 * slot);
  }

  #box(slot: number): Float64Array {
    return this.#boxes.subarray(6 * slot, 6 * slot + 6);
  }

  /** Sorts everything for pairs within `distance`. */
  #sortFor(distance: number): SweepAndPrune {
    const sweep = new SweepAndPrune(distance);
    this.#objects.forEach((object, slot) => {
      if (object) sweep.insert(slot, this.#box(slot));
    });
    this.#sweep = sweep;
    return sweep;
  }

  /** Checks the sorted lists and every pair; throws with what is wrong. For tests: quadratic in the objects. */
  validateOrder(): void {
    (this.#sweep ?? this.#sortFor(0)).validate();
  }
}
