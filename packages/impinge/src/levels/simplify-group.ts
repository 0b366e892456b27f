/**
 * One group: its clusters joined, simplified step by step, and how far each step may be from the originals.
 *
 * Bounds. Let O be the originals, F the group's finest mesh and C the mesh after some collapses. Each triangle of F carries
 * `out`: originals that it stands for are no farther from it; and `in`: none of its points is farther from O. For every
 * triangle of F, cover.ts bounds how far its points are from triangles of C; what stood on it stands on those then, and is
 * no farther from them than both distances together (triangle inequality). So the largest sum that a triangle of C was
 * given bounds how far originals are from it, and the largest of all bounds the group. The other way round likewise.
 * Errors only grow from step to step and from level to level: the larger of a bound and the one before is kept.
 */
import { CLUSTER_TRIANGLES, type Cluster, splitTriangles } from './cluster.js';
import { G, GroupBlock, type GroupInput } from './group-block.js';
import { levelsKernels } from './levels-kernel.js';
import type { ProgressiveMesh, Step } from './progressive-mesh.js';
import { VertexTable } from './vertex-table.js';

export interface SimplifiedGroup {
  readonly mesh: ProgressiveMesh;
  /** Its coarsest mesh, in parts. */
  readonly coarse: readonly Cluster[];
}

/** Shares of the triangles that are left at the steps that are kept. */
const SHARES = [0.5, 0.25];
/** A step that is left with more than this of the one before is not worth having. */
const HARDLY_LESS = 0.95;
const ALIVE = 0xffffffff;

type Reached = Omit<Step, 'vertices'>;

/**
 * `isLocked`: whether a vertex there has to stay, since other groups have it, too. `least`: errors of the groups that the
 * clusters came from; so that a group can stand for these wherever its own errors are small enough, it has none smaller.
 */
export function simplifyGroup(
  clusters: readonly Cluster[],
  isLocked: (x: number, y: number, z: number) => boolean,
  least: Pick<Step, 'out' | 'in'>,
): SimplifiedGroup {
  const input = joinClusters(clusters, isLocked);
  const block = new GroupBlock(input);
  try {
    const steps = collapse(block, input.locked, least);
    return { mesh: progressiveMesh(block, steps), coarse: coarseClusters(block, steps, input) };
  } finally {
    block.dispose();
  }
}

