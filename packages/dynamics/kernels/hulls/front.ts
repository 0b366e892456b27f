/**
 * Visited pairs of nodes of two dual hierarchies, kept from query to query.
 *
 * Layout of an entry: the two nodes; its children (consecutive; number 0 is the root and no entry's child) and their
 * number; a lower bound of the distance of their boxes and how far the bodies had travelled then; the corners of the
 * hulls to begin with. Children are allocated in blocks of powers of two; free blocks form a list for each size, linked
 * by the field of the children.
 */
import { N_CHILDREN, N_FIRST_CHILD, nodeAt, rootOf } from './dual';

// host: W.* = W_*
// host: E_APART ENTRY_BYTES
/** Fields of a walk. */
export const W_DUAL_A: usize = 0;
export const W_DUAL_B: usize = 4;
export const W_ENTRIES: usize = 8;
export const W_CAPACITY: usize = 12;
export const W_USED: usize = 16;
export const W_FREE: usize = 192; // 32 numbers of entries, 0: none

/** Fields of an entry. */
export const E_A: usize = 0;
export const E_B: usize = 4;
export const E_CHILDREN: usize = 8;
export const E_COUNT: usize = 12;
export const E_APART: usize = 16;
export const E_TRAVEL: usize = 24;
export const E_CORNERS: usize = 32;
const ENTRY_BYTES: usize = 64;

export function entryAt(walk: usize, entry: u32): usize {
  return load<u32>(walk, W_ENTRIES) + <usize>entry * ENTRY_BYTES;
}

/** The two nodes of an entry as one number. */
export function keyOf(walk: usize, entry: u32): u64 {
  const e = entryAt(walk, entry);
  return (<u64>load<u32>(e, E_A) << 32) | load<u32>(e, E_B);
}

/** Initialises an entry of two nodes. */
function setEntry(e: usize, a: u32, b: u32): void {
  for (let at: usize = 0; at < ENTRY_BYTES; at += 16) v128.store(e + at, i64x2.splat(0));
  store<u32>(e, a, E_A);
  store<u32>(e, b, E_B);
  store<f64>(e, -Infinity, E_APART);
}

/** Begins with only the two roots. */
export function beginFront(walk: usize): void {
  memory.fill(walk + W_FREE, 0, 128);
  setEntry(entryAt(walk, 0), rootOf(load<u32>(walk, W_DUAL_A)), rootOf(load<u32>(walk, W_DUAL_B)));
  store<u32>(walk, 1, W_USED);
}

/**
 * Gives an entry its children: those of a's node with b's node, or those of b's with a's; false if there is no room.
 */
export function split(walk: usize, entry: u32, splitA: bool): bool {
  const e = entryAt(walk, entry);
  const a = load<u32>(e, E_A), b = load<u32>(e, E_B);
  const node = splitA ? nodeAt(load<u32>(walk, W_DUAL_A), a) : nodeAt(load<u32>(walk, W_DUAL_B), b);
  const count = load<u32>(node, N_CHILDREN), first = load<u32>(node, N_FIRST_CHILD);
  const children = allot(walk, count);
  if (children == 0) return false;
  for (let i: u32 = 0; i < count; i++) {
    setEntry(entryAt(walk, children + i), splitA ? first + i : a, splitA ? b : first + i);
  }
  store<u32>(e, children, E_CHILDREN);
  store<u32>(e, count, E_COUNT);
  return true;
}

/** Frees all entries below an entry. */
export function merge(walk: usize, entry: u32): void {
  const e = entryAt(walk, entry);
  const children = load<u32>(e, E_CHILDREN), count = load<u32>(e, E_COUNT);
  if (count == 0) return;
  for (let i: u32 = 0; i < count; i++) merge(walk, children + i);
  const free = walk + W_FREE + <usize>sizeOf(count) * 4;
  store<u32>(entryAt(walk, children), load<u32>(free), E_CHILDREN);
  store<u32>(free, children);
  store<u32>(e, 0, E_CHILDREN);
  store<u32>(e, 0, E_COUNT);
}

/** The power of two that a number of children takes. */
function sizeOf(count: u32): u32 { return count <= 1 ? 0 : 32 - clz(count - 1); }

function allot(walk: usize, count: u32): u32 {
  const size = sizeOf(count);
  const free = walk + W_FREE + <usize>size * 4;
  const first = load<u32>(free);
  if (first != 0) {
    store<u32>(free, load<u32>(entryAt(walk, first), E_CHILDREN));
    return first;
  }
  const used = load<u32>(walk, W_USED);
  if (used + (1 << size) > load<u32>(walk, W_CAPACITY)) return 0;
  store<u32>(walk, used + (1 << size), W_USED);
  return used;
}
