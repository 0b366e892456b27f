/**
 * A planner for bodies that walk: the best-first search (A*) over a lattice of places on floors and of turns.
 *
 * From a place the neighbours are those of the eight places around that have a floor within the step height, and the
 * next turns on either side. A motion between two is proved when the search gets to its end, the cheapest first: most
 * never are. When all that can be reached has been looked at, the lattice gets twice as fine.
 * The estimate is weighted, so ways are a little longer than they need be, and shortened afterwards.
 */
import type { Vec3 } from 'impinge';
import { PairHeap } from 'impinge/internal/base/heap.js';
import { dot, lengthOf, plus } from 'impinge/internal/query/walk/vectors.js';
import type { Candidate, Planner } from '../plan/planner.js';
import type { State } from '../plan/state-space.js';
import { feetOf, type WalkSpace } from './walk-space.js';

/** Of the body's narrower side: how far apart places are at first. */
const SPACING = 0.5;
/** Turns in a full one at first, and how often both are made finer. */
const TURNS = 8;
const REFINEMENTS = 2;
/** Places looked around from in one step. */
const AT_ONCE = 32;
/** What the estimate counts, and a turn by a radian, as a share of the body's narrower side. */
const GREED = 1.5;
const TURNING = 0.5;
/** Heights of floors that differ by a smaller share of the step height are of one place. */
const LEVEL = 0.25;

interface Place {
  /** With its feet on the floor. */
  readonly state: State;
  /** Numbers on the lattice: two across, one turn. */
  readonly at: readonly [number, number, number];
  /** Free states there, the lowest first; undefined: not yet looked for. */
  free: readonly State[] | undefined;
  /** The last motions by which the search got here: one up or down, where it takes that, and one across. */
  way: readonly State[] | undefined;
}

export class WalkLattice implements Planner {
  isExhausted = false;
  /** The state that came nearest to a goal, and how near its feet did. */
  closest: { readonly state: State; readonly distance: number };
  readonly #space: WalkSpace;
  readonly #start: State;
  readonly #goals: readonly State[];
  /** The start has the number 0, goals the next ones. */
  #places: Place[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #refused = new Set<string>();
  /** Where the floor is at places, next to floors of about the same height; false: there is none. */
  readonly #floors = new Map<string, Vec3 | false>();
  #cost: number[] = [];
  #from: number[] = [];
  #heap = new PairHeap();
  #refinement = 0;

