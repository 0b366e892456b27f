/**
 * Where to cut a set of triangles in two: the builder's one decision. Twin of `splitRange` in kernels/build.ts.
 *
 * Idea: `sah` sorts the triangles of a range into 16 bins along each axis and cuts where surface area × count,
 * summed over both sides, is least; `fast` cuts the longest axis in the middle. Small ranges are sorted and cut so
 * that the fewest leaves come out.
 * Layout: `boxes` holds six float32 per element (minimum, maximum); `order` holds element numbers and is reordered
 * in place. The centroid of a box is minimum + maximum, not halved.
 * Invariant: equal to the kernel to the bit. Every float32 operation there is one Math.fround here; areas and costs
 * are float64 in the same order.
 */
import { BINS, SAMPLED, SMALL } from '../kernel/layout.generated.js';
import type { Builder } from './layout.js';

const MAX_SCALE = Math.fround(1e30);

/** A run of `order`, with what the next cut wants to know about it. */
export interface Range {
  start: number;
  count: number;
  /** Half the surface area of its box, or an estimate: says which range to split first. */
  area: number;
  /** Bounds of the centroids: minimum x, y, z, maximum x, y, z. */
  readonly centroids: Float32Array;
}

function emptyBox(): Float32Array {
  return Float32Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
}

/** Half the surface area of a box of six float32, in float64. */
function halfArea(box: Float32Array, at = 0): number {
  const x = box[at + 3] - box[at];
  const y = box[at + 4] - box[at + 1];
  const z = box[at + 5] - box[at + 2];
  return x * y + y * z + z * x;
}

/** Grows the box at `at` to hold the one at `from`. */
function growBox(box: Float32Array, at: number, other: Float32Array, from: number): void {
  for (let k = 0; k < 3; k++) {
    if (other[from + k] < box[at + k]) box[at + k] = other[from + k];
    if (other[from + 3 + k] > box[at + 3 + k]) box[at + 3 + k] = other[from + 3 + k];
  }
}

function longestAxis(x: number, y: number, z: number): number {
  if (y > x) return z > y ? 2 : 1;
  return z > x ? 2 : 0;
}

export class Splitter {
  readonly #boxes: Float32Array;
  readonly #order: Uint32Array;
  readonly #builder: Builder;
  readonly #leafSize: number;
  readonly #binBoxes = new Float32Array(3 * 6 * BINS);
  readonly #binCounts = new Uint32Array(3 * BINS);
  readonly #rightAreas = new Float64Array(BINS);
  readonly #rightCounts = new Uint32Array(BINS);

  constructor(boxes: Float32Array, order: Uint32Array, builder: Builder, leafSize: number) {
    this.#boxes = boxes;
    this.#order = order;
    this.#builder = builder;
    this.#leafSize = leafSize;
  }

  /** Describes order[start, start + count). */
  measure(start: number, count: number): Range {
    const box = emptyBox();
    const centroids = emptyBox();
    for (let i = start; i < start + count; i++) {
      growBox(box, 0, this.#boxes, 6 * this.#order[i]);
      this.#growByCentroid(centroids, i);
    }
    return { start, count, area: halfArea(box), centroids };
  }

  /**
   * Reorders the range and returns its two halves, neither empty. Precondition: more than leafSize triangles.
   * `inMiddle` leaves the order as it is, which bounds the depth of what follows.
   */
  split(range: Range, inMiddle: boolean): [Range, Range] {
    const { start, count, centroids } = range;
    const extent = [0, 1, 2].map((k) => Math.fround(centroids[3 + k] - centroids[k]));
    if (inMiddle || !extent.some((e) => e > 0)) return this.#cut(start, count, count >> 1);
    if (count <= SMALL) return this.#splitSmall(range, longestAxis(extent[0], extent[1], extent[2]));
    const bins = this.#builder === 'fast' ? 2 : BINS;
    const scale = extent.map((e) => (e > 0 ? Math.min(Math.fround(bins / e), MAX_SCALE) : 0));
    return this.#builder === 'fast'
      ? this.#splitMiddle(range, longestAxis(extent[0], extent[1], extent[2]), scale)
      : this.#splitBinned(range, scale);
  }

  #centroid(position: number, axis: number): number {
    const at = 6 * this.#order[position] + axis;
    return Math.fround(this.#boxes[at] + this.#boxes[at + 3]);
  }

  #growByCentroid(bounds: Float32Array, position: number): void {
    for (let k = 0; k < 3; k++) {
      const c = this.#centroid(position, k);
      if (c < bounds[k]) bounds[k] = c;
      if (c > bounds[3 + k]) bounds[3 + k] = c;
    }
  }

