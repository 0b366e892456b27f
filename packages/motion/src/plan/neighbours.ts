/**
 * The nearest of a growing number of states: a tree that splits at one number after another.
 *
 * States come in any order, such as along an edge; the tree is built again whenever their number has doubled, so that
 * no branch gets much longer than their number's logarithm.
 */
const FIRST_REBUILD = 64;

export interface Found {
  readonly index: number;
  readonly distanceSq: number;
}

/** Weighted coordinates of points, `dimension` of each. */
export class Neighbours {
  count = 0;
  readonly #dimension: number;
  #points = new Float64Array(0);
  #left = new Int32Array(0);
  #right = new Int32Array(0);
  #axis = new Uint8Array(0);
  #isGone = new Uint8Array(0);
  #root = -1;
  #rebuildAt = FIRST_REBUILD;
  #query: Float64Array = new Float64Array(0);
  /** The nearest so far, in order; what is as far as `#mostSq` does not count. */
  #found: Found[] = [];
  #wanted = 1;
  #mostSq = Infinity;

  constructor(dimension: number) {
    this.#dimension = dimension;
  }

  /** Adds a point, which gets the next number. */
  add(point: Float64Array): number {
    const i = this.count++;
    this.#reserve(this.count);
    this.#points.set(point, i * this.#dimension);
    if (this.count >= this.#rebuildAt) {
      this.#rebuildAt *= 2;
      const all = Int32Array.from({ length: this.count }, (_, k) => k);
      this.#root = this.#build(all, 0, this.count);
    } else {
      this.#insert(i);
    }
    return i;
  }

  /** Leaves a point out of all answers from now on. */
  remove(i: number): void {
    this.#isGone[i] = 1;
  }

  /** The points nearest to one, at most `count`, the squares of whose distances are less than `belowSq`, in order. */
  nearest(point: Float64Array, count = 1, belowSq = Infinity): readonly Found[] {
    this.#query = point;
    this.#found = [];
    this.#wanted = count;
    this.#mostSq = belowSq;
    if (this.#root >= 0) this.#search(this.#root);
    return this.#found;
  }

  #search(node: number): void {
    const n = this.#dimension;
    const query = this.#query;
    const at = node * n;
    if (this.#isGone[node] === 0) {
      let sum = 0;
      for (let k = 0; k < n; k++) {
        const difference = query[k] - this.#points[at + k];
        sum += difference * difference;
      }
      if (sum < this.#mostSq) this.#keep(node, sum);
    }
    const axis = this.#axis[node];
    const difference = query[axis] - this.#points[at + axis];
    const near = difference < 0 ? this.#left[node] : this.#right[node];
    const far = difference < 0 ? this.#right[node] : this.#left[node];
    if (near >= 0) this.#search(near);
    if (far >= 0 && difference * difference < this.#mostSq) this.#search(far);
  }

  #keep(index: number, distanceSq: number): void {
    const found = this.#found;
    if (found.length === this.#wanted) found.pop();
    let at = found.length;
    while (at > 0 && found[at - 1].distanceSq > distanceSq) at--;
    found.splice(at, 0, { index, distanceSq });
    if (found.length === this.#wanted) this.#mostSq = found[found.length - 1].distanceSq;
  }

  #insert(i: number): void {
    const n = this.#dimension;
    this.#left[i] = this.#right[i] = -1;
    if (this.#root < 0) {
      this.#axis[i] = 0;
      this.#root = i;
      return;
    }
    for (let node = this.#root; ; ) {
      const axis = this.#axis[node];
      const side = this.#points[i * n + axis] < this.#points[node * n + axis] ? this.#left : this.#right;
      if (side[node] < 0) {
        side[node] = i;
        this.#axis[i] = (axis + 1) % n;
        return;
      }
      node = side[node];
    }
  }

  /** A tree of some points, split at the median of the number that varies most. */
  #build(all: Int32Array, from: number, to: number): number {
    if (from === to) return -1;
    const n = this.#dimension;
    const points = this.#points;
    let axis = 0;
    let widest = -1;
    for (let k = 0; k < n; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = from; i < to; i++) {
        const x = points[all[i] * n + k];
        if (x < low) low = x;
        if (x > high) high = x;
      }
      if (high - low > widest) {
        widest = high - low;
        axis = k;
      }
    }
    const part = all.subarray(from, to);
    part.sort((a, b) => points[a * n + axis] - points[b * n + axis] || a - b);
    // equal ones belong to the right
    let middle = (from + to) >>> 1;
    while (middle > from && points[all[middle - 1] * n + axis] === points[all[middle] * n + axis]) middle--;
    const node = all[middle];
    this.#axis[node] = axis;
    this.#left[node] = this.#build(all, from, middle);
    this.#right[node] = this.#build(all, middle + 1, to);
    return node;
  }

  #reserve(count: number): void {
    if (count <= this.#left.length) return;
    const size = Math.max(FIRST_REBUILD, 2 * this.#left.length);
    this.#points = grown(this.#points, new Float64Array(size * this.#dimension));
    this.#left = grown(this.#left, new Int32Array(size));
    this.#right = grown(this.#right, new Int32Array(size));
    this.#axis = grown(this.#axis, new Uint8Array(size));
    this.#isGone = grown(this.#isGone, new Uint8Array(size));
  }
}

function grown<A extends Float64Array | Int32Array | Uint8Array>(old: A, larger: A): A {
  larger.set(old);
  return larger;
}
