/**
 * Bounding-volume trees, for those who want to choose, build, keep, inspect or walk them themselves; queries build
 * their own. `useHierarchy` of `impinge` makes queries walk a tree from here.
 */
export { VOLUME_KINDS, type VolumeKind } from '../volumes/kinds.js';
export { type BuildOptions, buildHierarchy } from './build.js';
export { completeHierarchy } from './build-obb.js';
export type { Hierarchy } from './hierarchy.js';
export type { Builder } from './layout.js';
export { type RefitOptions, refitHierarchy } from './refit.js';
export { sahCost } from './sah-cost.js';
export { hierarchyFromBytes, hierarchyToBytes } from './serialise.js';
export { TreeView } from './tree-view.js';
export { validateHierarchy } from './validate.js';
export type { PairVisitor, TraversalOptions, TraversalStats } from './visitor.js';
export { traversePair, traverseSelf } from './walk.js';
