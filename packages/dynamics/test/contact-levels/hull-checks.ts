/** What must hold of contact levels, asked without the code that builds them. */
import { closestPoint, Mesh, pointInMesh } from 'impinge';
import { distanceSqPointTriangle } from 'impinge/geometry';
import { HullBuilder } from 'impinge/internal/geometry/hull/hull-builder.js';
import { orient3dAt } from 'impinge/internal/math/predicates.js';
import { expect } from 'vitest';
import type { ContactLevels } from '../../src/index.js';

export interface Hull {
  readonly points: Float64Array;
  /** The corners of its faces, nine numbers each. */
  readonly faces: readonly Float64Array[];
  /** All vertices lie in the plane of the first face. */
  readonly isFlat: boolean;
}

export function hullOf(levels: ContactLevels, node: number): Hull {
  const [start, end] = levels.array('hullStart').subarray(node, node + 2);
  const [first, last] = levels.array('faceStart').subarray(node, node + 2);
  const points = Float64Array.from(levels.array('hullVertices').subarray(3 * start, 3 * end));
  const corners = levels.array('faces').subarray(3 * first, 3 * last);
  const faces = Array.from({ length: last - first }, (_, f) =>
    Float64Array.from({ length: 9 }, (_, k) => points[3 * corners[3 * f + Math.floor(k / 3)] + (k % 3)]),
  );
  return { points, faces, isFlat: faces.length === 0 || isIn(faces[0], points) };
}

/** Whether all points lie in the plane of a triangle. */
function isIn(t: Float64Array, points: Float64Array): boolean {
  for (let v = 0; v < points.length; v += 3) if (orient3dAt(t, 0, t, 3, t, 6, points, v) !== 0) return false;
  return true;
}

/** 0 inside, else the distance of the nearest face. */
export function distanceFromHull({ points, faces, isFlat }: Hull, p: Float64Array): number {
  if (!isFlat && !faces.some((t) => orient3dAt(t, 0, t, 3, t, 6, p, 0) > 0)) return 0;
  let sq = Infinity;
  for (let i = 0; i < points.length; i += 3) {
    sq = Math.min(sq, (points[i] - p[0]) ** 2 + (points[i + 1] - p[1]) ** 2 + (points[i + 2] - p[2]) ** 2);
  }
  for (const t of faces) sq = Math.min(sq, distanceSqPointTriangle(p, 0, t, 0));
  return Math.sqrt(sq);
}

/** The hull of the vertices of triangles, by their corners. */
export function hullAround(triangles: readonly Float64Array[]): Hull {
  const points = Float64Array.from(triangles.flatMap((t) => [...t]));
  const builder = new HullBuilder();
  const ids = Array.from({ length: points.length / 3 }, (_, i) => i);
  builder.build(points, ids, ids.length);
  const faces = Array.from({ length: builder.faceCount }, (_, f) =>
    Float64Array.from(
      { length: 9 },
      (_, k) => points[3 * builder.corners[3 * f + Math.floor(k / 3)] + (k % 3)],
    ),
  );
  return { points, faces, isFlat: builder.dimension < 3 };
}

/** The triangles of a usable level by node, as corners (nine numbers each). */
export function patchesOf(levels: ContactLevels, level: number): Float64Array[][] {
  const { start, end } = levels.nodesOf(level);
  const from = levels.array('surfaceStart')[level];
  const vertices = levels.array('surfaceVertices');
  const starts = levels.array('triangleStart');
  const triangles = levels.array('triangles');
  return Array.from({ length: end - start }, (_, n) =>
    Array.from({ length: starts[start + n + 1] - starts[start + n] }, (_, i) => {
      const h = 3 * (starts[start + n] + i);
      return Float64Array.from(
        { length: 9 },
        (_, k) => vertices[3 * (from + triangles[h + Math.floor(k / 3)]) + (k % 3)],
      );
    }),
  );
}

/** Each patch's triangles have no vertex of the hull above them, and the hull is closed and convex, by exact signs. */
export function expectConvex(levels: ContactLevels, level: number): void {
  const { start } = levels.nodesOf(level);
  const above: number[] = [];
  const off: number[] = [];
  patchesOf(levels, level).forEach((patch, n) => {
    const hull = hullOf(levels, start + n);
    const triangles = [...patch, ...hull.faces];
    // whether a point is inside is decided exactly; a flat hull has no inside, and distances from it are rounded
    const most = hull.isFlat ? 1e-15 : 0;
    for (let v = 0; v < hull.points.length; v += 3) {
      for (const t of triangles) if (orient3dAt(t, 0, t, 3, t, 6, hull.points, v) > 0) above.push(n);
    }
    for (const t of patch) {
      for (let k = 0; k < 9; k += 3) if (distanceFromHull(hull, t.subarray(k, k + 3)) > most) off.push(n);
    }
  });
  expect({ level, above, off }).toEqual({ level, above: [], off: [] });
}

