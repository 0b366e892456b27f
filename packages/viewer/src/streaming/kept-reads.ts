/** Keeps what was read last from a store, so that drawing and questions read a page once. */
import type { PageSource } from '@impinge/model';

interface Run {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Runs longer than this share of the limit would displace too many others. */
const LONGEST_SHARE = 1 / 4;

export class KeptReads implements PageSource {
  readonly byteLength: number;
  /** Read from the source so far. */
  bytesRead = 0;
  keptBytes = 0;
  readonly #source: PageSource;
  readonly #limit: number;
  /** The last used one at the end. */
  #runs: Run[] = [];

  /** Keeps up to `limit` bytes. */
  constructor(source: PageSource, limit: number) {
    this.byteLength = source.byteLength;
    this.#source = source;
    this.#limit = limit;
  }

  async read(at: number, into: readonly Uint8Array[]): Promise<void> {
    const length = into.reduce((sum, buffer) => sum + buffer.length, 0);
    const kept = this.#find(at, length);
    if (kept) {
      scatter(kept, into);
      return;
    }
    this.bytesRead += length;
    await this.#source.read(at, into);
    if (length <= LONGEST_SHARE * this.#limit) this.#keep(at, gathered(into, length));
  }

  #find(at: number, length: number): Uint8Array | undefined {
    const i = this.#runs.findIndex((run) => run.at <= at && at + length <= run.at + run.bytes.length);
    if (i < 0) return undefined;
    const [run] = this.#runs.splice(i, 1);
    this.#runs.push(run);
    return run.bytes.subarray(at - run.at, at - run.at + length);
  }

  #keep(at: number, bytes: Uint8Array): void {
    const isWithin = (run: Run) => at <= run.at && run.at + run.bytes.length <= at + bytes.length;
    this.#runs = [...this.#runs.filter((run) => !isWithin(run)), { at, bytes }];
    this.keptBytes = this.#runs.reduce((sum, run) => sum + run.bytes.length, 0);
    while (this.keptBytes > this.#limit) this.keptBytes -= this.#runs.shift()!.bytes.length;
  }
}

/** Copies bytes to buffers, one after the other. */
export function scatter(bytes: Uint8Array, into: readonly Uint8Array[]): void {
  let from = 0;
  for (const buffer of into) {
    buffer.set(bytes.subarray(from, from + buffer.length));
    from += buffer.length;
  }
}

function gathered(buffers: readonly Uint8Array[], length: number): Uint8Array {
  const out = new Uint8Array(length);
  let at = 0;
  for (const buffer of buffers) {
    out.set(buffer, at);
    at += buffer.length;
  }
  return out;
}
