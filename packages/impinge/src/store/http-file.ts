/**
 * A file on a server, read in parts (status 206). What may pass is tried again, with pauses that grow; a file that is changed
 * meanwhile is an error, not a mix of two.
 */
import { ImpingeError } from '../base/errors.js';
import { shown } from '../base/options.js';
import type { UrlLike } from '../base/platform-types.js';

/** A file elsewhere. */
export interface RemoteFile {
  /** For messages, without what gives access to it. */
  readonly name: string;
  readonly byteLength: number;
  part(at: number, length: number): Promise<Uint8Array>;
}

const TRIES = 5;
/** Milliseconds before the second try; then twice as long each time. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;
const SILENCE = 20_000;
/** Too early, too slow, too many, or a server that has trouble of its own. */
const MAY_PASS = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Where a file is; `name` is without what gives access to it. */
interface Address {
  readonly url: string;
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds without a byte, after which a connection is given up. */
  readonly silence: number;
}

/** One answer: a part, and what it tells of the whole. */
interface Part {
  readonly bytes: Uint8Array;
  readonly whole: number;
  readonly version: string;
}

/** That it may be worth trying again, after so many milliseconds at least. */
class Passing {
  readonly error: ImpingeError;
  readonly pause: number;

  constructor(error: ImpingeError, pause = 0) {
    this.error = error;
    this.pause = pause;
  }
}

export class HttpFile implements RemoteFile {
  readonly name: string;
  readonly byteLength: number;
  readonly #address: Address;
  /** The same as long as the file is; empty where the server does not say. */
  readonly #version: string;

  private constructor(address: Address, { whole, version }: Part) {
    this.#address = address;
    this.name = address.name;
    this.byteLength = whole;
    this.#version = version;
  }

  static async open(url: string | UrlLike, silence: number = SILENCE): Promise<HttpFile> {
    if (typeof url !== 'string' && !(url instanceof URL)) {
      throw new ImpingeError('bad-input', `the URL of a store must be a text, got ${shown(url)}`);
    }
    const address = { ...addressOf(String(url)), silence };
    return new HttpFile(address, await persistently(() => onePart(address, 0, 1)));
  }

  async part(at: number, length: number): Promise<Uint8Array> {
    const { bytes, whole, version } = await persistently(() =>
      onePart(this.#address, at, length, this.#version),
    );
    if (whole !== this.byteLength || version !== this.#version) throw changed(this.name);
    return bytes;
  }
}

async function persistently<T>(request: () => Promise<T>): Promise<T> {
  for (let tries = 1, pause = FIRST_PAUSE; ; tries++, pause *= 2) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      if (tries === TRIES) throw error.error;
      const wait = Math.max(error.pause, pause * (0.5 + Math.random()));
      await new Promise((resolve) => setTimeout(resolve, Math.min(wait, LONGEST_PAUSE)));
    }
  }
}

async function onePart(address: Address, at: number, length: number, version = ''): Promise<Part> {
  const { url, name } = address;
  const control = new AbortController();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => control.abort(new Error('nothing came for a while')), address.silence);
  };
  try {
    listen();
    const headers: Record<string, string> = { ...address.headers, Range: `bytes=${at}-${at + length - 1}` };
    // weak ones are for what is alike, not the same; they are compared all the same
    if (version.startsWith('"')) headers['If-Match'] = version;
    const response = await fetch(url, { headers, signal: control.signal });
    try {
      assertPart(response, name, at);
      const whole = Number(/\/(\d+)$/.exec(response.headers.get('Content-Range')!)![1]);
      return { bytes: await bodyOf(response, name, length, listen), whole, version: versionOf(response) };
    } finally {
      if (!response.bodyUsed) await response.body?.cancel();
    }
  } catch (error) {
    if (error instanceof ImpingeError || error instanceof Passing) throw error;
    const { message, cause } = error as Error & { cause?: Error & { code?: string } };
    const why = failed(name, (cause?.message || message).replaceAll(url, name));
    throw cause?.code === 'ERR_INVALID_URL' ? why : new Passing(why);
  } finally {
    clearTimeout(silence);
  }
}

/** Has an answer that is not the part say why. */
function assertPart({ ok, status, statusText, headers }: Response, name: string, at: number): void {
  if (status === 412) throw changed(name);
  if (!ok) {
    const error = failed(name, `the server says ${status} ${statusText}`.trim());
    throw MAY_PASS.has(status) ? new Passing(error, 1000 * Number(headers.get('Retry-After') ?? 0)) : error;
  }
  if (status !== 206)
    throw new ImpingeError('unsupported', `${name}: the server does not send parts of files`, { url: name });
  const range = /^bytes (\d+)-\d+\/\d+$/.exec(headers.get('Content-Range') ?? '');
  if (!range) throw failed(name, 'the server does not say which part it sent');
  if (Number(range[1]) !== at) throw failed(name, 'the server sent another part');
}

/** So many bytes, and not more whatever the server sends. */
async function bodyOf(
  response: Response,
  name: string,
  length: number,
  onChunk: () => void,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let count = 0;
  const reader = response.body!.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    onChunk();
    if (count + next.value.length > length) {
      await reader.cancel();
      throw failed(name, 'the server sent another part');
    }
    bytes.set(next.value, count);
    count += next.value.length;
  }
  if (count < length) throw failed(name, 'the server sent another part');
  return bytes;
}

function versionOf({ headers }: Response): string {
  return headers.get('ETag') ?? headers.get('Last-Modified') ?? '';
}

/** User and password of an address go into a header: `fetch` refuses them elsewhere. */
function addressOf(text: string): Omit<Address, 'silence'> {
  const [, scheme, user, rest] = /^([a-z]+:\/\/)(?:([^/?#]*)@)?(.*)$/is.exec(text) ?? ['', '', '', text];
  const url = scheme + rest;
  const headers: Record<string, string> = user
    ? { Authorization: `Basic ${btoa(decodeURIComponent(user))}` }
    : {};
  // what is behind the question mark are signatures, mostly
  return { url, name: url.replace(/[?#].*$/s, ''), headers };
}

function changed(name: string): ImpingeError {
  return failed(name, 'the file has changed');
}

function failed(name: string, why: string): ImpingeError {
  return new ImpingeError('bad-input', `${name}: cannot be read: ${why}`, { url: name });
}
