/**
 * Rigid bodies: a centre, a rotation, a velocity, an angular momentum.
 *
 * rigid-dynamics.ts computes their motion among each other, and rigid-aim.ts holds their aims at the end of a step.
 * Invariant: positions are the surface at rest, turned, shifted and rounded to float32. Momentum is kept, and so is
 * energy in free flight.
 */
import { type OptionNames, readKnown } from 'impinge/internal/base/options.js';
import type { Point } from 'impinge/internal/math/point.js';
import type { QuaternionLike, Vec3 } from 'impinge/internal/math/pose.js';
import type { ContactLevels } from '../contact-levels/contact-levels.js';
import { BodyTable } from '../rigid/body-table.js';
import type { BodyShape } from '../rigid/contact-engine.js';
import { assertContactLevelsOf } from '../rigid/engines/dual-shape.js';
import { moveFreely } from '../rigid/impulse-system.js';
import { type BodySource, readSolid } from '../rigid/shapes/read-solid.js';
import type { Body, Frame } from './body.js';
import { MASS_NAMES, type MassOptions, readMass, wholeMass, withGivenMass } from './given-mass.js';
import { RigidAim } from './rigid-aim.js';
import { RigidState } from './rigid-state.js';
import { writeMatrix } from './rotation.js';
import { type SolidMass, solidMass } from './solid-mass.js';
import type { StateReader, StateWriter } from './state-bytes.js';
import { checkOption, isOpen, outwardIndices, readTurn, readVector } from './surface-input.js';
import { TOUCH_NAMES, Touch, type TouchOptions } from './touch.js';

/** Where a body is, how it moves and touches; without, where its surface is, at rest. */
export interface RigidMotionOptions extends TouchOptions {
  /** Of the centre of mass. */
  readonly position?: Point;
  /** From the surface as given: x, y, z, w of a unit quaternion. */
  readonly orientation?: ArrayLike<number> | QuaternionLike;
  readonly velocity?: Point;
  /** Radians per second about each axis. */
  readonly spin?: Point;
}

export const MOTION_NAMES = {
  position: true,
  orientation: true,
  velocity: true,
  spin: true,
  ...TOUCH_NAMES,
} as const;

export interface RigidBodyOptions extends RigidMotionOptions, MassOptions {
  /** Of the same surface, made by `buildContactLevels`: for simulations with a contact error. */
  readonly contactLevels?: ContactLevels;
}

export const RIGID_BODY_DEFAULTS = { density: 1000 } as const;

const NAMES: OptionNames<RigidBodyOptions> = { ...MOTION_NAMES, ...MASS_NAMES, contactLevels: true };

/**
 * Makes a rigid body of a shape, or of a closed surface that faces outwards, filled with one material; or of any
 * surface whose mass, centre of mass and inertia are given.
 */
export function rigidBody(source: BodySource, options: RigidBodyOptions = {}): RigidBody {
  const { name, positions, indices, shape } = readSolid(source, 'rigid body');
  const { contactLevels, ...given } = readKnown('rigidBody', options, NAMES);
  const parts = readMass(name, given, RIGID_BODY_DEFAULTS.density);
  const whole = wholeMass(parts);
  if (!shape && !(whole && isOpen({ name, positions, indices })))
    outwardIndices(name, positions, indices, 'refuse');
  if (contactLevels !== undefined) assertContactLevelsOf({ name, positions, indices }, contactLevels);
  const solid = () => (shape ? shape.massOf(parts.density) : solidMass(positions, indices, parts.density));
  const mass = whole ?? withGivenMass(solid(), parts);
  checkOption(`${name}: mass`, mass.mass, mass.mass > 0);
  const contactShape = shape && (() => shape.contactShape(mass.centre));
  return new RigidBody(name, { name, positions, indices, mass, contactLevels, contactShape }, given);
}

/** Data that bodies of one shape and material share. */
export interface RigidShape {
  readonly name: string;
  /** At rest, on the float32 grid. */
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** At rest, too. */
  readonly mass: SolidMass;
  readonly contactLevels?: ContactLevels | undefined;
  /** The contact data of what is not made of these triangles: of shapes, and of surfaces that are not in memory. */
  readonly contactShape?: (() => BodyShape) | undefined;
  /** Of a stored model: its fingerprint. */
  readonly stored?: string;
}

export class RigidBody implements Body {
  readonly kind = 'dynamic';
  readonly self = false;
  readonly rigid = true;
  readonly name: string;
  readonly vertexCount: number;
  readonly indices: Uint32Array;
  readonly proposed: Float64Array;
  readonly mass: number;
  readonly touch: Touch;
  /** @internal For the simulation. */
  readonly shape: RigidShape;
  /** @internal */
  readonly state: RigidState;
  readonly #positions: Float64Array;
  /** Whether the body has moved on from `#positions`. */
  #stale = false;
  #radius = -1;
  readonly #aim: RigidAim;
  readonly #matrix = new Float64Array(9);

