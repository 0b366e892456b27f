/**
 * Moving objects in a stored world: what they meet and how close they come, step by step, under a cap of memory.
 *
 * Idea: every piece of the world has a box, every body one that also holds where it will be soon; an incremental sweep
 * and prune keeps the list of pieces that each body may meet. These are fetched ahead of time, so that a step finds
 * what it needs in memory as long as bodies move smoothly.
 * Paper: Wilson, Larsen, Manocha, Lin, "Partitioning and Handling Massive Models for Interactive Collision Detection",
 * where bodies are the floating nodes of the overlap graph.
 */
import { ASYNC_DISPOSE } from '../../base/dispose.js';
import { ImpingeError } from '../../base/errors.js';
import { readAtMost, readLength } from '../../base/options.js';
import { type Pose, type RigidPose, toRigidPose, type Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { SweepAndPrune } from '../../scene/sweep-and-prune.js';
import { writeWorldBox } from '../../scene/world-box.js';
import type { StoredModel } from '../../store/model.js';
import { PieceCache, type PieceCacheStats } from '../../store/piece-cache.js';
import { gapOfBoxes } from '../pair/box-gap.js';
import { type CollideOptions, collide } from '../pair/collide.js';
import { distance } from '../pair/distance.js';
import { useHierarchy } from '../pair/hierarchy-of.js';
import { type WithinOptions, within } from '../pair/within.js';

declare const brand: unique symbol;
/** A moving object of a session. */
export type BodyId = number & { readonly [brand]: 'BodyId' };

export interface SessionOptions {
  /** Bytes of memory for the world's geometry and hierarchies (default 160 MB). */
  readonly memory?: number;
  /** How many steps ahead geometry is fetched, at the present pace (default 30). */
  readonly horizon?: number;
}

export const SESSION_DEFAULTS = { memory: 160 * 2 ** 20, horizon: 30 } as const satisfies SessionOptions;

/** What a body meets: an object of the model, or another body. */
export interface SessionHit {
  readonly object: number | undefined;
  readonly body: BodyId | undefined;
  /** Pairs of triangles that meet, or come within the distance. */
  readonly count: number;
}

export interface SessionDistance {
  /** Infinity when nothing is within `atMost`. */
  readonly distance: number;
  readonly object: number | undefined;
  readonly body: BodyId | undefined;
  /** Closest points in the world: of the body, of what it is close to. */
  readonly pointBody: Vec3 | undefined;
  readonly pointOther: Vec3 | undefined;
}

export interface SessionStats extends PieceCacheStats {
  /** Pieces that a step needed and that were not there yet: it had to wait for the disk. */
  waitedFor: number;
  /** Exchanges in the sweep and prune. */
  swaps: number;
}

interface Body {
  readonly id: BodyId;
  readonly slot: number;
  readonly meshes: readonly Mesh[];
  /** Pieces of the model that are held because the body is made of them. */
  readonly pieces: readonly number[];
  pose: RigidPose;
  /** Now, and with where it will be. */
  readonly box: Float64Array;
  readonly reach: Float64Array;
  readonly step: Float64Array;
}

export class Session implements AsyncDisposable {
  readonly #model: StoredModel;
  readonly #horizon: number;
  readonly #cache: PieceCache;
  readonly #sweep = new SweepAndPrune();
  readonly #bodies = new Map<BodyId, Body>();
  /** Of a placed piece, its object. */
  readonly #objectOf: Uint32Array;
  readonly #hidden = new Set<number>();
  /** The greatest distance ever asked for: boxes are enlarged by it. */
  #margin = 0;
  #nextBody = 0;
  #waitedFor = 0;

  constructor(model: StoredModel, options: SessionOptions = {}) {
    const { memory, horizon } = { ...SESSION_DEFAULTS, ...options };
    this.#model = model;
    this.#horizon = readLength('horizon', horizon);
    this.#cache = new PieceCache(model, { limit: memory, onLoad: (_, tree) => useHierarchy(tree) });
    const { objectFirstPlaced, placedBox } = model.directory;
    this.#objectOf = new Uint32Array(placedBox.length / 6);
    for (let object = 0; object < model.objectCount; object++) {
      for (let k = objectFirstPlaced[object]; k < objectFirstPlaced[object + 1]; k++) {
        this.#objectOf[k] = object;
        this.#sweep.insert(k, placedBox.subarray(6 * k, 6 * k + 6));
      }
    }
    this.#sweep.flush();
  }

  get stats(): SessionStats {
    return { ...this.#cache.stats, waitedFor: this.#waitedFor, swaps: this.#sweep.stats.swaps };
  }

  /** Puts a mesh into the world; it stays the caller's. */
  add(mesh: Mesh, pose?: Pose): BodyId {
    mesh.assertLive();
    return this.#insert([mesh], [], toRigidPose(pose));
  }

  /** Makes an object of the model a body: it leaves its place in the world and can be moved. */
  async take(object: number): Promise<BodyId> {
    this.hide(object);
    const first = this.#model.firstPiece(object);
    const pieces = Array.from({ length: this.#model.pieceCountOf(object) }, (_, i) => first + i);
    try {
      await this.#cache.acquire(pieces);
    } catch (error) {
      this.show(object);
      throw error;
    }
    return this.#insert(
      pieces.map((piece) => this.#cache.mesh(piece)),
      pieces,
      this.#model.pose(object).slice(),
    );
  }

  /** Moves a body, and begins to fetch what it may meet if it goes on like this. */
  move(id: BodyId, pose: Pose): void {
    const body = this.#get(id);
    const next = toRigidPose(pose);
    for (let k = 0; k < 3; k++) body.step[k] = next[9 + k] - body.pose[9 + k];
    body.pose = next;
    this.#measure(body);
    this.#sweep.update(body.slot, body.reach);
    this.#prefetch(body);
  }

  remove(id: BodyId): void {
    const body = this.#get(id);
    this.#sweep.remove(body.slot);
    this.#bodies.delete(id);
    this.#cache.release(body.pieces);
  }

  /** Takes an object of the model out of the world, and puts it back. */
  hide(object: number): void {
    this.#assertObject(object);
    if (this.#hidden.has(object)) {
      throw new ImpingeError('bad-input', `object ${object} is not in the world`, { object });
    }
    this.#hidden.add(object);
  }
  show(object: number): void {
    if (!this.#hidden.delete(object)) {
      throw new ImpingeError('bad-input', `object ${object} is in the world`, { object });
    }
  }

  /** What a body meets, objects of the model first, each in the order of their numbers. */
  async collide(id: BodyId, options: Pick<CollideOptions, 'mode'> = {}): Promise<SessionHit[]> {
    return this.#hits(this.#get(id), 0, (a, b, poses) => collide(a, b, { ...poses, ...options }).count);
  }

  /** What a body comes within `distance` of. */
  async within(id: BodyId, options: Pick<WithinOptions, 'distance' | 'mode'>): Promise<SessionHit[]> {
    return this.#hits(
      this.#get(id),
      readLength('distance', options.distance),
      (a, b, poses) => within(a, b, { ...poses, ...options }).count,
    );
  }

  /** How far a body is from the nearest surface, where. */
  async distance(id: BodyId, options: { readonly atMost?: number } = {}): Promise<SessionDistance> {
    const body = this.#get(id);
    const atMost = readAtMost('atMost', options.atMost ?? Infinity);
    let best: SessionDistance = {
      distance: Infinity,
      object: undefined,
      body: undefined,
      pointBody: undefined,
      pointOther: undefined,
    };
    let bound = atMost;
    const measure = (
      meshes: readonly Mesh[],
      pose: RigidPose,
      found: Pick<SessionDistance, 'object' | 'body'>,
    ) => {
      for (const own of body.meshes) {
        for (const other of meshes) {
          const result = distance(own, other, { ...posesOf(body.pose, pose), atMost: bound });
          if (!result.pointA || !(result.distance < best.distance)) continue;
          bound = Math.min(bound, result.distance);
          best = { distance: result.distance, pointBody: result.pointA, pointOther: result.pointB, ...found };
        }
      }
    };
    for (const other of this.#bodies.values()) {
      if (other === body || gapOfBoxes(body.box, 0, other.box, 0) > bound) continue;
      measure(other.meshes, other.pose, { object: undefined, body: other.id });
    }
    for (const { placed, gap } of this.#nearest(body, bound)) {
      if (gap > bound) break;
      const object = this.#objectOf[placed];
      const piece = this.#pieceOf(placed);
      await this.#acquire([piece]);
      try {
        measure([this.#cache.mesh(piece)], this.#model.pose(object), { object, body: undefined });
      } finally {
        this.#cache.release([piece]);
      }
    }
    return best;
  }

  /** Frees the world's memory. Bodies' meshes stay the caller's. */
  async dispose(): Promise<void> {
    for (const id of [...this.#bodies.keys()]) this.remove(id);
    await this.#cache.dispose();
  }
  [ASYNC_DISPOSE](): Promise<void> {
    return this.dispose();
  }

  #insert(meshes: readonly Mesh[], pieces: readonly number[], pose: RigidPose): BodyId {
    const number = this.#nextBody++;
    const body: Body = {
      id: number as BodyId,
      slot: this.#objectOf.length + number,
      meshes,
      pieces,
      pose,
      box: new Float64Array(6),
      reach: new Float64Array(6),
      step: new Float64Array(3),
    };
    this.#bodies.set(body.id, body);
    this.#measure(body);
    this.#sweep.insert(body.slot, body.reach);
    this.#prefetch(body);
    return body.id;
  }

  #get(id: BodyId): Body {
    const body = this.#bodies.get(id);
    if (!body) throw new ImpingeError('bad-input', `body ${id} is not in the session`, { body: id });
    return body;
  }

  #assertObject(object: number): void {
    if (!(Number.isInteger(object) && object >= 0 && object < this.#model.objectCount)) {
      throw new ImpingeError('bad-input', `the model has no object ${object}`, { object });
    }
  }

  /** Where a body is, and the box that holds it until the horizon. */
  #measure(body: Body): void {
    const own = new Float64Array(6);
    body.box.fill(Infinity, 0, 3).fill(-Infinity, 3);
    for (const mesh of body.meshes) {
      writeWorldBox(mesh, body.pose, own, 0);
      for (let k = 0; k < 3; k++) {
        body.box[k] = Math.min(body.box[k], own[k]);
        body.box[3 + k] = Math.max(body.box[3 + k], own[3 + k]);
      }
    }
    for (let k = 0; k < 3; k++) {
      const ahead = this.#horizon * body.step[k];
      body.reach[k] = body.box[k] + Math.min(0, ahead) - this.#margin;
      body.reach[3 + k] = body.box[3 + k] + Math.max(0, ahead) + this.#margin;
    }
  }

  /** Begins to fetch what the reach touches, the nearest first. */
  #prefetch(body: Body): void {
    const { placedBox } = this.#model.directory;
    const wanted: { piece: number; gap: number }[] = [];
    for (const slot of this.#sweep.partnersOf(body.slot)) {
      if (slot >= this.#objectOf.length || this.#hidden.has(this.#objectOf[slot])) continue;
      wanted.push({ piece: this.#pieceOf(slot), gap: gapOfBoxes(body.box, 0, placedBox, 6 * slot) });
    }
    wanted.sort((p, q) => p.gap - q.gap || p.piece - q.piece);
    this.#cache.prefetch(wanted.map(({ piece }) => piece));
  }

  #pieceOf(placed: number): number {
    const object = this.#objectOf[placed];
    return this.#model.firstPiece(object) + placed - this.#model.directory.objectFirstPlaced[object];
  }

  async #acquire(pieces: readonly number[]): Promise<void> {
    for (const piece of pieces) if (!this.#cache.has(piece)) this.#waitedFor++;
    await this.#cache.acquire(pieces);
  }

  async #hits(
    body: Body,
    distance: number,
    count: (a: Mesh, b: Mesh, poses: ReturnType<typeof posesOf>) => number,
  ): Promise<SessionHit[]> {
    if (distance > this.#margin) {
      this.#margin = distance;
      for (const each of this.#bodies.values()) {
        this.#measure(each);
        this.#sweep.update(each.slot, each.reach);
      }
    }
    const { placedBox } = this.#model.directory;
    const near: number[] = [];
    const bodies: Body[] = [];
    for (const slot of this.#sweep.partnersOf(body.slot)) {
      if (slot >= this.#objectOf.length) {
        const other = this.#bodies.get((slot - this.#objectOf.length) as BodyId)!;
        if (gapOfBoxes(body.box, 0, other.box, 0) <= distance) bodies.push(other);
      } else if (
        !this.#hidden.has(this.#objectOf[slot]) &&
        gapOfBoxes(body.box, 0, placedBox, 6 * slot) <= distance
      ) {
        near.push(slot);
      }
    }
    near.sort((p, q) => p - q);
    bodies.sort((p, q) => p.id - q.id);
    const found = new Map<number, number>();
    const pieces = [...new Set(near.map((placed) => this.#pieceOf(placed)))];
    await this.#acquire(pieces);
    try {
      for (const placed of near) {
        const object = this.#objectOf[placed];
        const poses = posesOf(body.pose, this.#model.pose(object));
        const mesh = this.#cache.mesh(this.#pieceOf(placed));
        for (const own of body.meshes) {
          const pairs = count(own, mesh, poses);
          if (pairs > 0) found.set(object, (found.get(object) ?? 0) + pairs);
        }
      }
    } finally {
      this.#cache.release(pieces);
    }
    const hits: SessionHit[] = [...found].map(([object, pairs]) => ({
      object,
      body: undefined,
      count: pairs,
    }));
    for (const other of bodies) {
      let pairs = 0;
      for (const own of body.meshes) {
        for (const mesh of other.meshes) pairs += count(own, mesh, posesOf(body.pose, other.pose));
      }
      if (pairs > 0) hits.push({ object: undefined, body: other.id, count: pairs });
    }
    return hits;
  }

  /** Placed pieces within `bound` of a body's box, nearest first. */
  #nearest(body: Body, bound: number): { placed: number; gap: number }[] {
    const { placedBox } = this.#model.directory;
    const out: { placed: number; gap: number }[] = [];
    for (let placed = 0; placed < this.#objectOf.length; placed++) {
      const gap = gapOfBoxes(body.box, 0, placedBox, 6 * placed);
      if (gap <= bound && !this.#hidden.has(this.#objectOf[placed])) out.push({ placed, gap });
    }
    return out.sort((p, q) => p.gap - q.gap || p.placed - q.placed);
  }
}

function posesOf(a: RigidPose, b: RigidPose) {
  return {
    poseA: { rotation: a.subarray(0, 9), translation: a.subarray(9, 12) },
    poseB: { rotation: b.subarray(0, 9), translation: b.subarray(9, 12) },
  };
}
