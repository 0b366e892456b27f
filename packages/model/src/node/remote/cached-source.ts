/**
 * A remote store as a source of pages, in any thread of a process: cached parts are read from the temporary file,
 * missing ones are requested first.
 *
 * Bounds: a part may be replaced while it is read. Its place is therefore looked up again afterwards; if it has
 * changed, the part is read again. A reading thread never blocks the one that fetches.
 */
import { readvSync } from 'node:fs';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { cutOff, type PageRange, type PageSource } from '../../store/page-source.js';
import { receivedError, type SentError, sentError } from '../sent-error.js';
import { NOWHERE, PART_BYTES, type PartCache, type PartTable } from './part-cache.js';

/** Fetches ranges of the remote file: the cache itself, or another thread on request. */
interface Fetcher {
  want(part: number): Promise<void>;
  expect(parts: readonly number[], reader: object): void;
  dispose(): Promise<void>;
}

/** For another thread; `port` must be in its transfer list. */
export interface SharedParts {
  readonly table: PartTable;
  readonly port: MessagePort;
}

type Request = { readonly want: number } | { readonly expect: readonly number[] };
type Reply = { readonly part: number; readonly error: SentError | undefined };

export class CachedSource implements PageSource {
  readonly #table: PartTable;
  readonly #fetcher: Fetcher;
  readonly #cache: PartCache | undefined;

  private constructor(table: PartTable, fetcher: Fetcher, cache?: PartCache) {
    this.#table = table;
    this.#fetcher = fetcher;
    this.#cache = cache;
  }

  /** In the thread that fetches. */
  static of(cache: PartCache): CachedSource {
    return new CachedSource(cache.table, cache, cache);
  }

  /** For use in another thread. */
  static from({ table, port }: SharedParts): CachedSource {
    return new CachedSource(table, new FarFetcher(port));
  }

  /** For another thread. */
  share(): SharedParts {
    const cache = this.#cache!;
    const { port1, port2 } = new MessageChannel();
    const reply = (part: number, error?: unknown) =>
      port1.postMessage({ part, error: error === undefined ? undefined : sentError(error) } satisfies Reply);
    port1.on('message', (request: Request) => {
      if ('expect' in request) return cache.expect(request.expect, port1);
      cache.want(request.want).then(
        () => reply(request.want),
        (error) => reply(request.want, error),
      );
    });
    port1.on('close', () => cache.forget(port1));
    port1.unref(); // fetching keeps the process alive, and waiting for wishes does not
    return { table: this.#table, port: port2 };
  }

  get byteLength(): number {
    return this.#table.byteLength;
  }

  async read(at: number, into: readonly Uint8Array[]): Promise<void> {
    const length = into.reduce((sum, buffer) => sum + buffer.length, 0);
    if (at + length > this.byteLength) throw cutOff(at + length, this.byteLength);
    const [first, last] = [Math.floor(at / PART_BYTES), Math.floor((at + length - 1) / PART_BYTES)];
    // all at once, in order that they may be one request; those after the first have come when their turn is
    for (let part = first; part <= last; part++) {
      if (Atomics.load(this.#table.placeOf, part) === NOWHERE) this.#fetcher.want(part).catch(() => {});
    }
    let rest = into;
    for (let part = first; part <= last; part++) {
      const begin = Math.max(at, part * PART_BYTES);
      const end = Math.min(at + length, (part + 1) * PART_BYTES);
      const [own, others] = firstBytes(rest, end - begin);
      while (!this.#readNow(part, begin - part * PART_BYTES, own)) await this.#fetcher.want(part);
      rest = others;
    }
  }

  expect(ranges: readonly PageRange[]): void {
    const parts = new Set<number>();
    for (const { at, length } of ranges) {
      for (let part = Math.floor(at / PART_BYTES); part * PART_BYTES < at + length; part++) parts.add(part);
    }
    this.#fetcher.expect([...parts], this);
  }

  dispose(): Promise<void> {
    return this.#fetcher.dispose();
  }

  /** From a position of a part; false where the part is not there, or went while it was read. */
  #readNow(part: number, at: number, into: readonly Uint8Array[]): boolean {
    const { placeOf, fd } = this.#table;
    const place = Atomics.load(placeOf, part);
    if (place === NOWHERE) return false;
    for (let rest = into; rest.length > 0; ) {
      const bytesRead = readvSync(fd, rest as Uint8Array[], place * PART_BYTES + at);
      if (bytesRead === 0) return false;
      rest = firstBytes(rest, bytesRead)[1];
      at += bytesRead;
    }
    return Atomics.load(placeOf, part) === place;
  }
}

/** Asks the thread that has the cache. */
class FarFetcher implements Fetcher {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, { done: Promise<void>; end: (error?: Error) => void }>();

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', ({ part, error }: Reply) => {
      const wish = this.#waiting.get(part);
      this.#waiting.delete(part);
      wish?.end(error && receivedError(error));
      if (this.#waiting.size === 0) port.unref();
    });
    port.unref();
  }

  want(part: number): Promise<void> {
    const known = this.#waiting.get(part);
    if (known) return known.done;
    let end!: (error?: Error) => void;
    const done = new Promise<void>((resolve, reject) => {
      end = (error) => (error ? reject(error) : resolve());
    });
    this.#waiting.set(part, { done, end });
    this.#port.ref();
    this.#port.postMessage({ want: part } satisfies Request);
    return done;
  }

  expect(parts: readonly number[]): void {
    this.#port.postMessage({ expect: parts } satisfies Request);
  }

  async dispose(): Promise<void> {
    this.#port.close();
  }
}

/** Splits buffers after a number of bytes. */
function firstBytes(buffers: readonly Uint8Array[], count: number): [Uint8Array[], Uint8Array[]] {
  const first: Uint8Array[] = [];
  let full = 0;
  for (; full < buffers.length && buffers[full].length <= count; full++) {
    first.push(buffers[full]);
    count -= buffers[full].length;
  }
  if (count === 0) return [first, buffers.slice(full)];
  return [
    [...first, buffers[full].subarray(0, count)],
    [buffers[full].subarray(count), ...buffers.slice(full + 1)],
  ];
}
