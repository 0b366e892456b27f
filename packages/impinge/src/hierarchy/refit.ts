/**
 * Brings a tree's volumes up to date after its mesh was deformed. The topology stays, so queries stay right and
 * grow slower only as far as neighbours drift apart.
 */
import type { Mesh } from '../mesh/mesh.js';
import { writeCentre } from './centre.js';
import { fitBlocks } from './fit.js';
import type { TreeView } from './tree-view.js';

/** Recomputes centre, radius and every volume: leaves from their triangles, parents from their children. */
export function refitTree(view: TreeView, mesh: Mesh): void {
  view.refresh();
  writeCentre(view.arena, view.byteOffset, mesh);
  fitBlocks(view, mesh, 0, view.blockCount, view.leafSize);
}
