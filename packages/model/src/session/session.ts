/**
 * Moving objects among stored models: what they meet and how close they come, step by step, under a cap of memory.
 *
 * Idea: every piece of the models has a box, every body one that also holds where it will be soon; a tree over the
 * former names the pieces that a body may meet. These are fetched ahead of time, so that a step finds what it needs in
 * memory as long as bodies move smoothly. Other targets and bodies know what of them is near.
 * Paper: Wilson, Larsen, Manocha, Lin, "Partitioning and Handling Massive Models for Interactive Collision Detection",
 * where bodies are the floating nodes of the overlap graph.
 */
import { ASYNC_DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readKnown, readLength, readPositive, shown } from 'impinge/internal/base/options.js';
import { readPoint } from 'impinge/internal/math/point.js';
import {
  IDENTITY,
  invertPose,
  type Pose,
  posePoint,
  type RigidPose,
  toRigidPose,
} from 'impinge/internal/math/pose.js';
import { assertMesh, type Mesh, meshChanges } from 'impinge/internal/mesh/mesh.js';
import { whileUnchanged } from 'impinge/internal/mesh/revisions.js';
import { componentSeedsOf } from 'impinge/internal/query/solid/component-seeds.js';
import { isRead, type PartsTarget } from 'impinge/internal/query/target.js';
import type { BoxLike } from 'impinge/internal/scene/scene.js';
import { writeWorldBox } from 'impinge/internal/scene/world-box.js';
import { boxesNearAt } from 'impinge/internal/volumes/broad-phase.js';
import { assertModel, type StoredModel } from '../store/model.js';
import { type PieceCacheStats, sumOfStats } from '../store/piece-cache.js';
import {
  Body,
  type BodyWhole,
  type HeldPieces,
  type Keeper,
  type SessionBody,
  type SessionHits,
  type SessionPart,
  type SessionQuestion,
  type SessionSurroundings,
} from './session-body.js';
import { SessionModel } from './session-model.js';
import { hitsOf, nearestTo, type OtherTarget } from './session-questions.js';
import { contactsOf, type Neighbour, neighbourBody, penetrationsOf } from './session-solids.js';
import { assertHoldable, surroundingsOf } from './session-surroundings.js';
import { StoredParts } from './stored-parts.js';

/** What bodies move among: a stored model, which the session reads, or a target that reads itself. */
export type SessionTarget = StoredModel | PartsTarget;

export interface SessionOptions {
  /** Bytes for geometry and hierarchies of stored models (default 160 MiB). Other targets have their own cap. */
  readonly memory?: number;
  /** How many steps ahead geometry is fetched, at the present pace, and a sixth of that to all sides (default 90). */
  readonly horizon?: number;
}

/** How much of the way to the horizon is looked at in every direction: bodies turn. */
const ASIDE = 1 / 6;

export const SESSION_DEFAULTS = { memory: 160 * 2 ** 20, horizon: 90 } as const satisfies SessionOptions;

const STILL = IDENTITY as RigidPose;

/** What a body may meet: placed pieces of each stored model, and bodies. */
interface Partners {
  readonly placed: readonly number[][];
  readonly bodies: Body[];
}

export class Session implements AsyncDisposable {
  readonly #memory: number;
  readonly #horizon: number;
  readonly #stored: readonly SessionModel[];
  readonly #others: readonly OtherTarget[];
  readonly #bodies = new Map<number, Body>();
  /** The greatest distance ever asked for: boxes are enlarged by it. */
  #margin = 0;
  #nextBody = 0;
  #looked = meshChanges(); // what it was when bodies were last looked at

  constructor(targets: SessionTarget | readonly SessionTarget[], options: SessionOptions = {}) {
    const { memory, horizon } = {
      ...SESSION_DEFAULTS,
      ...readKnown('Session', options, { memory: true, horizon: true }),
    };
    this.#memory = readPositive('memory', memory);
    this.#horizon = readLength('horizon', horizon);
    const stored: SessionModel[] = [];
    const others: OtherTarget[] = [];
    for (const [number, one] of (Array.isArray(targets) ? targets : [targets]).entries()) {
      if (isRead(one)) {
        others.push({ thing: one, number, box: boxOf(one) });
        continue;
      }
      assertModel(one);
      stored.push(new SessionModel(one, number, memory));
    }
    this.#stored = stored;
    this.#others = others;
  }

  /** Of the stored models. Other targets have their own. */
  get stats(): PieceCacheStats {
    const all = this.#stored.map(({ cache }) => cache.stats);
    return { ...sumOfStats(all), peakBytes: Math.max(0, ...all.map(({ peakBytes }) => peakBytes)) };
  }

  /** Adds a body: a mesh, or a target such as a stored model; it stays the caller's. */
  add(thing: Mesh | PartsTarget, options: { readonly pose?: Pose } = {}): SessionBody {
    const { pose } = readKnown('add', options, { pose: true });
    if (!isRead(thing)) assertMesh(thing);
    const whole = { thing, toBody: IDENTITY as RigidPose };
    return this.#insert([thing], whole, undefined, toRigidPose(pose));
  }

  /** Makes an object of a stored model a body: it leaves its place in the model and can be moved. */
  async take(object: number, target = 0): Promise<SessionBody> {
    const from = this.#model(target);
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
    const pose = model.pose(object);
    const whole = {
      thing: new StoredParts({ model, placed: from.placed, cache }, from.placed.placedOf([object])),
      toBody: invertPose(pose),
    };
    return this.#insert(meshes, whole, { release: () => cache.release(pieces) }, pose.slice());
  }

  /** Hides an object of a stored model from bodies, and shows it again. */
  hide(object: number, target = 0): void {
    this.#model(target).hide(object);
  }
  show(object: number, target = 0): void {
    this.#model(target).show(object);
  }

