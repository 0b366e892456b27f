/**
 * What a body certainly fills, of meshes that are nearly convex: rounding leaves few that are so exactly.
 *
 * Idea: if each triangle of a closed mesh lies within d of one face of the hull, no point deeper in the hull than d is
 * on the surface. These points are a convex set, so all of them are inside if one is. The hull shrunk about a point of
 * depth r by the factor 1 − d / r is deeper everywhere.
 */
import { isClosed, type Mesh } from 'impinge';
import { HullBuilder } from 'impinge/internal/geometry/hull/hull-builder.js';
import { locatePoint } from 'impinge/internal/query/solid/locate.js';
import { ConvexSolid } from './convex-solid.js';

/** Shrunk by more, a hull says little. */
const MOST_SHRINKING = 0.05;
/** And by less, rounding counts. */
const LEAST_SHRINKING = 1e-9;
/** Triangles × faces that are compared. */
const MOST_COMPARISONS = 4e6;

/** A solid inside of a mesh and nearly as large, in the mesh's coordinates; undefined where there is none. */
export function innerOfMesh(mesh: Mesh, hull: ConvexSolid): ConvexSolid | undefined {
  const { points } = hull;
  const count = points.length / 3;
  if (count < 4 || !isClosed(mesh)) return undefined;
  const faces = facesOf(points);
  const { storedIndices, storedPositions, origin } = mesh;
  if (storedIndices.length * faces.length > 12 * MOST_COMPARISONS) return undefined;
  const middle = [0, 1, 2].map((k) => {
    let sum = 0;
    for (let i = k; i < points.length; i += 3) sum += points[i];
    return sum / count;
  });
  let depth = Infinity;
  for (let f = 0; f < faces.length; f += 4)
    depth = Math.min(depth, faces[f + 3] - middle.reduce((sum, x, k) => sum + x * faces[f + k], 0));
  let deviation = 0;
  for (let t = 0; t < storedIndices.length; t += 3) {
    let least = Infinity;
    for (let f = 0; f < faces.length; f += 4) {
      let most = 0;
      for (let c = t; c < t + 3; c++) {
        const v = 3 * storedIndices[c];
        let below = faces[f + 3];
        for (let k = 0; k < 3; k++) below -= faces[f + k] * (storedPositions[v + k] + origin[k]);
        if (below > most) most = below;
      }
      if (most < least) least = most;
    }
    if (least > deviation) deviation = least;
  }
  const shrinking = Math.max(LEAST_SHRINKING, (2 * deviation) / depth);
  if (!(shrinking <= MOST_SHRINKING)) return undefined;
  const inMesh = Float64Array.from(middle, (x, k) => x - origin[k]);
  if (locatePoint({ meshes: [mesh], closed: true }, inMesh) !== 'inside') return undefined;
  return new ConvexSolid(
    points.map((x, i) => x + shrinking * (middle[i % 3] - x)),
    0,
  );
}

/** Outward unit normals of a hull's faces and how far these are along them: four numbers each. */
function facesOf(points: Float64Array): Float64Array {
  const hull = new HullBuilder();
  const count = points.length / 3;
  hull.build(
    points,
    Array.from({ length: count }, (_, i) => i),
    count,
  );
  const out = new Float64Array(4 * hull.faceCount);
  for (let f = 0; f < hull.faceCount; f++) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * hull.corners[3 * f + k]);
    const [u, v] = [b, c].map((at) => [0, 1, 2].map((k) => points[at + k] - points[a + k]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...normal);
    for (let k = 0; k < 3; k++) out[4 * f + k] = normal[k] / length;
    out[4 * f + 3] = (normal[0] * points[a] + normal[1] * points[a + 1] + normal[2] * points[a + 2]) / length;
  }
  return out;
}
