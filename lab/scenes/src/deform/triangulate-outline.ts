/**
 * Even triangles inside polygons with holes.
 *
 * Idea: a triangular lattice of points inside, kept clear of the outline; the Delaunay triangles of all points; of
 * these the ones that can be reached from the inner side of the outline without crossing it. The outline's sides are
 * about as long as the lattice is wide, so that they are Delaunay edges by themselves; this is checked.
 */
import { Random } from '../random.js';
import type { Point } from './letter-outlines.js';
import { square } from './scene-mesh.js';

/** Lattice points this close to the outline, in sides, would make slivers. */
const CLEAR = 0.7;
/** Hundredths of the capital height, as the outlines: far below any side, far above rounding. */
const SHAKE = 1e-5;
const FAR = 1e4;

/** Inner points for the contours, on a lattice of the given side. */
export function innerPoints(contours: readonly Point[][], side: number): Point[] {
  const outline = contours.flat();
  const [left, right] = [Math.min(...outline.map((p) => p[0])), Math.max(...outline.map((p) => p[0]))];
  const [bottom, top] = [Math.min(...outline.map((p) => p[1])), Math.max(...outline.map((p) => p[1]))];
  const points: Point[] = [];
  const height = side * Math.sqrt(0.75);
  for (let row = 1; bottom + row * height < top; row++) {
    for (let x = left + side * (row % 2 === 0 ? 0.26 : 0.77); x < right; x += side) {
      const point: Point = [x, bottom + row * height];
      if (clearanceOf(point, contours) > CLEAR * side) points.push(point);
    }
  }
  return points;
}

/** Distance to the outline, negative outside. */
function clearanceOf([x, y]: Point, contours: readonly Point[][]): number {
  let nearestSq = Infinity;
  let inside = false;
  for (const contour of contours) {
    let from = contour[contour.length - 1];
    for (let i = 0; i < contour.length; i++) {
      const to = contour[i];
      const ax = from[0];
      const ay = from[1];
      const dx = to[0] - ax;
      const dy = to[1] - ay;
      const t = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
      const s = Math.max(0, Math.min(1, t));
      nearestSq = Math.min(nearestSq, square(x - ax - s * dx) + square(y - ay - s * dy));
      if (ay > y !== to[1] > y && x < ax + ((y - ay) / dy) * dx) inside = !inside;
      from = to;
    }
  }
  return (inside ? 1 : -1) * Math.sqrt(nearestSq);
}

/** Counter-clockwise triangles over the points of the contours, in their order, followed by the inner ones. */
export function triangulateOutline(contours: readonly Point[][], inner: readonly Point[]): number[] {
  const triangles = delaunay([...contours.flat(), ...inner]);
  const owner = new Map<number, number>();
  const key = (from: number, to: number): number => from * 65536 + to;
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) owner.set(key(triangles[t + k], triangles[t + ((k + 1) % 3)]), t);
  }

  // from the inner side of every outline edge over all other edges
  const walls = new Set<number>();
  const reached = new Set<number>();
  let first = 0;
  for (const contour of contours) {
    for (let i = 0; i < contour.length; i++) {
      const wall = key(first + i, first + ((i + 1) % contour.length));
      const triangle = owner.get(wall);
      if (triangle === undefined) throw new Error(`side ${i} of an outline is not an edge of its triangles`);
      walls.add(wall);
      reached.add(triangle);
    }
    first += contour.length;
  }
  for (const t of reached) {
    for (let k = 0; k < 3; k++) {
      const [from, to] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      const across = owner.get(key(to, from));
      if (!walls.has(key(from, to)) && across !== undefined) reached.add(across);
    }
  }
  return [...reached].sort((a, b) => a - b).flatMap((t) => triangles.slice(t, t + 3));
}

/**
 * Delaunay triangles by adding one point after the other: a few hundred points at most. The points are shaken a
 * little, so that no four of them lie on one circle.
 */
function delaunay(points: readonly Point[]): number[] {
  const count = points.length;
  const random = new Random(1);
  const shaken = points.map(([x, y]): Point => [x + SHAKE * random.next(), y + SHAKE * random.next()]);
  const all: Point[] = [...shaken, [-3 * FAR, -FAR], [3 * FAR, -FAR], [0, 3 * FAR]];
  let triangles = [[count, count + 1, count + 2]];
  for (let p = 0; p < count; p++) {
    const kept: number[][] = [];
    const rim = new Map<string, [number, number]>();
    for (const triangle of triangles) {
      if (!inCircle(all, triangle, all[p])) {
        kept.push(triangle);
        continue;
      }
      for (let k = 0; k < 3; k++) {
        const [from, to] = [triangle[k], triangle[(k + 1) % 3]];
        if (!rim.delete(`${to} ${from}`)) rim.set(`${from} ${to}`, [from, to]);
      }
    }
    triangles = [...kept, ...[...rim.values()].map(([from, to]) => [from, to, p])];
  }
  return triangles.filter((triangle) => triangle.every((v) => v < count)).flat();
}

function inCircle(points: readonly Point[], [a, b, c]: readonly number[], p: Point): boolean {
  const [ax, ay] = [points[a][0] - p[0], points[a][1] - p[1]];
  const [bx, by] = [points[b][0] - p[0], points[b][1] - p[1]];
  const [cx, cy] = [points[c][0] - p[0], points[c][1] - p[1]];
  const determinant =
    (ax * ax + ay * ay) * (bx * cy - by * cx) +
    (bx * bx + by * by) * (cx * ay - cy * ax) +
    (cx * cx + cy * cy) * (ax * by - ay * bx);
  return determinant > 0;
}
