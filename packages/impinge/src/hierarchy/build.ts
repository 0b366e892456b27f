/**
 * Builds a tree of any kind. Which triangles lie together does not depend on that: trees of other volumes take it over
 * from one of oriented boxes, which the kernels build, and are fitted here; so are those parts of lazy ones that are
 * built later (`growAt`).
 */
import { arena } from '../base/arena.js';
import { readChoice, readKnown } from '../base/options.js';
import { kernelSupported } from '../kernel/kernel.js';
import { HierarchyHeader } from '../kernel/layout.generated.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';
import { type FittedKind, VOLUME_KINDS, type VolumeKind } from '../volumes/kinds.js';
import { VOLUMES } from '../volumes/volumes.js';
import { buildAligned } from './build-aligned.js';
import { buildObbTree, buildTop, takeBlocks, treeletOf } from './build-obb.js';
import { writeCentre } from './centre.js';
import { fitBlocks } from './fit.js';
import { Hierarchy } from './hierarchy.js';
import { BUILDERS, type Builder, layOutTree } from './layout.js';
import { TreeView } from './tree-view.js';

export interface BuildOptions {
  /** Kind of bounding volume (default `obb`: oriented boxes, the only kind with kernels). */
  readonly volume?: VolumeKind;
  /** `sah` gives trees that answer fastest; `fast` halves space and keeps boxes aligned: half the time to build. */
  readonly builder?: Builder;
  /** Builds only the top; the rest when a query or a walk first comes there. All of it where there are no kernels. */
  readonly lazy?: boolean;
}

export const BUILD_DEFAULTS = { volume: 'obb', builder: 'sah', lazy: false } as const satisfies BuildOptions;

/** Builds a tree on the calling thread. `useHierarchy` makes queries walk it. */
export function buildHierarchy(mesh: Mesh, options: BuildOptions = {}): Hierarchy {
  assertMesh(mesh);
  const names = { volume: true, builder: true, lazy: true } as const;
  const { volume, builder, lazy } = { ...BUILD_DEFAULTS, ...readKnown('buildHierarchy', options, names) };
  readChoice('volume', volume, VOLUME_KINDS);
  readChoice('builder', builder, BUILDERS);
  const kernels = kernelSupported();
  if (volume === 'obb' && kernels) return buildObbTree(mesh, builder, lazy);
  const tree = kernels ? buildTop(mesh, builder, lazy ? treeletOf(mesh) : 0) : buildAligned(mesh, builder);
  return new Hierarchy(mesh, volume === 'obb' ? tree : withVolumes(tree, volume, mesh, builder));
}

/** A tree of another kind with the order and references of this one, which it replaces. */
function withVolumes(boxes: number, kind: FittedKind, mesh: Mesh, builder: Builder): number {
  const memory = arena();
  const volume = VOLUMES[kind];
  const built = new TreeView(memory, boxes);
  const { blockCount, leafSize, triangleCount } = built;
  const pendingCapacity = built.header(HierarchyHeader.pendingCount);
  const tree = layOutTree(memory, {
    kind: VOLUME_KINDS.indexOf(kind),
    stride: volume.STRIDE,
    builder,
    leafSize,
    triangleCount,
    blockCapacity: blockCount,
    pendingCapacity,
  });
  const [from, to] = [new TreeView(memory, boxes), new TreeView(memory, tree)];
  to.words.copyWithin(to.orderWord, from.orderWord, from.orderWord + triangleCount);
  to.words.copyWithin(to.pendingWord, from.pendingWord, from.pendingWord + 2 * pendingCapacity);
  to.words[to.headerWord + HierarchyHeader.pendingCount] = pendingCapacity;
  takeBlocks(from, to);
  memory.free(boxes);
  writeCentre(memory, tree, mesh);
  fitBlocks(to, volume, mesh, 0);
  return tree;
}