  /**
   * The pieces of stored models with boxes that meet a box, for questions of the caller's own. Throws `out-of-memory`,
   * and reads nothing, where they do not fit into the memory of the session together.
   */
  async within(box: BoxLike): Promise<SessionSurroundings> {
    const sides = readPoint('within: min of the box', box?.min, new Float64Array(6));
    readPoint('within: max of the box', box?.max, sides, 3);
    const around = this.#stored.map((stored) => ({ stored, placed: stored.placed.meeting(sides) }));
    assertHoldable(sides, this.#memory, around);
    return surroundingsOf(sides, 0, around);
  }

  /**
   * The closed objects of a stored model that a connected part of a mesh lies in, where its surface does not meet
   * theirs; in rising order.
   */
  async enclosing(
    mesh: Mesh,
    options: { readonly pose?: Pose; readonly target?: number } = {},
  ): Promise<number[]> {
    assertMesh(mesh);
    const { pose, target = 0 } = readKnown('enclosing', options, { pose: true, target: true });
    const place = toRigidPose(pose);
    const seeds = componentSeedsOf(mesh);
    const found = new Set<number>();
    const point = new Float64Array(3);
    for (let at = 0; at < seeds.length; at += 3) {
      const [x, y, z] = mesh.origin.map((o, k) => o + seeds[at + k]);
      posePoint(place, x, y, z, point, 0);
      for (const object of await new StoredParts(this.#model(target)).numbersAround(point)) found.add(object);
    }
    return [...found].sort((p, q) => p - q);
  }

  /**
   * One of the stored models, for `raycast`, `closestPoint`, shapes and all other questions: in the session's memory,
   * without hidden objects and without bodies.
   */
  target(target = 0): PartsTarget {
    return new StoredParts(this.#model(target));
  }

  /** Frees the memory of stored models. Meshes of bodies and other targets stay the caller's. */
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
    contacts: (body, distance, error) => {
      const { bodies } = this.#partnersWithin(body, distance);
      return asked([body, ...bodies], () =>
        contactsOf(body, { distance, error }, this.#neighboursOf(bodies)),
      );
    },
    penetrations: async (body, error) => {
      const { hits } = await this.#hits(body, { distance: 0, mode: 'any', error });
      const { bodies } = this.#partnersWithin(body, 0);
      const around = this.#neighboursOf(bodies).map((other) => ({
        ...other,
        met: hits.flatMap(({ target, object }) => (target === other.number ? [object!] : [])),
      }));
      return asked([body, ...bodies], () => penetrationsOf(body, error, around));
    },
    nearest: (body, atMost, error) => {
      this.#followMeshes();
      const bodies = [...this.#bodies.values()].filter((other) => other !== body);
      const around = { stored: this.#stored, others: this.#others, bodies };
      return asked([body, ...bodies], () => nearestTo(body, atMost, error, around));
    },
    around: (body, distance) => {
      const { placed } = this.#partnersWithin(body, distance);
      return surroundingsOf(
        body.box.slice(),
        distance,
        this.#stored.map((stored, i) => ({ stored, placed: placed[i] })),
      );
    },
  };

  #insert(
    things: readonly SessionPart[],
    whole: BodyWhole,
    held: HeldPieces | undefined,
    pose: RigidPose,
  ): SessionBody {
    const body = new Body(this.#nextBody++, things, whole, held, pose, this.#keeper);
    this.#bodies.set(body.id, body);
    this.#measure(body);
    this.#prefetch(body);
    return body;
  }

  /** The targets, in the order of their numbers, then some bodies. */
  #neighboursOf(bodies: readonly Body[]): Neighbour[] {
    const stored = this.#stored.map((model): Neighbour => {
      const thing = new StoredParts(model);
      return { thing, pose: STILL, box: boxOf(thing), number: model.number };
    });
    const others = this.#others.map((other): Neighbour => ({ ...other, pose: STILL }));
    const targets = [...stored, ...others].sort((p, q) => p.number! - q.number!);
    return [...targets, ...bodies.map(neighbourBody)];
  }

  #model(number: number): SessionModel {
    const found = this.#stored.find((one) => one.number === number);
    if (found) return found;
    throw new ImpingeError('bad-input', `target ${shown(number)} is not a stored model`, { target: number });
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

  /** The placed pieces of each stored model that a body may meet until the horizon, and the bodies. */
  #partnersOf(body: Body): Partners {
    const placed = this.#stored.map((model) => model.placed.meeting(body.swept));
    const bodies = [...this.#bodies.values()].filter(
      (other) => other !== body && boxesNearAt(other.swept, 0, body.swept, 0, 0),
    );
    return { placed, bodies };
  }

  /** Begins to fetch what a body touches until the horizon, the nearest first. */
  #prefetch(body: Body): void {
    const { placed } = this.#partnersOf(body);
    this.#stored.forEach((model, i) => {
      model.prefetch(placed[i], body.box);
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

  async #hits(body: Body, question: SessionQuestion): Promise<SessionHits> {
    const { placed, bodies } = this.#partnersWithin(body, question.distance);
    const stored = this.#stored.map((one, i) => ({ stored: one, placed: placed[i] }));
    const around = { stored, others: this.#others, bodies };
    return asked([body, ...bodies], () => hitsOf(body, question, around));
  }
}

function boxOf(target: PartsTarget): Float64Array {
  const box = new Float64Array(6);
  writeWorldBox(target, STILL, box, 0);
  return box;
}

/** The answer about bodies, unless one of them has deformed meanwhile. */
function asked<T>(bodies: readonly Body[], ask: () => Promise<T>): Promise<T> {
  return whileUnchanged(
    bodies.flatMap(({ parts }) => parts),
    ask,
  );
}
