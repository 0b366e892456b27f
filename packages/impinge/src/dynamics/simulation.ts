/**
 * Bodies moved step by step under gravity and contact, without ever passing through each other or themselves.
 *
 * Bodies that keep their shape are looked at among each other first (rigid-world.ts). Where there are soft ones, too:
 * bodies propose where they want to go; pairs that come nearer than the thickness on the way become contacts,
 * which are relaxed (contact-response.ts); then the detector looks whether anything still touches. What does becomes a
 * contact too, a few times, and only bodies whose motion that changed are looked at again; what is left is stopped
 * (impact-zones.ts). Only a motion in which the exact continuous test finds nothing is made.
 * Invariant: after every step, and after one that failed, positions are on the float32 grid and no two triangles
 * without a common vertex meet, and the next step may rely on it. Scenery is not held against scenery, nor bodies that
 * keep their shape (`self` is false) against themselves.
 * Errs: kinematic bodies that would crush something wait instead.
 */
import { DISPOSE } from '../base/dispose.js';
import { ImpingeError } from '../base/errors.js';
import { readLength } from '../base/options.js';
import { Deformables } from '../deform/deformables.js';
import type { ContactEvents, DeformStats, StepOptions, Surface } from '../deform/types.js';
import type { WorkerPool } from '../kernel/worker-pool.js';
import type { Body, BodyHandle } from './body.js';
import { type Meeting, meetingOf, surfaceInput, told } from './body-surfaces.js';
import { BreakableBody } from './breaking.js';
import { ContactResponse } from './contact-response.js';
import { ImpactZones } from './impact-zones.js';
import type { ContactSettings } from './rigid/contact-engine.js';
import { chooseEngine } from './rigid/engines/choose-engine.js';
import type { JointHandle, JointOptions } from './rigid/joints.js';
import { RigidWorld } from './rigid/rigid-world.js';
import { RigidBody } from './rigid-body.js';
import { Scenery } from './scenery.js';
import {
  checkBody,
  type ParallelStepOptions,
  readOptions,
  type SimulationOptions,
} from './simulation-options.js';
import { leadersOf, type Participant, SolverState } from './solver-state.js';
import { StepClock, type StepReport } from './step-report.js';

/** Times that new touches are made contacts before motion is shortened. */
const PASSES = 8;
/** Of the contacts: those that a second look at proximity has to add for another to be worth it in the next step. */
const SURPRISED = 0.05;
/** Approach in one step, over g dt², below which nothing bounces. */
const RESTING = 4;
/** Approach over g dt, in a step, below which rigid bodies do not bounce. */
const RESTING_RIGID = 2;

/** A body in the simulation, and its part in detection where that is needed. */
interface Entry {
  readonly body: Body;
  readonly handle: BodyHandle;
  participant: Participant | undefined;
}

/** A query to the detector about the motion in the solver state, and its answer. */
type Asking<T> = Generator<StepOptions, T, ContactEvents>;

export class Simulation {
  readonly dt: number;
  readonly thickness: number;
  readonly gravity: readonly [number, number, number];
  readonly friction: number;
  readonly restitution: number;
  readonly #pool: WorkerPool | undefined;
  readonly #clock: StepClock;
  readonly #detector: Deformables;
  readonly #state = new SolverState();
  readonly #response: ContactResponse;
  readonly #law: { thickness: number; friction: number; restitution: number; sleeping: boolean };
  readonly #contacts: { -readonly [Name in keyof ContactSettings]: ContactSettings[Name] };
  #zones = new ImpactZones(this.#state);
  #entries: Entry[] = [];
  /** Where there are rigid bodies: these and scenery. */
  #rigid: RigidWorld | undefined;
  /** How often callers have moved rigid bodies. */
  #placed = 0;
  #ids = 0;
  #detections: DeformStats[] = [];
  /** Bodies came or went since the solver state was laid out; some came since the start was found free. */
  #changed = false;
  #unchecked = false;
  #busy = false;
  #disposed = false;
  /** Whether contacts took the motion of the last step to where it met others. */
  #restless = false;
  #steps = 0;

