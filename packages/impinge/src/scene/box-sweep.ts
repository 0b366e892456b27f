/**
 * All pairs of near boxes, by a sweep in the order of their minima: fastest for a few thousand boxes that are small
 * relative to the whole. Where it would compare too many, `boxPairs` takes over.
 */
import { assertBoxes, type BroadPhase } from '../volumes/broad-phase.js';
import { boxPairs, orderedPairs } from './box-pairs.js';
import { risingOrder } from './rising-order.js';

/** Comparisons per box after which the other way is the shorter one. */
const MOST_COMPARED = 512;
/** Along an axis. */
const MOST_CELLS = 64;
/**
 * Maximum mean number of cells per box. Boxes long in both directions occupy many; beyond this, cells are too small.
 */
const MOST_ENTRIES = 4;

export const boxSweep: BroadPhase = {
  pairs(boxes, distance) {
    assertBoxes(boxes, distance);
    const found = sweep(boxes, distance);
    return found ? orderedPairs(found, boxes.length / 6) : boxPairs.pairs(boxes, distance);
  },
};

/**
 * All pairs, the lesser number first, in no particular order; undefined where that takes too many comparisons. Boxes
 * are assigned to cells across the axis of the sweep, and each cell is swept separately. A pair belongs to the cell
 * where its overlap begins along both other axes: both boxes are in that one, because cells rise with coordinates.
 */
function sweep(boxes: Float64Array, distance: number): { blocks: Uint32Array[]; count: number } | undefined {
  const count = boxes.length / 6;
  const [axis, across, rest] = sparsestFirst(boxes);
  const order = risingOrder(column(boxes, axis.number));
  const { columns, rows, members, first, columnOf, rowOf } = dealOut(boxes, distance, order, across, rest);
  // six numbers of each member, one after the other: reading them where they were takes longer than comparing them
  const numbers = new Float64Array(6 * members.length);
  for (let m = 0, at = 0; m < members.length; m++) {
    for (let end = 0; end < 6; end += 3) {
      const from = 6 * members[m] + end;
      const plus = end === 0 ? 0 : distance;
      numbers[at++] = boxes[from + axis.number] + plus;
      numbers[at++] = boxes[from + across.number] + plus;
      numbers[at++] = boxes[from + rest.number] + plus;
    }
  }
  let pairs = new Uint32Array(8 * count);
  let filled = 0;
  let left = MOST_COMPARED * count;
  for (let cell = 0; cell < columns * rows; cell++) {
    const cellColumn = cell % columns;
    const cellRow = (cell - cellColumn) / columns;
    const last = 6 * first[cell + 1];
    for (let m = 6 * first[cell]; m < last; m += 6) {
      const i = members[m / 6];
      const bottom = numbers[m + 1];
      const near = numbers[m + 2];
      const end = numbers[m + 3];
      const top = numbers[m + 4];
      const far = numbers[m + 5];
      let n = m + 6;
      for (; n < last && numbers[n] <= end; n += 6) {
        if (numbers[n + 1] > top || numbers[n + 4] < bottom || numbers[n + 2] > far || numbers[n + 5] < near)
          continue;
        const j = members[n / 6];
        if (Math.max(columnOf[i], columnOf[j]) !== cellColumn || Math.max(rowOf[i], rowOf[j]) !== cellRow)
          continue;
        if (filled === pairs.length) {
          const longer = new Uint32Array(2 * filled);
          longer.set(pairs);
          pairs = longer;
        }
        pairs[filled] = Math.min(i, j);
        pairs[filled + 1] = Math.max(i, j);
        filled += 2;
      }
      left -= (n - m) / 6;
      if (left < 0) return undefined;
    }
  }
  return { blocks: [pairs], count: filled / 2 };
}

interface Cells {
  readonly columns: number;
  readonly rows: number;
  /** Those of cell c, in the order of the sweep, are members[first[c] .. first[c + 1]). */
  readonly members: Uint32Array;
  readonly first: Uint32Array;
  /** The column where each box begins. */
  readonly columnOf: Uint8Array;
  readonly rowOf: Uint8Array;
}

function dealOut(boxes: Float64Array, distance: number, order: Uint32Array, across: Axis, rest: Axis): Cells {
  const count = order.length;
  const ends = [0, 1, 2, 3].map(() => new Uint8Array(count));
  const [columnOf, lastColumn, rowOf, lastRow] = ends;
  let most = MOST_CELLS;
  for (;;) {
    const columns = writeCells(boxes, distance, across, most, columnOf, lastColumn);
    const rows = writeCells(boxes, distance, rest, most, rowOf, lastRow);
    const first = new Uint32Array(columns * rows + 2);
    let entries = 0;
    for (let i = 0; i < count; i++) {
      entries += (lastColumn[i] - columnOf[i] + 1) * (lastRow[i] - rowOf[i] + 1);
    }
    if (entries > MOST_ENTRIES * count && columns * rows > 1) {
      most = Math.max(columns, rows) >> 1;
      continue;
    }
    for (let i = 0; i < count; i++) {
      for (let row = rowOf[i]; row <= lastRow[i]; row++) {
        for (let c = columnOf[i]; c <= lastColumn[i]; c++) first[row * columns + c + 2]++;
      }
    }
    for (let c = 0; c < columns * rows; c++) first[c + 2] += first[c + 1];
    const members = new Uint32Array(entries);
    for (let at = 0; at < count; at++) {
      const i = order[at];
      for (let row = rowOf[i]; row <= lastRow[i]; row++) {
        for (let c = columnOf[i]; c <= lastColumn[i]; c++) members[first[row * columns + c + 1]++] = i;
      }
    }
    return { columns, rows, members, first, columnOf, rowOf };
  }
}

/**
 * Divides an axis into at most `most` cells, and writes the first and last cell of each box; returns the cell count.
 */
function writeCells(
  boxes: Float64Array,
  distance: number,
  { number, min, extent, density }: Axis,
  most: number,
  begins: Uint8Array,
  ends: Uint8Array,
): number {
  const wanted = extent < Infinity ? Math.floor(begins.length / (2 * density)) : 1;
  const cells = Math.max(1, Math.min(most, wanted));
  const scale = cells / (extent || 1);
  const cellOf = (x: number) => Math.max(0, Math.min(cells - 1, Math.floor((x - min) * scale) || 0));
  for (let i = 0; i < begins.length; i++) {
    begins[i] = cellOf(boxes[6 * i + number]);
    ends[i] = cellOf(boxes[6 * i + 3 + number] + distance);
  }
  return cells;
}

/** One number of each box. */
function column(boxes: Float64Array, at: number): Float64Array {
  const out = new Float64Array(boxes.length / 6);
  for (let i = 0; i < out.length; i++) out[i] = boxes[6 * i + at];
  return out;
}

interface Axis {
  readonly number: number;
  readonly min: number;
  readonly extent: number;
  /** The length of all boxes by that of the whole. */
  readonly density: number;
}

/** The axes, first the one along which boxes are shortest in proportion to the whole. */
function sparsestFirst(boxes: Float64Array): Axis[] {
  const axes = [0, 1, 2].map((number): Axis => {
    let sum = 0;
    let min = Infinity;
    let max = -Infinity;
    for (let at = number; at < boxes.length; at += 6) {
      sum += boxes[at + 3] - boxes[at];
      if (boxes[at] < min) min = boxes[at];
      if (boxes[at + 3] > max) max = boxes[at + 3];
    }
    const extent = max - min;
    return { number, min, extent, density: Math.max(1, sum / (extent || Number.MIN_VALUE)) };
  });
  return axes.sort((s, t) => s.density - t.density || s.number - t.number);
}
