/** Name-based UUIDs (RFC 9562, version 5): the same name gives the same UUID on every machine. */
import { createHash } from 'node:crypto';

/** The namespace of impinge. */
const NAMESPACE = Buffer.from('8c5c1f0e4f0b4a5d9d0e6a1f3b7c2e95', 'hex');

export function nameUuid(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name, 'utf8').digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
