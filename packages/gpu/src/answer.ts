/** From pairs of slots to the caller's answer: sorted columns of ids and triangles. */
import type { Columns } from './backend.js';
import type { Lookup } from './input-tables.js';
import { PairSorter } from './pair-order.js';

/** Runs of fewer numbers are copied one by one. */
const SHORT_RUN = 32;

/** Collects pairs of slots; keeps its memory from query to query. */
export class PairCollector {
  readonly #sorter = new PairSorter();
  #pairs = new Uint32Array(1024);

  /** All pairs of these lists, sorted. Valid until the next call. */
  sorted(...lists: Uint32Array[]): Uint32Array {
    const length = lists.reduce((sum, list) => sum + list.length, 0);
    if (this.#pairs.length < length) this.#pairs = new Uint32Array(2 ** Math.ceil(Math.log2(length)));
    let at = 0;
    for (const list of lists) {
      this.#pairs.set(list, at);
      at += list.length;
    }
    this.#sorter.sort(this.#pairs, length);
    return this.#pairs.subarray(0, length);
  }
}

/** Ids and triangle numbers of pairs of slots. */
export function toColumns({ partShift, partIds, partStarts }: Lookup, slots: Uint32Array): Columns {
  const { count, objects, triangles } = emptyColumns(slots.length / 2);
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i];
    const part = slot >>> partShift;
    objects[i] = partIds[part];
    triangles[i] = slot - partStarts[part];
  }
  return { count, objects, triangles };
}

/** Both, in order, in arrays of their own. */
export function mergeColumns(many: Columns, few: Columns): Columns {
  if (many.count === 0) return few;
  if (few.count === 0) {
    return { count: many.count, objects: many.objects.slice(), triangles: many.triangles.slice() };
  }
  const merged = emptyColumns(many.count + few.count);
  let from = 0;
  for (let i = 0; i < few.count; i++) {
    const to = placeOf(few, i, many, from);
    copyRun(many, from, to, merged, from + i);
    copyRun(few, i, i + 1, merged, to + i);
    from = to;
  }
  copyRun(many, from, many.count, merged, from + few.count);
  return merged;
}

/** The slot of a triangle of the object with this id. */
export function slotOf({ partIds, partStarts }: Lookup, id: number, triangle: number): number {
  return partStarts[partIds.indexOf(id)] + triangle;
}

/** Columns yet to be filled. */
export function emptyColumns(count: number): Columns {
  // one piece of memory: taking it is a good part of the work
  const memory = new ArrayBuffer(16 * count);
  return {
    count,
    objects: new Uint32Array(memory, 0, 2 * count),
    triangles: new Uint32Array(memory, 8 * count),
  };
}

/** Where pair i belongs among those of `sorted` from `low` on. */
function placeOf(pairs: Columns, i: number, sorted: Columns, low: number): number {
  let high = sorted.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(sorted, middle, pairs, i)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore(left: Columns, l: number, right: Columns, r: number): boolean {
  for (let side = 0; side < 2; side++) {
    const objects = left.objects[2 * l + side] - right.objects[2 * r + side];
    if (objects !== 0) return objects < 0;
    const triangles = left.triangles[2 * l + side] - right.triangles[2 * r + side];
    if (triangles !== 0) return triangles < 0;
  }
  return false;
}

/** Copies the pairs [from, to) to `at`. */
function copyRun(source: Columns, from: number, to: number, target: Columns, at: number): void {
  if (2 * (to - from) >= SHORT_RUN) {
    target.objects.set(source.objects.subarray(2 * from, 2 * to), 2 * at);
    target.triangles.set(source.triangles.subarray(2 * from, 2 * to), 2 * at);
    return;
  }
  for (let i = 2 * from, j = 2 * at; i < 2 * to; i++, j++) {
    target.objects[j] = source.objects[i];
    target.triangles[j] = source.triangles[i];
  }
}
