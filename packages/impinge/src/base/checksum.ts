/** FNV-1a over 32-bit words: recognises buffers that were cut off or altered by accident. */

/** The checksum of `bytes`, with the 32-bit word at position `skippedWord` counted as zero. */
export function checksumOf(bytes: Uint8Array, skippedWord: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = bytes.byteLength >>> 2;
  let hash = 0x811c9dc5;
  for (let i = 0; i < words; i++) {
    hash = Math.imul(hash ^ (i === skippedWord ? 0 : view.getUint32(4 * i, true)), 0x01000193);
  }
  for (let i = 4 * words; i < bytes.byteLength; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash >>> 0;
}