/** Joins clusters into one mesh. */
function joinClusters(
  clusters: readonly Cluster[],
  isLocked: (x: number, y: number, z: number) => boolean,
): GroupInput {
  const table = new VertexTable();
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

/** Collapses edges, and stops at steps to see how far the mesh has come. */
function collapse(block: GroupBlock, locked: Uint8Array, least: Pick<Step, 'out' | 'in'>): Reached[] {
  const kernel = levelsKernels.kernels();
  kernel.linkCorners(block.at);
  kernel.joinFinest(block.at);
  kernel.prepareCollapses(block.at);
  const steps: Reached[] = [{ collapses: 0, triangles: block.triangleCount, out: least.out, in: least.in }];
  if (block.word(G.alive) === 0) return steps; // nothing but points and segments
  // about so many triangles are at vertices that have to stay, and stay with them
  const fixed = Math.min(
    block.triangleCount,
    locked.reduce((sum, own) => sum + own, 0),
  );
  for (const share of SHARES) {
    const before = steps[steps.length - 1];
    const target = Math.round(fixed + share * (block.triangleCount - fixed));
    const triangles = kernel.collapseTo(block.at, Math.max(2, target));
    const collapses = block.word(G.steps);
    // what was collapsed last is passed on, worth it or not
    const isLast = share === SHARES[SHARES.length - 1];
    if (collapses === before.collapses || (triangles > HARDLY_LESS * before.triangles && !isLast)) continue;
    kernel.joinCurrent(block.at);
    steps.push({
      collapses,
      triangles,
      out: Math.max(before.out, kernel.coverFinest(block.at, before.out)),
      in: Math.max(before.in, kernel.coverCurrent(block.at, before.in)),
    });
  }
  return steps;
}

/** The mesh of the last step, cut into clusters again. */
function coarseClusters(block: GroupBlock, steps: readonly Reached[], input: GroupInput): Cluster[] {
  const simplified = steps.length > 1;
  const { collapses, triangles } = steps[steps.length - 1];
  const positions = block.floats(G.positions, 3 * block.word(G.vertices));
  const corners = simplified ? block.words(G.coarse, 3 * block.triangleCount) : input.indices;
  const out = simplified ? block.floats(G.coarseOut, block.triangleCount) : input.out;
  const inward = simplified ? block.floats(G.coarseIn, block.triangleCount) : input.in;
  const death = block.words(G.death, block.triangleCount);
  const kept = new Uint32Array(triangles);
  for (let t = 0, n = 0; n < triangles; t++) if (!simplified || death[t] > collapses) kept[n++] = t;
  const indices = new Uint32Array(3 * triangles);
  for (let i = 0; i < triangles; i++) {
    for (let k = 0; k < 3; k++) indices[3 * i + k] = corners[3 * kept[i] + k];
  }
  const table = new VertexTable();
  return splitTriangles({ positions, indices }, CLUSTER_TRIANGLES).map((part) => {
    table.clear();
    const own = new Uint16Array(3 * part.length);
    for (let i = 0; i < own.length; i++) {
      const v = 3 * indices[3 * part[Math.floor(i / 3)] + (i % 3)];
      own[i] = table.add(positions[v], positions[v + 1], positions[v + 2]);
    }
    return {
      positions: table.positions.slice(0, 3 * table.count),
      indices: own,
      out: Float32Array.from(part, (t) => out[kept[t]]),
      in: Float32Array.from(part, (t) => inward[kept[t]]),
    };
  });
}

function progressiveMesh(block: GroupBlock, reached: readonly Reached[]): ProgressiveMesh {
  const vertices = block.word(G.vertices);
  const parents = block.words(G.parent, vertices);
  const gone = block.words(G.gone, vertices);
  const positions = block.floats(G.positions, 3 * vertices);
  const death = block.words(G.death, block.triangleCount);
  const fine = block.words(G.fine, 3 * block.triangleCount);
  const order = orderOfVanishing(gone, block.word(G.steps));
  const number = new Uint32Array(vertices);
  const places = new Float32Array(3 * vertices);
  for (let i = 0; i < vertices; i++) {
    const v = order[i];
    number[v] = i;
    places[3 * i] = positions[3 * v];
    places[3 * i + 1] = positions[3 * v + 1];
    places[3 * i + 2] = positions[3 * v + 2];
  }
  const into = new Uint16Array(vertices);
  for (let i = 0; i < vertices; i++) into[i] = number[parents[order[i]]];
  const corners = new Uint16Array(fine.length);
  for (let i = 0; i < fine.length; i++) corners[i] = number[fine[i]];
  const steps = reached.map((step) => ({ ...step, vertices: countLeft(order, gone, step.collapses) }));
  const deaths = new Uint8Array(death.length);
  // points and segments, dead from the start, are there at first only
  for (let t = 0; t < death.length; t++) deaths[t] = stepWithout(steps, death[t]);
  return {
    positions: places,
    parents: into,
    indices: corners,
    deaths,
    steps,
  };
}

/** Vertices that stay first, those that vanish first last; those of one collapse by number. */
function orderOfVanishing(gone: Uint32Array, collapses: number): Uint32Array {
  const place = (v: number) => (gone[v] === ALIVE ? 0 : collapses + 1 - gone[v]);
  const starts = new Uint32Array(collapses + 2);
  for (let v = 0; v < gone.length; v++) starts[place(v) + 1]++;
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
  const order = new Uint32Array(gone.length);
  for (let v = 0; v < gone.length; v++) order[starts[place(v)]++] = v;
  return order;
}

/** How many vertices have not vanished after so many collapses. */
function countLeft(order: Uint32Array, gone: Uint32Array, collapses: number): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (gone[order[middle]] > collapses) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first step after a collapse. */
function stepWithout(steps: readonly Step[], collapse: number): number {
  let step = 1;
  while (step < steps.length && steps[step].collapses < collapse) step++;
  return step;
}
