import { hashOfPosition } from 'impinge/internal/mesh/position-hash.js';

/** Vertices by position: equal positions are one vertex, −0 equals 0. */
export class VertexTable {
  #table = new Int32Array(1024);
  /** The positions found, three each. */
  positions: Float32Array = new Float32Array(3 * 512);
  #bits = new Int32Array(this.positions.buffer);
  count = 0;
  readonly #one = new Float32Array(3);
  readonly #oneBits = new Int32Array(this.#one.buffer);

  clear(): void {
    this.#table.fill(0);
    this.count = 0;
  }

  /** The number of a position; new ones are numbered on. */
  add(x: number, y: number, z: number): number {
    // adding zero makes one zero of two
    this.#one[0] = x + 0;
    this.#one[1] = y + 0;
    this.#one[2] = z + 0;
    const one = this.#oneBits;
    const i = one[0];
    const j = one[1];
    const k = one[2];
    if (2 * this.count >= this.#table.length) this.#grow();
    const table = this.#table;
    const mask = table.length - 1;
    const bits = this.#bits;
    let slot = hashOfPosition(i, j, k) & mask;
    for (; table[slot] !== 0; slot = (slot + 1) & mask) {
      const at = 3 * table[slot] - 3;
      if (bits[at] === i && bits[at + 1] === j && bits[at + 2] === k) return table[slot] - 1;
    }
    const at = 3 * this.count;
    bits[at] = i;
    bits[at + 1] = j;
    bits[at + 2] = k;
    table[slot] = ++this.count;
    return this.count - 1;
  }

  /** The numbers of positions, three float32 each. */
  addAll(positions: Float32Array): Uint32Array {
    const numbers = new Uint32Array(positions.length / 3);
    for (let v = 0; v < numbers.length; v++) {
      numbers[v] = this.add(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
    }
    return numbers;
  }

  #grow(): void {
    const table = new Int32Array(2 * this.#table.length);
    const mask = table.length - 1;
    const positions = new Float32Array(3 * this.#table.length);
    positions.set(this.positions.subarray(0, 3 * this.count));
    this.positions = positions;
    this.#bits = new Int32Array(positions.buffer);
    for (let v = 0; v < this.count; v++) {
      let slot = hashOfPosition(this.#bits[3 * v], this.#bits[3 * v + 1], this.#bits[3 * v + 2]) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = v + 1;
    }
    this.#table = table;
  }
}
