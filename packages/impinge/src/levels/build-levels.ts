/**
 * Levels from the bottom up: clusters of a level are grouped, each group is simplified, and what is left of it is cut into
 * the clusters of the next level.
 */
import { CLUSTER_TRIANGLES, type Cluster, splitTriangles, type Triangles } from './cluster.js';
import { groupClusters } from './grouping.js';
import { boxOfCluster, meetingBoxes, SharedVertices } from './neighbours.js';
import type { ProgressiveMesh } from './progressive-mesh.js';
import { simplifyGroup } from './simplify-group.js';
import { VertexTable } from './vertex-table.js';

export interface BuiltGroup {
  readonly level: number;
  readonly mesh: ProgressiveMesh;
  /** The groups whose coarsest meshes went into it, and those that its own went into. */
  readonly from: readonly number[];
  readonly into: readonly number[];
}

export interface BuiltLevels {
  readonly groups: readonly BuiltGroup[];
}

/** A level ends the hierarchy when it is left with more than this share of the triangles below. */
const STUCK = 0.9;
/** So few triangles need no coarser level. */
const FEWEST = 64;

/** A level's clusters, and the groups they came from. */
interface Level {
  readonly clusters: readonly Cluster[];
  readonly from: readonly number[];
}

export function buildLevels(mesh: Triangles): BuiltLevels {
  const groups: { level: number; mesh: ProgressiveMesh; from: number[]; into: number[] }[] = [];
  let level: Level = { clusters: firstClusters(mesh), from: [] };
  for (let number = 0; ; number++) {
    const { clusters, from } = level;
    const shared = shareVertices(clusters);
    const lists = groupClusters(clusters.length, shared.weights);
    const groupOf = new Int32Array(clusters.length);
    lists.forEach((list, group) => {
      for (const cluster of list) groupOf[cluster] = group;
    });
    const next: { clusters: Cluster[]; from: number[] } = { clusters: [], from: [] };
    for (const list of lists) {
      const own = groups.length;
      const below = number === 0 ? [] : [...new Set(list.map((i) => from[i]))];
      const ends = below.map((group) => groups[group].mesh.steps.at(-1)!);
      const { mesh, coarse } = simplifyGroup(
        list.map((i) => clusters[i]),
        (x, y, z) => shared.vertices.isShared(x, y, z, groupOf),
        {
          out: Math.max(0, ...ends.map((step) => step.out)),
          in: Math.max(0, ...ends.map((step) => step.in)),
        },
      );
      for (const group of below) groups[group].into.push(own);
      groups.push({ level: number, mesh, from: below, into: [] });
      for (const cluster of coarse) {
        next.clusters.push(cluster);
        next.from.push(own);
      }
    }
    const after = trianglesOf(next.clusters);
    if (after <= FEWEST || after > STUCK * trianglesOf(clusters)) return { groups };
    level = next;
  }
}

function trianglesOf(clusters: readonly Cluster[]): number {
  return clusters.reduce((sum, { indices }) => sum + indices.length / 3, 0);
}

/** The vertices that clusters share, and how many every two of them share. */
function shareVertices(clusters: readonly Cluster[]): {
  vertices: SharedVertices;
  weights: Map<number, number>;
} {
  const boxes = clusters.map(boxOfCluster);
  const vertices = new SharedVertices();
  meetingBoxes(boxes).forEach((near, i) => {
    vertices.add(
      i,
      clusters[i].positions,
      near.map((j) => boxes[j]),
    );
  });
  const weights = new Map<number, number>();
  vertices.forEachPair((a, b) => {
    if (a === b) return;
    const key = Math.min(a, b) * clusters.length + Math.max(a, b);
    weights.set(key, (weights.get(key) ?? 0) + 1);
  });
  return { vertices, weights };
}

/** The originals, welded and cut. Triangles without area stay. */
function firstClusters(mesh: Triangles): Cluster[] {
  const table = new VertexTable();
  return splitTriangles(mesh, CLUSTER_TRIANGLES).map((part) => {
    table.clear();
    const indices = new Uint16Array(3 * part.length);
    for (let i = 0; i < part.length; i++) {
      for (let k = 0; k < 3; k++) {
        const v = 3 * mesh.indices[3 * part[i] + k];
        indices[3 * i + k] = table.add(mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2]);
      }
    }
    return {
      positions: table.positions.slice(0, 3 * table.count),
      indices,
      out: new Float32Array(part.length),
      in: new Float32Array(part.length),
    };
  });
}
