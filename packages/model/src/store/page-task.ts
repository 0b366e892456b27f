/**
 * Makes the page of a piece: its mesh and the top of its tree. One kernel call makes it, on this thread or another,
 * without allocating.
 *
 * Layout: words for the kernel (kernels/pieces/page.ts): the addresses of mesh and tree, the size that stays pending,
 * room for records and for work, the page; then the results: whether there was room, the hashes of edges, two
 * checksums.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { layOutTop, RANGE_BYTES, TREELET } from 'impinge/internal/hierarchy/build-obb.js';
import { HierarchyHeader, MOMENT_BYTES, RECORD_BYTES } from 'impinge/internal/kernel/layout.generated.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { align16 } from 'impinge/internal/mesh/mesh-layout.js';
import { piecesKernels } from './kernels.generated.js';
import { TASK_BYTES, Task } from './layout.generated.js';
import { joinChecksums } from './page-hash.js';
import { meshPartBytes, treePartBytes } from './page-layout.js';

/** Of a vertex. */
const HASH_BYTES = 8;

export interface MadePage {
  readonly vertices: number;
  readonly triangles: number;
  readonly blocks: number;
  readonly pending: number;
  readonly checksum: number;
  /** The hashes of all edges: their exclusive or over all pieces shows whether the surface is closed. */
  readonly parity: bigint;
  /** Address in the arena and byte length. */
  readonly at: number;
  readonly byteLength: number;
}

export class PageTask {
  /** For the kernel. */
  block!: number;
  readonly #piece: Mesh;
  readonly #isOwned: boolean;
  #tree!: number;
  #page!: number;

  /** `isOwned`: the piece is disposed of with the task. */
  constructor(piece: Mesh, isOwned: boolean) {
    this.#piece = piece;
    this.#isOwned = isOwned;
    this.#layOut(0);
  }

  get triangleCount(): number {
    return this.#piece.triangleCount;
  }

  /**
   * The finished page; if the tree had too little room, it is made here, with more. The bytes are valid until
   * `dispose()`.
   */
  result(): MadePage {
    for (let tries = 1; arena().u32()[(this.block >>> 2) + Task.made] === 0; tries++) {
      this.#free();
      this.#layOut(tries);
      makeHere([this]);
    }
    const { vertexCount: vertices, triangleCount: triangles } = this.#piece;
    const words = arena().u32();
    const task = this.block >>> 2;
    const blocks = words[(this.#tree >>> 2) + HierarchyHeader.blockCount];
    const pending = words[(this.#tree >>> 2) + HierarchyHeader.pendingCount];
    const checksum = joinChecksums(words[task + Task.checksums], words[task + Task.checksums + 1]);
    const parity = arena().u64()[(task + Task.parity) / 2];
    const byteLength = meshPartBytes(vertices, triangles) + treePartBytes(blocks, pending);
    return { vertices, triangles, blocks, pending, checksum, parity, at: this.#page, byteLength };
  }

  dispose(): void {
    this.#free();
    if (this.#isOwned) this.#piece.dispose();
  }

  #layOut(tries: number): void {
    const memory = arena();
    const { block: mesh, vertexCount, triangleCount } = this.#piece;
    // a small tree is complete: it is read as a whole anyway
    const treelet = triangleCount > TREELET ? TREELET : 0;
    const tree = layOutTop(triangleCount, 'sah', treelet, tries);
    const blocks = memory.u32()[(tree >>> 2) + HierarchyHeader.blockCapacity];
    const pending = memory.u32()[(tree >>> 2) + HierarchyHeader.pendingCapacity];
    // hashes of vertices lie there, too, and a shape may have vertices that no triangle uses
    const recordBytes = align16(Math.max(RECORD_BYTES * triangleCount, HASH_BYTES * vertexCount));
    const block = memory.alloc(TASK_BYTES + recordBytes + (MOMENT_BYTES + RANGE_BYTES) * blocks);
    const page = memory.alloc(meshPartBytes(vertexCount, triangleCount) + treePartBytes(blocks, pending));
    const records = block + TASK_BYTES;
    const words = memory.u32();
    words.fill(0, block >>> 2, records >>> 2);
    words.set([mesh, tree, treelet, records, records + recordBytes, page], block >>> 2);
    this.block = block;
    this.#tree = tree;
    this.#page = page;
  }

  #free(): void {
    for (const block of [this.block, this.#tree, this.#page]) arena().free(block);
  }
}

/** Where the kernel finds its tasks: their addresses. To be freed. */
export function taskList(tasks: readonly PageTask[]): number {
  const list = arena().alloc(4 * (tasks.length + 1));
  arena()
    .u32()
    .set(
      tasks.map(({ block }) => block),
      list >>> 2,
    );
  return list;
}

/** Makes pages on this thread. */
export function makeHere(tasks: readonly PageTask[]): void {
  const list = taskList(tasks);
  // the word after the list receives the completion flag
  piecesKernels.kernels().makePages(list, tasks.length, list + 4 * tasks.length);
  arena().free(list);
}
