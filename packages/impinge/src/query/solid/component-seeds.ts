/**
 * One point on each connected component of a mesh. Where two surfaces do not meet, such a point tells on which side of the
 * other the whole component lies. Components hang together by vertices; some would fall apart there, see `isPinched`.
 */
import { UnionFind } from '../../base/union-find.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PointIds } from './point-ids.js';

/** Positions closer than this, relative to the box, are equal. */
const SAME_POINT = 1e-9;

interface Known {
  readonly revision: number;
  readonly seeds: Float64Array;
  pinched: boolean | undefined;
}
const known = new WeakMap<Mesh, Known>();

function knownOf(mesh: Mesh): Known {
  let entry = known.get(mesh);
  if (entry?.revision !== mesh.revision) {
    entry = { revision: mesh.revision, seeds: findSeeds(mesh), pinched: undefined };
    known.set(mesh, entry);
  }
  return entry;
}

/** A vertex of every component, in stored numbers, three each. Vertices at equal positions are one. */
export function componentSeedsOf(mesh: Mesh): Float64Array {
  return knownOf(mesh).seeds;
}

/** Whether some component hangs together by a vertex only. */
export function isPinched(mesh: Mesh): boolean {
  const entry = knownOf(mesh);
  entry.pinched ??= edgeComponentCount(mesh) > entry.seeds.length / 3;
  return entry.pinched;
}

function edgeComponentCount({ indices, positions, triangleCount, box }: Mesh): number {
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

function findSeeds({ positions, indices, vertexCount, box }: Mesh): Float64Array {
  const sets = new UnionFind(vertexCount);
  const seeds: number[] = [];
  const seen = new Uint8Array(vertexCount);
  const collect = () => {
    for (const v of indices) {
      const root = sets.find(v);
      if (seen[root]) continue;
      seen[root] = 1;
      seeds.push(root);
    }
  };
  for (let h = 0; h < indices.length; h += 3) {
    sets.union(indices[h], indices[h + 1]);
    sets.union(indices[h], indices[h + 2]);
  }
  collect();
  if (seeds.length > 1) {
    // several, or one whose vertices are not shared
    const size = Math.max(box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]);
    const ids = new PointIds(SAME_POINT * (size || 1), vertexCount);
    const first = new Uint32Array(vertexCount);
    const point = new Float64Array(3);
    seen.fill(0);
    seeds.length = 0;
    for (const v of indices) {
      if (seen[v]) continue;
      seen[v] = 1;
      for (let k = 0; k < 3; k++) point[k] = positions[3 * v + k];
      const before = ids.count;
      const id = ids.add(point, 0);
      if (id === before) first[id] = v;
      else sets.union(v, first[id]);
    }
    seen.fill(0);
    collect();
  }
  const out = new Float64Array(3 * seeds.length);
  seeds.forEach((v, i) => {
    for (let k = 0; k < 3; k++) out[3 * i + k] = positions[3 * v + k];
  });
  return out;
}
