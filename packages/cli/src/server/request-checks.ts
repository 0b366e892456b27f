/**
 * Access control. The server listens on this computer only, but any page in its browsers can send requests here: one
 * whose name was made to resolve to it (DNS rebinding) shows in `Host`, any other in `Origin`, and neither knows the
 * token.
 *
 * Invariant: the requested name is compared literally, and never decoded; it is not a path of any file system.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const HTTP_PORT = 80;
const LOCAL_NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** The requested name below the token, or the status of the refusal. */
export type Asked = { readonly name: string; readonly query: URLSearchParams } | { readonly refused: number };

export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

export class RequestChecks {
  readonly #hosts: readonly string[];
  readonly #token: string;

  constructor(port: number, token: string) {
    this.#hosts = LOCAL_NAMES.flatMap((name) => [`${name}:${port}`, ...(port === HTTP_PORT ? [name] : [])]);
    this.#token = token;
  }

  asked({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): Asked {
    const { host = '', origin } = headers;
    if (!this.#hosts.includes(host.toLowerCase())) return { refused: 403 };
    if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
      return { refused: 403 };
    const [path, ...query] = url.split('?');
    const end = path.indexOf('/', 1);
    if (path[0] !== '/' || end < 0 || !isSame(path.slice(1, end), this.#token)) return { refused: 404 };
    return { name: path.slice(end + 1), query: new URLSearchParams(query.join('?')) };
  }
}

/** Compares in constant time, so that timing does not reveal where two texts differ. */
function isSame(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}
