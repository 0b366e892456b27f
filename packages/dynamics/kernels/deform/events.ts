/**
 * Sorts hits of one kind by their elements, and writes them as events in the numbering of their surfaces.
 *
 * Idea: hits are distributed over buckets of neighbouring first vertices, about two buckets per hit, and each bucket's
 * run is sorted by itself; buckets are independent, so any thread can write any range of them.
 * Layout: byte offsets below. A segment: u32 address of hits (as ccd.ts writes them), their count, address of their
 * pairs, of the pairs' faces (0: edges). An entry, by the caller's numbers: four u32 vertices, u32 face (or second
 * vertex), u32 hit: sorting needs no lookup. A surface: u32 id, first vertex, first triangle, spare.
 */
import { ELEMENT_PAIR_BYTES, HIT_BYTES } from './layout';

// host: Order.* = SEGMENTS SEGMENT_COUNT SHIFT BUCKETS RUNS ENTRIES SURFACE_OF_VERTEX SURFACES FIRST OUT_SURFACES / 4
// host: Order.* = VERTEX_OF TRIANGLE_OF / 4
// host: ORDER_BYTES SEGMENT_BYTES ENTRY_BYTES NO_FACE VERTEX_FACE EDGE_EDGE
const ORDER_BYTES: usize = 80;
const SEGMENTS: usize = 0;
const SEGMENT_COUNT: usize = 4;
const SHIFT: usize = 8;
const BUCKETS: usize = 12;
const RUNS: usize = 16;
const ENTRIES: usize = 20;
const SURFACE_OF_VERTEX: usize = 24;
const SURFACES: usize = 28;
const FIRST: usize = 32;
const OUT_SURFACES: usize = 36;
const OUT_VERTICES: usize = 40;
const OUT_FACES: usize = 44;
const OUT_TIMES: usize = 48;
const OUT_WEIGHTS: usize = 52;
const OUT_NORMALS: usize = 56;
const VERTEX_OF: usize = 60;
const TRIANGLE_OF: usize = 64;

const SEGMENT_BYTES: usize = 16;
const ENTRY_BYTES: usize = 24;
const NO_FACE: u32 = 0xffffffff;
const VERTEX_FACE: u32 = 0;
const EDGE_EDGE: u32 = 1;
/** Runs up to this length are sorted by insertion. */
const SHORT_RUN: u32 = 16;
/** Number of splits after which a run is sorted by a heap, which no order makes slow. */
const MOST_SPLITS: u32 = 48;

/** The number by which the caller knows what is named at `at`. */
// @ts-ignore: decorator
@inline function numberOf(numbers: usize, at: usize): u32 { return load<u32>(numbers + 4 * <usize>load<u32>(at)); }

/** Puts every hit into its bucket: entries by bucket, and the end of each bucket in `runs`. */
export function gatherHits(block: usize): void {
  const runs: usize = load<u32>(block, RUNS);
  const buckets = load<u32>(block, BUCKETS);
  const shift = load<u32>(block, SHIFT);
  const entries: usize = load<u32>(block, ENTRIES);
  const segments: usize = load<u32>(block, SEGMENTS);
  const segmentsEnd = segments + SEGMENT_BYTES * <usize>load<u32>(block, SEGMENT_COUNT);
  const vertexOf: usize = load<u32>(block, VERTEX_OF), triangleOf: usize = load<u32>(block, TRIANGLE_OF);
  memory.fill(runs, 0, 4 * (<usize>buckets + 1));
  for (let segment = segments; segment < segmentsEnd; segment += SEGMENT_BYTES) {
    const pairs: usize = load<u32>(segment, 8);
    let hit: usize = load<u32>(segment);
    const end = hit + HIT_BYTES * <usize>load<u32>(segment, 4);
    for (; hit < end; hit += HIT_BYTES) {
      const first = numberOf(vertexOf, pairs + ELEMENT_PAIR_BYTES * <usize>load<u32>(hit));
      const slot = runs + 4 * <usize>(first >> shift);
      store<u32>(slot, load<u32>(slot, 4) + 1, 4);
    }
  }
  for (let b: u32 = 0, sum: u32 = 0; b <= buckets; b++) {
    sum += load<u32>(runs + 4 * <usize>b);
    store<u32>(runs + 4 * <usize>b, sum);
  }
  for (let segment = segments; segment < segmentsEnd; segment += SEGMENT_BYTES) {
    const pairs: usize = load<u32>(segment, 8);
    const faces: usize = load<u32>(segment, 12);
    let hit: usize = load<u32>(segment);
    const end = hit + HIT_BYTES * <usize>load<u32>(segment, 4);
    for (; hit < end; hit += HIT_BYTES) {
      const number: usize = load<u32>(hit);
      const pair = pairs + ELEMENT_PAIR_BYTES * number;
      const first = numberOf(vertexOf, pair), second = numberOf(vertexOf, pair + 4);
      const slot = runs + 4 * <usize>(first >> shift);
      const place = load<u32>(slot);
      store<u32>(slot, place + 1);
      const entry = entries + ENTRY_BYTES * <usize>place;
      store<u32>(entry, first);
      store<u32>(entry, second, 4);
      store<u32>(entry, numberOf(vertexOf, pair + 8), 8);
      store<u32>(entry, numberOf(vertexOf, pair + 12), 12);
      store<u32>(entry, faces ? numberOf(triangleOf, faces + 4 * number) : second, 16);
      store<u32>(entry, <u32>hit, 20);
    }
  }
}

