/**
 * When a task needs each piece: the order of its pairs is known, so the cache can drop the piece needed latest.
 *
 * Layout: the uses of piece p are places first[p] … first[p + 1] of `uses`, positions of pairs in rising order.
 */
import type { PairPieces } from './pair-pieces.js';

export class TaskUses {
  /** The pair that is being looked at; only moves on. */
  position = 0;
  readonly #first: Uint32Array;
  readonly #uses: Uint32Array;
  readonly #next: Uint32Array;
  /** Pieces in the order of the pairs; those of pair i are places firstOf[i] … firstOf[i + 1]. */
  readonly #pieces: Uint32Array;
  readonly #firstOf: Uint32Array;

  /** The pieces each pair of the task needs, and the model's number of pieces. */
  constructor({ first, pieces }: PairPieces, pieceCount: number) {
    this.#firstOf = first;
    this.#pieces = pieces;
    this.#first = new Uint32Array(pieceCount + 1);
    for (const piece of pieces) this.#first[piece + 1]++;
    for (let i = 0; i < pieceCount; i++) this.#first[i + 1] += this.#first[i];
    this.#next = this.#first.slice(0, pieceCount);
    this.#uses = new Uint32Array(pieces.length);
    for (let pair = 0; pair < first.length - 1; pair++) {
      for (let k = first[pair]; k < first[pair + 1]; k++) this.#uses[this.#next[pieces[k]]++] = pair;
    }
    this.#next.set(this.#first.subarray(0, pieceCount));
  }

  /** The pieces that pairs [from, to) may need, in their order; some are listed twice. */
  piecesOf(from: number, to: number): Uint32Array {
    const end = Math.min(to, this.#firstOf.length - 1);
    return this.#pieces.subarray(this.#firstOf[Math.min(from, end)], this.#firstOf[end]);
  }

  /** The position at which a piece is needed next, counting the present one. */
  nextUse(piece: number): number {
    const end = this.#first[piece + 1];
    let next = this.#next[piece];
    while (next < end && this.#uses[next] < this.position) next++;
    this.#next[piece] = next;
    return next < end ? this.#uses[next] : Infinity;
  }
}
