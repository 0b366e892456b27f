/** Views as the rasteriser's kernels read them. */
import type { CullingRequest } from '../backend.js';

/** As many as the uniform in raster.wgsl.ts has room for. */
const MAX_VIEWS = 32;
export const VIEW_BYTES = 48 * MAX_VIEWS;

/** Rows u, v, w of each view, four numbers each; the fourth of u and v says how many pixels a unit is. */
export function viewRows(
  { views, resolution }: CullingRequest,
  half: readonly number[],
): Float32Array<ArrayBuffer> {
  const rows = new Float32Array(12 * MAX_VIEWS);
  const count = Math.min(MAX_VIEWS, views.length / 9);
  for (let row = 0; row < 3 * count; row++) {
    let extent = 0;
    for (let k = 0; k < 3; k++) {
      rows[4 * row + k] = views[3 * row + k];
      extent += Math.abs(views[3 * row + k]) * half[k];
    }
    if (row % 3 < 2) rows[4 * row + 3] = resolution / (2 * extent);
  }
  return rows;
}
