/** A moving object of a session, and what it can be asked. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readAtMost, readChoice, readKnown, readLength } from 'impinge/internal/base/options.js';
import { type Pose, type RigidPose, toRigidPose, type Vec3 } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { type CollideOptions, MODES } from 'impinge/internal/query/pair/collide.js';
import type { DistanceOptions } from 'impinge/internal/query/pair/distance.js';
import {
  type EnginePart,
  ERROR_NAMES,
  type ErrorLimit,
  type Hit,
  type HitsRequest,
  type QueryEngine,
  readErrorLimit,
} from 'impinge/internal/query/pair/engine.js';
import type { WithinOptions } from 'impinge/internal/query/pair/within.js';

export interface SessionBody {
  /** Never used again in this session. */
  readonly id: number;
  /** Twelve numbers as in math/pose.ts; not to be written to. */
  readonly pose: RigidPose;
  /** Moves it, and starts fetching the pieces that it will meet if it continues at this speed. */
  move(pose: Pose): void;
  /** Takes it out. An object of the model that was taken stays hidden. */
  remove(): void;
  /** Hits: objects of the world first, then bodies, each in the order of their numbers. */
  collide(options?: Pick<CollideOptions, 'mode' | 'error' | 'exact'>): Promise<SessionResult>;
  /** Objects and bodies within `distance`. */
  within(options: Pick<WithinOptions, 'distance' | 'mode' | 'error' | 'exact'>): Promise<SessionResult>;
  /** How far it is from the nearest surface, where. */
  distance(options?: Pick<DistanceOptions, 'atMost' | 'error' | 'exact'>): Promise<SessionDistance>;
  /** The parts it is made of, in its own frame: the mesh or engine that was added, or the pieces of an object. */
  readonly parts: readonly (Mesh | QueryEngine)[];
  /**
   * The pieces of stored models with boxes within `distance` of its own (default 0), for questions of the caller's own.
   */
  around(options?: { readonly distance?: number }): Promise<SessionSurroundings>;
}

/** Pieces that stay in memory until this is disposed of. */
export interface SessionSurroundings extends Disposable {
  /** By world, object and piece. */
  readonly pieces: readonly SessionPiece[];
  dispose(): void;
}

export interface SessionPiece extends EnginePart {
  readonly world: number;
}

/** An object of the world, or another body. */
export interface SessionPlace {
  /** Which model or engine of the world, as they were given, and which of its objects. */
  readonly world: number | undefined;
  readonly object: number | undefined;
  readonly body: SessionBody | undefined;
}

export interface SessionResult {
  readonly count: number;
  readonly hits: readonly SessionHit[];
  /** False where pairs of triangles were not counted; no hit is ever left out. */
  readonly complete: boolean;
  readonly error: number;
}

/** A hit of a body. */
export interface SessionHit extends SessionPlace, Pick<Hit, 'count' | 'bounds'> {
  /** Where the two are nearest, in the world. */
  readonly pointBody: Vec3;
  readonly pointOther: Vec3;
}

export interface SessionDistance extends SessionPlace {
  /** Infinity when nothing is within `atMost`. */
  readonly distance: number;
  /** The distance is not less than the first and not more than the second. */
  readonly bounds: readonly [number, number];
  /** Closest points in the world: of the body, of what it is close to. */
  readonly pointBody: Vec3 | undefined;
  readonly pointOther: Vec3 | undefined;
  readonly error: number;
}

/** What can be a body, or a part of one. */
export type SessionPart = Mesh | QueryEngine;

export type SessionQuestion = Pick<HitsRequest, 'distance' | 'mode' | 'error'>;

/** What bodies ask of their session. */
export interface Keeper {
  follow(body: Body): void;
  takeOut(body: Body): void;
  hits(body: Body, question: SessionQuestion): Promise<SessionResult>;
  nearest(body: Body, atMost: number, error: ErrorLimit): Promise<SessionDistance>;
  around(body: Body, distance: number): Promise<SessionSurroundings>;
}

/** Pieces that are held because a body is made of them, and how they are let go. */
export interface HeldPieces {
  release(): void;
}

export class Body implements SessionBody {
  readonly id: number;
  readonly parts: readonly SessionPart[];
  readonly held: HeldPieces | undefined;
  /** Now, and with where it will be. */
  readonly box: Float64Array = new Float64Array(6);
  readonly swept: Float64Array = new Float64Array(6);
  readonly step: Float64Array = new Float64Array(3);
  /** Its revision when `box` was measured. */
  measured = -1;
  readonly #session: Keeper;
  #pose: RigidPose;
  #removed = false;

  constructor(
    id: number,
    parts: readonly SessionPart[],
    held: HeldPieces | undefined,
    pose: RigidPose,
    session: Keeper,
  ) {
    this.id = id;
    this.parts = parts;
    this.held = held;
    this.#pose = pose;
    this.#session = session;
  }

  get pose(): RigidPose {
    return this.#pose;
  }

  /** Of all its meshes together. */
  get revision(): number {
    return this.parts.reduce((sum, part) => sum + (part instanceof Mesh ? part.revision : 0), 0);
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

  async collide(options: Pick<CollideOptions, 'mode' | 'error' | 'exact'> = {}): Promise<SessionResult> {
    this.#assertThere();
    return this.#session.hits(this, { distance: 0, ...readQuestion(readKnown('collide', options, NAMES)) });
  }

  async within(
    options: Pick<WithinOptions, 'distance' | 'mode' | 'error' | 'exact'>,
  ): Promise<SessionResult> {
    this.#assertThere();
    const { distance } = readKnown('within', options, { ...NAMES, distance: true });
    return this.#session.hits(this, { distance: readLength('distance', distance), ...readQuestion(options) });
  }

  async distance(
    options: Pick<DistanceOptions, 'atMost' | 'error' | 'exact'> = {},
  ): Promise<SessionDistance> {
    this.#assertThere();
    const { atMost = Infinity } = readKnown('distance', options, { ...ERROR_NAMES, atMost: true });
    return this.#session.nearest(this, readAtMost('atMost', atMost), readErrorLimit(options));
  }

  async around(options: { readonly distance?: number } = {}): Promise<SessionSurroundings> {
    this.#assertThere();
    const { distance = 0 } = readKnown('around', options, { distance: true });
    return this.#session.around(this, readLength('distance', distance));
  }

  #assertThere(): void {
    const { id } = this;
    if (this.#removed)
      throw new ImpingeError('removed', `body ${id} was removed from its session`, { body: id });
  }
}

const NAMES = { ...ERROR_NAMES, mode: true } as const;

function readQuestion(
  options: Pick<CollideOptions, 'mode' | 'error' | 'exact'>,
): Pick<SessionQuestion, 'mode' | 'error'> {
  return { mode: readChoice('mode', options.mode ?? 'all', MODES), error: readErrorLimit(options) };
}
