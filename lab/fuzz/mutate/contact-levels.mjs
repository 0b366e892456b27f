/** Mutations of one number in the header or arrays of contact levels, with a valid checksum. */
import { HEADER_WORDS, Header } from '../../../packages/dynamics/dist/contact-levels/layout.js';
import { checksumOf } from '../../../packages/impinge/dist/base/checksum.js';
import { mutateBytes } from './bytes.mjs';
import { below, oneIn, oneOf } from './choose.mjs';

/** Extreme values of numbers, offsets and counts. */
const WORDS = [0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
const FLOATS = [0, -1, 1e-40, 1e18, 3e38, -3e38, Infinity, Number.NaN];

export function mutateContactLevels(source, random, other) {
  const bytes = Buffer.from(source);
  if (bytes.length < 4 * HEADER_WORDS || oneIn(random, 10)) return mutateBytes(bytes, random, other);
  for (let left = 1 + below(random, 3); left > 0; left--) alterWord(bytes, random);
  const word = 4 * Header.checksum;
  bytes.writeUInt32LE(checksumOf(bytes, Header.checksum), word);
  return bytes;
}

/** Changes one word of the header or, mostly, of the data after it. */
function alterWord(bytes, random) {
  const words = Math.floor(bytes.length / 4);
  const at = 4 * (oneIn(random, 8) ? below(random, HEADER_WORDS) : below(random, words));
  const before = bytes.readUInt32LE(at);
  const kind = below(random, 5);
  if (kind === 0) bytes.writeUInt32LE(oneOf(random, WORDS), at);
  else if (kind === 1) bytes.writeFloatLE(oneOf(random, FLOATS), at);
  else if (kind === 2)
    bytes.writeUInt32LE((before + oneOf(random, [1, 2, 0xffffffff, 0xfffffffe])) >>> 0, at);
  else if (kind === 3) bytes.writeUInt32LE(bytes.readUInt32LE(4 * below(random, words)), at);
  else bytes.writeUInt32LE((before ^ (1 << below(random, 32))) >>> 0, at);
}
