/** Surfaces as kernels have them (kernels/motion/surfaces.ts). */
import type { Mesh } from 'impinge';
import { arena } from 'impinge/internal/base/arena.js';
import { completeHierarchy } from 'impinge/internal/hierarchy/build-obb.js';
import { HierarchyHeader } from 'impinge/internal/kernel/layout.generated.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { hierarchyOf } from 'impinge/internal/query/pair/hierarchy-of.js';
import { SURFACE } from './layout.generated.js';
import { endsInArena, solidCells } from './solid-cells.js';

/** Builds all of a mesh's tree: threads build none. */
export function completeTree(mesh: Mesh): void {
  const tree = hierarchyOf(mesh);
  if (tree.header(HierarchyHeader.pendingCount) > 0) completeHierarchy(tree);
}

/** What kernels need to know of a mesh. */
export function knownOf(mesh: Mesh) {
  const cells = isClosed(mesh) ? solidCells.of(mesh).at : 0;
  return { mesh, tree: hierarchyOf(mesh), cells, ends: endsInArena.of(mesh) };
}

export function writeSurface({ mesh, tree, cells, ends }: ReturnType<typeof knownOf>, at: number): void {
  const words = arena().u32();
  words[(at + SURFACE.tree) >>> 2] = tree.block;
  words[(at + SURFACE.mesh) >>> 2] = mesh.block;
  words[(at + SURFACE.cells) >>> 2] = cells;
  words[(at + SURFACE.ends) >>> 2] = ends.held.at;
  words[(at + SURFACE.components) >>> 2] = ends.components;
  arena()
    .f64()
    .set(mesh.origin, (at + SURFACE.origin) >>> 3);
}
