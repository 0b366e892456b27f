/**
 * A mutable closed oriented surface: half-edges over vertices in float64 (which hold float32 numbers).
 *
 * Layout: half-edge h = 3 t + i runs from corner i of triangle t to the next; `corner[h]` is where it begins,
 * `across[h]` the half-edge of the neighbour on the same edge.
 * Invariant: across[across[h]] = h for every living triangle, and the triangles about a vertex form one ring: a vertex
 * where several rings meet counts as several, at one place. Triangles with two coincident corners are not part of it;
 * their neighbours are joined instead.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { adjacencyOf, NO_EDGE } from 'impinge/internal/mesh/adjacency.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { signedVolumeTimes6 } from 'impinge/internal/mesh/signed-volume.js';

export const NONE = -1;
/** The last vertices belong to no triangle: places for others that are compared with the surface. */
export const SPARE_VERTICES = 12;

export class ClosedSurface {
  readonly x: Float64Array;
  readonly corner: Int32Array;
  readonly across: Int32Array;
  readonly alive: Uint8Array;
  /** A half-edge that begins at each vertex, or NONE. */
  readonly firstOf: Int32Array;
  /** Triangles of the mesh that are lines or points, by the triangle of the surface on which they lie. */
  readonly attached: ReadonlyMap<number, readonly number[]>;
  triangleCount = 0;

  constructor(
    x: Float64Array,
    corner: Int32Array,
    across: Int32Array,
    alive: Uint8Array,
    attached: ReadonlyMap<number, readonly number[]>,
  ) {
    this.x = x;
    this.attached = attached;
    this.corner = corner;
    this.across = across;
    this.alive = alive;
    this.firstOf = new Int32Array(x.length / 3).fill(NONE);
    for (let h = 0; h < corner.length; h++) if (alive[Math.floor(h / 3)]) this.firstOf[corner[h]] = h;
    for (const living of alive) this.triangleCount += living;
  }
}

export function nextOf(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}

export function beforeOf(h: number): number {
  return h % 3 === 0 ? h + 2 : h - 1;
}

/** The parts that hang together: that of every triangle, and six times the volume of each, negative for cavities. */
export function partsOf({ x, corner, across, alive }: ClosedSurface): {
  partOf: Int32Array;
  volumes: Float64Array;
} {
  const partOf = new Int32Array(alive.length).fill(NONE);
  const volumes: number[] = [];
  for (let seed = 0; seed < alive.length; seed++) {
    if (partOf[seed] !== NONE || !alive[seed]) continue;
    const part = [seed];
    partOf[seed] = volumes.length;
    for (let i = 0; i < part.length; i++) {
      for (let h = 3 * part[i]; h < 3 * part[i] + 3; h++) {
        const t = Math.floor(across[h] / 3);
        if (partOf[t] === NONE) part.push(t);
        partOf[t] = volumes.length;
      }
    }
    const indices = part.flatMap((t) => [corner[3 * t], corner[3 * t + 1], corner[3 * t + 2]]);
    volumes.push(signedVolumeTimes6(x, indices));
  }
  return { partOf, volumes: Float64Array.from(volumes) };
}

/** The surface of a mesh, or an error that names the edge at which it is none. */
export function closedSurfaceOf(mesh: Mesh): ClosedSurface {
  const { weld, edgeOf, edgeStart, halfEdges } = adjacencyOf(mesh);
  const { storedIndices: indices, storedPositions: positions } = mesh;
  const alive = new Uint8Array(mesh.triangleCount).fill(1);
  for (let h = 0; h < edgeOf.length; h++) if (edgeOf[h] === NO_EDGE) alive[Math.floor(h / 3)] = 0;
  const corner = Int32Array.from(indices, (v) => weld[v]);
  const across = new Int32Array(indices.length).fill(NONE);
  for (let e = 0; e + 1 < edgeStart.length; e++) {
    let first = NONE;
    let second = NONE;
    let uses = 0;
    for (let i = edgeStart[e]; i < edgeStart[e + 1]; i++) {
      const h = halfEdges[i];
      if (!alive[Math.floor(h / 3)]) continue;
      if (uses++ === 0) first = h;
      else second = h;
    }
    if (uses !== 2 || corner[first] === corner[second]) {
      const sides = halfEdges.subarray(edgeStart[e], edgeStart[e + 1]);
      throw notClosed(mesh, sides, uses);
    }
    across[first] = second;
    across[second] = first;
  }
  if (signedVolumeTimes6(positions, indices) < 0) {
    throw new ImpingeError(
      'not-closed',
      `${labelOf(mesh)} is inside out: its triangles face inwards; swap two corners of each`,
      { object: mesh.name },
    );
  }
  const attached = attach(mesh, corner, alive);
  return new ClosedSurface(separateRings(positions, corner, across, alive), corner, across, alive, attached);
}

