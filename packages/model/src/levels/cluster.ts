import { arena } from 'impinge/internal/base/arena.js';
import { levelsKernels } from './kernels.generated.js';
import { RECORD_BYTES } from './layout.generated.js';

/** A small part of a surface at one level, as arrays: passed from one level to the next. */
export interface Cluster {
  /** Three float32 per vertex, relative to the origin of the shape. No vertex is there twice. */
  readonly positions: Float32Array;
  /** Three vertices per triangle. Triangles that follow each other are near each other. */
  readonly indices: Uint16Array;
  /** Per triangle: no original point that it stands for is farther from it. */
  readonly out: Float32Array;
  /** Per triangle: none of its points is farther from the originals. */
  readonly in: Float32Array;
}

/** Maximum, and typical, number of triangles in a cluster. */
export const CLUSTER_TRIANGLES = 1024;

/** A mesh as arrays. */
export interface Triangles {
  readonly positions: Float32Array;
  readonly indices: Uint16Array | Uint32Array;
}

/**
 * Sorts triangles so that near ones follow each other and cuts the order into parts of nearly equal size, none larger
 * than `most`.
 */
export function splitTriangles({ positions, indices }: Triangles, most: number): Uint32Array[] {
  const count = indices.length / 3;
  if (count === 0) return [];
  const parts = Math.ceil(count / most);
  const kernel = levelsKernels.kernels();
  const memory = arena();
  // records first: they begin at a multiple of 16
  const records = memory.alloc(
    RECORD_BYTES * count + 4 * (positions.length + indices.length + count + parts),
  );
  const places = records + RECORD_BYTES * count;
  const corners = places + 4 * positions.length;
  const order = corners + 4 * indices.length;
  const ends = order + 4 * count;
  memory.f32().set(positions, places >>> 2);
  memory.u32().set(indices, corners >>> 2);
  kernel.orderTriangles(places, corners, count, parts, records, order, ends);
  const words = memory.u32();
  const sorted = words.slice(order >>> 2, ends >>> 2);
  const cuts = words.slice(ends >>> 2, (ends >>> 2) + parts);
  memory.free(records);
  return Array.from(cuts, (end, i) => sorted.subarray(i === 0 ? 0 : cuts[i - 1], end));
}
