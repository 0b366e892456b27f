/**
 * Surfaces of four-sided cells, each divided along the diagonal that bulges outwards.
 *
 * Four corners in float32 hardly ever lie in one plane. Of the two diagonals one makes a ridge of the cell and the
 * other a groove; the ridge keeps a cell of a hollow side one convex piece.
 */
import type { SceneMesh } from '../deform/scene-mesh.js';

export class CellSurface {
  readonly #positions: number[] = [];
  readonly #indices: number[] = [];

  /** Adds a vertex and returns its number. */
  vertex(x: number, y: number, z: number): number {
    this.#positions.push(Math.fround(x), Math.fround(y), Math.fround(z));
    return this.#positions.length / 3 - 1;
  }

  triangle(a: number, b: number, c: number): void {
    this.#indices.push(a, b, c);
  }

  /** A cell with corners counter-clockwise from outside. */
  cell(a: number, b: number, c: number, d: number): void {
    if (this.#isAbove(d, a, b, c)) this.#indices.push(a, b, d, b, c, d);
    else this.#indices.push(a, b, c, a, c, d);
  }

  /** Cells between two closed rings of the same length; `to` lies behind `from` where the ring turns left. */
  belt(from: readonly number[], to: readonly number[], wanted: (i: number) => boolean = () => true): void {
    for (let i = 0; i < from.length; i++) {
      const next = (i + 1) % from.length;
      if (wanted(i)) this.cell(from[i], to[i], to[next], from[next]);
    }
  }

  /** A fan from a point in front of the ring or behind it. */
  fan(tip: number, ring: readonly number[], before: boolean): void {
    for (let i = 0; i < ring.length; i++) {
      const next = (i + 1) % ring.length;
      if (before) this.triangle(tip, ring[i], ring[next]);
      else this.triangle(tip, ring[next], ring[i]);
    }
  }

  mesh(name: string): SceneMesh {
    return {
      name,
      positions: Float32Array.from(this.#positions),
      indices: Uint32Array.from(this.#indices),
    };
  }

  #isAbove(d: number, a: number, b: number, c: number): boolean {
    const p = this.#positions;
    const edge = (v: number, k: number): number => p[3 * v + k] - p[3 * a + k];
    const normal = (k: number, l: number): number => edge(b, k) * edge(c, l) - edge(b, l) * edge(c, k);
    return normal(1, 2) * edge(d, 0) + normal(2, 0) * edge(d, 1) + normal(0, 1) * edge(d, 2) > 0;
  }
}
