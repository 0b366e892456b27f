/**
 * The second pass over a shape that does not fit into memory: sends every triangle to its leaf of a k-d tree.
 *
 * Layout, in the arena: a buffer per leaf and one to spare, nine float32 per triangle; a table for the kernel, of the
 * nodes of the tree and of the leaves, with the address and triangle count of each buffer. A full buffer goes to the
 * file, and its leaf continues with the spare one.
 */
import { arena } from 'impinge/internal/base/arena.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { bytesToWrite } from './arena-bytes.js';
import { type CornerPart, cornerParts } from './corner-parts.js';
import type { Divider } from './divider.js';
import { piecesKernels } from './kernels.generated.js';
import type { ShapeStream } from './source.js';
import type { SpillFile } from './spill.js';
import { WriteBehind } from './write-behind.js';

/** Corners of a triangle as they are kept: nine float32. */
export const TRIANGLE_BYTES = 36;
/** The kernel's record of a node. */
const NODE_BYTES = 16;

export interface Leaf {
  count: number;
  /** File positions of its full buffers, with their triangle counts. */
  readonly runs: number[];
}

export interface SortOptions {
  readonly tree: Divider;
  /** Subtracted from all coordinates. */
  readonly origin: Vec3;
  readonly bufferTriangles: number;
  /** The shape's name in errors. */
  readonly label: string;
}

/** Sorts all triangles into `file`. */
export async function sortIntoLeaves(
  stream: ShapeStream,
  file: SpillFile,
  options: SortOptions,
): Promise<Leaf[]> {
  const sorter = new LeafSorter(file, options);
  try {
    for await (const part of cornerParts(stream, options.label)) await sorter.add(part);
    return await sorter.done();
  } finally {
    await sorter.dispose();
  }
}

class LeafSorter {
  readonly #tree: Divider;
  readonly #origin: Vec3;
  readonly #most: number;
  readonly #writer: WriteBehind;
  readonly #nodes: number;
  readonly #table: number;
  readonly #buffers: number;
  readonly #leaves: Leaf[];
  #spare: number;
  #written = 0;

  constructor(file: SpillFile, { tree, origin, bufferTriangles }: SortOptions) {
    const { axis, at, leafCount } = tree;
    const bufferBytes = TRIANGLE_BYTES * bufferTriangles;
    const memory = arena();
    this.#tree = tree;
    this.#origin = origin;
    this.#most = bufferTriangles;
    this.#writer = new WriteBehind(file);
    this.#leaves = Array.from({ length: leafCount }, () => ({ count: 0, runs: [] }));
    this.#buffers = memory.alloc(bufferBytes * (leafCount + 1));
    this.#spare = this.#buffers + bufferBytes * leafCount;
    this.#nodes = memory.alloc(NODE_BYTES * axis.length + 8 * leafCount);
    this.#table = this.#nodes + NODE_BYTES * axis.length;
    axis.forEach((axis, node) => {
      memory.f64()[(this.#nodes + NODE_BYTES * node) >>> 3] = at[node];
      memory.u32()[(this.#nodes + NODE_BYTES * node + 8) >>> 2] = axis;
    });
    const words = memory.u32();
    for (let leaf = 0; leaf < leafCount; leaf++) {
      words[(this.#table >>> 2) + 2 * leaf] = this.#buffers + bufferBytes * leaf;
      words[(this.#table >>> 2) + 2 * leaf + 1] = 0;
    }
  }

  async add({ corners, at }: CornerPart): Promise<void> {
    if (at === undefined || this.#origin.some((x) => x !== 0)) {
      for (let t = 0; t < corners.length; ) {
        t = this.#sortWide(corners, t);
        await this.#flush(this.#most);
      }
      return;
    }
    const inner = this.#tree.axis.length;
    const count = corners.length / 9;
    const { sortCorners } = piecesKernels.kernels();
    for (let t = 0; t < count; ) {
      t = sortCorners(at, t, count, this.#nodes, inner, this.#table, this.#most);
      await this.#flush(this.#most);
    }
  }

  /** The leaves, when everything is in the file. */
  async done(): Promise<Leaf[]> {
    await this.#flush(1);
    await this.#writer.done();
    return this.#leaves;
  }

  async dispose(): Promise<void> {
    // a write may be under way; a failed one no longer matters
    await this.#writer.done().catch(() => {});
    arena().free(this.#buffers);
    arena().free(this.#nodes);
  }

  /** The kernel's job for numbers of any precision; from batch[t …) on. */
  #sortWide(batch: Float32Array | Float64Array, t: number): number {
    const { axis, at } = this.#tree;
    const [ox, oy, oz] = this.#origin;
    const inner = axis.length;
    const words = arena().u32();
    const numbers = arena().f32();
    for (; t < batch.length; t += 9) {
      let node = 0;
      while (node < inner) {
        const k = t + axis[node];
        node = 2 * node + (batch[k] + batch[k + 3] + batch[k + 6] < at[node] ? 1 : 2);
      }
      const entry = (this.#table >>> 2) + 2 * (node - inner);
      const to = (words[entry] >>> 2) + 9 * words[entry + 1]++;
      for (let k = 0; k < 9; k += 3) {
        numbers[to + k] = batch[t + k] - ox;
        numbers[to + k + 1] = batch[t + k + 1] - oy;
        numbers[to + k + 2] = batch[t + k + 2] - oz;
      }
      if (words[entry + 1] === this.#most) return t + 9;
    }
    return t;
  }

  /** Writes the buffers of leaves that hold at least `least` triangles. */
  async #flush(least: number): Promise<void> {
    for (const [i, leaf] of this.#leaves.entries()) {
      const entry = (this.#table >>> 2) + 2 * i;
      const [buffer, buffered] = arena()
        .u32()
        .subarray(entry, entry + 2);
      if (buffered < least) continue;
      const byteLength = TRIANGLE_BYTES * buffered;
      await this.#writer.write(bytesToWrite(buffer, byteLength));
      leaf.runs.push(this.#written, buffered);
      leaf.count += buffered;
      this.#written += byteLength;
      arena().u32().set([this.#spare, 0], entry);
      this.#spare = buffer;
    }
  }
}
