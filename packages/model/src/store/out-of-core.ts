/**
 * Divides a shape that is too large for memory into meshes that fit, neighbouring triangles together.
 *
 * Idea: three passes. The first finds the box and takes a sample of triangle centres (survey.ts), from which a k-d tree
 * with one leaf per chunk is made (divider.ts). The second sends every triangle to its leaf, whose buffer goes to the
 * file when it is full (leaf-sorter.ts). The third reads leaf after leaf. Memory: the sample and the buffers, then one
 * chunk. No plane divides triangles whose centres coincide, and a sample may mislead: a leaf that is too large is read
 * in parts.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { chooseOrigin } from 'impinge/internal/mesh/mesh-input.js';
import { readToArena } from './arena-bytes.js';
import { BareMesh } from './bare-mesh.js';
import { cornerParts } from './corner-parts.js';
import { divide } from './divider.js';
import { piecesKernels } from './kernels.generated.js';
import { type Leaf, sortIntoLeaves, TRIANGLE_BYTES } from './leaf-sorter.js';
import type { ShapeStream } from './source.js';
import type { Spill, SpillFile } from './spill.js';
import type { Survey } from './survey.js';

const LEAST_BUFFER = 256;
const MOST_BUFFER = 1 << 15;
/** A leaf may hold this many times the triangles that it should before it is read in parts. */
const CROWDED = 1.25;

export interface ChunkOptions {
  /** The shape's name in errors. */
  readonly label: string;
  /** The origin of all coordinates. */
  readonly about: Vec3;
  /** The approximate number of triangles per chunk. */
  readonly chunkTriangles: number;
}

/**
 * Yields the shape as meshes whose triangles share no vertex, with a common origin; each corner is rounded to float32
 * relative to that origin. The caller owns them.
 */
export async function* chunksOf(
  stream: ShapeStream,
  { box, single, sample, count }: Survey,
  spill: Spill,
  { label, about, chunkTriangles }: ChunkOptions,
): AsyncGenerator<Mesh> {
  const near = originOf(box, single, label);
  const origin: Vec3 = [near[0] + about[0], near[1] + about[1], near[2] + about[2]];
  if (count <= chunkTriangles) {
    yield await soupOf(count, origin, (at) => takeCorners(stream, count, near, label, at));
    return;
  }
  const tree = divide(sample, Math.ceil(count / chunkTriangles));
  // all buffers together hold a quarter of the permitted memory
  const share = Math.floor(spill.triangles / 4 / (tree.leafCount + 1));
  const bufferTriangles = Math.min(Math.max(share, LEAST_BUFFER), MOST_BUFFER);
  const file = await spill.open();
  try {
    const leaves = await sortIntoLeaves(stream, file, { tree, origin: near, bufferTriangles, label });
    for (const chunk of leaves.flatMap((leaf) => partsOf(leaf, CROWDED * chunkTriangles))) {
      yield await soupOf(chunk.count, origin, (at) => readChunk(chunk, file, at));
    }
  } finally {
    await file.dispose();
  }
}

/** All corners of a small stream, to where a mesh has its positions. */
async function takeCorners(
  stream: ShapeStream,
  count: number,
  [ox, oy, oz]: Vec3,
  label: string,
  positions: number,
): Promise<void> {
  const first = positions >>> 2;
  const end = first + 9 * count;
  let at = first;
  let taken = 0;
  const isZero = ox === 0 && oy === 0 && oz === 0;
  for await (const { corners: batch } of cornerParts(stream, label)) {
    const numbers = arena().f32();
    if (batch instanceof Float32Array && isZero) {
      numbers.set(batch.subarray(0, end - at), at);
      at = Math.min(end, at + batch.length);
    } else {
      for (let k = 0; k < batch.length && at < end; k += 3, at += 3) {
        numbers[at] = batch[k] - ox;
        numbers[at + 1] = batch[k + 1] - oy;
        numbers[at + 2] = batch[k + 2] - oz;
      }
    }
    taken += batch.length;
  }
  if (taken !== 9 * count) {
    throw new ImpingeError(
      'bad-input',
      `object "${label}" yielded a different number of triangles the second time`,
    );
  }
}

/** A mesh of `count` triangles, none of which share a vertex; `fill` writes their corners to the arena. */
async function soupOf(
  count: number,
  origin: Vec3,
  fill: (positions: number) => Promise<void>,
): Promise<Mesh> {
  const soup = new BareMesh(3 * count, count, origin);
  try {
    await fill(soup.positions);
  } catch (error) {
    soup.free();
    throw error;
  }
  piecesKernels.kernels().numberUp(soup.indices, 3 * count);
  return soup.done();
}

function originOf(box: Float64Array, single: boolean, label: string): Vec3 {
  const source = { positions: box, stride: 3, offset: 0, vertexCount: 2, name: label };
  const origin: Vec3 = single ? [0, 0, 0] : chooseOrigin(source);
  const outside = box.find((x, k) => !Number.isFinite(Math.fround(x - origin[k % 3])));
  if (outside !== undefined) {
    throw new ImpingeError('non-finite', `object "${label}": ${outside} is too large for float32`, {
      object: label,
    });
  }
  return origin;
}

/** Triangles to be read at once. */
interface Chunk {
  readonly count: number;
  /** Positions and counts of the triangles in the file. */
  readonly runs: readonly number[];
}

/** A leaf as chunks of about the same size, `most` triangles or fewer each. */
function partsOf({ count, runs }: Leaf, most: number): Chunk[] {
  if (count === 0) return [];
  const size = Math.ceil(count / Math.ceil(count / Math.max(1, Math.floor(most))));
  if (size === count) return [{ count, runs }];
  const chunks: Chunk[] = [];
  let open = { count: 0, runs: [] as number[] };
  for (let i = 0; i < runs.length; i += 2) {
    for (let done = 0; done < runs[i + 1]; ) {
      const taken = Math.min(runs[i + 1] - done, size - open.count);
      open.runs.push(runs[i] + TRIANGLE_BYTES * done, taken);
      open.count += taken;
      done += taken;
      if (open.count < size) continue;
      chunks.push(open);
      open = { count: 0, runs: [] };
    }
  }
  if (open.count > 0) chunks.push(open);
  return chunks;
}

/** Reads a chunk back, to where a mesh has its positions. */
async function readChunk(chunk: Chunk, file: SpillFile, positions: number): Promise<void> {
  let at = positions;
  const reads: Promise<void>[] = [];
  for (let i = 0; i < chunk.runs.length; i += 2) {
    const bytes = TRIANGLE_BYTES * chunk.runs[i + 1];
    reads.push(readToArena(file, chunk.runs[i], at, bytes));
    at += bytes;
  }
  // all at once: a busy thread checks for messages only now and then
  const failed = (await Promise.allSettled(reads)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
