/**
 * The slow answers: every pair of triangles by the exact predicate or the reference distance, on the numbers that the
 * library decides about (the lower object as stored, the other posed into its numbers in float64).
 */
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';
import {
  IDENTITY,
  posePoint,
  type RigidPose,
  relativePose,
  toRigidPose,
} from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { distanceRounding, storedPose } from 'impinge/internal/mesh/stored-pose.js';
import { collide } from 'impinge/internal/query/pair/collide.js';
import { selfIntersect } from 'impinge/internal/query/pair/self-intersect.js';
import type { Placed } from './configurations.js';

/** The reference distance may be off by this much of the scene's extent; so may a query's. */
const DISTANCE_ERROR = 2e-13;

/** First object, its triangle, second object, its triangle; sorted so. */
export type Row = readonly [number, number, number, number];

/** Rows of what the culler answers in columns. */
export function rowsOf({ objects, triangles }: { objects: Uint32Array; triangles: Uint32Array }): Row[] {
  const rows: Row[] = [];
  for (let i = 0; i < objects.length; i += 2) {
    rows.push([objects[i], triangles[i], objects[i + 1], triangles[i + 1]]);
  }
  return rows;
}

/** The pairs that meet, those within objects that are tested against themselves included. */
export function meetingRows(placed: readonly Placed[]): Row[] {
  const rows: Row[] = [];
  for (let a = 0; a < placed.length; a++) {
    if (placed[a].self) rows.push(...selfRows(placed[a].mesh, a));
    for (let b = a + 1; b < placed.length; b++) {
      const { p, q } = cornersOf(placed[a], placed[b]);
      const boxes = boxesOf(q);
      for (let i = 0; i < p.length; i += 9) {
        const own = boxesOf(p.subarray(i, i + 9));
        for (let j = 0; j < q.length; j += 9) {
          if (boxesMeet(own, 0, boxes, (6 * j) / 9) && intersectsTriangleTriangle(p, i, q, j)) {
            rows.push([a, i / 9, b, j / 9]);
          }
        }
      }
    }
  }
  return rows.sort(inOrder);
}

/** The same by the library's own queries. */
export function libraryRows(placed: readonly Placed[]): Row[] {
  const rows: Row[] = [];
  const add = (a: number, b: number, pairs: Uint32Array) => {
    for (let i = 0; i < pairs.length; i += 2) rows.push([a, pairs[i], b, pairs[i + 1]]);
  };
  for (let a = 0; a < placed.length; a++) {
    const { mesh, pose: poseA, self } = placed[a];
    if (self) add(a, a, selfIntersect(mesh).pairs);
    for (let b = a + 1; b < placed.length; b++) {
      add(a, b, collide(mesh, placed[b].mesh, { poseA, poseB: placed[b].pose }).pairs);
    }
  }
  return rows.sort(inOrder);
}

/** Objects in the rows. */
export function objectsIn(rows: readonly Row[]): number[] {
  return [...new Set(rows.flatMap(([a, , b]) => [a, b]))].sort((x, y) => x - y);
}

/** All distances between triangles that count, and how far each may be off. */
export interface Distances {
  readonly rows: Row[];
  readonly distances: number[];
  readonly doubts: number[];
}

/** Those of different objects, and those within objects that are tested against themselves, neighbours left out. */
export function allDistances(placed: readonly Placed[]): Distances {
  const [rows, distances, doubts]: [Row[], number[], number[]] = [[], [], []];
  for (let a = 0; a < placed.length; a++) {
    for (let b = placed[a].self ? a : a + 1; b < placed.length; b++) {
      const { p, q, bToA } = cornersOf(placed[a], placed[b]);
      const { mesh } = placed[a];
      const doubt = DISTANCE_ERROR * extentOf(p, q) + 2 * distanceRounding(mesh, placed[b].mesh, bToA);
      for (let i = 0; i < p.length; i += 9) {
        for (let j = a === b ? i + 9 : 0; j < q.length; j += 9) {
          if (a === b && shareCorner(p, mesh.indices, i / 9, j / 9)) continue;
          rows.push([a, i / 9, b, j / 9]);
          const meet = intersectsTriangleTriangle(p, i, q, j);
          distances.push(meet ? 0 : Math.sqrt(distanceSqTriangleTriangle(p, i, q, j)));
          doubts.push(doubt);
        }
      }
    }
  }
  return { rows, distances, doubts };
}

function selfRows(mesh: Mesh, object: number): Row[] {
  const corners = posed(mesh, IDENTITY as RigidPose);
  const { indices } = mesh;
  const rows: Row[] = [];
  for (let i = 0; i < mesh.triangleCount; i++) {
    for (let j = i + 1; j < mesh.triangleCount; j++) {
      if (shareCorner(corners, indices, i, j)) continue;
      if (intersectsTriangleTriangle(corners, 9 * i, corners, 9 * j)) rows.push([object, i, object, j]);
    }
  }
  return rows;
}

/** By vertex number, or by place. */
function shareCorner(corners: Float64Array, indices: Uint32Array, i: number, j: number): boolean {
  for (let k = 0; k < 3; k++) {
    for (let l = 0; l < 3; l++) {
      if (indices[3 * i + k] === indices[3 * j + l]) return true;
      const [p, q] = [9 * i + 3 * k, 9 * j + 3 * l];
      if ([0, 1, 2].every((m) => corners[p + m] === corners[q + m])) return true;
    }
  }
  return false;
}

function cornersOf(a: Placed, b: Placed): { p: Float64Array; q: Float64Array; bToA: RigidPose } {
  const bToA = relativePose(toRigidPose(a.pose), toRigidPose(b.pose));
  const p = posed(a.mesh, IDENTITY as RigidPose);
  return { p, q: posed(b.mesh, storedPose(a.mesh, b.mesh, bToA)), bToA };
}

function posed(mesh: Mesh, pose: RigidPose): Float64Array {
  const { positions, indices } = mesh;
  const out = new Float64Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    const v = 3 * indices[i];
    posePoint(pose, positions[v], positions[v + 1], positions[v + 2], out, 3 * i);
  }
  return out;
}

/** Lower and upper corner for each triangle. */
function boxesOf(corners: Float64Array): Float64Array {
  const boxes = new Float64Array((6 * corners.length) / 9);
  for (let i = 0, at = 0; i < corners.length; i += 9, at += 6) {
    for (let k = 0; k < 3; k++) {
      const [x, y, z] = [corners[i + k], corners[i + 3 + k], corners[i + 6 + k]];
      boxes[at + k] = Math.min(x, y, z);
      boxes[at + 3 + k] = Math.max(x, y, z);
    }
  }
  return boxes;
}

function boxesMeet(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (a[i + k] > b[j + 3 + k] || b[j + k] > a[i + 3 + k]) return false;
  }
  return true;
}

function extentOf(...corners: Float64Array[]): number {
  let extent = 0;
  for (let k = 0; k < 3; k++) {
    let [min, max] = [Infinity, -Infinity];
    for (const c of corners) {
      for (let i = k; i < c.length; i += 3) {
        min = Math.min(min, c[i]);
        max = Math.max(max, c[i]);
      }
    }
    extent = Math.max(extent, max - min);
  }
  return extent;
}

function inOrder(x: Row, y: Row): number {
  return x[0] - y[0] || x[1] - y[1] || x[2] - y[2] || x[3] - y[3];
}
