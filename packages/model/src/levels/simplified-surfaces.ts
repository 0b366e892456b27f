/**
 * Simplifies a whole mesh by the collapses that make levels, without bounds: mesh-deviation.ts measures the distance of
 * the surfaces from the mesh.
 */
import { GroupBlock } from './group-block.js';
import { levelsKernels } from './kernels.generated.js';
import { G } from './layout.generated.js';
import { presentMesh, presentTriangles } from './present.js';
import { VertexTable } from './vertex-table.js';

/** Triangles over positions, and which ones of the mesh they were. */
export interface SimplifiedSurface {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  readonly kept: Uint32Array;
}

/** A surface with more than this factor of the requested triangles is dropped. */
const HARDLY_LESS = 1.3;

/** Surfaces with a half, a quarter, … of the triangles, as long as there can be; at most `most`. */
export function simplifiedSurfaces(
  positions: Float32Array,
  indices: Uint32Array,
  most: number,
): SimplifiedSurface[] {
  const table = new VertexTable();
  const numbers = table.addAll(positions);
  const count = indices.length / 3;
  const nothing = new Float32Array(count);
  const block = new GroupBlock({
    positions: table.positions.slice(0, 3 * table.count),
    indices: indices.map((v) => numbers[v]),
    locked: new Uint8Array(table.count),
    out: nothing,
    in: nothing,
  });
  try {
    const kernel = levelsKernels.kernels();
    kernel.linkCorners(block.at);
    kernel.joinFinest(block.at);
    kernel.prepareCollapses(block.at);
    const surfaces: SimplifiedSurface[] = [];
    if (block.word(G.alive) === 0) return surfaces;
    for (let target = count / 2; surfaces.length < most && target >= 2; target /= 2) {
      const left = kernel.collapseTo(block.at, Math.ceil(target));
      if (left > HARDLY_LESS * target) break;
      const present = presentTriangles(block, left);
      surfaces.push({ ...presentMesh(block, present), kept: present.kept });
    }
    return surfaces;
  } finally {
    block.dispose();
  }
}