  constructor(space: WalkSpace, start: State, goals: readonly State[]) {
    this.#space = space;
    this.#start = start;
    this.#goals = goals;
    this.closest = { state: start, distance: this.#left(start) };
    this.#refine();
  }

  get nodes(): number {
    return this.#places.length;
  }

  step(): Candidate | undefined {
    for (let i = 0; i < AT_ONCE; i++) {
      if (!this.#heap.pop()) {
        if (this.#refinement === REFINEMENTS) this.isExhausted = true;
        else {
          this.#refinement++;
          this.#refine();
        }
        return undefined;
      }
      if (!this.#arrive(this.#heap.a, this.#heap.b)) continue;
      const number = this.#heap.a;
      if (number > 0 && number <= this.#goals.length) return this.#wayTo(number);
      this.#lookAround(number);
    }
    return undefined;
  }

  /** Ends a motion from one place to another, if it is the first to get there that is free. */
  #arrive(number: number, from: number): boolean {
    const [before, place] = [this.#places[from], this.#places[number]];
    if (place.way || this.#refused.has(`${from},${number}`)) return false;
    place.way = number === from ? [place.state] : this.#wayBetween(before, place);
    if (!place.way) return false;
    this.#cost[number] = number === from ? 0 : this.#cost[from] + this.#costOf(before.state, place.state);
    this.#from[number] = from;
    const distance = this.#left(place.state);
    if (distance < this.closest.distance) this.closest = { state: place.way[place.way.length - 1], distance };
    return true;
  }

  /** Straight from where the search is at a place, or from above or below that: the states after it. */
  #wayBetween(before: Place, place: Place): State[] | undefined {
    const space = this.#space;
    const start = before.way![before.way!.length - 1];
    for (const one of [before, place]) one.free ??= [...space.standing(one.state)];
    const direct = place.free!.find((end) => space.edgeFree(start, end));
    if (direct) return [direct];
    for (const other of before.free!) {
      if (this.#heightOf(other) === this.#heightOf(start)) continue;
      const end = place.free!.find((one) => space.edgeFree(other, one));
      if (end && space.edgeFree(start, other)) return [other, end];
    }
    return undefined;
  }

  #heightOf(state: State): number {
    return dot(feetOf(state), this.#space.up);
  }

  get #spacing(): number {
    return (SPACING * this.#space.width) / 2 ** this.#refinement;
  }

  get #turns(): number {
    return TURNS * 2 ** this.#refinement;
  }

  #refine(): void {
    this.#numbers.clear();
    this.#refused.clear();
    this.#floors.clear();
    this.#places = [this.#start, ...this.#goals].map((state) => this.#placeOf(state));
    this.#restart();
  }

  #restart(): void {
    for (const place of this.#places) place.way = undefined;
    this.#cost = [];
    this.#from = [];
    this.#heap = new PairHeap();
    this.#heap.push(0, 0, 0);
  }

  /** Where one of the ends lies on the lattice: it need not be a place of it. */
  #placeOf(state: State): Place {
    const { sides, upright } = this.#space;
    const way = plus(feetOf(state), feetOf(this.#start), -1);
    const turn = (upright!.turnOf(state, 3) / (2 * Math.PI)) * this.#turns;
    const at = [dot(way, sides[0]), dot(way, sides[1])].map((x) => Math.round(x / this.#spacing));
    return { state, at: [at[0], at[1], Math.round(turn)], free: undefined, way: undefined };
  }

  #lookAround(number: number): void {
    const place = this.#places[number];
    const [x, y, turn] = place.at;
    const isEnd = number === 0;
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++)
        // from an end, which lies anywhere between, the nearest turn is a step as well
        if (dx !== 0 || dy !== 0 || isEnd) this.#tryPlace(number, [x + dx, y + dy, turn]);
    for (const by of [-1, 1]) this.#tryPlace(number, [x, y, turn + by]);
    for (let goal = 1; goal <= this.#goals.length; goal++) {
      const other = this.#places[goal];
      const away = plus(feetOf(other.state), feetOf(place.state), -1);
      const rises = Math.abs(dot(away, this.#space.up));
      const isNear = Math.abs(other.at[0] - x) <= 1 && Math.abs(other.at[1] - y) <= 1;
      if (isNear && rises <= this.#space.stepHeight && this.#isNextTurn(other.at[2], turn))
        this.#reach(goal, number);
    }
  }

  #isNextTurn(a: number, b: number): boolean {
    const apart = Math.abs(a - b) % this.#turns;
    return Math.min(apart, this.#turns - apart) <= 1;
  }

  /** Stands the body on the floor at a place of the lattice. */
  #tryPlace(from: number, [x, y, turn]: readonly [number, number, number]): void {
    const feet = this.#floorAt(x, y, this.#heightOf(this.#places[from].state));
    if (!feet) return;
    const turned = ((turn % this.#turns) + this.#turns) % this.#turns;
    const key = `${x},${y},${this.#levelOf(dot(feet, this.#space.up))},${turned}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      const state = new Float64Array(7);
      state.set(feet);
      this.#space.upright!.writeTurn((2 * Math.PI * turned) / this.#turns, state, 3);
      number = this.#places.push({ state, at: [x, y, turned], free: undefined, way: undefined }) - 1;
      this.#numbers.set(key, number);
    }
    this.#reach(number, from);
  }

  /** The floor at a place, next to one of a height. */
  #floorAt(x: number, y: number, height: number): Vec3 | undefined {
    const key = `${x},${y},${this.#levelOf(height)}`;
    const known = this.#floors.get(key);
    if (known !== undefined) return known || undefined;
    const { up, sides, floor } = this.#space;
    const start = feetOf(this.#start);
    let feet = plus(start, up, height - dot(start, up));
    feet = plus(plus(feet, sides[0], x * this.#spacing), sides[1], y * this.#spacing);
    const rises = floor.below(feet);
    const found = rises !== undefined && plus(feet, up, rises);
    this.#floors.set(key, found);
    return found || undefined;
  }

  #levelOf(height: number): number {
    return Math.round(height / (LEVEL * this.#space.stepHeight));
  }

  #reach(number: number, from: number): void {
    const [{ state: a }, { state: b, way }] = [this.#places[from], this.#places[number]];
    if (way) return;
    this.#heap.push(this.#cost[from] + this.#costOf(a, b) + GREED * this.#left(b), number, from);
  }

  #costOf(from: State, to: State): number {
    const turn = 2 * Math.acos(Math.min(1, Math.abs(dot4(from, to))));
    return lengthOf(plus(feetOf(to), feetOf(from), -1)) + TURNING * this.#space.width * turn;
  }

  /** How far it is to the nearest goal. */
  #left(state: State): number {
    return Math.min(...this.#goals.map((goal) => lengthOf(plus(feetOf(goal), feetOf(state), -1))));
  }

  #wayTo(goal: number): Candidate {
    const states: State[] = [];
    const motions: string[] = [];
    for (let at = goal; ; at = this.#from[at]) {
      const way = this.#places[at].way!;
      states.unshift(...way);
      if (at === 0) break;
      motions.unshift(...way.map(() => `${this.#from[at]},${at}`));
    }
    // only where a motion that was proved rounds otherwise
    const refuse = (motion: number) => {
      this.#refused.add(motions[motion]);
      this.#restart();
    };
    return { states, refuse };
  }
}

function dot4(a: State, b: State): number {
  return a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
}
