/**
 * impinge: where triangle models touch, overlap or come too close. What most people need.
 * More: `impinge/geometry` (exact tests of triangles, segments, points), `impinge/hierarchy` (bounding-volume trees),
 * `impinge/formats` (meshes out of files), `impinge/three`, `impinge/parallel` (the same on several threads) with
 * `impinge/node` and `impinge/web` (the threads). Other packages: `@impinge/model` (models larger than memory, checks),
 * `@impinge/dynamics` (bodies), `@impinge/gpu` (culling by visibility), `@impinge/motion` (certified motions).
 */
export { ImpingeError, type ImpingeErrorCode } from './base/errors.js';
export { type Motion, type MotionKind, type MovedPose, poseAt } from './math/motion.js';
export type { Point } from './math/point.js';
export type { MatrixLike, PlacedLike, Pose, QuaternionLike, Vec3 } from './math/pose.js';
export { type ClosedOptions, countEdges, type EdgeCounts, isClosed } from './mesh/closed.js';
export { isConvex } from './mesh/convex.js';
export type { AttributeLike, GeometryLike } from './mesh/geometry-input.js';
export { Mesh } from './mesh/mesh.js';
export type { MeshArrays } from './mesh/mesh-arrays.js';
export type { MeshInput, MeshOptions } from './mesh/mesh-input.js';
export type { MeshPart } from './mesh/mesh-parts.js';
export { type WeldOptions, type WeldResult, weld } from './mesh/weld.js';
export {
  type TimeOfImpactOptions,
  type TimeOfImpactResult,
  timeOfImpact,
} from './query/motion/time-of-impact.js';
export type { Allowed, BodyMotion } from './query/pair/allowed.js';
export type { Budget } from './query/pair/budget.js';
export { type AmountOptions, type CollideOptions, collide } from './query/pair/collide.js';
export type { PoseOptions, QueryStats } from './query/pair/context.js';
export { type DistanceOptions, distance } from './query/pair/distance.js';
export { useHierarchy } from './query/pair/hierarchy-of.js';
export { type HitsOptions, hits } from './query/pair/hits.js';
export type {
  ClosestRequest,
  ErrorBounds,
  ErrorLimit,
  ErrorOptions,
  HitsRequest,
  PairAnswer,
  PairRequest,
  PairsRequest,
} from './query/pair/pair-request.js';
export { prepareKernel } from './query/pair/prepare-kernel.js';
export type {
  CollideResult,
  DistanceResult,
  Hit,
  HitsResult,
  NearestPlaces,
  PairPlaces,
  PairsResult,
  PatchColumns,
  WithinResult,
} from './query/pair/results.js';
export { selfIntersect } from './query/pair/self-intersect.js';
export { type WithinOptions, within } from './query/pair/within.js';
export type { ClosestPointResult, ClosestPoints } from './query/point/closest-point.js';
export type { ClosestOptions, PointOptions } from './query/point/point-input.js';
export type { RayHit } from './query/ray/cast-mesh.js';
export type { RayHits } from './query/ray/hit-columns.js';
export type { Ray, RaycastOptions, RayMode, Rays } from './query/ray/ray-input.js';
export { raycast, raycastMany } from './query/ray/raycast.js';
export {
  closestPoint,
  closestPoints,
  pointInMesh,
  pointsInMesh,
  signedDistance,
  signedDistances,
} from './query/scene/ask-points.js';
export {
  meetsShape,
  meetsSpheres,
  objectsInShape,
  shapeDistance,
  sweepShape,
  trianglesInShape,
} from './query/scene/ask-shapes.js';
export { BROAD_PHASES } from './query/scene/broad-phases.js';
export {
  type CollideAllOptions,
  type CollideAllResult,
  collideAll,
  type ObjectPair,
} from './query/scene/collide-all.js';
export { collideOne } from './query/scene/collide-one.js';
export type { ObjectTriangles } from './query/scene/meeting-shape.js';
export {
  type NearestOptions,
  type NearestPairOptions,
  type NearPair,
  nearest,
  nearestPair,
} from './query/scene/nearest.js';
export { type SectionCurve, section } from './query/section/section.js';
export type { ShapeOptions } from './query/shape/meets-shape.js';
export type { Spheres } from './query/shape/meets-spheres.js';
export { Primitive } from './query/shape/primitive.js';
export type { ShapeDistance, ShapeDistanceOptions } from './query/shape/shape-distance.js';
export type {
  BoxShape,
  CapsuleShape,
  CylinderShape,
  FrustumShape,
  HalfSpaceShape,
  HullShape,
  Shape,
  SphereShape,
} from './query/shape/shape-input.js';
export type { ShapeContact } from './query/shape/sweep-shape.js';
export {
  type ContactCurve,
  type ContactKind,
  type ContactRegion,
  type ContactsOptions,
  type ContactsResult,
  contacts,
} from './query/solid/contacts.js';
export {
  type ContainmentResult,
  contains,
  type SolidRelation,
} from './query/solid/containment.js';
export type { PointLocation } from './query/solid/locate.js';
export { type PenetrationOptions, type PenetrationResult, penetration } from './query/solid/penetration.js';
export type {
  SolidTarget,
  TargetContactRegion,
  TargetContactsOptions,
  TargetContactsResult,
} from './query/solid/target-contacts.js';
export type {
  Answer,
  PartsTarget,
  Place,
  PlaceColumns,
  Target,
  TargetPart,
  TargetParts,
  VisitPart,
} from './query/target.js';
export {
  CharacterController,
  type CharacterGround,
  type CharacterHit,
  type CharacterMove,
  type CharacterOptions,
} from './query/walk/character-controller.js';
export type { BoxBound } from './scene/nearest-first.js';
export {
  type AddOptions,
  type BoxLike,
  Scene,
  type SceneObject,
  type SceneOptions,
  type ScenePart,
} from './scene/scene.js';
export type { PrimitiveHit, PrimitivePoint, ScenePrimitive } from './scene/scene-primitive.js';
export type { BroadPhase } from './volumes/broad-phase.js';
