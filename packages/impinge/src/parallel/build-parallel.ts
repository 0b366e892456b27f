/**
 * Builds a tree on several threads. The resulting bytes do not depend on the number of threads.
 *
 * Idea: the caller builds the top down to subtrees of a fixed share of the triangles; each of these is built and fitted
 * by whichever thread is free, in a place of its own; then they are laid one behind the other.
 */
import { arena } from '../base/arena.js';
import { readChoice } from '../base/options.js';
import { buildObbTree, buildTop, TREELET } from '../hierarchy/build-obb.js';
import { Hierarchy } from '../hierarchy/hierarchy.js';
import { BUILDERS, type Builder, isLeaf, isPending, LANES, refIndex } from '../hierarchy/layout.js';
import { kernel } from '../kernel/kernel.js';
import { mainKernels } from '../kernel/kernels.generated.js';
import {
  BLOCK_BYTES,
  EMPTY,
  HierarchyHeader,
  RECORD_BYTES,
  TREE_HEADER_BYTES,
} from '../kernel/layout.generated.js';
import { assertPool, type WorkerPool } from '../kernel/worker-pool.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';
import { whileUnchanged } from '../mesh/revisions.js';

/** Approximate number of subtrees the triangles are divided into. */
const SHARES = 64;
const REF_WORD = BLOCK_BYTES / 4 - LANES;

interface Part {
  readonly treelet: number;
  readonly count: number;
  readonly records: number;
  /** A header of its own, followed by room for blocks. */
  header: number;
  blockCount: number;
}

/** Builds a complete tree of oriented boxes over `mesh` with the threads of `pool`. */
export async function buildHierarchyParallel(
  mesh: Mesh,
  pool: WorkerPool,
  options: { readonly builder?: Builder } = {},
): Promise<Hierarchy> {
  assertMesh(mesh);
  assertPool(pool);
  const builder = readChoice('builder', options.builder ?? 'sah', BUILDERS);
  if (mesh.triangleCount <= TREELET) return buildObbTree(mesh, builder, false); // nothing to share out
  let tree: Hierarchy | undefined;
  const top = buildTop(mesh, builder, Math.max(TREELET, Math.ceil(mesh.triangleCount / SHARES)));
  try {
    return await whileUnchanged([mesh], async () => {
      const parts = await buildParts(mesh, pool, top, builder);
      tree = join(mesh, top, parts);
      await fitParts(tree, pool, top, parts);
      return tree;
    });
  } catch (error) {
    tree?.dispose();
    throw error;
  } finally {
    arena().free(top);
  }
}

async function buildParts(mesh: Mesh, pool: WorkerPool, top: number, builder: Builder): Promise<Part[]> {
  const memory = arena();
  const words = memory.u32();
  const pendingCount = words[(top >>> 2) + HierarchyHeader.pendingCount];
  const pendingWord = (top + words[(top >>> 2) + HierarchyHeader.pending]) >>> 2;
  const counts = Array.from({ length: pendingCount }, (_, i) => words[pendingWord + 2 * i + 1]);
  const parts = counts.map((count, treelet): Part => {
    const records = memory.alloc(RECORD_BYTES * count);
    return { treelet, count, records, header: layOutPart(top, 16 + Math.ceil(count * 0.16)), blockCount: 0 };
  });
  const outcomes = await Promise.allSettled(
    parts.map(async (part) => {
      for (;;) {
        const { header, records, treelet } = part;
        const fast = builder === 'fast';
        const call = mainKernels.call(
          'buildTreelet',
          top,
          header,
          mesh.block,
          records,
          treelet,
          EMPTY,
          0,
          fast,
        );
        if (await pool.call(call)) break;
        const capacity = 2 * arena().u32()[(part.header >>> 2) + HierarchyHeader.blockCapacity];
        memory.free(part.header);
        part.header = layOutPart(top, capacity);
      }
      part.blockCount = arena().u32()[(part.header >>> 2) + HierarchyHeader.blockCount];
    }),
  );
  for (const { records } of parts) memory.free(records);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) {
    for (const { header } of parts) memory.free(header);
    throw failure.reason;
  }
  return parts;
}

