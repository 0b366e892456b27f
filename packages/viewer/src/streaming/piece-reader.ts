/** Reads pieces by a plan, a few requests at a time. */
import type { StoredModel } from '@impinge/model';
import { type PieceArrays, readPieces } from '@impinge/model';
import { planReads, REQUESTS } from './reads.js';

export interface PieceReaderOptions {
  /** So many bytes between two pieces are read rather than to ask twice. */
  readonly gapBytes: number;
  /** Whether there is room for what comes. */
  readonly mayRead: () => boolean;
  readonly arrived: (arrays: readonly PieceArrays[]) => void;
  readonly fail: (error: unknown) => void;
}

export class PieceReader {
  readonly #model: StoredModel;
  readonly #options: PieceReaderOptions;
  readonly #requested = new Set<number>();
  #requests = 0;
  #reads: Uint32Array[] = [];
  #epoch = 0;

  constructor(model: StoredModel, options: PieceReaderOptions) {
    this.#model = model;
    this.#options = options;
  }

  /** Everything planned has been asked for. */
  get isAsked(): boolean {
    return this.#reads.length === 0;
  }

  /** What is wanted from now on, the most urgent first, of which the first ones are read by themselves. */
  plan(wanted: Uint32Array, firstPieces: number): void {
    const open = wanted.filter((piece) => !this.#requested.has(piece));
    const { pieceByteOffset } = this.#model.directory;
    this.#reads = planReads(pieceByteOffset, open, this.#options.gapBytes, firstPieces);
  }

  /** What is under way is of no use any more. */
  forget(): void {
    this.#epoch++;
  }

  /** Keeps a few requests under way. */
  pump(): void {
    while (this.#requests < REQUESTS && this.#options.mayRead() && this.#reads.length > 0) {
      void this.#request(this.#reads.shift()!);
    }
  }

  async #request(pieces: Uint32Array): Promise<void> {
    const epoch = this.#epoch;
    this.#requests++;
    for (const piece of pieces) this.#requested.add(piece);
    try {
      const arrays = await readPieces(this.#model, pieces, { gapBytes: this.#options.gapBytes });
      for (const piece of pieces) this.#requested.delete(piece);
      this.#options.arrived(epoch === this.#epoch ? arrays : []);
    } catch (error) {
      this.#options.fail(error); // these are not asked for again
      this.#requests--;
      return;
    }
    this.#requests--;
    this.pump();
  }
}
