/**
 * The layout of a page in the file, and where its bytes go in memory.
 *
 * Idea: nothing is stored that follows from the directory or from the order of triangles. Triangles are in the order of
 * the tree, so `order` is 0, 1, 2, …; indices are uint16 where that is enough; headers are regenerated. Layout: 64
 * bytes of head (float64 origin of the mesh, float64 centre and float32 radius of the tree, zeros), float32 positions,
 * indices; then the tree's pending treelets (two uint32 each) and its blocks. Each part is padded with zeros to a
 * multiple of 16 bytes. In memory, head to indices go where the mesh keeps its origin, positions and indices, the rest
 * where the tree does: positions and blocks are read into their place, and indices are widened in theirs
 * (kernels/page.ts). So reading takes no memory besides that of the mesh and the tree.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { LEAF_SIZE, OBB, OBB_STRIDE } from 'impinge/internal/hierarchy/build-obb.js';
import { blockWords, layOutTree } from 'impinge/internal/hierarchy/layout.js';
import {
  MESH_HEADER_BYTES,
  NARROW_VERTICES,
  PAGE_HEAD_BYTES,
  TREE_HEADER_BYTES,
} from 'impinge/internal/kernel/layout.generated.js';
import { align16, layOutMesh, meshBytes } from 'impinge/internal/mesh/mesh-layout.js';

/** Blocks of the arena are multiples of this. */
const ARENA_ALIGN = 64;

/** Counts of a page that are in the directory. */
export interface PageCounts {
  readonly pieceVertices: Uint32Array;
  readonly pieceTriangles: Uint32Array;
  readonly pieceBlocks: Uint32Array;
  readonly piecePending: Uint32Array;
}

/** Bytes of head, positions and indices in the file. */
export function meshPartBytes(vertices: number, triangles: number): number {
  const indexBytes = vertices > NARROW_VERTICES ? 4 : 2;
  return PAGE_HEAD_BYTES + align16(12 * vertices) + align16(3 * indexBytes * triangles);
}

/** Bytes of pending treelets and blocks, in the file as in memory. */
export function treePartBytes(blocks: number, pending: number): number {
  return align16(8 * pending) + 4 * blockWords(OBB_STRIDE) * blocks;
}

/** Bytes of a page in the file. */
export function pageBytes(counts: PageCounts, piece: number): number {
  return (
    meshPartBytes(counts.pieceVertices[piece], counts.pieceTriangles[piece]) +
    treePartBytes(counts.pieceBlocks[piece], counts.piecePending[piece])
  );
}

/** Gaps of up to this many bytes are read along: about what a server sends during one latency. */
export const GAP_BYTES = 16_384;

/** Pieces by reads, in the order of the file: with at most `most` pages each, and gaps of at most `gapBytes`. */
export function runsOf<T extends { readonly piece: number }>(
  directory: PageCounts & { readonly pieceByteOffset: Float64Array },
  pieces: readonly T[],
  gapBytes: number,
  most = Infinity,
): T[][] {
  const { pieceByteOffset: offset } = directory;
  const runs: T[][] = [];
  let run: T[] = [];
  let end = 0;
  for (const one of [...pieces].sort((p, q) => offset[p.piece] - offset[q.piece])) {
    const gap = offset[one.piece] - end;
    const isNext = gap >= 0 && gap <= gapBytes && run.length < most;
    if (!isNext || runs.length === 0) runs.push((run = []));
    run.push(one);
    end = offset[one.piece] + pageBytes(directory, one.piece);
  }
  return runs;
}

/** Bytes of the arena that a piece's mesh takes. */
export function meshMemoryBytes(counts: PageCounts, piece: number): number {
  return aligned(meshBytes(counts.pieceVertices[piece], counts.pieceTriangles[piece]));
}

/** Bytes of the arena that a piece takes at first; its tree may grow. */
export function memoryBytes(counts: PageCounts, piece: number): number {
  const tree = treePartBytes(counts.pieceBlocks[piece], counts.piecePending[piece]);
  const order = 4 * counts.pieceTriangles[piece];
  return meshMemoryBytes(counts, piece) + aligned(TREE_HEADER_BYTES + align16(order) + tree);
}

function aligned(byteLength: number): number {
  return ARENA_ALIGN * Math.ceil(byteLength / ARENA_ALIGN);
}

/** A page on its way into memory: two blocks of the arena, with headers, and where in them its bytes go. */
export interface ArrivingPage {
  readonly mesh: number;
  readonly meshBytes: number;
  readonly meshPart: number;
  readonly meshPartBytes: number;
  readonly tree: number;
  readonly treeBytes: number;
  readonly treePart: number;
  readonly treePartBytes: number;
}

export function layOutPage(counts: PageCounts, piece: number): ArrivingPage {
  const memory = arena();
  const vertexCount = counts.pieceVertices[piece];
  const triangleCount = counts.pieceTriangles[piece];
  const blockCount = counts.pieceBlocks[piece];
  const pendingCount = counts.piecePending[piece];
  const mesh = layOutMesh(memory, { vertexCount, triangleCount, name: '' });
  const tree = layOutTree(memory, {
    kind: OBB,
    stride: OBB_STRIDE,
    builder: 'sah',
    leafSize: LEAF_SIZE,
    triangleCount,
    blockCapacity: blockCount,
    pendingCapacity: pendingCount,
  });
  const treeHeadBytes = TREE_HEADER_BYTES + align16(4 * triangleCount);
  const treeTailBytes = treePartBytes(blockCount, pendingCount);
  return {
    mesh,
    meshBytes: meshBytes(vertexCount, triangleCount),
    meshPart: mesh + MESH_HEADER_BYTES - PAGE_HEAD_BYTES,
    meshPartBytes: meshPartBytes(vertexCount, triangleCount),
    tree,
    treeBytes: treeHeadBytes + treeTailBytes,
    treePart: tree + treeHeadBytes,
    treePartBytes: treeTailBytes,
  };
}
