/**
 * Untrusted zip archives: entries are found by the directory at the end and read as streams, stored or deflated.
 * A small archive may promise, or hold, terabytes: everything read from one together is limited by its size on disk,
 * and an entry never gives more than it declared.
 *
 * Layout: directory entries of 46 bytes + name + extra fields, found by a record in the last 64 KiB; the 64-bit forms
 * of both are understood.
 */
import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { FormatError, quoted } from './format-error.js';
import type { SourceFile } from './source-file.js';

/** Text models compress by 5 to 30; genuine ones not by more. */
const MAX_INFLATION = 200;
/** Bytes that any archive may hold, whatever its size; and the limit for all. */
const ALWAYS_INFLATED_BYTES = 64 << 20;
const MAX_INFLATED_BYTES = 64 * 2 ** 30;
const MAX_ENTRIES = 100_000;
const CHUNK_BYTES = 1 << 18;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const END64_LOCATOR_SIGNATURE = 0x07064b50;
const END64_SIGNATURE = 0x06064b50;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const IN_64_BITS = 0xffffffff;
const EXTRA_64 = 1;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAG = 1;

interface Entry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly compressedBytes: number;
  readonly byteLength: number;
  /** CRC-32 of the contents. */
  readonly checksum: number;
  readonly offset: number;
}

export class ZipArchive {
  readonly #file: SourceFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #limit: number;
  #inflated = 0;

  private constructor(file: SourceFile, entries: ReadonlyMap<string, Entry>) {
    this.#file = file;
    this.#entries = entries;
    this.#limit = Math.min(
      MAX_INFLATED_BYTES,
      Math.max(ALWAYS_INFLATED_BYTES, MAX_INFLATION * file.byteLength),
    );
  }

  static open(file: SourceFile): ZipArchive {
    return new ZipArchive(file, readDirectory(file));
  }

  /** Names are compared without case and without a leading slash, as packages want it. */
  has(name: string): boolean {
    return this.#entries.has(keyOf(name));
  }

  /** The names of all entries that fit. */
  names(pattern: RegExp): string[] {
    return [...this.#entries.values()].map(({ name }) => name).filter((name) => pattern.test(name));
  }

  /** An entry's declared size, which it never exceeds; 0 where there is none. */
  byteLength(name: string): number {
    return this.#entries.get(keyOf(name))?.byteLength ?? 0;
  }

  /** The contents of an entry, piece by piece. */
  async *read(name: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(keyOf(name));
    if (entry === undefined) throw new FormatError(this.#file.path, `there is no ${quoted(name)} in it`);
    const fail = (why: string) => new FormatError(this.#file.path, why, quoted(entry.name));
    if (entry.flags & ENCRYPTED_FLAG) throw fail('it is encrypted');
    if (entry.method !== STORED && entry.method !== DEFLATED) {
      throw fail(`compressed by method ${entry.method}; only deflate is supported`);
    }
    if (this.#inflated + entry.byteLength > this.#limit) throw fail(this.#bombText());
    let count = 0;
    let checksum = 0;
    for await (const part of entry.method === STORED ? this.#bytes(entry) : this.#inflate(entry, fail)) {
      count += part.length;
      checksum = crc32(part, checksum);
      this.#inflated += part.length;
      if (count > entry.byteLength)
        throw fail(`it holds more than the ${entry.byteLength} bytes it declares`);
      if (this.#inflated > this.#limit) throw fail(this.#bombText());
      yield part;
    }
    if (count < entry.byteLength) throw fail(`cut off: ${count} of ${entry.byteLength} bytes`);
    if (checksum !== entry.checksum) throw fail('it was altered: its contents do not match their checksum');
  }

  #bombText(): string {
    return `it would grow to more than ${this.#limit} bytes; archives may hold ${MAX_INFLATION} times their size`;
  }

  async *#inflate(entry: Entry, fail: (why: string) => FormatError): AsyncGenerator<Uint8Array> {
    const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
    const source = Readable.from(this.#bytes(entry), { objectMode: false });
    source.on('error', (error) => inflate.destroy(error));
    try {
      yield* source.pipe(inflate) as AsyncIterable<Uint8Array>;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code?.startsWith('Z_'))
        throw fail('its compressed data is damaged');
      throw error;
    } finally {
      source.destroy();
      inflate.destroy();
    }
  }

  /** The bytes of an entry as they lie in the file. */
  async *#bytes(entry: Entry): AsyncGenerator<Uint8Array> {
    const file = this.#file;
    const local = viewAt(file, entry.offset, LOCAL_BYTES);
    if (local?.getUint32(0, true) !== LOCAL_SIGNATURE) {
      throw new FormatError(
        file.path,
        'the directory of the archive points outside the file',
        quoted(entry.name),
      );
    }
    const start = entry.offset + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true);
    for (let done = 0; done < entry.compressedBytes; ) {
      file.options.signal?.throwIfAborted();
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, entry.compressedBytes - done));
      const count = file.read(chunk, start + done);
      if (count === 0) throw new FormatError(file.path, 'cut off', quoted(entry.name));
      done += count;
      yield chunk.subarray(0, count);
    }
  }
}