  constructor(options: SimulationOptions) {
    const { dt, thickness, gravity, friction, restitution, sleeping, contacts } = readOptions(options);
    this.#law = { thickness, friction, restitution, sleeping };
    this.#contacts = { ...contacts, thickness };
    this.dt = dt;
    this.thickness = thickness;
    this.gravity = gravity;
    this.friction = friction;
    this.restitution = restitution;
    this.#pool = options.pool;
    this.#clock = new StepClock(options.now);
    const { broadPhase, now } = options;
    this.#detector = new Deformables({ thickness, ...(broadPhase && { broadPhase }), ...(now && { now }) });
    this.#response = new ContactResponse(this.#state, {
      thickness,
      friction,
      restitution,
      restingApproach: RESTING * Math.hypot(...gravity) * dt ** 2,
    });
  }

  get bodies(): readonly Body[] {
    return this.#entries.map(({ body }) => body);
  }

  /** Steps made. */
  get steps(): number {
    return this.#steps;
  }

  /** What contacts of rigid bodies may be off, in metres. Can be set between steps: they go over to other levels smoothly. */
  get contactError(): number {
    return this.#contacts.error;
  }

  set contactError(error: number) {
    this.#beforeChange();
    this.#contacts.error = readLength('contactError', error);
  }

  /** In the order of `bodies`. */
  get handles(): readonly BodyHandle[] {
    return this.#entries.map(({ handle }) => handle);
  }

  /**
   * Takes a body in. Its positions must be on the float32 grid; that it meets neither itself nor the others is checked
   * when the next step begins.
   */
  add(body: Body): BodyHandle {
    this.#beforeChange();
    checkBody(body);
    if (this.#entries.some((one) => one.body === body)) {
      throw new ImpingeError('bad-input', `${body.name} is in the simulation already`, { object: body.name });
    }
    const apart = (one: Body, other: Body) => isSoft(one) && !isInMemory(other);
    const misfit = this.#entries.find((one) => apart(one.body, body) || apart(body, one.body));
    if (misfit) {
      const [soft, stored] = isSoft(body) ? [body.name, misfit.body.name] : [misfit.body.name, body.name];
      throw new ImpingeError(
        'bad-input',
        `${soft} is soft and ${stored} is a stored model: these cannot be in one simulation`,
        { object: stored },
      );
    }
    return this.#enter(body).handle;
  }

  /** Ties a rigid body of the simulation to the world. */
  join(options: JointOptions): JointHandle {
    this.#beforeChange();
    const rigid = this.#rigid;
    const body = Object(options).body;
    if (!rigid || !this.#entries.some((entry) => entry.body === body)) {
      throw new ImpingeError('bad-input', 'a joint needs a rigid body of the simulation');
    }
    return rigid.join(options, (joint) => {
      this.#beforeChange();
      if (!rigid.part(joint))
        throw new ImpingeError('removed', `the joint of ${body.name} is no longer there`);
    });
  }

  /** Makes a step. If it throws, no body has moved. */
  step(): StepReport {
    this.#beforeChange();
    try {
      const run = this.#run();
      let next = run.next();
      while (!next.done) next = run.next(this.#detector.continuous(next.value));
      return next.value;
    } catch (error) {
      this.#state.retreat();
      throw error;
    }
  }

  /** The same step, with the detectors at work on the threads of the pool. */
  async stepParallel({ signal }: ParallelStepOptions = {}): Promise<StepReport> {
    this.#beforeChange();
    const pool = this.#pool;
    if (!pool) throw new ImpingeError('bad-option', 'stepParallel needs the option pool');
    const threads = { pool, ...(signal && { signal }) };
    this.#busy = true;
    try {
      const run = this.#run();
      let next = run.next();
      while (!next.done) {
        next = run.next(await this.#detector.continuousParallel({ ...threads, ...next.value }));
      }
      return next.value;
    } catch (error) {
      this.#state.retreat();
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

  /** Lets go of the detector's memory. Bodies stay as they are. */
  dispose(): void {
    if (this.#disposed) return;
    this.#beforeChange();
    this.#disposed = true;
    this.#detector.dispose();
    this.#rigid?.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  /** One step; asks for the contacts of the motion in the solver state when it needs them. */
  *#run(): Asking<StepReport> {
    this.#clock.begin();
    this.#detections = [];
    this.#admit();
    const rigid = this.#rigid?.propose(this.dt);
    this.#clock.lap('solver');
    const soft = this.#detects ? yield* this.#runSoft() : this.#moveRigid();
    this.#rigid?.finish(this.dt);
    this.#steps++;
    const breaks = this.#break();
    this.#clock.lap('solver');
    const ms = this.#clock.times;
    return {
      step: this.#steps,
      ...soft,
      events: soft.events + (rigid?.contacts ?? 0),
      iterations: soft.iterations + (rigid?.iterations ?? 0),
      waiting: soft.waiting.concat(rigid?.waiting.filter((name) => !soft.waiting.includes(name)) ?? []),
      shortened: rigid?.shortened ?? 0,
      asleep: this.#rigid?.asleepCount ?? 0,
      ...breaks,
      detections: this.#detections,
      ...(ms && { ms }),
    };
  }

  /** Moves rigid bodies and scenery as worked out, where there is nothing else. */
  #moveRigid(): SoftReport {
    const carriers = this.#entries.flatMap(({ body }) =>
      body instanceof Scenery && body.kind === 'kinematic' ? body : [],
    );
    for (const carrier of carriers) carrier.aim(this.dt);
    this.#rigid?.hand();
    for (const carrier of carriers) carrier.moveOn(this.dt);
    for (const { body } of this.#entries) {
      if (body instanceof RigidBody && !body.asleep) body.moveOn();
      if (body instanceof BreakableBody) body.endBlow(this.dt);
    }
    return { events: 0, iterations: 0, rollbacks: 0, rolledBackVertices: 0, waiting: [] };
  }

  /** What soft bodies do, and what they do to the others. */
  *#runSoft(): Asking<SoftReport> {
    const state = this.#state;
    state.begin();
    this.#response.begin();
    this.#zones.begin(this.dt);
    for (const { body } of state.participants) {
      if (body.kind !== 'fixed' && !(body instanceof RigidBody)) body.propose(this.dt, this.gravity);
    }
    this.#rigid?.hand();
    for (const participant of state.participants) {
      const { body } = participant;
      if (body.kind === 'fixed') continue;
      if (body instanceof RigidBody) body.show();
      state.load(participant);
    }
    this.#clock.lap('solver');

    const near = yield* this.#contactsWithin(this.thickness);
    const events = near.count;
    const iterations = events > 0 ? yield* this.#respond(near) : 0;
    if (this.#rigid && !this.#rigid.keepsClear()) this.#zones.stopAll();

    for (const { body, end } of state.participants) if (body.kind !== 'fixed') body.finish(end, this.dt);
    const rolledBackVertices = this.#zones.shortened;
    const rollbacks = this.#zones.rounds;
    const waiting = this.#zones.waiting;
    state.advance();
    return { events, iterations, rollbacks, rolledBackVertices, waiting };
  }

  /** Changes the motion in the solver state until nothing touches; returns how often the contacts were gone through. */
  *#respond(near: ContactEvents): Asking<number> {
    const response = this.#response;
    let iterations = response.toProximity(near);
    // in an impact motion changes so much that other pairs come near: these are better known before they touch
    const wasRestless = this.#restless;
    if (wasRestless) {
      const expected = response.contacts;
      iterations += response.toProximity(yield* this.#contactsWithin(this.thickness));
      this.#restless = response.contacts > (1 + SURPRISED) * expected;
    }
    for (let pass = 0; ; pass++) {
      const touching = yield* this.#contactsWithin(0);
      if (!wasRestless) this.#restless = pass > 1;
      if (touching.count === 0) return iterations;
      if (pass < PASSES) iterations += response.toTouch(touching);
      else this.#zones.shorten(touching);
    }
  }

  /**
   * Contacts of the motion in the solver state, but of those that were found free already: these have no part in any.
   */
  *#contactsWithin(thickness: number): Asking<ContactEvents> {
    const { participants, places } = this.#state;
    const of = this.#show();
    this.#clock.lap('response');
    const events = yield { thickness, of };
    this.#clock.lap('detection');
    this.#detections.push(events.stats);
    for (let i = 0; i < 2 * events.count; i++) participants[places[events.surfaces[i]]].open = true;
    return events;
  }

  /** Tells the detector the motion in the solver state; returns the surfaces for which it has to look. */
  #show(): Surface[] {
    const surfaces: Surface[] = [];
    for (const participant of this.#state.participants) {
      const { body, surface, start, end } = participant;
      if (body.kind === 'fixed' || !participant.open) continue;
      surface.setStep(start, end);
      participant.open = false;
      surfaces.push(surface);
    }
    return surfaces;
  }

  /** Whether detection between surfaces is needed: rigid bodies and scenery do without. */
  get #detects(): boolean {
    return !this.#rigid || this.#entries.some(({ body }) => isSoft(body));
  }

  /** Lays the solver state out anew if bodies came or went, and makes sure that a start with new bodies is free. */
  #admit(): void {
    this.#layOut();
    let placed = 0;
    for (const { body } of this.#entries) if (body instanceof RigidBody) placed += body.state.placed;
    this.#unchecked ||= placed !== this.#placed;
    this.#placed = placed;
    if (!this.#unchecked) return;
    const { count, first } = this.#intersecting();
    if (first) {
      const [a, b] = first;
      throw new ImpingeError(
        'bad-input',
        `the start is not free: triangle ${a.triangle} of ${a.object} meets triangle ${b.triangle} of ${b.object}` +
          (count > 1 ? `, and ${count - 1} other pairs meet` : ''),
        { count, a, b },
      );
    }
    this.#unchecked = false;
  }

  /** Pairs of triangles that meet, and the first of them. */
  #intersecting(): Meeting {
    this.#layOut();
    if (!this.#rigid) {
      this.#show();
      const { participants, places } = this.#state;
      return told(this.#detector.intersecting(), (id) => participants[places[id]].body);
    }
    // by a detector of its own: this one does not compare rigid bodies and scenery
    const inMemory = meetingOf(
      this.#entries.map(({ body }) => body),
      this.thickness,
    );
    const others = this.#rigid.meeting();
    return { count: inMemory.count + others.count, first: inMemory.first ?? others.first };
  }

  #layOut(): void {
    if (!this.#changed) return;
    const detects = this.#detects;
    for (const entry of this.#entries) {
      if (detects && isInMemory(entry.body)) entry.participant ??= this.#participantOf(entry);
      else {
        entry.participant?.surface.remove();
        entry.participant = undefined;
      }
    }
    this.#state.layOut(this.#entries.flatMap(({ participant }) => participant ?? []));
    this.#zones = new ImpactZones(this.#state);
    this.#changed = false;
  }

  #participantOf({ body, handle }: Entry): Participant {
    const { positions } = body;
    return {
      body,
      surface: this.#detector.add(surfaceInput(body, !isSoft(body))),
      handle,
      rest: positions.slice(),
      wanted: body.frame?.proposed ?? body.proposed,
      leaders: body.frame && leadersOf(body.frame),
      offset: 0,
      massOffset: 0,
      start: positions,
      end: positions,
      open: true,
    };
  }

  /** Replaces bodies that break by their pieces, unless these are not free where they are. */
  #break(): Pick<StepReport, 'broken' | 'heldTogether'> {
    const broken: string[] = [];
    const heldTogether: string[] = [];
    for (const entry of [...this.#entries]) {
      const { body } = entry;
      const pieces = body.broken?.();
      if (!pieces) continue;
      pieces.forEach(checkBody);
      this.#leave(entry);
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

  #enter(body: Body): Entry {
    const entry: Entry = {
      body,
      handle: { id: this.#ids++, body, remove: () => this.#remove(entry) },
      participant: undefined,
    };
    if (body instanceof RigidBody && !this.#rigid) {
      const restingSpeed = RESTING_RIGID * Math.hypot(...this.gravity) * this.dt;
      const law = { ...this.#law, gravity: this.gravity, restingSpeed };
      const world = new RigidWorld(law, chooseEngine(this.#contacts));
      for (const { body: other } of this.#entries) if (!isSoft(other)) world.enter(other);
      this.#rigid = world;
    }
    if (!isSoft(body)) this.#rigid?.enter(body);
    this.#entries.push(entry);
    this.#changed = true;
    this.#unchecked = true;
    return entry;
  }

  #remove(entry: Entry): void {
    this.#beforeChange();
    if (!this.#entries.includes(entry)) {
      const { name } = entry.body;
      throw new ImpingeError('removed', `${name} is no longer in the simulation`, { object: name });
    }
    this.#leave(entry);
  }

  #leave(entry: Entry): void {
    entry.participant?.surface.remove();
    if (!isSoft(entry.body)) this.#rigid?.leave(entry.body);
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    this.#changed = true;
  }

  #beforeChange(): void {
    if (this.#disposed) throw new ImpingeError('disposed', 'the simulation was disposed');
    if (this.#busy) throw new ImpingeError('busy', 'the simulation is at work on a parallel step');
  }
}

/** What the part of a step that concerns soft bodies tells. */
type SoftReport = Pick<StepReport, 'events' | 'iterations' | 'rollbacks' | 'rolledBackVertices' | 'waiting'>;

/** Of stored models only what is near others is. */
function isInMemory({ indices }: Body): boolean {
  return indices.length > 0;
}

/** Whether it may change its shape. */
function isSoft(body: Body): boolean {
  return body.kind === 'dynamic' && !(body instanceof RigidBody);
}
