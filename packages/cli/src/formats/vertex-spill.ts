/** Vertices of a text file, written to a temporary file as they are read, to be looked up at random afterwards. */
import type { TemporaryFile } from './temporary-file.js';
import type { VertexRecords } from './vertex-pages.js';

export class VertexSpill {
  readonly #file: TemporaryFile;
  readonly #isWide: boolean;

  constructor(file: TemporaryFile, isWide: boolean) {
    this.#file = file;
    this.#isWide = isWide;
  }

  /** Three numbers per vertex, finite, of the precision given at the beginning. */
  append(positions: Float32Array | Float64Array): void {
    this.#file.append(new Uint8Array(positions.buffer, positions.byteOffset, positions.byteLength));
  }

  records(): VertexRecords {
    const file = this.#file;
    const strideBytes = this.#isWide ? 24 : 12;
    return {
      count: file.byteLength / strideBytes,
      byteOffset: 0,
      strideBytes,
      isWide: this.#isWide,
      read: (into, position) => {
        file.read(into, position);
      },
      decode: (bytes, count, into, at) => {
        const numbers = this.#isWide
          ? new Float64Array(bytes.buffer, bytes.byteOffset, 3 * count)
          : new Float32Array(bytes.buffer, bytes.byteOffset, 3 * count);
        into.set(numbers, at);
      },
    };
  }
}