  #cut(start: number, count: number, left: number): [Range, Range] {
    return [this.measure(start, left), this.measure(start + left, count - left)];
  }

  /** Sorts along the axis (stable) and cuts so that both sides fill their leaves. */
  #splitSmall(range: Range, axis: number): [Range, Range] {
    const { start, count } = range;
    const sorted = Array.from({ length: count }, (_, i) => ({
      key: this.#centroid(start + i, axis),
      element: this.#order[start + i],
    })).sort((a, b) => a.key - b.key);
    for (let i = 0; i < count; i++) this.#order[start + i] = sorted[i].element;
    const leaves = Math.ceil(count / this.#leafSize);
    const rightLeaves = leaves - (leaves >> 1);
    const even = Math.floor((count * (leaves >> 1)) / leaves);
    return this.#cut(start, count, Math.max(even, count - rightLeaves * this.#leafSize));
  }

  /** The centroids' bounds stand for the box of each half: good enough to choose which to split next. */
  #splitMiddle(range: Range, axis: number, scale: number[]): [Range, Range] {
    const halves = this.#partition(range, axis, scale[axis], 1);
    if (!halves) return this.#cut(range.start, range.count, range.count >> 1);
    for (const half of halves) half.area = halfArea(half.centroids);
    return halves;
  }

  /** Least area × count over all axes and boundaries; ties go to the lower axis, then to the lower bin. */
  #splitBinned(range: Range, scale: number[]): [Range, Range] {
    const { start, count } = range;
    this.#fillBins(range, scale);
    const best = { cost: Infinity, axis: 0, bin: 0, left: 0, right: 0 };
    for (let axis = 0; axis < 3; axis++) {
      const first = axis * BINS;
      let box = emptyBox();
      let n = 0;
      let area = 0;
      for (let bin = BINS - 1; bin > 0; bin--) {
        if (this.#binCounts[first + bin] !== 0) {
          growBox(box, 0, this.#binBoxes, 6 * (first + bin));
          n += this.#binCounts[first + bin];
          area = halfArea(box);
        }
        this.#rightAreas[bin] = area;
        this.#rightCounts[bin] = n;
      }
      box = emptyBox();
      n = 0;
      for (let bin = 0; bin < BINS - 1; bin++) {
        if (this.#binCounts[first + bin] === 0) continue; // the same cut as one bin before
        const more = this.#rightCounts[bin + 1];
        if (more === 0) break;
        growBox(box, 0, this.#binBoxes, 6 * (first + bin));
        n += this.#binCounts[first + bin];
        const left = halfArea(box);
        const right = this.#rightAreas[bin + 1];
        const cost = left * n + right * more;
        if (cost < best.cost) Object.assign(best, { cost, axis, bin, left, right });
      }
    }
    const halves =
      best.cost === Infinity ? undefined : this.#partition(range, best.axis, scale[best.axis], best.bin + 1);
    if (!halves) return this.#cut(start, count, count >> 1);
    halves[0].area = best.left;
    halves[1].area = best.right;
    return halves;
  }

  #fillBins(range: Range, scale: number[]): void {
    const { start, count, centroids } = range;
    for (let at = 0; at < this.#binBoxes.length; at += 6) this.#binBoxes.set(emptyBox(), at);
    this.#binCounts.fill(0);
    const step = count > SAMPLED ? Math.floor(count / SAMPLED) : 1;
    for (let i = start; i < start + count; i += step) {
      for (let axis = 0; axis < 3; axis++) {
        const place = this.#place(i, axis, centroids[axis], scale[axis]);
        const bin = axis * BINS + (place > 0 ? Math.min(BINS - 1, Math.floor(place)) : 0);
        growBox(this.#binBoxes, 6 * bin, this.#boxes, 6 * this.#order[i]);
        this.#binCounts[bin]++;
      }
    }
  }

  /** Position of a centroid counted in bins. */
  #place(position: number, axis: number, from: number, scale: number): number {
    return Math.fround(Math.fround(this.#centroid(position, axis) - from) * scale);
  }

  /**
   * Moves what lies before `limit` (counted in bins) to the front: the element under the left pointer stays or
   * swaps with the one under the right pointer. Undefined when one side would be empty.
   */
  #partition(range: Range, axis: number, scale: number, limit: number): [Range, Range] | undefined {
    const order = this.#order;
    const from = range.centroids[axis];
    const left = emptyBox();
    const right = emptyBox();
    let i = range.start;
    let j = range.start + range.count - 1;
    while (i <= j) {
      if (this.#place(i, axis, from, scale) < limit) {
        this.#growByCentroid(left, i++);
      } else {
        this.#growByCentroid(right, i);
        const swapped = order[i];
        order[i] = order[j];
        order[j--] = swapped;
      }
    }
    const count = i - range.start;
    if (count === 0 || count === range.count) return undefined;
    return [
      { start: range.start, count, area: 0, centroids: left },
      { start: i, count: range.count - count, area: 0, centroids: right },
    ];
  }
}
