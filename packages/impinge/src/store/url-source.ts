/** Stores on a server, of which parts are fetched when they are needed. */

import { ImpingeError } from '../base/errors.js';
import { shown } from '../base/options.js';
import type { UrlLike } from '../base/platform-types.js';
import type { StoredModel } from './model.js';
import { openStore } from './open.js';
import { cutOff, type PageSource } from './page-source.js';

/** Requests under way at a time; browsers refuse when there are thousands. */
const MOST_REQUESTS = 8;

/** A file on a server that answers requests for parts of it (status 206). */
export class UrlSource implements PageSource {
  readonly url: string;
  readonly byteLength: number;
  #requests = 0;
  readonly #waiting: (() => void)[] = [];

  private constructor(url: string, byteLength: number) {
    this.url = url;
    this.byteLength = byteLength;
  }

  static async open(url: string | UrlLike): Promise<UrlSource> {
    if (typeof url !== 'string' && !(url instanceof URL)) {
      throw new ImpingeError('bad-input', `the URL of a store must be a text, got ${shown(url)}`);
    }
    const { whole } = await part(String(url), 0, 1);
    return new UrlSource(String(url), whole);
  }

  async read(at: number, into: readonly Uint8Array[]): Promise<void> {
    const length = into.reduce((sum, buffer) => sum + buffer.length, 0);
    if (length === 0) return;
    if (at + length > this.byteLength) throw cutOff(at + length, this.byteLength);
    const { bytes, whole } = await this.#inTurn(() => part(this.url, at, length));
    if (whole !== this.byteLength) throw failed(this.url, 'the file has changed');
    let from = 0;
    for (const buffer of into) {
      buffer.set(bytes.subarray(from, from + buffer.length));
      from += buffer.length;
    }
  }

  /** Those who come first are served first. */
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
  try {
    return await openStore(source);
  } catch (error) {
    if (!(error instanceof ImpingeError) || error.message.startsWith(source.url)) throw error;
    throw new ImpingeError(error.code, `${source.url}: ${error.message}`, {
      ...error.detail,
      url: source.url,
    });
  }
}

/** A part of a file, and how long the whole is. */
async function part(url: string, at: number, length: number): Promise<{ bytes: Uint8Array; whole: number }> {
  let response: Response;
  let bytes: Uint8Array;
  try {
    response = await fetch(url, { headers: { Range: `bytes=${at}-${at + length - 1}` } });
    if (response.ok && response.status !== 206) {
      await response.body?.cancel();
      throw new ImpingeError('unsupported', `${url}: the server does not send parts of files`, { url });
    }
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (error instanceof ImpingeError) throw error;
    throw failed(url, error instanceof Error ? error.message : shown(error));
  }
  if (!response.ok) throw failed(url, `the server says ${response.status} ${response.statusText}`.trim());
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '');
  if (!range) throw failed(url, 'the server does not say which part it sent');
  if (Number(range[1]) !== at || bytes.length !== length) throw failed(url, 'the server sent another part');
  return { bytes, whole: Number(range[2]) };
}

function failed(url: string, why: string): ImpingeError {
  return new ImpingeError('bad-input', `${url}: cannot be read: ${why}`, { url });
}
