/**
 * Bodies that keep their shape, against each other: one step of all that are awake.
 *
 * Boxes of motions find the pairs that may touch; their contacts are found while they are still apart (contact-engine.ts),
 * solved in parts of the step (impulse-rows.ts), and the motion that comes out is checked before it is made
 * (motion-guard.ts). What hangs together by contacts and has been still for a while sleeps until something comes near,
 * or the caller changes it.
 * Invariant: what contacts are known of a pair holds as long as the two have not moved against each other by more than
 * what was looked at beyond need.
 */
import type { Body } from '../body.js';
import { BreakableBody } from '../breaking.js';
import { RigidBody } from '../rigid-body.js';
import { turnBetween } from '../rotation.js';
import { Scenery } from '../scenery.js';
import { BodyTable } from './body-table.js';
import type { ChooseEngine } from './contact-engine.js';
import { ExactContacts } from './exact-contacts.js';
import { type ContactLaw, ImpulseRows } from './impulse-rows.js';
import { Joint, type JointHandle, type JointOptions, JointRows } from './joints.js';
import { type Member, ShapeShelf } from './member.js';
import { MotionGuard } from './motion-guard.js';
import { NearBodies } from './near-bodies.js';
import type { NearPair } from './near-pair.js';
import { placeBy, writeRelative } from './placing.js';
import { putToSleep, wake } from './sleeping.js';

/** Parts of a step are no longer than this, in seconds, and no more than so many. */
const LONGEST_PART = 1 / 240;
const MOST_PARTS = 16;
/** Times that contacts are gone through in a part: in an impact, and else; of g h: changes of speed that need no other. */
const SWEEPS = 25;
const FEW_SWEEPS = 5;
const SETTLED = 0.01;
/** Times that: speeds change more in an impact. */
const IMPACT = 5;
/** Of the thickness: looked at beyond need, so that what hardly moves is not looked at again. */
const BEYOND = 0.5;
/** Of the thickness: what bodies move before contacts are written anew within a step. */
const REWRITE = 0.1;
/** Reaches above this many thicknesses and this share of the smaller radius are looked at where they first come near. */
const FAR_THICKNESSES = 4;
const FAR_RADII = 0.25;
/** Times that contacts are looked for in a step: first, and in all before time is lost; the least share of time made. */
const FIRST_LOOKS = 8;
const MOST_LOOKS = 24;
const LEAST_SHARE = 0.02;
/** Thicknesses: what was nearer in the last look touches. */
const TOUCHING = 2;
/** Looks are so many that turning takes points off their straight way by less than 2 / BEND of the thickness. */
const BEND = 4;
/** Of a look's time: what is left after it is not worth one of its own. */
const MORE = 0.01;

export interface RigidLaw extends ContactLaw {
  readonly thickness: number;
  readonly gravity: readonly [number, number, number];
  readonly sleeping: boolean;
}

/** What a step did, for the report. */
export interface RigidReport {
  /** Contacts that pushed, parts of the step times rounds, bodies whose motion was cut short, carriers that wait. */
  contacts: number;
  iterations: number;
  shortened: number;
  waiting: string[];
}

export class RigidWorld {
  readonly #law: RigidLaw;
  readonly #table = new BodyTable();
  readonly #rows: ImpulseRows;
  readonly #jointRows: JointRows;
  readonly #shelf = new ShapeShelf();
  readonly #near: NearBodies;
  readonly #guard: MotionGuard;
  readonly #joints: Joint[] = [];
  readonly #members: Member[] = [];
  readonly #slots: number[] = [];
  #laidOut = true;
  /** By index: whether a body moves in this step; whether it is in the table as asleep; where it began; a bound of its motion. */
  #awake = new Uint8Array(0);
  #asleep = new Uint8Array(0);
  #startPlace = new Float64Array(0);
  #startTurn = new Float64Array(0);
  #motion = new Float64Array(0);
  #pairs: NearPair[] = [];
  #waiting: ReadonlySet<Member> = new Set();
  /** Whether time was lost in this step. */
  #cut = false;
  readonly #pose = new Float64Array(12);

  constructor(law: RigidLaw, engineOf?: ChooseEngine) {
    this.#law = law;
    const exact = new ExactContacts();
    this.#rows = new ImpulseRows(this.#table, law);
    this.#jointRows = new JointRows(this.#table);
    this.#near = new NearBodies(law.thickness, engineOf ?? (() => exact));
    this.#guard = new MotionGuard(this.#table, this.#near, law.thickness);
  }

  /** Bodies that are free to move. */
  get rigidCount(): number {
    return this.#members.filter(({ rigid }) => rigid).length;
  }

