/**
 * Which triangles of a mesh share which edges. Corners count as the same vertex when their positions are equal, so
 * that seams of texture coordinates and meshes without indices are no borders.
 *
 * Layout: half-edge 3 t + i runs from corner i of triangle t to corner i + 1. Half-edges of edge e, in rising order:
 * halfEdges[edgeStart[e] .. edgeStart[e + 1]). Any number of triangles may meet at an edge.
 */
import type { Mesh } from './mesh.js';
import { firstAtPlace, mix, tableSize } from './places.js';
import { Derived } from './revisions.js';

/** In `edgeOf`: the half-edge has no length. */
export const NO_EDGE = 0xffffffff;

export interface Adjacency {
  /** The first vertex at the same position, for every vertex. */
  readonly weld: Uint32Array;
  /** The undirected edge of every half-edge, or `NO_EDGE`. */
  readonly edgeOf: Uint32Array;
  readonly edgeStart: Uint32Array;
  readonly halfEdges: Uint32Array;
}

const adjacencies = new Derived((mesh) => buildAdjacency(mesh));

/** The adjacency of a mesh as it is now; kept until its vertices move. */
export function adjacencyOf(mesh: Mesh): Adjacency {
  return adjacencies.of(mesh);
}

/** Corners no farther apart than the tolerance count as one, as `firstAtPlace` has it. */
export function buildAdjacency(mesh: Mesh, tolerance = 0): Adjacency {
  const weld = firstAtPlace(mesh.storedPositions, tolerance);
  const { edgeOf, edgeCount } = numberEdges(mesh.storedIndices, weld);
  const edgeStart = new Uint32Array(edgeCount + 1);
  for (const edge of edgeOf) if (edge !== NO_EDGE) edgeStart[edge + 1]++;
  for (let e = 0; e < edgeCount; e++) edgeStart[e + 1] += edgeStart[e];
  const halfEdges = new Uint32Array(edgeStart[edgeCount]);
  const next = edgeStart.slice();
  for (let h = 0; h < edgeOf.length; h++) if (edgeOf[h] !== NO_EDGE) halfEdges[next[edgeOf[h]]++] = h;
  return { weld, edgeOf, edgeStart, halfEdges };
}

function numberEdges(indices: Uint32Array, weld: Uint32Array): { edgeOf: Uint32Array; edgeCount: number } {
  const edgeOf = new Uint32Array(indices.length);
  const mask = tableSize(indices.length) - 1;
  const table = new Uint32Array(mask + 1); // edge + 1, or 0
  const low = new Uint32Array(indices.length);
  const high = new Uint32Array(indices.length);
  let edgeCount = 0;
  for (let h = 0; h < indices.length; h++) {
    const v = weld[indices[h]];
    const w = weld[indices[nextHalfEdge(h)]];
    if (v === w) {
      edgeOf[h] = NO_EDGE;
      continue;
    }
    const first = Math.min(v, w);
    const second = Math.max(v, w);
    let slot = mix(first, second) & mask;
    while (table[slot] !== 0 && (low[table[slot] - 1] !== first || high[table[slot] - 1] !== second)) {
      slot = (slot + 1) & mask;
    }
    if (table[slot] === 0) {
      low[edgeCount] = first;
      high[edgeCount] = second;
      table[slot] = ++edgeCount;
    }
    edgeOf[h] = table[slot] - 1;
  }
  return { edgeOf, edgeCount };
}

/** The half-edge after h in the same triangle; also the corner where h ends. */
function nextHalfEdge(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}

export interface Components {
  /** The component of every triangle, −1 for those left out. */
  readonly labels: Int32Array;
  /** One triangle of each component. */
  readonly first: readonly number[];
}

/** Numbers the components connected by edges, without the triangles left out, in the order of their first triangles. */
export function labelComponents(adjacency: Adjacency, leftOut?: Uint8Array): Components {
  const { edgeOf, edgeStart, halfEdges } = adjacency;
  const triangleCount = edgeOf.length / 3;
  const labels = new Int32Array(triangleCount).fill(-1);
  const waiting = new Uint32Array(triangleCount); // each triangle waits at most once
  const first: number[] = [];
  for (let seed = 0; seed < triangleCount; seed++) {
    if (labels[seed] >= 0 || leftOut?.[seed]) continue;
    const label = first.length;
    first.push(seed);
    labels[seed] = label;
    let top = 0;
    waiting[top++] = seed;
    while (top > 0) {
      const t = waiting[--top];
      for (let h = 3 * t; h < 3 * t + 3; h++) {
        const e = edgeOf[h];
        if (e === NO_EDGE) continue;
        for (let i = edgeStart[e]; i < edgeStart[e + 1]; i++) {
          const other = Math.floor(halfEdges[i] / 3);
          if (labels[other] >= 0 || leftOut?.[other]) continue;
          labels[other] = label;
          waiting[top++] = other;
        }
      }
    }
  }
  return { labels, first };
}
