/**
 * The bytes of a glTF buffer, in memory or left in their file. Meshes are small and lie one after the other, positions
 * in one place and indices in another: a few blocks that are kept serve most of them without a read of their own.
 */
export interface GltfBytes {
  readonly byteLength: number;
  /** Not to be written to. Precondition: 0 ≤ start ≤ end ≤ byteLength. */
  slice(start: number, end: number): Uint8Array;
}

const BLOCK_BYTES = 256 << 10;
const BLOCKS = 8;

export function memoryBytes(bytes: Uint8Array): GltfBytes {
  return { byteLength: bytes.length, slice: (start, end) => bytes.subarray(start, end) };
}

/** A range of a file; `read` fills what it is given, or throws. */
export function fileBytes(
  read: (into: Uint8Array, position: number) => void,
  byteOffset: number,
  byteLength: number,
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
      if (end - start > BLOCK_BYTES / 2) return load(start, end - start);
      let block = blocks.find((known) => start >= known.start && end <= known.start + known.bytes.length);
      if (block === undefined) {
        block = { start, bytes: load(start, Math.min(BLOCK_BYTES, byteLength - start)) };
        blocks.unshift(block);
        if (blocks.length > BLOCKS) blocks.pop();
      }
      return block.bytes.subarray(start - block.start, end - block.start);
    },
  };
}
