/**
 * All pairs of boxes within a distance of each other, in n log³ n + output time however the boxes lie: all on one
 * floor, all along one line, one around all the rest.
 *
 * Idea: a list is cut in two where few boxes straddle; those meet the second half, and each half is cut again. Two
 * lists meet axis by axis: there two boxes overlap just when one contains the minimum of the other, so boxes serve once
 * as intervals and once as points. Points are halved; an interval that spans all points of a part is done with this
 * axis and moves on to the next one with them; the rest go down with the halves they reach. Short lists are scanned.
 * Paper: Zomorodian and Edelsbrunner, Fast software for box intersections, 2002.
 *
 * Layout: boxes are renumbered by their minimum along the axis of the scan, and coordinates replaced by ranks of
 * minima: all different, so that halving always succeeds. `end` counts the minima that are not above a box's maximum.
 * Lists of boxes lie on one stack, always in rising order.
 */
import { assertBoxes, type BroadPhase } from '../volumes/broad-phase.js';
import { risingOrder } from './rising-order.js';

/** Lists shorter than this are scanned. */
const FEW = 48;
/** Boxes looked at to choose where to cut, and how deep cuts go at most. */
const SAMPLE = 31;
const MAX_CUTS = 64;
/** Pairs per block of output. */
const BLOCK = 1 << 18;

/** Boxes seen along one axis. */
interface Axis {
  /** Rank of the minimum among all minima. */
  readonly rank: Uint32Array;
  /** The count of minima not above the maximum; box q begins inside box p if rank[p] < rank[q] < end[p]. */
  readonly end: Uint32Array;
}

/** Near pairs of a list, in n log³ n + output time. */
export const boxPairs: BroadPhase = {
  pairs(boxes, distance) {
    assertBoxes(boxes, distance);
    return orderedPairs(joinBoxes(boxes, distance), boxes.length / 6);
  },
};

/** The same between two lists: all (i, j) with box i of `a` near box j of `b`, ordered by i, then j. */
export function boxPairsBetween(a: Float64Array, b: Float64Array, distance: number): Uint32Array {
  assertBoxes(a, distance, 'a');
  assertBoxes(b, distance, 'b');
  const countA = a.length / 6;
  const boxes = new Float64Array(a.length + b.length);
  boxes.set(a);
  boxes.set(b, a.length);
  const pairs = orderedPairs(joinBoxes(boxes, distance, countA), countA);
  for (let i = 1; i < pairs.length; i += 2) pairs[i] -= countA;
  return pairs;
}

const NO_PAIRS = new Uint32Array(0);

/** Blocks of pairs, each pair's lesser number first; the last block may be filled in part. */
interface PairBlocks {
  readonly blocks: Uint32Array[];
  count: number;
}

