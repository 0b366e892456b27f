/**
 * Soft bodies, against themselves, each other and shape-keeping bodies: one step of all that are awake.
 *
 * Bodies propose their motion; pairs that come nearer than the thickness on the way become contacts, which are relaxed
 * (contact-response.ts); then the detector finds pairs that still touch. These become contacts too, a few times, and
 * only bodies whose motion changed are tested again; any that remain are stopped (impact-zones.ts). Sleeping bodies
 * (soft-rest.ts) stand until something awake touches them in the step: then they take part in that step. Rigid bodies
 * and moving scenery take part once a soft one comes near, at whatever point of the step. Invariant: only a motion in
 * which the exact continuous test finds nothing is made.
 */
import { Deformables } from '../deform/deformables.js';
import type { ContactEvents, DeformStats, StepOptions, Surface } from '../deform/types.js';
import type { RigidDynamics } from '../rigid/rigid-dynamics.js';
import type { Body, BodyHandle } from './body.js';
import { eventsOf, type Meeting, meetingIn, surfaceInput } from './body-surfaces.js';
import type { ContactRecord } from './contact-record.js';
import { ContactResponse } from './contact-response.js';
import { moveFreely } from './free-motion.js';
import { ImpactZones } from './impact-zones.js';
import { isSoft } from './is-soft.js';
import { NearSoft } from './near-soft.js';
import type { PairFilter } from './pair-filter.js';
import { RigidBody } from './rigid-body.js';
import type { SimulationOptions } from './simulation-options.js';
import { SoftRest } from './soft-rest.js';
import { leadersOf, type Participant, SolverState } from './solver-state.js';
import type { StateReader, StateWriter } from './state-bytes.js';
import type { StepClock, StepReport } from './step-report.js';
import type { TouchLaw } from './touch.js';

/** Rounds of turning new touches into contacts before motion is shortened. */
const PASSES = 8;
/** Share of new contacts that a second proximity search must add to be repeated in the next step. */
const NEW_CONTACTS_SHARE = 0.05;
/** Approach in one step, over g dt², below which nothing bounces. */
const RESTING = 4;

/** A query to the detector about the motion in the solver state, and its answer. */
export type Asking<T> = Generator<StepOptions, T, ContactEvents>;

/** The report about the soft bodies of a step. */
export type SoftReport = Pick<
  StepReport,
  'events' | 'iterations' | 'residual' | 'rollbacks' | 'rolledBackVertices' | 'waiting'
>;

export interface SoftLaw extends TouchLaw {
  readonly dt: number;
  readonly thickness: number;
  readonly gravity: readonly [number, number, number];
  readonly sleeping: boolean;
  /** Takes what contacts do in a step. */
  readonly record?: ContactRecord | undefined;
}

export class SoftDynamics {
  readonly detector: Deformables;
  /** Of the last step. */
  detections: DeformStats[] = [];
  readonly #law: SoftLaw;
  readonly #filter: PairFilter;
  readonly #clock: StepClock;
  readonly #state = new SolverState();
  readonly #response: ContactResponse;
  readonly #near: NearSoft;
  readonly #rest: SoftRest | undefined;
  readonly #participants = new Map<BodyHandle, Participant>();
  #zones = new ImpactZones(this.#state);
  /** Number of wakings in this step. */
  #wakings = 0;
  /** Whether contacts moved bodies into others in the last step. */
  #restless = false;

