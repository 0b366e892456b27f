/**
 * Many objects with poses, and the pairs of them that are near each other. One mesh may serve any number of objects.
 *
 * Idea: one pass over all boxes answers the first query about pairs, and every later one where many objects have moved.
 * Where few have, the last answer is kept except for their pairs, which come from a tree (moving-boxes.ts); where none
 * has, it holds. The tree also answers queries about one object. It picks up moves and deformations at the next query
 * (mesh/revisions.ts). Slots of removed objects are used anew, their handles and ids are not.
 */
import { ImpingeError } from '../base/errors.js';
import { readKnown, readLength, shown } from '../base/options.js';
import { type Point, readPoint } from '../math/point.js';
import type { Vec3 } from '../math/pose.js';
import { assertMesh, type Mesh, meshChanges } from '../mesh/mesh.js';
import { assertBoxes, type BroadPhase, boxesNear } from '../volumes/broad-phase.js';
import { boxSweep } from './box-sweep.js';
import { MovingBoxes } from './moving-boxes.js';
import { type BoxBound, visitNearest } from './nearest-first.js';
import {
  ADD_NAMES,
  type AddOptions,
  type Keeper,
  PlacedObject,
  type SceneObject,
  type ScenePart,
  type SlotObject,
} from './placed-object.js';
import { isPrimitive, type ScenePrimitive } from './scene-primitive.js';
import { slackOf, slackOfStretch, writePosedBox } from './world-box.js';

export type { AddOptions, SceneObject, ScenePart, SlotObject } from './placed-object.js';

const MOST_OBJECTS = 2 ** 24;
const EMPTY = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
/** Where one in so many has moved, a pass over all boxes takes less time than asking the tree. */
const FEW_MOVED = 32;
/** Kept small: one referenced pose keeps the whole batch alive. */
const POSES_TOGETHER = 32;

export interface SceneOptions {
  /**
   * Finds all near pairs at every query. Default: one sweep for the first query and wherever many objects have moved;
   * otherwise a tree finds the boxes near the moved ones.
   */
  readonly broadPhase?: BroadPhase;
}

/** Objects that are near each other, by slot: two slots for each pair. */
export interface NearPairs {
  readonly objects: readonly (SlotObject | undefined)[];
  readonly near: Uint32Array;
}

/** A box as callers give it, also as `Box3` of three.js. */
export interface BoxLike {
  readonly min: Point;
  readonly max: Point;
}

