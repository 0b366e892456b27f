/** What is known about a shape once all its triangles have been seen: how many there are, and whether they close it. */
import { arena } from '../base/arena.js';
import { kernel } from '../kernel/kernel.js';
import type { Mesh } from '../mesh/mesh.js';

export class ShapeSums {
  triangles = 0;
  #parity = 0n;

  /** Pieces of one shape must have the same origin. */
  add(mesh: Mesh): void {
    const memory = arena();
    this.triangles += mesh.triangleCount;
    const work = memory.alloc(8 + 8 * mesh.vertexCount);
    memory.u64()[work / 8] = this.#parity;
    const { positions, indices } = mesh;
    kernel().edgeParity(
      positions.byteOffset,
      mesh.vertexCount,
      indices.byteOffset,
      mesh.triangleCount,
      work + 8,
      work,
    );
    this.#parity = memory.u64()[work / 8];
    memory.free(work);
  }

  get closed(): boolean {
    return this.#parity === 0n;
  }
}
