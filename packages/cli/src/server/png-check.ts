/**
 * Whether untrusted bytes are one complete PNG of a size that other tools accept: they go into an archive unchanged.
 */
import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SIDE_MAX = 4096;
/** Bytes of length, name and checksum. */
const CHUNK_BESIDES = 12;
const HEAD_BYTES = 13;

/** Says what is wrong; undefined if nothing is. */
export function pngProblem(given: Uint8Array): string | undefined {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return 'is no PNG';
  const names: string[] = [];
  for (let at = SIGNATURE.length; at < bytes.length; ) {
    if (bytes.length - at < CHUNK_BESIDES) return 'is cut off';
    const length = bytes.readUInt32BE(at);
    if (length > bytes.length - at - CHUNK_BESIDES) return 'is cut off';
    const content = bytes.subarray(at + 4, at + 8 + length);
    if (crc32(content) !== bytes.readUInt32BE(at + 8 + length)) return 'is damaged';
    const name = content.toString('latin1', 0, 4);
    if (names.length === 0) {
      if (name !== 'IHDR' || length !== HEAD_BYTES) return 'is damaged';
      const [width, height] = [content.readUInt32BE(4), content.readUInt32BE(8)];
      if (width < 1 || height < 1 || width > SIDE_MAX || height > SIDE_MAX)
        return `is ${width} × ${height}; ${SIDE_MAX} × ${SIDE_MAX} are allowed`;
    }
    names.push(name);
    at += CHUNK_BESIDES + length;
    if (name === 'IEND') return at === bytes.length && names.includes('IDAT') ? undefined : 'is damaged';
  }
  return 'is cut off';
}
