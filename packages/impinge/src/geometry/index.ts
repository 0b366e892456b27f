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
  distanceSqPointTriangle,
  FACE,
} from './distance/point-triangle.js';
export { distanceSqSegmentSegment } from './distance/segment-segment.js';
export { distanceSqSegmentTriangle } from './distance/segment-triangle.js';
export { distanceSqTriangleTriangle } from './distance/triangle-triangle.js';
export { intersectionPolygonCoplanar } from './intersect/coplanar.js';
export { crossingRayTriangle, RAY_DEGENERATE } from './intersect/ray-triangle.js';
export { intersectsSegmentSegment } from './intersect/segment-segment.js';
export { intersectsSegmentTriangle, pointOnTriangle } from './intersect/segment-triangle.js';
export { intersectsTriangleTriangle } from './intersect/triangle-triangle.js';
export { intersectionTriangleTriangle } from './intersect/triangle-triangle-segment.js';
