/**
 * Sequential reading of files of any size: a window slides over the bytes, parsers work on its contents and request
 * more.
 *
 * Invariant: bytes[at, end) are unread; they lie at file offset `base + at` (after decompression). The window grows
 * only while a parser leaves more than half of it unread, and holds no element of more than MAX_ELEMENT_BYTES.
 */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FormatError } from './format-error.js';

export const CHUNK_BYTES = 4 << 20;
/** Maximum bytes of an element that must be in the window as a whole (a line, a number). */
const MAX_ELEMENT_BYTES = 4 << 20;

/** Writes up to `into.length` bytes and returns their number; 0 means the end. */
export type FillBytes = (into: Uint8Array) => Promise<number>;

/** Decompresses the rest of `window`. */
export function gunzip(window: ByteWindow): FillBytes {
  async function* compressed(): AsyncGenerator<Uint8Array> {
    do {
      if (window.end > window.at) yield window.bytes.slice(window.at, window.end);
      window.at = window.end;
    } while (await window.more());
  }
  const source = Readable.from(compressed(), { objectMode: false, highWaterMark: CHUNK_BYTES });
  const inflater = createGunzip({ chunkSize: 1 << 20 });
  source.on('error', (error) => inflater.destroy(error));
  const parts = source.pipe(inflater)[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let part = new Uint8Array(0);
  return async (into) => {
    while (part.length === 0) {
      const next = await parts.next().catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'Z_BUF_ERROR') throw new FormatError(window.file, 'the gzip data is cut off');
        if (error.code?.startsWith('Z_')) throw new FormatError(window.file, 'the gzip data is damaged');
        throw error;
      });
      if (next.done) return 0;
      part = next.value as Uint8Array<ArrayBuffer>;
    }
    const count = Math.min(part.length, into.length);
    into.set(part.subarray(0, count));
    part = part.subarray(count);
    return count;
  };
}

export class ByteWindow {
  readonly file: string;
  bytes: Uint8Array;
  view: DataView;
  at = 0;
  end = 0;
  base: number;
  #ended = false;
  readonly #byteEnd: number;
  readonly #fill: FillBytes;

  /** On the bytes [base, byteEnd) of a file, which `fill` gives from the first one on. */
  constructor(file: string, base: number, byteEnd: number, fill: FillBytes, chunkBytes = CHUNK_BYTES) {
    this.file = file;
    this.base = base;
    this.#byteEnd = byteEnd;
    this.#fill = fill;
    this.bytes = new Uint8Array(Math.min(chunkBytes, Math.max(64, byteEnd - base + 1)));
    this.view = new DataView(this.bytes.buffer);
  }

  /** Bytes from here to the end. */
  get bytesLeft(): number {
    return this.#byteEnd - this.base - this.at;
  }

  /** Reads on, keeping unread bytes; false at the end of the file. Positions in `bytes` change. */
  async more(): Promise<boolean> {
    if (this.#ended) return false;
    const unread = this.end - this.at;
    if (unread >= MAX_ELEMENT_BYTES) throw this.fail('a single line, name or number takes more than 4 MB');
    if (2 * unread >= this.bytes.length) {
      const larger = new Uint8Array(Math.max(64, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(this.at, this.end));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    } else {
      this.bytes.copyWithin(0, this.at, this.end);
    }
    this.base += this.at;
    this.at = 0;
    this.end = unread;
    // the whole window, so that a parser that starts over after each call does so rarely
    while (!this.#ended && this.end < this.bytes.length) {
      const count = await this.#fill(this.bytes.subarray(this.end));
      this.end += count;
      this.#ended = count === 0;
    }
    return this.end > unread;
  }

  /** Makes sure that `count` unread bytes are here; false when the file ends before. */
  async need(count: number): Promise<boolean> {
    while (this.end - this.at < count) if (!(await this.more())) return false;
    return true;
  }

  /** Copies the next `count` bytes out; undefined when the file ends before. */
  async take(count: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (count > this.bytesLeft) return undefined;
    const out = new Uint8Array(count);
    let done = Math.min(count, this.end - this.at);
    out.set(this.bytes.subarray(this.at, this.at + done));
    this.at += done;
    while (done < count) {
      const read = await this.#fill(out.subarray(done));
      if (read === 0) return undefined;
      done += read;
      this.base += read;
    }
    return out;
  }

  /** Passes over `count` bytes; false when the file ends before. */
  async skip(count: number): Promise<boolean> {
    let left = count;
    while (left > this.end - this.at) {
      left -= this.end - this.at;
      this.at = this.end;
      if (!(await this.more())) return false;
    }
    this.at += left;
    return true;
  }

  /** The error to throw about the byte at `at` (default: the next unread one), or about `where`. */
  fail(why: string, where = `byte ${this.base + this.at}`): FormatError {
    return new FormatError(this.file, why, where);
  }
}
