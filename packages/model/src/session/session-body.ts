/** A moving object of a session, and what it can be asked. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readAtMost, readChoice, readKnown, readLength } from 'impinge/internal/base/options.js';
import { type Pose, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { MODES } from 'impinge/internal/query/pair/collide.js';
import type { DistanceOptions } from 'impinge/internal/query/pair/distance.js';
import type { HitsOptions } from 'impinge/internal/query/pair/hits.js';
import {
  ERROR_NAMES,
  type ErrorLimit,
  type HitsRequest,
  readErrorLimit,
} from 'impinge/internal/query/pair/pair-request.js';
import type { DistanceResult, Hit, HitsResult } from 'impinge/internal/query/pair/results.js';
import type { PenetrationOptions, PenetrationResult } from 'impinge/internal/query/solid/penetration.js';
import type {
  TargetContactRegion,
  TargetContactsOptions,
} from 'impinge/internal/query/solid/target-contacts.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';

export interface SessionBody {
  /** Never used again in this session. */
  readonly id: number;
  /** Twelve numbers as in math/pose.ts; not to be written to. */
  readonly pose: RigidPose;
  /** Moves it, and starts fetching the pieces that it will meet if it continues at this speed. */
  move(pose: Pose): void;
  /** Takes it out. An object of the model that was taken stays hidden. */
  remove(): void;
  /** As `hits`, with the body as a: objects of the session's targets first, then bodies, in the order of numbers. */
  hits(options?: Pick<HitsOptions, 'distance' | 'mode' | 'error' | 'exact'>): Promise<SessionHits>;
  /** As `distance`, from the body to the nearest surface. */
  distance(options?: Pick<DistanceOptions, 'atMost' | 'error' | 'exact'>): Promise<SessionDistance>;
  /**
   * As `contacts` of stored models: the regions where it meets what is around it, or comes as near. Normals are the way
   * to push the body out.
   */
  contacts(options?: Pick<TargetContactsOptions, 'distance' | 'error' | 'exact'>): Promise<SessionContacts>;
  /**
   * As `penetration` of stored models, for each object and body that it overlaps by itself: how to move the body out of
   * that. An object among several of a target is asked exactly.
   */
  penetration(options?: Pick<PenetrationOptions, 'error' | 'exact'>): Promise<SessionPenetrations>;
  /** The parts it is made of, in its own frame: the mesh or target that was added, or the pieces of an object. */
  readonly parts: readonly SessionPart[];
  /**
   * The pieces of stored models with boxes within `distance` of its own (default 0), for questions of the caller's own.
   */
  around(options?: { readonly distance?: number }): Promise<SessionSurroundings>;
}

/** Pieces that stay in memory until this is disposed of. */
export interface SessionSurroundings extends Disposable {
  /** By target, object and piece. */
  readonly pieces: readonly SessionPiece[];
  dispose(): void;
}

/** A piece of an object of a stored model; `pose` is the object's. */
export interface SessionPiece {
  readonly target: number;
  readonly object: number;
  readonly piece: number;
  readonly mesh: Mesh;
  readonly pose: RigidPose;
}

/** What a body is near: an object, or another body. */
export interface SessionPlace {
  /** Which of the session's targets, as they were given, and which of its objects. */
  readonly target: number | undefined;
  readonly object: number | undefined;
  readonly body: SessionBody | undefined;
}

export interface SessionHits extends Omit<HitsResult, 'hits' | 'stats'> {
  readonly hits: readonly SessionHit[];
}

/** A hit of a body, which is a. */
export type SessionHit = SessionPlace & Omit<Hit, 'objectA' | 'objectB'>;

/** How far a body, which is a, is from what is nearest to it. */
export type SessionDistance = SessionPlace &
  Pick<DistanceResult, 'distance' | 'bounds' | 'pointA' | 'pointB' | 'error'>;

export interface SessionContacts {
  /** Those of the session's targets first, then those of bodies. */
  readonly regions: readonly SessionContact[];
  readonly error: number;
}

/** Part of a contact of a body that hangs together. */
export type SessionContact = SessionPlace &
  Omit<TargetContactRegion, 'objectA' | 'objectB' | 'pairs'> & {
    /** Pairs of triangles that meet, or of patches, where an error was made use of. */
    readonly count: number;
  };

export interface SessionPenetrations {
  /** Objects of the session's targets first, then bodies. */
  readonly overlaps: readonly SessionPenetration[];
  readonly error: number;
}

/** What a body overlaps, and how to get it out of that. */
export type SessionPenetration = SessionPlace & Omit<PenetrationResult, 'stats'>;

/** What can be a body, or a part of one. */
export type SessionPart = Mesh | PartsTarget;

export type SessionQuestion = Pick<HitsRequest, 'distance' | 'mode' | 'error'>;

/** What bodies ask of their session. */
export interface Keeper {
  follow(body: Body): void;
  takeOut(body: Body): void;
  hits(body: Body, question: SessionQuestion): Promise<SessionHits>;
  contacts(body: Body, distance: number, error: ErrorLimit): Promise<SessionContacts>;
  penetrations(body: Body, error: ErrorLimit): Promise<SessionPenetrations>;
  nearest(body: Body, atMost: number, error: ErrorLimit): Promise<SessionDistance>;
  around(body: Body, distance: number): Promise<SessionSurroundings>;
}

/** A body as one thing, and where that is in the frame of the body. */
export interface BodyWhole {
  readonly thing: SessionPart;
  readonly toBody: RigidPose;
}

/** Pieces that are held because a body is made of them, and how they are let go. */
export interface HeldPieces {
  release(): void;
}

export class Body implements SessionBody {
  readonly id: number;
  readonly parts: readonly SessionPart[];
  readonly whole: BodyWhole;
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
    whole: BodyWhole,
    held: HeldPieces | undefined,
    pose: RigidPose,
    session: Keeper,
  ) {
    this.id = id;
    this.parts = parts;
    this.whole = whole;
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

  async hits(options: Pick<HitsOptions, 'distance' | 'mode' | 'error' | 'exact'> = {}): Promise<SessionHits> {
    this.#assertThere();
    const { distance = 0, mode = 'all' } = readKnown('hits', options, NAMES);
    return this.#session.hits(this, {
      distance: readLength('distance', distance),
      mode: readChoice('mode', mode, MODES),
      error: readErrorLimit(options),
    });
  }

  async distance(
    options: Pick<DistanceOptions, 'atMost' | 'error' | 'exact'> = {},
  ): Promise<SessionDistance> {
    this.#assertThere();
    const { atMost = Infinity } = readKnown('distance', options, { ...ERROR_NAMES, atMost: true });
    return this.#session.nearest(this, readAtMost('atMost', atMost), readErrorLimit(options));
  }

  async contacts(
    options: Pick<TargetContactsOptions, 'distance' | 'error' | 'exact'> = {},
  ): Promise<SessionContacts> {
    this.#assertThere();
    const { distance = 0 } = readKnown('contacts', options, { ...ERROR_NAMES, distance: true });
    return this.#session.contacts(this, readLength('distance', distance), readErrorLimit(options));
  }

  async penetration(options: Pick<PenetrationOptions, 'error' | 'exact'> = {}): Promise<SessionPenetrations> {
    this.#assertThere();
    return this.#session.penetrations(this, readErrorLimit(readKnown('penetration', options, ERROR_NAMES)));
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

const NAMES = { ...ERROR_NAMES, distance: true, mode: true } as const;
