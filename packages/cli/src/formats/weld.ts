/**
 * Joins vertices at equal positions, as they arrive: formats without indices repeat every vertex per triangle.
 *
 * Layout: open addressing over vertex numbers + 1 (0 = free), at most half full. In front of it, a small table that
 * stays in the processor's cache holds the vertices met last: in most files, five of six corners are found there. The
 * hash is seeded at random, so that no file can be made to collide; vertex numbers follow first appearance and do not
 * depend on it.
 */
import type { ShapeArrays } from '@impinge/model';
import { trimmed, withRoom } from './growing.js';

const RECENT_BITS = 14;

export class VertexWelder<T extends Float32Array | Float64Array> {
  count = 0;
  #positions: T;
  // signed: numbers of 32 bits without a sign are slower, and there is no room for 2³¹ vertices in any case
  #table = new Int32Array(1024);
  readonly #recent = new Int32Array(1 << RECENT_BITS);
  readonly #seed = (Math.random() * 2 ** 32) | 0;
  readonly #point: T;
  readonly #pointWords: Int32Array;
  readonly #number = new Uint32Array(1);

  /** `positions` gives the precision; its contents are dropped. */
  constructor(positions: T) {
    this.#positions = positions;
    this.#point = withRoom(positions.slice(0, 0) as T, 3);
    this.#pointWords = wordsOf(this.#point);
  }

  /** The number of the vertex at (x, y, z), which must be finite; −0 equals 0. */
  add(x: number, y: number, z: number): number {
    const point = this.#point;
    point[0] = x;
    point[1] = y;
    point[2] = z;
    this.#weld(point, this.#pointWords, 1, this.#number, 0);
    return this.#number[0];
  }

  /** The numbers of all vertices of `points`, as `add` gives them, to `into` from entry `at` on; −0 becomes 0. */
  addAll(points: T, into: Uint32Array, at: number): void {
    this.#weld(points, wordsOf(points), points.length / 3, into, at);
  }

  positions(): T {
    return trimmed(this.#positions, 3 * this.count);
  }

  #weld(points: T, words: Int32Array, count: number, into: Uint32Array, at: number): void {
    this.#makeRoom(count);
    for (let i = 0; i < 3 * count; i++) points[i] += 0;
    const positions = this.#positions;
    const table = this.#table;
    const recent = this.#recent;
    const seed = this.#seed;
    const mask = table.length - 1;
    const wordsPerVertex = points.BYTES_PER_ELEMENT === 4 ? 3 : 6;
    let known = this.count;
    for (let i = 0; i < count; i++) {
      const x = points[3 * i];
      const y = points[3 * i + 1];
      const z = points[3 * i + 2];
      const hash = hashOf(words, wordsPerVertex * i, wordsPerVertex, seed);
      const recentSlot = hash >>> (32 - RECENT_BITS);
      let vertex = recent[recentSlot];
      let p = 3 * vertex - 3;
      if (vertex === 0 || positions[p] !== x || positions[p + 1] !== y || positions[p + 2] !== z) {
        let slot = hash & mask;
        for (vertex = table[slot]; vertex !== 0; vertex = table[slot]) {
          p = 3 * vertex - 3;
          if (positions[p] === x && positions[p + 1] === y && positions[p + 2] === z) break;
          slot = (slot + 1) & mask;
        }
        if (vertex === 0) {
          positions[3 * known] = x;
          positions[3 * known + 1] = y;
          positions[3 * known + 2] = z;
          vertex = ++known;
          table[slot] = vertex;
        }
        recent[recentSlot] = vertex;
      }
      into[at + i] = vertex - 1;
    }
    this.count = known;
  }

  /** Makes room for `count` more vertices. */
  #makeRoom(count: number): void {
    this.#positions = withRoom(this.#positions, 3 * (this.count + count));
    let length = this.#table.length;
    while (length < 2 * (this.count + count)) length *= 4;
    if (length === this.#table.length) return;
    const table = (this.#table = new Int32Array(length));
    const words = wordsOf(this.#positions);
    const wordsPerVertex = this.#positions.BYTES_PER_ELEMENT === 4 ? 3 : 6;
    for (let vertex = 0; vertex < this.count; vertex++) {
      let slot = hashOf(words, wordsPerVertex * vertex, wordsPerVertex, this.#seed) & (length - 1);
      while (table[slot] !== 0) slot = (slot + 1) & (length - 1);
      table[slot] = vertex + 1;
    }
  }
}

/** Mixes the three or six words of a vertex; unrolled, because this is half of the work. */
function hashOf(words: Int32Array, first: number, count: number, seed: number): number {
  let hash = Math.imul(seed ^ words[first], 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ words[first + 1], 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ words[first + 2], 0xc2b2ae35);
  if (count === 6) {
    hash = Math.imul(hash ^ (hash >>> 15) ^ words[first + 3], 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 13) ^ words[first + 4], 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15) ^ words[first + 5], 0xc2b2ae35);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

function wordsOf(positions: Float32Array | Float64Array): Int32Array {
  return new Int32Array(positions.buffer, positions.byteOffset, positions.byteLength / 4);
}

/** Triangles of which equal corners become one vertex, collected batch by batch. */
export class WeldedShape {
  indexCount = 0;
  #welder: VertexWelder<Float32Array | Float64Array> | undefined;
  #indices = new Uint32Array(0);

  /** Nine numbers per triangle; the first batch gives the precision. */
  add(corners: Float32Array | Float64Array): void {
    this.#welder ??= new VertexWelder(corners.slice(0, 0));
    const count = corners.length / 3;
    this.#indices = withRoom(this.#indices, this.indexCount + count);
    this.#welder.addAll(corners, this.#indices, this.indexCount);
    this.indexCount += count;
  }

  /** Precondition: something was added. */
  geometry(): ShapeArrays {
    return { positions: this.#welder!.positions(), indices: trimmed(this.#indices, this.indexCount) };
  }
}
