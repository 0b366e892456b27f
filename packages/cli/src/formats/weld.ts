/**
 * Joins vertices at equal positions, as they arrive: formats without indices repeat every vertex per triangle.
 *
 * Layout: open addressing over vertex numbers + 1 (0 = free), at most half full. The hash is seeded at random, so
 * that no file can be made to collide; vertex numbers follow first appearance and do not depend on it.
 */
import { trimmed, withRoom } from './growing.js';

export class VertexWelder<T extends Float32Array | Float64Array> {
  count = 0;
  #positions: T;
  #table = new Uint32Array(1024);
  readonly #seed = (Math.random() * 2 ** 32) | 0;
  readonly #key = new Float64Array(3);
  readonly #keyWords = new Uint32Array(this.#key.buffer);

  /** `positions` gives the precision; its contents are dropped. */
  constructor(positions: T) {
    this.#positions = positions;
  }

  /** The number of the vertex at (x, y, z), which must be finite; −0 equals 0. */
  add(x: number, y: number, z: number): number {
    if (2 * this.count >= this.#table.length) this.#enlarge();
    const positions = (this.#positions = withRoom(this.#positions, 3 * this.count + 3));
    const o = 3 * this.count;
    positions[o] = x + 0;
    positions[o + 1] = y + 0;
    positions[o + 2] = z + 0;
    const slot = this.#find(positions[o]!, positions[o + 1]!, positions[o + 2]!);
    const known = this.#table[slot]!;
    if (known > 0) return known - 1;
    this.#table[slot] = ++this.count;
    return this.count - 1;
  }

  positions(): T {
    return trimmed(this.#positions, 3 * this.count);
  }

  /** The slot that holds this position, or the free one where it belongs. */
  #find(x: number, y: number, z: number): number {
    const table = this.#table;
    const positions = this.#positions;
    const mask = table.length - 1;
    let slot = (this.#hash(x, y, z) & mask) >>> 0;
    for (let vertex = table[slot]!; vertex !== 0; vertex = table[slot]!) {
      const o = 3 * vertex - 3;
      if (positions[o] === x && positions[o + 1] === y && positions[o + 2] === z) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #hash(x: number, y: number, z: number): number {
    const key = this.#key;
    const words = this.#keyWords;
    key[0] = x;
    key[1] = y;
    key[2] = z;
    let hash = this.#seed;
    for (let i = 0; i < 6; i++) {
      hash = Math.imul(hash ^ words[i]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash, 0x85ebca6b);
    return (hash ^ (hash >>> 13)) >>> 0;
  }

  #enlarge(): void {
    const positions = this.#positions;
    this.#table = new Uint32Array(2 * this.#table.length);
    for (let vertex = 0; vertex < this.count; vertex++) {
      const o = 3 * vertex;
      this.#table[this.#find(positions[o]!, positions[o + 1]!, positions[o + 2]!)] = vertex + 1;
    }
  }
}
