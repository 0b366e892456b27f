/**
 * Points on each connected component of a mesh. Where two surfaces do not meet, such a point tells on which side of the
 * other the whole component lies. Components hang together by vertices; some would fall apart there, see `isPinched`.
 */
import { UnionFind } from '../../base/union-find.js';
import type { Mesh } from '../../mesh/mesh.js';
import { Derived } from '../../mesh/revisions.js';
import { PointIds } from './point-ids.js';

/** Positions closer than this, relative to the box, are equal. */
const SAME_POINT = 1e-9;

interface Known {
  readonly seeds: Float64Array;
  ends: Float64Array | undefined;
  pinched: boolean | undefined;
}
const known = new Derived((mesh): Known => ({ seeds: findSeeds(mesh), ends: undefined, pinched: undefined }));

/** A vertex of every component, in stored numbers, three each. Vertices at equal positions are one. */
export function componentSeedsOf(mesh: Mesh): Float64Array {
  return known.of(mesh).seeds;
}

/** Whether some component hangs together by a vertex only. */
export function isPinched(mesh: Mesh): boolean {
  const entry = known.of(mesh);
  entry.pinched ??= edgeComponentCount(mesh) > entry.seeds.length / 3;
  return entry.pinched;
}

/**
 * Of every component, the vertices that reach farthest along the axes, in stored numbers: six points each, eighteen
 * numbers. What lies inside something else does so with all of them.
 */
export function componentEndsOf(mesh: Mesh): Float64Array {
  const entry = known.of(mesh);
  entry.ends ??= findEnds(mesh);
  return entry.ends;
}

function findEnds(mesh: Mesh): Float64Array {
  const { storedPositions: positions, storedIndices: indices } = mesh;
  const sets = componentSets(mesh);
  const numbers = new Map<number, number>();
  const ends: number[] = [];
  for (const v of indices) {
    const root = sets.find(v);
    const number = numbers.get(root);
    if (number === undefined) {
      numbers.set(root, ends.length);
      ends.push(v, v, v, v, v, v);
      continue;
    }
    for (let k = 0; k < 3; k++) {
      const x = positions[3 * v + k];
      if (x < positions[3 * ends[number + k] + k]) ends[number + k] = v;
      if (x > positions[3 * ends[number + 3 + k] + k]) ends[number + 3 + k] = v;
    }
  }
  const out = new Float64Array(3 * ends.length);
  ends.forEach((v, i) => {
    for (let k = 0; k < 3; k++) out[3 * i + k] = positions[3 * v + k];
  });
  return out;
}

function edgeComponentCount({
  storedIndices: indices,
  storedPositions: positions,
  triangleCount,
  box,
}: Mesh): number {
  const size = Math.max(box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]);
  const ids = new PointIds(SAME_POINT * (size || 1), 3 * triangleCount);
  const point = new Float64Array(3);
  const corners = Uint32Array.from(indices, (v) => {
    for (let k = 0; k < 3; k++) point[k] = positions[3 * v + k];
    return ids.add(point, 0);
  });
  const sets = new UnionFind(triangleCount);
  const triangleAt = new Map<number, number>();
  for (let h = 0; h < corners.length; h++) {
    const triangle = Math.floor(h / 3);
    const [from, to] = [corners[h], corners[h % 3 === 2 ? h - 2 : h + 1]];
    const edge = Math.min(from, to) * ids.count + Math.max(from, to);
    const other = triangleAt.get(edge);
    if (other === undefined) triangleAt.set(edge, triangle);
    else sets.union(triangle, other);
  }
  let count = 0;
  for (let t = 0; t < triangleCount; t++) if (sets.find(t) === t) count++;
  return count;
}

function findSeeds(mesh: Mesh): Float64Array {
  const roots = rootsOf(mesh, componentSets(mesh));
  const out = new Float64Array(3 * roots.length);
  roots.forEach((v, i) => {
    for (let k = 0; k < 3; k++) out[3 * i + k] = mesh.storedPositions[3 * v + k];
  });
  return out;
}

/** One vertex of each set. */
function rootsOf({ storedIndices: indices, vertexCount }: Mesh, sets: UnionFind): number[] {
  const seen = new Uint8Array(vertexCount);
  const roots: number[] = [];
  for (const v of indices) {
    const root = sets.find(v);
    if (seen[root]) continue;
    seen[root] = 1;
    roots.push(root);
  }
  return roots;
}

/** The vertices of each component. */
function componentSets(mesh: Mesh): UnionFind {
  const { storedPositions: positions, storedIndices: indices, vertexCount, box } = mesh;
  const sets = new UnionFind(vertexCount);
  for (let h = 0; h < indices.length; h += 3) {
    sets.union(indices[h], indices[h + 1]);
    sets.union(indices[h], indices[h + 2]);
  }
  if (rootsOf(mesh, sets).length === 1) return sets;
  // several, or one whose vertices are not shared
  const size = Math.max(box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]);
  const ids = new PointIds(SAME_POINT * (size || 1), vertexCount);
  const first = new Uint32Array(vertexCount);
  const point = new Float64Array(3);
  const seen = new Uint8Array(vertexCount);
  for (const v of indices) {
    if (seen[v]) continue;
    seen[v] = 1;
    for (let k = 0; k < 3; k++) point[k] = positions[3 * v + k];
    const before = ids.count;
    const id = ids.add(point, 0);
    if (id === before) first[id] = v;
    else sets.union(v, first[id]);
  }
  return sets;
}