  get asleepCount(): number {
    return this.#members.filter(({ rigid }) => rigid?.state.asleep).length;
  }

  enter(body: Body): void {
    const { shape } = this.#shelf.take(body);
    const slot = this.#slots.pop() ?? this.#members.length;
    const rigid = body instanceof RigidBody ? body : undefined;
    const carrier = body instanceof Scenery && body.kind === 'kinematic' ? body : undefined;
    const stillPlace = new Float64Array(3);
    const stillTurn = Float64Array.of(0, 0, 0, 1);
    this.#members.push({
      body,
      rigid,
      carrier,
      shape,
      slot,
      index: 0,
      placed: -1,
      still: 0,
      stillPlace,
      stillTurn,
    });
    this.#laidOut = false;
  }

  leave(body: Body): void {
    const at = this.#members.findIndex((member) => member.body === body);
    const [member] = this.#members.splice(at, 1);
    this.#shelf.giveBack(body);
    for (const other of this.#near.remove(member)) wake(other);
    for (let j = this.#joints.length - 1; j >= 0; j--)
      if (this.#joints[j].body === body) this.#joints.splice(j, 1);
    this.#slots.push(member.slot);
    this.#laidOut = false;
  }

  join(options: JointOptions, onRemove: (joint: Joint) => void): JointHandle {
    const joint = new Joint(options);
    this.#joints.push(joint);
    joint.body.state.disturbed = true;
    return { body: joint.body, remove: () => onRemove(joint) };
  }

  /** Takes a joint away; false if it is not there. */
  part(joint: Joint): boolean {
    const at = this.#joints.indexOf(joint);
    if (at < 0) return false;
    this.#joints.splice(at, 1);
    joint.body.state.disturbed = true;
    return true;
  }

  dispose(): void {
    this.#shelf.dispose();
  }

  /** Works out a step; nothing moves before bodies take it. */
  propose(dt: number): RigidReport {
    this.#layOut();
    const waiting = new Set<Member>();
    for (;;) {
      const report: RigidReport = { contacts: 0, iterations: 0, shortened: 0, waiting: [] };
      this.#load(dt, waiting);
      const longest = dt / this.#looksPerStep(dt);
      let late: readonly Member[] = [];
      let looks = 0;
      for (let left = dt; left > 0 && late.length === 0; looks++) {
        const h = left < (1 + MORE) * longest ? left : longest;
        this.#begin(h);
        this.#findContacts(h);
        report.iterations += this.#solve(h);
        const together = looks < MOST_LOOKS ? LEAST_SHARE : 1;
        const held = this.#guard.hold(
          this.#members,
          this.#awake,
          this.#startPlace,
          this.#startTurn,
          h,
          together,
        );
        report.contacts = Math.max(report.contacts, this.#rows.pushing);
        report.shortened += held.shortened;
        late = held.waiting.filter((carrier) => !waiting.has(carrier));
        this.#noteImpulses();
        left = h === left && held.share === 1 ? 0 : left - held.share * h;
      }
      for (const carrier of late) waiting.add(carrier);
      // carriers wait from the start of the step on
      if (late.length > 0) continue;
      report.waiting = Array.from(waiting, ({ body }) => body.name);
      this.#cut = report.shortened > 0;
      this.#waiting = waiting;
      return report;
    }
  }

  /** Hands bodies what `propose` found: those free to move get it as where they want to be. */
  hand(): void {
    for (const member of this.#members) {
      const { rigid, carrier, index } = member;
      if (rigid) {
        if (this.#awake[index] !== 0) rigid.aim(this.#table, index);
        else rigid.rest();
      } else if (carrier && this.#waiting.has(member)) carrier.wait();
    }
  }

  /** Whether bodies that free ones were made to move by other means still keep clear of each other. */
  keepsClear(): boolean {
    return this.#guard.keepsClear(this.#members, this.#awake, this.#startPlace, this.#startTurn);
  }

  /** The step is over: takes note of what is still. */
  finish(dt: number): void {
    if (!this.#law.sleeping) return;
    const driven = this.#joints.filter(({ motor }) => motor).map(({ body }) => this.#memberOf(body));
    const { thickness } = this.#law;
    putToSleep(this.#members, this.#pairs, this.#table, this.#awake, driven, {
      thickness,
      dt,
      cut: this.#cut,
    });
  }

  /** Keeps impulses for the next contacts of the same features, and tells bodies that break of them. */
  #noteImpulses(): void {
    for (const pair of this.#pairs) {
      if (pair.ready) this.#rows.readImpulses(pair.firstRow, pair.set.count, pair.impulses);
    }
    if (!this.#members.some(({ body }) => body instanceof BreakableBody)) return;
    this.#rows.eachImpulse((index, place, impulse) => {
      const { body } = this.#members[index];
      if (body instanceof BreakableBody) body.struck(place, impulse);
    });
  }

  #layOut(): void {
    if (this.#laidOut) return;
    const count = this.#members.length;
    this.#table.resize(count);
    this.#awake = new Uint8Array(count);
    this.#asleep = new Uint8Array(count);
    this.#startPlace = new Float64Array(3 * count);
    this.#startTurn = new Float64Array(4 * count);
    this.#motion = new Float64Array(count);
    this.#members.forEach((member, index) => {
      member.index = index;
      member.placed = -1;
      if (member.rigid) return;
      this.#loadScenery(member);
      this.#startPlace.set(this.#table.place.subarray(3 * index, 3 * index + 3), 3 * index);
      this.#startTurn.set(this.#table.turn.subarray(4 * index, 4 * index + 4), 4 * index);
    });
    this.#laidOut = true;
  }

  /** Reads where bodies are and how they want to move. */
  #load(dt: number, waiting: ReadonlySet<Member>): void {
    for (const member of this.#members) {
      const { rigid, carrier } = member;
      if (!rigid) {
        if (carrier) this.#loadCarrier(member, carrier, waiting.has(member) ? 0 : dt);
        else if (member.placed < 0) this.#near.place(member, this.#table, 0);
        member.placed = 0;
        continue;
      }
      const { state } = rigid;
      if (state.placed !== member.placed) {
        if (member.placed >= 0) this.#near.forget(member);
        member.placed = state.placed;
      }
      if (rigid instanceof BreakableBody) rigid.forgetBlow();
      if (state.disturbed) wake(member);
      if (state.asleep) this.#loadAsleep(member);
      else this.#loadAwake(member);
    }
  }

  /** Motions of the next h seconds, from where bodies are in the table. */
  #begin(h: number): void {
    for (const member of this.#members) if (this.#awake[member.index] !== 0) this.#beginMember(member, h);
  }

  #beginMember(member: Member, h: number): void {
    const { index, shape } = member;
    const { place, turn, velocity: v, acceleration: a, spin: w } = this.#table;
    for (let k = 3 * index; k < 3 * index + 3; k++) this.#startPlace[k] = place[k];
    for (let k = 4 * index; k < 4 * index + 4; k++) this.#startTurn[k] = turn[k];
    const k = 3 * index;
    const speed = Math.sqrt(v[k] ** 2 + v[k + 1] ** 2 + v[k + 2] ** 2);
    const pull = Math.sqrt(a[k] ** 2 + a[k + 1] ** 2 + a[k + 2] ** 2);
    const turning = Math.sqrt(w[k] ** 2 + w[k + 1] ** 2 + w[k + 2] ** 2) * shape.radius;
    this.#motion[index] = h * (speed + h * pull + turning);
    this.#near.place(member, this.#table, this.#motion[index]);
  }

  /** How often to look for contacts in a step: what touches others should not go far between. */
  #looksPerStep(dt: number): number {
    const { thickness } = this.#law;
    this.#begin(dt);
    let times = 1;
    for (const pair of this.#near.pairs(this.#members)) {
      // of those that come from afar, the first look tells where they touch
      if (!this.#isActive(pair) || pair.least > TOUCHING * thickness) continue;
      const { a, b } = pair;
      const way = this.#relativeMotion(a, b, dt);
      const most = Math.max(
        FAR_THICKNESSES * thickness,
        FAR_RADII * Math.min(a.shape.radius, b.shape.radius),
      );
      const bend = Math.sqrt((BEND * way * dt * Math.max(this.#turning(a), this.#turning(b))) / thickness);
      times = Math.max(times, Math.min(FIRST_LOOKS, Math.ceil(Math.max(way / most, bend))));
    }
    return times;
  }

  #loadScenery({ body, shape, index }: Member): void {
    const table = this.#table;
    const pose = body instanceof Scenery ? body.pose : undefined;
    if (pose) placeBy(pose, shape.centre, table, index);
    else {
      table.place.set(shape.centre, 3 * index);
      table.turn.set([0, 0, 0, 1], 4 * index);
      table.orient(index);
    }
  }

  #loadCarrier({ index, shape }: Member, carrier: Scenery, dt: number): void {
    const table = this.#table;
    const { place, turn, velocity, spin } = table;
    placeBy(carrier.poseAfter(dt), shape.centre, table, index);
    const end = place.slice(3 * index, 3 * index + 3);
    const endTurn = turn.slice(4 * index, 4 * index + 4);
    placeBy(carrier.pose, shape.centre, table, index);
    const by = turnBetween(turn.subarray(4 * index, 4 * index + 4), endTurn);
    let moves = false;
    for (let k = 0; k < 3; k++) {
      velocity[3 * index + k] = dt > 0 ? (end[k] - place[3 * index + k]) / dt : 0;
      spin[3 * index + k] = dt > 0 ? by[k] / dt : 0;
      moves ||= velocity[3 * index + k] !== 0 || spin[3 * index + k] !== 0;
    }
    this.#startPlace.set(place.subarray(3 * index, 3 * index + 3), 3 * index);
    this.#startTurn.set(turn.subarray(4 * index, 4 * index + 4), 4 * index);
    // once it stands, its box has to be where it is
    if (!moves && (this.#awake[index] !== 0 || this.#motion[index] !== 0)) this.#standing(index);
    this.#awake[index] = moves ? 1 : 0;
  }

  #standing(index: number): void {
    this.#motion[index] = 0;
    this.#near.place(this.#members[index], this.#table, 0);
  }

  #loadAwake({ index, rigid }: Member): void {
    this.#table.load(index, (rigid as RigidBody).state, this.#law.gravity);
    this.#awake[index] = 1;
    this.#asleep[index] = 0;
  }

  #loadAsleep({ index, rigid }: Member): void {
    const table = this.#table;
    if (this.#asleep[index] !== 0) return;
    this.#asleep[index] = 1;
    const { centre, rotation } = (rigid as RigidBody).state;
    this.#startPlace.set(centre, 3 * index);
    this.#startTurn.set(rotation, 4 * index);
    this.#awake[index] = 0;
    table.states[index] = undefined;
    table.place.set(centre, 3 * index);
    table.turn.set(rotation, 4 * index);
    table.inverseMass[index] = 0;
    table.inverseInertia.fill(0, 9 * index, 9 * index + 9);
    for (const array of [table.velocity, table.spin, table.angular]) array.fill(0, 3 * index, 3 * index + 3);
    table.orient(index);
    this.#standing(index);
  }

  /** Finds the contacts of all pairs with a body awake, waking what they come near. */
  #findContacts(dt: number): void {
    this.#pairs = this.#near.pairs(this.#members);
    for (const pair of this.#pairs) pair.ready = false;
    for (let again = true; again; ) {
      again = false;
      for (const pair of this.#pairs) {
        if (pair.ready || !this.#isActive(pair)) continue;
        this.#find(pair, dt);
        pair.ready = true;
        if (pair.set.count === 0 || pair.least > pair.target + pair.motion) continue;
        for (const member of [pair.a, pair.b]) {
          if (!member.rigid?.state.asleep) continue;
          wake(member);
          this.#loadAwake(member);
          this.#beginMember(member, dt);
          again = true;
        }
      }
    }
    const h = dt / partsOf(dt);
    this.#rows.clear();
    for (const pair of this.#pairs) {
      if (!pair.ready) continue;
      pair.firstRow = this.#rows.length;
      if (pair.set.count > 0)
        this.#rows.add(pair.a.index, pair.b.index, pair.set, pair.target, pair.impulses, h / pair.time);
      pair.time = h;
    }
  }

  #isActive({ a, b }: NearPair): boolean {
    const moving = this.#awake[a.index] !== 0 || this.#awake[b.index] !== 0;
    return moving && (a.rigid !== undefined || b.rigid !== undefined);
  }

  /** Brings the contacts of a pair up to date. */
  #find(pair: NearPair, dt: number): void {
    const { a, b } = pair;
    const { thickness } = this.#law;
    pair.motion = this.#relativeMotion(a, b, dt);
    const needed = thickness + pair.motion;
    if (!this.#near.mayTouch(a, b)) {
      pair.forget();
      pair.target = thickness;
      return;
    }
    const pose = this.#pose;
    writeRelative(this.#table, a.index, b.index, pose);
    pair.moved = pair.reach > 0 ? pair.movedSince(pose) : 0;
    if (!(pair.reach >= needed + pair.moved)) {
      const far = Math.max(FAR_THICKNESSES * thickness, FAR_RADII * Math.min(a.shape.radius, b.shape.radius));
      if (needed <= far) this.#look(pair, pose, needed + BEYOND * thickness);
      else this.#lookAhead(pair, dt);
      pair.moved = 0;
    }
    pair.measure(pose);
    if (pair.set.count === 0) pair.target = thickness;
    else pair.target = Math.min(thickness, Math.max(pair.target, pair.least));
  }

  #look(pair: NearPair, pose: Float64Array, reach: number): void {
    const posed = { a: pair.a.shape, b: pair.b.shape, pose };
    pair.renew((set) => pair.engine.contacts(posed, reach, set));
    pair.reach = reach;
    pair.found.set(pose);
  }

  /** For a long way: contacts as they are where the two first come near. */
  #lookAhead(pair: NearPair, dt: number): void {
    const { a, b } = pair;
    const { thickness } = this.#law;
    const share = this.#guard.firstNear(pair, dt, thickness);
    if (share >= 1) {
      pair.forget();
      return;
    }
    const reach = (1 + BEYOND) * thickness;
    if (share === 0) {
      this.#look(pair, this.#pose, reach);
      return;
    }
    const pose = this.#guard.relativeAt(a, b, dt, share);
    const posed = { a: a.shape, b: b.shape, pose };
    pair.renew((set) => pair.engine.contacts(posed, reach, set));
    pair.reach = 0;
  }

  /** Radians per second. */
  #turning({ index }: Member): number {
    const { spin: w } = this.#table;
    return Math.hypot(w[3 * index], w[3 * index + 1], w[3 * index + 2]);
  }

  /** A bound of how far points of b and a move against each other, by the velocities at the start. */
  #relativeMotion(
    { index: i, shape: { radius: ra } }: Member,
    { index: j, shape: { radius: rb } }: Member,
    dt: number,
  ): number {
    const { velocity: v, spin: w, acceleration: g, inverseMass } = this.#table;
    let speedSq = 0;
    let turnA = 0;
    let turnB = 0;
    let pullSq = 0;
    for (let k = 0; k < 3; k++) {
      const pullA = inverseMass[i] > 0 ? g[3 * i + k] : 0;
      const pullB = inverseMass[j] > 0 ? g[3 * j + k] : 0;
      speedSq += (v[3 * j + k] - v[3 * i + k]) ** 2;
      pullSq += (pullB - pullA) ** 2;
      turnA += w[3 * i + k] ** 2;
      turnB += w[3 * j + k] ** 2;
    }
    return dt * (Math.sqrt(speedSq) + dt * Math.sqrt(pullSq) + Math.sqrt(turnA) * ra + Math.sqrt(turnB) * rb);
  }

  /** Moves the bodies of the table through the step; returns how often contacts were gone through. */
  #solve(dt: number): number {
    const table = this.#table;
    const rows = this.#rows;
    const joints = this.#jointRows;
    const parts = partsOf(dt);
    const h = dt / parts;
    const awake: number[] = [];
    for (let i = 0; i < table.count; i++) if (this.#awake[i] !== 0) awake.push(i);
    if (awake.length === 0) return 0;
    joints.clear();
    for (const joint of this.#joints) {
      const { index } = this.#memberOf(joint.body);
      if (this.#awake[index] !== 0) joints.add(joint, index, h);
    }
    let sweeps = 0;
    const rewrites = awake.some((i) => this.#motion[i] > REWRITE * this.#law.thickness);
    for (let part = 0; part < parts; part++) {
      for (const i of awake) if (table.states[i]) table.accelerate(i, h);
      joints.write();
      joints.warmStart();
      rows.warmStart();
      sweeps += this.#sweep(h, false);
      rows.count();
      for (const i of awake) table.advance(i, h);
      if (rewrites) rows.rewrite();
      sweeps += this.#sweep(h, true);
      joints.endPart();
      rows.count();
      for (const i of awake) table.orient(i);
    }
    rows.rebound();
    for (const i of awake) table.orient(i);
    return sweeps;
  }

  /** Goes through joints and contacts until speeds hardly change; returns how often. */
  #sweep(h: number, settle: boolean): number {
    const settled = SETTLED * h * Math.hypot(...this.#law.gravity);
    let done = 0;
    this.#rows.measure();
    if (this.#rows.length + this.#jointRows.count === 0) return done;
    // impacts tilt bodies this way and that until they are shared out: friction should not know of it
    for (const rough of [false, true]) {
      for (let sweep = 0; sweep < SWEEPS; sweep++) {
        done++;
        this.#jointRows.solve(h, settle);
        const change = this.#rows.solve(h, settle, sweep % 2 === 1, rough);
        if (change < (sweep < FEW_SWEEPS && rough ? settled : IMPACT * settled)) break;
      }
    }
    return done;
  }

  #memberOf(body: RigidBody): Member {
    return this.#members.find((member) => member.body === body) as Member;
  }
}

/** In how many parts a step is solved. */
function partsOf(dt: number): number {
  return Math.min(MOST_PARTS, Math.max(1, Math.ceil(dt / LONGEST_PART - 1e-9)));
}
