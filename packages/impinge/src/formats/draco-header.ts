/**
 * The counts that a Draco stream declares in its first bytes: the decoder allocates that much before reading any data,
 * and equal values take no bits, so the size of a stream is no bound.
 * Layout: Draco bitstream 2.2, the one of glTF: "DRACO", version, kind, method, flags; metadata; counts.
 */

export interface DracoCounts {
  readonly points: number;
  readonly faces: number;
}

/** Bytes that include the counts, whatever the metadata. */
export const DRACO_HEADER_BYTES = 1 << 16;

/** `DRACO`, version 2.2, a mesh. */
const START = [0x44, 0x52, 0x41, 0x43, 0x4f, 2, 2, 1];
const SEQUENTIAL = 0;
const EDGEBREAKER = 1;
const METADATA_FLAG = 0x8000;
const MAX_METADATA_DEPTH = 16;

/** The counts that a stream begins with; undefined where it does not begin like one. */
export function dracoCounts(bytes: Uint8Array): DracoCounts | undefined {
  const reader = new Reader(bytes);
  for (const expected of START) if (reader.byte() !== expected) return undefined;
  const method = reader.byte();
  const flags = reader.byte() | (reader.byte() << 8);
  if ((flags & METADATA_FLAG) !== 0) skipMetadata(reader);
  let counts: DracoCounts | undefined;
  if (method === SEQUENTIAL) {
    const faces = reader.varint();
    counts = { faces, points: reader.varint() };
  } else if (method === EDGEBREAKER) {
    reader.byte(); // how the surface is walked
    const points = reader.varint();
    counts = { points, faces: reader.varint() };
  }
  return reader.isSound ? counts : undefined;
}

/** That of attributes, each with a number, then that of the whole. */
function skipMetadata(reader: Reader): void {
  for (let left = reader.varint(); left > 0 && reader.isSound; left--) {
    reader.varint();
    skipEntries(reader, 0);
  }
  skipEntries(reader, 0);
}

function skipEntries(reader: Reader, depth: number): void {
  if (depth > MAX_METADATA_DEPTH) reader.isSound = false;
  for (let left = reader.varint(); left > 0 && reader.isSound; left--) {
    reader.skip(reader.byte());
    reader.skip(reader.varint());
  }
  for (let left = reader.varint(); left > 0 && reader.isSound; left--) {
    reader.skip(reader.byte());
    skipEntries(reader, depth + 1);
  }
}

class Reader {
  /** Whether nothing was read past the end, or made no sense. */
  isSound = true;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    if (this.#at >= this.#bytes.length) this.isSound = false;
    return this.#bytes[this.#at++] ?? 0;
  }

  /** Seven bits a byte, the lowest first, as long as the eighth is set. */
  varint(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 35; factor *= 128) {
      const byte = this.byte();
      value += factor * (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    this.isSound = false;
    return 0;
  }

  skip(count: number): void {
    this.#at += count;
  }
}
