/**
 * The finished parts of a long task, written to disk as it proceeds, so that a run killed at any instant can be
 * resumed.
 *
 * Layout: lines of `<length> <checksum> <JSON>`: bytes of JSON and their CRC-32, eight hexadecimal digits each. The
 * first line is the header: the subject of the task, and its options. Entries follow in the order they were appended.
 * Invariant: everything before #end is whole lines. Anything behind it, after a crash or a full disk, is a part of a
 * line, and is cut off before anything is appended.
 */
import { open, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { CommandError } from '../command-error.js';
import { explained } from './file-errors.js';
import { LockFile } from './lock-file.js';

/** What the task depends on, by name; it is resumed only if all of it is the same. */
export type JournalHeader = Readonly<Record<string, string | number | boolean>>;

export interface Resumed {
  /** Includes the surviving entries. */
  readonly journal: Journal;
  readonly entryCount: number;
  /** Whether there was nothing to resume. */
  readonly isNew: boolean;
  /** Describes the loss at the end of the file. */
  readonly cut: string | undefined;
}

/** The part of an open file's interface that a journal uses. */
export interface JournalFile {
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  write(
    from: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** The functions of the system that a journal uses. */
export interface JournalSystem {
  open(path: string, flags: 'w+' | 'r+'): Promise<JournalFile>;
  /** Milliseconds. */
  now(): number;
}

const NODE: JournalSystem = { open, now: () => performance.now() };

const PREFIX_BYTES = 18;
const PREFIX = /^[0-9a-f]{8} [0-9a-f]{8} $/;
const HEADER_START = '{"journal":"impinge","version":1,"header":{';
const READ_BYTES = 1 << 18;
/** Longer entries count as damage. */
const MAX_ENTRY_BYTES = 1 << 26;
const SYNC_EVERY_MS = 1000;

export class Journal {
  readonly path: string;
  readonly #file: JournalFile;
  readonly #lock: LockFile;
  readonly #system: JournalSystem;
  /** Where the header ends. */
  readonly #start: number;
  #end: number;
  #unsynced = true;
  #syncedAt: number;
  /** The last call: calls run one after the other. */
  #last: Promise<void> = Promise.resolve();

  private constructor(
    path: string,
    file: JournalFile,
    lock: LockFile,
    { start, end }: { readonly start: number; readonly end: number },
    system: JournalSystem,
  ) {
    this.path = path;
    this.#file = file;
    this.#lock = lock;
    this.#start = start;
    this.#end = end;
    this.#system = system;
    this.#syncedAt = system.now();
  }

  /** Starts an empty journal; an existing one is overwritten. No other process can write it until it is closed. */
  static async create(path: string, header: JournalHeader, system: JournalSystem = NODE): Promise<Journal> {
    return guarded(path, async (lock) => {
      const file = await system.open(path, 'w+');
      return closingOnFailure(file, async () => {
        const end = await writeHeader(path, file, header);
        await file.datasync();
        return new Journal(path, file, lock, { start: end, end }, system);
      });
    });
  }

  /**
   * Resumes a journal: cuts off a line that was not finished, or was altered, with all behind it; starts a new one if
   * there is none, or only a part of a header after an early kill. Throws a CommandError that lists the differences if
   * the header is another one.
   */
  static async resume(path: string, header: JournalHeader, system: JournalSystem = NODE): Promise<Resumed> {
    return guarded(path, async (lock) => {
      let isNew = false;
      const file = await system.open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        isNew = true;
        return system.open(path, 'w+');
      });
      return closingOnFailure(file, async () => {
        let start = 0;
        let end = 0;
        let entryCount = -1;
        for await (const { payload, next } of payloads(file, 0, Infinity)) {
          if (start === 0) {
            requireSameHeader(path, payload, header);
            start = next;
          }
          end = next;
          entryCount++;
        }
        const cutBytes = (await sizeFrom(file, end)) - end;
        if (cutBytes > 0) {
          if (end === 0 && !(await isUnfinishedHeader(file))) throw notAJournal(path);
          await file.truncate(end);
        }
        if (end === 0) {
          start = end = await writeHeader(path, file, header);
          entryCount = 0;
        }
        await file.datasync();
        return {
          journal: new Journal(path, file, lock, { start, end }, system),
          entryCount,
          isNew,
          cut:
            cutBytes > 0
              ? `${path}: the last ${cutBytes} bytes were incomplete or altered, and were cut off`
              : undefined,
        };
      });
    });
  }

  /**
   * Adds entries (any JSON values). Once this returns, they survive the end of the process, and within about a second,
   * if appending or `sync()` continues, that of the machine. If it fails, the journal is unchanged.
   */
  append(entries: readonly unknown[]): Promise<void> {
    return this.#afterOthers(async () => {
      const bytes = Buffer.concat(entries.map((entry) => encoded(JSON.stringify(entry))));
      try {
        await writeFully(this.#file, bytes, this.#end);
      } catch (error) {
        // if even that fails, the next append or resume overwrites or cuts off the same bytes
        await this.#file.truncate(this.#end).catch(() => {});
        throw error;
      }
      this.#end += bytes.length;
      this.#unsynced = true;
      await this.#sync(SYNC_EVERY_MS);
    });
  }

  /** All entries so far, in order, as they are in the file. */
  async *entries<Entry>(): AsyncGenerator<Entry, void, void> {
    const end = this.#end;
    let at = this.#start;
    for await (const { payload, next } of payloads(this.#file, at, end)) {
      const entry = parsed<Entry>(payload);
      if (entry === undefined) throw foreignEntry(this.path);
      yield entry;
      at = next;
    }
    if (at < end) {
      throw new CommandError(
        `${this.path} was altered while it was used; --resume continues from the intact part`,
      );
    }
  }

  /** Forces appended entries to disk, unless that happened within the last second. */
  sync(): Promise<void> {
    return this.#afterOthers(() => this.#sync(SYNC_EVERY_MS));
  }

  /** Forces everything to disk and releases the journal. */
  close(): Promise<void> {
    return this.#afterOthers(async () => {
      try {
        await this.#sync(0);
      } finally {
        await this.#closeFile();
      }
    });
  }

  /** Closes and deletes it, because the task is done. */
  remove(): Promise<void> {
    return this.#afterOthers(async () => {
      await rm(this.path, { force: true });
      await this.#closeFile();
    });
  }

  async #sync(everyMs: number): Promise<void> {
    const now = this.#system.now();
    if (!this.#unsynced || now - this.#syncedAt < everyMs) return;
    await this.#file.datasync();
    this.#unsynced = false;
    this.#syncedAt = now;
  }

  async #closeFile(): Promise<void> {
    try {
      await this.#file.close();
    } finally {
      await this.#lock.release();
    }
  }

  #afterOthers(act: () => Promise<void>): Promise<void> {
    const done = this.#last.then(act).catch((error) => {
      throw explained(error, (why) => `${this.path}: ${why}; finished work is kept; --resume continues it`);
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

