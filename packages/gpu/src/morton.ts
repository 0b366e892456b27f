/**
 * Numbers objects along a Morton curve: neighbours get close numbers.
 * Only the amount of culling depends on it, never the answer.
 */
import { PairSorter } from './pair-order.js';

const BITS = 10;

/** The place of each object along the curve through their centres (three numbers each). */
export function mortonRanks(centres: Float64Array, count: number): Uint32Array {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < 3 * count; i++) {
    const k = i % 3;
    if (centres[i] < min[k]) min[k] = centres[i];
    if (centres[i] > max[k]) max[k] = centres[i];
  }
  const size = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const cells = size > 0 ? (2 ** BITS - 1) / size : 0;
  const keyed = new Uint32Array(2 * count);
  for (let o = 0; o < count; o++) {
    const x = spread((centres[3 * o] - min[0]) * cells);
    const y = spread((centres[3 * o + 1] - min[1]) * cells);
    const z = spread((centres[3 * o + 2] - min[2]) * cells);
    keyed[2 * o] = x | (y << 1) | (z << 2);
    keyed[2 * o + 1] = o;
  }
  new PairSorter().sort(keyed);
  const ranks = new Uint32Array(count);
  for (let i = 0; i < count; i++) ranks[keyed[2 * i + 1]] = i;
  return ranks;
}

/** The lowest ten bits, two zeros between each. */
function spread(cell: number): number {
  let bits = Math.floor(cell) & 0x3ff;
  bits = (bits | (bits << 16)) & 0x030000ff;
  bits = (bits | (bits << 8)) & 0x0300f00f;
  bits = (bits | (bits << 4)) & 0x030c30c3;
  return (bits | (bits << 2)) & 0x09249249;
}
