/**
 * Public internet addresses. All others (this computer, its network, the metadata services of virtual machines,
 * translated addresses) must not be reachable through addresses that users provide.
 */
import { isIPv4 } from 'node:net';
import { AddressRanges } from './address-ranges.js';

/** The registries of special-purpose addresses, RFC 6890 and its successors. */
const NOT_PUBLIC_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** The only range that is assigned; it excludes addresses that embed IPv4 (mapped, 64:ff9b::/96). */
const PUBLIC_IPV6 = ['2000::/3'];
/** Teredo, documentation, 6to4 and other special ranges within it. */
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Public addresses and additional ranges such as 10.1.0.0/16. */
export class PublicAddresses {
  readonly #more: AddressRanges;
  readonly #notIPv4 = new AddressRanges(NOT_PUBLIC_IPV4);
  readonly #ipv6 = new AddressRanges(PUBLIC_IPV6);
  readonly #notIPv6 = new AddressRanges(NOT_PUBLIC_IPV6);

  constructor(more: readonly string[] = []) {
    this.#more = new AddressRanges(more);
  }

  has(address: string): boolean {
    if (isIPv4(address)) return !this.#notIPv4.has(address) || this.#more.has(address);
    const plain = address.split('%')[0];
    return this.#more.has(plain) || (this.#ipv6.has(plain) && !this.#notIPv6.has(plain));
  }
}