async function guarded<T>(path: string, act: (lock: LockFile) => Promise<T>): Promise<T> {
  try {
    const lock = await LockFile.acquire(`${path}.lock`, path);
    try {
      return await act(lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw explained(error, (why) => `${path}: ${why}; nothing was started`);
  }
}

async function closingOnFailure<T>(file: JournalFile, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    await file.close();
    throw error;
  }
}

function encoded(json: string): Buffer {
  const payload = Buffer.from(json);
  const prefix = `${hexadecimal(payload.length)} ${hexadecimal(crc32(payload))} `;
  return Buffer.concat([Buffer.from(prefix), payload, Buffer.from('\n')]);
}

const hexadecimal = (n: number) => n.toString(16).padStart(8, '0');

function encodedHeader(header: JournalHeader): Buffer {
  return encoded(JSON.stringify({ journal: 'impinge', version: 1, header }));
}

/** Starts an empty journal, or leaves none; returns the position of the first entry. */
async function writeHeader(path: string, file: JournalFile, header: JournalHeader): Promise<number> {
  const bytes = encodedHeader(header);
  try {
    await writeFully(file, bytes, 0);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return bytes.length;
}

async function writeFully(file: JournalFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}

/** The intact payloads between two positions, up to the first that is not, each with the position behind its line. */
async function* payloads(
  file: JournalFile,
  from: number,
  to: number,
): AsyncGenerator<{ payload: Buffer; next: number }, void, void> {
  let waiting: Buffer = Buffer.alloc(0);
  let at = from;
  for (let readTo = from; readTo < to; ) {
    const chunk = Buffer.allocUnsafe(Math.min(READ_BYTES, to - readTo));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, readTo);
    if (bytesRead === 0) return;
    readTo += bytesRead;
    waiting = Buffer.concat([waiting, chunk.subarray(0, bytesRead)]);
    let used = 0;
    while (waiting.length - used >= PREFIX_BYTES) {
      const prefix = waiting.toString('latin1', used, used + PREFIX_BYTES);
      const length = Number.parseInt(prefix, 16);
      if (!PREFIX.test(prefix) || length > MAX_ENTRY_BYTES) return;
      const start = used + PREFIX_BYTES;
      if (waiting.length <= start + length) break; // wait for the rest
      const payload = waiting.subarray(start, start + length);
      if (waiting[start + length] !== 10 || crc32(payload) !== Number.parseInt(prefix.slice(9), 16)) return;
      at += PREFIX_BYTES + length + 1;
      used = start + length + 1;
      yield { payload, next: at };
    }
    waiting = waiting.subarray(used);
  }
}

/** An intact checksum proves that a line is unaltered, not that it is JSON; undefined if it is not. */
function parsed<T>(payload: Buffer): T | undefined {
  try {
    return JSON.parse(payload.toString()) as T;
  } catch {
    return undefined;
  }
}

/** The size of a file, if it has at least `least` bytes. */
async function sizeFrom(file: JournalFile, least: number): Promise<number> {
  const chunk = Buffer.allocUnsafe(READ_BYTES);
  let size = least;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, size);
    if (bytesRead === 0) return size;
    size += bytesRead;
  }
}

