/**
 * Volumes for the lanes of a tree whose topology is known, for any kind but oriented boxes.
 *
 * Idea: children before parents, which is descending block order. A lane over few triangles, or over some that are
 * pending, is fitted to their corners; a lane over many is merged from the volumes one step down.
 * Errs: outward, as the volumes do. Points are relative to the tree's centre: differences of float32 numbers,
 * exact in float64 unless they are 2²⁹ times apart.
 */
import { EMPTY } from '../kernel/layout.generated.js';
import type { Mesh } from '../mesh/mesh.js';
import type { FittedVolume } from '../volumes/volume.js';
import { isLeaf, isPending, LANES, leafCount, leafStart, refIndex } from './layout.js';
import type { TreeView } from './tree-view.js';

/** Lanes over at most this many triangles are fitted to the triangles themselves. */
const GATHER_LIMIT = 2048;

/** Fills every lane of the blocks from `from` on, which refer to no others. */
export function fitBlocks(
  view: TreeView,
  volume: FittedVolume,
  mesh: Mesh,
  from: number,
  gatherLimit = GATHER_LIMIT,
): void {
  let points = new Float64Array(0);
  const starts = new Uint32Array(view.blockCount - from);
  const counts = new Uint32Array(view.blockCount - from);
  for (let block = view.blockCount - 1; block >= from; block--) {
    let end = 0;
    for (let lane = LANES - 1; lane >= 0; lane--) {
      const slot = LANES * block + lane;
      const ref = view.ref(slot);
      if (ref === EMPTY) {
        volume.setEmpty(view.floats, view.volumeAt(slot));
        continue;
      }
      const inner = !isLeaf(ref) && !isPending(ref);
      const [start, count] = inner ? [starts[ref - from], counts[ref - from]] : rangeOf(view, ref);
      if (inner && count > gatherLimit) {
        mergeLanes(view, volume, ref, view.volumeAt(slot));
      } else {
        if (points.length < 9 * count) points = new Float64Array(18 * count);
        gatherPoints(view, mesh, start, count, points);
        volume.fit(points, 3 * count, view.floats, view.volumeAt(slot));
      }
      end = Math.max(end, start + count);
      starts[block - from] = start;
    }
    counts[block - from] = end - starts[block - from];
  }
}

/** First leaf position and number of triangles of a leaf or a pending treelet. */
function rangeOf({ words, pendingWord }: TreeView, ref: number): readonly [number, number] {
  if (isLeaf(ref)) return [leafStart(ref), leafCount(ref)];
  const entry = pendingWord + 2 * refIndex(ref);
  return [words[entry], words[entry + 1]];
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