/** A header like the top's, with its own room for blocks. */
function layOutPart(top: number, blockCapacity: number): number {
  const memory = arena();
  const header = memory.alloc(TREE_HEADER_BYTES + BLOCK_BYTES * blockCapacity);
  memory.u8().copyWithin(header, top, top + TREE_HEADER_BYTES);
  const words = memory.u32().subarray(header >>> 2);
  words[HierarchyHeader.blockCount] = 0;
  words[HierarchyHeader.blockCapacity] = blockCapacity;
  words[HierarchyHeader.blocks] = TREE_HEADER_BYTES;
  return header;
}

/** The top's blocks, then every part's, with references shifted to where their blocks now are. */
function join(mesh: Mesh, top: number, parts: readonly Part[]): Hierarchy {
  const memory = arena();
  let words = memory.u32();
  const head = (field: number) => words[(top >>> 2) + field];
  const topCount = head(HierarchyHeader.blockCount);
  const blockCount = parts.reduce((sum, part) => sum + part.blockCount, topCount);
  const pendingAt = head(HierarchyHeader.pending);
  const topBlocksAt = head(HierarchyHeader.blocks);
  const byteLength = pendingAt + BLOCK_BYTES * blockCount; // nothing is pending any more
  const block = memory.alloc(byteLength);
  words = memory.u32();
  const bytes = memory.u8();
  bytes.copyWithin(block, top, top + pendingAt);
  bytes.copyWithin(block + pendingAt, top + topBlocksAt, top + topBlocksAt + BLOCK_BYTES * topCount);
  const header = words.subarray(block >>> 2);
  header[HierarchyHeader.blocks] = pendingAt;
  header[HierarchyHeader.pendingCount] = 0;
  header[HierarchyHeader.pendingCapacity] = 0;
  header[HierarchyHeader.blockCount] = blockCount;
  header[HierarchyHeader.blockCapacity] = blockCount;
  header[HierarchyHeader.byteLength] = byteLength;

  const firstBlockOf = new Uint32Array(parts.length);
  let at = topCount;
  for (const part of parts) {
    firstBlockOf[part.treelet] = at;
    const from = part.header + TREE_HEADER_BYTES;
    const to = block + pendingAt + BLOCK_BYTES * at;
    bytes.copyWithin(to, from, from + BLOCK_BYTES * part.blockCount);
    forEachRef(words, to, part.blockCount, (ref) => (ref === EMPTY || isLeaf(ref) ? ref : ref + at));
    memory.free(part.header);
    at += part.blockCount;
  }
  forEachRef(words, block + pendingAt, topCount, (ref) =>
    ref !== EMPTY && isPending(ref) ? firstBlockOf[refIndex(ref)] : ref,
  );
  return new Hierarchy(mesh, block);
}

function forEachRef(
  words: Uint32Array,
  blocks: number,
  count: number,
  change: (ref: number) => number,
): void {
  for (let b = 0, at = (blocks >>> 2) + REF_WORD; b < count; b++, at += BLOCK_BYTES / 4) {
    for (let lane = 0; lane < LANES; lane++) words[at + lane] = change(words[at + lane]);
  }
}

/** Fits each part separately, then the top from what the parts left in the work arrays. */
async function fitParts(
  tree: Hierarchy,
  pool: WorkerPool,
  top: number,
  parts: readonly Part[],
): Promise<void> {
  const memory = arena();
  const run = kernel();
  const mesh = tree.mesh.block;
  const blockCount = tree.blockCount;
  const moments = memory.alloc(80 * blockCount);
  const ranges = memory.alloc(8 * blockCount);
  const topCount = memory.u32()[(top >>> 2) + HierarchyHeader.blockCount];
  run.computeRanges(tree.block, ranges, 0, blockCount);
  const aligned = tree.builder === 'fast';
  let from = topCount;
  const fits: Promise<void>[] = [];
  for (const part of parts) {
    const to = from + part.blockCount;
    fits.push(pool.call(mainKernels.call('fitRange', tree.block, mesh, ranges, moments, from, to, aligned)));
    from = to;
  }
  const outcomes = await Promise.allSettled(fits);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failure) {
    if (aligned) run.alignAxes(tree.block, 0, topCount);
    run.fitUpperBlocks(tree.block, mesh, ranges, moments, 0, topCount, aligned);
  }
  memory.free(ranges);
  memory.free(moments);
  if (failure) throw failure.reason;
}
