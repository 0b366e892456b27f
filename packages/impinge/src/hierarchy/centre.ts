/** Where a tree's volumes are measured from, and how far its triangles reach from there. */
import type { Arena } from '../base/arena.js';
import { HierarchyHeader } from '../kernel/layout.generated.js';
import type { Mesh } from '../mesh/mesh.js';

/**
 * Writes the middle of the box of all triangles to the header (rounded to float32), and the radius of a sphere about it
 * that holds them.
 */
export function writeCentre(owner: Arena, tree: number, mesh: Mesh): void {
  const { storedPositions: positions, storedIndices: indices } = mesh;
  const lo = [Infinity, Infinity, Infinity];
  const hi = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < indices.length; i++) {
    for (let k = 0; k < 3; k++) {
      const value = positions[3 * indices[i] + k];
      if (value < lo[k]) lo[k] = value;
      if (value > hi[k]) hi[k] = value;
    }
  }
  const centre = owner.f64().subarray((tree + 4 * HierarchyHeader.centre) >>> 3);
  let radiusSq = 0;
  for (let k = 0; k < 3; k++) {
    const middle = Math.fround((lo[k] + hi[k]) * 0.5);
    const reach = Math.max(hi[k] - middle, middle - lo[k]);
    centre[k] = middle;
    radiusSq += reach * reach;
  }
  owner.f32()[(tree >>> 2) + HierarchyHeader.radius] = Math.sqrt(radiusSq) * 1.000001;
}
