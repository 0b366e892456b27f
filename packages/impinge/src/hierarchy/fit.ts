/**
 * Volumes for the lanes of a tree whose topology is known, for any kind.
 *
 * Idea: children before parents, which is descending block order. A lane over few triangles is fitted to their
 * corners; a lane over many is made from the volumes one level down, by their corners where the kind has them and
 * by merging where not.
 * Errs: outward, as the volumes do. Points are relative to the tree's centre: differences of float32 numbers,
 * exact in float64 unless they are 2²⁹ times apart.
 */
import type { Mesh } from '../mesh/mesh.js';
import type { VolumeModule } from '../volumes/volume.js';
import { EMPTY, isLeaf, isPending, LANES, leafCount, leafStart, refIndex } from './layout.js';
import { TREELET } from './topology.js';
import type { TreeView } from './tree-view.js';
import { volumeOf } from './volume-of.js';

/** Lanes over at most this many triangles are fitted to the triangles themselves. */
export const GATHER_LIMIT = 2048;

/**
 * Fills every lane of blocks [firstBlock, endBlock). All blocks below them must be among them, as they are for a
 * whole tree and for a treelet just expanded.
 */
export function fitBlocks(
  view: TreeView,
  mesh: Mesh,
  firstBlock: number,
  endBlock: number,
  gatherLimit = GATHER_LIMIT,
): void {
  const volume = volumeOf(view.kind);
  const points = new Float64Array(9 * Math.max(Math.min(gatherLimit, view.triangleCount), TREELET));
  const starts = new Uint32Array(endBlock - firstBlock);
  const counts = new Uint32Array(endBlock - firstBlock);
  for (let block = endBlock - 1; block >= firstBlock; block--) {
    let end = 0;
    for (let lane = LANES - 1; lane >= 0; lane--) {
      const slot = LANES * block + lane;
      const ref = view.ref(slot);
      if (ref === EMPTY) {
        volume.setEmpty(view.floats, view.volumeAt(slot));
        continue;
      }
      let start: number;
      let count: number;
      if (isLeaf(ref)) {
        start = leafStart(ref);
        count = leafCount(ref);
      } else if (isPending(ref)) {
        start = view.words[view.pendingWord + 2 * refIndex(ref)];
        count = view.words[view.pendingWord + 2 * refIndex(ref) + 1];
      } else {
        start = starts[ref - firstBlock];
        count = counts[ref - firstBlock];
      }
      if (count <= gatherLimit || isLeaf(ref) || isPending(ref)) {
        gatherPoints(view, mesh, start, count, points);
        volume.fit(points, 3 * count, view.floats, view.volumeAt(slot));
      } else {
        combineLanes(view, volume, ref, view.volumeAt(slot), points);
      }
      end = Math.max(end, start + count);
      starts[block - firstBlock] = start;
    }
    counts[block - firstBlock] = end - starts[block - firstBlock];
  }
}

/** Corners of the triangles at leaf positions [start, start + count), relative to the tree's centre. */
function gatherPoints(view: TreeView, mesh: Mesh, start: number, count: number, out: Float64Array): void {
  const { positions, indices } = mesh;
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
function combineLanes(
  view: TreeView,
  volume: VolumeModule,
  block: number,
  out: number,
  points: Float64Array,
): void {
  const { floats } = view;
  let combined = 0;
  let pointCount = 0;
  for (let lane = 0; lane < LANES; lane++) {
    const slot = LANES * block + lane;
    if (view.ref(slot) === EMPTY) continue;
    const at = view.volumeAt(slot);
    if (volume.corners) pointCount += volume.corners(floats, at, points, 3 * pointCount);
    else if (combined++ > 0) volume.merge(floats, out, floats, at, floats, out);
    else for (let c = 0; c < LANES * view.stride; c += LANES) floats[out + c] = floats[at + c];
  }
  if (volume.corners) volume.fit(points, pointCount, floats, out);
}
