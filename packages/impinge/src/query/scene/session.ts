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
import { readAtMost, readBag, readLength, readPositive, shown } from '../../base/options.js';
import { type Pose, type RigidPose, toRigidPose, type Vec3 } from '../../math/pose.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { SweepAndPrune } from '../../scene/sweep-and-prune.js';
import { writeWorldBox } from '../../scene/world-box.js';
import { assertModel, type StoredModel } from '../../store/model.js';
import { PieceCache, type PieceCacheStats } from '../../store/piece-cache.js';
import { gapOfBoxes } from '../pair/box-gap.js';
import { type CollideOptions, collide } from '../pair/collide.js';
import { type DistanceOptions, distance } from '../pair/distance.js';
import { useHierarchy } from '../pair/hierarchy-of.js';
import type { PairsResult } from '../pair/results.js';
import { type WithinOptions, within } from '../pair/within.js';
import { PlacedPieces } from './placed-pieces.js';

export interface SessionOptions {
  /** Bytes of memory for the world's geometry and hierarchies (default 160 MB). */
  readonly memory?: number;
  /** How many steps ahead geometry is fetched, at the present pace (default 30). */
  readonly horizon?: number;
}

export const SESSION_DEFAULTS = { memory: 160 * 2 ** 20, horizon: 30 } as const satisfies SessionOptions;

/** A moving object of a session. */
export interface SessionBody {
  /** Never used again in this session. */
  readonly id: number;
  /** Twelve numbers as in math/pose.ts; not to be written to. */
  readonly pose: RigidPose;
  /** Moves it, and begins to fetch what it may meet if it goes on like this. */
  move(pose: Pose): void;
  /** Takes it out. An object of the model that was taken stays hidden. */
  remove(): void;
  /** What it meets, objects of the model first, each in the order of their numbers. */
  collide(options?: Pick<CollideOptions, 'mode'>): Promise<SessionResult>;
  /** What it comes within `distance` of. */
  within(options: Pick<WithinOptions, 'distance' | 'mode'>): Promise<SessionResult>;
  /** How far it is from the nearest surface, where. */
  distance(options?: Pick<DistanceOptions, 'atMost'>): Promise<SessionDistance>;
}

export interface SessionResult {
  readonly count: number;
  readonly hits: readonly SessionHit[];
  /** False where pairs of triangles were left out; no hit ever is. */
  readonly complete: boolean;
  readonly error: number;
}

/** What a body meets: an object of the model, or another body. */
export interface SessionHit {
  readonly object: number | undefined;
  readonly body: SessionBody | undefined;
  /** Pairs of triangles that meet, or come within the distance. */
  readonly count: number;
}

export interface SessionDistance {
  /** Infinity when nothing is within `atMost`. */
  readonly distance: number;
  readonly object: number | undefined;
  readonly body: SessionBody | undefined;
  /** Closest points in the world: of the body, of what it is close to. */
  readonly pointBody: Vec3 | undefined;
  readonly pointOther: Vec3 | undefined;
  readonly error: number;
}

export interface SessionStats extends PieceCacheStats {
  /** Pieces that a step needed and that were not there yet: it had to wait for the disk. */
  waitedFor: number;
  /** Exchanges in the sweep and prune. */
  swaps: number;
}

/** What bodies ask of their session. */
interface Keeper {
  follow(body: Body): void;
  takeOut(body: Body): void;
  hits(body: Body, distance: number, ask: PairQuestion): Promise<SessionResult>;
  nearest(body: Body, atMost: number): Promise<SessionDistance>;
}

type PairQuestion = (a: Mesh, b: Mesh, poses: ReturnType<typeof posesOf>) => PairsResult;

class Body implements SessionBody {
  readonly id: number;
  readonly slot: number;
  readonly meshes: readonly Mesh[];
  /** Pieces of the model that are held because the body is made of them. */
  readonly pieces: readonly number[];
  /** Now, and with where it will be. */
  readonly box = new Float64Array(6);
  readonly swept = new Float64Array(6);
  readonly step = new Float64Array(3);
  readonly #session: Keeper;
  #pose: RigidPose;
  #removed = false;

  constructor(
    id: number,
    slot: number,
    meshes: readonly Mesh[],
    pieces: readonly number[],
    pose: RigidPose,
    session: Keeper,
  ) {
    this.id = id;
    this.slot = slot;
    this.meshes = meshes;
    this.pieces = pieces;
    this.#pose = pose;
    this.#session = session;
  }

