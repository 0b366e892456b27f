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
  /** Missing for originals, and where it is not known. */
  readonly finer?: Finer | undefined;
}

/** What a mesh was simplified from, with the errors of that. */
export interface Finer {
  readonly positions: Float32Array;
  readonly indices: Uint16Array | Uint32Array;
  readonly out: Float32Array;
  readonly in: Float32Array;
  /** Per triangle of the mesh, and one more: where its part of `of` begins. */
  readonly starts: Uint32Array;
  /** The finer triangles with originals that stand on each triangle of the mesh. */
  readonly of: Uint16Array | Uint32Array;
}

export type Numbers = Float32Array | Uint16Array | Uint32Array;

/** The arrays of a cluster; those of `finer` last. */
export function arraysOf(
  cluster: Pick<Cluster, 'positions' | 'out' | 'in' | 'finer'> & Triangles,
): Numbers[] {
  const { positions, indices, out, in: inward, finer } = cluster;
  const own = [positions, indices, out, inward];
  return finer ? [...own, ...arraysOf(finer), finer.starts, finer.of] : own;
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
