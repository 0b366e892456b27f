/**
 * Simplifies one group step by step, with a bound on each step's distance from the originals.
 *
 * Bounds. Let O be the originals, F the group's finest mesh and C the mesh after some collapses. Each triangle of F
 * carries `out`: the originals it represents are no farther from it; and `in`: none of its points is farther from O.
 * For every triangle of F, cover.ts bounds how far its points are from triangles of C; the originals it represents pass
 * to those, and are no farther from them than both distances together (triangle inequality). So the largest sum
 * assigned to a triangle of C bounds the distance of its originals, and the largest of all bounds the group. The other
 * way round likewise.
 *
 * Sums over levels are too large: a triangle of F and one of C need not be farthest where both bounds are. So where a
 * triangle's sum is the largest, the mesh that F was simplified from is asked directly (`finer`, cover.ts): the
 * originals on a triangle of F stand on some triangles of that mesh, too, which carry less, and their distance from C
 * is measured in one. Two bounds hold, so the lesser does.
 *
 * Errors only grow from step to step and from level to level: the larger of a bound and the one
 * before is kept. A step without any error gets the least positive one, so that at error 0 the originals represent
 * themselves.
 */
import { CLUSTER_TRIANGLES, type Cluster, splitTriangles, type Triangles } from './cluster.js';
import { GroupBlock } from './group-block.js';
import type { Errors, GroupTask, SimplifiedGroup } from './group-task.js';
import { levelsKernels } from './kernels.generated.js';
import { G } from './layout.generated.js';
import { Links } from './links.js';
import { presentMesh, presentTriangles, valuesAt } from './present.js';
import { VertexTable } from './vertex-table.js';

/** A step with more than this share of the previous one's triangles is dropped. */
const HARDLY_LESS = 0.95;

/** Undefined: there is hardly anything to leave out. */
export function simplifyGroup(task: GroupTask): SimplifiedGroup | undefined {
  const block = new GroupBlock(task.input);
  try {
    return collapse(block, task);
  } finally {
    block.dispose();
  }
}

/** Collapses edges, stopping periodically to check the number of triangles. */
function collapse(
  block: GroupBlock,
  { input: { locked, finer }, least, shares }: GroupTask,
): SimplifiedGroup | undefined {
  const kernel = levelsKernels.kernels();
  kernel.linkCorners(block.at);
  kernel.joinFinest(block.at);
  if (finer) kernel.joinFiner(block.at);
  kernel.prepareCollapses(block.at);
  if (block.word(G.alive) === 0) return undefined; // nothing but points and segments
  const all = block.triangleCount;
  // about this many triangles are at locked vertices, and remain
  const fixed = Math.min(
    all,
    locked.reduce((sum, own) => sum + own, 0),
  );
  const reduce = (share: number) =>
    kernel.collapseTo(block.at, Math.max(2, Math.round(fixed + share * (all - fixed))));
  const errors = (before: Errors, isLast: boolean): Errors => {
    kernel.joinCurrent(block.at);
    return {
      out: Math.max(before.out, kernel.coverFinest(block.at, before.out, isLast)),
      in: Math.max(before.in, kernel.coverCurrent(block.at, before.in), Number.MIN_VALUE),
    };
  };
  const between: (Triangles & Errors)[] = [];
  const countOf = (step: Triangles | undefined) => (step ? step.indices.length / 3 : all);
  for (const share of shares.slice(0, -1)) {
    const left = reduce(share);
    const last = between.at(-1);
    if (block.word(G.steps) === 0 || left > HARDLY_LESS * countOf(last)) continue;
    between.push({ ...presentMesh(block, presentTriangles(block, left)), ...errors(last ?? least, false) });
  }
  const left = reduce(shares.at(-1)!);
  if (block.word(G.steps) === 0 || left > HARDLY_LESS * all) return undefined;
  const reached = errors(between.at(-1) ?? least, true);
  if (!Number.isFinite(reached.out + reached.in)) return undefined;
  if (left > HARDLY_LESS * countOf(between.at(-1))) between.pop();
  return { between, end: { ...reached, clusters: presentClusters(block, left) } };
}

/** The current triangles cut into clusters, with the errors of each and what it was simplified from. */
function presentClusters(block: GroupBlock, count: number): Cluster[] {
  const { kept, indices } = presentTriangles(block, count);
  const positions = block.floats(G.positions, 3 * block.word(G.vertices));
  const out = block.floats(G.coarseOut, block.triangleCount);
  const inward = block.floats(G.coarseIn, block.triangleCount);
  const table = new VertexTable();
  const links = new Links(block);
  return splitTriangles({ positions, indices }, CLUSTER_TRIANGLES).map((part) => {
    const slots = part.map((i) => kept[i]);
    return {
      ...weldedPart({ positions, indices }, part, table),
      out: valuesAt(slots, out),
      in: valuesAt(slots, inward),
      finer: links.finerOf(slots),
    };
  });
}

/** Some triangles of a mesh, with equal positions made one vertex. */
export function weldedPart(
  { positions, indices }: Triangles,
  part: Uint32Array,
  table: VertexTable,
): { positions: Float32Array; indices: Uint16Array } {
  table.clear();
  const own = new Uint16Array(3 * part.length);
  // numbers of vertices that came up before, plus one
  const known = new Uint32Array(positions.length / 3);
  for (let i = 0; i < part.length; i++) {
    for (let k = 0; k < 3; k++) {
      const v = indices[3 * part[i] + k];
      if (known[v] === 0)
        known[v] = table.add(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]) + 1;
      own[3 * i + k] = known[v] - 1;
    }
  }
  return { positions: table.positions.slice(0, 3 * table.count), indices: own };
}
