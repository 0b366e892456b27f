/** Pairs of objects along a space-filling curve: neighbours in the order lie close together. */
import { widenBox } from 'impinge/internal/mesh/reach.js';
import type { StoredModel } from '../store/model.js';
import { emptyBox } from '../store/placed-box.js';
import type { Candidates } from './candidates.js';

const BITS = 10;

/** `pairs` by where the middle between the two objects' smaller boxes lies, in Morton order. */
export function spatialOrder(model: StoredModel, { triples }: Candidates, pairs: Uint32Array): Uint32Array {
  const { objectBox } = model.directory;
  const all = emptyBox();
  widenBox(all, objectBox);
  const size = Math.max(all[3] - all[0], all[4] - all[1], all[5] - all[2]) || 1;
  const keys = new Float64Array(pairs.length);
  for (let i = 0; i < pairs.length; i++) {
    const a = 6 * triples[3 * pairs[i]];
    const b = 6 * triples[3 * pairs[i] + 1];
    let code = 0;
    for (let k = 0; k < 3; k++) {
      // where the two overlap, or the gap between them
      const from = Math.max(objectBox[a + k], objectBox[b + k]);
      const to = Math.min(objectBox[a + 3 + k], objectBox[b + 3 + k]);
      const cell = Math.floor(((0.5 * (from + to) - all[k]) / size) * (2 ** BITS - 1));
      code |= spread(cell) << (2 - k);
    }
    keys[i] = code;
  }
  const order = Uint32Array.from(keys, (_, i) => i).sort((p, q) => keys[p] - keys[q] || p - q);
  return order.map((i) => pairs[i]);
}

/** The ten lowest bits of a number, three apart. */
function spread(x: number): number {
  x &= 0x3ff;
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}
