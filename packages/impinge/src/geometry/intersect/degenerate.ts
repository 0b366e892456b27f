/**
 * Classifies a triangle exactly: proper, or degenerate to a segment or point.
 *
 * A plane is studied in two dimensions by dropping a coordinate; that loses nothing as long as the dropped axis
 * is not parallel to the plane, which the exact projected area shows.
 */
import { type Coords, compareLexicographic } from '../../math/coords.js';
import { orient2dAt } from '../../math/predicates.js';

/** The axis to drop so that the projected triangle has area, the best conditioned one; −1 if it has none. */
export function projectionAxis(t: Coords, to: number): number {
  const ux = t[to + 3] - t[to];
  const uy = t[to + 4] - t[to + 1];
  const uz = t[to + 5] - t[to + 2];
  const vx = t[to + 6] - t[to];
  const vy = t[to + 7] - t[to + 1];
  const vz = t[to + 8] - t[to + 2];
  const nx = Math.abs(uy * vz - uz * vy);
  const ny = Math.abs(uz * vx - ux * vz);
  const nz = Math.abs(ux * vy - uy * vx);
  const best = nx >= ny && nx >= nz ? 0 : ny >= nz ? 1 : 2;
  for (let k = 0; k < 3; k++) {
    const axis = (best + k) % 3;
    if (orient2dAt(t, to, t, to + 3, t, to + 6, axis) !== 0) return axis;
  }
  return -1;
}

/** Offset of the lexicographically first vertex: one end of the triangle if its vertices are collinear. */
export function firstVertex(t: Coords, to: number): number {
  let first = to;
  if (compareLexicographic(t, to + 3, t, first) < 0) first = to + 3;
  if (compareLexicographic(t, to + 6, t, first) < 0) first = to + 6;
  return first;
}

/** Offset of the lexicographically last vertex: the other end. */
export function lastVertex(t: Coords, to: number): number {
  let last = to;
  if (compareLexicographic(t, to + 3, t, last) > 0) last = to + 3;
  if (compareLexicographic(t, to + 6, t, last) > 0) last = to + 6;
  return last;
}
