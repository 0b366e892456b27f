/**
 * The address of the client: that of the connection or, behind trusted proxies, the one in X-Forwarded-For. Untrusted
 * clients can write anything into that header.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AddressRanges } from './address-ranges.js';

const HEADER = 'x-forwarded-for';

export class ClientAddresses {
  readonly #proxies: AddressRanges;

  constructor(proxies: readonly string[]) {
    this.#proxies = new AddressRanges(proxies);
  }

  of({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    let address = plain(socket.remoteAddress ?? '');
    // each proxy appends the address that connected to it; entries before the first untrusted one may be forged
    for (const said of String(headers[HEADER] ?? '')
      .split(',')
      .reverse()) {
      const before = plain(said.trim());
      if (!this.#proxies.has(address) || isIP(before) === 0) break;
      address = before;
    }
    return address;
  }
}

/** Removes port, brackets and zone; IPv4-mapped IPv6 becomes IPv4. */
function plain(address: string): string {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  return bare.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
}
