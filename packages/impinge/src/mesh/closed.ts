/**
 * Does a mesh bound a solid? Every edge must belong to an even number of triangles: then every ray that avoids the
 * edges leaves through the surface as often as it enters, and inside and outside are defined by parity, whatever
 * the orientation of the triangles.
 */
import { ImpingeError } from '../base/errors.js';
import { readKnown, readLength } from '../base/options.js';
import { type Adjacency, adjacencyOf, buildAdjacency } from './adjacency.js';
import { assertMesh, type Mesh } from './mesh.js';
import { label } from './mesh-arrays.js';
import { signedVolumeTimes6 } from './signed-volume.js';
import { defaultTolerance } from './weld.js';

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

export interface EdgeCounts {
  /** Edges with an odd number of triangles; a mesh without any is closed. */
  readonly open: number;
  /** Edges of three or more triangles. */
  readonly nonManifold: number;
}

/** Counts the edges that decide whether a mesh is closed, and show why not: `isClosed` where none is open. */
export function countEdges(mesh: Mesh): EdgeCounts {
  assertMesh(mesh);
  const { edgeStart } = adjacencyOf(mesh);
  let open = 0;
  let nonManifold = 0;
  for (let e = 0; e + 1 < edgeStart.length; e++) {
    const triangles = edgeStart[e + 1] - edgeStart[e];
    if (triangles % 2 === 1) open++;
    if (triangles > 2) nonManifold++;
  }
  return { open, nonManifold };
}

export interface ClosedOptions {
  /** Vertices no farther apart count as one, as `weld` would make them. By default those at equal positions do. */
  readonly tolerance?: number;
}

/** Whether the mesh bounds a solid, or would once it is welded with a tolerance. Holes of any size count. */
export function isClosed(mesh: Mesh, options: ClosedOptions = {}): boolean {
  assertMesh(mesh);
  const { tolerance = 0 } = readKnown('isClosed', options, { tolerance: true });
  readLength('tolerance', tolerance);
  return tolerance === 0 ? openHalfEdgeOf(mesh) < 0 : closesWithin(mesh, tolerance);
}

function closesWithin(mesh: Mesh, tolerance: number): boolean {
  return findOpenHalfEdge(buildAdjacency(mesh, tolerance)) < 0;
}

export function assertClosed(mesh: Mesh): void {
  assertMesh(mesh);
  const half = openHalfEdgeOf(mesh);
  if (half < 0) return;
  const triangle = Math.floor(half / 3);
  const tolerance = defaultTolerance(mesh);
  const advice =
    tolerance > 0 && closesWithin(mesh, tolerance)
      ? '; it is split there by less than a millionth of its size: take weld(mesh).mesh'
      : '';
  throw new ImpingeError(
    'bad-input',
    `${label(mesh.name)} has no inside: it is open at edge ${half % 3} of triangle ${triangle}${advice}`,
    { object: mesh.name, triangle },
  );
}

/**
 * +1 when the triangles of a closed mesh face outwards, −1 when they face inwards, 0 when neighbours disagree or the
 * mesh is open. For several parts, the total volume decides.
 */
export function orientationOf(mesh: Mesh): number {
  const adjacency = adjacencyOf(mesh);
  let sign = orientations.get(adjacency);
  if (sign === undefined) {
    sign = isConsistent(mesh, adjacency)
      ? Math.sign(signedVolumeTimes6(mesh.storedPositions, mesh.storedIndices))
      : 0;
    orientations.set(adjacency, sign);
  }
  return sign;
}

/** Whether every edge is run through as often one way as the other. */
function isConsistent({ storedIndices: indices }: Mesh, { weld, edgeStart, halfEdges }: Adjacency): boolean {
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