/** First vertex, then face or second vertex. */
// @ts-ignore: decorator
@inline function firstKey(entry: usize): u64 { return (<u64>load<u32>(entry) << 32) | <u64>load<u32>(entry, 16); }
/** The second edge; different entries with faces never need it. */
// @ts-ignore: decorator
@inline function secondKey(entry: usize): u64 { return rotl(load<u64>(entry, 8), 32); }

// @ts-ignore: decorator
@inline function isBefore(a: usize, b: usize): bool {
  const p = firstKey(a), q = firstKey(b);
  return p < q || (p == q && secondKey(a) < secondKey(b));
}

// @ts-ignore: decorator
@inline function move(to: usize, from: usize): void {
  const quad = v128.load(from), places = load<u64>(from, 16);
  v128.store(to, quad);
  store<u64>(to, places, 16);
}

// @ts-ignore: decorator
@inline function exchange(a: usize, b: usize): void {
  const quad = v128.load(a), places = load<u64>(a, 16);
  move(a, b);
  v128.store(b, quad);
  store<u64>(b, places, 16);
}

function sortShort(entries: usize, end: usize): void {
  for (let k = entries + ENTRY_BYTES; k < end; k += ENTRY_BYTES) {
    if (!isBefore(k, k - ENTRY_BYTES)) continue;
    const first = firstKey(k), second = secondKey(k);
    const quad = v128.load(k), places = load<u64>(k, 16);
    let at = k;
    do {
      move(at, at - ENTRY_BYTES);
      at -= ENTRY_BYTES;
    } while (at > entries && (first < firstKey(at - ENTRY_BYTES) || (first == firstKey(at - ENTRY_BYTES) && second < secondKey(at - ENTRY_BYTES))));
    v128.store(at, quad);
    store<u64>(at, places, 16);
  }
}

function sink(entries: usize, from: u32, count: u32): void {
  for (let parent = from; ; ) {
    let child: u32 = 2 * parent + 1;
    if (child >= count) return;
    if (child + 1 < count && isBefore(entries + ENTRY_BYTES * <usize>child, entries + ENTRY_BYTES * <usize>(child + 1))) child++;
    const at = entries + ENTRY_BYTES * <usize>parent, below = entries + ENTRY_BYTES * <usize>child;
    if (!isBefore(at, below)) return;
    exchange(at, below);
    parent = child;
  }
}

function sortByHeap(entries: usize, count: u32): void {
  for (let parent = count >> 1; parent > 0; parent--) sink(entries, parent - 1, count);
  for (let left = count - 1; left > 0; left--) {
    exchange(entries, entries + ENTRY_BYTES * <usize>left);
    sink(entries, 0, left);
  }
}

