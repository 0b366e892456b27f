/** Bodies that contacts cannot move: floors and walls that stand, balls and hands that go their way. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readKnown } from 'impinge/internal/base/options.js';
import { IDENTITY, type Pose, posePoint, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import type { ContactLevels } from '../contact-levels/contact-levels.js';
import type { BodyShape } from '../rigid/contact-engine.js';
import type { RigidSurface } from '../rigid/contact-shape.js';
import { assertContactLevelsOf } from '../rigid/engines/dual-shape.js';
import { type BodySource, readSolid } from '../rigid/shapes/read-solid.js';
import type { Body } from './body.js';
import type { StateReader, StateWriter } from './state-bytes.js';
import { TOUCH_NAMES, Touch, type TouchOptions } from './touch.js';

/** Where a scripted body is, by the seconds that it has been under way. */
export type MotionPath = (time: number) => Pose;

export interface SceneryOptions extends TouchOptions {
  /** Of the same surface, made by `buildContactLevels`: for simulations with a contact error. */
  readonly contactLevels?: ContactLevels;
}

const SCENERY_NAMES = { contactLevels: true, ...TOUCH_NAMES } as const;

export interface SceneryBody extends Body {
  readonly touch: Touch;
}

/** Scenery that stands still. It may be open, closed, and run through other scenery. */
export function fixedBody(source: BodySource, options: SceneryOptions = {}): SceneryBody {
  return sceneryOf(source, undefined, readKnown('fixedBody', options, SCENERY_NAMES));
}

function sceneryOf(source: BodySource, path: MotionPath | undefined, options: SceneryOptions): Scenery {
  const { shape, ...surface } = readSolid(source, 'scenery');
  return new Scenery(surface, path, { ...options, contactShape: shape && (() => shape.contactShape()) });
}

/**
 * Scenery that follows `path`, whatever is in its way; steps should be short enough that the straight path of every
 * vertex over a step approximates its motion. Where it would crush something, the simulation makes it wait: its time
 * stands still, and it continues when it can.
 */
export function kinematicBody(
  source: BodySource,
  path: MotionPath,
  options: SceneryOptions = {},
): SceneryBody {
  if (typeof path !== 'function')
    throw new ImpingeError('bad-input', 'the path of a kinematic body must be a function');
  return sceneryOf(source, path, readKnown('kinematicBody', options, SCENERY_NAMES));
}

interface ShapeOptions extends SceneryOptions {
  readonly pose?: Readonly<RigidPose>;
  readonly contactShape?: (() => BodyShape) | undefined;
  readonly stored?: string;
}

export class Scenery implements SceneryBody {
  readonly name: string;
  readonly touch: Touch;
  readonly vertexCount: number;
  readonly indices: Uint32Array;
  readonly #positions: Float64Array;
  /** Whether it has moved on from `#positions`. */
  #stale = false;
  readonly proposed: Float64Array;
  readonly kind: 'kinematic' | 'fixed';
  readonly self = false;
  readonly #path: MotionPath | undefined;
  readonly contactLevels: ContactLevels | undefined;
  /** Where it was modelled. */
  readonly rest: Float64Array;
  /** Where that is now, and at the end of the step. */
  readonly pose: RigidPose = IDENTITY.slice();
  readonly #next: RigidPose = IDENTITY.slice();
  #time = 0;
  #waits = false;

  /** For the simulation: of what is not made of these triangles, as shapes and scenery that is not in memory. */
  readonly contactShape: (() => BodyShape) | undefined;
  /** Of a stored model: its fingerprint. */
  readonly stored: string | undefined;

  constructor(
    { name, positions, indices }: RigidSurface,
    path: MotionPath | undefined,
    { pose = IDENTITY, contactShape, stored, contactLevels, ...touch }: ShapeOptions,
  ) {
    this.name = name;
    this.touch = new Touch(name, touch);
    this.vertexCount = positions.length / 3;
    this.contactShape = contactShape;
    this.stored = stored;
    this.#next.set(pose);
    this.indices = indices;
    this.kind = path ? 'kinematic' : 'fixed';
    this.#path = path;
    this.rest = positions;
    if (contactLevels !== undefined) assertContactLevelsOf({ name, positions, indices }, contactLevels);
    this.contactLevels = contactLevels;
    this.proposed = positions.slice();
    this.#place(0);
    this.pose.set(this.#next);
    this.#positions = this.proposed.map(Math.fround);
  }

  get positions(): Float64Array {
    if (this.#stale) this.#writeRounded(this.#positions);
    this.#stale = false;
    return this.#positions;
  }

  propose(dt: number): void {
    this.#waits = false;
    this.#place(this.#time + dt);
  }

  /** The same, without intermediate vertices. */
  aim(dt: number): void {
    this.#waits = false;
    this.#next.set(this.poseAfter(dt));
  }

  /** Moves to its aim. */
  moveOn(dt: number): void {
    if (this.#waits) return;
    this.#time += dt;
    this.pose.set(this.#next);
    this.#stale = true;
  }

  /** Where it will be when `dt` has passed. */
  poseAfter(dt: number): RigidPose {
    return this.#path ? toRigidPose(this.#path(this.#time + dt)) : this.pose;
  }

  /** Wants to stay where it is. */
  wait(): void {
    this.proposed.set(this.positions);
    this.#waits = true;
  }

  inverseMass(): number {
    return 0;
  }

  push(): void {}

  settle(): void {}

  finish(end: Float64Array, dt: number): void {
    const { proposed } = this;
    if (!this.#waits && end.every((x, i) => x === Math.fround(proposed[i]))) {
      this.#time += dt;
      this.pose.set(this.#next);
    }
    this.#positions.set(end);
    this.#stale = false;
  }

  save(out: StateWriter): void {
    out.number(this.#time);
    out.array(this.pose);
    const usual = this.#writeRounded(new Float64Array(this.#positions.length));
    const isUsual = this.#stale || usual.every((x, i) => x === this.#positions[i]);
    out.flag(isUsual);
    if (!isUsual) out.array(this.#positions);
  }

  restore(from: StateReader): void {
    this.#time = from.number();
    from.into(this.pose);
    this.#stale = from.flag();
    if (!this.#stale) from.into(this.#positions);
  }

  energy(): number {
    return 0;
  }

  momentum(out: Float64Array): void {
    out.fill(0);
  }

  /** Writes the surface where it is. */
  #writeRounded(out: Float64Array): Float64Array {
    writePosed(this.rest, this.pose, out);
    for (let i = 0; i < out.length; i++) out[i] = Math.fround(out[i]);
    return out;
  }

  #place(time: number): void {
    if (!this.#path) return;
    const pose = toRigidPose(this.#path(time));
    this.#next.set(pose);
    writePosed(this.rest, pose, this.proposed);
  }
}

function writePosed(x: Float64Array, pose: RigidPose, out: Float64Array): void {
  for (let i = 0; i < x.length; i += 3) posePoint(pose, x[i], x[i + 1], x[i + 2], out, i);
}
