/**
 * States, and roads between those that are near each other, as a map for many searches: what is known of a road, that
 * it is free or blocked, is kept.
 *
 * The ends of a question are on it for as long as the question is, after all others. What lasts is bounded by `most`.
 */
import { PairHeap } from 'impinge/internal/base/heap.js';
import { NearStates } from './near-states.js';
import { apart, type State, type StateSpace } from './state-space.js';

export interface Road {
  readonly a: number;
  readonly b: number;
  readonly length: number;
  known: 'nothing' | 'free' | 'blocked';
}

/** Roads from a state to those nearest to it. */
const ROADS = 12;

export class RoadGraph {
  readonly most: number;
  readonly #space: StateSpace;
  readonly #near: NearStates;
  readonly #states: State[] = [];
  readonly #roads: Road[][] = [];
  /** How many states last. */
  #size = 0;

  constructor(space: StateSpace, most: number) {
    this.most = most;
    this.#space = space;
    this.#near = new NearStates(space);
  }

  get size(): number {
    return this.#size;
  }

  state(index: number): State {
    return this.#states[index];
  }

  /** Adds a state that lasts, with its roads; false where there is no room. */
  add(state: State): boolean {
    if (this.#size >= this.most) return false;
    this.#near.add(state);
    this.#put(state);
    this.#size++;
    return true;
  }

  /** Adds a path whose motions are free, as far as there is room. */
  addPath(states: readonly State[]): void {
    for (const [i, state] of states.entries()) {
      if (!this.add(state)) return;
      if (i > 0) this.#join(this.#size - 2, this.#size - 1, 'free');
    }
  }

  /** Adds a state until the next `forgetEnds`; its number. */
  addEnd(state: State): number {
    return this.#put(state);
  }

  forgetEnds(): void {
    for (const index of this.#states.keys()) if (index >= this.#size) this.#leave(index);
    this.#states.length = this.#roads.length = this.#size;
  }

  /** Forgets all that is known of roads. */
  forget(): void {
    for (const roads of this.#roads) for (const road of roads) road.known = 'nothing';
  }

  /** A lower bound of the way from each state to the nearest goal. */
  leftTo(goals: readonly number[]): Float64Array {
    const left = (state: State) =>
      Math.min(...goals.map((goal) => apart(this.#space, state, this.#states[goal])));
    return Float64Array.from(this.#states, left);
  }

  /** The shortest way over roads that are not blocked, to where nothing is left; undefined where there is none. */
  shortest(from: number, left: Float64Array): Road[] | undefined {
    const heap = new PairHeap();
    const cost = new Float64Array(this.#states.length).fill(Infinity);
    const via: (Road | undefined)[] = [];
    const isDone = new Uint8Array(cost.length);
    cost[from] = 0;
    heap.push(0, from, 0);
    while (heap.pop()) {
      const at = heap.a;
      if (isDone[at]) continue;
      isDone[at] = 1;
      if (left[at] === 0) return wayTo(at, via);
      for (const road of this.#roads[at]) {
        if (road.known === 'blocked') continue;
        const to = otherEnd(road, at);
        const next = cost[at] + road.length;
        if (next >= cost[to]) continue;
        cost[to] = next;
        via[to] = road;
        heap.push(next + left[to], to, 0);
      }
    }
    return undefined;
  }

  #put(state: State): number {
    const index = this.#states.push(state) - 1;
    this.#roads.push([]);
    for (const near of this.#near.nearest(state, ROADS + 1))
      if (near !== index) this.#join(near, index, 'nothing');
    return index;
  }

  #join(a: number, b: number, known: Road['known']): void {
    const old = this.#roads[b].find((road) => otherEnd(road, b) === a);
    if (old) {
      old.known = known;
      return;
    }
    const road = { a, b, length: apart(this.#space, this.#states[a], this.#states[b]), known };
    this.#roads[a].push(road);
    this.#roads[b].push(road);
  }

  #leave(index: number): void {
    for (const road of this.#roads[index]) {
      const other = this.#roads[otherEnd(road, index)];
      other.splice(other.indexOf(road), 1);
    }
  }
}

export function otherEnd({ a, b }: Road, from: number): number {
  return from === a ? b : a;
}

/** Roads to a state, by what each state was reached over. */
function wayTo(end: number, via: readonly (Road | undefined)[]): Road[] {
  const out: Road[] = [];
  for (let at = end, road = via[at]; road; road = via[at]) {
    out.push(road);
    at = otherEnd(road, at);
  }
  return out.reverse();
}
