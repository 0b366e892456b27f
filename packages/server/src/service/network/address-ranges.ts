/** Ranges of network addresses, such as 10.1.0.0/16 or fd00::/8. */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** Whether `text` is an address or a range. */
export function isRange(text: string): boolean {
  const [address, bits, ...more] = text.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  const isRight = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  return isIP(address) !== 0 && isRight && more.length === 0;
}

export class AddressRanges {
  readonly #list = new BlockList();

  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const [address, bits] = range.split('/');
      const isShort = isIPv4(address);
      this.#list.addSubnet(address, Number(bits ?? (isShort ? 32 : 128)), isShort ? 'ipv4' : 'ipv6');
    }
  }

  has(address: string): boolean {
    return isIP(address) !== 0 && this.#list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}
