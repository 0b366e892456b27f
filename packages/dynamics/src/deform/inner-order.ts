/**
 * The numbers by which kernels know the triangles and vertices of a surface: neighbours in space have neighbouring
 * numbers, so what is near each other lies near each other in memory, and a run of triangles is a cluster.
 *
 * Triangles are in the order of kernels/deform/cluster-order.ts, vertices in that of their first triangle. Positions,
 * and everything that callers see, keep the numbers of the caller.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { deformKernels } from './kernels.generated.js';
import { ringsOf } from './topology.js';

export interface InnerOrder {
  /** The caller's numbers; then the inner numbers of the caller's vertices. */
  readonly triangles: Uint32Array;
  readonly vertices: Uint32Array;
  readonly innerOf: Uint32Array;
  /** As in `Topology`, and three vertices of every triangle, in inner numbers. */
  readonly corners: Uint32Array;
  readonly owned: Uint8Array;
  readonly ringStart: Uint32Array;
  readonly rings: Uint32Array;
}

/** `owned`: as in `Topology`. */
export function innerOrderOf(positions: Float64Array, indices: Uint32Array, owned: Uint8Array): InnerOrder {
  const triangles = deformKernels.supported()
    ? orderTriangles(positions, indices)
    : Uint32Array.from(owned.keys());
  const vertexCount = positions.length / 3;
  const innerOf = new Uint32Array(vertexCount).fill(vertexCount);
  const vertices = new Uint32Array(vertexCount);
  const corners = new Uint32Array(indices.length);
  let named = 0;
  const nameOf = (v: number) => {
    if (innerOf[v] === vertexCount) {
      vertices[named] = v;
      innerOf[v] = named++;
    }
    return innerOf[v];
  };
  for (let i = 0; i < corners.length; i++) corners[i] = nameOf(indices[3 * triangles[(i / 3) | 0] + (i % 3)]);
  for (let v = 0; v < vertexCount; v++) nameOf(v);
  return {
    triangles,
    vertices,
    innerOf,
    corners,
    owned: Uint8Array.from(triangles, (t) => owned[t]),
    ...ringsOf(vertexCount, corners),
  };
}

function orderTriangles(positions: Float64Array, indices: Uint32Array): Uint32Array {
  const count = indices.length / 3;
  const blocks: number[] = [];
  try {
    for (const bytes of [positions.byteLength, indices.byteLength, 16 * count, 4 * count]) {
      blocks.push(arena().alloc(bytes));
    }
    const [places, corners, middles, order] = blocks;
    arena()
      .f64()
      .set(positions, places >>> 3);
    arena()
      .u32()
      .set(indices, corners >>> 2);
    deformKernels.kernels().orderTriangles(places, corners, count, middles, order);
    return arena()
      .u32()
      .slice(order >>> 2, (order >>> 2) + count);
  } finally {
    for (const block of blocks) arena().free(block);
  }
}
