/** Which of many obstacles, which stand still, are near a box: of a building, few are. */
import { MovingBoxes } from 'impinge/internal/scene/moving-boxes.js';
import type { Obstacle } from './obstacles.js';

/** Fewer are compared one by one. */
const FEW = 8;

/** Of obstacles, or of whatever has one. */
export class NearObstacles<T extends { readonly obstacle: Obstacle }> {
  readonly #all: readonly T[];
  readonly #tree: MovingBoxes | undefined;

  constructor(all: readonly T[]) {
    this.#all = all;
    if (all.length < FEW) return;
    const boxes = new Float64Array(6 * all.length);
    const tree = (this.#tree = new MovingBoxes(() => boxes));
    for (const [i, { obstacle }] of all.entries()) {
      boxes.set(obstacle.box, 6 * i);
      tree.touch(i);
    }
  }

  /** All whose boxes are within a distance of a box along every axis, and maybe others; in their order. */
  within(box: Float64Array, distance: number): readonly T[] {
    if (!this.#tree) return this.#all;
    const near: number[] = [];
    this.#tree.forEachNear(box, 0, distance, (i) => near.push(i));
    return near.sort((a, b) => a - b).map((i) => this.#all[i]);
  }

  /** The same for the box around many, which are only asked for where it matters. */
  withinBoxes(each: (visit: (box: Float64Array) => void) => void, distance: number): readonly T[] {
    if (!this.#tree) return this.#all;
    const around = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    each((box) => {
      for (let k = 0; k < 3; k++) {
        around[k] = Math.min(around[k], box[k]);
        around[3 + k] = Math.max(around[3 + k], box[3 + k]);
      }
    });
    return this.within(around, distance);
  }
}
