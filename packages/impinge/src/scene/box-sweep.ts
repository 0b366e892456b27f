/**
 * All pairs of near boxes by one pass over them in the order of their minima: what is fastest for some thousand boxes that
 * are small against the whole. Where it would compare too many, `boxPairs` does it.
 */
import { assertBoxes, type BroadPhase } from '../volumes/broad-phase.js';
import { boxPairs, orderedPairs } from './box-pairs.js';
import { risingOrder } from './rising-order.js';

/** Comparisons per box after which the other way is the shorter one. */
const MOST_COMPARED = 512;

export const boxSweep: BroadPhase = {
  pairs(boxes, distance) {
    assertBoxes(boxes, distance);
    const found = sweep(boxes, distance);
    return found ? orderedPairs(found, boxes.length / 6) : boxPairs.pairs(boxes, distance);
  },
};

/** All pairs, the lesser number first, in no particular order; undefined where that takes too many comparisons. */
function sweep(boxes: Float64Array, distance: number): { blocks: Uint32Array[]; count: number } | undefined {
  const count = boxes.length / 6;
  const axis = sparsestAxis(boxes);
  const order = risingOrder(column(boxes, axis, 0));
  const [y, z] = [(axis + 1) % 3, (axis + 2) % 3];
  const low0 = column(boxes, axis, 0, order);
  const high0 = column(boxes, 3 + axis, distance, order);
  const low1 = column(boxes, y, 0, order);
  const high1 = column(boxes, 3 + y, distance, order);
  const low2 = column(boxes, z, 0, order);
  const high2 = column(boxes, 3 + z, distance, order);
  let pairs = new Uint32Array(8 * count);
  let filled = 0;
  let left = MOST_COMPARED * count;
  for (let i = 0; i < count; i++) {
    const end = high0[i];
    const bottom = low1[i];
    const top = high1[i];
    const near = low2[i];
    const far = high2[i];
    let j = i + 1;
    for (; j < count && low0[j] <= end; j++) {
      if (low1[j] > top || high1[j] < bottom || low2[j] > far || high2[j] < near) continue;
      if (filled === pairs.length) {
        const longer = new Uint32Array(2 * filled);
        longer.set(pairs);
        pairs = longer;
      }
      pairs[filled] = Math.min(order[i], order[j]);
      pairs[filled + 1] = Math.max(order[i], order[j]);
      filled += 2;
    }
    left -= j - i;
    if (left < 0) return undefined;
  }
  return { blocks: [pairs], count: filled / 2 };
}

/** One number of each box and something added, in the boxes' order or another. */
function column(boxes: Float64Array, at: number, plus: number, order?: Uint32Array): Float64Array {
  const out = new Float64Array(boxes.length / 6);
  for (let i = 0; i < out.length; i++) out[i] = boxes[6 * (order ? order[i] : i) + at] + plus;
  return out;
}

/** Along which boxes are shortest in proportion to the whole. */
function sparsestAxis(boxes: Float64Array): number {
  let sparsest = 0;
  let least = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    let sum = 0;
    let min = Infinity;
    let max = -Infinity;
    for (let at = axis; at < boxes.length; at += 6) {
      sum += boxes[at + 3] - boxes[at];
      if (boxes[at] < min) min = boxes[at];
      if (boxes[at + 3] > max) max = boxes[at + 3];
    }
    const density = sum / (max - min || Number.MIN_VALUE);
    if (density < least) {
      least = density;
      sparsest = axis;
    }
  }
  return sparsest;
}
