/**
 * An upper bound on the distance of triangles from a mesh, as kernels/levels/cover.ts finds it for levels.
 *
 * The mesh is laid out as a group's finest one; the queried triangles take the slots of their `near` triangles in the
 * group's current mesh.
 */
import { GroupBlock } from './group-block.js';
import { levelsKernels } from './kernels.generated.js';
import { G } from './layout.generated.js';

export class MeshDeviation {
  readonly #block: GroupBlock;
  readonly #vertices: number;

  /** From triangles (three vertices each); `most`: maximum number of vertices per query. */
  constructor(positions: Float32Array, indices: Uint32Array, most: number) {
    const count = indices.length / 3;
    this.#vertices = positions.length / 3;
    const nothing = new Float32Array(count);
    const locked = new Uint8Array(this.#vertices);
    this.#block = new GroupBlock({ positions, indices, locked, out: nothing, in: nothing }, most);
    const kernel = levelsKernels.kernels();
    kernel.linkCorners(this.#block.at);
    kernel.joinFinest(this.#block.at);
  }

  /** Sets the vertices of the next query. */
  place(points: ArrayLike<number>): void {
    this.#block.floats(G.positions, 3 * this.#vertices + points.length).set(points, 3 * this.#vertices);
  }

  /**
   * No point of the triangles (three of the vertices placed each) is farther. `near`: a triangle of the mesh for each
   * to begin at, no two the same; `enough`: a bound that need not be any better.
   */
  of(triangles: ArrayLike<number>, near: ArrayLike<number>, enough = 0): number {
    const block = this.#block;
    const corners = block.words(G.coarse, 3 * block.triangleCount);
    const list = block.words(G.list, block.triangleCount);
    for (let i = 0; i < near.length; i++) {
      list[i] = near[i];
      for (let k = 0; k < 3; k++) corners[3 * near[i] + k] = this.#vertices + triangles[3 * i + k];
    }
    block.setWord(G.alive, near.length);
    return levelsKernels.kernels().coverCurrent(block.at, enough);
  }

  dispose(): void {
    this.#block.dispose();
  }
}
