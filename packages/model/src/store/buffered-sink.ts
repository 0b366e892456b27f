/** Bytes that are appended one after the other, and written by the megabyte while the next are made. */
import { padded } from './layout.js';
import type { PageSink } from './page-source.js';
import { WriteBehind } from './write-behind.js';

const BUFFER_BYTES = 1 << 20;
const ZEROS = new Uint8Array(64);

export class BufferedSink {
  readonly #sink: WriteBehind;
  #buffer = new Uint8Array(BUFFER_BYTES);
  /** May still be waiting to be written. */
  #otherBuffer = new Uint8Array(BUFFER_BYTES);
  #buffered = 0;
  #written = 0;

  /** `head`: the first bytes. */
  constructor(sink: PageSink, head: Uint8Array) {
    this.#sink = new WriteBehind(sink);
    this.#buffer.set(head);
    this.#buffered = head.length;
  }

  /** The total number of bytes so far. */
  get byteLength(): number {
    return this.#written + this.#buffered;
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(bytes.length - at, BUFFER_BYTES - this.#buffered);
      this.#buffer.set(bytes.subarray(at, at + count), this.#buffered);
      this.#buffered += count;
      at += count;
      if (this.#buffered === BUFFER_BYTES) await this.#flush();
    }
  }

  /** Appends zeros up to where a page may begin. */
  async pad(): Promise<void> {
    const missing = padded(this.byteLength) - this.byteLength;
    if (missing > 0) await this.append(ZEROS.subarray(0, missing));
  }

  /** Writes the remaining bytes. */
  async done(): Promise<void> {
    await this.#flush();
    await this.#sink.done();
  }

  async #flush(): Promise<void> {
    if (this.#buffered === 0) return;
    await this.#sink.write(this.#buffer.subarray(0, this.#buffered));
    [this.#buffer, this.#otherBuffer] = [this.#otherBuffer, this.#buffer];
    this.#written += this.#buffered;
    this.#buffered = 0;
  }
}
