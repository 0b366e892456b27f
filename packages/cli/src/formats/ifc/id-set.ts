/** A set of numbers below 2³²: pages of bits, so that memory follows the numbers used. */
export class IdSet {
  static readonly #PAGE_BITS = 1 << 13;
  readonly #pages = new Map<number, Uint32Array>();

  has(id: number): boolean {
    const bit = id % IdSet.#PAGE_BITS;
    const page = this.#pages.get((id - bit) / IdSet.#PAGE_BITS);
    return page !== undefined && (page[bit >>> 5] & (1 << (bit & 31))) !== 0;
  }

  add(id: number): void {
    const bit = id % IdSet.#PAGE_BITS;
    const number = (id - bit) / IdSet.#PAGE_BITS;
    let page = this.#pages.get(number);
    if (page === undefined) this.#pages.set(number, (page = new Uint32Array(IdSet.#PAGE_BITS / 32)));
    page[bit >>> 5] |= 1 << (bit & 31);
  }

  /** The smallest number that is here and not in `other`. */
  firstNotIn(other: IdSet): number | undefined {
    for (const [number, page] of [...this.#pages].sort(([a], [b]) => a - b)) {
      const otherPage = other.#pages.get(number);
      for (let i = 0; i < page.length; i++) {
        const only = page[i] & ~(otherPage?.[i] ?? 0);
        if (only !== 0) return number * IdSet.#PAGE_BITS + 32 * i + 31 - Math.clz32(only & -only);
      }
    }
    return undefined;
  }
}
