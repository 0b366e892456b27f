/**
 * Does a mesh bound a solid? Every edge must belong to an even number of triangles: then every ray that avoids the
 * edges leaves through the surface as often as it enters, and inside and outside are defined by parity, whatever
 * the orientation of the triangles.
 */
import { ImpingeError } from '../base/errors.js';
import { adjacencyOf } from './adjacency.js';
import type { Mesh } from './mesh.js';

/** A half-edge (3 · triangle + corner) on an edge with an odd number of triangles, or −1 when the mesh is closed. */
export function openHalfEdgeOf(mesh: Mesh): number {
  const { edgeStart, halfEdges } = adjacencyOf(mesh);
  for (let e = 0; e + 1 < edgeStart.length; e++) {
    if ((edgeStart[e + 1] - edgeStart[e]) % 2 === 1) return halfEdges[edgeStart[e]];
  }
  return -1;
}

/** Whether the mesh bounds a solid. Vertices at equal positions count as one; holes of any size count. */
export function isClosed(mesh: Mesh): boolean {
  return openHalfEdgeOf(mesh) < 0;
}

export function assertClosed(mesh: Mesh): void {
  const half = openHalfEdgeOf(mesh);
  if (half < 0) return;
  const triangle = Math.floor(half / 3);
  const label = mesh.name === '' ? 'mesh' : `mesh "${mesh.name}"`;
  throw new ImpingeError(
    'bad-input',
    `${label} has no inside: it is open at edge ${half % 3} of triangle ${triangle}`,
    { object: mesh.name, triangle },
  );
}

/**
 * +1 when the triangles of a closed mesh face outwards, −1 when they face inwards, 0 when neighbours disagree or the
 * mesh is open. A mesh of several parts goes by its total volume.
 */
export function orientationOf(mesh: Mesh): number {
  const { weld, edgeOf, edgeStart, halfEdges } = adjacencyOf(mesh);
  const { indices, positions } = mesh;
  for (let e = 0; e + 1 < edgeStart.length; e++) {
    let balance = 0;
    const low = weld[indices[halfEdges[edgeStart[e]]]];
    for (let i = edgeStart[e]; i < edgeStart[e + 1]; i++) {
      balance += weld[indices[halfEdges[i]]] === low ? 1 : -1;
    }
    if (balance !== 0) return 0;
  }
  // about the first vertex, so that meshes far away keep their digits
  let volume = 0;
  const [ox, oy, oz] = positions.subarray(3 * indices[0], 3 * indices[0] + 3);
  for (let h = 0; h < edgeOf.length; h += 3) {
    const [a, b, c] = [3 * indices[h], 3 * indices[h + 1], 3 * indices[h + 2]];
    const ax = positions[a] - ox;
    const ay = positions[a + 1] - oy;
    const az = positions[a + 2] - oz;
    const bx = positions[b] - ox;
    const by = positions[b + 1] - oy;
    const bz = positions[b + 2] - oz;
    const cx = positions[c] - ox;
    const cy = positions[c + 1] - oy;
    const cz = positions[c + 2] - oz;
    volume += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return Math.sign(volume);
}
