/**
 * Brings a tree's volumes up to date after its mesh was deformed. The topology stays, so queries stay right and
 * grow slower only as far as neighbours drift apart.
 */
import { readChoice, readKnown } from '../base/options.js';
import { kernelSupported } from '../kernel/kernel.js';
import { VOLUMES } from '../volumes/volumes.js';
import { fitAligned } from './build-aligned.js';
import { refitObbTree } from './build-obb.js';
import { writeCentre } from './centre.js';
import { fitBlocks } from './fit.js';
import { assertTree, type Hierarchy } from './hierarchy.js';
import { viewOf } from './tree-view.js';

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
  const { kind } = tree;
  if (kind === 'obb') refitBoxes(tree, axes === 'keep');
  else {
    const view = viewOf(tree);
    writeCentre(view.arena, view.byteOffset, tree.mesh);
    fitBlocks(view, VOLUMES[kind], tree.mesh, 0, view.leafSize);
    tree.revision = tree.mesh.revision;
  }
}

/** The same for oriented boxes. */
export function refitBoxes(tree: Hierarchy, keepAxes: boolean): void {
  if (kernelSupported()) refitObbTree(tree, keepAxes);
  else fitAligned(tree.block, tree.mesh);
  tree.revision = tree.mesh.revision;
}
