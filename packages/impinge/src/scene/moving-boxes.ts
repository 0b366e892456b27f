/**
 * A tree over the boxes of objects that move, for queries about one of them or about the nearest two.
 *
 * Idea: a move is only recorded, and processed by the next query: the leaf is removed and reinserted where the surfaces
 * of the boxes grow least, with a margin, so that small moves change nothing. Where many have moved, or the tree has
 * become deep, it is rebuilt by halving.
 *
 * Layout: node 2 s is the leaf of slot s, odd nodes are inner ones; six numbers per node, minimum and maximum.
 * Invariant: a node's box holds those of its children, and a leaf's the box of its slot, once `flush` has run. Leaves
 * may be larger, so queries also compare the boxes of slots.
 */
import { boxesNearAt } from '../volumes/broad-phase.js';

const NONE = -1;
/** Margin around the box of a moved leaf, as a share of its longest side. */
const ROOM = 0.2;
/** A tree deeper than halving needs by more than this is rebuilt. */
const DEPTH_TO_SPARE = 24;
/** Below this depth, halving by position gives way to halving by count. */
const BY_PLACE = 32;

export class MovingBoxes {
  /** Of an inner node; NONE for leaves. */
  left: Int32Array = new Int32Array(0);
  right: Int32Array = new Int32Array(0);
  boxes: Float64Array = new Float64Array(0);
  root = NONE;
  readonly #slotBoxes: () => Float64Array;
  #parent = new Int32Array(0);
  /** State of a slot: 0 absent, 1 in the tree, 2 waiting to be inserted, 3 waiting to be moved there. */
  #state = new Uint8Array(0);
  readonly #waiting = new Set<number>();
  readonly #freeNodes: number[] = [];
  readonly #stacks: number[][] = [];
  #nextNode = 1;
  #inTree = 0;
  /** How many wait to be moved. */
  #moving = 0;
  #deep = false;

  /** `slotBoxes` hands out the boxes of all slots, six numbers each, as they are at the moment. */
  constructor(slotBoxes: () => Float64Array) {
    this.#slotBoxes = slotBoxes;
  }

