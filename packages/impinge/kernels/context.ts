/**
 * The memory block of one query: its inputs, its output buffers, and the state of the traversal, so that a query can
 * return when an output is full and be resumed later, and queries can nest.
 */
// host: Q.* = Q_*
// host: Status.* = DONE PAIRS_FULL DOUBTS_FULL NEED_TREELET GIVEN_UP TOO_FAR NEED_BOXES
// host: Q_HEADER_BYTES

export const Q_TREE_A: usize = 0;
export const Q_TREE_B: usize = 4;
export const Q_MESH_A: usize = 8;
export const Q_MESH_B: usize = 12;
/** Pairs found for certain (triangle of a, triangle of b), and the capacity of their buffer. */
export const Q_PAIRS: usize = 16;
export const Q_PAIR_CAPACITY: usize = 20;
export const Q_PAIRS_FOUND: usize = 24;
/** Pairs that floating point cannot decide; the host decides them exactly. */
export const Q_DOUBTS: usize = 28;
export const Q_DOUBT_CAPACITY: usize = 32;
export const Q_DOUBT_COUNT: usize = 36;
export const Q_STACK: usize = 40;
export const Q_STACK_TOP: usize = 44;
/** The query stops at this many certain pairs. */
export const Q_LIMIT: usize = 48;
export const Q_STARTED: usize = 52;
/** float64: the distance asked about (tolerance), or the smallest found so far (distance). */
export const Q_BOUND: usize = 56;
/** float64 rotation (9, row-major) and translation (3) from mesh b's coordinates to mesh a's. */
export const Q_POSE: usize = 64;
/** float32: the same motion between the trees' centres: quaternion, translation, slack; then its inverse. */
export const Q_B_TO_A: usize = 160;
export const Q_A_TO_B: usize = 192;
export const Q_VOLUME_TESTS: usize = 224;
export const Q_LEAF_PAIRS: usize = 228;
export const Q_TRIANGLE_TESTS: usize = 232;
export const Q_EXACT_TESTS: usize = 236;
/** The closest pair so far (distance). */
export const Q_BEST_A: usize = 240;
export const Q_BEST_B: usize = 244;
/** The treelet to expand when a query returns NEED_TREELET: tree, slot. */
export const Q_PENDING_SIDE: usize = 248;
export const Q_PENDING_SLOT: usize = 252;

/** Best-first search: entries in the heap, pairs opened so far. */
export const Q_HEAP_COUNT: usize = 256;
export const Q_HEAP_STEPS: usize = 260;

/** float64: how much farther apart than the closest pair the reported one may be (distance). */
export const Q_SLACK: usize = 264;

/** The status with which the kernel left one question of a batch (small.ts). */
export const Q_STATUS: usize = 272;

/** The boxes of both meshes (ordered-boxes.ts), or 0. */
export const Q_BOXES_A: usize = 276;
export const Q_BOXES_B: usize = 280;

/** float32: the same as Q_SLACK, as a share of the distance. */
export const Q_SHARE: usize = 316;
/** The kernels of @impinge/model define further fields up to this offset. */
export const Q_HEADER_BYTES: usize = 320;

/** Return values of query kernels. */
export const DONE: i32 = 0;
export const PAIRS_FULL: i32 = 1;
export const DOUBTS_FULL: i32 = 2;
export const NEED_TREELET: i32 = 3;
/** The query takes too long without trees: repeat it with trees. */
export const GIVEN_UP: i32 = 4;
/** The meshes extend too far for float32 to hold the squares of distances. */
export const TOO_FAR: i32 = 5;
/** Repeat the query with the boxes of both meshes. */
export const NEED_BOXES: i32 = 6;

/** Names the pending lane at which a walk stops; the host builds it and calls again. */
// @ts-ignore: decorator
@inline export function askForTreelet(query: usize, ofA: bool, slot: usize): i32 {
  store<u32>(query, ofA ? 0 : 1, Q_PENDING_SIDE);
  store<u32>(query, <u32>slot, Q_PENDING_SLOT);
  return NEED_TREELET;
}

/** Returns DONE, or the output that has too little room for all pairs of two leaves of four triangles. */
// @ts-ignore: decorator
@inline export function fullOutput(query: usize): i32 {
  if (load<u32>(query, Q_PAIRS_FOUND) + 16 > load<u32>(query, Q_PAIR_CAPACITY)) return PAIRS_FULL;
  return load<u32>(query, Q_DOUBT_COUNT) + 16 > load<u32>(query, Q_DOUBT_CAPACITY) ? DOUBTS_FULL : DONE;
}

/** Reports a pair that is certain; `addDoubt` one that the host must decide. */
// @ts-ignore: decorator
@inline export function addPair(query: usize, key: u64): void { append(query, Q_PAIRS, Q_PAIRS_FOUND, key); }
// @ts-ignore: decorator
@inline export function addDoubt(query: usize, key: u64): void { append(query, Q_DOUBTS, Q_DOUBT_COUNT, key); }

// @ts-ignore: decorator
@inline function append(query: usize, list: usize, count: usize, key: u64): void {
  const n = load<u32>(query + count);
  store<u64>(<usize>load<u32>(query + list) + 8 * <usize>n, key);
  store<u32>(query + count, n + 1);
}

// @ts-ignore: decorator
@inline export function addCount(query: usize, counter: usize, by: u32): void {
  store<u32>(query + counter, load<u32>(query + counter) + by);
}