  constructor(law: SoftLaw, filter: PairFilter, { broadPhase, now }: SimulationOptions, clock: StepClock) {
    const { dt, thickness, gravity, sleeping } = law;
    this.#law = law;
    this.#filter = filter;
    this.#clock = clock;
    this.detector = new Deformables({ thickness, ...(broadPhase && { broadPhase }), ...(now && { now }) });
    const restingApproach = RESTING * Math.hypot(...gravity) * dt ** 2;
    this.#response = new ContactResponse(this.#state, {
      ...law,
      restingApproach,
      records: law.record !== undefined,
    });
    this.#near = new NearSoft(thickness);
    this.#rest = sleeping ? new SoftRest(law) : undefined;
  }

  get asleepCount(): number {
    return this.#rest?.asleepCount ?? 0;
  }

  /** Wakes a body, and what sleeps in contact with it: how it touches has changed. */
  wake(handle: BodyHandle): void {
    const participant = this.#participants.get(handle);
    if (!participant) return;
    this.#rest?.disturb((support) => support === participant);
    this.#rest?.wake(participant);
  }

  isAsleep(handle: BodyHandle): boolean {
    const participant = this.#participants.get(handle);
    return participant !== undefined && (this.#rest?.isAsleep(participant) ?? false);
  }

  /** Assigns places to all bodies, and releases removed ones. */
  layOut(handles: readonly BodyHandle[]): void {
    const staying = new Set(handles);
    for (const [handle, participant] of this.#participants) {
      if (staying.has(handle)) continue;
      this.#rest?.leave(participant);
      participant.surface.remove();
      this.#participants.delete(handle);
    }
    for (const handle of handles) {
      if (this.#participants.has(handle)) continue;
      const participant = this.#participantOf(handle.body);
      this.#participants.set(handle, participant);
      if (isSoft(handle.body)) this.#rest?.enter(participant);
    }
    this.#state.layOut(handles.map((handle) => this.#participants.get(handle)!));
    this.#zones = new ImpactZones(this.#state);
  }

  /** Pairs of triangles that meet now, and the first of them. */
  intersecting(): Meeting {
    for (const { body, surface } of this.#state.participants) {
      if (body.kind !== 'fixed') surface.setStep(body.positions, body.positions);
    }
    return meetingIn(this.detector.intersecting(), this.#bodyOf, this.#filter);
  }

  /** Moves soft bodies by a step, with their effect on the bodies that `rigid` has moved. */
  *run(rigid: RigidDynamics | undefined): Asking<SoftReport> {
    const state = this.#state;
    const { dt, gravity, thickness } = this.#law;
    this.#begin();
    for (const { body } of state.participants) {
      if (body.kind === 'kinematic') body.propose(dt, gravity);
    }
    rigid?.hand();
    const shaped = state.participants.filter(({ body }) => !isSoft(body) && body.kind !== 'fixed');
    this.#near.begin(shaped);
    this.#rest?.disturb((support) => this.#near.moves(support));
    for (const participant of state.participants) {
      if (isSoft(participant.body) && !this.#isAsleep(participant)) this.#propose(participant);
    }
    this.#meetSleepers();
    this.#clock.lap('solver');

    const near = yield* this.#contactsWithin(thickness);
    const events = near?.count ?? 0;
    const iterations = near && events > 0 ? yield* this.#respond(near) : 0;
    if (rigid && !rigid.keepsClear()) this.#stopAll();

    const out = this.#near.leftOut;
    let residual = 0;
    for (const participant of state.participants) {
      const { body, end } = participant;
      if (out.has(participant)) moveFreely(body, dt);
      else if (body.kind !== 'fixed' && !this.#isAsleep(participant)) {
        body.finish(end, dt);
        residual = Math.max(residual, body.residual ?? 0);
      }
    }
    const rolledBackVertices = this.#zones.shortened;
    const rollbacks = this.#zones.rounds;
    const waiting = this.#zones.waiting;
    return { events, iterations, residual, rollbacks, rolledBackVertices, waiting };
  }

  /** The step is over, for rigid bodies, too. */
  finish(): void {
    const { record, dt } = this.#law;
    if (record) this.#response.tell(record, dt);
    const moves = (support: Participant) =>
      support.body instanceof RigidBody ? !support.body.asleep : this.#near.moves(support);
    const asleep = this.#rest?.settle(moves, this.#zones.rounds > 0) ?? [];
    for (const { surface, end } of asleep) surface.setStep(end, end);
    this.#state.advance();
  }

  readonly #bodyOf = (surface: number): Body => {
    const { participants, places } = this.#state;
    return participants[places[surface]].body;
  };

  /** Writes what is known beyond bodies themselves. */
  save(out: StateWriter): void {
    out.flag(this.#restless);
    this.#rest?.save(out, this.#state.participants);
  }

  /** Takes it over, with bodies where they are. */
  restore(from: StateReader): void {
    this.#restless = from.flag();
    this.#rest?.restore(from, this.#state.participants);
    for (const { body, surface, start, end } of this.#state.participants) {
      start.set(body.positions);
      end.set(body.positions);
      if (body.kind !== 'fixed') surface.setStep(start, end);
    }
  }

  /** Gives the step up. */
  retreat(): void {
    this.#state.retreat();
  }

  dispose(): void {
    this.detector.dispose();
  }

  #begin(): void {
    this.detections = [];
    this.#wakings = 0;
    this.#state.begin();
    this.#response.begin();
    this.#zones.begin(this.#law.dt);
  }

  #isAsleep(participant: Participant): boolean {
    return this.#rest?.isAsleep(participant) ?? false;
  }

  /** Loads the proposal of a soft body. */
  #propose(participant: Participant): void {
    participant.body.propose(this.#law.dt, this.#law.gravity);
    // also if it will not move: its last step differed
    participant.open = true;
    this.#state.load(participant);
  }

  /** Has a rigid body or moving scenery take part in the step. */
  #enlist(participant: Participant): void {
    const { body, start, surface } = participant;
    start.set(body.positions);
    if (body instanceof RigidBody) body.show();
    participant.open = true;
    this.#state.load(participant);
    // bodies that only stand need not be tested
    participant.open = this.#near.moves(participant);
    if (!participant.open) surface.setStep(start, participant.end);
  }

  /** Includes bodies that move near a sleeping soft body. */
  #meetSleepers(): void {
    for (const participant of this.#state.participants) {
      if (!this.#isAsleep(participant)) continue;
      for (const mover of this.#near.reach(participant, true)) this.#enlist(mover);
    }
  }

  #stopAll(): void {
    for (const participant of this.#near.rest()) this.#enlist(participant);
    this.#zones.stopAll();
  }

  /** Changes the motion in the solver state until nothing touches; returns how often the contacts were gone through. */
  *#respond(near: ContactEvents): Asking<number> {
    const response = this.#response;
    let iterations = response.toProximity(near);
    // an impact changes motion so much that new pairs come near: better found before they touch
    const wasRestless = this.#restless;
    if (wasRestless) {
      const expected = response.contacts;
      iterations += yield* this.#approach();
      this.#restless = response.contacts > (1 + NEW_CONTACTS_SHARE) * expected;
    }
    for (let pass = 0; ; pass++) {
      const wakings = this.#wakings;
      const touching = yield* this.#contactsWithin(0);
      if (!wasRestless) this.#restless = pass > 1;
      if (!touching || touching.count === 0) return iterations;
      if (pass < PASSES && this.#wakings > wakings) iterations += yield* this.#approach();
      else if (pass < PASSES) iterations += response.toTouch(touching);
      else {
        for (const participant of this.#near.rest()) this.#enlist(participant);
        this.#zones.shorten(touching);
      }
    }
  }

  /** Repeats the search for proximity. */
  *#approach(): Asking<number> {
    const near = yield* this.#contactsWithin(this.#law.thickness);
    return near ? this.#response.toProximity(near) : 0;
  }

  /**
   * Contacts of the motion in the solver state, except for bodies already found free, which have none; undefined if
   * there are no others. Sleeping bodies that are touched wake, and are tested, too.
   */
  *#contactsWithin(thickness: number): Asking<ContactEvents | undefined> {
    const { participants, places } = this.#state;
    for (;;) {
      const of = this.#show();
      this.#clock.lap('response');
      if (of.length === 0) return undefined;
      const without = Array.from(this.#near.leftOut, ({ surface }) => surface);
      const events = eventsOf(yield { thickness, of, without }, this.#bodyOf, this.#filter);
      this.#clock.lap('detection');
      this.detections.push(events.stats);
      for (let i = 0; i < 2 * events.count; i++) {
        const participant = participants[places[events.surfaces[i]]];
        if (participant.body.kind !== 'fixed') participant.open = true;
      }
      const woken = this.#rest?.touch(events, this.#state) ?? [];
      if (woken.length === 0) return events;
      this.#wakings++;
      for (const participant of woken) this.#propose(participant);
    }
  }

  /** Tells the detector the motion in the solver state; returns the surfaces for which it has to look. */
  #show(): Surface[] {
    if (this.#near.leftOut.size > 0) {
      for (const participant of this.#state.participants) {
        if (!participant.open || !isSoft(participant.body)) continue;
        for (const one of this.#near.reach(participant, false)) this.#enlist(one);
      }
    }
    const surfaces: Surface[] = [];
    for (const participant of this.#state.participants) {
      if (!participant.open) continue;
      const { surface, start, end } = participant;
      surface.setStep(start, end);
      participant.open = false;
      surfaces.push(surface);
    }
    return surfaces;
  }

  #participantOf(body: Body): Participant {
    const { positions } = body;
    return {
      body,
      surface: this.detector.add(surfaceInput(body, !isSoft(body))),
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
}