  /** Takes note that a slot has come, or that its box has changed. */
  touch(slot: number): void {
    this.#reserve(slot + 1);
    if (this.#state[slot] >= 2) return;
    if (this.#state[slot] === 1) {
      if (this.#holds(slot)) return;
      this.#moving++;
    }
    this.#state[slot] += 2;
    this.#waiting.add(slot);
  }

  remove(slot: number): void {
    if ((this.#state[slot] & 1) === 1) this.#takeOut(2 * slot);
    if (this.#state[slot] === 3) this.#moving--;
    this.#waiting.delete(slot);
    this.#state[slot] = 0;
  }

  /** Puts everything in its place. */
  flush(): void {
    if (this.#waiting.size === 0) return;
    if (this.#waiting.size > (this.#inTree - this.#moving) / 4) this.#build();
    else {
      for (const slot of this.#waiting) if (this.#state[slot] === 3) this.#takeOut(2 * slot);
      for (const slot of this.#waiting) this.#putIn(slot);
    }
    this.#moving = 0;
    this.#waiting.clear();
    if (this.#deep) this.#build();
  }

  /** Calls `visit` with the slots whose boxes are within `distance` of the box at boxes[at ..] along every axis. */
  forEachNear(boxes: Float64Array, at: number, distance: number, visit: (slot: number) => void): void {
    this.flush();
    const [x0, y0, z0] = [boxes[at], boxes[at + 1], boxes[at + 2]];
    const [x1, y1, z1] = [boxes[at + 3] + distance, boxes[at + 4] + distance, boxes[at + 5] + distance];
    // visits may ask, too
    const stack = this.#stacks.pop() ?? [];
    let count = 0;
    if (this.root !== NONE) stack[count++] = this.root;
    const b = this.boxes;
    const own = this.#slotBoxes();
    while (count > 0) {
      const node = stack[--count];
      const i = 6 * node;
      if (b[i] > x1 || b[i + 1] > y1 || b[i + 2] > z1) continue;
      if (b[i + 3] + distance < x0 || b[i + 4] + distance < y0 || b[i + 5] + distance < z0) continue;
      if ((node & 1) === 0) {
        if (boxesNearAt(own, 3 * node, boxes, at, distance)) visit(node >>> 1);
        continue;
      }
      stack[count++] = this.right[node];
      stack[count++] = this.left[node];
    }
    this.#stacks.push(stack);
  }

  #holds(slot: number): boolean {
    const own = this.#slotBoxes();
    const b = this.boxes;
    for (let k = 0; k < 3; k++) {
      if (own[6 * slot + k] < b[12 * slot + k] || own[6 * slot + 3 + k] > b[12 * slot + 3 + k]) return false;
    }
    return true;
  }

  #putIn(slot: number): void {
    const leaf = 2 * slot;
    this.#writeLeaf(slot, ROOM);
    this.#state[slot] = 1;
    this.#inTree++;
    if (this.root === NONE) {
      this.root = leaf;
      this.#parent[leaf] = NONE;
      return;
    }
    const beside = this.#bestSibling(leaf);
    const above = this.#parent[beside];
    const node = this.#newNode();
    this.#parent[node] = above;
    this.#join(node, beside, leaf);
    if (above === NONE) this.root = node;
    else if (this.left[above] === beside) this.left[above] = node;
    else this.right[above] = node;
    this.#fitUp(node);
  }

  /** Descends where the surfaces of the boxes grow least. */
  #bestSibling(leaf: number): number {
    const most = Math.log2(this.#inTree) + DEPTH_TO_SPARE;
    let node = this.root;
    for (let depth = 0; (node & 1) === 1; depth++) {
      if (depth > most) this.#deep = true;
      const joined = this.#areaOf(node, leaf);
      const passed = joined - this.#areaOf(node, node);
      const left = this.#growth(this.left[node], leaf) + passed;
      const right = this.#growth(this.right[node], leaf) + passed;
      if (joined < left && joined < right) break;
      node = left <= right ? this.left[node] : this.right[node];
    }
    return node;
  }

  #growth(node: number, leaf: number): number {
    const joined = this.#areaOf(node, leaf);
    return (node & 1) === 0 ? joined : joined - this.#areaOf(node, node);
  }

  #takeOut(leaf: number): void {
    this.#inTree--;
    const node = this.#parent[leaf];
    if (node === NONE) {
      this.root = NONE;
      return;
    }
    const beside = this.left[node] === leaf ? this.right[node] : this.left[node];
    const above = this.#parent[node];
    this.#freeNodes.push(node);
    this.#parent[beside] = above;
    if (above === NONE) {
      this.root = beside;
      return;
    }
    if (this.left[above] === node) this.left[above] = beside;
    else this.right[above] = beside;
    this.#fitUp(above);
  }

  /** Fits a node and all above it, and turns each where that makes its children smaller. */
  #fitUp(from: number): void {
    for (let node = from; node !== NONE; node = this.#parent[node]) {
      this.#fit(node);
      if (!this.#turn(node, this.left[node], this.right[node]))
        this.#turn(node, this.right[node], this.left[node]);
    }
  }

  /** Exchanges `other`, a child of `node`, for a child of its other child, where that makes the latter smaller. */
  #turn(node: number, child: number, other: number): boolean {
    if ((child & 1) === 0) return false;
    const [l, r] = [this.left[child], this.right[child]];
    const now = this.#areaOf(child, child);
    const withoutL = this.#areaOf(other, r);
    const withoutR = this.#areaOf(other, l);
    if (Math.min(withoutL, withoutR) >= now) return false;
    const [up, stays] = withoutL <= withoutR ? [l, r] : [r, l];
    this.#join(child, other, stays);
    this.#parent[up] = node;
    if (this.left[node] === child) this.right[node] = up;
    else this.left[node] = up;
    return true;
  }

  #join(node: number, left: number, right: number): void {
    this.left[node] = left;
    this.right[node] = right;
    this.#parent[left] = node;
    this.#parent[right] = node;
    this.#fit(node);
  }

  #fit(node: number): void {
    const b = this.boxes;
    const [i, l, r] = [6 * node, 6 * this.left[node], 6 * this.right[node]];
    for (let k = 0; k < 3; k++) {
      b[i + k] = Math.min(b[l + k], b[r + k]);
      b[i + 3 + k] = Math.max(b[l + 3 + k], b[r + 3 + k]);
    }
  }

  /** Half the surface of the box around two nodes. */
  #areaOf(node: number, other: number): number {
    const b = this.boxes;
    const [i, j] = [6 * node, 6 * other];
    const x = Math.max(b[i + 3], b[j + 3]) - Math.min(b[i], b[j]);
    const y = Math.max(b[i + 4], b[j + 4]) - Math.min(b[i + 1], b[j + 1]);
    const z = Math.max(b[i + 5], b[j + 5]) - Math.min(b[i + 2], b[j + 2]);
    return x * y + y * z + z * x;
  }

  #writeLeaf(slot: number, share: number): void {
    const own = this.#slotBoxes();
    const b = this.boxes;
    let longest = 0;
    for (let k = 0; k < 3; k++) longest = Math.max(longest, own[6 * slot + 3 + k] - own[6 * slot + k]);
    const room = share > 0 ? share * longest : 0;
    for (let k = 0; k < 3; k++) {
      b[12 * slot + k] = own[6 * slot + k] - room;
      b[12 * slot + 3 + k] = own[6 * slot + 3 + k] + room;
    }
  }

  /** Everything anew. */
  #build(): void {
    const leaves: number[] = [];
    for (let slot = 0; slot < this.#state.length; slot++) {
      if (this.#state[slot] === 0) continue;
      this.#state[slot] = 1;
      this.#writeLeaf(slot, 0);
      leaves.push(2 * slot);
    }
    this.#freeNodes.length = 0;
    this.#nextNode = 1;
    this.#inTree = leaves.length;
    this.#deep = false;
    this.root = leaves.length === 0 ? NONE : this.#halve(Int32Array.from(leaves), 0, leaves.length, 0);
    if (this.root !== NONE) this.#parent[this.root] = NONE;
  }

  #halve(leaves: Int32Array, from: number, to: number, depth: number): number {
    if (to - from === 1) return leaves[from];
    const b = this.boxes;
    let axis = 0;
    let longest = -1;
    let half = 0;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = from; i < to; i++) {
        const centre = b[6 * leaves[i] + k] / 2 + b[6 * leaves[i] + 3 + k] / 2;
        if (centre < low) low = centre;
        if (centre > high) high = centre;
      }
      if (high - low <= longest) continue;
      axis = k;
      longest = high - low;
      half = low / 2 + high / 2;
    }
    const placeOf = (leaf: number) => b[6 * leaf + axis] / 2 + b[6 * leaf + 3 + axis] / 2;
    let middle = from;
    if (depth < BY_PLACE) {
      for (let i = from; i < to; i++) {
        const leaf = leaves[i];
        if (placeOf(leaf) >= half) continue;
        leaves[i] = leaves[middle];
        leaves[middle++] = leaf;
      }
    }
    if (middle === from || middle === to) {
      if (depth >= BY_PLACE) leaves.subarray(from, to).sort((p, q) => placeOf(p) - placeOf(q));
      middle = (from + to) >>> 1;
    }
    const left = this.#halve(leaves, from, middle, depth + 1);
    const right = this.#halve(leaves, middle, to, depth + 1);
    const node = this.#newNode();
    this.#join(node, left, right);
    return node;
  }

  /** There is always one: with n leaves there are n − 1 inner nodes. */
  #newNode(): number {
    const node = this.#freeNodes.pop();
    if (node !== undefined) return node;
    this.#nextNode += 2;
    return this.#nextNode - 2;
  }

  #reserve(slots: number): void {
    if (slots <= this.#state.length) return;
    const capacity = Math.max(64, 2 * slots);
    const grown = <List extends { set(old: List): void }>(list: List, old: List): List => {
      list.set(old);
      return list;
    };
    this.left = grown(new Int32Array(2 * capacity), this.left);
    this.right = grown(new Int32Array(2 * capacity), this.right);
    this.#parent = grown(new Int32Array(2 * capacity), this.#parent);
    this.boxes = grown(new Float64Array(12 * capacity), this.boxes);
    this.#state = grown(new Uint8Array(capacity), this.#state);
  }
}
