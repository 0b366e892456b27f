/**
 * Bounding-volume trees, for those who want to build, keep, inspect or walk them themselves; queries build their own.
 * `buildHierarchy` makes the oriented boxes that queries use; `buildPortable` any kind of volume, without the kernels.
 */
export {
  type BuildOptions,
  buildHierarchy,
  completeHierarchy,
  type RefitOptions,
  refitHierarchy,
} from './build.js';
export { buildPortable } from './build-portable.js';
export { expandAll, expandTreelet } from './expand.js';
export { createFront } from './front.js';
export { Hierarchy } from './hierarchy.js';
export { type Builder, VOLUME_KINDS, type VolumeKind } from './layout.js';
export { refitTree } from './refit.js';
export { sahCost } from './sah-cost.js';
export { hierarchyFromBytes, hierarchyToBytes } from './serialise.js';
export { traversePair, traverseSelf } from './traverse.js';
export { TreeView } from './tree-view.js';
export { validateHierarchy } from './validate.js';
export type { PairVisitor, TraversalOptions, TraversalStats } from './visitor.js';
