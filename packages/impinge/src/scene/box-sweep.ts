/**
 * All pairs of near boxes by passing over them in the order of their minima: what is fastest for some thousand boxes that
 * are small against the whole. Where it would compare too many, `boxPairs` does it.
 */
import { assertBoxes, type BroadPhase } from '../volumes/broad-phase.js';
import { boxPairs, orderedPairs } from './box-pairs.js';
import { risingOrder } from './rising-order.js';

/** Comparisons per box after which the other way is the shorter one. */
const MOST_COMPARED = 512;
const MOST_STRIPS = 64;

export const boxSweep: BroadPhase = {
  pairs(boxes, distance) {
    assertBoxes(boxes, distance);
    const found = sweep(boxes, distance);
    return found ? orderedPairs(found, boxes.length / 6) : boxPairs.pairs(boxes, distance);
  },
};

/**
 * All pairs, the lesser number first, in no particular order; undefined where that takes too many comparisons.
 * Boxes are dealt out to strips along a second axis, and each strip is swept by itself. A pair belongs to the strip where
 * its overlap along that axis begins: both boxes are in that one, because strips rise with coordinates.
 */
function sweep(boxes: Float64Array, distance: number): { blocks: Uint32Array[]; count: number } | undefined {
  const count = boxes.length / 6;
  const [axis, across, rest] = sparsestFirst(boxes);
  const order = risingOrder(column(boxes, axis.number, 0));
  const low0 = column(boxes, axis.number, 0, order);
  const high0 = column(boxes, 3 + axis.number, distance, order);
  const low1 = column(boxes, across.number, 0, order);
  const high1 = column(boxes, 3 + across.number, distance, order);
  const low2 = column(boxes, rest.number, 0, order);
  const high2 = column(boxes, 3 + rest.number, distance, order);
  const wanted = across.extent < Infinity ? Math.floor(count / (2 * across.density)) : 1;
  const strips = Math.max(1, Math.min(MOST_STRIPS, wanted));
  const scale = strips / (across.extent || 1);
  const stripOf = (y: number) => Math.max(0, Math.min(strips - 1, Math.floor((y - across.min) * scale) || 0));
  // members of strip s, in the order of the sweep: members[first[s] .. first[s + 1])
  const first = new Uint32Array(strips + 2);
  for (let i = 0; i < count; i++) {
    for (let s = stripOf(low1[i]); s <= stripOf(high1[i]); s++) first[s + 2]++;
  }
  for (let s = 0; s < strips; s++) first[s + 2] += first[s + 1];
  const members = new Uint32Array(first[strips + 1]);
  for (let i = 0; i < count; i++) {
    for (let s = stripOf(low1[i]); s <= stripOf(high1[i]); s++) members[first[s + 1]++] = i;
  }
  let pairs = new Uint32Array(8 * count);
  let filled = 0;
  let left = MOST_COMPARED * count;
  for (let s = 0; s < strips; s++) {
    for (let m = first[s]; m < first[s + 1]; m++) {
      const i = members[m];
      const end = high0[i];
      const bottom = low1[i];
      const top = high1[i];
      const near = low2[i];
      const far = high2[i];
      let n = m + 1;
      for (; n < first[s + 1] && low0[members[n]] <= end; n++) {
        const j = members[n];
        if (low1[j] > top || high1[j] < bottom || low2[j] > far || high2[j] < near) continue;
        if (stripOf(Math.max(bottom, low1[j])) !== s) continue;
        if (filled === pairs.length) {
          const longer = new Uint32Array(2 * filled);
          longer.set(pairs);
          pairs = longer;
        }
        pairs[filled] = Math.min(order[i], order[j]);
        pairs[filled + 1] = Math.max(order[i], order[j]);
        filled += 2;
      }
      left -= n - m;
      if (left < 0) return undefined;
    }
  }
  return { blocks: [pairs], count: filled / 2 };
}

/** One number of each box and something added, in the boxes' order or another. */
function column(boxes: Float64Array, at: number, plus: number, order?: Uint32Array): Float64Array {
  const out = new Float64Array(boxes.length / 6);
  for (let i = 0; i < out.length; i++) out[i] = boxes[6 * (order ? order[i] : i) + at] + plus;
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
