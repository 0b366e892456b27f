/** Whether a question has used up what it may cost. */
import type { Limits } from 'impinge/internal/query/pair/budget.js';

/** Tests between looks at the clock: one takes as long as some tests do. */
const LOOK = 16;

export class Spending {
  readonly #tests: number;
  readonly #end: number;
  readonly #now: (() => number) | undefined;
  #nextLook = 0;
  #spent = false;

  /** Time begins now. */
  constructor({ tests = Infinity, time }: Limits) {
    this.#tests = tests;
    this.#now = time?.now;
    this.#end = time ? time.now() + time.ms : Infinity;
  }

  /** Whether no more is left after so many tests, of which there are only more. What is spent stays spent. */
  spent(tests: number): boolean {
    if (tests >= this.#tests) this.#spent = true;
    if (!this.#spent && this.#now && tests >= this.#nextLook) {
      this.#nextLook = tests + LOOK;
      this.#spent = this.#now() >= this.#end;
    }
    return this.#spent;
  }
}
