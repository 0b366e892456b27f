/**
 * Authentication and authorisation: a token comes in a header or, from pages, in a cookie. A request with a cookie that
 * changes something needs the CSRF token of our pages; a request for an unknown host name may be DNS rebinding.
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
  /** The CSRF token of this caller's forms. */
  readonly csrf: string;
  /** Whether the token came in a cookie. */
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

  /** Prevents DNS rebinding; IP addresses cannot be rebound. */
  assertHost({ headers }: IncomingMessage): void {
    const { publicUrl } = this.#settings;
    const host = (headers.host ?? '').toLowerCase();
    const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
    if (name !== 'localhost' && !isIP(name) && host !== publicUrl?.host)
      throw new RequestError(421, 'this service has another host name; see --public');
  }

  /**
   * Undefined without a token; an invalid one is an error. Files have their own limit, since they are read in many
   * parts.
   */
  async caller(request: IncomingMessage, forFiles = false): Promise<Caller | undefined> {
    const bearer = givenToken(request);
    const secret = bearer ?? cookieOf(request);
    if (secret === undefined) return this.#anonymous(request);
    const caller = await this.#callerOf(secret);
    if (!caller) {
      if (bearer === undefined) return this.#anonymous(request); // an expired or revoked login
      this.#chargeWrong(request);
      throw new RequestError(401, 'this token is unknown or was revoked', { 'WWW-Authenticate': 'Bearer' });
    }
    limited((forFiles ? this.#files : this.#perToken).take(caller.token.id));
    return { ...caller, byCookie: bearer === undefined };
  }

  /** The caller of a login; undefined if the token is invalid. */
  async login(secret: string, request: IncomingMessage): Promise<Caller | undefined> {
    const caller = await this.#callerOf(secret);
    if (!caller) this.#chargeWrong(request);
    return caller;
  }

  #anonymous(request: IncomingMessage): undefined {
    limited(this.#perAddress.take(this.#addresses.of(request)));
  }

  /** Counts failures only: others may share the address of a proxy, with valid tokens. */
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

  /** A token for some projects cannot see others, nor anything about all of them. */
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

  /** For requests that change something. */
  assertMeant(caller: Caller, request: IncomingMessage, inForm?: string): void {
    if (!caller.byCookie) return;
    const given = inForm ?? request.headers[CSRF_HEADER];
    if (typeof given !== 'string' || !isSame(given, caller.csrf))
      throw new RequestError(403, 'this request does not come from a page of this service');
  }

  /** The value of `Set-Cookie`; without a secret, deletes the cookie. */
  cookie(secret: string | undefined): string {
    const isSecure = this.#settings.publicUrl?.protocol === 'https:';
    const age = secret === undefined ? 0 : COOKIE_SECONDS;
    return `${COOKIE}=${secret ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }
}

function limited(seconds: number): void {
  if (seconds > 0) throw new RequestError(429, 'too many requests', { 'Retry-After': String(seconds) });
}

/** As Bearer, or from programs, of which some know only passwords, as that of any user. */
function givenToken({ headers }: IncomingMessage): string | undefined {
  const [, scheme, value] = /^(Bearer|Basic) +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (value === undefined || scheme.toLowerCase() === 'bearer') return value;
  // browsers send passwords by themselves, also for other sites
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return undefined;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

function cookieOf({ headers }: IncomingMessage): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((one) => one.trim().split('='));
  return pairs.find(([name]) => name === COOKIE)?.[1] || undefined;
}

/** Constant-time comparison. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
