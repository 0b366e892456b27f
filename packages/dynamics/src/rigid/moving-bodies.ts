/**
 * The members of a simulation as a step sees them: read into the table, and divided into moving and resting ones.
 *
 * Bodies that do not meet may go through a step one after the other: then only some are awake at a time. Layout: by
 * index, `awake` is set for bodies that move now, `startPlace` and `startTurn` are the initial pose, `#startMotion` the
 * initial velocity and angular momentum, and `motion` bounds the path of its points.
 */
import { BreakableBody } from '../bodies/breaking.js';
import type { RigidBody } from '../bodies/rigid-body.js';
import { turnBetween } from '../bodies/rotation.js';
import { Scenery } from '../bodies/scenery.js';
import type { StateArray, StateReader, StateWriter } from '../bodies/state-bytes.js';
import { BodyTable } from './body-table.js';
import { CHANGE } from './exact/layout.generated.js';
import type { PairBatch } from './exact/pair-batch.js';
import type { Member } from './member.js';
import type { NearBodies } from './near-bodies.js';
import { placeBy } from './placing.js';
import { wake } from './sleeping.js';

const NOWHERE = new Float64Array(6);

export class MovingBodies {
  readonly table = new BodyTable();
  members: readonly Member[] = [];
  /** Pairs that joints hold together. */
  ties: readonly (readonly [Member, Member])[] = [];
  awake = new Uint8Array(0);
  startPlace = new Float64Array(0);
  startTurn = new Float64Array(0);
  #startMotion = new Float64Array(0);
  motion = new Float64Array(0);
  /** Displacements: least along the axes, then greatest. */
  readonly #swing = new Float64Array(6);
  /** Of members, by index. */
  travelled = new Float64Array(0);
  /** The length of the step, in seconds. */
  step = 0;
  /**
   * Of carriers, by index: how much faster they are at the end of the step than at its start, in velocity and spin.
   * What they carry is to follow that; their motion as a whole is taken as even.
   */
  gain = new Float64Array(0);
  /** Whether any body breaks. */
  breaks = false;
  /** Whether only some of those move now that move in this step. */
  areApart = false;
  /** By index: whether a body moves in this step, and whether it has done so. */
  #moving = new Uint8Array(0);
  #done = new Uint8Array(0);
  /** By index: whether a body is in the table as asleep. */
  #asleep = new Uint8Array(0);
  readonly #near: NearBodies;
  readonly #batch: PairBatch;
  readonly #gravity: readonly [number, number, number];

  constructor(near: NearBodies, batch: PairBatch, gravity: readonly [number, number, number]) {
    this.#near = near;
    this.#batch = batch;
    this.#gravity = gravity;
  }

  /** Gives members their places in the table. */
  layOut(members: readonly Member[]): void {
    const count = members.length;
    this.members = members;
    this.table.resize(count);
    this.awake = new Uint8Array(count);
    this.#asleep = new Uint8Array(count);
    this.#moving = new Uint8Array(count);
    this.#done = new Uint8Array(count);
    this.startPlace = new Float64Array(3 * count);
    this.startTurn = new Float64Array(4 * count);
    this.#startMotion = new Float64Array(6 * count);
    this.motion = new Float64Array(count);
    this.gain = new Float64Array(6 * count);
    this.travelled = Float64Array.from(members, ({ travelled }) => travelled);
    this.breaks = members.some(({ body }) => body instanceof BreakableBody);
    this.#near.sift();
    this.#batch.reserve(count);
    members.forEach((member, index) => {
      member.index = index;
      member.placed = -1;
      this.table.radius[index] = member.shape.radius;
      if (member.rigid) return;
      this.#loadScenery(member);
      this.#startHere(index);
    });
  }