  get pose(): RigidPose {
    return this.#pose;
  }

  move(pose: Pose): void {
    this.#assertThere();
    const next = toRigidPose(pose);
    for (let k = 0; k < 3; k++) this.step[k] = next[9 + k] - this.#pose[9 + k];
    this.#pose = next;
    this.#session.follow(this);
  }

  remove(): void {
    this.#assertThere();
    this.#removed = true;
    this.#session.takeOut(this);
  }

  async collide(options: Pick<CollideOptions, 'mode'> = {}): Promise<SessionResult> {
    this.#assertThere();
    return this.#session.hits(this, 0, (a, b, poses) => collide(a, b, { ...poses, ...options }));
  }

  async within(options: Pick<WithinOptions, 'distance' | 'mode'>): Promise<SessionResult> {
    this.#assertThere();
    const apart = readLength('distance', readBag(options).distance);
    return this.#session.hits(this, apart, (a, b, poses) => within(a, b, { ...poses, ...options }));
  }

  async distance(options: Pick<DistanceOptions, 'atMost'> = {}): Promise<SessionDistance> {
    this.#assertThere();
    const { atMost = Infinity } = readBag(options);
    return this.#session.nearest(this, readAtMost('atMost', atMost));
  }

  #assertThere(): void {
    const { id } = this;
    if (this.#removed)
      throw new ImpingeError('removed', `body ${id} was removed from its session`, { body: id });
  }
}

export class Session implements AsyncDisposable {
  readonly #model: StoredModel;
  readonly #horizon: number;
  readonly #cache: PieceCache;
  readonly #sweep = new SweepAndPrune();
  readonly #bodies = new Map<number, Body>();
  readonly #placed: PlacedPieces;
  readonly #hidden = new Set<number>();
  /** The greatest distance ever asked for: boxes are enlarged by it. */
  #margin = 0;
  #nextBody = 0;
  #waitedFor = 0;

