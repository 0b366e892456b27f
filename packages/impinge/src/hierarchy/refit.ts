/**
 * Brings a tree's volumes up to date after its mesh was deformed. The topology stays, so queries stay right and
 * grow slower only as far as neighbours drift apart.
 */
import { arena } from '../base/arena.js';
import { readChoice, readKnown } from '../base/options.js';
import { kernelSupported } from '../kernel/kernel.js';
import { refitObbTree } from './build-obb.js';
import { writeCentre } from './centre.js';
import { fitBlocks } from './fit.js';
import { assertTree, type Hierarchy } from './hierarchy.js';
import { TreeView } from './tree-view.js';

export interface RefitOptions {
  /**
   * `keep` the boxes' orientation (default), or `renew` it: slower, tighter when parts have turned. For oriented boxes.
   */
  readonly axes?: 'keep' | 'renew';
}

/** Brings the volumes up to date after the mesh's vertices have moved. The topology stays. */
export function refitHierarchy(tree: Hierarchy, options: RefitOptions = {}): void {
  assertTree(tree);
  const { axes = 'keep' } = readKnown('refitHierarchy', options, { axes: true });
  readChoice('axes', axes, ['keep', 'renew']);
  if (tree.kind === 'obb' && kernelSupported()) refitObbTree(tree, axes === 'keep');
  else {
    const view = new TreeView(arena(), tree.block);
    writeCentre(view.arena, view.byteOffset, tree.mesh);
    fitBlocks(view, tree.type.volume, tree.mesh, view.leafSize);
  }
  tree.revision = tree.mesh.revision;
}
