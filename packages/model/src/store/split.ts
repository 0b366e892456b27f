/**
 * Splits a mesh into pieces of bounded size, at the centres of its triangles.
 *
 * Idea: the top of a lazy tree, which the kernels build anyway, is a k-d subdivision of the triangles. Each pending
 * subtree becomes a piece; fragments join their neighbour.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { buildTop, layOutTop } from 'impinge/internal/hierarchy/build-obb.js';
import { HierarchyHeader, RECORD_BYTES } from 'impinge/internal/kernel/layout.generated.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { BareMesh } from './bare-mesh.js';
import { piecesKernels } from './kernels.generated.js';
import type { OtherThread } from './other-thread.js';

/** Yields one piece after the other. They keep the mesh's origin; the caller disposes of them. */
export function* splitMesh(mesh: Mesh, most: number): Generator<Mesh> {
  const memory = arena();
  const local = memory.alloc(4 * mesh.vertexCount);
  memory.u32().fill(0, local >>> 2, (local >>> 2) + mesh.vertexCount);
  try {
    yield* extracted(mesh, rangesOf(mesh, most), (order, count, found, corners) =>
      piecesKernels
        .kernels()
        .extractCorners(
          mesh.storedPositions.byteOffset,
          mesh.storedIndices.byteOffset,
          order,
          count,
          local,
          found,
          corners,
        ),
    );
  } finally {
    memory.free(local);
  }
}

/**
 * The same for a mesh whose triangles share no vertex: corners at equal positions are joined, piece by piece. Takes
 * ownership of `pieces`.
 */
export function* splitSoup(
  mesh: Mesh,
  most: number,
  pieces: PieceRanges = rangesOf(mesh, most),
): Generator<Mesh> {
  const memory = arena();
  // two words for each corner of the largest piece
  const bits = Math.ceil(Math.log2(6 * Math.min(most, mesh.triangleCount)));
  const table = memory.alloc(4 * 2 ** bits);
  try {
    yield* extracted(mesh, pieces, (order, count, found, corners) =>
      piecesKernels
        .kernels()
        .weldCorners(mesh.storedPositions.byteOffset, order, count, table, bits, found, corners),
    );
  } finally {
    memory.free(table);
  }
}

/** Writes the vertices of the listed triangles, and their corners; returns the number of vertices. */
type Extract = (order: number, count: number, found: number, corners: number) => number;

function* extracted(mesh: Mesh, pieces: PieceRanges, extract: Extract): Generator<Mesh> {
  const memory = arena();
  const largest = pieces.ranges.reduce((largest, [from, to]) => Math.max(largest, to - from), 0);
  const found = memory.alloc(48 * largest);
  const corners = found + 36 * largest;
  try {
    for (const [from, to] of pieces.ranges) {
      const count = to - from;
      const vertexCount = extract(pieces.order + 4 * from, count, found, corners);
      const piece = new BareMesh(vertexCount, count, mesh.origin);
      const bytes = memory.u8();
      bytes.copyWithin(piece.positions, found, found + 12 * vertexCount);
      bytes.copyWithin(piece.indices, corners, corners + 12 * count);
      yield piece.done();
    }
  } finally {
    memory.free(found);
    dropRanges(pieces);
  }
}

/** Triangles by number, neighbours together: in memory, from `order` on, and the ranges there that belong together. */
export interface PieceRanges {
  readonly order: number;
  readonly ranges: readonly (readonly [number, number])[];
  /** To be freed. */
  readonly block: number;
}

export function dropRanges({ block }: PieceRanges): void {
  arena().free(block);
}

export function rangesOf(mesh: Mesh, most: number): PieceRanges {
  const count = mesh.triangleCount;
  const memory = arena();
  if (count <= most) {
    const order = memory.alloc(4 * count);
    piecesKernels.kernels().numberUp(order, count);
    return { order, ranges: [[0, count]], block: order };
  }
  return pendingRanges(buildTop(mesh, 'sah', most), count, most);
}

/** The same, computed by another thread. */
export async function rangesOnThread(mesh: Mesh, most: number, thread: OtherThread): Promise<PieceRanges> {
  const count = mesh.triangleCount;
  if (count <= most) return rangesOf(mesh, most);
  const memory = arena();
  const tree = layOutTop(count, 'sah', most, 0);
  const records = memory.alloc(RECORD_BYTES * count);
  let made = 0;
  try {
    const call = thread.call((done) => piecesKernels.call('makeTop', mesh.block, tree, most, records, done));
    made = await call.end;
  } finally {
    memory.free(records);
    if (made === 0) memory.free(tree);
  }
  // a tree with too little room is rare
  return made === 0 ? rangesOf(mesh, most) : pendingRanges(tree, count, most);
}

/** The treelets that the top of a tree left pending. */
function pendingRanges(tree: number, count: number, most: number): PieceRanges {
  const words = arena().u32();
  const header = words.subarray(tree >>> 2);
  const pendingAt = (tree + header[HierarchyHeader.pending]) >>> 2;
  const starts = new Uint32Array(header[HierarchyHeader.pendingCount]);
  for (let i = 0; i < starts.length; i++) starts[i] = words[pendingAt + 2 * i];
  const order = tree + header[HierarchyHeader.order];
  return { order, ranges: [...ranges(starts.sort(), count, most)], block: tree };
}

/**
 * Cuts [0, count) where treelets start, but joins short ranges with the one before while that stays below the limit.
 */
function* ranges(starts: Uint32Array, count: number, most: number): Generator<[number, number]> {
  let from = 0;
  let to = 0;
  for (let i = 0; i <= starts.length; i++) {
    // between two treelets there are only single leaves; they join the treelet before
    const end = i === starts.length ? count : starts[i];
    const small = end - to < most / 4 || to - from < most / 4;
    if (to > from && (!small || end - from > most)) {
      yield [from, to];
      from = to;
    }
    to = end;
  }
  if (to > from) yield [from, to];
}
