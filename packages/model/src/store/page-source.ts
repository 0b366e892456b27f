/** Where the bytes of a store come from and go to: files, memory, a network. */
import { ImpingeError } from 'impinge/internal/base/errors.js';

/** Where some bytes are. */
export interface PageRange {
  readonly at: number;
  readonly length: number;
}

export interface PageSource {
  readonly byteLength: number;
  /** Fills the buffers, one after the other, from position `at` on. Several calls may run at once. */
  read(at: number, into: readonly Uint8Array[]): Promise<void>;
  /** The same synchronously, where the platform can. */
  readNow?(at: number, into: readonly Uint8Array[]): void;
  /** Announces the coming reads, in about this order; replaces earlier announcements. */
  expect?(ranges: readonly PageRange[]): void;
  dispose?(): Promise<void>;
}

/** Takes bytes in order. They may be overwritten once the promise has resolved. */
export interface PageSink {
  write(bytes: Uint8Array): Promise<void>;
}

/** A store in memory. */
export class MemorySource implements PageSource {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    if (!(bytes instanceof Uint8Array))
      throw new ImpingeError('bad-input', 'the bytes of a store are needed');
    this.#bytes = bytes;
  }
  get byteLength(): number {
    return this.#bytes.byteLength;
  }
  async read(at: number, into: readonly Uint8Array[]): Promise<void> {
    this.readNow(at, into);
  }
  readNow(at: number, into: readonly Uint8Array[]): void {
    for (const buffer of into) {
      if (at + buffer.length > this.byteLength) throw cutOff(at + buffer.length, this.byteLength);
      buffer.set(this.#bytes.subarray(at, at + buffer.length));
      at += buffer.length;
    }
  }
}

/** Collects a store in memory. */
export class MemorySink implements PageSink {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  async write(bytes: Uint8Array): Promise<void> {
    this.#chunks.push(bytes.slice());
    this.#length += bytes.length;
  }
  bytes(): Uint8Array {
    const out = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  }
}

export function cutOff(wanted: number, there: number): ImpingeError {
  return new ImpingeError(
    'bad-buffer',
    `the store was cut off: ${wanted} bytes are needed, ${there} are present`,
  );
}
