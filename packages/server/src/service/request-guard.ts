/**
 * Who asks, and whether they may: tokens in a header, or, of pages, in a cookie. A request that changes something and
 * comes with a cookie has to bring along what only pages of the service know; one for another host was led here by a
 * foreign name.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import type { Role, Token } from './api/schemas.js';
import { ClientAddresses } from './network/client-address.js';
import { RateLimit } from './rate-limit.js';
import type { ServiceSettings } from './settings.js';
import type { Runs } from './state/runs.js';
import { mayActAs, type Tokens } from './state/tokens.js';

const COOKIE = 'impinge_token';
const COOKIE_SECONDS = 30 * 86_400;
const CSRF_HEADER = 'x-csrf-token';

export interface Caller {
  readonly token: Token;
  /** What forms of this caller carry. */
  readonly csrf: string;
  /** By cookie, as pages do. */
  readonly byCookie: boolean;
}

export class RequestGuard {
  readonly #tokens: Tokens;
  readonly #runs: Runs;
  readonly #settings: ServiceSettings;
  readonly #addresses: ClientAddresses;
  readonly #perToken: RateLimit;
  readonly #files: RateLimit;
  readonly #perAddress: RateLimit;
  readonly #wrong: RateLimit;

  constructor(tokens: Tokens, runs: Runs, settings: ServiceSettings) {
    const { perToken, filesPerToken, perAddress, wrongTokens } = settings.limits;
    this.#tokens = tokens;
    this.#runs = runs;
    this.#settings = settings;
    this.#addresses = new ClientAddresses(settings.proxies);
    this.#perToken = new RateLimit(perToken);
    this.#files = new RateLimit(filesPerToken);
    this.#perAddress = new RateLimit(perAddress);
    this.#wrong = new RateLimit(wrongTokens);
  }

  /** A name that is not ours was made to lead here by somebody else; numbers cannot be. */
  assertHost({ headers }: IncomingMessage): void {
    const { publicUrl } = this.#settings;
    const host = (headers.host ?? '').toLowerCase();
    const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
    if (name !== 'localhost' && !isIP(name) && host !== publicUrl?.host)
      throw new RequestError(421, 'this service has another host name; see --public');
  }

  /** Undefined where no token came along; one that is wrong is an error. Files are asked for in many small parts. */
  async caller(request: IncomingMessage, forFiles = false): Promise<Caller | undefined> {
    const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const secret = bearer ?? cookieOf(request);
    if (secret === undefined) return this.#anonymous(request);
    const caller = await this.#callerOf(secret);
    if (!caller) {
      if (bearer === undefined) return this.#anonymous(request); // a cookie of yesterday
      this.#chargeWrong(request);
      throw new RequestError(401, 'this token is unknown or was revoked', { 'WWW-Authenticate': 'Bearer' });
    }
    limited((forFiles ? this.#files : this.#perToken).take(caller.token.id));
    return { ...caller, byCookie: bearer === undefined };
  }

  /** Who logs in; undefined where the token is wrong. */
  async login(secret: string, request: IncomingMessage): Promise<Caller | undefined> {
    const caller = await this.#callerOf(secret);
    if (!caller) this.#chargeWrong(request);
    return caller;
  }

  /** A request without a token. */
  #anonymous(request: IncomingMessage): undefined {
    limited(this.#perAddress.take(this.#addresses.of(request)));
  }

  /** Only those who fail pay: others at the same address, that of a proxy, have tokens that are right. */
  #chargeWrong(request: IncomingMessage): void {
    limited(this.#wrong.take(this.#addresses.of(request)));
  }

  async #callerOf(secret: string): Promise<Caller | undefined> {
    const token = await this.#tokens.find(secret);
    if (!token) return undefined;
    const csrf = createHmac('sha256', secret).update('impinge form').digest('base64url');
    return { token, csrf, byCookie: false };
  }

  assertRole(caller: Caller | undefined, role: Role): asserts caller is Caller {
    if (!caller) throw new RequestError(401, 'a token is needed', { 'WWW-Authenticate': 'Bearer' });
    if (!mayActAs(caller.token.role, role))
      throw new RequestError(403, `this needs a token of the role ${role}; yours has ${caller.token.role}`);
  }

  /** Who may see some projects only has no others, nor what is about all of them. */
  async assertWithin(
    { token: { projects } }: Caller,
    { project, run }: { readonly project?: string | undefined; readonly run?: string | undefined },
  ): Promise<void> {
    if (projects === null) return;
    if (project === undefined && run === undefined)
      throw new RequestError(403, 'this needs a token for all projects');
    const meant = project ?? (await this.#runs.get(run!))?.project;
    if (meant === undefined || !projects.includes(meant))
      throw new RequestError(404, `there is no such ${project === undefined ? 'run' : 'project'}`);
  }

  /** Of requests that change something. */
  assertMeant(caller: Caller, request: IncomingMessage, inForm?: string): void {
    if (!caller.byCookie) return;
    const given = inForm ?? request.headers[CSRF_HEADER];
    if (typeof given !== 'string' || !isSame(given, caller.csrf))
      throw new RequestError(403, 'this request does not come from a page of this service');
  }

  /** For `Set-Cookie`; without a secret, forgets it. */
  cookie(secret: string | undefined): string {
    const isSecure = this.#settings.publicUrl?.protocol === 'https:';
    const age = secret === undefined ? 0 : COOKIE_SECONDS;
    return `${COOKIE}=${secret ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }
}

function limited(seconds: number): void {
  if (seconds > 0) throw new RequestError(429, 'too many requests', { 'Retry-After': String(seconds) });
}

function cookieOf({ headers }: IncomingMessage): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((one) => one.trim().split('='));
  return pairs.find(([name]) => name === COOKIE)?.[1] || undefined;
}

/** In a time that says nothing of where two texts differ. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