  constructor(name: string, shape: RigidShape, options: RigidMotionOptions) {
    const { positions, indices, mass } = shape;
    this.shape = shape;
    this.name = name;
    this.vertexCount = positions.length / 3;
    this.indices = indices;
    this.#positions = positions.slice();
    this.proposed = positions.slice();
    this.mass = mass.mass;
    this.touch = new Touch(name, options);
    this.state = new RigidState(mass);
    this.#aim = new RigidAim(this.state, positions);
    if (options.position !== undefined) this.position = options.position;
    if (options.orientation !== undefined) this.orientation = options.orientation;
    this.velocity = options.velocity ?? [0, 0, 0];
    this.spin = options.spin ?? [0, 0, 0];
  }

  /** Another body of the same shape and material, which touches alike; they share the data derived from them. */
  copy({ name = this.name, ...motion }: RigidMotionOptions & { readonly name?: string } = {}): RigidBody {
    return new RigidBody(name, this.shape, { ...this.touch.options, ...motion });
  }

  /** Of the centre of mass. */
  get position(): Vec3 {
    return Array.from(this.state.centre) as unknown as Vec3;
  }

  set position(value: Point) {
    this.state.centre.set(readVector(`${this.name}: position`, value));
    this.#replaced();
  }

  /** From the surface as it was given: x, y, z, w of a unit quaternion. */
  get orientation(): Turn {
    return Array.from(this.state.rotation) as unknown as Turn;
  }

  set orientation(value: ArrayLike<number> | QuaternionLike) {
    const { state } = this;
    const spin = this.spin;
    state.rotation.set(readTurn(`${this.name}: orientation`, value));
    state.angular.set(state.angularOf(state.rotation, spin));
    this.#replaced();
  }

  /** Of the centre of mass. */
  get velocity(): Vec3 {
    return Array.from(this.state.velocity) as unknown as Vec3;
  }

  set velocity(value: Point) {
    this.state.velocity.set(readVector(`${this.name}: velocity`, value));
    this.state.disturbed = true;
  }

  /** Radians per second about each axis of the world. */
  get spin(): Vec3 {
    return this.state.spinOf(this.state.rotation, this.state.angular);
  }

  set spin(value: Point) {
    const { state } = this;
    state.angular.set(state.angularOf(state.rotation, readVector(`${this.name}: spin`, value)));
    state.disturbed = true;
  }

  /** The largest distance of a vertex from the centre of mass. */
  get radius(): number {
    if (this.#radius < 0) {
      const { positions: x, mass } = this.shape;
      const [cx, cy, cz] = mass.centre;
      for (let i = 0; i < x.length; i += 3)
        this.#radius = Math.max(this.#radius, Math.hypot(x[i] - cx, x[i + 1] - cy, x[i + 2] - cz));
    }
    return this.#radius;
  }

  /** Whether it rests, so that the simulation does not look at it until something comes near. */
  get asleep(): boolean {
    return this.state.asleep;
  }

  /** A force (N) during the next step, at a place of the world; at the centre of mass by default. */
  applyForce(force: Point, at?: Point): void {
    this.#act('force', force, at, this.state.force, this.state.torque);
  }

  /** An impulse (N s) at once. */
  applyImpulse(impulse: Point, at?: Point): void {
    const change = new Float64Array(3);
    this.#act('impulse', impulse, at, change, this.state.angular);
    for (let k = 0; k < 3; k++) this.state.velocity[k] += change[k] / this.mass;
  }

