/**
 * Which boxes of a changing set meet a box: a binary tree that is built once and then only grows.
 *
 * Layout: node n has children 2 n + 1 and 2 n + 2 of a full tree whose leaves hold up to eight items each, in `#order`.
 * Invariant: a node's box holds those of all items below it. Items that have changed enlarge it; a new tree makes it
 * tight again.
 */

const LEAF = 8;

export class BoxTree {
  /** Six numbers per item: least and greatest coordinates. */
  readonly boxes: Float64Array;
  /** What the last `find` found. */
  readonly found: number[] = [];
  readonly #nodes: Float64Array;
  readonly #order: Int32Array;
  readonly #starts: Int32Array;
  readonly #leafOf: Int32Array;
  readonly #firstLeaf: number;
  readonly #stack: number[] = [];

  /** A tree over the items given, of those that have a box in `boxes`. */
  constructor(boxes: Float64Array, items: Int32Array) {
    this.boxes = boxes;
    this.#order = items.slice();
    let leaves = 1;
    while (leaves * LEAF < items.length) leaves *= 2;
    this.#firstLeaf = leaves - 1;
    this.#nodes = new Float64Array(6 * (2 * leaves - 1));
    this.#starts = new Int32Array(leaves + 1);
    this.#leafOf = new Int32Array(boxes.length / 6).fill(-1);
    this.#split(0, 0, items.length);
    this.#starts[leaves] = items.length;
  }

  #split(node: number, start: number, end: number): void {
    const box = this.#nodes;
    const at = 6 * node;
    for (let k = 0; k < 3; k++) {
      box[at + k] = Infinity;
      box[at + 3 + k] = -Infinity;
    }
    for (let i = start; i < end; i++) this.#include(at, this.#order[i]);
    if (node >= this.#firstLeaf) {
      this.#starts[node - this.#firstLeaf] = start;
      for (let i = start; i < end; i++) this.#leafOf[this.#order[i]] = node;
      return;
    }
    let axis = 0;
    for (let k = 1; k < 3; k++) {
      if (box[at + 3 + k] - box[at + k] > box[at + 3 + axis] - box[at + axis]) axis = k;
    }
    const half = (start + end) >> 1;
    this.#divide(start, end - 1, half, axis);
    this.#split(2 * node + 1, start, half);
    this.#split(2 * node + 2, half, end);
  }

  /** Quickselect: the items before `half` come before those after it, by their middles, then their numbers. */
  #divide(start: number, end: number, half: number, axis: number): void {
    const { boxes } = this;
    const order = this.#order;
    while (start < end) {
      const pivot = order[(start + end) >> 1];
      const key = boxes[6 * pivot + axis] + boxes[6 * pivot + 3 + axis];
      let i = start;
      let j = end;
      while (i <= j) {
        for (; ; i++) {
          const other = boxes[6 * order[i] + axis] + boxes[6 * order[i] + 3 + axis];
          if (!(other < key || (other === key && order[i] < pivot))) break;
        }
        for (; ; j--) {
          const other = boxes[6 * order[j] + axis] + boxes[6 * order[j] + 3 + axis];
          if (!(other > key || (other === key && order[j] > pivot))) break;
        }
        if (i > j) break;
        const item = order[i];
        order[i++] = order[j];
        order[j--] = item;
      }
      if (half <= j) end = j;
      else if (half >= i) start = i;
      else return;
    }
  }

  #include(at: number, item: number): void {
    const { boxes } = this;
    const box = this.#nodes;
    for (let k = 0; k < 3; k++) {
      if (boxes[6 * item + k] < box[at + k]) box[at + k] = boxes[6 * item + k];
      if (boxes[6 * item + 3 + k] > box[at + 3 + k]) box[at + 3 + k] = boxes[6 * item + 3 + k];
    }
  }

  /** To be called when the box of an item has changed. */
  changed(item: number): void {
    let node = this.#leafOf[item];
    for (;;) {
      this.#include(6 * node, item);
      if (node === 0) return;
      node = (node - 1) >> 1;
    }
  }

  /** Puts into `found` every item whose box meets the one at `at` of `box` in more than its border. */
  find(box: Float64Array, at: number): void {
    const { boxes, found } = this;
    const nodes = this.#nodes;
    const stack = this.#stack;
    const x0 = box[at];
    const y0 = box[at + 1];
    const z0 = box[at + 2];
    const x1 = box[at + 3];
    const y1 = box[at + 4];
    const z1 = box[at + 5];
    found.length = 0;
    stack.length = 0;
    stack.push(0);
    while (stack.length > 0) {
      const node = stack.pop() as number;
      const n = 6 * node;
      if (nodes[n] >= x1 || nodes[n + 1] >= y1 || nodes[n + 2] >= z1) continue;
      if (nodes[n + 3] <= x0 || nodes[n + 4] <= y0 || nodes[n + 5] <= z0) continue;
      if (node < this.#firstLeaf) {
        stack.push(2 * node + 1, 2 * node + 2);
        continue;
      }
      const leaf = node - this.#firstLeaf;
      for (let i = this.#starts[leaf]; i < this.#starts[leaf + 1]; i++) {
        const item = this.#order[i];
        const b = 6 * item;
        if (boxes[b] >= x1 || boxes[b + 1] >= y1 || boxes[b + 2] >= z1) continue;
        if (boxes[b + 3] <= x0 || boxes[b + 4] <= y0 || boxes[b + 5] <= z0) continue;
        found.push(item);
      }
    }
  }
}
