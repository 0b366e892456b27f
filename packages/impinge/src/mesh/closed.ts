/**
 * Does a mesh bound a solid? Every edge must belong to an even number of triangles: then every ray that avoids the
 * edges leaves through the surface as often as it enters, and inside and outside are defined by parity, whatever
 * the orientation of the triangles.
 */
import { ImpingeError } from '../base/errors.js';
import { type Adjacency, adjacencyOf } from './adjacency.js';
import { assertMesh, type Mesh } from './mesh.js';
import { signedVolumeTimes6 } from './signed-volume.js';

const openHalfEdges = new WeakMap<Adjacency, number>();
const orientations = new WeakMap<Adjacency, number>();

/** A half-edge (3 · triangle + corner) on an edge with an odd number of triangles, or −1 when the mesh is closed. */
function openHalfEdgeOf(mesh: Mesh): number {
  const adjacency = adjacencyOf(mesh);
  let half = openHalfEdges.get(adjacency);
  if (half === undefined) openHalfEdges.set(adjacency, (half = findOpenHalfEdge(adjacency)));
  return half;
}

function findOpenHalfEdge({ edgeStart, halfEdges }: Adjacency): number {
  for (let e = 0; e + 1 < edgeStart.length; e++) {
    if ((edgeStart[e + 1] - edgeStart[e]) % 2 === 1) return halfEdges[edgeStart[e]];
  }
  return -1;
}

/** Whether the mesh bounds a solid. Vertices at equal positions count as one; holes of any size count. */
export function isClosed(mesh: Mesh): boolean {
  assertMesh(mesh);
  return openHalfEdgeOf(mesh) < 0;
}

export function assertClosed(mesh: Mesh): void {
  assertMesh(mesh);
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
  const adjacency = adjacencyOf(mesh);
  let sign = orientations.get(adjacency);
  if (sign === undefined) {
    sign = isConsistent(mesh, adjacency) ? Math.sign(signedVolumeTimes6(mesh.positions, mesh.indices)) : 0;
    orientations.set(adjacency, sign);
  }
  return sign;
}

/** Whether every edge is run through as often one way as the other. */
function isConsistent({ indices }: Mesh, { weld, edgeStart, halfEdges }: Adjacency): boolean {
  for (let e = 0; e + 1 < edgeStart.length; e++) {
    let balance = 0;
    const low = weld[indices[halfEdges[edgeStart[e]]]];
    for (let i = edgeStart[e]; i < edgeStart[e + 1]; i++) {
      balance += weld[indices[halfEdges[i]]] === low ? 1 : -1;
    }
    if (balance !== 0) return false;
  }
  return true;
}
