/**
 * Bodies moved step by step under gravity and contact, without ever passing through each other or themselves.
 *
 * Shape-keeping bodies are moved among each other first (rigid-dynamics.ts); then soft ones, with their effect on the
 * first (soft-dynamics.ts).
 * Invariant: after every step, and after one that failed, positions are on the float32 grid and no two triangles
 * without a common vertex meet, and the next step may rely on it. Scenery is not tested against scenery, nor
 * shape-keeping bodies (`self` is false) against themselves.
 * Errs: kinematic bodies that would crush something wait instead.
 */
import { DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { runHere, runOn } from 'impinge/internal/kernel/schedule.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import { type Budget, readBudget } from 'impinge/internal/query/pair/budget.js';
import type { Scene } from 'impinge/internal/scene/scene.js';
import type { ContactSettings } from '../rigid/contact-engine.js';
import { type AllowedError, readContactError } from '../rigid/contact-error.js';
import { chooseEngine } from '../rigid/engines/choose-engine.js';
import { StepLevels } from '../rigid/engines/step-levels.js';
import type { Joint, JointHandle, JointOptions } from '../rigid/joint.js';
import { RigidDynamics, type RigidReport } from '../rigid/rigid-dynamics.js';
import type { Body, BodyHandle } from './body.js';
import { assertFree, type Meeting, meetingOf } from './body-surfaces.js';
import { BreakableBody } from './breaking.js';
import type { BodyContact } from './contact-record.js';
import { ContactReport } from './contact-report.js';
import { moveFreely } from './free-motion.js';
import { isSoft } from './is-soft.js';
import { PairFilter } from './pair-filter.js';
import { RigidBody } from './rigid-body.js';
import { Scenery } from './scenery.js';
import {
  checkBody,
  type ParallelStepOptions,
  readOptions,
  type SimulationOptions,
} from './simulation-options.js';
import { checkIdentity, type Identity, writeIdentity } from './snapshot-identity.js';
import { type Asking, SoftDynamics, type SoftReport } from './soft-dynamics.js';
import { StateReader, StateWriter } from './state-bytes.js';
import { StepClock, type StepReport } from './step-report.js';
import { touchChanges } from './touch.js';
import { WorldView } from './world-view.js';

/** Approach over g dt, in a step, below which rigid bodies do not bounce. */
const RESTING_RIGID = 2;

export class Simulation {
  readonly dt: number;
  readonly thickness: number;
  readonly gravity: readonly [number, number, number];
  readonly friction: number;
  readonly restitution: number;
  readonly #pool: WorkerPool | undefined;
  readonly #clock: StepClock;
  readonly #filter: PairFilter;
  readonly #contactReport: ContactReport | undefined;
  readonly #view: WorldView;
  readonly #soft: SoftDynamics;
  readonly #law: { thickness: number; friction: number; restitution: number; sleeping: boolean };
  readonly #contacts: { -readonly [Name in keyof ContactSettings]: ContactSettings[Name] };
  #budget: Budget;
  /** In the order of adding. */
  #handles: BodyHandle[] = [];
  /** Where there are rigid bodies: these and scenery. */
  #rigid: RigidDynamics | undefined;
  /** How often callers have moved rigid bodies. */
  #placed = 0;
  /** The number of changes to how bodies touch when they were last looked at. */
  #touchChanges = touchChanges();
  #ids = 0;
  /** Bodies came or went since the solver state was laid out; some came since the start was found free. */
  #changed = false;
  #unchecked = false;
  /** Whether detection between surfaces is needed: rigid bodies and scenery do without. */
  #detects = false;
  /** Of the handles: those that break, and those that move though nothing pushes them. */
  #breakable: BodyHandle[] = [];
  #kinematic: Body[] = [];
  /** Of the bodies: those that keep their shape and are free to move. */
  #free: RigidBody[] = [];
  #busy = false;
  #disposed = false;
  #steps = 0;

  constructor(options: SimulationOptions) {
    const { dt, thickness, gravity, friction, restitution, sleeping, contacts } = readOptions(options);
    this.#law = { thickness, friction, restitution, sleeping };
    const { budget, ...settings } = contacts;
    this.#contacts = { ...settings, thickness, step: new StepLevels(readBudget(budget)) };
    this.#budget = { ...budget };
    this.dt = dt;
    this.thickness = thickness;
    this.gravity = gravity;
    this.friction = friction;
    this.restitution = restitution;
    this.#pool = options.pool;
    this.#clock = new StepClock(options.now);
    this.#filter = new PairFilter(options.collides);
    this.#view = new WorldView(this.#filter);
    this.#contactReport = options.contactEvents ? new ContactReport() : undefined;
    const record = this.#contactReport?.record;
    this.#soft = new SoftDynamics({ ...this.#law, dt, gravity, record }, this.#filter, options, this.#clock);
  }

  get bodies(): readonly Body[] {
    return this.#handles.map(({ body }) => body);
  }

  /** Whether steps report who touched. */
  get contactEvents(): boolean {
    return this.#contactReport !== undefined;
  }

  /** Steps made. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * Permitted error of rigid bodies' contacts: a length in metres, or from size, speed and view. Can be set between
   * steps, so as to follow a camera: contacts change levels smoothly.
   */
  get contactError(): number | AllowedError {
    return this.#contacts.error;
  }

  set contactError(error: number | AllowedError) {
    this.#beforeChange();
    this.#contacts.error = readContactError('contactError', error);
  }

  /** What contacts by contact levels may take in a step, see the option `budget`; can be set between steps. */
  get contactBudget(): Budget {
    return this.#budget;
  }

  set contactBudget(budget: Budget) {
    this.#beforeChange();
    this.#contacts.step.limits = readBudget(budget);
    this.#budget = { ...budget };
  }

  /** In the order of `bodies`. */
  get handles(): readonly BodyHandle[] {
    return [...this.#handles];
  }

  /**
   * Adds a body. Its positions must be on the float32 grid; the next step checks that it meets neither itself nor other
   * bodies, and is refused until that holds.
   */
  add(body: Body): BodyHandle {
    this.#beforeChange();
    checkBody(body);
    if (this.#handles.some((one) => one.body === body)) {
      throw new ImpingeError('bad-input', `${body.name} is already in the simulation`, { object: body.name });
    }
    const apart = (one: Body, other: Body) => isSoft(one) && !isInMemory(other);
    const misfit = this.#handles.find((one) => apart(one.body, body) || apart(body, one.body));
    if (misfit) {
      const [soft, stored] = isSoft(body) ? [body.name, misfit.body.name] : [misfit.body.name, body.name];
      throw new ImpingeError(
        'bad-input',
        `${soft} is soft and ${stored} is a stored model: one simulation cannot contain both`,
        { object: stored },
      );
    }
    return this.#enter(body);
  }

  /** Ties a rigid body of the simulation to another, to scenery, or to the world. */
  join(options: JointOptions): JointHandle {
    this.#beforeChange();
    const rigid = this.#rigid;
    if (!rigid) throw new ImpingeError('bad-input', 'a joint needs a rigid body of the simulation');
    const onRemove = (joint: Joint) => {
      this.#beforeChange();
      if (!rigid.joints.remove(joint))
        throw new ImpingeError('removed', `the joint of ${options.a.name} is no longer there`);
    };
    return rigid.join(options, { dt: this.dt, onChange: () => this.#beforeChange(), onRemove });
  }

  /** Makes a step. If it throws, no body has moved. */
  step(): StepReport {
    this.#beforeChange();
    try {
      this.#begin();
      const run = this.#run(this.#rigid && runHere(this.#rigid.propose(this.dt)));
      let next = run.next();
      while (!next.done) next = run.next(this.#soft.detector.continuous(next.value));
      return next.value;
    } catch (error) {
      this.#soft.retreat();
      throw error;
    }
  }

  /** The same step, with detectors, contacts and guards at work on the threads of the pool. */
  async stepParallel({ signal }: ParallelStepOptions = {}): Promise<StepReport> {
    this.#beforeChange();
    const pool = this.#pool;
    if (!pool) throw new ImpingeError('bad-option', 'stepParallel needs the option pool');
    const threads = { pool, ...(signal && { signal }) };
    this.#busy = true;
    try {
      this.#begin();
      const run = this.#run(this.#rigid && (await runOn(pool, this.#rigid.propose(this.dt), signal)));
      let next = run.next();
      while (!next.done) {
        next = run.next(await this.#soft.detector.continuousParallel({ ...threads, ...next.value }));
      }
      return next.value;
    } catch (error) {
      this.#soft.retreat();
      throw error;
    } finally {
      this.#busy = false;
    }
  }

  /** Pairs of triangles without a common vertex that meet now, by exact predicates: 0 after any step. */
  intersections(): number {
    this.#beforeChange();
    return this.#intersecting().count;
  }

  /**
   * The bodies that pushed each other in the last step, all or those that pushed one; bodies at rest that sleep still
   * do. Needs the option `contactEvents`.
   */
  contacts(body?: Body): readonly BodyContact[] {
    this.#beforeChange();
    if (body !== undefined) this.#assertThere(body);
    if (!this.#contactReport)
      throw new ImpingeError('bad-option', 'contacts() needs the option contactEvents');
    return this.#contactReport.contacts(body);
  }

  /**
   * The bodies as they are now, for rays, points, shapes and all other questions of impinge; `userData` of an object is
   * its body. Sensors and stored bodies are not in it. It is the simulation's, and as old as this call.
   */
  get scene(): Scene {
    this.#beforeChange();
    return this.#view.sceneOf(this.bodies, this.#steps);
  }

  /**
   * The bodies that a body, as a sensor, meets or contains now, or that contain it, in the order of adding: exactly,
   * and touching counts. Of open surfaces there is no inside. Bodies that its groups and mask exclude are left out.
   */
  overlapping(body: Body): readonly Body[] {
    this.#beforeChange();
    this.#assertThere(body);
    if (!isInMemory(body))
      throw new ImpingeError('unsupported', `${body.name} is a stored model`, { object: body.name });
    this.#view.sceneOf(this.bodies, this.#steps);
    const found = new Set(this.#view.overlapping(body));
    return this.bodies.filter((other) => found.has(other));
  }

  /**
   * The state as bytes: everything that the next steps depend on, so that they go on bit for bit from here, in this
   * simulation or in another with the same bodies and joints.
   */
  snapshot(): Uint8Array {
    this.#beforeChange();
    this.#layOut();
    const out = new StateWriter();
    writeIdentity(out, this.#identity);
    out.number(this.#steps);
    out.text(JSON.stringify(this.#contacts.error));
    out.flag(this.#unchecked || this.#placed !== placedOf(this.#free));
    for (const body of this.bodies) body.save?.(out);
    this.#soft.save(out);
    this.#contacts.step.save(out);
    this.#rigid?.save(out);
    this.#contactReport?.save(out, this.#handles);
    return out.finish();
  }

  /**
   * Takes a snapshot over: of a simulation with equal options, to which equal bodies and joints were added in the same
   * order. Else it throws, and nothing has changed. Friction, restitution, groups, masks and motors are the caller's.
   */
  restore(bytes: Uint8Array): void {
    this.#beforeChange();
    const from = new StateReader(bytes);
    checkIdentity(from, this.#identity);
    this.#layOut();
    this.#steps = from.number();
    this.#contacts.error = JSON.parse(from.text());
    this.#unchecked = from.flag();
    for (const body of this.bodies) body.restore?.(from);
    this.#placed = placedOf(this.#free);
    this.#soft.restore(from);
    this.#contacts.step.restore(from);
    this.#rigid?.restore(from);
    this.#contactReport?.restore(from, this.#handles);
  }

  /** What snapshots must have in common. */
  get #identity(): Identity {
    const { dt, gravity, bodies } = this;
    const contactEvents = this.#contactReport !== undefined;
    const { engine } = this.#contacts;
    const joints = this.#rigid?.joints.count ?? 0;
    return {
      bodies,
      options: { ...this.#law, dt, gravity: Array.from(gravity), engine, contactEvents, joints },
    };
  }

  /** Lets go of the detector's memory. Bodies stay as they are. */
  dispose(): void {
    if (this.#disposed) return;
    this.#beforeChange();
    this.#disposed = true;
    this.#soft.dispose();
    this.#view.dispose();
    this.#rigid?.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  #begin(): void {
    this.#clock.begin();
    this.#contacts.step.begin();
    this.#contactReport?.record.clear();
    this.#admit();
  }

  /** One step, given the aims of rigid bodies; requests the contacts of the motion in the solver state as needed. */
  *#run(rigid: RigidReport | undefined): Asking<StepReport> {
    this.#clock.lap('solver');
    const detects = this.#detects;
    const soft = detects ? yield* this.#soft.run(this.#rigid) : this.#moveRigid();
    this.#rigid?.finish(this.dt);
    if (detects) this.#soft.finish();
    this.#steps++;
    const contactEvents = this.#contactReport?.finish(
      this.#handles,
      this.#view.overlaps(this.bodies, this.#steps),
    );
    const breaks = this.#break();
    this.#clock.lap('solver');
    const ms = this.#clock.times;
    const contactLevels = this.#contacts.step.report();
    return {
      step: this.#steps,
      ...soft,
      events: soft.events + (rigid?.contacts ?? 0),
      iterations: soft.iterations + (rigid?.iterations ?? 0),
      waiting: soft.waiting.concat(rigid?.waiting.filter((name) => !soft.waiting.includes(name)) ?? []),
      shortened: rigid?.shortened ?? 0,
      asleep: (this.#rigid?.asleepCount ?? 0) + this.#soft.asleepCount,
      ...breaks,
      brokenJoints: rigid?.brokenJoints ?? [],
      ...(contactEvents && { contactEvents }),
      ...(contactLevels && { contactLevels }),
      detections: detects ? this.#soft.detections : [],
      ...(ms && { ms }),
    };
  }

  /** Moves rigid bodies and scenery as worked out, where there is nothing else. */
  #moveRigid(): SoftReport {
    for (const body of this.#kinematic) if (body instanceof Scenery) body.aim(this.dt);
    this.#rigid?.hand(false);
    for (const body of this.#kinematic) moveFreely(body, this.dt);
    for (const body of this.#free) if (!body.asleep) body.moveOn();
    for (const { body } of this.#breakable)
      if (body instanceof BreakableBody && !body.asleep) body.endBlow(this.dt);
    return { events: 0, iterations: 0, residual: 0, rollbacks: 0, rolledBackVertices: 0, waiting: [] };
  }

  /** Lays the solver state out anew if bodies came or went, and makes sure that a start with new bodies is free. */
  #admit(): void {
    this.#layOut();
    this.#touchAnew();
    const placed = placedOf(this.#free);
    this.#unchecked ||= placed !== this.#placed;
    this.#placed = placed;
    if (!this.#unchecked) return;
    assertFree(this.#intersecting(), this.bodies);
    this.#unchecked = false;
  }

  /** Takes note of bodies that touch others differently now. */
  #touchAnew(): void {
    const seen = this.#touchChanges;
    this.#touchChanges = touchChanges();
    if (this.#touchChanges === seen) return;
    const changed = this.#handles.filter(({ body }) => body.touch?.changedAfter(seen));
    for (const handle of changed) {
      this.#soft.wake(handle);
      if (!isSoft(handle.body)) this.#rigid?.touchAnew(handle.body);
      this.#unchecked ||= handle.body.touch?.siftedAfter(seen) ?? false;
    }
  }

  /** Pairs of triangles that meet, and the first of them. */
  #intersecting(): Meeting {
    this.#layOut();
    if (!this.#rigid) return this.#soft.intersecting();
    // by a detector of its own: this one does not compare rigid bodies and scenery
    const inMemory = meetingOf(
      this.#handles.map(({ body }) => body),
      this.thickness,
      this.#filter,
    );
    const others = this.#rigid.meeting();
    return { count: inMemory.count + others.count, first: inMemory.first ?? others.first };
  }

  #layOut(): void {
    if (!this.#changed) return;
    const handles = this.#handles;
    this.#detects = !this.#rigid || handles.some(({ body }) => isSoft(body));
    this.#breakable = handles.filter(({ body }) => body.broken);
    this.#free = this.bodies.filter((body) => body instanceof RigidBody);
    this.#kinematic = this.bodies.filter(({ kind }) => kind === 'kinematic');
    const inMemory = handles.filter(({ body }) => isInMemory(body));
    this.#soft.layOut(this.#detects ? inMemory : []);
    this.#changed = false;
  }

  /** Replaces bodies that break by their pieces, unless these are not free where they are. */
  #break(): Pick<StepReport, 'broken' | 'heldTogether'> {
    const broken: string[] = [];
    const heldTogether: string[] = [];
    for (const handle of this.#breakable) {
      const { body } = handle;
      const pieces = body.broken?.();
      if (!pieces) continue;
      pieces.forEach(checkBody);
      this.#leave(handle);
      const entered = pieces.map((piece) => this.#enter(piece));
      if (this.#intersecting().count === 0) {
        broken.push(body.name);
        continue;
      }
      for (const piece of entered) this.#leave(piece);
      this.#enter(body);
      heldTogether.push(body.name);
    }
    if (broken.length + heldTogether.length > 0) this.#unchecked = false;
    return { broken, heldTogether };
  }

  #enter(body: Body): BodyHandle {
    const soft = this.#soft;
    const handle: BodyHandle = {
      id: this.#ids++,
      body,
      get asleep() {
        return body instanceof RigidBody ? body.asleep : soft.isAsleep(handle);
      },
      remove: () => this.#remove(handle),
    };
    if (body instanceof RigidBody && !this.#rigid) {
      const restingSpeed = RESTING_RIGID * Math.hypot(...this.gravity) * this.dt;
      const record = this.#contactReport?.record;
      const plan = (looks: number) => this.#contacts.step.plan(looks);
      const law = { ...this.#law, gravity: this.gravity, restingSpeed, record, plan };
      const rigid = new RigidDynamics(law, chooseEngine(this.#contacts), this.#filter);
      for (const { body: other } of this.#handles) if (!isSoft(other)) rigid.enter(other);
      this.#rigid = rigid;
    }
    if (!isSoft(body)) this.#rigid?.enter(body);
    this.#handles.push(handle);
    this.#changed = true;
    this.#unchecked = true;
    return handle;
  }

  #remove(handle: BodyHandle): void {
    this.#beforeChange();
    if (!this.#handles.includes(handle)) {
      const { name } = handle.body;
      throw new ImpingeError('removed', `${name} is no longer in the simulation`, { object: name });
    }
    this.#leave(handle);
  }

  #leave(handle: BodyHandle): void {
    if (!isSoft(handle.body)) this.#rigid?.leave(handle.body);
    this.#handles.splice(this.#handles.indexOf(handle), 1);
    this.#changed = true;
  }

  #assertThere(body: Body): void {
    if (this.#handles.some((handle) => handle.body === body)) return;
    throw new ImpingeError('bad-input', `${Object(body).name} is not in the simulation`);
  }

  #beforeChange(): void {
    if (this.#disposed) throw new ImpingeError('disposed', 'the simulation was disposed');
    if (this.#busy) throw new ImpingeError('busy', 'the simulation is busy with a parallel step');
  }
}

/** How often callers have moved rigid bodies. */
function placedOf(bodies: readonly RigidBody[]): number {
  let placed = 0;
  for (const { state } of bodies) placed += state.placed;
  return placed;
}

/** Of stored models, only the parts near other bodies are. */
function isInMemory({ indices }: Body): boolean {
  return indices.length > 0;
}