/** Six numbers. */
function readBox({ min, max }: BoxLike): Float64Array {
  if (!min || !max)
    throw new ImpingeError('bad-input', 'an object of the scene, or a box with min and max, is needed');
  const box = readPoint('near: max', max, readPoint('near: min', min, new Float64Array(6)), 3);
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
  #tree: MovingBoxes | undefined; // from the first question about few objects on
  readonly #broadPhase: BroadPhase | undefined;
  /** The pairs that were near when they were last looked for, by slot. */
  #near: { readonly pairs: Uint32Array; readonly distance: number } | undefined;
  /** Slots of objects added, removed or moved since. */
  readonly #changed = new Set<number>();
  #changes = 0;
  #hasPrimitives = false;
  #looked = meshChanges(); // `meshChanges()` when meshes were last checked
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

  /** Around all objects, by no more than their boxes need to follow small moves; without ends where there are none. */
  get box(): { readonly min: Vec3; readonly max: Vec3 } {
    const { tree } = this;
    tree.flush();
    const at = 6 * tree.root;
    const [a, b, c, d, e, f] = tree.root < 0 ? EMPTY : tree.boxes.subarray(at, at + 6);
    return { min: [a, b, c], max: [d, e, f] };
  }

  /** Objects are what they are. */
  get error(): number {
    return 0;
  }

  /** Rises when objects come, go or move, and when their meshes deform. */
  get revision(): number {
    this.#followMeshes();
    return this.#changes;
  }

  /** Number of objects. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds an object, of a mesh or a `Primitive`. Adding many at once is cheap: they are looked at together at the next
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
    this.#place(object);
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
    place: (object) => this.#place(object),
    takeOut: ({ slot }) => {
      this.#changes++;
      this.#changed.add(slot);
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
  /** @internal The contents of a slot, for the rest of the library. */
  objectAt(slot: number): SlotObject | undefined {
    return this.#objects[slot];
  }

  /**
   * Pairs whose boxes come within `distance` of each other along every axis (default 0: overlap, touching included),
   * ordered by slot. A greater distance than before compares all boxes again.
   */
  pairs(distance = 0): [SceneObject, SceneObject][] {
    const { objects, near } = this.nearPairs(distance);
    const out: [SceneObject, SceneObject][] = [];
    for (let i = 0; i < near.length; i += 2) out.push([objects[near[i]]!, objects[near[i + 1]]!]);
    return out;
  }

  /**
   * The objects whose boxes come within `distance` of that of an object, or of a box, along every axis (default 0:
   * overlap, touching included), in the order of their slots and without the object itself. Costs time in proportion to
   * the boxes nearby.
   */
  near(around: SceneObject | BoxLike, distance = 0): SceneObject[] {
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

  /**
   * Visits the objects in whose boxes a bound is at most `limit`, in the order of their bounds. `visit` returns the
   * limit from then on, which does not rise; −1 ends it. See `TargetParts`.
   */
  eachPart(bound: BoxBound, limit: number, visit: (object: ScenePart, limit: number) => number): void {
    visitNearest(this, bound, limit, visit);
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

  /** @internal Six numbers for each slot; read-only, and replaced when objects are added. */
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

  /** @internal Pairs as of `pairs`. */
  nearPairs(distance: number): NearPairs {
    readLength('distance', distance);
    this.#followMeshes();
    const objects = this.#objects;
    if (this.#broadPhase) return { objects, near: this.#pairsAtOnce(distance) };
    const last = this.#near;
    const changed = this.#changed.size;
    const few = last && distance <= last.distance && FEW_MOVED * changed <= this.#size;
    if (!few) this.#near = { pairs: this.#pairsAtOnce(distance), distance };
    else if (changed > 0) this.#near = { pairs: this.#pairsKept(last), distance: last.distance };
    this.#changed.clear();
    const { pairs, distance: most } = this.#near!;
    return { objects, near: distance === most ? pairs : this.#within(pairs, distance) };
  }

  /** The previous pairs without changed objects, plus the pairs these have now. */
  #pairsKept({ pairs, distance }: { readonly pairs: Uint32Array; readonly distance: number }): Uint32Array {
    const { tree } = this;
    const changed = this.#changed;
    const keys: number[] = [];
    for (const slot of changed) {
      if (!this.#objects[slot]) continue;
      tree.forEachNear(this.#boxes, 6 * slot, distance, (other) => {
        // of two that have changed, the first tells of both
        if (other === slot || (other < slot && changed.has(other))) return;
        keys.push(Math.min(slot, other) * MOST_OBJECTS + Math.max(slot, other));
      });
    }
    for (let i = 0; i < pairs.length; i += 2) {
      if (!changed.has(pairs[i]) && !changed.has(pairs[i + 1]))
        keys.push(pairs[i] * MOST_OBJECTS + pairs[i + 1]);
    }
    const out = new Uint32Array(2 * keys.length);
    Float64Array.from(keys)
      .sort()
      .forEach((key, i) => {
        out[2 * i] = Math.floor(key / MOST_OBJECTS);
        out[2 * i + 1] = key % MOST_OBJECTS;
      });
    return out;
  }

  #within(pairs: Uint32Array, distance: number): Uint32Array {
    const isNear = (i: number) => boxesNear(this.#boxes, pairs[i & ~1], pairs[i | 1], distance);
    return pairs.filter((_, i) => isNear(i));
  }

  /** Recomputes the boxes of objects whose meshes have deformed since the last query. */
  #followMeshes(): void {
    if (this.#looked === meshChanges()) return;
    this.#looked = meshChanges();
    for (const object of this.#inOrder()) if (object.measured !== object.revision) this.#keeper.place(object);
  }

  #pairsAtOnce(distance: number): Uint32Array {
    const objects = this.#inOrder();
    const boxes = this.#boxes.slice(0, 6 * objects.length);
    const hasGaps = objects.length < this.#objects.length;
    for (let i = 0; hasGaps && i < objects.length; i++) {
      const { slot } = objects[i];
      for (let k = 0; k < 6; k++) boxes[6 * i + k] = this.#boxes[6 * slot + k];
    }
    const near = (this.#broadPhase ?? boxSweep).pairs(boxes, distance);
    return hasGaps ? near.map((i) => objects[i].slot) : near;
  }

  #inOrder(): PlacedObject[] {
    return this.#objects.filter((object) => object !== undefined);
  }

  /** Measures an object. */
  #place(object: PlacedObject): void {
    const { slot } = object;
    this.#changes++;
    this.#changed.add(slot);
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
    this.#tree?.touch(slot);
  }
}
