/**
 * A zip archive, written entry by entry: only directory records stay in memory.
 *
 * Layout: for each entry a local header, its name and its bytes; then the directory; then its position. Without
 * extensions: at most 65 535 entries and 4 GiB.
 * Invariant: entries carry one fixed date, and nothing depends on the time or place of writing.
 */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import type { Write } from './staged-files.js';

/** The content of an entry, ready to be written. */
export interface ZipContent {
  readonly bytes: Uint8Array;
  readonly isDeflated: boolean;
  readonly checksum: number;
  /** Uncompressed size. */
  readonly byteLength: number;
}

const LOCAL_SIGNATURE = 0x04034b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
/** 2.0: directories and deflate. */
const VERSION = 20;
/** 1980-01-01, 12:00. */
const [TIME, DATE] = [12 << 11, (1 << 5) | 1];
const MOST_ENTRIES = 0xffff;
const MOST_BYTES = 0xffffffff;
/** Sizes of zlib's output chunks. */
const [LEAST_CHUNK, MOST_CHUNK] = [64, 1 << 16];
/** Entries are small, so they are collected into larger writes. */
const FLUSH_BYTES = 1 << 18;

export function deflated(text: string): ZipContent {
  const content = Buffer.from(text);
  // zlib's result keeps its whole chunk in memory
  const chunkSize = Math.min(Math.max(LEAST_CHUNK, content.length), MOST_CHUNK);
  const bytes = deflateRawSync(content, { chunkSize });
  return { bytes, isDeflated: true, checksum: crc32(content), byteLength: content.length };
}

/** Of a long text in parts, of which only the result is kept. */
export async function deflatedParts(parts: AsyncIterable<string>): Promise<ZipContent> {
  let checksum = 0;
  let byteLength = 0;
  async function* contents(): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      const content = Buffer.from(part);
      checksum = crc32(content, checksum);
      byteLength += content.length;
      yield content;
    }
  }
  const bytes = await buffer(Readable.from(contents()).pipe(createDeflateRaw()));
  return { bytes, isDeflated: true, checksum, byteLength };
}

export function stored(bytes: Uint8Array): ZipContent {
  return { bytes, isDeflated: false, checksum: crc32(bytes), byteLength: bytes.length };
}

export class ZipWriter {
  readonly #write: Write;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #offset = 0;
  #count = 0;
  /** The directory in parts of a few kilobytes. */
  readonly #directory: Uint8Array[] = [];
  #entries: Uint8Array[] = [];

  constructor(write: Write) {
    this.#write = write;
  }

  async add(name: string, content: ZipContent): Promise<void> {
    const nameBytes = Buffer.from(name);
    const common = commonFields(nameBytes, content);
    const entry = fields(ENTRY_SIGNATURE, VERSION, 46);
    entry.set(common, 6);
    entry.writeUInt32LE(this.#offset, 42);
    this.#entries.push(entry, nameBytes);
    if (this.#entries.length > 100) this.#gatherEntries();
    const local = fields(LOCAL_SIGNATURE, VERSION, 30);
    local.set(common.subarray(2), 6);
    this.#count++;
    for (const part of [local, nameBytes, content.bytes]) this.#append(part);
    if (this.#count > MOST_ENTRIES || this.#offset > MOST_BYTES)
      throw new RangeError('too large for a zip archive');
    if (this.#waitingBytes > FLUSH_BYTES) await this.#flush();
  }

  async end(): Promise<void> {
    const start = this.#offset;
    this.#gatherEntries();
    for (const part of this.#directory) this.#append(part);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(END_SIGNATURE, 0);
    end.writeUInt16LE(this.#count, 8);
    end.writeUInt16LE(this.#count, 10);
    end.writeUInt32LE(this.#offset - start, 12);
    end.writeUInt32LE(start, 16);
    this.#append(end);
    await this.#flush();
  }

  #gatherEntries(): void {
    this.#directory.push(Buffer.concat(this.#entries));
    this.#entries = [];
  }

  #append(part: Uint8Array): void {
    this.#waiting.push(part);
    this.#waitingBytes += part.length;
    this.#offset += part.length;
  }

  async #flush(): Promise<void> {
    const parts = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#write(Buffer.concat(parts));
  }
}

/** A header with its signature and version. */
function fields(signature: number, version: number, byteLength: number): Buffer {
  const bytes = Buffer.alloc(byteLength);
  bytes.writeUInt32LE(signature, 0);
  bytes.writeUInt16LE(version, 4);
  return bytes;
}

/** The common part of both headers: version, flags, method, date, checksum, sizes and length of the name. */
function commonFields(name: Uint8Array, { bytes, isDeflated, checksum, byteLength }: ZipContent): Buffer {
  const common = Buffer.alloc(24);
  common.writeUInt16LE(VERSION, 0);
  common.writeUInt16LE(isDeflated ? 8 : 0, 4);
  common.writeUInt16LE(TIME, 6);
  common.writeUInt16LE(DATE, 8);
  common.writeUInt32LE(checksum, 10);
  common.writeUInt32LE(bytes.length, 14);
  common.writeUInt32LE(byteLength, 18);
  common.writeUInt16LE(name.length, 22);
  return common;
}
