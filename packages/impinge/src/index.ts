/**
 * impinge: where triangle models touch, overlap or come too close. What most people need.
 * More: `impinge/geometry` (exact tests of triangles, segments, points), `impinge/hierarchy` (bounding-volume trees),
 * `impinge/parallel` (the same on several threads), `impinge/node` and `impinge/web` (thread pools).
 */
export { ImpingeError, type ImpingeErrorCode } from './base/errors.js';
export { prepareKernel } from './kernel/kernel.js';
export type { Pose, Vec3 } from './math/pose.js';
export { type GeometryLike, Mesh, type MeshArrays, type MeshInput } from './mesh/mesh.js';
export { type CollideOptions, type CollideResult, collide } from './query/collide.js';
export type { PoseOptions, QueryStats } from './query/context.js';
export { type DistanceOptions, type DistanceResult, distance } from './query/distance.js';
export { type SelfIntersectOptions, selfIntersect } from './query/self-intersect.js';
export { type ToleranceOptions, type ToleranceResult, tolerance } from './query/tolerance.js';
