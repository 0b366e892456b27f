/**
 * Divides a shape that is too large for memory into meshes that are not, neighbouring triangles together.
 *
 * Idea: three passes. The first finds the box and takes a sample of triangle centres, from which a k-d tree with one
 * leaf per chunk is made. The second sends every triangle to its leaf, whose buffer goes to the file when it is full. The
 * third reads leaf after leaf. Memory: the sample and the buffers, then one chunk. No plane divides triangles whose
 * centres coincide, and a sample may mislead: a leaf that is too large is read in parts.
 */
import { ImpingeError } from '../base/errors.js';
import type { Vec3 } from '../math/pose.js';
import { Mesh } from '../mesh/mesh.js';
import { chooseOrigin } from '../mesh/mesh-input.js';
import { widenBox } from '../mesh/reach.js';
import type { ShapeStream } from './source.js';
import { WriteBehind } from './write-behind.js';

/** Room outside memory: written once, front to back, then read anywhere. */
export interface SpillFile {
  write(bytes: Uint8Array): Promise<void>;
  read(at: number, into: Uint8Array): Promise<void>;
  dispose(): Promise<void>;
}

export interface Spill {
  /** About how many triangles may be in memory at once; each takes some 130 bytes. */
  readonly triangles: number;
  open(): Promise<SpillFile>;
}

const MOST_SAMPLES = 1 << 17;
/** Corners of a triangle as they are kept: nine float32. */
const TRIANGLE_BYTES = 36;
const LEAST_BUFFER = 256;
const MOST_BUFFER = 1 << 15;
/** A leaf may hold this many times the triangles that it should before it is read in parts. */
const CROWDED = 1.25;

export interface ChunkOptions {
  /** What errors call the shape. */
  readonly label: string;
  /** What all numbers are relative to. */
  readonly about: Vec3;
  /** About how many triangles a chunk has. */
  readonly chunkTriangles: number;
}

/**
 * Yields the shape as meshes whose triangles share no vertex, with a common origin; each corner is where float32 about
 * that origin puts it. One mesh is to be disposed of before the next is asked for.
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
    yield soupOf(await cornersOf(stream, count, near, label), count, origin);
    return;
  }
  const tree = divide(sample, Math.ceil(count / chunkTriangles));
  // all buffers together hold a quarter of what may be in memory
  const share = Math.floor(spill.triangles / 4 / (tree.leafCount + 1));
  const bufferTriangles = Math.min(Math.max(share, LEAST_BUFFER), MOST_BUFFER);
  const file = await spill.open();
  try {
    const leaves = await distribute(stream, tree, near, file, bufferTriangles);
    const chunks = leaves.flatMap((leaf) => partsOf(leaf, CROWDED * chunkTriangles));
    const corners = new Float32Array(9 * chunks.reduce((most, { count }) => Math.max(most, count), 0));
    for (const chunk of chunks) {
      await gather(chunk, file, corners);
      yield soupOf(corners, chunk.count, origin);
    }
  } finally {
    await file.dispose();
  }
}

/** All corners of a small stream. */
async function cornersOf(
  stream: ShapeStream,
  count: number,
  [ox, oy, oz]: Vec3,
  label: string,
): Promise<Float32Array> {
  const corners = new Float32Array(9 * count);
  let at = 0;
  for await (const batch of stream.batches()) {
    for (let k = 0; k < batch.length; k += 3, at += 3) {
      corners[at] = batch[k] - ox;
      corners[at + 1] = batch[k + 1] - oy;
      corners[at + 2] = batch[k + 2] - oz;
    }
  }
  if (at !== corners.length) {
    throw new ImpingeError('bad-input', `object "${label}" has another number of triangles the second time`);
  }
  return corners;
}

/** A mesh of the first `count` triangles, none of which share a vertex. */
function soupOf(corners: Float32Array, count: number, origin: Vec3): Mesh {
  const shape = { vertexCount: 3 * count, triangleCount: count, origin, name: '' };
  return Mesh.layOut(shape, (positions, indices) => {
    positions.set(corners.subarray(0, positions.length));
    for (let i = 0; i < indices.length; i++) indices[i] = i;
  });
}