  constructor(model: StoredModel, options: SessionOptions = {}) {
    assertModel(model);
    const { memory, horizon } = { ...SESSION_DEFAULTS, ...readBag(options) };
    readPositive('memory', memory);
    this.#model = model;
    this.#horizon = readLength('horizon', horizon);
    this.#cache = new PieceCache(model, { limit: memory, onLoad: (_, tree) => useHierarchy(tree) });
    this.#placed = new PlacedPieces(model);
    const { placedBox } = model.directory;
    for (let k = 0; k < this.#placed.count; k++) this.#sweep.insert(k, placedBox.subarray(6 * k, 6 * k + 6));
    this.#sweep.flush();
  }

  get stats(): SessionStats {
    return { ...this.#cache.stats, waitedFor: this.#waitedFor, swaps: this.#sweep.stats.swaps };
  }

  /** Puts a mesh into the world; it stays the caller's. */
  add(mesh: Mesh, options: { readonly pose?: Pose } = {}): SessionBody {
    const { pose } = readBag(options);
    assertMesh(mesh);
    return this.#insert([mesh], [], toRigidPose(pose));
  }

  /** Makes an object of the model a body: it leaves its place in the world and can be moved. */
  async take(object: number): Promise<SessionBody> {
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

  /** Takes an object of the model out of the world, and puts it back. */
  hide(object: number): void {
    this.#assertObject(object);
    if (this.#hidden.has(object)) {
      throw new ImpingeError('bad-input', `object ${shown(object)} is not in the world`, { object });
    }
    this.#hidden.add(object);
  }
  show(object: number): void {
    if (!this.#hidden.delete(object)) {
      throw new ImpingeError('bad-input', `object ${shown(object)} is in the world`, { object });
    }
  }

  async #closest(body: Body, atMost: number): Promise<SessionDistance> {
    let best: SessionDistance = {
      distance: Infinity,
      object: undefined,
      body: undefined,
      pointBody: undefined,
      pointOther: undefined,
      error: 0,
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
          const { pointA: pointBody, pointB: pointOther, error } = result;
          best = { distance: result.distance, pointBody, pointOther, error, ...found };
        }
      }
    };
    for (const other of this.#bodies.values()) {
      if (other === body || gapOfBoxes(body.box, 0, other.box, 0) > bound) continue;
      measure(other.meshes, other.pose, { object: undefined, body: other });
    }
    for (const { placed, gap } of this.#placed.near(body.box, bound)) {
      if (gap > bound) break;
      const object = this.#placed.objectOf[placed];
      if (this.#hidden.has(object)) continue;
      const piece = this.#placed.pieceOf(placed);
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
    for (const body of [...this.#bodies.values()]) body.remove();
    await this.#cache.dispose();
  }
  [ASYNC_DISPOSE](): Promise<void> {
    return this.dispose();
  }

  readonly #keeper: Keeper = {
    follow: (body) => {
      this.#measure(body);
      this.#sweep.update(body.slot, body.swept);
      this.#prefetch(body);
    },
    takeOut: (body) => {
      this.#sweep.remove(body.slot);
      this.#bodies.delete(body.id);
      this.#cache.release(body.pieces);
    },
    hits: (body, distance, ask) => this.#hits(body, distance, ask),
    nearest: (body, atMost) => this.#closest(body, atMost),
  };

  #insert(meshes: readonly Mesh[], pieces: readonly number[], pose: RigidPose): SessionBody {
    const id = this.#nextBody++;
    const body = new Body(id, this.#placed.count + id, meshes, pieces, pose, this.#keeper);
    this.#bodies.set(id, body);
    this.#measure(body);
    this.#sweep.insert(body.slot, body.swept);
    this.#prefetch(body);
    return body;
  }

  #assertObject(object: number): void {
    if (!(Number.isInteger(object) && object >= 0 && object < this.#model.objectCount)) {
      throw new ImpingeError('bad-input', `the model has no object ${shown(object)}`, { object });
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
      body.swept[k] = body.box[k] + Math.min(0, ahead) - this.#margin;
      body.swept[3 + k] = body.box[3 + k] + Math.max(0, ahead) + this.#margin;
    }
  }

  /** Begins to fetch what a body touches until the horizon, the nearest first. */
  #prefetch(body: Body): void {
    const wanted: { piece: number; gap: number }[] = [];
    for (const slot of this.#sweep.partnersOf(body.slot)) {
      if (slot >= this.#placed.count || this.#hidden.has(this.#placed.objectOf[slot])) continue;
      wanted.push({ piece: this.#placed.pieceOf(slot), gap: this.#placed.gap(body.box, slot) });
    }
    wanted.sort((p, q) => p.gap - q.gap || p.piece - q.piece);
    this.#cache.prefetch(wanted.map(({ piece }) => piece));
  }

  async #acquire(pieces: readonly number[]): Promise<void> {
    for (const piece of pieces) if (!this.#cache.has(piece)) this.#waitedFor++;
    await this.#cache.acquire(pieces);
  }

  async #hits(body: Body, distance: number, ask: PairQuestion): Promise<SessionResult> {
    let complete = true;
    const count = (a: Mesh, b: Mesh, poses: ReturnType<typeof posesOf>): number => {
      const found = ask(a, b, poses);
      complete &&= found.complete;
      return found.count;
    };
    if (distance > this.#margin) {
      this.#margin = distance;
      for (const each of this.#bodies.values()) {
        this.#measure(each);
        this.#sweep.update(each.slot, each.swept);
      }
    }
    const near: number[] = [];
    const bodies: Body[] = [];
    for (const slot of this.#sweep.partnersOf(body.slot)) {
      if (slot >= this.#placed.count) {
        const other = this.#bodies.get(slot - this.#placed.count);
        if (other && gapOfBoxes(body.box, 0, other.box, 0) <= distance) bodies.push(other);
      } else if (
        !this.#hidden.has(this.#placed.objectOf[slot]) &&
        this.#placed.gap(body.box, slot) <= distance
      ) {
        near.push(slot);
      }
    }
    near.sort((p, q) => p - q);
    bodies.sort((p, q) => p.id - q.id);
    const found = new Map<number, number>();
    const pieces = [...new Set(near.map((placed) => this.#placed.pieceOf(placed)))];
    await this.#acquire(pieces);
    try {
      for (const placed of near) {
        const object = this.#placed.objectOf[placed];
        const poses = posesOf(body.pose, this.#model.pose(object));
        const mesh = this.#cache.mesh(this.#placed.pieceOf(placed));
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
      if (pairs > 0) hits.push({ object: undefined, body: other, count: pairs });
    }
    return { count: hits.length, hits, complete, error: 0 };
  }
}

function posesOf(a: RigidPose, b: RigidPose) {
  return {
    poseA: { rotation: a.subarray(0, 9), translation: a.subarray(9, 12) },
    poseB: { rotation: b.subarray(0, 9), translation: b.subarray(9, 12) },
  };
}
