/** Stores on a server, of which parts are fetched when they are needed. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { UrlLike } from 'impinge/internal/base/platform-types.js';
import { HttpFile } from './http-file.js';
import type { StoredModel } from './model.js';
import { openStore } from './open.js';
import { cutOff, type PageSource } from './page-source.js';

/** Requests under way at a time; browsers refuse when there are thousands. */
const MOST_REQUESTS = 8;

/** A file on a server that answers requests for parts of it (status 206). */
export class UrlSource implements PageSource {
  readonly url: string;
  readonly #file: HttpFile;
  #requests = 0;
  readonly #waiting: (() => void)[] = [];

  private constructor(url: string, file: HttpFile) {
    this.url = url;
    this.#file = file;
  }

  static async open(url: string | UrlLike): Promise<UrlSource> {
    const file = await HttpFile.open(url);
    return new UrlSource(String(url), file);
  }

  /** For messages: the URL without credentials. */
  get name(): string {
    return this.#file.name;
  }
  get byteLength(): number {
    return this.#file.byteLength;
  }

  async read(at: number, into: readonly Uint8Array[]): Promise<void> {
    const length = into.reduce((sum, buffer) => sum + buffer.length, 0);
    if (length === 0) return;
    if (at + length > this.byteLength) throw cutOff(at + length, this.byteLength);
    const bytes = await this.#inTurn(() => this.#file.part(at, length));
    let from = 0;
    for (const buffer of into) {
      buffer.set(bytes.subarray(from, from + buffer.length));
      from += buffer.length;
    }
  }

  /** First come, first served. */
  async #inTurn<T>(request: () => Promise<T>): Promise<T> {
    if (this.#requests < MOST_REQUESTS) this.#requests++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await request();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#requests--;
    }
  }
}

/** Opens the store at `url`; errors name it. */
export async function openStoreUrl(url: string | UrlLike): Promise<StoredModel> {
  const source = await UrlSource.open(url);
  return openNamed(source, source.name);
}

/** Opens a store, and adds its name to errors. */
export async function openNamed(source: PageSource, name: string): Promise<StoredModel> {
  try {
    return await openStore(source);
  } catch (error) {
    if (!(error instanceof ImpingeError) || error.message.startsWith(name)) throw error;
    throw new ImpingeError(error.code, `${name}: ${error.message}`, { ...error.detail, url: name });
  }
}
