/**
 * Who may ask for what. The server listens on this computer only, but any page in its browsers can send requests here:
 * one whose name was made to lead here (DNS rebinding) shows in `Host`, another one in `Origin`, and neither knows the
 * token.
 *
 * Invariant: what is asked for is compared with names as they are, and never decoded; it is no path of any file system.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const HTTP_PORT = 80;
const LOCAL_NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** What is asked for below the token, or the status to refuse with. */
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

/** In a time that says nothing of where two texts differ. */
function isSame(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}
