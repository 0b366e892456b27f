/** Meshes whose vertices and indices are written by kernels, or read from files, in place. */
import { arena } from 'impinge/internal/base/arena.js';
import { MESH_HEADER_BYTES, MeshHeader } from 'impinge/internal/kernel/layout.generated.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { layOutMesh, meshBytes } from 'impinge/internal/mesh/mesh-layout.js';

/** An unnamed mesh yet to be filled; byte offsets in the arena. */
export class BareMesh {
  readonly positions: number;
  readonly indices: number;
  readonly #block: number;
  readonly #byteLength: number;

  constructor(vertexCount: number, triangleCount: number, origin: Vec3) {
    const memory = arena();
    const block = layOutMesh(memory, { vertexCount, triangleCount, name: '' });
    this.#block = block;
    this.#byteLength = meshBytes(vertexCount, triangleCount);
    this.positions = block + MESH_HEADER_BYTES;
    this.indices = block + memory.u32()[(block >>> 2) + MeshHeader.indices];
    memory.f64().set(origin, (block + 4 * MeshHeader.origin) >>> 3);
  }

  /** The mesh, once it is filled: looked at, and measured. */
  done(): Mesh {
    return Mesh.adopt(this.#block, this.#byteLength);
  }

  /** Instead of `done`. */
  free(): void {
    arena().free(this.#block);
  }
}
