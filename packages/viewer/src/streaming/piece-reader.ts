/** Reads pieces according to a plan, with a few concurrent requests. */
import type { StoredModel } from '@impinge/model';
import { type PieceArrays, readPieces } from '@impinge/model';
import { planReads, REQUESTS } from './reads.js';

export interface PieceReaderOptions {
  /** Gaps of up to this many bytes are read to save a request. */
  readonly gapBytes: number;
  /** Whether there is room for more data. */
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

  /** Whether everything planned has been requested. */
  get isAsked(): boolean {
    return this.#reads.length === 0;
  }

  /** Replaces the plan: the most urgent first; the first pieces have their own requests. */
  plan(wanted: Uint32Array, firstPieces: number): void {
    const open = wanted.filter((piece) => !this.#requested.has(piece));
    const { pieceByteOffset } = this.#model.directory;
    this.#reads = planReads(pieceByteOffset, open, this.#options.gapBytes, firstPieces);
  }

  /** Discards the results of active requests. */
  forget(): void {
    this.#epoch++;
  }

  /** Keeps a few requests active. */
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
      this.#options.fail(error); // these are not requested again
      this.#requests--;
      return;
    }
    this.#requests--;
    this.pump();
  }
}
