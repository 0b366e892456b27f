/**
 * A tree over boxes that stay where they are: of placed pieces, of objects, of patches.
 *
 * Idea: a node is split when first visited, so distant boxes are never sorted. Nodes are split in the middle, which
 * fixes the number of nodes below each, and so their numbers, before they are made.
 */

/** Boxes in a leaf. */
const FEW = 4;
/** Boxes sampled to estimate their size. */
const SAMPLES = 1024;
/** More than are needed for millions of boxes. */
const ROUNDS = 64;

/** Nodes are numbered so that a node's children follow it: the left one at once, the right one at `right`. */
export class BoxTree {
  readonly boxes: Float64Array;
  /** Boxes in the order of the leaves. */
  readonly order: Uint32Array;
  /** Six numbers per node: minimum, maximum. Of children once their parent is open. */
  readonly nodeBoxes: Float64Array;
  /** The right child of an inner node, 0 for a leaf. */
  readonly right: Uint32Array;
  /** The first box of each node in `order`, and the number of its boxes. */
  readonly first: Uint32Array;
  readonly counts: Uint32Array;
  readonly #isOpen: Uint8Array;
  /** Nodes of a tree, by its boxes. */
  readonly #sizes = new Map<number, number>();

  constructor(boxes: Float64Array) {
    const count = boxes.length / 6;
    const nodes = nodesOver(count, this.#sizes);
    this.boxes = boxes;
    this.order = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.order[i] = i;
    this.nodeBoxes = new Float64Array(6 * nodes);
    this.right = new Uint32Array(nodes);
    this.first = new Uint32Array(nodes);
    this.counts = new Uint32Array(nodes);
    this.#isOpen = new Uint8Array(nodes);
    this.#make(0, 0, count);
  }

  get isEmpty(): boolean {
    return this.order.length === 0;
  }

  /** The mean diagonal of a sample of boxes. */
  meanDiagonal(): number {
    const { boxes } = this;
    const step = 6 * Math.ceil(this.order.length / SAMPLES);
    let sum = 0;
    let count = 0;
    for (let i = 0; i < boxes.length; i += step, count++) {
      sum += Math.hypot(boxes[i + 3] - boxes[i], boxes[i + 4] - boxes[i + 1], boxes[i + 5] - boxes[i + 2]);
    }
    return count === 0 ? 0 : sum / count;
  }

  /** Makes the children of an inner node if missing. Call it before visiting them. */
  open(node: number): void {
    if (this.#isOpen[node]) return;
    this.#isOpen[node] = 1;
    const from = this.first[node];
    const to = from + this.counts[node];
    const half = (from + to) >> 1;
    this.#part(node, from, half, to);
    this.#make(node + 1, from, half);
    this.#make(this.right[node], half, to);
  }

  /**
   * Calls `visit` for the boxes that `accepts`, which accepts every box around one that it accepts; ends, and returns
   * true, when `visit` does.
   */
  some(accepts: (boxes: Float64Array, at: number) => boolean, visit: (box: number) => boolean): boolean {
    const { boxes, nodeBoxes, order, right, first, counts } = this;
    const stack = this.isEmpty ? [] : [0];
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (!accepts(nodeBoxes, 6 * node)) continue;
      if (right[node] !== 0) {
        this.open(node);
        stack.push(right[node], node + 1);
        continue;
      }
      for (let i = first[node]; i < first[node] + counts[node]; i++) {
        if (accepts(boxes, 6 * order[i]) && visit(order[i])) return true;
      }
    }
    return false;
  }

  #make(node: number, from: number, to: number): void {
    const { boxes, nodeBoxes, order } = this;
    this.first[node] = from;
    this.counts[node] = to - from;
    if (to - from > FEW) this.right[node] = node + 1 + nodesOver(((from + to) >> 1) - from, this.#sizes);
    let x0 = Infinity;
    let y0 = Infinity;
    let z0 = Infinity;
    let x1 = -Infinity;
    let y1 = -Infinity;
    let z1 = -Infinity;
    for (let i = from; i < to; i++) {
      const at = 6 * order[i];
      if (boxes[at] < x0) x0 = boxes[at];
      if (boxes[at + 1] < y0) y0 = boxes[at + 1];
      if (boxes[at + 2] < z0) z0 = boxes[at + 2];
      if (boxes[at + 3] > x1) x1 = boxes[at + 3];
      if (boxes[at + 4] > y1) y1 = boxes[at + 4];
      if (boxes[at + 5] > z1) z1 = boxes[at + 5];
    }
    nodeBoxes[6 * node] = x0;
    nodeBoxes[6 * node + 1] = y0;
    nodeBoxes[6 * node + 2] = z0;
    nodeBoxes[6 * node + 3] = x1;
    nodeBoxes[6 * node + 4] = y1;
    nodeBoxes[6 * node + 5] = z1;
  }

  /** Puts the boxes with the smaller middles, along the longest axis of the node, before `half`. */
  #part(node: number, from: number, half: number, to: number): void {
    const { boxes, nodeBoxes, order } = this;
    const at = 6 * node;
    let axis = 0;
    for (let k = 1; k < 3; k++) {
      if (nodeBoxes[at + 3 + k] - nodeBoxes[at + k] > nodeBoxes[at + 3 + axis] - nodeBoxes[at + axis])
        axis = k;
    }
    const middles = new Float64Array(to - from);
    for (let i = from; i < to; i++) {
      middles[i - from] = boxes[6 * order[i] + axis] + boxes[6 * order[i] + 3 + axis];
    }
    const middle = select(middles.slice(), half - from);
    let equals = half - from; // this many of those exactly in the middle go to the left
    for (let i = 0; i < middles.length; i++) if (middles[i] < middle) equals--;
    const old = order.slice(from, to);
    let left = from;
    let right = half;
    for (let i = 0; i < old.length; i++) {
      const goesLeft = middles[i] < middle || (middles[i] === middle && equals-- > 0);
      if (goesLeft) order[left++] = old[i];
      else order[right++] = old[i];
    }
  }
}

/** The number of nodes over so many boxes; `known` is for what is asked again and again. */
export function nodesOver(count: number, known = new Map<number, number>()): number {
  if (count <= FEW) return 1;
  let nodes = known.get(count);
  if (nodes === undefined) {
    const half = count >> 1;
    nodes = 1 + nodesOver(half, known) + nodesOver(count - half, known);
    known.set(count, nodes);
  }
  return nodes;
}

/** The number that would be at `place` if they were in order. Leaves them in any order. */
function select(numbers: Float64Array, place: number): number {
  let low = 0;
  let high = numbers.length - 1;
  // each round leaves about half of them; where it keeps leaving nearly all, putting the rest in order is quicker
  for (let round = 0; low < high; round++) {
    if (round === ROUNDS) {
      numbers.subarray(low, high + 1).sort();
      break;
    }
    const pivot = numbers[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (numbers[i] < pivot) i++;
      while (numbers[j] > pivot) j--;
      if (i > j) break;
      const other = numbers[i];
      numbers[i++] = numbers[j];
      numbers[j--] = other;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  return numbers[place];
}
