/**
 * Directions in which a body may leave what it touches, or is near: along the normals there, and along the edges
 * between two of them, as a shaft leaves a bore. The normals lead away from what is there; those of larger faces come
 * first.
 */
import type { Vec3 } from 'impinge';
import { cross, dot, times } from 'impinge/internal/query/walk/vectors.js';

export interface Face {
  readonly normal: Vec3;
  readonly area: number;
}

/** Normals that directions are made of, those that they must not lead against, and directions that are handed out. */
const MOST_NORMALS = 40;
const MOST_LIMITS = 400;
const MOST_DIRECTIONS = 8;
/** Normals, or directions, nearer to each other than this count as one. */
const SAME = 0.9995;
/** The most that a direction may lead into a contact: facets of curves are not quite parallel. */
const INTO = -0.02;
/** Normals at a smaller angle, by its sine, give no edge. */
const PARALLEL = 0.05;

export function waysOff(faces: Iterable<Face>): Vec3[] {
  const limits = distinct(faces);
  const normals = limits.slice(0, MOST_NORMALS);
  const found: { direction: Vec3; least: number }[] = [];
  const offer = (direction: Vec3) => {
    let least = 1;
    for (const normal of limits) {
      least = Math.min(least, dot(normal, direction));
      if (least < INTO) return;
    }
    if (found.every((one) => dot(one.direction, direction) <= SAME)) found.push({ direction, least });
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

/** The largest first. */
function distinct(faces: Iterable<Face>): Vec3[] {
  const kept: { normal: Vec3; area: number }[] = [];
  for (const { normal, area } of faces) {
    const same = kept.find((one) => dot(one.normal, normal) > SAME);
    if (same) same.area += area;
    else if (kept.length < MOST_LIMITS) kept.push({ normal, area });
  }
  return kept.sort((a, b) => b.area - a.area).map(({ normal }) => normal);
}
