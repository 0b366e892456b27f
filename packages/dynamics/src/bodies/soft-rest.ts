/**
 * Rest of soft bodies: bodies connected by contacts, none of which has moved for a while, sleep until something touches
 * one of them, or a support moves or is removed.
 *
 * Anything that holds a body has touched it since it became still: else it would have fallen. So everything that
 * touched it in that time is recorded, and it sleeps and wakes with these.
 */
import { UnionFind } from 'impinge/internal/base/union-find.js';
import type { ContactEvents } from '../deform/types.js';
import { RigidBody } from './rigid-body.js';
import type { Participant, SolverState } from './solver-state.js';
import type { StateReader, StateWriter } from './state-bytes.js';

/** Maximum motion of any vertex of a still body, in thicknesses; and the time it must last, in seconds. */
const STILL_THICKNESSES = 0.5;
const STILL_SECONDS = 0.5;
/**
 * Speed in thicknesses per second below which bodies resting on scenery are slowed down, and the rate at which their
 * speed decays, 1 / s.
 */
const SLOW_THICKNESSES_PER_SECOND = 20;
const SLOWING_RATE = 3;

interface Rest {
  asleep: boolean;
  /** Seconds without motion, since it was at `place`. */
  still: number;
  readonly place: Float64Array;
  /** The participants that have touched it since, and the last step of each. */
  readonly touched: Map<Participant, number>;
}

export class SoftRest {
  readonly #still: number;
  readonly #slow: number;
  readonly #dt: number;
  /** Of soft bodies that can sleep. */
  readonly #rests = new Map<Participant, Rest>();
  #step = 0;

  constructor({ thickness, dt }: { readonly thickness: number; readonly dt: number }) {
    this.#still = STILL_THICKNESSES * thickness;
    this.#slow = SLOW_THICKNESSES_PER_SECOND * thickness * dt;
    this.#dt = dt;
  }

