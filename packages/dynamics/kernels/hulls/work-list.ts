/**
 * Pairs that a query has yet to process: a heap, the largest measure first, ties by the first nodes; or a plain list,
 * if all are to be divided anyway.
 *
 * Layout of an item: number of the entry, one of its answer, measure, its two nodes as one number, a lower bound of the
 * distance of its originals.
 */
// host: W.* = W_*
// host: WORK_BYTES
const W_WORK: usize = 20;
export const W_WORK_COUNT: usize = 44;
const WORK_BYTES: usize = 32;

const I_ANSWER: usize = 4;
const I_MEASURE: usize = 8;
const I_KEY: usize = 16;
const I_LEAST: usize = 24;

export function workAt(walk: usize, i: u32): usize { return load<u32>(walk, W_WORK) + <usize>i * WORK_BYTES; }
export function measureAt(item: usize): f64 { return load<f64>(item, I_MEASURE); }
export function leastAt(item: usize): f64 { return load<f64>(item, I_LEAST); }

export function answerAt(item: usize): u32 { return load<u32>(item, I_ANSWER); }
export function nodesAt(item: usize): u64 { return load<u64>(item, I_KEY); }

function move(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
}

function set(item: usize, entry: u32, measure: f64, key: u64, least: f64): void {
  store<u32>(item, entry);
  store<f64>(item, measure, I_MEASURE);
  store<u64>(item, key, I_KEY);
  store<f64>(item, least, I_LEAST);
}

/** Adds to the end of the list. */
export function add(walk: usize, entry: u32, measure: f64, key: u64, least: f64): void {
  const count = load<u32>(walk, W_WORK_COUNT);
  store<u32>(walk, count + 1, W_WORK_COUNT);
  set(workAt(walk, count), entry, measure, key, least);
}

/** Moves the last item of the list to the place of another. */
export function takeOut(walk: usize, i: u32): void {
  const count = load<u32>(walk, W_WORK_COUNT) - 1;
  store<u32>(walk, count, W_WORK_COUNT);
  if (i < count) move(workAt(walk, i), workAt(walk, count));
}

/** Adds to the heap. */
export function push(walk: usize, entry: u32, measure: f64, key: u64, least: f64, answer: u32 = 0): void {
  let i = load<u32>(walk, W_WORK_COUNT);
  store<u32>(walk, i + 1, W_WORK_COUNT);
  while (i > 0) {
    const above = (i - 1) >> 1;
    const at = workAt(walk, above);
    if (!isBefore(measure, key, at)) break;
    move(workAt(walk, i), at);
    i = above;
  }
  set(workAt(walk, i), entry, measure, key, least);
  store<u32>(workAt(walk, i), answer, I_ANSWER);
}

/** Takes the first out of the heap. */
export function pop(walk: usize): void {
  const count = load<u32>(walk, W_WORK_COUNT) - 1;
  store<u32>(walk, count, W_WORK_COUNT);
  const last = workAt(walk, count);
  let i: u32 = 0;
  for (let below: u32 = 1; below < count; below = 2 * i + 1) {
    const beside = workAt(walk, below + 1);
    if (below + 1 < count && isBefore(load<f64>(beside, I_MEASURE), load<u64>(beside, I_KEY), workAt(walk, below))) below++;
    const at = workAt(walk, below);
    if (isBefore(load<f64>(last, I_MEASURE), load<u64>(last, I_KEY), at)) break;
    move(workAt(walk, i), at);
    i = below;
  }
  if (count > 0) move(workAt(walk, i), last);
}

function isBefore(measure: f64, key: u64, other: usize): bool {
  const otherMeasure = load<f64>(other, I_MEASURE);
  return measure > otherMeasure || (measure == otherMeasure && key < load<u64>(other, I_KEY));
}
