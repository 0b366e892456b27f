/**
 * Shape-keeping bodies, against each other: one step of all that are awake.
 *
 * Boxes of motions find the pairs that may touch (near-bodies.ts); their contacts are found while they are still apart
 * (contact-finding.ts), solved in parts of the step (solving.ts), and the resulting motion is checked before it is made
 * (motion-guard.ts). Bodies connected by contacts that have been still for a while sleep until something comes near, or
 * the caller changes them (sleeping.ts).
 */
import type { Work } from 'impinge/internal/kernel/schedule.js';
import type { Body } from '../bodies/body.js';
import type { Meeting } from '../bodies/body-surfaces.js';
import type { ContactRecord } from '../bodies/contact-record.js';
import { PairFilter } from '../bodies/pair-filter.js';
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import type { ChooseEngine } from './contact-engine.js';
import { ContactFinding, type Lot } from './contact-finding.js';
import { PairBatch } from './exact/pair-batch.js';
import type { JointHandle, JointOptions } from './joint.js';
import { type JointOwner, Joints } from './joints.js';
import { type Member, memberOf, restoreMember, ShapeShelf, saveMember } from './member.js';
import { type Held, MotionGuard } from './motion-guard.js';
import { MovingBodies } from './moving-bodies.js';
import { NearBodies } from './near-bodies.js';
import type { NearPair } from './near-pair.js';
import { meetingOfShapes } from './shape-meetings.js';
import { bringToRest, wake } from './sleeping.js';
import { type SolverLaw, Solving } from './solving.js';

/** Number of contact searches in a step before time is lost. */
const MOST_LOOKS = 24;
/** Maximum restarts of a motion, and the share of the apparently free motion tried from the second one on. */
const MOST_TRIES = 8;
const RETRY_SHARE = 0.5;
/**
 * Factor of a cut part's time: the maximum time to the next search. Turning deviates from a straight path by the square
 * of the time.
 */
const GROWTH_AFTER_CUT = 2;
/** The least share of a step that is made. */
const LEAST_SHARE = 1e-5;
/** Share of the time between searches: a shorter remainder does not justify a search of its own. */
const LEAST_REMAINDER = 0.01;
const NONE: ReadonlySet<Member> = new Set();

export interface RigidLaw extends SolverLaw {
  readonly sleeping: boolean;
  /** Takes what contacts do in a step. */
  readonly record?: ContactRecord | undefined;
  /** Is told how many searches of contacts are planned for what is left of a step. */
  readonly plan?: (looks: number) => void;
}

/** A step's totals, for the report. */
export interface RigidReport {
  /** Contacts that pushed, parts of the step times rounds, bodies whose motion was cut short, waiting carriers. */
  contacts: number;
  iterations: number;
  shortened: number;
  waiting: string[];
  brokenJoints: JointHandle[];
}

export class RigidDynamics {
  readonly #law: RigidLaw;
  readonly #filter: PairFilter;
  readonly #shelf = new ShapeShelf();
  readonly #near: NearBodies;
  readonly #bodies: MovingBodies;
  readonly #batch = new PairBatch();
  readonly #guard: MotionGuard;
  readonly #finding: ContactFinding;
  readonly #solving: Solving;
  readonly joints: Joints;
  readonly #members: Member[] = [];
  readonly #slots: number[] = [];
  #laidOut = true;
  #waiting: ReadonlySet<Member> = new Set();
  /** By index: whether bodies lost time in this step. */
  #cut = new Uint8Array(0);

