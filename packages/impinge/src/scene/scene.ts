/**
 * Many objects with poses, and the pairs of them that are near each other. One mesh may serve any number of objects.
 *
 * Idea: the first question about pairs is answered by one pass over all boxes, and so is every one for which many have
 * moved. Where few have, sorted lists are made and kept up to date; where nothing has, the last answer holds. Who asks
 * about one object gets a tree (moving-boxes.ts), which is kept, too. Both learn of what has moved or deformed when
 * they are asked next (mesh/revisions.ts). Slots of removed objects are used anew, their handles and ids are not.
 */
import { ImpingeError } from '../base/errors.js';
import { readKnown, readLength, shown } from '../base/options.js';
import type { Vec3 } from '../math/pose.js';
import { assertMesh, type Mesh, meshChanges } from '../mesh/mesh.js';
import { assertBoxes, type BroadPhase, boxesNear } from '../volumes/broad-phase.js';
import { boxSweep } from './box-sweep.js';
import { MovingBoxes } from './moving-boxes.js';
import {
  ADD_NAMES,
  type AddOptions,
  type Keeper,
  PlacedObject,
  type SceneObject,
  type SlotObject,
} from './placed-object.js';
import { isPrimitive, type ScenePrimitive } from './scene-primitive.js';
import { SweepAndPrune, type SweepStats } from './sweep-and-prune.js';
import { slackOf, slackOfStretch, writePosedBox } from './world-box.js';

export type { AddOptions, SceneObject, SlotObject } from './placed-object.js';

const MOST_OBJECTS = 2 ** 24;
/** Where one in so many has moved, a pass over all boxes takes less time than the lists. */
const FEW_MOVED = 32;
/** Few: one that is still held keeps the others. */
const POSES_TOGETHER = 32;

export interface SceneStats extends Readonly<SweepStats> {
  readonly objects: number;
}

export interface SceneOptions {
  /**
   * Finds near pairs anew at every question. Default: one sweep for the first question and wherever many objects have
   * moved, else sorted lists that follow the objects.
   */
  readonly broadPhase?: BroadPhase;
}

/** Objects that are near each other: two numbers of the list for each pair. */
export interface NearPairs {
  readonly objects: readonly (SlotObject | undefined)[];
  readonly near: Uint32Array;
}

/** A box as callers give it, as six numbers. */
function readBox({ min, max }: { readonly min: Vec3; readonly max: Vec3 }): Float64Array {
  if (min?.length !== 3 || max?.length !== 3)
    throw new ImpingeError('bad-input', 'an object of the scene, or a box with min and max, is needed');
  const box = Float64Array.of(...min, ...max);
  assertBoxes(box, 0, 'near');
  return box;
}

/** Throws unless it is a scene. */
export function assertScene(scene: Scene): void {
  if (typeof scene?.pairs !== 'function') throw new ImpingeError('bad-input', 'a scene is needed');
}

export class Scene {
  readonly #objects: (PlacedObject | undefined)[] = [];
  readonly #free: number[] = [];
  #boxes = new Float64Array(6 * 64);
  readonly #ownBox = new Float64Array(6); // of the mesh that is being placed
  #sweep: SweepAndPrune | undefined; // from the second question about pairs on
  readonly #unswept = new Set<number>(); // moved since
  #tree: MovingBoxes | undefined; // from the first question about one object on
  readonly #broadPhase: BroadPhase | undefined;
  #asked = false;
  /** The last answer about pairs, until something comes, goes or moves. */
  #near: (NearPairs & { readonly distance: number }) | undefined;
  /** How many have since the last question. */
  #moved = 0;
  #hasPrimitives = false;
  #looked = meshChanges(); // what it was when meshes were last looked at
  /** Where the next poses go: an array with memory of its own takes ten times as long to make as a part of one. */
  #poses = new ArrayBuffer(0);
  #posesTaken = POSES_TOGETHER;
  #size = 0;
  #nextId = 0;

