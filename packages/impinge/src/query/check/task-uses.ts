/**
 * When a task needs which piece: the order of its pairs is known, so a cache can drop what is needed latest.
 *
 * Layout: the uses of piece p are places first[p] … first[p + 1] of `uses`, positions of pairs in rising order.
 */
import type { StoredModel } from '../../store/model.js';
import { neededPieces } from './part-pairs.js';
import type { TaskRule } from './task.js';

export class TaskUses {
  /** The pair that is being looked at; only moves on. */
  position = 0;
  readonly #first: Uint32Array;
  readonly #uses: Uint32Array;
  readonly #next: Uint32Array;
  /** Pieces in the order of the pairs; those of pair i are places firstOf[i] … firstOf[i + 1]. */
  readonly #pieces: Uint32Array;
  readonly #firstOf: Uint32Array;

  constructor(model: StoredModel, triples: Uint32Array, rules: readonly TaskRule[]) {
    const pieces: number[] = [];
    const positions: number[] = [];
    this.#firstOf = new Uint32Array(triples.length / 3 + 1);
    for (let pair = 0; pair < triples.length / 3; pair++) {
      const rule = rules[triples[3 * pair + 2]];
      for (const piece of neededPieces(model, triples[3 * pair], triples[3 * pair + 1], rule)) {
        pieces.push(piece);
        positions.push(pair);
      }
      this.#firstOf[pair + 1] = pieces.length;
    }
    this.#pieces = Uint32Array.from(pieces);
    this.#first = new Uint32Array(model.pieceCount + 1);
    for (const piece of pieces) this.#first[piece + 1]++;
    for (let i = 0; i < model.pieceCount; i++) this.#first[i + 1] += this.#first[i];
    this.#next = this.#first.slice(0, model.pieceCount);
    this.#uses = new Uint32Array(pieces.length);
    pieces.forEach((piece, i) => {
      this.#uses[this.#next[piece]++] = positions[i];
    });
    this.#next.set(this.#first.subarray(0, model.pieceCount));
  }

  /** What pairs [from, to) may need, in their order; some of it named twice. */
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
