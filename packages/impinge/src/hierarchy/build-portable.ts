/** Builds trees of any kind without the kernels: topology first, then volumes. */
import type { Arena } from '../base/arena.js';
import type { Mesh } from '../mesh/mesh.js';
import { fitBlocks } from './fit.js';
import { buildTopology, type TopologyOptions } from './topology.js';
import { OBB_TREES } from './tree-kind.js';
import { TreeView } from './tree-view.js';

const DEFAULTS: TopologyOptions = { type: OBB_TREES, builder: 'sah', leafSize: 4 };

/** Builds a tree over a mesh and returns a view of it; the caller frees `view.byteOffset` when done. */
export function buildPortable(owner: Arena, mesh: Mesh, options: Partial<TopologyOptions> = {}): TreeView {
  const full = { ...DEFAULTS, ...options };
  const view = new TreeView(owner, buildTopology(owner, mesh, full));
  fitBlocks(view, full.type.volume, mesh);
  return view;
}