function readDirectory(file: SourceFile): Map<string, Entry> {
  const { start, byteLength, count } = findDirectory(file);
  const fail = (why: string) => new FormatError(file.path, why, 'directory of the archive');
  if (count > MAX_ENTRIES) throw fail(`${count} entries; ${MAX_ENTRIES} are allowed`);
  const view = start + byteLength <= file.byteLength ? viewAt(file, start, byteLength) : undefined;
  if (view === undefined) throw fail('it reaches past the end of the file');
  const entries = new Map<string, Entry>();
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_BYTES > byteLength || view.getUint32(at, true) !== ENTRY_SIGNATURE)
      throw fail('it is damaged');
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const end = at + ENTRY_BYTES + nameBytes + extraBytes + view.getUint16(at + 32, true);
    if (end > byteLength) throw fail('it is damaged');
    const entry = readEntry(view, at, nameBytes, extraBytes);
    if (entry.offset + LOCAL_BYTES + entry.compressedBytes > file.byteLength) {
      throw fail(`${quoted(entry.name)} reaches past the end of the file`);
    }
    if (entries.has(keyOf(entry.name))) throw fail(`${quoted(entry.name)} is in it twice`);
    entries.set(keyOf(entry.name), entry);
    at = end;
  }
  return entries;
}

function readEntry(view: DataView, at: number, nameBytes: number, extraBytes: number): Entry {
  const nameAt = at + ENTRY_BYTES;
  const name = Buffer.from(view.buffer, view.byteOffset + nameAt, nameBytes).toString('utf8');
  const sizes = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
  // sizes that need 64 bits are in an extra field, in this order
  for (let extra = nameAt + nameBytes; extra + 4 <= nameAt + nameBytes + extraBytes; ) {
    const byteLength = view.getUint16(extra + 2, true);
    const end = Math.min(extra + 4 + byteLength, nameAt + nameBytes + extraBytes);
    let field = extra + 4;
    for (let i = 0; i < 3 && view.getUint16(extra, true) === EXTRA_64; i++) {
      if (sizes[i] !== IN_64_BITS || field + 8 > end) continue;
      sizes[i] = Number(view.getBigUint64(field, true));
      field += 8;
    }
    extra = end;
  }
  return {
    name,
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    checksum: view.getUint32(at + 16, true),
    byteLength: sizes[0],
    compressedBytes: sizes[1],
    offset: sizes[2],
  };
}

function findDirectory(file: SourceFile): { start: number; byteLength: number; count: number } {
  const tailBytes = Math.min(file.byteLength, END_BYTES + 0xffff);
  const tailAt = file.byteLength - tailBytes;
  const tail = viewAt(file, tailAt, tailBytes);
  for (let at = tailBytes - END_BYTES; tail && at >= 0; at--) {
    if (tail.getUint32(at, true) !== END_SIGNATURE) continue;
    const wide = wideDirectory(file, tailAt + at);
    if (wide !== undefined) return wide;
    return {
      count: tail.getUint16(at + 10, true),
      byteLength: tail.getUint32(at + 12, true),
      start: tail.getUint32(at + 16, true),
    };
  }
  throw new FormatError(file.path, 'not a whole zip archive: the directory at its end is missing');
}

/** The 64-bit directory that a locator just before `endAt` points to. */
function wideDirectory(file: SourceFile, endAt: number) {
  const locator = endAt >= 20 ? viewAt(file, endAt - 20, 20) : undefined;
  if (locator?.getUint32(0, true) !== END64_LOCATOR_SIGNATURE) return undefined;
  const end = viewAt(file, Number(locator.getBigUint64(8, true)), 56);
  if (end?.getUint32(0, true) !== END64_SIGNATURE) return undefined;
  return {
    count: Number(end.getBigUint64(32, true)),
    byteLength: Number(end.getBigUint64(40, true)),
    start: Number(end.getBigUint64(48, true)),
  };
}

/** Undefined where the file ends before. */
function viewAt(file: SourceFile, at: number, byteLength: number): DataView | undefined {
  if (at + byteLength > file.byteLength) return undefined;
  const bytes = new Uint8Array(byteLength);
  return file.read(bytes, at) === byteLength ? new DataView(bytes.buffer) : undefined;
}

function keyOf(name: string): string {
  return name.replace(/^\/+/, '').toLowerCase();
}
