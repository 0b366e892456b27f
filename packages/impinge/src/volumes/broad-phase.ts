/**
 * Which of many boxes are near each other: what every broad phase offers, and the slowest of them, which the others are
 * tested against.
 *
 * Layout: six float64 per box, minimum and maximum.
 * Errs: to more pairs. Two boxes are near where minimum ≤ fl(maximum + distance) both ways, on every axis; rounding to
 * nearest never loses a pair whose real gap is within the distance.
 */
import { ImpingeError } from '../base/errors.js';
import { readLength } from '../base/options.js';

/** A way to find near pairs. All give the same answer. */
export interface BroadPhase {
  /**
   * All i < j whose closed boxes are at most `distance` apart along every axis, as pairs ordered by i, then j. Boxes
   * must be finite with minimum ≤ maximum; `distance` is finite and at least 0.
   */
  pairs(boxes: Float64Array, distance: number): Uint32Array;
}

/** Compares every box with every other. */
export const bruteForce: BroadPhase = {
  pairs(boxes, distance) {
    assertBoxes(boxes, distance);
    const found: number[] = [];
    const count = boxes.length / 6;
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) if (boxesNear(boxes, i, j, distance)) found.push(i, j);
    }
    return Uint32Array.from(found);
  },
};

/** Whether boxes i and j are near each other. */
export function boxesNear(boxes: Float64Array, i: number, j: number, distance: number): boolean {
  return boxesNearAt(boxes, 6 * i, boxes, 6 * j, distance);
}

/** The same for the boxes at a[ao ..] and b[bo ..]. */
export function boxesNearAt(
  a: Float64Array,
  ao: number,
  b: Float64Array,
  bo: number,
  distance: number,
): boolean {
  for (let k = 0; k < 3; k++) {
    if (a[ao + k] > b[bo + 3 + k] + distance || b[bo + k] > a[ao + 3 + k] + distance) return false;
  }
  return true;
}

/** Throws where boxes or distance are not what a broad phase takes. */
export function assertBoxes(boxes: Float64Array, distance: number, name = 'boxes'): void {
  readLength('distance', distance);
  if (!(boxes instanceof Float64Array) || boxes.length % 6 !== 0)
    throw new ImpingeError('bad-input', `${name}: a Float64Array of numbers, six per box, is needed`);
  for (let i = 0; i < boxes.length; i++) {
    const box = Math.floor(i / 6);
    if (!Number.isFinite(boxes[i]))
      throw new ImpingeError('non-finite', `${name}: box ${box} holds ${boxes[i]}`, { box });
    if (i % 6 > 2 && boxes[i] < boxes[i - 3])
      throw new ImpingeError('bad-input', `${name}: box ${box} has a minimum above its maximum`, { box });
  }
}