/** Partitions a run around the median of three entries until runs are short, or `splits` are used up. */
function sortRun(entries: usize, count: u32, splits: u32): void {
  while (count > SHORT_RUN) {
    if (splits-- == 0) return sortByHeap(entries, count);
    const last = entries + ENTRY_BYTES * <usize>(count - 1);
    const middle = entries + ENTRY_BYTES * <usize>(count >> 1);
    if (isBefore(middle, entries)) exchange(middle, entries);
    if (isBefore(last, middle)) {
      exchange(last, middle);
      if (isBefore(middle, entries)) exchange(middle, entries);
    }
    const first = firstKey(middle), second = secondKey(middle);
    let low = entries, high = last;
    while (low <= high) {
      while (firstKey(low) < first || (firstKey(low) == first && secondKey(low) < second)) low += ENTRY_BYTES;
      while (first < firstKey(high) || (first == firstKey(high) && second < secondKey(high))) high -= ENTRY_BYTES;
      if (low > high) break;
      exchange(low, high);
      low += ENTRY_BYTES;
      high -= ENTRY_BYTES;
    }
    const left = <u32>((high + ENTRY_BYTES - entries) / ENTRY_BYTES), right = <u32>((last + ENTRY_BYTES - low) / ENTRY_BYTES);
    // the shorter side first, so that calls nest no deeper than log2(count)
    if (left < right) {
      sortRun(entries, left, splits);
      entries = low;
      count = right;
    } else {
      sortRun(low, right, splits);
      count = left;
    }
  }
  sortShort(entries, entries + ENTRY_BYTES * <usize>count);
}

/** Sorts and writes the hits of buckets [from, to). */
export function writeEvents(block: usize, from: u32, to: u32): void {
  const runs: usize = load<u32>(block, RUNS);
  const entries: usize = load<u32>(block, ENTRIES);
  const first: u32 = from == 0 ? 0 : load<u32>(runs + 4 * <usize>(from - 1));
  let begin = first;
  for (let b = from; b < to; b++) {
    const end = load<u32>(runs + 4 * <usize>b);
    if (end - begin > 1) sortRun(entries + ENTRY_BYTES * <usize>begin, end - begin, MOST_SPLITS);
    begin = end;
  }
  writeEntries(block, first, begin);
}

function writeEntries(block: usize, from: u32, to: u32): void {
  const surfaceOf: usize = load<u32>(block, SURFACE_OF_VERTEX);
  const surfaces: usize = load<u32>(block, SURFACES);
  const at = <usize>(from + load<u32>(block, FIRST));
  let ids = <usize>load<u32>(block, OUT_SURFACES) + 8 * at;
  let vertices = <usize>load<u32>(block, OUT_VERTICES) + 16 * at;
  let faces = <usize>load<u32>(block, OUT_FACES) + 4 * at;
  let times = <usize>load<u32>(block, OUT_TIMES) + 8 * at;
  let weights = <usize>load<u32>(block, OUT_WEIGHTS) + 16 * at;
  let normals = <usize>load<u32>(block, OUT_NORMALS) + 24 * at;
  let entry = <usize>load<u32>(block, ENTRIES) + ENTRY_BYTES * <usize>from;
  const end = entry + ENTRY_BYTES * <usize>(to - from);
  for (; entry < end; entry += ENTRY_BYTES) {
    const hit: usize = load<u32>(entry, 20);
    const edges = load<u32>(hit, 4) == EDGE_EDGE;
    const a = surfaces + 16 * <usize>load<u32>(surfaceOf + 4 * <usize>load<u32>(entry));
    const b = surfaces + 16 * <usize>load<u32>(surfaceOf + 4 * <usize>load<u32>(entry, 12));
    const baseA = load<i32>(a, 4), baseB = load<i32>(b, 4);
    store<u32>(ids, load<u32>(a));
    store<u32>(ids, load<u32>(b), 4);
    v128.store(vertices, i32x4.sub(v128.load(entry), i32x4(baseA, edges ? baseA : baseB, baseB, baseB)));
    store<u32>(faces, edges ? NO_FACE : load<u32>(entry, 16) - load<u32>(b, 8));
    store<f64>(times, load<f64>(hit, 8));
    v128.store(weights, v128.load(hit, 16));
    v128.store(normals, v128.load(hit, 32));
    store<f64>(normals, load<f64>(hit, 48), 16);
    ids += 8;
    vertices += 16;
    faces += 4;
    times += 8;
    weights += 16;
    normals += 24;
  }
}
