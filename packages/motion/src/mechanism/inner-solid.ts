/**
 * What a body certainly fills, of meshes that are nearly convex: rounding leaves few that are so exactly.
 *
 * Idea: if each triangle of a closed mesh lies within d of one face of the hull, no point deeper in the hull than d is
 * on the surface. These points are a convex set, so all of them are inside if one is. The hull shrunk about a point of
 * depth r by the factor 1 − d / r is deeper everywhere. The hull reaches beyond a plane that the shrunk one is behind
 * by at most its skin, d / r of the farthest from that point; so what is in the mesh, but does not meet the shrunk
 * hull, is no wider than that along the plane's normal.
 */
import { isClosed, type Mesh } from 'impinge';
import { locatePoint } from 'impinge/internal/query/solid/locate.js';
import { ConvexSolid, facesOf, middleOf } from './convex-solid.js';

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
  const middle = middleOf(points);
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
  let farthest = 0;
  for (let i = 0; i < points.length; i += 3)
    farthest = Math.max(farthest, Math.hypot(...middle.map((x, k) => points[i + k] - x)));
  return new ConvexSolid(
    points.map((x, i) => x + shrinking * (middle[i % 3] - x)),
    0,
    0,
    { skin: shrinking * farthest, width: 2 * (1 - shrinking) * depth },
  );
}