  /** Reads where bodies are and how they want to move; carriers that wait stay where they are. */
  load(dt: number, waiting: ReadonlySet<Member>): void {
    this.step = dt;
    // also where a step was aborted
    this.areApart = false;
    this.#moving.fill(0);
    this.#done.fill(0);
    for (const member of this.members) {
      const { rigid, carrier } = member;
      if (!rigid) {
        if (member.placed < 0) this.#near.place(member, this.table, NOWHERE);
        if (carrier) this.#loadCarrier(member, carrier, waiting.has(member) ? 0 : dt);
        member.placed = 0;
        continue;
      }
      const { state } = rigid;
      if (state.asleep && !state.disturbed && this.#asleep[member.index] !== 0) continue;
      if (state.placed !== member.placed) {
        if (member.placed >= 0) this.#near.forget(member);
        member.placed = state.placed;
      }
      if (rigid instanceof BreakableBody) rigid.forgetBlow();
      if (state.disturbed) wake(member);
      if (state.asleep) this.#loadAsleep(member);
      else this.#loadAwake(member);
    }
    this.eachTied((member) => {
      wake(member);
      this.#loadAwake(member);
    });
  }

  /** Visits sleeping bodies that are tied to moving ones, and has them count as moving. */
  eachTied(visit: (member: Member) => void): boolean {
    let any = false;
    for (let found = true; found; ) {
      found = false;
      for (const [a, b] of this.ties) {
        if (this.awake[a.index] === this.awake[b.index]) continue;
        const still = this.awake[a.index] === 0 ? a : b;
        if (!still.rigid?.state.asleep) continue;
        visit(still);
        found = any = true;
      }
    }
    return any;
  }

  /** Writes what was read into the table, once members have their places there. */
  save(out: StateWriter): void {
    for (const array of this.#arrays) out.array(array);
  }

  restore(from: StateReader): void {
    for (const array of this.#arrays) from.into(array);
  }

  get #arrays(): StateArray[] {
    const own = [this.awake, this.#asleep, this.startPlace, this.startTurn, this.motion, this.travelled];
    return [...own, ...this.table.arrays];
  }

  /** Whether any of these, by index, breaks. */
  anyBreaks(these: readonly number[]): boolean {
    return this.breaks && these.some((i) => this.members[i].body instanceof BreakableBody);
  }

  /** Whether anything moves. */
  get anyAwake(): boolean {
    return this.awake.includes(1);
  }

  /** Lets only some of the moving bodies move, while the rest stay where they are. */
  only(bodies: readonly number[]): void {
    this.areApart = true;
    this.#moving.set(this.awake);
    this.awake.fill(0);
    for (const index of bodies) if (this.#done[index] === 0) this.awake[index] = 1;
  }

  /** Whether a body moves in this step, but not now. */
  staysFor(index: number): boolean {
    return this.awake[index] === 0 && this.#moving[index] !== 0;
  }

  /** Ends the step for some of the moving bodies, by index, where they are in the table; the others go on. */
  complete(these: Uint8Array): void {
    if (!this.areApart) this.#moving.set(this.awake);
    this.areApart = true;
    for (let i = 0; i < these.length; i++) {
      if (these[i] === 0) continue;
      this.#startHere(i);
      this.#standing(i);
      this.awake[i] = 0;
      this.#done[i] = 1;
    }
  }

  /** Completes the motion of the current ones, and lets all move again. */
  all(): void {
    if (!this.areApart) return;
    for (let i = 0; i < this.awake.length; i++) {
      if (this.awake[i] === 0) this.awake[i] = this.#moving[i];
      else {
        this.#startHere(i);
        this.#done[i] = 1;
      }
    }
    this.#moving.fill(0);
    this.areApart = false;
  }

  /** Motions of the next h seconds, from where bodies are in the table. */
  begin(h: number): void {
    for (const member of this.members) if (this.awake[member.index] !== 0) this.#beginMember(member, h);
  }

  /** Has those awake begin their motions again, as they began them. */
  restart(): void {
    const { place, turn, velocity, angular } = this.table;
    for (let i = 0; i < this.awake.length; i++) {
      if (this.awake[i] === 0) continue;
      for (let k = 0; k < 4; k++) turn[4 * i + k] = this.startTurn[4 * i + k];
      for (let k = 0; k < 3; k++) {
        place[3 * i + k] = this.startPlace[3 * i + k];
        velocity[3 * i + k] = this.#startMotion[6 * i + k];
        angular[3 * i + k] = this.#startMotion[6 * i + 3 + k];
      }
      this.table.orient(i);
    }
  }

  /** Has a sleeping body move in the next h seconds. */
  rouse(member: Member, h: number): void {
    wake(member);
    this.#loadAwake(member);
    this.#beginMember(member, h);
  }

  #beginMember(member: Member, h: number): void {
    const { index, shape } = member;
    const { velocity: v, acceleration: a, spin: w, angular } = this.table;
    this.#startHere(index);
    const k = 3 * index;
    for (let j = 0; j < 3; j++) {
      this.#startMotion[2 * k + j] = v[k + j];
      this.#startMotion[2 * k + 3 + j] = angular[k + j];
    }
    const speed = Math.sqrt(v[k] ** 2 + v[k + 1] ** 2 + v[k + 2] ** 2);
    const pull = Math.sqrt(a[k] ** 2 + a[k + 1] ** 2 + a[k + 2] ** 2);
    const turning = Math.sqrt(w[k] ** 2 + w[k + 1] ** 2 + w[k + 2] ** 2) * shape.arm;
    this.motion[index] = h * (speed + h * pull + turning);
    const aside = h * turning + CHANGE * this.motion[index];
    const swing = this.#swing;
    for (let j = 0; j < 3; j++) {
      const way = h * v[k + j];
      const pulled = way + h * h * a[k + j];
      swing[j] = Math.min(0, way, pulled) - aside;
      swing[3 + j] = Math.max(0, way, pulled) + aside;
    }
    this.#near.place(member, this.table, swing);
  }

  /** Begins a motion at a body's pose in the table, and passes it to the kernels. */
  #startHere(index: number): void {
    const { place, turn } = this.table;
    const { startPlace, startTurn } = this;
    let shiftSq = 0;
    let turnSq = 0;
    for (let k = 3 * index; k < 3 * index + 3; k++) {
      shiftSq += (place[k] - startPlace[k]) ** 2;
      startPlace[k] = place[k];
    }
    for (let k = 4 * index; k < 4 * index + 4; k++) {
      turnSq += (turn[k] - startTurn[k]) ** 2;
      startTurn[k] = turn[k];
    }
    // quaternions of rotations by φ from each other are 2 sin(φ / 4) apart, and points at r from the axis 2 r sin(φ /
    // 2)
    const member = this.members[index];
    const way = (Math.sqrt(shiftSq) + 2 * Math.sqrt(turnSq) * member.shape.arm) * (1 + 1e-9);
    member.travelled += way;
    member.unrest += way;
    this.travelled[index] = member.travelled;
    this.#batch.writeStart(index, this.table.matrix, 9 * index, place, 3 * index);
  }

  #loadScenery({ body, shape, index }: Member): void {
    const { table } = this;
    const pose = body instanceof Scenery ? body.pose : undefined;
    if (pose) placeBy(pose, shape.centre, table, index);
    else {
      table.place.set(shape.centre, 3 * index);
      table.turn.set([0, 0, 0, 1], 4 * index);
      table.orient(index);
    }
  }

  #loadCarrier({ index, shape }: Member, carrier: Scenery, dt: number): void {
    const { table } = this;
    const { place, turn, velocity, spin } = table;
    const at = (time: number) => {
      placeBy(carrier.poseAfter(time), shape.centre, table, index);
      return [place.slice(3 * index, 3 * index + 3), turn.slice(4 * index, 4 * index + 4)];
    };
    const [end, endTurn] = at(dt);
    const [middle, middleTurn] = at(0.5 * dt);
    placeBy(carrier.pose, shape.centre, table, index);
    const startTurn = turn.subarray(4 * index, 4 * index + 4);
    const by = turnBetween(startTurn, endTurn);
    const [first, second] = [turnBetween(startTurn, middleTurn), turnBetween(middleTurn, endTurn)];
    let moves = false;
    for (let k = 0; k < 3; k++) {
      const start = place[3 * index + k];
      velocity[3 * index + k] = dt > 0 ? (end[k] - start) / dt : 0;
      spin[3 * index + k] = dt > 0 ? by[k] / dt : 0;
      moves ||= velocity[3 * index + k] !== 0 || spin[3 * index + k] !== 0;
      // the means of both halves are half of that apart
      this.gain[6 * index + k] = dt > 0 ? (4 * (end[k] - middle[k] - (middle[k] - start))) / dt : 0;
      this.gain[6 * index + 3 + k] = dt > 0 ? (4 * (second[k] - first[k])) / dt : 0;
    }
    this.#startHere(index);
    // once it stands, its box must be at its position
    if (!moves && (this.awake[index] !== 0 || this.motion[index] !== 0)) this.#standing(index);
    this.awake[index] = moves ? 1 : 0;
  }

  #standing(index: number): void {
    this.motion[index] = 0;
    this.#near.place(this.members[index], this.table, NOWHERE);
  }

  #loadAwake({ index, rigid }: Member): void {
    this.table.load(index, (rigid as RigidBody).state, this.#gravity);
    this.awake[index] = 1;
    this.#asleep[index] = 0;
  }

  #loadAsleep({ index, rigid }: Member): void {
    const { table } = this;
    if (this.#asleep[index] !== 0) return;
    this.#asleep[index] = 1;
    const { centre, rotation } = (rigid as RigidBody).state;
    this.awake[index] = 0;
    table.states[index] = undefined;
    table.place.set(centre, 3 * index);
    table.turn.set(rotation, 4 * index);
    table.inverseMass[index] = 0;
    table.inverseInertia.fill(0, 9 * index, 9 * index + 9);
    for (const array of [table.velocity, table.spin, table.angular]) array.fill(0, 3 * index, 3 * index + 3);
    table.orient(index);
    this.#startHere(index);
    this.#standing(index);
  }
}
