/**
 * Which seams of a cut solid belong to which of its parts.
 *
 * Cells of the solid meet at common vertices or not at all. A seam belongs to a part if all pieces at its vertices do,
 * and none of the seams at its vertices can belong to another: so no two parts have a vertex in common.
 */
import type { Fracture } from './shatter.js';

export class Seams {
  readonly #pieceCount: number;
  /** For each seam, the pieces and the seams that have a vertex in common with it. */
  readonly #pieces: readonly ReadonlySet<number>[];
  readonly #seams: readonly ReadonlySet<number>[];

  constructor({ sides, indices, positions, pieceCount, cellCount }: Fracture) {
    const cellsAt = Array.from({ length: positions.length / 3 }, () => new Set<number>());
    indices.forEach((vertex, i) => {
      const t = Math.floor(i / 3);
      for (const cell of [sides[2 * t], sides[2 * t + 1]]) if (cell >= 0) cellsAt[vertex].add(cell);
    });
    const count = cellCount - pieceCount;
    const pieces = Array.from({ length: count }, () => new Set<number>());
    const seams = Array.from({ length: count }, () => new Set<number>());
    for (const cells of cellsAt) {
      for (const cell of cells) {
        if (cell < pieceCount) continue;
        for (const other of cells) {
          if (other < pieceCount) pieces[cell - pieceCount].add(other);
          else seams[cell - pieceCount].add(other - pieceCount);
        }
      }
    }
    this.#pieceCount = pieceCount;
    this.#pieces = pieces;
    this.#seams = seams;
  }

  /** The seams, by their numbers as cells, that go with the part of these pieces. */
  within(part: ReadonlySet<number>): number[] {
    const inside = (seam: number) => [...this.#pieces[seam]].every((piece) => part.has(piece));
    const elsewhere = (seam: number) =>
      this.#pieces[seam].size > 0 && ![...this.#pieces[seam]].some((piece) => part.has(piece));
    return this.#pieces.flatMap((pieces, seam) =>
      pieces.size > 0 && inside(seam) && ![...this.#seams[seam]].some(elsewhere)
        ? [this.#pieceCount + seam]
        : [],
    );
  }
}
