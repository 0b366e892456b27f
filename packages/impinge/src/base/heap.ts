/**
 * A binary min-heap of pairs of uint32 numbers, keyed by a float64.
 *
 * `pop` moves the least entry into the fields `key`, `a`, `b`: nothing is allocated per entry.
 * Invariant: keys[i] ≤ keys[2i + 1], keys[2i + 2].
 */

export class PairHeap {
  length = 0;
  key = 0;
  a = 0;
  b = 0;
  #keys = new Float64Array(256);
  #pairs = new Uint32Array(512);

  push(key: number, a: number, b: number): void {
    if (this.length === this.#keys.length) this.#grow();
    let at = this.length++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#keys[parent] <= key) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, key, a, b);
  }

  /** Takes the least entry out. False when there is none. */
  pop(): boolean {
    if (this.length === 0) return false;
    this.key = this.#keys[0];
    this.a = this.#pairs[0];
    this.b = this.#pairs[1];
    const last = --this.length;
    const key = this.#keys[last];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      if (child + 1 < last && this.#keys[child + 1] < this.#keys[child]) child++;
      if (this.#keys[child] >= key) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, key, this.#pairs[2 * last], this.#pairs[2 * last + 1]);
    return true;
  }

  #set(at: number, key: number, a: number, b: number): void {
    this.#keys[at] = key;
    this.#pairs[2 * at] = a;
    this.#pairs[2 * at + 1] = b;
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#keys[from], this.#pairs[2 * from], this.#pairs[2 * from + 1]);
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.#keys.length);
    keys.set(this.#keys);
    this.#keys = keys;
    const pairs = new Uint32Array(2 * this.#pairs.length);
    pairs.set(this.#pairs);
    this.#pairs = pairs;
  }
}
