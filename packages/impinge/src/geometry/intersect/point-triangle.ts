import type { Coords } from '../../math/coords.js';
import { intersectsSegmentTriangle } from './segment-triangle.js';

/**
 * Whether the point at offset `po` lies on the closed triangle, which may be a segment or a point. Exact.
 */
export function pointOnTriangle(p: Coords, po: number, t: Coords, to: number): boolean {
  return intersectsSegmentTriangle(p, po, po, t, to);
}
