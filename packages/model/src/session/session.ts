/**
 * Moving objects in a stored world: what they meet and how close they come, step by step, under a cap of memory.
 *
 * Idea: every piece of the world has a box, every body one that also holds where it will be soon; a tree over the
 * former names the pieces that a body may meet. These are fetched ahead of time, so that a step finds what it needs in
 * memory as long as bodies move smoothly. Engines, in the world or as bodies, know themselves what of them is near.
 * Paper: Wilson, Larsen, Manocha, Lin, "Partitioning and Handling Massive Models for Interactive Collision Detection",
 * where bodies are the floating nodes of the overlap graph.
 */
import { ASYNC_DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readKnown, readLength, readPositive, shown } from 'impinge/internal/base/options.js';
import { IDENTITY, type Pose, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { assertMesh, type Mesh, meshChanges } from 'impinge/internal/mesh/mesh.js';
import { whileUnchanged } from 'impinge/internal/mesh/revisions.js';
import { isEngine, type QueryEngine } from 'impinge/internal/query/pair/engine.js';
import { writeWorldBox } from 'impinge/internal/scene/world-box.js';
import { boxesNearAt } from 'impinge/internal/volumes/broad-phase.js';
import { assertModel, type StoredModel } from '../store/model.js';
import type { PieceCacheStats } from '../store/piece-cache.js';
import {
  Body,
  type HeldPieces,
  type Keeper,
  type SessionBody,
  type SessionPart,
  type SessionQuestion,
  type SessionResult,
} from './session-body.js';
import { type EngineWorld, hitsOf, nearestTo } from './session-questions.js';
import { surroundingsOf } from './session-surroundings.js';
import { StoredParts } from './stored-parts.js';
import { StoredWorld } from './stored-world.js';

/** The world of the bodies: a stored model, queried exactly, or an engine. */
export type SessionWorld = StoredModel | QueryEngine;

export interface SessionOptions {
  /** Bytes of memory for the geometry and hierarchies of stored models (default 160 MB). Engines have their own cap. */
  readonly memory?: number;
  /** How many steps ahead geometry is fetched, at the present pace, and a sixth of that to all sides (default 90). */
  readonly horizon?: number;
}

/** How much of the way to the horizon is looked at in every direction: bodies turn. */
const ASIDE = 1 / 6;

export const SESSION_DEFAULTS = { memory: 160 * 2 ** 20, horizon: 90 } as const satisfies SessionOptions;

/** What a body may meet: placed pieces of each stored world, and bodies. */
interface Partners {
  readonly placed: readonly number[][];
  readonly bodies: Body[];
}

export class Session implements AsyncDisposable {
  readonly #horizon: number;
  readonly #stored: readonly StoredWorld[];
  readonly #engines: readonly EngineWorld[];
  readonly #bodies = new Map<number, Body>();
  /** The greatest distance ever asked for: boxes are enlarged by it. */
  #margin = 0;
  #nextBody = 0;
  #looked = meshChanges(); // what it was when bodies were last looked at

  constructor(world: SessionWorld | readonly SessionWorld[], options: SessionOptions = {}) {
    const { memory, horizon } = {
      ...SESSION_DEFAULTS,
      ...readKnown('Session', options, { memory: true, horizon: true }),
    };
    readPositive('memory', memory);
    this.#horizon = readLength('horizon', horizon);
    const stored: StoredWorld[] = [];
    const engines: EngineWorld[] = [];
    for (const [number, one] of (Array.isArray(world) ? world : [world]).entries()) {
      if (isEngine(one)) {
        const box = new Float64Array(6);
        writeWorldBox(one, IDENTITY as RigidPose, box, 0);
        engines.push({ engine: one, number, box });
        continue;
      }
      assertModel(one);
      stored.push(new StoredWorld(one, number, memory));
    }
    this.#stored = stored;
    this.#engines = engines;
  }

  /** Of the stored models. Engines have their own. */
  get stats(): PieceCacheStats {
    const sum = { loads: 0, bytesRead: 0, trianglesRead: 0, hits: 0, waits: 0, evictions: 0, overflows: 0 };
    let peakBytes = 0;
    for (const { cache } of this.#stored) {
      const { stats } = cache;
      sum.loads += stats.loads;
      sum.bytesRead += stats.bytesRead;
      sum.trianglesRead += stats.trianglesRead;
      sum.hits += stats.hits;
      sum.waits += stats.waits;
      sum.evictions += stats.evictions;
      sum.overflows += stats.overflows;
      peakBytes = Math.max(peakBytes, stats.peakBytes);
    }
    return { ...sum, peakBytes };
  }

  /** Puts a mesh into the world, or an engine such as a stored model; it stays the caller's. */
  add(thing: Mesh | QueryEngine, options: { readonly pose?: Pose } = {}): SessionBody {
    const { pose } = readKnown('add', options, { pose: true });
    if (!isEngine(thing)) assertMesh(thing);
    return this.#insert([thing], undefined, toRigidPose(pose));
  }

  /** Makes an object of a stored model a body: it leaves its place in the world and can be moved. */
  async take(object: number, world = 0): Promise<SessionBody> {
    const from = this.#storedWorld(world);
    const { model, cache } = from;
    from.hide(object);
    const pieces = from.piecesOf(object);
    try {
      await cache.acquire(pieces);
    } catch (error) {
      from.show(object);
      throw error;
    }
    const meshes = pieces.map((piece) => cache.mesh(piece));
    return this.#insert(meshes, { release: () => cache.release(pieces) }, model.pose(object).slice());
  }

  /** Takes an object of a stored model out of the world, and puts it back. */
  hide(object: number, world = 0): void {
    this.#storedWorld(world).hide(object);
  }
  show(object: number, world = 0): void {
    this.#storedWorld(world).show(object);
  }

  /**
   * One of the stored models as an engine, for `raycast`, `closestPoint`, shapes and all other queries of engines: in
   * the session's memory, without hidden objects and without bodies.
   */
  engine(world = 0): QueryEngine {
    return new StoredParts(this.#storedWorld(world));
  }

  /** Frees the memory of stored models. Meshes of bodies and engines stay the caller's. */
  async dispose(): Promise<void> {
    for (const body of [...this.#bodies.values()]) body.remove();
    for (const { cache } of this.#stored) await cache.dispose();
  }
  [ASYNC_DISPOSE](): Promise<void> {
    return this.dispose();
  }

  readonly #keeper: Keeper = {
    follow: (body) => {
      this.#measure(body);
      this.#prefetch(body);
    },
    takeOut: (body) => {
      this.#bodies.delete(body.id);
      body.held?.release();
    },
    hits: (body, question) => this.#hits(body, question),
    nearest: (body, atMost, error) => {
      this.#followMeshes();
      const bodies = [...this.#bodies.values()].filter((other) => other !== body);
      const around = { stored: this.#stored, engines: this.#engines, bodies };
      return asked([body, ...bodies], () => nearestTo(body, atMost, error, around));
    },
    around: (body, distance) => {
      const { placed } = this.#partnersWithin(body, distance);
      return surroundingsOf(
        body,
        distance,
        this.#stored.map((world, i) => ({ world, placed: placed[i] })),
      );
    },
  };

  #insert(things: readonly SessionPart[], held: HeldPieces | undefined, pose: RigidPose): SessionBody {
    const body = new Body(this.#nextBody++, things, held, pose, this.#keeper);
    this.#bodies.set(body.id, body);
    this.#measure(body);
    this.#prefetch(body);
    return body;
  }

  #storedWorld(number: number): StoredWorld {
    const found = this.#stored.find((one) => one.number === number);
    if (found) return found;
    throw new ImpingeError('bad-input', `world ${shown(number)} is not a stored model`, { world: number });
  }

  /** Where a body is, and the box that holds it until the horizon, or for a part of that wherever it turns. */
  #measure(body: Body): void {
    body.measured = body.revision;
    const own = new Float64Array(6);
    body.box.fill(Infinity, 0, 3).fill(-Infinity, 3);
    for (const thing of body.parts) {
      writeWorldBox(thing, body.pose, own, 0);
      for (let k = 0; k < 3; k++) {
        body.box[k] = Math.min(body.box[k], own[k]);
        body.box[3 + k] = Math.max(body.box[3 + k], own[3 + k]);
      }
    }
    const aside = this.#margin + ASIDE * this.#horizon * Math.hypot(...body.step);
    for (let k = 0; k < 3; k++) {
      const ahead = this.#horizon * body.step[k];
      body.swept[k] = body.box[k] + Math.min(0, ahead) - aside;
      body.swept[3 + k] = body.box[3 + k] + Math.max(0, ahead) + aside;
    }
  }

  /** Measures bodies anew whose meshes have deformed (mesh/revisions.ts). */
  #followMeshes(): void {
    if (this.#looked === meshChanges()) return;
    this.#looked = meshChanges();
    for (const body of this.#bodies.values()) if (body.measured !== body.revision) this.#measure(body);
  }

  /** The placed pieces of each stored world that a body may meet until the horizon, and the bodies. */
  #partnersOf(body: Body): Partners {
    const placed = this.#stored.map((world) => world.placed.meeting(body.swept));
    const bodies = [...this.#bodies.values()].filter(
      (other) => other !== body && boxesNearAt(other.swept, 0, body.swept, 0, 0),
    );
    return { placed, bodies };
  }

  /** Begins to fetch what a body touches until the horizon, the nearest first. */
  #prefetch(body: Body): void {
    const { placed } = this.#partnersOf(body);
    this.#stored.forEach((world, i) => {
      world.prefetch(placed[i], body.box);
    });
  }

  /** The same for a distance: the first time that it is asked for, boxes become larger. */
  #partnersWithin(body: Body, distance: number): Partners {
    this.#followMeshes();
    if (distance > this.#margin) {
      this.#margin = distance;
      for (const each of this.#bodies.values()) this.#measure(each);
    }
    return this.#partnersOf(body);
  }

  async #hits(body: Body, question: SessionQuestion): Promise<SessionResult> {
    const { placed, bodies } = this.#partnersWithin(body, question.distance);
    const stored = this.#stored.map((world, i) => ({ world, placed: placed[i] }));
    const around = { stored, engines: this.#engines, bodies };
    return asked([body, ...bodies], () => hitsOf(body, question, around));
  }
}

/** The answer about bodies, unless one of them has deformed meanwhile. */
function asked<T>(bodies: readonly Body[], ask: () => Promise<T>): Promise<T> {
  return whileUnchanged(
    bodies.flatMap(({ parts }) => parts),
    ask,
  );
}
