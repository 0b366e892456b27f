/**
 * Steps shared by walks with a distance: one box against four, with lower bounds of the distance.
 *
 * Layout: an entry is (slot of a, slot of b, lower bound float32, depth), 16 bytes. It is written and moved as one
 * 64-bit and two 32-bit parts: a wider load would wait for the narrower stores.
 */
import { Q_A_TO_B, Q_B_TO_A } from './context';
import { emptyLanes, lowerBoundSq4, prepareOne } from './obb';
import { BOUNDS, ONE, scratch } from './scratch';

export const ENTRY: usize = 16;

/** A float32 above the square of a float64 distance, by more than the bounds lose to rounding. */
// @ts-ignore: decorator
@inline export function squareUp(d: f64): f32 { return <f32>(d * d * 1.00001); }

/**
 * Writes the bounds of the four lanes of `block` against the box at `slot` to BOUNDS; bit l is set if lane l is within
 * the limit.
 */
// @ts-ignore: decorator
@inline export function nearLanes(query: usize, slot: usize, block: usize, slotIsA: bool, limitSq: f32): i32 {
  prepareOne(slot, query + (slotIsA ? Q_A_TO_B : Q_B_TO_A), scratch + ONE);
  lowerBoundSq4(scratch + ONE, block, scratch + BOUNDS);
  return i32x4.bitmask(v128.andnot(f32x4.le(v128.load(scratch + BOUNDS), f32x4.splat(limitSq)), emptyLanes(block)));
}

// @ts-ignore: decorator
@inline export function boundOf(lane: usize): f32 { return load<f32>(scratch + BOUNDS + 4 * lane); }

// @ts-ignore: decorator
@inline export function slotPair(slot: usize, lane: usize, slotIsA: bool): u64 {
  return slotIsA ? <u64>slot | (<u64>lane << 32) : <u64>lane | (<u64>slot << 32);
}

/** Pushes the lanes of `block` whose bound is below `limitSq`, the nearest on top. */
// @ts-ignore: decorator
@inline export function pushNear(query: usize, top: usize, slot: usize, block: usize, slotIsA: bool, limitSq: f32): usize {
  let mask = nearLanes(query, slot, block, slotIsA, limitSq);
  const first = top;
  while (mask) {
    const lane = <usize>ctz(mask);
    mask &= mask - 1;
    const bound = boundOf(lane);
    let at = top;
    while (at > first && load<f32>(at - 8) < bound) {
      store<u64>(at, load<u64>(at - ENTRY));
      store<f32>(at, load<f32>(at - 8), 8);
      at -= ENTRY;
    }
    store<u64>(at, slotPair(slot, block + 4 * lane, slotIsA));
    store<f32>(at, bound, 8);
    top += ENTRY;
  }
  return top;
}
