/** Which pieces of two objects are near each other. */
import { boxPairsBetween } from '../../scene/box-pairs.js';
import type { StoredModel } from '../../store/model.js';
import { sharedDepth } from '../pair/box-gap.js';
import { withinReach } from './candidates.js';

/** Objects that may come to take a larger share of the memory are not looked at as a whole. */
export const WHOLE_SHARE = 0.8;

const ONLY_PAIR = Uint32Array.of(0, 0);
/** Fewer combinations than this are simply tried. */
const FEW = 256;

/** Positions among the pieces of a and of b, alternating: those whose boxes are within `reach`. */
export function nearPieces(model: StoredModel, a: number, b: number, reach: number): Uint32Array {
  const { objectFirstPlaced, placedBox } = model.directory;
  const countA = model.pieceCountOf(a);
  const countB = model.pieceCountOf(b);
  if (countA === 1 && countB === 1) return ONLY_PAIR;
  const firstA = 6 * objectFirstPlaced[a];
  const firstB = 6 * objectFirstPlaced[b];
  // rounding, as for whole objects
  let largest = 0;
  for (const x of model.box(a)) largest = Math.max(largest, Math.abs(x));
  const within = reach + 2 ** -44 * largest;
  if (countA * countB > FEW) {
    const boxesA = placedBox.subarray(firstA, firstA + 6 * countA);
    return boxPairsBetween(boxesA, placedBox.subarray(firstB, firstB + 6 * countB), within);
  }
  const out: number[] = [];
  for (let i = 0; i < countA; i++) {
    for (let j = 0; j < countB; j++) {
      if (withinReach(placedBox, firstA + 6 * i, placedBox, firstB + 6 * j, within)) out.push(i, j);
    }
  }
  return Uint32Array.from(out);
}

/**
 * The pieces that a pair may come to need: those near each other, two and two; then, where the objects' boxes share more
 * than `tolerance`, all of them, since what lies inside may have to be told from what lies outside.
 */
export function neededPieces(
  model: StoredModel,
  a: number,
  b: number,
  rule: { readonly clearance: number; readonly tolerance: number },
): number[] {
  const [firstA, firstB] = [model.firstPiece(a), model.firstPiece(b)];
  const near = nearPieces(model, a, b, rule.clearance);
  const out: number[] = [];
  for (let k = 0; k < near.length; k += 2) out.push(firstA + near[k], firstB + near[k + 1]);
  // no surfaces to compare; one object may still lie inside the other
  if (near.length === 0) out.push(firstA, firstB);
  const [countA, countB] = [model.pieceCountOf(a), model.pieceCountOf(b)];
  if ((countA > 1 || countB > 1) && sharedDepth(model.box(a), model.box(b)) > rule.tolerance) {
    for (let i = 0; i < countA; i++) out.push(firstA + i, firstB);
    for (let i = 0; i < countB; i++) out.push(firstB + i, firstA);
  }
  return out;
}