/** Whether the file is only the beginning of a header: its writer was killed right away. */
async function isUnfinishedHeader(file: JournalFile): Promise<boolean> {
  const bytes = Buffer.alloc(READ_BYTES);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  const text = bytes.toString('latin1', 0, bytesRead);
  const prefix = '00000000 00000000 ';
  const payload = text.slice(PREFIX_BYTES);
  return (
    !text.includes('\n') &&
    PREFIX.test(text.slice(0, PREFIX_BYTES) + prefix.slice(text.length)) &&
    payload.slice(0, HEADER_START.length) === HEADER_START.slice(0, payload.length)
  );
}

function requireSameHeader(path: string, payload: Buffer, expected: JournalHeader): void {
  const begins = payload.toString('latin1').startsWith(HEADER_START);
  const header = begins ? parsed<{ header: JournalHeader }>(payload)?.header : undefined;
  if (header === undefined) throw notAJournal(path);
  const names = [...new Set([...Object.keys(expected), ...Object.keys(header)])];
  const differences = names
    .filter((name) => header[name] !== expected[name])
    .map((name) => `${name} was ${shown(header[name])} and is ${shown(expected[name])}`);
  if (differences.length > 0) {
    throw new CommandError(
      `${path} was written for other work: ${differences.join('; ')}; run it without --resume to start again`,
    );
  }
}

function shown(value: string | number | boolean | undefined): string {
  if (value === undefined) return 'not given';
  const text = String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function notAJournal(path: string): CommandError {
  return new CommandError(
    `${path} is not a journal, or its beginning is damaged; run it without --resume to start again`,
  );
}

/** The error for entries with an intact checksum that are still not of this task. */
export function foreignEntry(path: string): CommandError {
  return new CommandError(
    `${path} has entries that do not belong to a check; run it without --resume to start again`,
  );
}
