/**
 * What a reader made of a file, written down while it is used, and yielded again later without the reader.
 *
 * Layout: frames, each a length (u32, little-endian) and a value in the format of `node:v8`: what is known when a file
 * is opened, its shapes one by one, what is known when it was read. Then a length of 0, and the SHA-256 of all of that.
 * Invariant: a file under its own name is complete. One with another checksum counts as none.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import type { LeftOut, SourceShape } from '@impinge/model';
import type { Landmarks } from '../formats/landmarks.js';
import type { ModelSource, SourceOptions } from '../formats/model-source.js';
import { READ_NOW } from '../regular-file.js';
import { partialName } from './leftovers.js';

/** Such a large shape is not written down: it is hardly read faster than it was made. */
const FRAME_BYTES_MAX = 1 << 30;
const CHECKSUM_BYTES = 32;
const PART_BYTES = 1 << 20;

type Head = Omit<ModelSource, 'shapes' | 'landmarks' | 'leftOut' | 'close' | 'files'>;
interface Tail {
  readonly landmarks: Landmarks;
  readonly leftOut: readonly LeftOut[];
}

interface RecordedSource extends ModelSource {
  readonly recorded: true;
}

/** A source that also writes to `path` what it yields, if it is asked for all of it; not being able to is no error. */
export function recordedSource(source: ModelSource, path: string): RecordedSource {
  const recording = new Recording(path);
  const { shapes: _, landmarks: __, leftOut: ___, close: ____, files: _____, ...head } = source;
  let ended = false;
  return {
    ...head,
    recorded: true,
    async *shapes() {
      await recording.begin(head);
      for await (const shape of source.shapes()) {
        // objects may be made anew each time they are gone through: once, here
        const one = { ...shape, objects: [...shape.objects] };
        if (isPlain(one)) await recording.add(one);
        else await recording.drop();
        yield one;
      }
      ended = true;
    },
    async landmarks() {
      const landmarks = await source.landmarks();
      if (ended) await recording.end({ landmarks, leftOut: source.leftOut } satisfies Tail);
      return landmarks;
    },
    get leftOut() {
      return source.leftOut;
    },
    async close() {
      await recording.drop();
      await source.close();
    },
  };
}

/** Whether reading all of a source keeps it. */
export function isRecorded(source: ModelSource): source is RecordedSource {
  return 'recorded' in source;
}

/** What `recordedSource` wrote to `path`, as the same source; undefined if there is no such file, or it is damaged. */
export async function keptSource(path: string, options: SourceOptions): Promise<ModelSource | undefined> {
  const file = await open(path, READ_NOW).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    if (await isWhole(file)) return await sourceOf(new Frames(file), options);
  } catch {
    // damaged: the reader is asked again, and what it says replaces this
  }
  await file.close();
  return undefined;
}

async function sourceOf(frames: Frames, { signal, onProgress }: SourceOptions): Promise<ModelSource> {
  const head = (await frames.next()) as Head;
  let tail: Tail | undefined;
  return {
    ...head,
    async *shapes() {
      for (;;) {
        signal?.throwIfAborted();
        const frame = (await frames.next()) as SourceShape | Tail;
        if ('landmarks' in frame) {
          tail = frame;
          return;
        }
        yield frame;
        onProgress?.({ done: Math.floor(head.byteLength * frames.share), total: head.byteLength });
      }
    },
    landmarks: async () => tail!.landmarks,
    get leftOut() {
      return tail?.leftOut ?? [];
    },
    close: () => frames.close(),
  };
}

function isPlain({ geometry }: SourceShape): boolean {
  return 'indices' in geometry && ArrayBuffer.isView(geometry.indices);
}

class Recording {
  readonly #path: string;
  readonly #partial: string;
  readonly #hash = createHash('sha256');
  #file: FileHandle | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#partial = partialName(path);
  }

  async begin(head: Head): Promise<void> {
    this.#file = await open(this.#partial, 'wx', 0o600).catch(() => undefined);
    await this.add(head);
  }

  async add(value: Head | SourceShape | Tail): Promise<void> {
    if (!this.#file) return;
    const bytes = serialize(value);
    if (bytes.length > FRAME_BYTES_MAX) await this.drop();
    else await this.#write(lengthOf(bytes.length), bytes);
  }

  /** The file gets its name. */
  async end(tail: Tail): Promise<void> {
    await this.add(tail);
    await this.#write(lengthOf(0));
    await this.#write(this.#hash.copy().digest());
    const file = this.#file;
    if (!file) return;
    this.#file = undefined;
    await file.close();
    await rename(this.#partial, this.#path).catch(() => rm(this.#partial, { force: true }));
  }

  async drop(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    await file.close();
    await rm(this.#partial, { force: true });
  }

  async #write(...blocks: Uint8Array[]): Promise<void> {
    try {
      for (const block of blocks) {
        this.#hash.update(block);
        await this.#file?.writeFile(block);
      }
    } catch {
      await this.drop(); // a full disk: the model is packed without this
    }
  }
}

function lengthOf(bytes: number): Uint8Array {
  return Buffer.from(Uint32Array.of(bytes).buffer);
}

/** Frames of a file that is whole. */
class Frames {
  readonly #file: FileHandle;
  #at = 0;
  #byteLength = 1;
  /** Frames are small: read some at a time. */
  #part = new Uint8Array(0);
  #partAt = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The share of the file that was read. */
  get share(): number {
    return this.#at / this.#byteLength;
  }

  async next(): Promise<unknown> {
    if (this.#at === 0) this.#byteLength = (await this.#file.stat()).size;
    const { buffer } = await this.#read(new Uint8Array(4));
    // in memory of its own: its arrays are views of that, and may be handed on to another thread
    return deserialize(await this.#read(Buffer.alloc(new Uint32Array(buffer)[0])));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #read<Bytes extends Uint8Array>(into: Bytes): Promise<Bytes> {
    if (this.#at + into.length > this.#partAt + this.#part.length) {
      const length = Math.min(Math.max(PART_BYTES, into.length), this.#byteLength - this.#at);
      if (this.#part.length !== length) this.#part = new Uint8Array(length);
      await this.#file.read(this.#part, 0, length, (this.#partAt = this.#at));
    }
    into.set(this.#part.subarray(this.#at - this.#partAt).subarray(0, into.length));
    this.#at += into.length;
    return into;
  }
}

/** Whether a file ends with the checksum of all before. */
async function isWhole(file: FileHandle): Promise<boolean> {
  const end = (await file.stat()).size - CHECKSUM_BYTES;
  if (end <= 0) return false;
  const hash = createHash('sha256');
  const part = new Uint8Array(PART_BYTES);
  for (let at = 0; at < end; ) {
    const { bytesRead } = await file.read(part, 0, Math.min(part.length, end - at), at);
    if (bytesRead === 0) return false;
    hash.update(part.subarray(0, bytesRead));
    at += bytesRead;
  }
  const stated = new Uint8Array(CHECKSUM_BYTES);
  await file.read(stated, 0, CHECKSUM_BYTES, end);
  return hash.digest().equals(stated);
}
