/** Divides space so that each part holds about the same number of sampled triangles. */

/** A k-d tree with one leaf per part. Node i has children 2i + 1 and 2i + 2; those past the end are leaves. */
export interface Divider {
  readonly axis: Uint8Array;
  readonly at: Float64Array;
  readonly leafCount: number;
}

/** Centres per part that are looked at: then parts differ by some percent. */
const CENTRES_PER_LEAF = 2048;

export function divide(sample: Float32Array, wanted: number): Divider {
  const levels = Math.ceil(Math.log2(Math.max(1, wanted)));
  const leafCount = 2 ** levels;
  const count = sample.length / 3;
  const step = Math.max(1, Math.floor(count / (CENTRES_PER_LEAF * leafCount)));
  const axis = new Uint8Array(leafCount - 1);
  const at = new Float64Array(leafCount - 1);
  let cells: Uint32Array[] = [Uint32Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)];
  for (let node = 0; node < leafCount - 1; node += cells.length / 2) {
    const next: Uint32Array[] = [];
    cells.forEach((cell, i) => {
      const widest = widestAxis(sample, cell);
      const sorted = cell.sort((a, b) => sample[3 * a + widest] - sample[3 * b + widest]);
      const half = sorted.length >>> 1;
      axis[node + i] = widest;
      at[node + i] = sorted.length === 0 ? 0 : sample[3 * sorted[half] + widest];
      next.push(sorted.subarray(0, half), sorted.subarray(half));
    });
    cells = next;
  }
  return { axis, at, leafCount };
}

function widestAxis(sample: Float32Array, cell: Uint32Array): number {
  const extent = [0, 1, 2].map((k) => {
    let min = Infinity;
    let max = -Infinity;
    for (const i of cell) {
      min = Math.min(min, sample[3 * i + k]);
      max = Math.max(max, sample[3 * i + k]);
    }
    return max - min;
  });
  return extent.indexOf(Math.max(...extent));
}
