/**
 * Requests to addresses that users provide. The connection is made to a checked IP address, not to a name that may
 * resolve differently a moment later, and each redirect is checked like the first address.
 *
 * Invariant: unless private addresses are allowed, no byte is sent to one.
 */
import { lookup as systemLookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { withoutSecrets } from '@impinge/cli/internal/remote/location.js';
import { PublicAddresses } from './public-address.js';

const REDIRECTS_MAX = 5;
const CONNECT_MS = 15_000;

/** Resolves a name to all its addresses. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export interface NetworkPolicy {
  /** True: all addresses; ranges: public addresses and these. Either also allows http://. */
  readonly allowPrivate: boolean | readonly string[];
  /** Replaces the system's resolver in tests. */
  readonly resolve?: Resolve;
}

export interface GuardedRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

const resolveBySystem: Resolve = (name) =>
  new Promise((resolve, reject) => {
    systemLookup(name, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    );
  });

/** Returns whether an address may be connected to. */
function addressFilter({ allowPrivate }: NetworkPolicy): (address: string) => boolean {
  if (allowPrivate === true) return () => true;
  const known = new PublicAddresses(allowPrivate || []);
  return (address) => known.has(address);
}

/** Checks everything about an address except what its name resolves to. */
export function allowedUrl(address: string, policy: NetworkPolicy): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new CommandError(`${withoutSecrets(address)}: this is not an address`);
  }
  const { allowPrivate } = policy;
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol))
    throw new CommandError(
      `${withoutSecrets(address)}: only https:// is supported${allowPrivate ? ', and http://' : ''}`,
    );
  if (url.username !== '' || url.password !== '')
    throw new CommandError(`${withoutSecrets(address)}: addresses must not contain names or passwords`);
  // the WHATWG parser has normalised all notations of IPv4
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) && !addressFilter(policy)(host)) throw refused(address, host);
  return url;
}

function refused(address: string, found: string): CommandError {
  return new CommandError(
    `${withoutSecrets(address)}: leads to ${found}, which is not a public address; --allow-private allows it`,
  );
}

/** Follows redirects of GET. The caller must read or destroy the body of the response. */
export async function guardedRequest(
  address: string,
  asked: GuardedRequest,
  policy: NetworkPolicy,
): Promise<IncomingMessage> {
  let at = address;
  for (let i = 0; i <= REDIRECTS_MAX; i++) {
    const answer = await requestOnce(allowedUrl(at, policy), asked, policy);
    const { location } = answer.headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.statusCode!) && location !== undefined;
    if (!isRedirect) return answer;
    answer.destroy();
    if (asked.method !== 'GET')
      throw new CommandError(`${withoutSecrets(address)}: redirects a POST request`);
    at = new URL(location, at).href;
  }
  throw new CommandError(`${withoutSecrets(address)}: redirects more than ${REDIRECTS_MAX} times`);
}

function requestOnce(
  url: URL,
  { method, headers = {}, body, signal }: GuardedRequest,
  policy: NetworkPolicy,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        headers: {
          'User-Agent': 'impinge',
          ...headers,
          ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
        },
        // a reused connection may lead to an address that was not checked
        agent: false,
        lookup: guardedLookup(url.href, policy),
        timeout: CONNECT_MS,
        signal,
      },
      resolve,
    );
    sent.on('timeout', () => sent.destroy(new CommandError(`${withoutSecrets(url.href)}: does not respond`)));
    sent.on('error', (error) =>
      reject(
        signal.aborted
          ? signal.reason
          : error instanceof CommandError
            ? error
            : new CommandError(`${withoutSecrets(url.href)}: cannot be reached: ${error.message}`),
      ),
    );
    sent.end(body);
  });
}

/** Refuses a name if any of its addresses is private, since the system chooses which one is used. */
function guardedLookup(address: string, policy: NetworkPolicy) {
  const { resolve = resolveBySystem } = policy;
  const isAllowed = addressFilter(policy);
  const look: LookupFunction = (name, options, done) => {
    resolve(name).then(
      (found) => {
        const bad = found.find((one) => !isAllowed(one));
        if (bad !== undefined) return done(refused(address, bad), '');
        if (found.length === 0)
          return done(new CommandError(`${withoutSecrets(address)}: has no address`), '');
        const all = found.map((one) => ({ address: one, family: isIP(one) }));
        if (options.all) done(null, all);
        else done(null, all[0].address, all[0].family);
      },
      (error: Error) => done(error, ''),
    );
  };
  return look;
}
