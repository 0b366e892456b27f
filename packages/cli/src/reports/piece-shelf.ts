/**
 * A cache of pieces for the next picture, in one block of memory that is allocated once. Separate arrays would wait for
 * a late garbage collection: V8 ignores memory outside its heap up to 64 MB.
 *
 * Invariant: a ring buffer; a new piece replaces the oldest.
 */
import type { PieceArrays } from '@impinge/model';

interface Kept {
  readonly start: number;
  readonly end: number;
  readonly arrays: PieceArrays;
}

export class PieceShelf {
  readonly #byteLength: number;
  #bytes: ArrayBuffer | undefined;
  #next = 0;
  readonly #kept = new Map<number, Kept>();

  constructor(byteLength: number) {
    this.#byteLength = byteLength;
  }

  /** A cached piece, valid until the next `put`. */
  get(piece: number): PieceArrays | undefined {
    return this.#kept.get(piece)?.arrays;
  }

  /** Stores a copy, unless the piece is larger than the cache. */
  put({ piece, origin, positions, indices }: PieceArrays): void {
    const indicesAt = aligned(positions.byteLength);
    const size = indicesAt + aligned(indices.byteLength);
    if (this.#kept.has(piece) || size > this.#byteLength) return;
    this.#bytes ??= new ArrayBuffer(this.#byteLength);
    if (this.#next + size > this.#byteLength) {
      this.#clear(this.#next, this.#byteLength);
      this.#next = 0;
    }
    const start = this.#next;
    this.#clear(start, start + size);
    const places = new Float32Array(this.#bytes, start, positions.length);
    places.set(positions);
    const Numbers = indices instanceof Uint16Array ? Uint16Array : Uint32Array;
    const corners = new Numbers(this.#bytes, start + indicesAt, indices.length);
    corners.set(indices);
    const arrays = { piece, origin: origin.slice(), positions: places, indices: corners };
    this.#kept.set(piece, { start, end: start + size, arrays });
    this.#next = start + size;
  }

  /** Evicts the pieces in a range of bytes. */
  #clear(from: number, to: number): void {
    for (const [piece, { start, end }] of this.#kept) {
      if (start < to && end > from) this.#kept.delete(piece);
    }
  }
}

function aligned(bytes: number): number {
  return (bytes + 7) & ~7;
}