/** Pairs among all boxes, or of one below `split` with one from there on. */
function joinBoxes(boxes: Float64Array, distance: number, split?: number): PairBlocks {
  const count = boxes.length / 6;
  const out: PairBlocks = { blocks: [], count: 0 };
  let block = new Uint32Array(0);
  let filled = 0;

  // the axis with the fewest overlaps is scanned, the one with the most is halved last
  const axes = [0, 1, 2].map((axis) => ({ order: minimaOrder(boxes, axis, count), axis, overlaps: 0 }));
  const ranked = axes.map((entry) => ({ ...entry, ...rankAxis(boxes, entry.axis, distance, entry.order) }));
  for (const entry of ranked) for (let i = 0; i < count; i++) entry.overlaps += entry.end[i] - entry.rank[i];
  ranked.sort((s, t) => s.overlaps - t.overlaps || s.axis - t.axis);
  const numbers = ranked[0].order;
  const [scanned, second, first] = [ranked[0], ranked[2], ranked[1]].map((axis) => renumber(axis, numbers));
  const scanEnd = scanned.end;

  let stack = new Uint32Array(4 * count + 1024);
  let top = 0;
  const sample = new Uint32Array(SAMPLE);

  function emit(p: number, q: number): void {
    if (filled === block.length) {
      block = new Uint32Array(2 * BLOCK);
      out.blocks.push(block);
      filled = 0;
    }
    const i = numbers[p];
    const j = numbers[q];
    block[filled++] = Math.min(i, j);
    block[filled++] = Math.max(i, j);
    out.count++;
  }

  /** Pairs of an interval and a later point along the scanned axis; nothing else is left to test. */
  function scanLast(i0: number, i1: number, p0: number, p1: number): void {
    for (let i = i0, p = p0; i < i1; i++) {
      const a = stack[i];
      while (p < p1 && stack[p] <= a) p++;
      for (let q = p; q < p1 && stack[q] < scanEnd[a]; q++) emit(a, stack[q]);
    }
  }

  /** Pairs of a short list. */
  function scanWithin(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const a = stack[i];
      for (let q = i + 1; q < to && stack[q] < scanEnd[a]; q++)
        if (overlap(first, a, stack[q]) && overlap(second, a, stack[q])) emit(a, stack[q]);
    }
  }

  /** Intervals that contain a point along `axis`, overlap along the scanned axis and, if given, along `also`. */
  function scan(i0: number, i1: number, p0: number, p1: number, axis: Axis, also: Axis | undefined): void {
    const { rank, end } = axis;
    for (let i = i0, p = p0; i < i1 && p < p1; ) {
      const a = stack[i];
      const b = stack[p];
      if (a < b) {
        const low = rank[a];
        const high = end[a];
        for (let q = p; q < p1; q++) {
          const c = stack[q];
          if (c >= scanEnd[a]) break;
          if (low < rank[c] && rank[c] < high && (!also || overlap(also, a, c))) emit(a, c);
        }
        i++;
      } else {
        const at = rank[b];
        for (let q = i; q < i1; q++) {
          const c = stack[q];
          if (c >= scanEnd[b]) break;
          if (rank[c] < at && at < end[c] && (!also || overlap(also, c, b))) emit(c, b);
        }
        p++;
      }
    }
  }

  /** Ranks between the least and the greatest point halve with each call: at most 32 calls deep on either axis. */
  function join(i0: number, i1: number, p0: number, p1: number, axis: Axis, also: Axis | undefined): void {
    if (i0 === i1 || p0 === p1) return;
    if (i1 - i0 < FEW || p1 - p0 < FEW) {
      scan(i0, i1, p0, p1, axis, also);
      return;
    }
    const { rank, end } = axis;
    let least = rank[stack[p0]];
    let greatest = least;
    for (let p = p0 + 1; p < p1; p++) {
      const at = rank[stack[p]];
      if (at < least) least = at;
      else if (at > greatest) greatest = at;
    }
    // intervals that span all points stay together, the rest go down with the halves they reach
    const middle = least + ((greatest - least + 1) >>> 1);
    const base = top;
    const count = i1 - i0;
    reserve(3 * count + p1 - p0);
    let spanning = base;
    let below = base + count;
    let above = base + 2 * count;
    for (let i = i0; i < i1; i++) {
      const a = stack[i];
      const from = rank[a];
      const to = end[a];
      if (from < least && to > greatest) stack[spanning++] = a;
      else {
        if (from < middle && to > least) stack[below++] = a;
        if (from < greatest && to > middle) stack[above++] = a;
      }
    }
    stack.copyWithin(spanning, base + count, below);
    below += spanning - base - count;
    stack.copyWithin(below, base + 2 * count, above);
    above += below - base - 2 * count;
    let points = above;
    for (let p = p0; p < p1; p++) if (rank[stack[p]] < middle) stack[points++] = stack[p];
    const lower = points;
    for (let p = p0; p < p1; p++) if (rank[stack[p]] >= middle) stack[points++] = stack[p];
    top = points;

    if (spanning > base) {
      if (also) {
        join(base, spanning, p0, p1, also, undefined);
        join(p0, p1, base, spanning, also, undefined);
      } else {
        scanLast(base, spanning, p0, p1);
        scanLast(p0, p1, base, spanning);
      }
    }
    join(spanning, below, above, lower, axis, also);
    join(below, above, lower, points, axis, also);
    top = base;
  }

  function reserve(room: number): void {
    if (top + room <= stack.length) return;
    const grown = new Uint32Array(Math.max(2 * stack.length, top + room));
    grown.set(stack.subarray(0, top));
    stack = grown;
  }

  /** Pairs of two lists without a common box. */
  function meet(i0: number, i1: number, p0: number, p1: number): void {
    join(i0, i1, p0, p1, first, second);
    join(p0, p1, i0, i1, first, second);
  }

  /** Pairs within a list: cut in two where few boxes straddle; these meet the second half. Reorders the list. */
  function divide(from: number, to: number, cuts: number): void {
    if (to - from < FEW) {
      scanWithin(from, to);
      return;
    }
    const cut = cuts === MAX_CUTS ? undefined : findCut(from, to);
    if (!cut) {
      join(from, to, from, to, first, second);
      return;
    }
    const { rank, end } = cut.axis;
    const base = top;
    reserve(2 * (to - from));
    let middle = from;
    let furthest = 0;
    for (let i = from; i < to; i++) {
      const a = stack[i];
      if (rank[a] >= cut.at) stack[top++] = a;
      else {
        stack[middle++] = a;
        if (end[a] > furthest) furthest = end[a];
      }
    }
    stack.copyWithin(middle, base, top);
    top = base;
    for (let i = from; i < middle; i++) if (end[stack[i]] > cut.at) stack[top++] = stack[i];
    const points = top;
    for (let p = middle; p < to; p++) if (rank[stack[p]] < furthest) stack[top++] = stack[p];
    meet(base, points, points, top);
    top = base;
    divide(from, middle, cuts + 1);
    divide(middle, to, cuts + 1);
  }

  /** The rank and the axis where, by a sample, fewest boxes straddle the middle; nothing if most do everywhere. */
  function findCut(from: number, to: number): { axis: Axis; at: number } | undefined {
    let best: { axis: Axis; at: number } | undefined;
    let fewest = SAMPLE / 2;
    for (const axis of [scanned, first, second]) {
      for (let k = 0; k < SAMPLE; k++) sample[k] = axis.rank[stack[sampleAt(from, to, k)]];
      const at = sample.sort()[SAMPLE >> 1];
      let straddling = 0;
      for (let k = 0; k < SAMPLE; k++) {
        const a = stack[sampleAt(from, to, k)];
        if (axis.rank[a] < at && axis.end[a] > at) straddling++;
      }
      if (straddling < fewest) {
        fewest = straddling;
        best = { axis, at };
      }
    }
    return best;
  }

  const limit = split ?? count;
  for (let p = 0; p < count; p++) if (numbers[p] < limit) stack[top++] = p;
  if (split === undefined) divide(0, count, 0);
  else {
    for (let p = 0; p < count; p++) if (numbers[p] >= split) stack[top++] = p;
    meet(0, split, split, count);
  }
  return out;
}

