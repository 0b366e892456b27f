/**
 * The bytes of a glTF buffer, in memory or left in their file. Meshes are small and consecutive, positions in one place
 * and indices in another: a few cached blocks serve most of them without a read of their own.
 */
export interface GltfBytes {
  readonly byteLength: number;
  /** Read-only. Precondition: 0 ≤ start ≤ end ≤ byteLength. */
  slice(start: number, end: number): Uint8Array;
}

/** Bytes [start, end) of a buffer. */
export interface ByteRange {
  readonly bytes: GltfBytes;
  readonly start: number;
  readonly end: number;
}

const BLOCK_BYTES = 256 << 10;
const BLOCKS = 8;

export function memoryBytes(bytes: Uint8Array): GltfBytes {
  return { byteLength: bytes.length, slice: (start, end) => bytes.subarray(start, end) };
}

/** A range of a file; `read` fills its argument, or throws. Small blocks suit scattered reads. */
export function fileBytes(
  read: (into: Uint8Array, position: number) => void,
  byteOffset: number,
  byteLength: number,
  blockBytes = BLOCK_BYTES,
): GltfBytes {
  const blocks: { start: number; bytes: Uint8Array }[] = [];
  const load = (start: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(length);
    read(bytes, byteOffset + start);
    return bytes;
  };
  return {
    byteLength,
    slice: (start, end) => {
      if (end - start > blockBytes / 2) return load(start, end - start);
      let block = blocks.find((known) => start >= known.start && end <= known.start + known.bytes.length);
      if (block === undefined) {
        block = { start, bytes: load(start, Math.min(blockBytes, byteLength - start)) };
        blocks.unshift(block);
        if (blocks.length > BLOCKS) blocks.pop();
      }
      return block.bytes.subarray(start - block.start, end - block.start);
    },
  };
}

const WINDOW_BYTES = 64 << 10;

/** Bytes [at, end) one after the other, some kilobytes of them in memory. */
export class ByteCursor {
  readonly #bytes: GltfBytes;
  readonly #end: number;
  #window: Uint8Array = new Uint8Array();
  #start: number;
  #used = 0;

  constructor(bytes: GltfBytes, at: number, end: number) {
    this.#bytes = bytes;
    this.#start = at;
    this.#end = end;
  }

  get at(): number {
    return this.#start + this.#used;
  }

  next(): number {
    if (this.#used === this.#window.length) {
      const at = this.at;
      if (at >= this.#end) throw new RangeError('no more bytes');
      this.#window = this.#bytes.slice(at, Math.min(this.#end, at + WINDOW_BYTES));
      this.#start = at;
      this.#used = 0;
    }
    return this.#window[this.#used++];
  }
}
