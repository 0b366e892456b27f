/**
 * Directions in which a body may leave its contacts: along their normals, and along the edges between two of them, as a
 * shaft leaves a bore. The normals lead away from what is touched.
 */
import type { Vec3 } from 'impinge';
import { cross, dot, times } from 'impinge/internal/query/walk/vectors.js';

/** Normals that are kept, the most frequent, and directions that are handed out. */
const MOST_NORMALS = 40;
const MOST_DIRECTIONS = 8;
/** Normals, or directions, nearer to each other than this count as one. */
const SAME = 0.9995;
/** The most that a direction may lead into a contact: facets of curves are not quite parallel. */
const INTO = -0.02;
/** Normals at a smaller angle, by its sine, give no edge. */
const PARALLEL = 0.05;

export function contactDirections(given: readonly Vec3[]): Vec3[] {
  const normals = frequent(given);
  const found: { direction: Vec3; least: number }[] = [];
  const offer = (direction: Vec3) => {
    const least = normals.reduce((low, normal) => Math.min(low, dot(normal, direction)), 1);
    if (least < INTO || found.some((one) => dot(one.direction, direction) > SAME)) return;
    found.push({ direction, least });
  };
  for (const [i, normal] of normals.entries()) {
    offer(normal);
    for (let j = 0; j < i; j++) {
      const edge = cross(normal, normals[j]);
      const length = Math.sqrt(dot(edge, edge));
      if (length < PARALLEL) continue;
      offer(times(edge, 1 / length));
      offer(times(edge, -1 / length));
    }
  }
  found.sort((a, b) => b.least - a.least);
  return found.slice(0, MOST_DIRECTIONS).map(({ direction }) => direction);
}

function frequent(given: readonly Vec3[]): Vec3[] {
  const kept: { normal: Vec3; count: number }[] = [];
  for (const normal of given) {
    const same = kept.find((one) => dot(one.normal, normal) > SAME);
    if (same) same.count++;
    else kept.push({ normal, count: 1 });
  }
  kept.sort((a, b) => b.count - a.count);
  return kept.slice(0, MOST_NORMALS).map(({ normal }) => normal);
}