function sampleAt(from: number, to: number, k: number): number {
  return from + Math.floor(((to - from) * k) / SAMPLE);
}

function overlap(axis: Axis, p: number, q: number): boolean {
  return axis.rank[q] < axis.end[p] && axis.rank[p] < axis.end[q];
}

function minimaOrder(boxes: Float64Array, axis: number, count: number): Uint32Array {
  const minima = new Float64Array(count);
  for (let i = 0; i < count; i++) minima[i] = boxes[6 * i + axis];
  return risingOrder(minima);
}

function rankAxis(boxes: Float64Array, axis: number, distance: number, order: Uint32Array): Axis {
  const count = order.length;
  const rank = new Uint32Array(count);
  const end = new Uint32Array(count);
  const maxima = new Float64Array(count);
  for (let at = 0; at < count; at++) rank[order[at]] = at;
  for (let i = 0; i < count; i++) maxima[i] = boxes[6 * i + 3 + axis] + distance;
  let below = 0;
  for (const i of risingOrder(maxima)) {
    while (below < count && boxes[6 * order[below] + axis] <= maxima[i]) below++;
    end[i] = below;
  }
  return { rank, end };
}

function renumber(axis: Axis, numbers: Uint32Array): Axis {
  return { rank: numbers.map((i) => axis.rank[i]), end: numbers.map((i) => axis.end[i]) };
}

/** Pairs by their lesser number, then the greater; blocks are let go as they are read. */
export function orderedPairs({ blocks, count }: PairBlocks, boxCount: number): Uint32Array {
  const first = new Uint32Array(boxCount + 1);
  const lengthOf = (b: number) => (b === blocks.length - 1 ? 2 * (count - b * BLOCK) : 2 * BLOCK);
  for (let b = 0; b < blocks.length; b++) {
    const block = blocks[b];
    for (let at = 0; at < lengthOf(b); at += 2) first[block[at] + 1]++;
  }
  for (let i = 0; i < boxCount; i++) first[i + 1] += first[i];
  const partners = new Uint32Array(count);
  const next = first.slice(0, boxCount);
  for (let b = 0; b < blocks.length; b++) {
    const block = blocks[b];
    for (let at = 0; at < lengthOf(b); at += 2) partners[next[block[at]]++] = block[at + 1];
    blocks[b] = NO_PAIRS;
  }
  const pairs = new Uint32Array(2 * count);
  for (let i = 0, at = 0; i < boxCount; i++) {
    sortRange(partners, first[i], first[i + 1]);
    for (let k = first[i]; k < first[i + 1]; k++) {
      pairs[at++] = i;
      pairs[at++] = partners[k];
    }
  }
  return pairs;
}

function sortRange(values: Uint32Array, from: number, to: number): void {
  if (to - from > 24) {
    values.subarray(from, to).sort();
    return;
  }
  for (let k = from + 1; k < to; k++) {
    const value = values[k];
    let at = k;
    for (; at > from && values[at - 1] > value; at--) values[at] = values[at - 1];
    values[at] = value;
  }
}
