/** Pieces that are not loaded, each once however many objects want it, as urgent as the most urgent of them. */
export class MissingPieces {
  readonly #pieces: number[] = [];
  /** Per piece: 0 not missing, 1 missing, 2 missing and nothing stands for it. */
  readonly #need: Uint8Array;
  readonly #ratio: Float64Array;

  /** `pieces` has one entry per piece. */
  constructor(pieces: ArrayLike<unknown>) {
    this.#need = new Uint8Array(pieces.length);
    this.#ratio = new Float64Array(pieces.length);
  }

  add(piece: number, isCoarsest: boolean, ratio: number): void {
    const need = isCoarsest ? 2 : 1;
    const before = this.#need[piece];
    if (before === 0) this.#pieces.push(piece);
    if (need > before) {
      this.#need[piece] = need;
      this.#ratio[piece] = ratio;
    } else if (need === before && ratio > this.#ratio[piece]) this.#ratio[piece] = ratio;
  }

  /** The most urgent first. */
  sorted(): Uint32Array {
    const [need, ratio] = [this.#need, this.#ratio];
    return Uint32Array.from(this.#pieces).sort((a, b) => need[b] - need[a] || ratio[b] - ratio[a] || a - b);
  }
}