  constructor(options: SceneOptions = {}) {
    const { broadPhase } = readKnown('Scene', options, { broadPhase: true });
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

  /**
   * Adds an object, of a mesh or a `Primitive`. Adding many at once is cheap: they are sorted together at the next
   * question.
   */
  add(thing: Mesh | ScenePrimitive, options: AddOptions = {}): SceneObject {
    const { name = '' } = readKnown('add', options, ADD_NAMES);
    if (typeof name !== 'string')
      throw new ImpingeError('bad-option', `name must be a string, got ${shown(name)}`);
    if (!isPrimitive(thing)) assertMesh(thing);
    const slot = this.#free.at(-1) ?? this.#objects.length;
    if (slot >= MOST_OBJECTS)
      throw new ImpingeError('out-of-memory', `a scene holds at most ${MOST_OBJECTS} objects`);
    const object = new PlacedObject(this.#nextId, slot, thing, options, this.#keeper);
    if (object.primitive) this.#hasPrimitives = true;
    this.#nextId++;
    this.#free.pop();
    this.#objects[slot] = object;
    this.#size++;
    this.#changed();
    this.#placeBox(object);
    this.#sweep?.insert(slot, this.#box(slot));
    this.#tree?.touch(slot);
    return object;
  }

  readonly #keeper: Keeper = {
    newPose: () => {
      if (this.#posesTaken === POSES_TOGETHER) {
        this.#poses = new ArrayBuffer(96 * POSES_TOGETHER);
        this.#posesTaken = 0;
      }
      return new Float64Array(this.#poses, 96 * this.#posesTaken++, 12);
    },
    place: (object) => {
      this.#changed();
      this.#placeBox(object);
      if (this.#sweep) this.#unswept.add(object.slot);
      this.#tree?.touch(object.slot);
    },
    takeOut: ({ slot }) => {
      this.#changed();
      this.#unswept.delete(slot);
      this.#sweep?.remove(slot);
      this.#tree?.remove(slot);
      this.#objects[slot] = undefined;
      this.#free.push(slot);
      this.#size--;
    },
  };

  /** In the order of their slots: a new object may take the place of a removed one. */
  objects(): SceneObject[] {
    return this.#inOrder();
  }
  /** @internal One more than the last slot in use was. */
  get slotCount(): number {
    return this.#objects.length;
  }
  /** @internal What is in a slot, for the rest of the library. */
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

  /**
   * The objects whose boxes come within `distance` of that of an object, or of a box, along every axis (default 0:
   * overlap, touching included), in the order of their slots and without the object itself. Costs as much as is near.
   */
  near(around: SceneObject | { readonly min: Vec3; readonly max: Vec3 }, distance = 0): SceneObject[] {
    readLength('distance', distance);
    const own = 'move' in Object(around) ? this.slotOf(around as SceneObject) : -1;
    const found: number[] = [];
    const note = (slot: number) => {
      if (slot !== own) found.push(slot);
    };
    if (own >= 0) this.tree.forEachNear(this.#boxes, 6 * own, distance, note);
    else this.tree.forEachNear(readBox(Object(around)), 0, distance, note);
    return found.sort((s, t) => s - t).map((slot) => this.#objects[slot]!);
  }

  /** @internal The tree over all boxes, for the rest of the library. */
  get tree(): MovingBoxes {
    this.#followMeshes();
    if (!this.#tree) {
      this.#tree = new MovingBoxes(() => this.#boxes);
      for (const { slot } of this.#inOrder()) this.#tree.touch(slot);
    }
    return this.#tree;
  }

  /** @internal Whether there have ever been any. */
  get hasPrimitives(): boolean {
    return this.#hasPrimitives;
  }

  /** @internal Six numbers for each slot: not to be written to, and others once objects come. */
  get boxes(): Float64Array {
    return this.#boxes;
  }

  /** @internal Where an object of this scene is; throws where it is none, or is one no longer. */
  slotOf(object: SceneObject): number {
    const { slot } = Object(object) as SlotObject;
    if (this.#objects[slot] === object) return slot;
    if (object instanceof PlacedObject) object.assertThere();
    throw new ImpingeError('bad-input', 'an object of this scene is needed');
  }

  /** @internal Pairs as of `pairs`: two numbers of the list for each pair. */
  nearPairs(distance: number): NearPairs {
    readLength('distance', distance);
    this.#followMeshes();
    if (this.#broadPhase) return this.#pairsAtOnce(distance);
    if (this.#near?.distance === distance) return this.#near;
    const few = this.#asked && this.#moved > 0 && FEW_MOVED * this.#moved <= this.#size;
    const { objects, near } = few ? this.#listed(distance) : this.#pairsAtOnce(distance);
    this.#asked = true;
    this.#moved = 0;
    this.#near = { objects, near, distance };
    return this.#near;
  }

  /** Measures the objects anew whose meshes have deformed since they were last asked about. */
  #followMeshes(): void {
    if (this.#looked === meshChanges()) return;
    this.#looked = meshChanges();
    for (const object of this.#inOrder()) if (object.measured !== object.revision) this.#keeper.place(object);
  }

  #changed(): void {
    this.#near = undefined;
    this.#moved++;
  }

  /** By the lists. */
  #listed(distance: number): NearPairs {
    const sweep = this.#sweep && distance <= this.#sweep.distance ? this.#sweep : this.#sortFor(distance);
    this.#upToDate(sweep);
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

  #pairsAtOnce(distance: number): NearPairs {
    const objects = this.#inOrder();
    const boxes = this.#boxes.slice(0, 6 * objects.length);
    for (let i = 0; objects.length < this.#objects.length && i < objects.length; i++) {
      const { slot } = objects[i];
      for (let k = 0; k < 6; k++) boxes[6 * i + k] = this.#boxes[6 * slot + k];
    }
    return { objects, near: (this.#broadPhase ?? boxSweep).pairs(boxes, distance) };
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
    object.measured = object.revision;
    const { primitive, pose, stretch } = object;
    if (primitive) primitive.writeBox(pose, this.#boxes, 6 * slot);
    else {
      object.mesh.copyBox(this.#ownBox);
      writePosedBox(this.#ownBox, 0, pose, slackOfStretch(stretch) ?? slackOf(pose), this.#boxes, 6 * slot);
    }
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
    this.#unswept.clear();
    return sweep;
  }

  /** Tells the lists of what has moved. */
  #upToDate(sweep: SweepAndPrune): SweepAndPrune {
    for (const slot of this.#unswept) sweep.update(slot, this.#box(slot));
    this.#unswept.clear();
    return sweep;
  }

  /**
   * @internal Checks the sorted lists and every pair; throws with what is wrong. For tests: quadratic in the objects.
   */
  validateOrder(): void {
    this.#upToDate(this.#sweep ?? this.#sortFor(0)).validate();
  }
}
