/**
 * Splits a mesh into pieces of bounded size, at the centres of its triangles.
 *
 * Idea: the top of a lazy tree, which the kernels build anyway, is a k-d subdivision of the triangles. Each pending
 * subtree becomes a piece; fragments join their neighbour.
 */
import { arena } from '../base/arena.js';
import { buildTop } from '../hierarchy/build-obb.js';
import { HierarchyHeader } from '../hierarchy/layout.js';
import type { Mesh } from '../mesh/mesh.js';
import { BareMesh } from './bare-mesh.js';
import { piecesKernels } from './pieces-kernel.js';

/** Yields one piece after the other. They keep the mesh's origin; the caller disposes of them. */
export function* splitMesh(mesh: Mesh, most: number): Generator<Mesh> {
  const memory = arena();
  const local = memory.alloc(4 * mesh.vertexCount);
  memory.u32().fill(0, local >>> 2, (local >>> 2) + mesh.vertexCount);
  try {
    yield* extracted(mesh, most, (order, count, found, corners) =>
      piecesKernels
        .kernels()
        .extractCorners(
          mesh.positions.byteOffset,
          mesh.indices.byteOffset,
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

/** The same of a mesh whose triangles share no vertex: corners at equal positions are joined, piece by piece. */
export function* splitSoup(mesh: Mesh, most: number): Generator<Mesh> {
  const memory = arena();
  // two words for each corner of the largest piece
  const bits = Math.ceil(Math.log2(6 * Math.min(most, mesh.triangleCount)));
  const table = memory.alloc(4 * 2 ** bits);
  try {
    yield* extracted(mesh, most, (order, count, found, corners) =>
      piecesKernels
        .kernels()
        .weldCorners(mesh.positions.byteOffset, order, count, table, bits, found, corners),
    );
  } finally {
    memory.free(table);
  }
}

/** Writes the vertices of the triangles that are named, and their corners; returns how many vertices there are. */
type Extract = (order: number, count: number, found: number, corners: number) => number;

function* extracted(mesh: Mesh, most: number, extract: Extract): Generator<Mesh> {
  const memory = arena();
  const groups = groupsOf(mesh, most);
  const largest = groups.ranges.reduce((largest, [from, to]) => Math.max(largest, to - from), 0);
  const found = memory.alloc(48 * largest);
  const corners = found + 36 * largest;
  try {
    for (const [from, to] of groups.ranges) {
      const count = to - from;
      const vertexCount = extract(groups.order + 4 * from, count, found, corners);
      const piece = new BareMesh(vertexCount, count, mesh.origin);
      const bytes = memory.u8();
      bytes.copyWithin(piece.positions, found, found + 12 * vertexCount);
      bytes.copyWithin(piece.indices, corners, corners + 12 * count);
      yield piece.done();
    }
  } finally {
    memory.free(found);
    memory.free(groups.block);
  }
}

/** Triangles by number, neighbours together: in memory, from `order` on, and the ranges there that belong together. */
interface Groups {
  readonly order: number;
  readonly ranges: readonly (readonly [number, number])[];
  /** To be freed. */
  readonly block: number;
}

function groupsOf(mesh: Mesh, most: number): Groups {
  const count = mesh.triangleCount;
  const memory = arena();
  if (count <= most) {
    const order = memory.alloc(4 * count);
    const numbers = memory.u32().subarray(order >>> 2, (order >>> 2) + count);
    for (let i = 0; i < count; i++) numbers[i] = i;
    return { order, ranges: [[0, count]], block: order };
  }
  const block = buildTop(mesh, 'sah', most);
  const words = memory.u32();
  const header = words.subarray(block >>> 2);
  const pendingAt = (block + header[HierarchyHeader.pendingByteOffset]) >>> 2;
  const starts = new Uint32Array(header[HierarchyHeader.pendingCount]);
  for (let i = 0; i < starts.length; i++) starts[i] = words[pendingAt + 2 * i];
  const order = block + header[HierarchyHeader.orderByteOffset];
  return { order, ranges: [...ranges(starts.sort(), count, most)], block };
}

/** Cuts [0, count) where treelets start, but joins what stays below the limit with what came before. */
function* ranges(starts: Uint32Array, count: number, most: number): Generator<[number, number]> {
  let from = 0;
  let to = 0;
  for (let i = 0; i <= starts.length; i++) {
    // what lies between two treelets are single leaves; they go with the treelet before
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
