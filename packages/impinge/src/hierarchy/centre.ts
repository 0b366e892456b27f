/** Where a tree's volumes are measured from, and how far its triangles reach from there. */
import type { Arena } from '../base/arena.js';
import { HierarchyHeader, MeshHeader } from '../kernel/layout.generated.js';
import type { Mesh } from '../mesh/mesh.js';

/**
 * Writes the middle of the mesh's box to the header (rounded to float32), and the radius of a sphere about it that
 * holds the box.
 */
export function writeCentre(owner: Arena, tree: number, mesh: Mesh): void {
  const box = owner.f32().subarray((mesh.block >>> 2) + MeshHeader.box);
  const centre = owner.f64().subarray((tree + 4 * HierarchyHeader.centre) >>> 3);
  let radiusSq = 0;
  for (let k = 0; k < 3; k++) {
    const middle = Math.fround((box[k] + box[3 + k]) / 2);
    const reach = Math.max(box[3 + k] - middle, middle - box[k]);
    centre[k] = middle;
    radiusSq += reach * reach;
  }
  owner.f32()[(tree >>> 2) + HierarchyHeader.radius] = Math.sqrt(radiusSq) * 1.000001;
}
