/** Seeded randomness: equal seeds give equal scenes on every machine. Integer arithmetic only. */

/** Mixes 32 bits so that neighbouring inputs give unrelated results; a bijection. */
export function mixBits(bits: number): number {
  let b = bits | 0;
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b);
  b = Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  return (b ^ (b >>> 16)) >>> 0;
}

/** Combines several numbers into one seed. */
export function seedOf(...numbers: readonly number[]): number {
  let seed = 0x51ed270b;
  for (const n of numbers) seed = mixBits(Math.imul(seed, 31) + n + 0x9e3779b9);
  return seed;
}

export class Random {
  #counter: number;

  constructor(seed: number) {
    this.#counter = seed | 0;
  }

  /** In [0, 1), 32 bits. */
  next(): number {
    this.#counter = (this.#counter + 0x9e3779b9) | 0;
    return mixBits(this.#counter) / 2 ** 32;
  }

  /** An integer in [low, high]. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)];
  }
}

/** Numbers in [0, 1), 32 bits each. */
export function seededRandom(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}

const ID_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$';

/** 22 characters in the form of IFC GUIDs: 128 bits. Unique for each number below 2³² under one seed. */
export function guidOf(seed: number, number: number): string {
  // the first word is a bijection of the number: two bits of it lead, thirty follow
  const first = mixBits(number ^ mixBits(seed));
  const second = mixBits(first ^ seed);
  let text = ID_DIGITS[first >>> 30] + ID_DIGITS[second & 63];
  let word = first;
  for (let k = 0; k < 4; k++) {
    for (let shift = 24; shift >= 0; shift -= 6) text += ID_DIGITS[(word >>> shift) & 63];
    word = mixBits(word + second + k);
  }
  return text;
}
