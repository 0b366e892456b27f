/** Bounding-volume trees, for those who want to build, keep or inspect them; queries build their own. */
export { type BuildOptions, buildHierarchy, completeHierarchy, refitHierarchy } from './build.js';
export { Hierarchy } from './hierarchy.js';
export { type Builder, VOLUME_KINDS, type VolumeKind } from './layout.js';
