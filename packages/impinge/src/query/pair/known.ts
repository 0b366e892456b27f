/** What queries know of a mesh, kept with it. */
import type { Hierarchy } from '../../hierarchy/hierarchy.js';
import type { TreeView } from '../../hierarchy/tree-view.js';
import type { Walk } from '../../hierarchy/visitor.js';
import { KNOWN, type Mesh } from '../../mesh/mesh.js';
import type { VolumeKind } from '../../volumes/kinds.js';

/** Trees of a kind: how they are made, and walked without kernels. */
export interface PortableTrees {
  readonly kind: VolumeKind;
  readonly walk: Walk;
  readonly build: (mesh: Mesh) => Hierarchy;
  readonly refit: (tree: Hierarchy) => void;
  /** A view of one, which may grow under it if it is lazy. */
  readonly viewOf: (tree: Hierarchy) => TreeView;
}

export interface Known {
  trees: Map<VolumeKind, Hierarchy> | undefined;
  /** What it is to be walked by, if the caller has chosen trees that the kernels do not know. */
  chosen: PortableTrees | undefined;
  /** How often it was asked about without a tree. */
  treeless: number;
  /** Without a tree, a question about it has taken too long. */
  crowded: boolean;
  /** The boxes that rays and points walk (query/ray/box-tree.ts). */
  boxes:
    | { readonly block: number; revision: number; keepIndices(mesh: Mesh): void; dispose(): void }
    | undefined;
  /** The boxes of triangles in their order (ordered-boxes.ts). */
  ordered: { readonly block: number; revision: number; dispose(): void } | undefined;
  /** Whether `boxes` go with the mesh already: they may be built many times. */
  boxesTied: boolean;
}

export function known(mesh: Mesh): Known {
  return (mesh[KNOWN] ??= {
    trees: undefined,
    chosen: undefined,
    treeless: 0,
    crowded: false,
    boxes: undefined,
    ordered: undefined,
    boxesTied: false,
  } satisfies Known) as Known;
}

/** Frees the boxes that rays and points walk; they are built again when they are next asked for. */
export function dropBoxTree(mesh: Mesh): void {
  const its = known(mesh);
  its.boxes?.dispose();
  its.boxes = undefined;
}