  get asleepCount(): number {
    let count = 0;
    for (const { asleep } of this.#rests.values()) if (asleep) count++;
    return count;
  }

  isAsleep(participant: Participant): boolean {
    return this.#rests.get(participant)?.asleep ?? false;
  }

  enter(participant: Participant): void {
    if (!participant.body.slow) return;
    const place = participant.body.positions.slice();
    this.#rests.set(participant, { asleep: false, still: 0, place, touched: new Map() });
  }

  /** Writes what is known of bodies, by their places among participants. */
  save(out: StateWriter, participants: readonly Participant[]): void {
    const placeOf = new Map(participants.map((participant, i) => [participant, i]));
    out.number(this.#step);
    for (const participant of participants) {
      const rest = this.#rests.get(participant);
      if (!rest) continue;
      out.flag(rest.asleep);
      out.number(rest.still);
      out.array(rest.place);
      const touched = [...rest.touched].map(([other, step]) => [placeOf.get(other) ?? -1, step]);
      out.array(Float64Array.from(touched.filter(([place]) => place >= 0).flat()));
    }
  }

  restore(from: StateReader, participants: readonly Participant[]): void {
    this.#step = from.number();
    for (const participant of participants) {
      const rest = this.#rests.get(participant);
      if (!rest) continue;
      rest.asleep = from.flag();
      rest.still = from.number();
      from.into(rest.place);
      const touched = from.doubles();
      rest.touched.clear();
      for (let i = 0; i < touched.length; i += 2) rest.touched.set(participants[touched[i]], touched[i + 1]);
    }
  }

  /** Wakes the bodies that a removed body touched. */
  leave(participant: Participant): void {
    for (const [other, { touched }] of this.#rests) if (touched.has(participant)) this.wake(other);
    this.#rests.delete(participant);
  }

  /** Records touches; returns the bodies they wake. */
  touch({ count, surfaces }: ContactEvents, { participants, places }: SolverState): Participant[] {
    const woken: Participant[] = [];
    for (let e = 0; e < count; e++) {
      const [first, second] = [surfaces[2 * e], surfaces[2 * e + 1]];
      if (first === second) continue;
      // events of one pair mostly follow each other
      if (e > 0 && first === surfaces[2 * e - 2] && second === surfaces[2 * e - 1]) continue;
      const a = participants[places[first]];
      const b = participants[places[second]];
      this.#rests.get(a)?.touched.set(b, this.#step);
      this.#rests.get(b)?.touched.set(a, this.#step);
      for (const one of [a, b]) if (this.isAsleep(one)) woken.push(...this.wake(one));
    }
    return woken;
  }

  /** Wakes bodies that sleep on a moving support; returns them. */
  disturb(moves: (support: Participant) => boolean): Participant[] {
    const woken: Participant[] = [];
    for (const [participant, { asleep, touched }] of this.#rests) {
      if (asleep && Array.from(touched.keys()).some(moves)) woken.push(...this.wake(participant));
    }
    return woken;
  }

  /** Wakes a body, and all bodies asleep in contact with it; returns those that slept. */
  wake(participant: Participant): Participant[] {
    const woken: Participant[] = [];
    const open = [participant];
    for (let one = open.pop(); one; one = open.pop()) {
      const rest = this.#rests.get(one);
      if (!rest) continue;
      if (rest.asleep) {
        woken.push(one);
        open.push(...rest.touched.keys());
      }
      begin(rest, one, this.#step);
    }
    return woken;
  }

  /**
   * Ends the step, where `moves` tests whether a support moves: puts still bodies to sleep, with everything they touch;
   * slow ones resting on scenery are slowed down. `cut`: motion was shortened, so no body counts as still. Returns the
   * bodies that fell asleep.
   */
  settle(moves: (support: Participant) => boolean, cut: boolean): Participant[] {
    const awake = Array.from(this.#rests).filter(([, { asleep }]) => !asleep);
    const numbers = new Map(awake.map(([participant], i) => [participant, i]));
    const joined = new UnionFind(awake.length);
    awake.forEach(([participant, rest], i) => {
      if (cut || farthest(participant.end, rest.place, this.#still) > this.#still)
        begin(rest, participant, this.#step);
      else rest.still += this.#dt;
      for (const other of rest.touched.keys()) {
        const number = numbers.get(other);
        if (number !== undefined) joined.union(i, number);
      }
    });
    const wakeful = new Uint8Array(awake.length);
    const onScenery = new Uint8Array(awake.length);
    awake.forEach(([, { still, touched }], i) => {
      if (still < STILL_SECONDS) wakeful[joined.find(i)] = 1;
      for (const support of touched.keys()) {
        if (moves(support)) wakeful[joined.find(i)] = 1;
        if (support.body.kind !== 'dynamic') onScenery[joined.find(i)] = 1;
      }
    });
    this.#step++;
    return awake
      .filter(([participant, rest], i) => {
        rest.asleep = wakeful[joined.find(i)] === 0;
        if (rest.asleep) participant.body.slow?.(0);
        else this.#stayAwake(participant, rest, onScenery[joined.find(i)] !== 0);
        return rest.asleep;
      })
      .map(([participant]) => participant);
  }

  #stayAwake({ body, start, end }: Participant, { touched }: Rest, onScenery: boolean): void {
    for (const { body: support } of touched.keys()) {
      // a rigid body that lies on it is not at rest, either
      if (support instanceof RigidBody && support.asleep) support.state.disturbed = true;
    }
    if (onScenery && farthest(end, start, this.#slow) <= this.#slow)
      body.slow?.(1 - Math.min(1, SLOWING_RATE * this.#dt));
  }
}

/** Restarts counting; current touches remain. */
function begin(rest: Rest, { body }: Participant, step: number): void {
  rest.asleep = false;
  rest.still = 0;
  rest.place.set(body.positions);
  for (const [other, last] of rest.touched) if (last < step) rest.touched.delete(other);
}

/** The largest difference of a coordinate, or the first above `enough`. */
function farthest(x: Float64Array, y: Float64Array, enough: number): number {
  let most = 0;
  for (let k = 0; k < x.length && most <= enough; k++) most = Math.max(most, Math.abs(x[k] - y[k]));
  return most;
}