/** What the first pass finds. */
export interface Survey {
  /** Minimum, maximum. */
  readonly box: Float64Array;
  /** Whether all coordinates are float32. */
  readonly single: boolean;
  readonly count: number;
  /** Centres (times three): x, y, z. */
  readonly sample: Float32Array;
}

/** Goes through all triangles once. What it finds does not depend on how many the stream said there would be. */
export async function survey(stream: ShapeStream, label: string): Promise<Survey> {
  const sample = new Sample();
  const box = new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3);
  let count = 0;
  let single = true;
  for await (const batch of stream.batches()) {
    if (!(batch instanceof Float32Array)) single = false;
    if (batch.length % 9 !== 0) {
      throw new ImpingeError(
        'bad-input',
        `object "${label}": ${batch.length} numbers are not whole triangles`,
      );
    }
    if (!widenBox(box, batch)) throw notFinite(batch, count, label);
    const triangles = batch.length / 9;
    sample.add(batch, count);
    count += triangles;
  }
  if (count === 0)
    throw new ImpingeError('empty-mesh', `object "${label}" has no triangles`, { object: label });
  return { box, single, count, sample: sample.centres };
}

/** Every n-th triangle: every one at first, and half as many whenever there are too many. */
class Sample {
  #centres = new Float32Array(3 << 6);
  #count = 0;
  #step = 1;

