/**
 * `impinge/three`: three.js objects as meshes, poses and scenes, and its Raycaster accelerated by mesh trees. It
 * imports `three`, an optional peer dependency that only this entry needs.
 */
export { treeBoxes } from '../query/ray/tree-boxes.js';
export { type FollowChanges, type Followed, type FollowOptions, follow, SceneLink } from './follow.js';
export { ContactLines, DistanceLine, type LinesOptions, TreeBoxes } from './lines.js';
export { meshOf } from './mesh-of.js';
export { acceleratedRaycast, accelerateRaycasts } from './raycast.js';
