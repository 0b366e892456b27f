/**
 * The state of a simulation as bytes: numbers and arrays one after the other, as they are in memory, so that no bit is
 * lost. Whoever reads knows what was written.
 *
 * Layout: 'impS', version, length, checksum (32 bits each), then the contents; arrays are preceded by their length in
 * bytes and begin at multiples of 8.
 */
import { checksumOf } from 'impinge/internal/base/checksum.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';

const MAGIC = 0x53706d69;
/** Of what is written by all classes together: rises with every change. */
const VERSION = 9;
const HEADER = 16;
const CHECKSUM_WORD = 3;

export type StateArray = Float64Array | Uint32Array | Uint8Array | Int32Array;

export class StateWriter {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #length = HEADER;

  number(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  flag(value: boolean): void {
    this.number(value ? 1 : 0);
  }

  text(value: string): void {
    this.array(new TextEncoder().encode(value));
  }

  array({ buffer, byteOffset, byteLength }: StateArray): void {
    this.number(byteLength);
    const padded = Math.ceil(byteLength / 8) * 8;
    this.#reserve(padded);
    this.#bytes.set(new Uint8Array(buffer, byteOffset, byteLength), this.#length);
    this.#length += padded;
  }

  finish(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length);
    const view = new DataView(bytes.buffer);
    [MAGIC, VERSION, this.#length].forEach((word, i) => {
      view.setUint32(4 * i, word, true);
    });
    view.setUint32(4 * CHECKSUM_WORD, checksumOf(bytes, CHECKSUM_WORD), true);
    return bytes;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

export class StateReader {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #at = HEADER;

  /** Throws unless the bytes are whole, and of this version. */
  constructor(bytes: Uint8Array) {
    if (!(bytes instanceof Uint8Array))
      throw new ImpingeError('bad-input', 'the bytes of a snapshot are needed');
    // slice() of a Buffer would not copy
    this.#bytes = new Uint8Array(bytes);
    this.#view = new DataView(this.#bytes.buffer);
    const word = (i: number) => (4 * i + 4 <= bytes.length ? this.#view.getUint32(4 * i, true) : -1);
    const refuse = (why: string) => new ImpingeError('bad-buffer', why);
    if (word(0) !== MAGIC) throw refuse('these bytes are no snapshot of a simulation');
    if (word(1) !== VERSION)
      throw refuse(`the snapshot has version ${word(1)}, and this library reads version ${VERSION}`);
    if (word(2) !== bytes.length) throw refuse(`the snapshot has ${bytes.length} bytes of ${word(2)}`);
    if (word(CHECKSUM_WORD) !== checksumOf(this.#bytes, CHECKSUM_WORD))
      throw refuse('the snapshot is damaged');
  }

  number(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  flag(): boolean {
    return this.number() !== 0;
  }

  text(): string {
    return new TextDecoder().decode(this.#next());
  }

  /** Reads into an array of the same length. */
  into(array: StateArray): void {
    const bytes = this.#next();
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes);
  }

  doubles(): Float64Array {
    return new Float64Array(this.#next().slice().buffer);
  }

  bytes(): Uint8Array {
    return this.#next().slice();
  }

  #next(): Uint8Array<ArrayBuffer> {
    const length = this.number();
    const at = this.#at;
    this.#at += Math.ceil(length / 8) * 8;
    return this.#bytes.subarray(at, at + length);
  }
}
