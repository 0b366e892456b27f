/** Builds the rest of a lazy tree, one treelet at a time, when a traversal gets there. */
import type { Mesh } from '../mesh/mesh.js';
import { fitBlocks } from './fit.js';
import { isPending, LANES } from './layout.js';
import { expandTopology } from './topology.js';
import type { TreeView } from './tree-view.js';

/** Replaces the pending treelet at `slot` by blocks with volumes. Allocates nothing in the arena. */
export function expandTreelet(view: TreeView, mesh: Mesh, slot: number): void {
  const first = expandTopology(view, mesh, slot);
  fitBlocks(view, mesh, first, view.blockCount);
}

/** Builds everything a lazy tree has left out. */
export function expandAll(view: TreeView, mesh: Mesh): void {
  for (let slot = 0; slot < LANES * view.blockCount; slot++) {
    if (isPending(view.ref(slot))) expandTreelet(view, mesh, slot);
  }
}
