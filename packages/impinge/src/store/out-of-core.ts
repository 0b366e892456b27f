/**
 * A shape too large for memory, made into meshes that are not: neighbouring triangles together.
 *
 * Idea: three passes. The first finds the box and takes a sample of triangle centres, from which a k-d tree with one
 * leaf per chunk is made. The second sends every triangle to the file of its leaf. The third reads leaf after leaf and
 * joins equal corners. Memory: the sample, a small buffer per leaf, one chunk.
 */
import { ImpingeError } from '../base/errors.js';
import type { Vec3 } from '../math/pose.js';
import { chooseOrigin, Mesh } from '../mesh/mesh.js';
import type { ShapeStream } from './source.js';

/** Room outside memory: written once, front to back, then read anywhere. */
export interface SpillFile {
  write(bytes: Uint8Array): Promise<void>;
  read(at: number, into: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface Spill {
  /** About how many triangles may be in memory at once; each takes some 150 bytes. */
  readonly triangles: number;
  open(): Promise<SpillFile>;
}

const SAMPLES = 1 << 16;
/** Corners of a triangle as they are kept: nine float32. */
const TRIANGLE_BYTES = 36;
const BUFFER_TRIANGLES = 512;

/** Yields the shape as meshes with a common origin; each corner is where float32 about that origin puts it. */
export async function* chunksOf(stream: ShapeStream, spill: Spill, label: string): AsyncGenerator<Mesh> {
  const { origin, sample, count } = await survey(stream, label);
  const tree = divide(sample, Math.ceil(count / spill.triangles));
  const file = await spill.open();
  try {
    const leaves = await distribute(stream, tree, origin, file, label);
    for (const leaf of leaves) {
      if (leaf.count > 0) yield await gather(leaf, file, origin);
    }
  } finally {
    await file.close();
  }
}

interface Survey {
  readonly origin: Vec3;
  readonly count: number;
  /** Centres (times three): x, y, z. */
  readonly sample: Float32Array;
}

async function survey(stream: ShapeStream, label: string): Promise<Survey> {
  const step = Math.max(1, Math.floor(stream.triangleCount / SAMPLES));
  const sample: number[] = [];
  const corners = new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3);
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
    for (let i = 0; i < batch.length; i++) {
      const x = batch[i];
      const k = i % 3;
      if (!Number.isFinite(x)) {
        const triangle = count + Math.floor(i / 9);
        throw new ImpingeError(
          'non-finite',
          `object "${label}": triangle ${triangle} has ${'xyz'[k]} = ${x}`,
          {
            object: label,
            triangle,
          },
        );
      }
      if (x < corners[k]) corners[k] = x;
      if (x > corners[3 + k]) corners[3 + k] = x;
    }
    const triangles = batch.length / 9;
    for (let t = (step - (count % step)) % step; t < triangles; t += step) {
      // twice the estimate at most, should the stream be longer than it said
      if (sample.length > 6 * SAMPLES) break;
      for (let k = 9 * t; k < 9 * t + 3; k++) sample.push(batch[k] + batch[k + 3] + batch[k + 6]);
    }
    count += triangles;
  }
  if (count === 0)
    throw new ImpingeError('empty-mesh', `object "${label}" has no triangles`, { object: label });
  const source = { positions: corners, stride: 3, offset: 0, vertexCount: 2, name: label };
  return { origin: single ? [0, 0, 0] : chooseOrigin(source), count, sample: Float32Array.from(sample) };
}

/** A k-d tree with one leaf per chunk. Node i has children 2i + 1 and 2i + 2; those past the end are leaves. */
interface Divider {
  readonly axis: Uint8Array;
  readonly at: Float64Array;
  readonly leafCount: number;
}

function divide(sample: Float32Array, wanted: number): Divider {
  const levels = Math.ceil(Math.log2(Math.max(1, wanted)));
  const leafCount = 2 ** levels;
  const axis = new Uint8Array(leafCount - 1);
  const at = new Float64Array(leafCount - 1);
  let groups: Uint32Array[] = [Uint32Array.from({ length: sample.length / 3 }, (_, i) => i)];
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
  /** Where its full buffers went. */
  readonly runs: number[];
  readonly buffer: Float32Array;
  buffered: number;
}

