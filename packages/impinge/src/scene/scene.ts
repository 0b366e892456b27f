/**
 * Many objects with poses, and the pairs of them that are near each other. One mesh may serve any number of objects.
 *
 * Idea: the first question about pairs is answered by one pass over all boxes. Who asks again has moving objects: then
 * sorted lists are made and kept up to date.
 * Ids carry a generation: the id of a removed object is never valid again, though its slot is used anew.
 */
import { ImpingeError } from '../base/errors.js';
import { readLength } from '../base/options.js';
import { type Pose, type RigidPose, toRigidPose } from '../math/pose.js';
import type { Mesh } from '../mesh/mesh.js';
import { type BroadPhase, boxesNear } from '../volumes/broad-phase.js';
import { boxPairs } from './box-pairs.js';
import { SweepAndPrune, type SweepStats } from './sweep-and-prune.js';
import { writeWorldBox } from './world-box.js';

declare const brand: unique symbol;
/** Names an object of a scene. */
export type ObjectId = number & { readonly [brand]: 'ObjectId' };

/** id = slot + SLOTS · generation. */
const SLOTS = 2 ** 24;

interface SceneObject {
  readonly id: ObjectId;
  readonly mesh: Mesh;
  /** Another array after every move. */
  pose: RigidPose;
  /** The mesh's revision when its box was measured. */
  measured: number;
}

export interface SceneStats extends Readonly<SweepStats> {
  readonly objects: number;
}

export interface SceneOptions {
  /**
   * Finds near pairs anew at every question. Default: box pairs for the first question, from the second on sorted lists
   * that follow the objects.
   */
  readonly broadPhase?: BroadPhase;
}

export class Scene {
  readonly #objects: (SceneObject | undefined)[] = [];
  readonly #generations: number[] = [];
  readonly #free: number[] = [];
  #boxes = new Float64Array(6 * 64);
  #sweep: SweepAndPrune | undefined; // from the second question on
  readonly #broadPhase: BroadPhase | undefined;
  #asked = false;
  #size = 0;

  constructor({ broadPhase }: SceneOptions = {}) {
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
  add(mesh: Mesh, pose?: Pose): ObjectId {
    mesh.assertLive();
    const rigid = toRigidPose(pose);
    const slot = this.#free.pop() ?? this.#objects.length;
    if (slot >= SLOTS) throw new ImpingeError('bad-input', `a scene holds at most ${SLOTS} objects`);
    this.#generations[slot] ??= 0;
    const id = (slot + SLOTS * this.#generations[slot]) as ObjectId;
    this.#objects[slot] = { id, mesh, pose: rigid, measured: mesh.revision };
    this.#size++;
    this.#placeBox(slot);
    this.#sweep?.insert(slot, this.#box(slot));
    return id;
  }

  /**
   * Moves an object to a pose, or takes note that its mesh has changed where none is given. Costs as much as the
   * object passes others.
   */
  move(id: ObjectId, pose?: Pose): void {
    const object = this.#get(id);
    if (pose !== undefined) object.pose = toRigidPose(pose);
    const slot = id % SLOTS;
    this.#placeBox(slot);
    this.#sweep?.update(slot, this.#box(slot));
  }

  remove(id: ObjectId): void {
    this.#get(id);
    const slot = id % SLOTS;
    this.#sweep?.remove(slot);
    this.#objects[slot] = undefined;
    this.#generations[slot]++;
    this.#free.push(slot);
    this.#size--;
  }

  has(id: ObjectId): boolean {
    return this.#objects[id % SLOTS]?.id === id;
  }
  meshOf(id: ObjectId): Mesh {
    return this.#get(id).mesh;
  }
  /** Twelve numbers as in math/pose.ts. A copy. */
  poseOf(id: ObjectId): RigidPose {
    return this.#get(id).pose.slice();
  }
  /** The pose itself, for the rest of the library: not to be written to. */
  placeOf(id: ObjectId): RigidPose {
    return this.#get(id).pose;
  }
  /** One more than the last slot in use was. */
  get slotCount(): number {
    return this.#objects.length;
  }
  /** What is in a slot, for the rest of the library: not to be written to. */
  objectAt(slot: number): Readonly<SceneObject> | undefined {
    return this.#objects[slot];
  }
  /** In the order of their slots. */
  ids(): ObjectId[] {
    return this.#objects.flatMap((object) => (object ? [object.id] : []));
  }

  /**
   * Pairs whose boxes come within `distance` of each other along every axis (default 0: overlap, touching included),
   * ordered by slot. The second question, and a greater distance than before, sort everything anew.
   */
  pairs(distance = 0): [ObjectId, ObjectId][] {
    readLength('distance', distance);
    if (this.#broadPhase || !this.#asked) {
      this.#asked = true;
      return this.#pairsAtOnce(this.#broadPhase ?? boxPairs, distance);
    }
    const sweep = this.#sweep && distance <= this.#sweep.distance ? this.#sweep : this.#sortFor(distance);
    const out: [ObjectId, ObjectId][] = [];
    const partners: number[] = [];
    for (let slot = 0; slot < this.#objects.length; slot++) {
      const object = this.#objects[slot];
      if (!object) continue;
      partners.length = 0;
      for (const other of sweep.partnersOf(slot)) {
        if (other > slot && boxesNear(this.#boxes, slot, other, distance)) partners.push(other);
      }
      if (partners.length > 1) partners.sort((s, t) => s - t);
      for (const other of partners) out.push([object.id, this.#objects[other]!.id]);
    }
    return out;
  }

  #pairsAtOnce(broadPhase: BroadPhase, distance: number): [ObjectId, ObjectId][] {
    const ids = this.ids();
    const boxes = new Float64Array(6 * ids.length);
    ids.forEach((id, i) => {
      boxes.set(this.#box(id % SLOTS), 6 * i);
    });
    const near = broadPhase.pairs(boxes, distance);
    const out: [ObjectId, ObjectId][] = [];
    for (let i = 0; i < near.length; i += 2) {
      out.push([ids[near[i]], ids[near[i + 1]]]);
    }
    return out;
  }

  #get(id: ObjectId): SceneObject {
    const object = this.#objects[id % SLOTS];
    if (object?.id !== id)
      throw new ImpingeError('bad-input', `object ${id} is not in the scene`, { object: id });
    return object;
  }

  /** Measures an object. */
  #placeBox(slot: number): void {
    if (6 * slot >= this.#boxes.length) {
      const boxes = new Float64Array(2 * this.#boxes.length);
      boxes.set(this.#boxes);
      this.#boxes = boxes;
    }
    const object = this.#objects[slot]!;
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
