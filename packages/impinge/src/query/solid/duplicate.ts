/**
 * Are two objects the same geometry in the same place? Coincident surfaces are the worst case for triangle tests, so
 * this is decided before any of them.
 *
 * Idea: equal counts and boxes come first and settle nearly all pairs. Then every corner of one must lie at a corner of
 * the other and the areas must agree: enough to recognise the same shape triangulated the other way round, as in an
 * instance turned about its own symmetry.
 */
import { posePoint, type RigidPose } from '../../math/pose.js';
import type { PlacedPair } from './placed-pair.js';
import { normalOf } from './placed-solid.js';
import { PointIds } from './point-ids.js';
import type { Parts } from './point-query.js';

/** Share of the size of the box by which corners and boxes may differ. */
const SAME_PLACE = 1e-6;
const SAME_AREA = 1e-5;

/** Whether a and b are the same. False when not all pieces are among the parts. */
export function isDuplicate(pair: PlacedPair): boolean {
  const { a, b } = pair;
  if (a.triangleCount !== b.triangleCount) return false;
  const size = Math.hypot(a.box[3] - a.box[0], a.box[4] - a.box[1], a.box[5] - a.box[2]);
  for (let k = 0; k < 6; k++) if (!(Math.abs(a.box[k] - b.box[k]) <= SAME_PLACE * size)) return false;
  if (size === 0 || countOf(a.parts) !== a.triangleCount || countOf(b.parts) !== b.triangleCount)
    return false;
  const tolerance = SAME_PLACE * size;
  const inB = cornersOf(b.parts, pair.pose, tolerance);
  const inA = cornersOf(a.parts, undefined, tolerance);
  return (
    eachCorner(a.parts, undefined, (corner) => inB.find(corner, 0) >= 0) &&
    eachCorner(b.parts, pair.pose, (corner) => inA.find(corner, 0) >= 0) &&
    Math.abs(areaOf(a.parts) - areaOf(b.parts)) <= SAME_AREA * areaOf(a.parts)
  );
}

function countOf({ meshes }: Parts): number {
  return meshes.reduce((count, mesh) => count + mesh.triangleCount, 0);
}

function cornersOf(parts: Parts, pose: RigidPose | undefined, tolerance: number): PointIds {
  const ids = new PointIds(tolerance, countOf(parts));
  eachCorner(parts, pose, (corner) => ids.add(corner, 0) >= 0);
  return ids;
}

/** Whether `test` holds for every vertex that a triangle uses; stops at the first for which it does not. */
function eachCorner(
  { meshes }: Parts,
  pose: RigidPose | undefined,
  test: (corner: Float64Array) => boolean,
): boolean {
  const corner = new Float64Array(3);
  for (const { storedPositions: positions, storedIndices: indices, vertexCount } of meshes) {
    const seen = new Uint8Array(vertexCount);
    for (const v of indices) {
      if (seen[v]) continue;
      seen[v] = 1;
      const [x, y, z] = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
      if (pose) posePoint(pose, x, y, z, corner, 0);
      else corner.set([x, y, z]);
      if (!test(corner)) return false;
    }
  }
  return true;
}

function areaOf({ meshes }: Parts): number {
  let area = 0;
  const corners = new Float64Array(9);
  for (const { storedPositions: positions, storedIndices: indices } of meshes) {
    for (let h = 0; h < indices.length; h += 3) {
      for (let k = 0; k < 9; k++) corners[k] = positions[3 * indices[h + Math.floor(k / 3)] + (k % 3)];
      const normal = normalOf(corners, 0, corners, 3, corners, 6);
      area += 0.5 * Math.hypot(normal[0], normal[1], normal[2]);
    }
  }
  return area;
}
