/**
 * Enforces a minimum transfer rate: a transfer is aborted unless enough bytes arrive in each window. An average since
 * the start would let a server that was fast at first drip for hours.
 */
import { readInteger, readKnown, readPositive } from './options.js';
import type { AbortSignalLike } from './platform-types.js';

/**
 * Required bytes (or all remaining ones) within each interval of `ms` milliseconds; Infinity: everything within one.
 */
export interface LeastPace {
  readonly bytes: number;
  readonly ms: number;
}

/** A slower store is of no use. */
const LEAST_PACE: LeastPace = { bytes: 20_000, ms: 20_000 };
/** Maximum delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** Counts from where it is made until `end`. */
export class Pace {
  readonly #least: LeastPace;
  readonly #control = new AbortController();
  #missing = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(least: LeastPace = LEAST_PACE) {
    const { bytes, ms } = readKnown('Pace', least, { bytes: true, ms: true });
    this.#least = { bytes: readPositive('bytes', bytes), ms: readInteger('ms', ms, 1, LONGEST_MS) };
    this.#begin();
  }

  /** Aborted, with the cause, when the bytes of a stretch have not come. */
  get signal(): AbortSignalLike {
    return this.#control.signal;
  }

  came(bytes: number): void {
    this.#missing -= bytes;
    if (this.#missing <= 0) this.#begin();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #begin(): void {
    const { bytes, ms } = this.#least;
    this.#missing = bytes;
    clearTimeout(this.#timer);
    const what = bytes === Infinity ? 'not everything' : `less than ${bytes} bytes`;
    const cause = `${what} came in ${ms / 1000} seconds`;
    this.#timer = setTimeout(() => this.#control.abort(new Error(cause)), ms);
  }
}
