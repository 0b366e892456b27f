/** Which of a growing number of states of a space are nearest to one, whichever numbers these have. */
import { type Found, Neighbours } from './neighbours.js';
import type { State, StateSpace } from './state-space.js';

export class NearStates {
  readonly #space: StateSpace;
  readonly #near: Neighbours;

  constructor(space: StateSpace) {
    this.#space = space;
    this.#near = new Neighbours(space.dimension);
  }

  /** Adds a state, which gets the next number. */
  add(state: State): number {
    return this.#near.add(this.#weighted(state));
  }

  /** Leaves a state out of all answers from now on. */
  remove(index: number): void {
    this.#near.remove(index);
  }

  /** The numbers of the nearest states, at most `count`, the nearest first. */
  nearest(state: State, count: number): number[] {
    let best: readonly Found[] = [];
    for (const image of this.#space.images(state)) {
      const belowSq = best.length === count ? best[count - 1].distanceSq : Infinity;
      const found = this.#near.nearest(this.#weighted(image), count, belowSq);
      best = best.length === 0 ? found : merged(best, found).slice(0, count);
    }
    return best.map(({ index }) => index);
  }

  #weighted(state: State): State {
    const { weights } = this.#space;
    return state.map((x, k) => x * weights[k]);
  }
}

/** Each once, the nearest first. */
function merged(a: readonly Found[], b: readonly Found[]): Found[] {
  const all = [...a, ...b].sort((one, two) => one.distanceSq - two.distanceSq);
  return all.filter(({ index }, i) => all.findIndex((one) => one.index === index) === i);
}