/** Points of hulls are in the level's solid, as rays see it. */
export function expectWithin(levels: ContactLevels, level: number): void {
  const { start } = levels.nodesOf(level);
  const patches = patchesOf(levels, level);
  const solid = Mesh.from({ positions: Float32Array.from(patches.flat().flatMap((t) => [...t])) });
  const outside: number[] = [];
  patches.forEach((_, n) => {
    const { points } = hullOf(levels, start + n);
    const count = points.length / 3;
    const middle = [0, 1, 2].map(
      (k) => points.reduce((sum, x, i) => (i % 3 === k ? sum + x : sum), 0) / count,
    );
    for (let i = 0; i < count; i++) {
      for (const j of [i, (i + 1) % count, (i + (count >> 1)) % count]) {
        // between two vertices, and a little towards the middle
        const p = middle.map((m, k) => 0.98 * (0.5 * points[3 * i + k] + 0.5 * points[3 * j + k]) + 0.02 * m);
        const where = pointInMesh(solid, p as [number, number, number]);
        if (where === 'outside' && closestPoint(solid, p)!.distance > 1e-6) outside.push(n);
      }
    }
  });
  expect({ level, outside }).toEqual({ level, outside: [] });
}

/** All nodes below one, itself left out. */
export function descendants(levels: ContactLevels, node: number): number[] {
  const childStart = levels.array('childStart');
  const found: number[] = [];
  const collect = (n: number): void => {
    for (let child = childStart[n]; child < childStart[n + 1]; child++) {
      found.push(child);
      collect(child);
    }
  };
  collect(node);
  return found;
}

/** h is what brute force finds over the vertices of all descendants, and rounding. */
export function expectTightHausdorff(levels: ContactLevels, size: number): void {
  for (let node = levels.nodesOf(0).end; node < levels.nodeCount; node++) {
    const hull = hullOf(levels, node);
    let most = 0;
    for (const below of descendants(levels, node)) {
      const { points } = hullOf(levels, below);
      for (let i = 0; i < points.length; i += 3)
        most = Math.max(most, distanceFromHull(hull, points.subarray(i, i + 3)));
    }
    const h = levels.array('h')[node];
    expect(h).toBeGreaterThanOrEqual(most);
    expect(h).toBeLessThanOrEqual(most * (1 + 1e-6) + 1e-9 * size);
  }
}

/**
 * Points all over the original triangles are within h of the hull of every ancestor; every triangle has one at each
 * level. Of the hulls of level 0 each n-th is looked at.
 */
export function expectCovers(levels: ContactLevels, mesh: Mesh, points: number, each = 1): void {
  const { end } = levels.nodesOf(0);
  const [starts, originals, parent] = [
    levels.array('originalStart'),
    levels.array('originals'),
    levels.array('parent'),
  ];
  expect([...originals].sort((a, b) => a - b)).toEqual(
    Array.from({ length: mesh.triangleCount }, (_, t) => t),
  );
  let most = -Infinity;
  const known = new Map<number, Hull>();
  const hullAt = (node: number): Hull => {
    const hull = known.get(node) ?? hullOf(levels, node);
    known.set(node, hull);
    return hull;
  };
  for (let leaf = 0; leaf < end; leaf += each) {
    const ancestors = [leaf];
    while (parent[ancestors[ancestors.length - 1]] !== 0xffffffff)
      ancestors.push(parent[ancestors[ancestors.length - 1]]);
    expect(ancestors).toHaveLength(levels.levelCount);
    const hulls = ancestors.map(hullAt);
    for (const t of originals.subarray(starts[leaf], starts[leaf + 1])) {
      for (let i = 0; i <= points; i++) {
        for (let j = 0; i + j <= points; j++) {
          const weights = [i, j, points - i - j];
          const p = Float64Array.from({ length: 3 }, (_, k) =>
            weights.reduce(
              (sum, w, c) => sum + (w / points) * mesh.positions[3 * mesh.indices[3 * t + c] + k],
              0,
            ),
          );
          hulls.forEach((hull, level) => {
            most = Math.max(most, distanceFromHull(hull, p) - levels.array('h')[ancestors[level]]);
          });
        }
      }
    }
  }
  expect(most).toBeLessThan(1e-7);
}

/**
 * s of usable nodes is no less than what samples all over the patch, or over the faces of a box without one, find, and
 * not more than so many times that of all the level together. Of each level so many nodes are looked at.
 */
export function expectDeviation(
  levels: ContactLevels,
  mesh: Mesh,
  points: number,
  times: number,
  most = Infinity,
): void {
  let beyond = -Infinity;
  for (let level = 0; level < levels.usableLevels; level++) {
    const { start, end } = levels.nodesOf(level);
    const patches = patchesOf(levels, level);
    let [found, said] = [0, 0];
    const step = Math.ceil((end - start) / Math.min(most, end - start));
    for (let node = start; node < end; node += step) {
      const hull = hullOf(levels, node);
      const s = levels.array('s')[node];
      said = Math.max(said, s);
      const patch = patches[node - start];
      for (const t of patch.length > 0 ? patch : hull.faces) {
        for (const p of pointsOn(t, points)) {
          const apart = closestPoint(mesh, p)!.distance;
          found = Math.max(found, apart);
          beyond = Math.max(beyond, apart - s);
        }
      }
    }
    expect(said).toBeLessThanOrEqual(times * found + 1e-6);
  }
  expect(beyond).toBeLessThanOrEqual(1e-12);
}

/** Points of a triangle, `steps` from corner to corner. */
function* pointsOn(t: Float64Array, steps: number): Generator<Float64Array> {
  for (let i = 0; i <= steps; i++) {
    for (let j = 0; i + j <= steps; j++) {
      const weights = [i / steps, j / steps, 1 - (i + j) / steps];
      yield Float64Array.from({ length: 3 }, (_, k) =>
        weights.reduce((sum, w, c) => sum + w * t[3 * c + k], 0),
      );
    }
  }
}
