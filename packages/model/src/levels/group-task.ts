/**
 * The input and result of simplifying a group, as arrays that can be sent to another thread, and the worker's
 * interface.
 */
import { CLUSTER_TRIANGLES, type Cluster, type Triangles } from './cluster.js';
import type { GroupInput } from './group-block.js';
import type { VertexTable } from './vertex-table.js';

/** Bounds on the distance of a mesh from the originals. */
export interface Errors {
  /** No original point that it stands for is farther from it. */
  readonly out: number;
  /** None of its points is farther from the originals. */
  readonly in: number;
}

export interface GroupTask {
  readonly input: GroupInput;
  /** The errors of the input pieces; the group's are no smaller, so that it can replace each of them. */
  readonly least: Errors;
  /** Target shares of the triangles, step by step; the last is the end. */
  readonly shares: readonly number[];
}

/** A group with fewer and fewer triangles. */
export interface SimplifiedGroup {
  /** Intermediate steps, each one mesh. Steps with hardly fewer triangles than the one before are left out. */
  readonly between: readonly (Triangles & Errors)[];
  /** The last step, in clusters. */
  readonly end: Errors & { readonly clusters: readonly Cluster[] };
}

/** Threads that simplify groups. */
export interface LevelsPool {
  /** The number of threads. */
  readonly size: number;
  /** Has one of them call `simplifyGroup`; the arrays of the task are theirs from then on. */
  simplify(task: GroupTask): Promise<SimplifiedGroup | undefined>;
}

/** Joins clusters into one mesh. `isLocked`: whether a vertex has to stay, since other groups have it, too. */
export function joinClusters(
  clusters: readonly Cluster[],
  isLocked: (x: number, y: number, z: number) => boolean,
  table: VertexTable,
): GroupInput {
  table.clear();
  const count = clusters.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  const indices = new Uint32Array(3 * count);
  const out = new Float32Array(count);
  const inward = new Float32Array(count);
  let at = 0;
  for (const cluster of clusters) {
    const own = table.addAll(cluster.positions);
    for (let i = 0; i < cluster.indices.length; i++) indices[3 * at + i] = own[cluster.indices[i]];
    out.set(cluster.out, at);
    inward.set(cluster.in, at);
    at += cluster.indices.length / 3;
  }
  const positions = table.positions.slice(0, 3 * table.count);
  const locked = new Uint8Array(table.count);
  for (let v = 0; v < table.count; v++) {
    locked[v] = isLocked(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]) ? 1 : 0;
  }
  return { positions, indices, locked, out, in: inward };
}

/** Number of clusters of the usual size that these triangles correspond to. */
export function sizeInClusters(triangles: number): number {
  return Math.ceil(triangles / CLUSTER_TRIANGLES);
}
