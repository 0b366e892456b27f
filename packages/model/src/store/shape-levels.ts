/** The coarser pieces of one shape: made once all its exact pieces are written, and written like these. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { Triangles } from '../levels/cluster.js';
import type { Errors, SimplifiedGroup } from '../levels/group-task.js';
import { LevelsMaker, type LevelsWork } from '../levels/make-levels.js';
import type { DirectoryColumns } from './directory-columns.js';
import { NONE } from './layout.js';

export class ShapeLevels {
  readonly #directory: DirectoryColumns;
  readonly #writePage: (mesh: Mesh, level: number) => Promise<void>;
  readonly #maker: LevelsMaker;
  #origin: Vec3 = [0, 0, 0];

  constructor(
    directory: DirectoryColumns,
    work: Omit<LevelsWork, 'take'>,
    writePage: (mesh: Mesh, level: number) => Promise<void>,
  ) {
    this.#directory = directory;
    this.#writePage = writePage;
    this.#maker = new LevelsMaker({ ...work, take: (...group) => this.#take(...group) });
  }

  /** Takes in an exact piece before it is written. All pieces of a shape have one origin. */
  async add(piece: number, mesh: Mesh): Promise<void> {
    this.#origin = mesh.origin;
    this.#directory.addLevel(mesh, 0, NONE, 0, 0);
    await this.#maker.add(piece, mesh);
  }

  /** Makes and writes the coarser levels. */
  write(): Promise<void> {
    return this.#maker.make();
  }

  dispose(): Promise<void> {
    return this.#maker.dispose();
  }

  async #take(
    steps: number,
    most: number,
    from: readonly number[],
    { between, end }: SimplifiedGroup,
  ): Promise<number[]> {
    const group = this.#directory.newGroup();
    let before = from;
    for (const [i, step] of between.entries()) {
      this.#directory.pass(before, group, errorOf(step));
      before = [await this.#writePiece(step, steps + 1 + i, group, step)];
    }
    this.#directory.pass(before, group, errorOf(end));
    const ends: number[] = [];
    for (const cluster of end.clusters) ends.push(await this.#writePiece(cluster, steps + most, group, end));
    return ends;
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
      await this.#writePage(mesh, level);
    } finally {
      mesh.dispose();
    }
    return number;
  }
}

function errorOf({ out, in: inward }: Errors): number {
  return out + inward;
}
