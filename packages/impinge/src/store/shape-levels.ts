/** The coarser pieces of one shape: made once all its exact pieces are written, and written like these. */

import type { Triangles } from '../levels/cluster.js';
import { exactPiece, makeLevels, type Ungrouped } from '../levels/make-levels.js';
import type { Errors } from '../levels/simplify-group.js';
import type { Vec3 } from '../math/pose.js';
import { Mesh } from '../mesh/mesh.js';
import type { DirectoryColumns } from './directory-columns.js';
import { NONE } from './layout.js';

export class ShapeLevels {
  readonly #directory: DirectoryColumns;
  readonly #writePage: (mesh: Mesh) => Promise<void>;
  readonly #exact: Ungrouped[] = [];
  #origin: Vec3 = [0, 0, 0];

  constructor(directory: DirectoryColumns, writePage: (mesh: Mesh) => Promise<void>) {
    this.#directory = directory;
    this.#writePage = writePage;
  }

  /** Takes in an exact piece before it is written. All pieces of a shape have one origin. */
  add(piece: number, mesh: Mesh): void {
    this.#origin = mesh.origin;
    this.#directory.addLevel(mesh, 0, NONE, 0, 0);
    this.#exact.push(exactPiece(piece, mesh));
  }

  /** Makes and writes what is coarser. */
  async write(): Promise<void> {
    const directory = this.#directory;
    await makeLevels(this.#exact, async (level, from, { half, end }) => {
      const group = directory.newGroup();
      const error = (step: Errors) => step.out + step.in;
      directory.pass(from, group, error(half ?? end));
      if (half) {
        const piece = await this.#writePiece(half, 2 * level + 1, group, half);
        directory.pass([piece], group, error(end));
      }
      const ends: number[] = [];
      for (const cluster of end.clusters) {
        ends.push(await this.#writePiece(cluster, 2 * level + 2, group, end));
      }
      return ends;
    });
  }

  async #writePiece(
    { positions, indices }: Triangles,
    level: number,
    group: number,
    { out, in: inward }: Errors,
  ): Promise<number> {
    const number = this.#directory.pieceCount;
    const shape = {
      vertexCount: positions.length / 3,
      triangleCount: indices.length / 3,
      origin: this.#origin,
      name: '',
    };
    const mesh = Mesh.layOut(shape, (places, corners) => {
      places.set(positions);
      corners.set(indices);
    });
    try {
      this.#directory.addLevel(mesh, level, group, out, inward);
      await this.#writePage(mesh);
    } finally {
      mesh.dispose();
    }
    return number;
  }
}
