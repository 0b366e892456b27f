/** Builds a tree of any kind: by the kernels where they know it, without them where not. */
import { arena } from '../base/arena.js';
import { readChoice, readKnown } from '../base/options.js';
import { kernelSupported } from '../kernel/kernel.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';
import { VOLUME_KINDS, type VolumeKind } from '../volumes/kinds.js';
import { buildObbTree } from './build-obb.js';
import { buildPortable } from './build-portable.js';
import { Hierarchy } from './hierarchy.js';
import { BUILDERS, type Builder } from './layout.js';
import { TREE_KINDS } from './tree-kinds.generated.js';

export interface BuildOptions {
  /** Kind of bounding volume (default `obb`: oriented boxes, the only kind with kernels). */
  readonly volume?: VolumeKind;
  /** `sah` gives trees that answer fastest; `fast` halves space and keeps boxes aligned: half the time to build. */
  readonly builder?: Builder;
  /** Builds only the top; the rest when a query first comes there. Trees without kernels are built whole. */
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
  if (volume === 'obb' && kernelSupported()) return buildObbTree(mesh, builder, lazy);
  const type = TREE_KINDS[volume];
  return new Hierarchy(mesh, buildPortable(arena(), mesh, { type, builder }).byteOffset, type);
}
