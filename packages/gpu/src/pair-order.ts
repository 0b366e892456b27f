/**
 * Sorts pairs of numbers, interleaved, by the first and then the second.
 *
 * Idea: radix sort by the first numbers, two passes for most answers; pairs with the same first number are few, and are
 * put in order by insertion, or where they are many by radix sort again.
 */

/** Up to this many pairs, insertion sort is faster. */
const FEW = 32;
const DIGIT_BITS = 11;

/** Keeps its work space from call to call. */
export class PairSorter {
  #spare = new Uint32Array(0);
  readonly #places = new Uint32Array(2 ** DIGIT_BITS);

  /** Sorts the first `length` numbers in place. */
  sort(pairs: Uint32Array, length = pairs.length): void {
    if (this.#spare.length < length) this.#spare = new Uint32Array(2 ** Math.ceil(Math.log2(length)));
    if (length <= 2 * FEW) {
      insert(pairs, 0, length);
      return;
    }
    this.#radix(pairs, 0, length, 0);
    for (let from = 0, to = 2; from < length; from = to, to += 2) {
      const first = pairs[from];
      while (to < length && pairs[to] === first) to += 2;
      if (to - from > 2 * FEW) this.#radix(pairs, from, to, 1);
      else if (to - from > 2) insert(pairs, from, to);
    }
  }

  /** Sorts pairs[from, to) by the first (0) or second (1) numbers; those with equal ones stay in order. */
  #radix(pairs: Uint32Array, from: number, to: number, which: number): void {
    let low = 0xffffffff;
    let high = 0;
    for (let i = from + which; i < to; i += 2) {
      const key = pairs[i];
      if (key < low) low = key;
      if (key > high) high = key;
    }
    const bits = 32 - Math.clz32(high - low);
    const passes = Math.ceil(bits / DIGIT_BITS);
    const digit = Math.ceil(bits / passes);
    const spare = this.#spare;
    for (let pass = 0; pass < passes; pass++) {
      const places = this.#places.subarray(0, 2 ** digit);
      if (pass % 2 === 0) scatter(pairs, spare, from, to, which, low, pass * digit, places);
      else scatter(spare, pairs, from, to, which, low, pass * digit, places);
    }
    if (passes % 2 === 1) pairs.set(spare.subarray(from, to), from);
  }
}

/** One pass over source[from, to): to the same range of `target`, by one digit. */
function scatter(
  source: Uint32Array,
  target: Uint32Array,
  from: number,
  to: number,
  which: number,
  low: number,
  shift: number,
  places: Uint32Array,
): void {
  const mask = places.length - 1;
  places.fill(0);
  for (let i = from + which; i < to; i += 2) places[((source[i] - low) >>> shift) & mask] += 2;
  for (let bucket = 0, at = from; bucket <= mask; bucket++) {
    const size = places[bucket];
    places[bucket] = at;
    at += size;
  }
  for (let i = from; i < to; i += 2) {
    const bucket = ((source[i + which] - low) >>> shift) & mask;
    const place = places[bucket];
    places[bucket] = place + 2;
    target[place] = source[i];
    target[place + 1] = source[i + 1];
  }
}

/** Sorts pairs[from, to) by insertion. */
function insert(pairs: Uint32Array, from: number, to: number): void {
  for (let i = from + 2; i < to; i += 2) {
    const first = pairs[i];
    const second = pairs[i + 1];
    let j = i;
    while (j > from && (pairs[j - 2] > first || (pairs[j - 2] === first && pairs[j - 1] > second))) {
      pairs[j] = pairs[j - 2];
      pairs[j + 1] = pairs[j - 1];
      j -= 2;
    }
    pairs[j] = first;
    pairs[j + 1] = second;
  }
}
