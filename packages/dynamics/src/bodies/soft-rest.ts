/**
 * Rest of soft bodies: those that hang together by contacts, of which none has moved for a while, sleep until something
 * touches one of them, or what they touch moves or goes.
 *
 * What holds a body has touched it since it became still: else it would have fallen. So all that touched it in that
 * time is noted, and is what it sleeps and wakes with.
 */
import { UnionFind } from 'impinge/internal/base/union-find.js';
import type { ContactEvents } from '../deform/types.js';
import { RigidBody } from './rigid-body.js';
import type { Participant, SolverState } from './solver-state.js';

/** Of the thickness: how little any vertex has to move for a body to be still; and for how many seconds. */
const STILL = 0.5;
const STILL_TIME = 0.5;
/** Thicknesses per second below which what rests on scenery is slowed down, and the share of its speed per second. */
const SLOW = 20;
const SLOWING = 3;

interface Rest {
  asleep: boolean;
  /** Seconds without motion, since it was at `place`. */
  still: number;
  readonly place: Float64Array;
  /** What has touched it since, and in which step last. */
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
    this.#still = STILL * thickness;
    this.#slow = SLOW * thickness * dt;
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

  /** Wakes what a body that goes was touched by. */
  leave(participant: Participant): void {
    for (const [other, { touched }] of this.#rests) if (touched.has(participant)) this.wake(other);
    this.#rests.delete(participant);
  }

  /** Takes note of what touches; returns what that wakes. */
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

  /** Wakes what sleeps on something that moves; returns it. */
  disturb(moves: (support: Participant) => boolean): Participant[] {
    const woken: Participant[] = [];
    for (const [participant, { asleep, touched }] of this.#rests) {
      if (asleep && Array.from(touched.keys()).some(moves)) woken.push(...this.wake(participant));
    }
    return woken;
  }

  /** Wakes a body, and all that sleeps in touch with it; returns those that slept. */
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
   * The step is over, and `moves` tells whether supports are at rest: puts to sleep what has been still, with all that
   * it touches; what is slow is made slower, if it rests on scenery. `cut` says that motion was shortened: then nobody
   * counts as still. Returns those that fell asleep.
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
      if (still < STILL_TIME) wakeful[joined.find(i)] = 1;
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
      body.slow?.(1 - Math.min(1, SLOWING * this.#dt));
  }
}

/** Begins to count anew; what touches now still does. */
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
