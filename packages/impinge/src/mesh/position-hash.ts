/** A hash of three words: the bits of a position, with one zero for two. */
export function hashOfPosition(x: number, y: number, z: number): number {
  let hash = Math.imul(x, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ y, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ z, 0xc2b2ae35);
  return Math.imul(hash ^ (hash >>> 16), 0x9e3779b1) >>> 0;
}