/** Finds a host for every triangle with coincident corners: one that has all of them among its own. */
function attach(mesh: Mesh, corner: Int32Array, alive: Uint8Array): Map<number, number[]> {
  const hosts = new Map<number, number[]>();
  if (!alive.includes(0)) return hosts;
  const edges = new Map<string, number>();
  for (let h = 0; h < corner.length; h++) {
    if (!alive[Math.floor(h / 3)]) continue;
    edges.set(`${corner[h]} ${corner[nextOf(h)]}`, Math.floor(h / 3));
    edges.set(`${corner[h]}`, Math.floor(h / 3));
  }
  for (let t = 0; t < alive.length; t++) {
    if (alive[t]) continue;
    const host = edges.get([...new Set(corner.subarray(3 * t, 3 * t + 3))].join(' '));
    if (host === undefined) {
      throw new ImpingeError(
        'not-closed',
        `${labelOf(mesh)} is not a closed surface: triangle ${t} is an isolated point; contact levels of boxes accept any mesh`,
        { object: mesh.name, triangles: [t] },
      );
    }
    hosts.set(host, [...(hosts.get(host) ?? []), t]);
  }
  return hosts;
}

function labelOf(mesh: Mesh): string {
  return mesh.name === '' ? 'mesh' : `mesh "${mesh.name}"`;
}

function notClosed(mesh: Mesh, sides: Uint32Array, uses: number): ImpingeError {
  const { storedIndices: indices } = mesh;
  const vertices = [indices[sides[0]], indices[nextOf(sides[0])]];
  const triangles = Array.from(sides, (h) => Math.floor(h / 3));
  const edge = `the edge between vertices ${vertices[0]} and ${vertices[1]}`;
  const shown = triangles.slice(0, 4).join(', ') + (triangles.length > 4 ? ', …' : '');
  const why =
    uses === 0
      ? `${edge} belongs to triangles without area only (${shown})`
      : uses === 1
        ? `${edge} belongs to one triangle only (${shown})`
        : uses > 2
          ? `${edge} belongs to ${uses} triangles (${shown})`
          : `the triangles at ${edge} (${shown}) disagree about which side is outside`;
  return new ImpingeError(
    'not-closed',
    `${labelOf(mesh)} is not a closed surface: ${why}; contact levels of boxes accept any mesh`,
    { object: mesh.name, vertices, triangles },
  );
}

/** Numbers vertices anew, one for each ring of triangles, in the order of half-edges; returns their coordinates. */
function separateRings(
  positions: Float32Array,
  corner: Int32Array,
  across: Int32Array,
  alive: Uint8Array,
): Float64Array {
  const seen = new Uint8Array(corner.length);
  const x: number[] = [];
  for (let h = 0; h < corner.length; h++) {
    if (seen[h] || !alive[Math.floor(h / 3)]) continue;
    const old = corner[h];
    const vertex = x.length / 3;
    x.push(positions[3 * old], positions[3 * old + 1], positions[3 * old + 2]);
    let g = h;
    do {
      seen[g] = 1;
      corner[g] = vertex;
      g = across[beforeOf(g)];
    } while (g !== h);
  }
  for (let i = 0; i < SPARE_VERTICES; i++) x.push(x[0], x[1], x[2]);
  return Float64Array.from(x);
}
