/** Totals of a shape once all its pages are made: its triangle count, and whether they close it. */
import type { MadePage } from './page-task.js';

export class ShapeSums {
  triangles = 0;
  #parity = 0n;

  /** Pieces of one shape must have the same origin. */
  add({ triangles, parity }: MadePage): void {
    this.triangles += triangles;
    this.#parity ^= parity;
  }

  get closed(): boolean {
    return this.#parity === 0n;
  }
}