async function distribute(
  stream: ShapeStream,
  tree: Divider,
  origin: Vec3,
  file: SpillFile,
  label: string,
): Promise<Leaf[]> {
  const leaves = Array.from(
    { length: tree.leafCount },
    (): Leaf => ({ count: 0, runs: [], buffer: new Float32Array(9 * BUFFER_TRIANGLES), buffered: 0 }),
  );
  let written = 0;
  const flush = async (leaf: Leaf) => {
    leaf.runs.push(written, leaf.buffered);
    const bytes = new Uint8Array(leaf.buffer.buffer, 0, TRIANGLE_BYTES * leaf.buffered);
    await file.write(bytes);
    written += bytes.length;
    leaf.buffered = 0;
  };
  for await (const batch of stream.batches()) {
    for (let t = 0; t < batch.length; t += 9) {
      let node = 0;
      while (node < tree.axis.length) {
        const k = t + tree.axis[node];
        node = 2 * node + (batch[k] + batch[k + 3] + batch[k + 6] < tree.at[node] ? 1 : 2);
      }
      const leaf = leaves[node - tree.axis.length];
      const to = 9 * leaf.buffered;
      for (let k = 0; k < 9; k++) {
        const x = Math.fround(batch[t + k] - origin[k % 3]);
        if (!Number.isFinite(x)) {
          throw new ImpingeError('non-finite', `object "${label}": ${batch[t + k]} is too large for float32`);
        }
        leaf.buffer[to + k] = x;
      }
      leaf.count++;
      if (++leaf.buffered === BUFFER_TRIANGLES) await flush(leaf);
    }
  }
  for (const leaf of leaves) if (leaf.buffered > 0) await flush(leaf);
  return leaves;
}

async function gather(leaf: Leaf, file: SpillFile, origin: Vec3): Promise<Mesh> {
  const corners = new Float32Array(9 * leaf.count);
  let at = 0;
  for (let i = 0; i < leaf.runs.length; i += 2) {
    const bytes = TRIANGLE_BYTES * leaf.runs[i + 1];
    await file.read(leaf.runs[i], new Uint8Array(corners.buffer, at, bytes));
    at += bytes;
  }
  const { positions, indices } = weld(corners);
  const shape = { vertexCount: positions.length / 3, triangleCount: leaf.count, origin, name: '' };
  return Mesh.layOut(shape, (positionsOut, indicesOut) => {
    positionsOut.set(positions);
    indicesOut.set(indices);
  });
}

/** Joins corners at equal positions; −0 equals 0. */
function weld(corners: Float32Array): { positions: Float32Array; indices: Uint32Array } {
  const count = corners.length / 3;
  const positions = new Float32Array(corners.length);
  const indices = new Uint32Array(count);
  const words = new Uint32Array(positions.buffer);
  const table = new Int32Array(2 ** Math.ceil(Math.log2(count + 1))).fill(-1);
  const mask = table.length - 1;
  let vertices = 0;
  for (let i = 0; i < count; i++) {
    const o = 3 * vertices;
    for (let k = 0; k < 3; k++) positions[o + k] = corners[3 * i + k] + 0;
    let hash = Math.imul(words[o] ^ Math.imul(words[o + 1], 0x85ebca6b), 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ Math.imul(words[o + 2], 0xc2b2ae35), 0x27d4eb2f);
    let slot = (hash ^ (hash >>> 13)) & mask;
    while (table[slot] >= 0) {
      const v = 3 * table[slot];
      if (words[v] === words[o] && words[v + 1] === words[o + 1] && words[v + 2] === words[o + 2]) break;
      slot = (slot + 1) & mask;
    }
    if (table[slot] < 0) table[slot] = vertices++;
    indices[i] = table[slot];
  }
  return { positions: positions.subarray(0, 3 * vertices), indices };
}
