/** Which pieces of two objects are near each other. */
import { boxPairsBetween } from '../../scene/box-pairs.js';
import type { StoredModel } from '../../store/model.js';
import { withinReach } from './candidates.js';

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
