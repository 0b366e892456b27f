/** Smooth noise as a function of position: integer hashing, sums and products only, so equal on every machine. */
import { mixBits } from '../random.js';

/** In [-1, 1]; about one bump per unit of length. */
export function valueNoise(x: number, y: number, z: number, seed: number): number {
  const [floorX, floorY, floorZ] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const u = fade(x - floorX);
  const v = fade(y - floorY);
  const w = fade(z - floorZ);
  const x0 = Math.imul(floorX, 0x8da6b343) ^ seed;
  const x1 = Math.imul(floorX + 1, 0x8da6b343) ^ seed;
  const y0 = Math.imul(floorY, 0xd8163841);
  const y1 = Math.imul(floorY + 1, 0xd8163841);
  const z0 = Math.imul(floorZ, 0xcb1ab31f);
  const z1 = Math.imul(floorZ + 1, 0xcb1ab31f);
  const near = between(
    between(mixBits(x0 ^ y0 ^ z0), mixBits(x1 ^ y0 ^ z0), u),
    between(mixBits(x0 ^ y1 ^ z0), mixBits(x1 ^ y1 ^ z0), u),
    v,
  );
  const far = between(
    between(mixBits(x0 ^ y0 ^ z1), mixBits(x1 ^ y0 ^ z1), u),
    between(mixBits(x0 ^ y1 ^ z1), mixBits(x1 ^ y1 ^ z1), u),
    v,
  );
  return between(near, far, w) / 2 ** 31 - 1;
}

function fade(t: number): number {
  return t * t * (3 - 2 * t);
}

function between(a: number, b: number, share: number): number {
  return a + (b - a) * share;
}
