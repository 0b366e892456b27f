/**
 * `impinge/three`: three.js objects as meshes, poses and scenes, and its Raycaster on the trees of meshes. It imports
 * `three`, which is an optional peer of the package: who does not use this entry needs none.
 */
export { treeBoxes } from '../query/ray/tree-boxes.js';
export { type FollowChanges, type Followed, type FollowOptions, follow, SceneLink } from './follow.js';
export { ContactLines, DistanceLine, type LinesOptions, TreeBoxes } from './lines.js';
export { meshOf } from './mesh-of.js';
export { type Placement, poseOf } from './pose.js';
export { acceleratedRaycast, accelerateRaycasts } from './raycast.js';
