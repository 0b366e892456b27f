/** A group as the kernels see it: a header of words and the arrays it points to (see kernels/levels/layout.ts). */
import { arena } from 'impinge/internal/base/arena.js';
import { MeshHeader } from 'impinge/internal/kernel/layout.generated.js';
import type { Finer } from './cluster.js';
import { levelsKernels } from './kernels.generated.js';
import { G, G_HEADER_BYTES, LINKS_PER_TRIANGLE, QUADRIC_BYTES } from './layout.generated.js';

/** Relative rounding of coordinates while triangles are cut: 144 cuts, three roundings each, doubled. */
const BLUR = 1e-13;

export interface GroupInput {
  /** Vertices and triangles of the finest mesh. */
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** Which vertices may not move. */
  readonly locked: Uint8Array;
  readonly out: Float32Array;
  readonly in: Float32Array;
  /** What the finest mesh was simplified from, if that is known. */
  readonly finer?: Finer | undefined;
}

/** Lays a group out in memory. Dispose of it. */
export class GroupBlock {
  readonly at: number;
  readonly vertexCount: number;
  readonly triangleCount: number;

  /** `more`: minimum room for additional vertices. */
  constructor({ positions, indices, locked, out, in: inward, finer }: GroupInput, more = 0) {
    const vertices = positions.length / 3;
    const triangles = indices.length / 3;
    this.vertexCount = vertices;
    this.triangleCount = triangles;
    const most = vertices + Math.max(vertices, more); // a collapse makes one of two
    const kernel = levelsKernels.kernels();
    const boxes = kernel.boxBytes(triangles);
    const finerVertices = (finer?.positions.length ?? 0) / 3;
    const finerTriangles = (finer?.indices.length ?? 0) / 3;
    const sizes: [number, number][] = [
      [G.positions, 12 * (most + finerVertices)],
      [G.fine, 12 * triangles],
      [G.coarse, 12 * triangles],
      [G.death, 4 * triangles],
      [G.parent, 4 * most],
      [G.gone, 4 * most],
      [G.flags, most],
      [G.quadrics, QUADRIC_BYTES * most],
      [G.head, 4 * most],
      [G.next, 12 * triangles],
      [G.cost, 8 * most],
      [G.partner, 4 * most],
      [G.heap, 4 * most],
      [G.place, 4 * most],
      [G.marks, 4 * most],
      [G.fineNear, 12 * triangles],
      [G.coarseNear, 12 * triangles],
      [G.fineOut, 4 * triangles],
      [G.fineIn, 4 * triangles],
      [G.coarseOut, 4 * triangles],
      [G.coarseIn, 4 * triangles],
      [G.list, 4 * triangles],
      [G.seen, 4 * Math.max(triangles, finerTriangles)],
      [G.first, 4 * most],
      [G.last, 4 * most],
      [G.following, 4 * vertices],
      [G.fineList, 4 * triangles],
      [G.coarseBoxes, boxes],
      [G.fineBoxes, boxes],
      [G.links, 8 * LINKS_PER_TRIANGLE * triangles],
      [G.linksLast, 4 * triangles],
    ];
    if (finer) {
      sizes.push(
        [G.finer, 12 * finerTriangles],
        [G.finerOut, 4 * finerTriangles],
        [G.finerIn, 4 * finerTriangles],
        [G.finerStarts, 4 * finer.starts.length],
        [G.finerOf, 4 * finer.of.length],
        [G.finerHead, 4 * finerVertices],
        [G.finerNext, 12 * finerTriangles],
        [G.finerDeath, 4 * finerTriangles],
        [G.finerNear, 12 * finerTriangles],
        [G.finerList, 4 * finerTriangles],
        [G.finerBoxes, kernel.boxBytes(finerTriangles)],
        [G.finerTable, 4 * tableSize(finerVertices)],
      );
    }
    const memory = arena();
    const align = (n: number) => Math.ceil(n / 16) * 16;
    this.at = memory.alloc(sizes.reduce((sum, [, bytes]) => sum + align(bytes), G_HEADER_BYTES));
    const words = memory.u32();
    words.fill(0, this.at >>> 2, (this.at + G_HEADER_BYTES) >>> 2);
    let free = this.at + G_HEADER_BYTES;
    for (const [field, bytes] of sizes) {
      words[(this.at + field) >>> 2] = free;
      free += align(bytes);
    }
    words[(this.at + G.triangles) >>> 2] = triangles;
    words[(this.at + G.vertices) >>> 2] = vertices;
    for (const [mesh, corners] of [
      [G.fineMesh, G.fine],
      [G.coarseMesh, G.coarse],
      [G.finerMesh, G.finer],
    ]) {
      words[(this.at + mesh + 4 * MeshHeader.positions) >>> 2] = this.word(G.positions) - this.at - mesh;
      words[(this.at + mesh + 4 * MeshHeader.indices) >>> 2] = this.word(corners) - this.at - mesh;
    }
    memory.f32().set(positions, this.word(G.positions) >>> 2);
    memory.f32().set(out, this.word(G.fineOut) >>> 2);
    memory.f32().set(inward, this.word(G.fineIn) >>> 2);
    words.set(indices, this.word(G.fine) >>> 2);
    words.set(indices, this.word(G.coarse) >>> 2);
    memory.u8().set(locked, this.word(G.flags));
    if (finer) this.#addFiner(finer, most);
    const numbers = memory.f64();
    let far = 0;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i++) {
      const x = positions[i];
      const k = i % 3;
      if (Math.abs(x) > far) far = Math.abs(x);
      if (x < low[k]) low[k] = x;
      if (x > high[k]) high[k] = x;
    }
    numbers[(this.at + G.blur) >>> 3] = BLUR * far;
    for (let k = 0; k < 3; k++) numbers[((this.at + G.centre) >>> 3) + k] = (low[k] + high[k]) / 2;
  }

  #addFiner(finer: Finer, firstVertex: number): void {
    this.setWord(G.finerTriangles, finer.indices.length / 3);
    this.setWord(G.finerVertices, firstVertex);
    this.setWord(G.finerVertexCount, finer.positions.length / 3);
    this.setWord(G.finerTableSize, tableSize(finer.positions.length / 3));
    const memory = arena();
    memory.f32().set(finer.positions, (this.word(G.positions) >>> 2) + 3 * firstVertex);
    memory.f32().set(finer.out, this.word(G.finerOut) >>> 2);
    memory.f32().set(finer.in, this.word(G.finerIn) >>> 2);
    const words = memory.u32();
    words.set(finer.starts, this.word(G.finerStarts) >>> 2);
    words.set(finer.of, this.word(G.finerOf) >>> 2);
    const corners = this.word(G.finer) >>> 2;
    for (let i = 0; i < finer.indices.length; i++) words[corners + i] = firstVertex + finer.indices[i];
  }

  word(field: number): number {
    return arena().u32()[(this.at + field) >>> 2];
  }
  setWord(field: number, value: number): void {
    arena().u32()[(this.at + field) >>> 2] = value;
  }
  words(field: number, count: number): Uint32Array {
    const at = this.word(field) >>> 2;
    return arena()
      .u32()
      .subarray(at, at + count);
  }
  floats(field: number, count: number): Float32Array {
    const at = this.word(field) >>> 2;
    return arena()
      .f32()
      .subarray(at, at + count);
  }

  dispose(): void {
    arena().free(this.at);
  }
}

/** Slots for so many vertices, at most half of them used. */
function tableSize(vertices: number): number {
  return 2 ** Math.ceil(Math.log2(2 * vertices + 2));
}
