/** How deep bodies are in each other, at points of both surfaces. */
import { type Mesh, type Pose, signedDistances } from 'impinge';
import { posePoint, toRigidPose } from 'impinge/internal/math/pose.js';

/** Corners, middles of edges and of faces, in the mesh's coordinates. */
function surfacePoints({ storedPositions: p, storedIndices, origin }: Mesh): number[] {
  const out: number[] = [];
  const mean = (...corners: number[]) => {
    for (let k = 0; k < 3; k++)
      out.push(corners.reduce((sum, v) => sum + p[3 * v + k], 0) / corners.length + origin[k]);
  };
  for (let t = 0; t < storedIndices.length; t += 3) {
    const [a, b, c] = storedIndices.subarray(t, t + 3);
    for (const corners of [[a], [a, b], [b, c], [c, a], [a, b, c]]) mean(...corners);
  }
  return out;
}

/** The deepest of the points of either in the other, at a pose of the body. */
export function overlapOf(body: Mesh, obstacle: Mesh, pose: Pose): number {
  const own = toRigidPose(pose);
  const points = Float64Array.from(surfacePoints(body));
  for (let i = 0; i < points.length; i += 3)
    posePoint(own, points[i], points[i + 1], points[i + 2], points, i);
  const distances = [
    ...signedDistances(obstacle, points),
    ...signedDistances(body, surfacePoints(obstacle), { pose }),
  ];
  return distances.reduce((most, distance) => Math.max(most, -distance), 0);
}