  /** Takes in a batch; `before` triangles came before it. */
  add(batch: Float32Array | Float64Array, before: number): void {
    for (let t = 0; 9 * t < batch.length; t++) {
      if ((before + t) % this.#step !== 0) continue;
      if (this.#count === MOST_SAMPLES) {
        this.#halve();
        if ((before + t) % this.#step !== 0) continue;
      }
      const to = 3 * this.#count++;
      if (to === this.#centres.length) this.#grow();
      for (let k = 0; k < 3; k++) {
        const at = 9 * t + k;
        this.#centres[to + k] = batch[at] + batch[at + 3] + batch[at + 6];
      }
    }
  }
  #grow(): void {
    const larger = new Float32Array(2 * this.#centres.length);
    larger.set(this.#centres);
    this.#centres = larger;
  }
  #halve(): void {
    this.#step *= 2;
    this.#count /= 2;
    for (let i = 1; i < this.#count; i++) this.#centres.copyWithin(3 * i, 6 * i, 6 * i + 3);
  }
  get centres(): Float32Array {
    return this.#centres.slice(0, 3 * this.#count);
  }
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

/** About the first coordinate of `batch` that is not; `before` triangles came before it. */
function notFinite(batch: Float32Array | Float64Array, before: number, label: string): ImpingeError {
  const i = batch.findIndex((x) => !Number.isFinite(x));
  const triangle = before + Math.floor(i / 9);
  const message = `object "${label}": triangle ${triangle} has ${'xyz'[i % 3]} = ${batch[i]}`;
  return new ImpingeError('non-finite', message, { object: label, triangle });
}

/** A k-d tree with one leaf per chunk. Node i has children 2i + 1 and 2i + 2; those past the end are leaves. */
interface Divider {
  readonly axis: Uint8Array;
  readonly at: Float64Array;
  readonly leafCount: number;
}

/** Centres per chunk that are looked at: then chunks differ by some percent. */
const CENTRES_PER_CHUNK = 2048;

function divide(sample: Float32Array, wanted: number): Divider {
  const levels = Math.ceil(Math.log2(Math.max(1, wanted)));
  const leafCount = 2 ** levels;
  const count = sample.length / 3;
  const step = Math.max(1, Math.floor(count / (CENTRES_PER_CHUNK * leafCount)));
  const axis = new Uint8Array(leafCount - 1);
  const at = new Float64Array(leafCount - 1);
  let groups: Uint32Array[] = [Uint32Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)];
  for (let node = 0; node < leafCount - 1; node += groups.length / 2) {
    const next: Uint32Array[] = [];
    groups.forEach((group, i) => {
      const widest = widestAxis(sample, group);
      const sorted = group.sort((a, b) => sample[3 * a + widest] - sample[3 * b + widest]);
      const half = sorted.length >>> 1;
      axis[node + i] = widest;
      at[node + i] = sorted.length === 0 ? 0 : sample[3 * sorted[half] + widest];
      next.push(sorted.subarray(0, half), sorted.subarray(half));
    });
    groups = next;
  }
  return { axis, at, leafCount };
}

function widestAxis(sample: Float32Array, group: Uint32Array): number {
  const extent = [0, 1, 2].map((k) => {
    let min = Infinity;
    let max = -Infinity;
    for (const i of group) {
      min = Math.min(min, sample[3 * i + k]);
      max = Math.max(max, sample[3 * i + k]);
    }
    return max - min;
  });
  return extent.indexOf(Math.max(...extent));
}

interface Leaf {
  count: number;
  /** Where its full buffers went, and how many triangles were in them. */
  readonly runs: number[];
  buffer: Float32Array<ArrayBuffer>;
  buffered: number;
}

async function distribute(
  stream: ShapeStream,
  tree: Divider,
  origin: Vec3,
  file: SpillFile,
  bufferTriangles: number,
): Promise<Leaf[]> {
  const makeBuffer = () => new Float32Array(9 * bufferTriangles);
  const leaves = Array.from(
    { length: tree.leafCount },
    (): Leaf => ({ count: 0, runs: [], buffer: makeBuffer(), buffered: 0 }),
  );
  // while one buffer is being written, its leaf goes on with another
  const writer = new WriteBehind(file);
  let spare = makeBuffer();
  let written = 0;
  const flush = async (leaf: Leaf) => {
    const { buffer, buffered } = leaf;
    await writer.write(new Uint8Array(buffer.buffer, 0, TRIANGLE_BYTES * buffered));
    leaf.runs.push(written, buffered);
    leaf.count += buffered;
    leaf.buffer = spare;
    leaf.buffered = 0;
    written += TRIANGLE_BYTES * buffered;
    spare = buffer;
  };
  for await (const batch of stream.batches()) {
    for (let t = 0; t < batch.length; ) {
      t = sortUntilFull(batch, t, tree, origin, leaves);
      for (const leaf of leaves) if (9 * leaf.buffered === leaf.buffer.length) await flush(leaf);
    }
  }
  for (const leaf of leaves) if (leaf.buffered > 0) await flush(leaf);
  await writer.done();
  return leaves;
}

/** Copies triangles from batch[t …) to their leaves until one of these is full; returns where it stopped. */
function sortUntilFull(
  batch: Float32Array | Float64Array,
  t: number,
  { axis, at }: Divider,
  [ox, oy, oz]: Vec3,
  leaves: readonly Leaf[],
): number {
  const inner = axis.length;
  for (; t < batch.length; t += 9) {
    let node = 0;
    while (node < inner) {
      const k = t + axis[node];
      node = 2 * node + (batch[k] + batch[k + 3] + batch[k + 6] < at[node] ? 1 : 2);
    }
    const leaf = leaves[node - inner];
    const { buffer } = leaf;
    const to = 9 * leaf.buffered;
    for (let k = 0; k < 9; k += 3) {
      buffer[to + k] = batch[t + k] - ox;
      buffer[to + k + 1] = batch[t + k + 1] - oy;
      buffer[to + k + 2] = batch[t + k + 2] - oz;
    }
    if (9 * ++leaf.buffered === buffer.length) return t + 9;
  }
  return t;
}

/** Triangles to be read at once. */
interface Chunk {
  readonly count: number;
  /** Where they are in the file, and how many. */
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

/** Reads a chunk back. `corners` has room for the largest one. */
async function gather(chunk: Chunk, file: SpillFile, corners: Float32Array): Promise<void> {
  let at = 0;
  for (let i = 0; i < chunk.runs.length; i += 2) {
    const bytes = TRIANGLE_BYTES * chunk.runs[i + 1];
    await file.read(chunk.runs[i], new Uint8Array(corners.buffer, at, bytes));
    at += bytes;
  }
}
