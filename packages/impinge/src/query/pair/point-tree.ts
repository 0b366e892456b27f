/** The tree that point queries walk: the one the kernels use, or a portable one where there are no kernels. */
import { arena } from '../../base/arena.js';
import { buildPortable } from '../../hierarchy/build-portable.js';
import { Hierarchy } from '../../hierarchy/hierarchy.js';
import { refitTree } from '../../hierarchy/refit.js';
import { TreeView } from '../../hierarchy/tree-view.js';
import { kernelSupported } from '../../kernel/kernel.js';
import type { Mesh } from '../../mesh/mesh.js';
import { hierarchyOf } from './hierarchy-of.js';

const portableTrees = new WeakMap<Mesh, Hierarchy>();

export function pointTreeOf(mesh: Mesh): Hierarchy {
  return kernelSupported() ? hierarchyOf(mesh) : portableTreeOf(mesh);
}

/** The portable tree of a mesh: built when first asked for, refitted when its vertices have moved. */
export function portableTreeOf(mesh: Mesh): Hierarchy {
  mesh.assertLive();
  let tree = portableTrees.get(mesh);
  if (!tree) {
    const built = new Hierarchy(mesh, buildPortable(arena(), mesh).byteOffset);
    mesh.onDispose(() => built.dispose());
    portableTrees.set(mesh, built);
    tree = built;
  }
  if (tree.revision !== mesh.revision) {
    refitTree(new TreeView(arena(), tree.block), mesh);
    tree.revision = mesh.revision;
  }
  return tree;
}
