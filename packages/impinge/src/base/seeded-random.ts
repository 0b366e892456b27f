/** Seeded randomness: equal seeds give equal numbers on every machine. Integer arithmetic only. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(Math.floor(seed) ^ 0x6b8f2a1d, 0x2545f491) | 0;
  }

  /** In [0, 1), 32 bits: a counter by the golden ratio, its bits mixed twice. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  }
}
