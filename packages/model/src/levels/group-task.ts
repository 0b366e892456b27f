/**
 * The input and result of simplifying a group, as arrays that can be sent to another thread, and the worker's
 * interface.
 */
import { CLUSTER_TRIANGLES, type Cluster, type Finer, type Triangles } from './cluster.js';
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
  const { indices, out, in: inward } = joinTriangles(clusters, ({ positions }) => table.addAll(positions));
  const positions = table.positions.slice(0, 3 * table.count);
  const locked = new Uint8Array(table.count);
  for (let v = 0; v < table.count; v++) {
    locked[v] = isLocked(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]) ? 1 : 0;
  }
  return { positions, indices, locked, out, in: inward, finer: joinFiner(clusters) };
}

type Carrying = Pick<Cluster, 'positions' | 'out' | 'in'> & Triangles;

/** `numbersOf`: the numbers of a part's vertices. */
function joinTriangles(
  parts: readonly Carrying[],
  numbersOf: (part: Carrying) => Uint32Array | number,
): { indices: Uint32Array; out: Float32Array; in: Float32Array } {
  const count = parts.reduce((sum, { out }) => sum + out.length, 0);
  const indices = new Uint32Array(3 * count);
  const out = new Float32Array(count);
  const inward = new Float32Array(count);
  let at = 0;
  for (const part of parts) {
    const own = part.indices;
    const numbers = numbersOf(part);
    if (typeof numbers === 'number') {
      for (let i = 0; i < own.length; i++) indices[3 * at + i] = numbers + own[i];
    } else {
      for (let i = 0; i < own.length; i++) indices[3 * at + i] = numbers[own[i]];
    }
    out.set(part.out, at);
    inward.set(part.in, at);
    at += part.out.length;
  }
  return { indices, out, in: inward };
}

/** What the clusters were simplified from; one of which that is not known stands for itself. Undefined: of none is. */
function joinFiner(clusters: readonly Cluster[]): Finer | undefined {
  if (clusters.every(({ finer }) => !finer)) return undefined;
  const parts = clusters.map((cluster) => cluster.finer ?? { ...cluster, ...ownStarts(cluster) });
  const sum = (of: (part: Finer) => ArrayLike<number>) =>
    parts.reduce((all, part) => all + of(part).length, 0);
  const positions = new Float32Array(sum((part) => part.positions));
  const starts = new Uint32Array(1 + clusters.reduce((all, { out }) => all + out.length, 0));
  const of = new Uint32Array(sum((part) => part.of));
  let [vertex, triangle, link, first] = [0, 0, 0, 0];
  const joined = joinTriangles(parts, (part) => {
    positions.set(part.positions, 3 * vertex);
    vertex += part.positions.length / 3;
    return vertex - part.positions.length / 3;
  });
  for (const part of parts) {
    for (let t = 1; t < part.starts.length; t++) starts[triangle + t] = link + part.starts[t];
    for (let i = 0; i < part.of.length; i++) of[link + i] = first + part.of[i];
    triangle += part.starts.length - 1;
    link += part.of.length;
    first += part.out.length;
  }
  return { positions, ...joined, starts, of };
}

function ownStarts({ out }: Cluster): { starts: Uint32Array; of: Uint16Array } {
  return {
    starts: Uint32Array.from({ length: out.length + 1 }, (_, i) => i),
    of: Uint16Array.from(out.keys()),
  };
}

/** Number of clusters of the usual size that these triangles correspond to. */
export function sizeInClusters(triangles: number): number {
  return Math.ceil(triangles / CLUSTER_TRIANGLES);
}
