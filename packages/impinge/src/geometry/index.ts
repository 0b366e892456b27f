/**
 * Exact intersection tests and float64 distances of points, segments and triangles: pure functions on
 * (array, offset). A triangle is nine consecutive numbers, a point three; a segment names its two ends.
 * Continuous tests take the two elements' four points at either end of a step: 24 numbers.
 */
export type { Coords } from '../math/coords.js';
export {
  type ElementImpact,
  type ElementImpactOptions,
  timeOfImpactEdgeEdge,
  timeOfImpactVertexFace,
} from './ccd/time-of-impact.js';
export {
  closestPointOnTriangle,
  crossingRayTriangle,
  distanceSqPointTriangle,
  distanceSqSegmentSegment,
  distanceSqSegmentTriangle,
  distanceSqTriangleTriangle,
  intersectionPolygonCoplanar,
  intersectionTriangleTriangle,
  intersectsSegmentSegment,
  intersectsSegmentTriangle,
  intersectsTriangleTriangle,
  pointOnTriangle,
} from './checked.js';
export { FACE } from './distance/point-triangle.js';
export { RAY_DEGENERATE } from './intersect/ray-triangle.js';
