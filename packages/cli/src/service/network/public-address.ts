/**
 * Addresses that anybody on the internet may have. Whatever else there is (this computer, its network, the service that gives
 * virtual machines their credentials, addresses that stand for others) is not for addresses that users name.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** By the registries of special addresses, RFC 6890 and those after it. */
const NOT_PUBLIC_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** The only ones that are given out; those that hold an IPv4 address (mapped, 64:ff9b::/96) are not among them. */
const PUBLIC_IPV6 = ['2000::/3'];
/** Teredo, documentation, 6to4 and other registers within them. */
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) addRange(list, range);
  return list;
}

function addRange(list: BlockList, range: string): void {
  const [address, bits] = range.split('/');
  const isShort = isIPv4(address);
  list.addSubnet(address, Number(bits ?? (isShort ? 32 : 128)), isShort ? 'ipv4' : 'ipv6');
}

/** Those, and ranges such as 10.1.0.0/16 besides. */
export class PublicAddresses {
  readonly #more = new BlockList();
  readonly #notIPv4 = listOf(NOT_PUBLIC_IPV4);
  readonly #ipv6 = listOf(PUBLIC_IPV6);
  readonly #notIPv6 = listOf(NOT_PUBLIC_IPV6);

  constructor(more: readonly string[] = []) {
    for (const range of more) addRange(this.#more, range);
  }

  has(address: string): boolean {
    if (isIPv4(address)) return !this.#notIPv4.check(address, 'ipv4') || this.#more.check(address, 'ipv4');
    const plain = address.split('%')[0];
    if (isIPv6(plain) && this.#more.check(plain, 'ipv6')) return true;
    return isIPv6(plain) && this.#ipv6.check(plain, 'ipv6') && !this.#notIPv6.check(plain, 'ipv6');
  }
}
