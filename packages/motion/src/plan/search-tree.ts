/** A tree of states that grows from one or several roots. */
import { NearStates } from './near-states.js';
import type { State, StateSpace } from './state-space.js';

export class SearchTree {
  readonly states: State[] = [];
  /** The number of the state each was reached from, −1 for roots. */
  readonly parents: number[] = [];
  /** Where the last slide ended, −1 before the first. */
  slid = -1;
  /** Steps in turn that did not move it. */
  misses = 0;
  readonly #near: NearStates;
  readonly #isGone: boolean[] = [];

  constructor(space: StateSpace, roots: readonly State[]) {
    this.#near = new NearStates(space);
    for (const root of roots) this.add(root, -1);
  }

  get size(): number {
    return this.states.length;
  }

  add(state: State, parent: number): number {
    this.states.push(state);
    this.parents.push(parent);
    this.#isGone.push(false);
    return this.#near.add(state);
  }

  nearest(state: State): number {
    return this.#near.nearest(state, 1)[0];
  }

  isGone(index: number): boolean {
    return this.#isGone[index];
  }

  /** Numbers from a root to a state. */
  branch(index: number): number[] {
    const out: number[] = [];
    for (let i = index; i >= 0; i = this.parents[i]) out.push(i);
    return out.reverse();
  }

  /** Forgets a state and all that were reached from it, which have larger numbers. */
  cut(index: number): void {
    for (let i = index; i < this.size; i++) {
      if (i !== index && !(this.parents[i] >= index && this.#isGone[this.parents[i]])) continue;
      this.#isGone[i] = true;
      this.#near.remove(i);
    }
  }
}
