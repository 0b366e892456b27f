/**
 * Is a mesh the surface of a convex solid? Decided by exact signs in time linear in its size.
 *
 * Idea: a closed surface of consistent orientation is the border of a convex body when (1) at every edge the
 * neighbour's far corner is not above the triangle's plane, (2) one point lies strictly below all planes, so that the
 * surface winds about it everywhere the same way, and (3) a ray from that point leaves once: it winds only once.
 */
import { crossingRayTriangle, RAY_DEGENERATE } from '../geometry/intersect/ray-triangle.js';
import { orient3dAt } from '../math/predicates.js';
import { adjacencyOf, NO_EDGE } from './adjacency.js';
import { orientationOf } from './closed.js';
import { assertMesh, type Mesh } from './mesh.js';
import { Derived } from './revisions.js';

const convex = new Derived(decideConvex);

/** Whether the mesh is closed, consistently oriented and bounds one convex solid of positive volume. Exact. */
export function isConvex(mesh: Mesh): boolean {
  assertMesh(mesh);
  return convex.of(mesh);
}

function decideConvex(mesh: Mesh): boolean {
  const outward = orientationOf(mesh);
  if (outward === 0) return false;
  const { edgeOf, edgeStart, halfEdges } = adjacencyOf(mesh);
  const { storedIndices: indices, storedPositions: positions } = mesh;
  const corner = (h: number) => 3 * indices[h];
  const middle = centroidOf(indices, positions);
  for (let t = 0; t < indices.length; t += 3) {
    if (
      orient3dAt(positions, corner(t), positions, corner(t + 1), positions, corner(t + 2), middle, 0) !==
      -outward
    ) {
      return false;
    }
    for (let h = t; h < t + 3; h++) {
      const e = edgeOf[h];
      if (e === NO_EDGE || edgeStart[e + 1] - edgeStart[e] !== 2) return false;
      const other = halfEdges[edgeStart[e]] === h ? halfEdges[edgeStart[e] + 1] : halfEdges[edgeStart[e]];
      const far = corner(other - (other % 3) + ((other + 2) % 3));
      const side = orient3dAt(
        positions,
        corner(t),
        positions,
        corner(t + 1),
        positions,
        corner(t + 2),
        positions,
        far,
      );
      if (side === outward) return false;
    }
  }
  return leavesOnce(mesh, middle);
}

function centroidOf(indices: Uint32Array, positions: Float32Array): Float64Array {
  const middle = new Float64Array(3);
  for (const v of indices) for (let k = 0; k < 3; k++) middle[k] += positions[3 * v + k] / indices.length;
  return middle;
}

/**
 * Whether a ray from `middle` crosses exactly one triangle. Rays through edges are inconclusive and turned slightly.
 */
function leavesOnce(mesh: Mesh, middle: Float64Array): boolean {
  const { storedIndices: indices, storedPositions: positions } = mesh;
  const size = Math.max(...[0, 1, 2].map((k) => mesh.box.max[k] - mesh.box.min[k]));
  const triangle = new Float64Array(9);
  for (let attempt = 0; attempt < 64; attempt++) {
    const angle = 2.399963 * attempt + 0.3;
    const z = 0.37 - attempt / 128;
    const out = Float64Array.of(
      middle[0] + 4 * size * Math.cos(angle),
      middle[1] + 4 * size * Math.sin(angle),
      middle[2] + 4 * size * z,
    );
    let crossings = 0;
    let degenerate = false;
    for (let h = 0; h < indices.length && !degenerate; h += 3) {
      for (let k = 0; k < 9; k++) triangle[k] = positions[3 * indices[h + Math.floor(k / 3)] + (k % 3)];
      const crossing = crossingRayTriangle(middle, 0, out, 0, triangle, 0);
      if (crossing === RAY_DEGENERATE) degenerate = true;
      else if (crossing !== 0) crossings++;
    }
    if (!degenerate) return crossings === 1;
  }
  return false;
}
