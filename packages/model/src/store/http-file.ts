/**
 * A file on a server, read in parts (status 206). Transient errors are retried, with growing pauses. A file that
 * changes meanwhile is an error rather than a mix of two versions, and so is an inconsistent reply.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';
import { type LeastPace, Pace } from 'impinge/internal/base/pace.js';
import type { UrlLike } from 'impinge/internal/base/platform-types.js';

/** A remote file. */
export interface RemoteFile {
  /** For messages, without credentials. */
  readonly name: string;
  readonly byteLength: number;
  part(at: number, length: number): Promise<Uint8Array>;
}

const TRIES = 5;
/** Milliseconds before the second try; then twice as long each time. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;
/** Maximum length of a file in bytes; caches keep a table of its parts. */
const LONGEST = 2 ** 44;
/** Too early, too slow, too many, or a server that has trouble of its own. */
const MAY_PASS = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The address of a file; `name` omits credentials. */
interface Address {
  readonly url: string;
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A slower reply is aborted. */
  readonly pace: LeastPace | undefined;
}

/** One reply: a part, and its statements about the whole file. */
interface Part {
  readonly bytes: Uint8Array;
  readonly whole: number;
  /** Constant while the file is unchanged; empty where the server does not state one. */
  readonly version: string;
}

/** The properties of the file known so far. */
type Known = Pick<Part, 'whole' | 'version'>;

/** A transient error; retry after at least this many milliseconds. */
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
  readonly #known: Known;

  private constructor(address: Address, { whole, version }: Part) {
    this.#address = address;
    this.name = address.name;
    this.byteLength = whole;
    this.#known = { whole, version };
  }

  static async open(url: string | UrlLike, pace?: LeastPace): Promise<HttpFile> {
    if (typeof url !== 'string' && !(url instanceof URL)) {
      throw new ImpingeError('bad-input', `the URL of a store must be a string, got ${shown(url)}`);
    }
    const address = { ...addressOf(String(url)), pace };
    return new HttpFile(address, await persistently(() => onePart(address, 0, 1)));
  }

  async part(at: number, length: number): Promise<Uint8Array> {
    return (await persistently(() => onePart(this.#address, at, length, this.#known))).bytes;
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

async function onePart(address: Address, at: number, length: number, known?: Known): Promise<Part> {
  const { url, name } = address;
  const pace = new Pace(address.pace);
  try {
    const headers: Record<string, string> = { ...address.headers, Range: `bytes=${at}-${at + length - 1}` };
    // weak validators only promise the same meaning, and are compared nevertheless
    if (known?.version.startsWith('"')) headers['If-Match'] = known.version;
    const response = await fetch(url, { headers, signal: pace.signal });
    try {
      assertAnswered(response, name, at, known);
      const version = versionOf(response);
      const whole = wholeOf(response, name, at, length, known?.version === version ? known : undefined);
      const bytes = await bodyOf(response, name, length, pace);
      if (known && version !== known.version) throw changed(name);
      return { bytes, whole, version };
    } finally {
      if (!response.bodyUsed) await response.body?.cancel();
    }
  } catch (error) {
    if (error instanceof ImpingeError || error instanceof Passing) throw error;
    const { message, cause } = error as Error & { cause?: Error & { code?: string } };
    const why = failed(name, (cause?.message || message).replaceAll(url, name));
    throw cause?.code === 'ERR_INVALID_URL' ? why : new Passing(why);
  } finally {
    pace.end();
  }
}

/** Throws the reason where a reply is not a part. */
function assertAnswered(
  { ok, status, statusText, headers }: Response,
  name: string,
  at: number,
  known: Known | undefined,
): void {
  if (status === 412) throw changed(name);
  if (status === 416 && known)
    throw failed(name, `the server said that the file has ${known.whole} bytes, and has none at ${at}`);
  if (!ok) {
    const error = failed(name, `the server says ${status} ${statusText}`.trim());
    throw MAY_PASS.has(status) ? new Passing(error, 1000 * Number(headers.get('Retry-After') ?? 0)) : error;
  }
  if (status !== 206)
    throw new ImpingeError('unsupported', `${name}: the server does not send parts of files`, { url: name });
}

/** The file's length according to the server, if plausible. */
function wholeOf(
  { headers }: Response,
  name: string,
  at: number,
  length: number,
  known: Known | undefined,
): number {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('Content-Range') ?? '');
  if (!range) throw failed(name, 'the server does not say which part it sent');
  const [first, last, whole] = range.slice(1).map(Number);
  if (first !== at) throw failed(name, 'the server sent another part');
  const says = `the server says that the file has ${range[3]} bytes`;
  if (known && whole !== known.whole) throw failed(name, `${says}, and said ${known.whole} before`);
  if (last >= whole) throw failed(name, `${says}, and sends those at ${first} to ${last}`);
  if (whole > LONGEST) throw failed(name, `${says}, and no store is as long`);
  if (last !== at + length - 1)
    throw failed(name, `${says}, and sends ${last - first + 1} of ${length} at ${at}`);
  return whole;
}

/** Reads exactly `length` bytes, however many the server sends. */
async function bodyOf(response: Response, name: string, length: number, pace: Pace): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let count = 0;
  const reader = response.body!.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pace.came(next.value.length);
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
function addressOf(text: string): Omit<Address, 'pace'> {
  const [, scheme, user, rest] = /^([a-z]+:\/\/)(?:([^/?#]*)@)?(.*)$/is.exec(text) ?? ['', '', '', text];
  const url = scheme + rest;
  const headers: Record<string, string> = user
    ? { Authorization: `Basic ${btoa(decodeURIComponent(user))}` }
    : {};
  // the query string mostly holds signatures
  return { url, name: url.replace(/[?#].*$/s, ''), headers };
}

function changed(name: string): ImpingeError {
  return failed(name, 'the file has changed');
}

function failed(name: string, why: string): ImpingeError {
  return new ImpingeError('bad-input', `${name}: cannot be read: ${why}`, { url: name });
}
