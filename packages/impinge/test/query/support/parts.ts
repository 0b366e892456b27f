/** Objects in pieces, and the slow answers about points of them: every triangle, exact predicates. */
import { distanceSqPointTriangle } from '../../../src/geometry/distance/point-triangle.js';
import { crossingRayTriangle, RAY_DEGENERATE } from '../../../src/geometry/intersect/ray-triangle.js';
import { pointOnTriangle } from '../../../src/geometry/intersect/segment-triangle.js';
import { posePoint, type RigidPose } from '../../../src/math/pose.js';
import { isClosed } from '../../../src/mesh/closed.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import type { Parts } from '../../../src/query/solid/point-query.js';

export const whole = (mesh: Mesh): Parts => ({ meshes: [mesh], closed: isClosed(mesh) });

/** The same object in pieces that have its origin: triangle i goes to piece `pieceOf(i)`. */
export function inPieces(mesh: Mesh, count: number, pieceOf: (triangle: number) => number): Parts {
  const lists = Array.from({ length: count }, () => [] as number[]);
  for (let t = 0; t < mesh.triangleCount; t++) lists[pieceOf(t)].push(t);
  const positions = mesh.positions.slice();
  const indices = mesh.indices.slice();
  const meshes = lists
    .filter((triangles) => triangles.length > 0)
    .map((triangles) =>
      Mesh.layOut(
        {
          vertexCount: mesh.vertexCount,
          triangleCount: triangles.length,
          origin: mesh.origin,
          name: mesh.name,
        },
        (p, i) => {
          p.set(positions);
          for (const [k, t] of triangles.entries()) i.set(indices.subarray(3 * t, 3 * t + 3), 3 * k);
        },
      ),
    );
  return { meshes, closed: isClosed(mesh) };
}

/** Nine numbers per triangle, as stored. */
export function trianglesOf(parts: Parts): Float64Array {
  return Float64Array.from(
    parts.meshes.flatMap(({ positions, indices }) =>
      Array.from(indices, (v) => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]).flat(),
    ),
  );
}

/** Of points not farther than `enough` only that they are not. */
export function slowDistance(triangles: Float64Array, p: Float64Array, enough = 0): number {
  let best = Infinity;
  for (let t = 0; t < triangles.length && best > enough * enough; t += 9)
    best = Math.min(best, distanceSqPointTriangle(p, 0, triangles, t));
  return Math.sqrt(best);
}

/** The least and the largest coordinates of points. */
function boxOf(points: Float64Array): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let i = 0; i < points.length; i++) {
    box[i % 3] = Math.min(box[i % 3], points[i]);
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], points[i]);
  }
  return box;
}

/** Whether p is in the box of the points that lie between two places; else it is on no triangle of them. */
function inBox(p: Float64Array, points: Float64Array, from: number, to: number): boolean {
  for (let k = 0; k < 3; k++) {
    let below = false;
    let above = false;
    for (let i = from + k; i < to; i += 3) {
      below ||= points[i] <= p[k];
      above ||= points[i] >= p[k];
    }
    if (!below || !above) return false;
  }
  return true;
}

export function slowLocation(triangles: Float64Array, p: Float64Array): 'inside' | 'outside' | 'on' {
  for (let t = 0; t < triangles.length; t += 9) {
    if (inBox(p, triangles, t, t + 9) && pointOnTriangle(p, 0, triangles, t)) return 'on';
  }
  let far = 0;
  for (let i = 0; i < triangles.length; i++) far = Math.max(far, 10 * Math.abs(triangles[i]));
  for (let ray = 0; ray < 40; ray++) {
    const q = Float64Array.of(
      p[0] + far * Math.cos(1 + 3.7 * ray),
      p[1] + far * Math.sin(2 + 5.3 * ray),
      p[2] + far * Math.cos(3 + 2.9 * ray),
    );
    let crossings = 0;
    let useless = false;
    for (let t = 0; t < triangles.length && !useless; t += 9) {
      const crossing = crossingRayTriangle(p, 0, q, 0, triangles, t);
      if (crossing === RAY_DEGENERATE) useless = true;
      else crossings += Math.abs(crossing);
    }
    if (!useless) return crossings % 2 === 1 ? 'inside' : 'outside';
  }
  throw new Error('no ray avoids the edges');
}

/** The deepest of many points spread over each triangle of `surface`, posed by `toOther`; the other is closed. */
export function sampledDepth(
  surface: Parts,
  other: Parts,
  toOther: RigidPose,
  steps: number,
): { depth: number; spacing: number } {
  const own = trianglesOf(surface);
  const others = trianglesOf(other);
  const box = boxOf(others);
  const corner = new Float64Array(9);
  const p = new Float64Array(3);
  let depth = 0;
  let spacing = 0;
  for (let t = 0; t < own.length; t += 9) {
    for (let k = 0; k < 9; k += 3) posePoint(toOther, own[t + k], own[t + k + 1], own[t + k + 2], corner, k);
    for (let k = 0; k < 9; k += 3) {
      const l = (k + 3) % 9;
      const edge = Math.hypot(
        corner[k] - corner[l],
        corner[k + 1] - corner[l + 1],
        corner[k + 2] - corner[l + 2],
      );
      spacing = Math.max(spacing, edge / steps);
    }
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; i + j <= steps; j++) {
        for (let k = 0; k < 3; k++) {
          p[k] = (i * corner[k] + j * corner[3 + k] + (steps - i - j) * corner[6 + k]) / steps;
        }
        if (!inBox(p, box, 0, 6)) continue;
        const distance = slowDistance(others, p, depth);
        if (distance > depth && slowLocation(others, p) === 'inside') depth = distance;
      }
    }
  }
  return { depth, spacing };
}
