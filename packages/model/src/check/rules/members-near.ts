/** The members of a set that come within a distance of a box, by their boxes. */
import { gapSqOfBoxes } from 'impinge/internal/query/pair/box-gap.js';
import { BoxTree } from '../../store/box-tree.js';

export class MembersNear {
  readonly #boxes: Float64Array;
  readonly #members: readonly number[];
  readonly #tree: BoxTree;
  readonly #limitSq: number;

  /** `boxes` has six numbers for each object, `members` a 1 for those of the set. */
  constructor(boxes: Float64Array, members: Uint8Array, distance: number) {
    this.#boxes = boxes;
    this.#members = [...members.keys()].filter((object) => members[object] === 1);
    this.#tree = new BoxTree(boxes.filter((_, i) => members[Math.floor(i / 6)] === 1));
    this.#limitSq = distance * distance;
  }

  /** The members near an object, itself included if it is one. */
  of(object: number): number[] {
    const found: number[] = [];
    this.#tree.some(
      (around, at) => gapSqOfBoxes(around, at, this.#boxes, 6 * object) <= this.#limitSq,
      (member) => {
        found.push(this.#members[member]);
        return false;
      },
    );
    return found;
  }
}
