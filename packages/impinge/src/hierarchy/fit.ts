/**
 * Volumes for the lanes of a tree whose topology is known, for any kind but oriented boxes.
 *
 * Idea: children before parents, which is descending block order. A lane over few triangles is fitted to their
 * corners; a lane over many is merged from the volumes one level down.
 * Errs: outward, as the volumes do. Points are relative to the tree's centre: differences of float32 numbers,
 * exact in float64 unless they are 2²⁹ times apart.
 */
import { EMPTY } from '../kernel/layout.generated.js';
import type { Mesh } from '../mesh/mesh.js';
import type { FittedVolume } from '../volumes/volume.js';
import { isLeaf, LANES, leafCount, leafStart } from './layout.js';
import type { TreeView } from './tree-view.js';
import { blockBelow } from './visitor.js';

/** Lanes over at most this many triangles are fitted to the triangles themselves. */
const GATHER_LIMIT = 2048;

/** Fills every lane of a tree. */
export function fitBlocks(
  view: TreeView,
  volume: FittedVolume,
  mesh: Mesh,
  gatherLimit = GATHER_LIMIT,
): void {
  const points = new Float64Array(9 * Math.min(gatherLimit, view.triangleCount));
  const starts = new Uint32Array(view.blockCount);
  const counts = new Uint32Array(view.blockCount);
  for (let block = view.blockCount - 1; block >= 0; block--) {
    let end = 0;
    for (let lane = LANES - 1; lane >= 0; lane--) {
      const slot = LANES * block + lane;
      const ref = view.ref(slot);
      if (ref === EMPTY) {
        volume.setEmpty(view.floats, view.volumeAt(slot));
        continue;
      }
      const below = isLeaf(ref) ? -1 : blockBelow(view, slot);
      const start = below < 0 ? leafStart(ref) : starts[below];
      const count = below < 0 ? leafCount(ref) : counts[below];
      if (below < 0 || count <= gatherLimit) {
        gatherPoints(view, mesh, start, count, points);
        volume.fit(points, 3 * count, view.floats, view.volumeAt(slot));
      } else {
        mergeLanes(view, volume, below, view.volumeAt(slot));
      }
      end = Math.max(end, start + count);
      starts[block] = start;
    }
    counts[block] = end - starts[block];
  }
}

/** Corners of the triangles at leaf positions [start, start + count), relative to the tree's centre. */
function gatherPoints(view: TreeView, mesh: Mesh, start: number, count: number, out: Float64Array): void {
  const { storedPositions: positions, storedIndices: indices } = mesh;
  const [cx, cy, cz] = view.centre;
  let at = 0;
  for (let i = start; i < start + count; i++) {
    const t = 3 * view.triangleAt(i);
    for (let k = t; k < t + 3; k++) {
      const v = 3 * indices[k];
      out[at++] = positions[v] - cx;
      out[at++] = positions[v + 1] - cy;
      out[at++] = positions[v + 2] - cz;
    }
  }
}

/** A volume at `out` around the lanes of a block. */
function mergeLanes(view: TreeView, volume: FittedVolume, block: number, out: number): void {
  const { floats } = view;
  for (let lane = 0; lane < LANES; lane++) {
    const slot = LANES * block + lane;
    if (view.ref(slot) === EMPTY) continue;
    const at = view.volumeAt(slot);
    if (lane > 0) volume.merge(floats, out, floats, at, floats, out);
    else for (let c = 0; c < LANES * view.stride; c += LANES) floats[out + c] = floats[at + c];
  }
}