  constructor(law: RigidLaw, engineOf: ChooseEngine, filter = new PairFilter()) {
    this.#law = law;
    this.#filter = filter;
    this.#near = new NearBodies(law.thickness, engineOf, filter);
    this.#bodies = new MovingBodies(this.#near, this.#batch, law.gravity);
    this.joints = new Joints(this.#bodies, filter, engineOf, law.thickness);
    this.#guard = new MotionGuard(this.#bodies, this.#near, this.#batch, law.thickness);
    this.#finding = new ContactFinding(this.#bodies, this.#near, this.#guard, this.#batch, law.thickness);
    this.#solving = new Solving(this.#bodies, { ...law, records: law.record !== undefined });
  }

  get asleepCount(): number {
    let count = 0;
    for (const { rigid } of this.#members) if (rigid?.state.asleep) count++;
    return count;
  }

  enter(body: Body): void {
    const shape = this.#shelf.take(body);
    const slot = this.#slots.pop() ?? this.#members.length;
    this.#members.push(memberOf(body, shape, slot));
    this.#laidOut = false;
  }

  leave(body: Body): void {
    const at = this.#members.findIndex((member) => member.body === body);
    const [member] = this.#members.splice(at, 1);
    this.#shelf.giveBack(body);
    for (const other of this.#near.remove(member)) wake(other);
    this.joints.leave(member);
    this.#slots.push(member.slot);
    this.#laidOut = false;
  }

  /** Takes note that a body touches others differently now: it wakes, and what is near it. */
  touchAnew(body: Body): void {
    const member = this.#members.find((one) => one.body === body) as Member;
    for (const one of [member, ...this.#near.around(member)]) wake(one);
    this.#near.sift();
  }

  join(options: JointOptions, owner: JointOwner): JointHandle {
    return this.joints.join(options, this.#members, owner);
  }

  dispose(): void {
    this.#near.dispose();
    this.#batch.dispose();
    this.#shelf.dispose();
    this.#solving.dispose();
  }

  /** Writes all that the next steps depend on, beyond bodies themselves. */
  save(out: StateWriter): void {
    const members = this.#members;
    out.flag(this.#laidOut);
    for (const member of members) saveMember(member, out);
    this.#near.save(out, members);
    this.#solving.save(out, this.#near.known);
    if (this.#laidOut) this.#bodies.save(out);
    for (const part of [this.#batch, this.#guard, this.#finding]) part.save(out);
    this.joints.save(out, members);
  }

  /** Takes it over, for the same bodies and joints. */
  restore(from: StateReader): void {
    const members = this.#members;
    this.#laidOut = from.flag();
    if (this.#laidOut) this.#bodies.layOut(members);
    for (const member of members) restoreMember(member, from);
    this.#near.restore(from, members);
    this.#solving.restore(from, this.#near.known);
    if (this.#laidOut) this.#bodies.restore(from);
    for (const part of [this.#batch, this.#guard, this.#finding]) part.restore(from);
    this.joints.restore(from, members);
  }

  /** Triangles that meet, of shapes that are not in memory. */
  meeting(): Meeting {
    return meetingOfShapes(this.#members, this.#filter);
  }

  /** Works out a step; nothing moves before bodies take it. Contacts and guards are batches that threads may share. */
  *propose(dt: number): Work<RigidReport> {
    if (!this.#laidOut) this.#bodies.layOut(this.#members);
    this.#laidOut = true;
    const waiting = new Set<Member>();
    this.joints.begin();
    for (;;) {
      const report: RigidReport = { contacts: 0, iterations: 0, shortened: 0, waiting: [], brokenJoints: [] };
      const late = yield* this.#tryStep(dt, waiting, report);
      for (const carrier of late) waiting.add(carrier);
      // carriers wait from the start of the step on
      if (late.length > 0) continue;
      report.waiting = Array.from(waiting, ({ body }) => body.name);
      report.brokenJoints = this.joints.broken();
      this.#waiting = waiting;
      return report;
    }
  }

  /** A step with the carriers that wait; returns further ones that must wait, in which case it ended early. */
  *#tryStep(dt: number, waiting: ReadonlySet<Member>, report: RigidReport): Work<readonly Member[]> {
    const bodies = this.#bodies;
    this.#law.record?.clear();
    this.#load(dt, waiting);
    if (!bodies.anyAwake) return [];
    bodies.begin(dt);
    const lots = this.#finding.lots(dt, this.joints.count === 0);
    const looks = lots.reduce((most, lot) => Math.max(most, lot.looks), 1);
    this.#law.plan?.(looks);
    // carriers may affect everything, and so may what joints hold together
    const mayPart = !this.#members.some(({ carrier, index }) => carrier && bodies.awake[index]);
    if (mayPart && (lots.length > 1 || this.joints.count === 0)) {
      if (yield* this.#goApart(dt, lots, report)) return [];
      Object.assign(report, { contacts: 0, iterations: 0, shortened: 0 });
      this.#law.record?.clear();
      this.#load(dt, waiting);
      bodies.begin(dt);
    }
    return (yield* this.#go(dt, looks, waiting, report, false)) ?? [];
  }

  /** Begins the step, again or for the first time. */
  #load(dt: number, waiting: ReadonlySet<Member>): void {
    if (this.#cut.length !== this.#members.length) this.#cut = new Uint8Array(this.#members.length);
    this.#cut.fill(0);
    this.joints.comeBack();
    this.#bodies.load(dt, waiting);
    this.joints.beginCount(dt);
  }

  /** Takes lots through the step one after the other; false where two of them meet. */
  *#goApart(dt: number, lots: readonly Lot[], report: RigidReport): Work<boolean> {
    for (const { bodies, looks } of lots) {
      if (lots.length > 1) this.#bodies.only(bodies);
      const before = report.contacts;
      report.contacts = 0;
      const late = yield* this.#go(dt, looks, NONE, report, this.joints.count === 0);
      report.contacts += before;
      this.#bodies.all();
      if (!late) return false;
    }
    return true;
  }

  /**
   * Takes the awake bodies, which have begun it, through the step, with at least this many searches. With `mayPart`,
   * those that blocked ones do not affect may come to its end before these. Returns carriers that must wait; undefined
   * where a body that stays meanwhile is met.
   */
  *#go(
    dt: number,
    atLeast: number,
    waiting: ReadonlySet<Member>,
    report: RigidReport,
    mayPart: boolean,
  ): Work<readonly Member[] | undefined> {
    const bodies = this.#bodies;
    let longest = dt / atLeast;
    for (let left = dt, looks = 0; left > 0; looks++) {
      let h = left < (1 + LEAST_REMAINDER) * longest || looks >= MOST_LOOKS ? left : longest;
      if (h < dt) bodies.begin(h);
      const followed = looks < MOST_LOOKS ? this.#finding.followed(h) : h;
      if (followed < h) bodies.begin((h = followed));
      const pairs = yield* this.#finding.find(h);
      if (bodies.areApart && pairs.some((pair) => this.#meetsOthers(pair))) return;
      const least = looks < MOST_LOOKS ? LEAST_SHARE * dt : h;
      const { made, held } = yield* this.#move(h, least, pairs, report, mayPart && h === left);
      report.shortened += held.shortened.length;
      for (const index of held.shortened) this.#cut[index] = 1;
      const late = held.waiting.filter((carrier) => !waiting.has(carrier));
      if (late.length > 0) return late;
      longest = made < h ? GROWTH_AFTER_CUT * made : Math.min(dt / atLeast, GROWTH_AFTER_CUT * longest);
      left = made === left ? 0 : left - made;
    }
    return [];
  }

  /**
   * Moves the awake bodies by h seconds, or by as many as are free for all: then they start again, and take only these.
   * If that would be less than `least`, blocked bodies lose their time. With `mayPart`, bodies that blocked ones do not
   * affect make all of the motion, and are awake no more.
   */
  *#move(
    h: number,
    least: number,
    pairs: readonly NearPair[],
    report: RigidReport,
    mayPart: boolean,
  ): Work<{ made: number; held: Held }> {
    let made = h;
    for (let tries = MOST_TRIES; ; tries--) {
      const { sweeps, pushing } = this.#solving.solve(made, pairs, this.joints.holding, made < h);
      report.iterations += sweeps;
      report.contacts = Math.max(report.contacts, pushing);
      const together = Math.min(1, least / made);
      const again = tries > 0;
      const held = yield* this.#guard.hold(made, together, again);
      made *= held.share;
      if (held.share === 1 || !again) {
        this.#solving.tell(this.#law.record, this.#bodies.awake);
        return { made, held };
      }
      if (tries < MOST_TRIES) made = Math.max(least, RETRY_SHARE * made);
      else if (mayPart) pairs = this.#part(pairs);
      this.#bodies.restart();
    }
  }

  /** Has bodies that blocked ones do not affect keep their motion; returns the pairs of the others. */
  #part(pairs: readonly NearPair[]): readonly NearPair[] {
    const bodies = this.#bodies;
    const free = this.#guard.unaffected(pairs);
    if (!free.includes(1)) return pairs;
    this.#solving.tell(this.#law.record, free);
    bodies.complete(free);
    return pairs.filter(({ a, b }) => bodies.awake[a.index] + bodies.awake[b.index] > 0);
  }

  #meetsOthers({ set, a, b }: NearPair): boolean {
    return set.count > 0 && (this.#bodies.staysFor(a.index) || this.#bodies.staysFor(b.index));
  }

  /** Passes the results of `propose` to the bodies: free ones get them as their aim; `toAll`, even those at rest. */
  hand(toAll = true): void {
    const { awake, table } = this.#bodies;
    for (const { rigid, index } of this.#members) {
      if (!rigid) continue;
      if (awake[index] !== 0) rigid.aim(table, index);
      else if (toAll) rigid.rest();
    }
    for (const { carrier } of this.#waiting) carrier?.wait();
  }

  /** Whether bodies that free ones were made to move by other means still keep clear of each other. */
  keepsClear(): boolean {
    return this.#guard.keepsClear();
  }

  /** Ends the step: records which bodies are still. */
  finish(dt: number): void {
    if (!this.#bodies.anyAwake) return;
    const { table, awake } = this.#bodies;
    const { thickness, sleeping } = this.#law;
    bringToRest(
      this.#members,
      this.#near.touching(this.#bodies),
      this.#bodies.ties,
      table,
      awake,
      this.joints.driven,
      {
        thickness,
        sleeping,
        dt,
        cut: this.#cut,
      },
    );
  }
}
