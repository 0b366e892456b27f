/** Builds trees of any kind without the kernels: topology first, then volumes. */
import type { Arena } from '../base/arena.js';
import { ImpingeError } from '../base/errors.js';
import type { Mesh } from '../mesh/mesh.js';
import { fitBlocks } from './fit.js';
import { BUILDERS, MAX_LEAF_SIZE, VOLUME_KINDS } from './layout.js';
import { buildTopology, DEFAULT_LEAF_SIZE, type TopologyOptions } from './topology.js';
import { TreeView } from './tree-view.js';

export const PORTABLE_BUILD_DEFAULTS: TopologyOptions = {
  kind: 'obb',
  builder: 'sah',
  lazy: false,
  leafSize: DEFAULT_LEAF_SIZE,
};

/** Builds a tree over a mesh and returns a view of it; the caller frees `view.byteOffset` when done. */
export function buildPortable(owner: Arena, mesh: Mesh, options: Partial<TopologyOptions> = {}): TreeView {
  const full = { ...PORTABLE_BUILD_DEFAULTS, ...options };
  assertOption('kind', full.kind, VOLUME_KINDS);
  assertOption('builder', full.builder, BUILDERS);
  if (!Number.isInteger(full.leafSize) || full.leafSize < 1 || full.leafSize > MAX_LEAF_SIZE) {
    throw new ImpingeError(
      'bad-option',
      `leafSize ${full.leafSize} is not an integer in 1 … ${MAX_LEAF_SIZE}`,
    );
  }
  const view = new TreeView(owner, buildTopology(owner, mesh, full));
  fitBlocks(view, mesh, 0, view.blockCount);
  return view;
}

function assertOption(name: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  throw new ImpingeError('bad-option', `${name} "${value}" is not one of ${allowed.join(', ')}`);
}
