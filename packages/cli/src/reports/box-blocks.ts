/**
 * Finds the boxes that intersect a given one. Neighbours in the list are often neighbours in space, so boxes are
 * grouped in blocks, and a block is searched only if its bounding box intersects.
 *
 * Layout: six numbers per box, min and max.
 */
const BLOCK = 16;

export class BoxBlocks {
  readonly #boxes: Float64Array;
  /** The bounding box of each block. */
  readonly #around: Float64Array;

  constructor(boxes: Float64Array) {
    this.#boxes = boxes;
    this.#around = new Float64Array(6 * Math.ceil(boxes.length / (6 * BLOCK)));
    for (let i = 0; i < boxes.length; i++) {
      const at = 6 * Math.floor(i / (6 * BLOCK)) + (i % 6);
      const isFirst = i % (6 * BLOCK) < 6;
      const widens = i % 6 < 3 ? boxes[i] < this.#around[at] : boxes[i] > this.#around[at];
      if (isFirst || widens) this.#around[at] = boxes[i];
    }
  }

  /** Their indices, ascending. */
  meeting(asked: Float64Array): number[] {
    const found: number[] = [];
    const count = this.#boxes.length / 6;
    for (let block = 0; 6 * block < this.#around.length; block++) {
      if (!boxesMeet(this.#around, 6 * block, asked)) continue;
      const end = Math.min(count, BLOCK * (block + 1));
      for (let i = BLOCK * block; i < end; i++) if (boxesMeet(this.#boxes, 6 * i, asked)) found.push(i);
    }
    return found;
  }
}

/** Whether the box at `boxes[at ..]` intersects `asked`. */
export function boxesMeet(boxes: Float64Array, at: number, asked: Float64Array): boolean {
  for (let k = 0; k < 3; k++) {
    if (boxes[at + k] > asked[3 + k] || boxes[at + 3 + k] < asked[k]) return false;
  }
  return true;
}