  get positions(): Float64Array {
    if (this.#stale) this.#writeRounded(this.#positions);
    this.#stale = false;
    return this.#positions;
  }

  get frame(): Frame {
    return this.#aim.frame;
  }

  propose(dt: number, gravity: readonly [number, number, number]): void {
    const table = new BodyTable();
    table.resize(1);
    table.load(0, this.state, gravity);
    moveFreely(table, 0, dt);
    this.aim(table, 0);
    this.show();
  }

  /** @internal Sets its aim to its pose in a table. */
  aim(table: BodyTable, index: number): void {
    this.#aim.take(table, index);
  }

  /** Wants to stay. */
  rest(): void {
    this.#aim.stay();
  }

  /** For contacts with soft bodies: places the nodes and the surface at the aim. */
  show(): void {
    this.#aim.giveNodes();
    this.settle();
  }

  /** Writes its aim; returns whether soft bodies have pushed it. */
  readAim(place: Float64Array, turn: Float64Array, index: number): boolean {
    return this.#aim.read(place, turn, index);
  }

  inverseMass(vertex: number): number {
    return this.#aim.inverseMass(vertex);
  }

  push(vertex: number, dx: number, dy: number, dz: number): void {
    this.#aim.push(vertex, dx, dy, dz);
  }

  settle(): void {
    this.#aim.write(this.proposed);
  }

  /** Turns the displacements of the nodes by contacts into one motion of the whole body. */
  relax(): void {
    this.#aim.takePushes();
    this.#aim.giveNodes();
  }

  /**
   * Keeps a share of the motion, relative to a shift, and writes the resulting surface. The velocity loses the rest.
   */
  shorten(share: number, shift: ArrayLike<number>, dt: number): void {
    this.#aim.shorten(share, shift, dt);
    this.show();
  }

  /** The step is over. Surfaces given as `end` are where `proposed` has them, or where they were. */
  finish(end: Float64Array, dt: number): void {
    const { proposed, state } = this;
    this.#aim.endPushes(dt);
    if (end.every((x, k) => x === this.positions[k]) && end.some((x, k) => x !== Math.fround(proposed[k]))) {
      // held where it was
      state.velocity.fill(0);
      state.angular.fill(0);
      return;
    }
    this.moveOn();
    this.#positions.set(end);
    this.#stale = false;
  }

  /** Moves to its aim. */
  moveOn(): void {
    this.#aim.reach();
    this.#stale = true;
  }

  save(out: StateWriter): void {
    const { numbers, asleep, disturbed } = this.state;
    out.array(numbers);
    out.flag(asleep);
    out.flag(disturbed);
    // contacts with soft bodies may have rounded otherwise
    const usual = this.#writeRounded(new Float64Array(this.#positions.length));
    const isUsual = this.#stale || usual.every((x, i) => x === this.#positions[i]);
    out.flag(isUsual);
    if (!isUsual) out.array(this.#positions);
  }

  restore(from: StateReader): void {
    const { state } = this;
    from.into(state.numbers);
    state.asleep = from.flag();
    state.disturbed = from.flag();
    this.#stale = from.flag();
    if (!this.#stale) from.into(this.#positions);
  }

  energy(): number {
    const { velocity: v, angular, rotation } = this.state;
    const w = this.state.spinOf(rotation, angular);
    const turning = angular[0] * w[0] + angular[1] * w[1] + angular[2] * w[2];
    return 0.5 * (this.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + turning);
  }

  /** Writes the momentum and, if there is room for six numbers, the angular momentum about the origin. */
  momentum(out: Float64Array): void {
    const { centre, velocity, angular } = this.state;
    for (let k = 0; k < 3; k++) out[k] = this.mass * velocity[k];
    if (out.length < 6) return;
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      out[3 + k] = angular[k] + centre[l] * out[m] - centre[m] * out[l];
    }
  }

  /** Impulses of soft bodies in the last step, at places of the body at rest. */
  protected eachPush(dt: number, visit: (place: Float64Array, impulse: Float64Array) => void): void {
    this.#aim.eachPush(dt, visit);
  }

  /** A direction of the body at rest, in the world; and back; and a place of it. */
  turned(v: ArrayLike<number>): [number, number, number] {
    const m = writeMatrix(this.state.rotation, 0, this.#matrix, 0);
    return [0, 3, 6].map((k) => m[k] * v[0] + m[k + 1] * v[1] + m[k + 2] * v[2]) as [number, number, number];
  }

  turnedBack(v: ArrayLike<number>): [number, number, number] {
    const m = writeMatrix(this.state.rotation, 0, this.#matrix, 0);
    return [0, 1, 2].map((k) => m[k] * v[0] + m[k + 3] * v[1] + m[k + 6] * v[2]) as [number, number, number];
  }

  protected placeOf(place: Vec3): [number, number, number] {
    const [x, y, z] = this.turned(place.map((p, k) => p - this.shape.mass.centre[k]));
    const { centre } = this.state;
    return [centre[0] + x, centre[1] + y, centre[2] + z];
  }

  #act(what: string, value: Point, at: Point | undefined, sum: Float64Array, moment: Float64Array): void {
    const [x, y, z] = readVector(`${this.name}: ${what}`, value);
    const { centre } = this.state;
    const place = at === undefined ? centre : readVector(`${this.name}: place of the ${what}`, at);
    const [rx, ry, rz] = [place[0] - centre[0], place[1] - centre[1], place[2] - centre[2]];
    sum[0] += x;
    sum[1] += y;
    sum[2] += z;
    moment[0] += ry * z - rz * y;
    moment[1] += rz * x - rx * z;
    moment[2] += rx * y - ry * x;
    this.state.disturbed = true;
  }

  #replaced(): void {
    this.state.placed++;
    this.state.disturbed = true;
    this.#stale = true;
  }

  /** Writes the surface where the body is. */
  #writeRounded(out: Float64Array): Float64Array {
    this.#write(this.state.centre, this.state.rotation, out);
    for (let i = 0; i < out.length; i++) out[i] = Math.fround(out[i]);
    return out;
  }

  #write(centre: Float64Array, rotation: Float64Array, out: Float64Array): void {
    const m = writeMatrix(rotation, 0, this.#matrix, 0);
    const { positions: x, mass } = this.shape;
    const [cx, cy, cz] = mass.centre;
    for (let i = 0; i < x.length; i += 3) {
      const px = x[i] - cx;
      const py = x[i + 1] - cy;
      const pz = x[i + 2] - cz;
      out[i] = m[0] * px + m[1] * py + m[2] * pz + centre[0];
      out[i + 1] = m[3] * px + m[4] * py + m[5] * pz + centre[1];
      out[i + 2] = m[6] * px + m[7] * py + m[8] * pz + centre[2];
    }
  }
}

/** A unit quaternion: x, y, z, w. */
export type Turn = readonly [number, number, number, number];
