/**
 * Many objects with poses, and the pairs of them that are near each other. One mesh may serve any number of objects.
 *
 * Idea: the first question about pairs is answered by one pass over all boxes. Who asks again has moving objects: then
 * sorted lists are made and kept up to date. Who asks about one object gets a tree (moving-boxes.ts), which is kept, too.
 * Both learn of what has moved when they are asked next.
 * Slots of removed objects are used anew, their handles and ids are not.
 */
import { ImpingeError } from '../base/errors.js';
import { readBag, readLength, shown } from '../base/options.js';
import { type LinearPose, RIGID, readLinearPose, type Stretch } from '../math/linear-map.js';
import { IDENTITY, type Pose, type RigidPose, type Vec3 } from '../math/pose.js';
import { assertMesh, type Mesh, meshChanges } from '../mesh/mesh.js';
import { assertBoxes, type BroadPhase, boxesNear } from '../volumes/broad-phase.js';
import { boxSweep } from './box-sweep.js';
import { MovingBoxes } from './moving-boxes.js';
import { isPrimitive, type ScenePrimitive } from './scene-primitive.js';
import { SweepAndPrune, type SweepStats } from './sweep-and-prune.js';
import { slackOfStretch, writeWorldBox } from './world-box.js';

const MOST_OBJECTS = 2 ** 24;
/** Few: one that is still held keeps the others. */
const POSES_TOGETHER = 32;

/** An object of a scene. */
export interface SceneObject {
  /** Never used again in this scene. */
  readonly id: number;
  /** As given to `add`; that of the mesh by default. */
  readonly name: string;
  /** 'unsupported' where it is a primitive: what asks for meshes says so. */
  readonly mesh: Mesh;
  /** What it is in place of a mesh. */
  readonly primitive: ScenePrimitive | undefined;
  /** Whatever belongs to the object; the library never looks at it. */
  userData: unknown;
  /** Twelve numbers as in math/pose.ts, another array after every move; not to be written to. */
  readonly pose: RigidPose;
  /**
   * Moves the object to a pose, or takes note that its mesh has changed where none is given. The next question about
   * pairs costs as much as the object has passed others.
   */
  move(pose?: Pose): void;
  remove(): void;
}

/** What a slot holds, for the rest of the library. */
export interface SlotObject extends SceneObject {
  /** What the pose does to lengths. */
  readonly stretch: Stretch;
  readonly slot: number;
  /** The mesh's revision when its box was measured. */
  readonly measured: number;
}

/** What handles ask of their scene. */
interface Keeper {
  /** Room for a pose, never used before. */
  newPose(): Float64Array;
  place(object: PlacedObject): void;
  takeOut(object: PlacedObject): void;
}

class PlacedObject implements SlotObject {
  readonly id: number;
  readonly name: string;
  userData: unknown;
  readonly primitive: ScenePrimitive | undefined;
  readonly #mesh: Mesh | undefined;
  readonly slot: number;
  readonly #scene: Keeper;
  #pose: LinearPose = IDENTITY as RigidPose;
  stretch: Stretch = RIGID;
  measured: number;
  #removed = false;

  constructor(id: number, slot: number, thing: Mesh | ScenePrimitive, options: AddOptions, scene: Keeper) {
    this.id = id;
    this.slot = slot;
    this.primitive = isPrimitive(thing) ? thing : undefined;
    this.#mesh = isPrimitive(thing) ? undefined : thing;
    this.name = options.name ?? this.#mesh?.name ?? '';
    this.userData = options.userData;
    this.#scene = scene;
    this.#put(options.pose);
    this.measured = this.revision;
  }

  get mesh(): Mesh {
    if (this.#mesh) return this.#mesh;
    const { id, primitive } = this;
    throw new ImpingeError('unsupported', `object ${id} is a ${primitive?.kind}: this is for meshes`, {
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

  move(pose?: Pose): void {
    this.assertThere();
    this.#put(pose);
    this.#scene.place(this);
  }

  #put(pose: Pose | undefined): void {
    if (pose === undefined) return;
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

export interface AddOptions {
  readonly pose?: Pose;
  /** For whoever reads it: names need not be unique (default: the mesh's). */
  readonly name?: string;
  readonly userData?: unknown;
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
  #sweep: SweepAndPrune | undefined; // from the second question about pairs on
  readonly #unswept = new Set<number>(); // moved since
  #tree: MovingBoxes | undefined; // from the first question about one object on
  readonly #broadPhase: BroadPhase | undefined;
  #asked = false;
  #hasPrimitives = false;
  #looked = meshChanges(); // what it was when meshes were last looked at
  /** Where the next poses go: an array with memory of its own takes ten times as long to make as a part of one. */
  #poses = new Float64Array(0);
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

  /** Adds an object, of a mesh or a `Primitive`. Adding many at once is cheap: they are sorted together at the next question. */
  add(thing: Mesh | ScenePrimitive, options: AddOptions = {}): SceneObject {
    const { name = '' } = readBag(options);
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
    this.#placeBox(object);
    this.#sweep?.insert(slot, this.#box(slot));
    this.#tree?.touch(slot);
    return object;
  }

  readonly #keeper: Keeper = {
    newPose: () => {
      if (this.#poses.length === 0) this.#poses = new Float64Array(12 * POSES_TOGETHER);
      const pose = this.#poses.subarray(0, 12);
      this.#poses = this.#poses.subarray(12);
      return pose;
    },
    place: (object) => {
      this.#placeBox(object);
      if (this.#sweep) this.#unswept.add(object.slot);
      this.#tree?.touch(object.slot);
    },
    takeOut: ({ slot }) => {
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

  /** @internal The tree over all boxes, for the rest of the library; those of meshes that have changed are measured anew. */
  get tree(): MovingBoxes {
    if (this.#looked !== meshChanges()) {
      this.#looked = meshChanges();
      for (const object of this.#inOrder()) if (object.measured !== object.revision) object.move();
    }
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
    if (this.#broadPhase || !this.#asked) {
      this.#asked = true;
      return this.#pairsAtOnce(this.#broadPhase ?? boxSweep, distance);
    }
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
    object.measured = object.revision;
    const { primitive, pose, stretch } = object;
    if (primitive) primitive.writeBox(pose, this.#boxes, 6 * slot);
    else writeWorldBox(object.mesh, pose, this.#boxes, 6 * slot, slackOfStretch(stretch));
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

  /** @internal Checks the sorted lists and every pair; throws with what is wrong. For tests: quadratic in the objects. */
  validateOrder(): void {
    this.#upToDate(this.#sweep ?? this.#sortFor(0)).validate();
  }
}
