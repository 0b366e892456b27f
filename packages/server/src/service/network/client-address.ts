/**
 * From whom a request comes: whoever is connected or, where that is a proxy that is trusted, whom it says it asks for.
 * Anybody else may write into that header what they like.
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
    // each proxy adds whom it was asked by at the end: what is before the first that is not trusted, that one has
    // written
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

/** Without port, brackets and zone; IPv4 as such, also where it comes in six. */
function plain(address: string): string {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  return bare.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
}
