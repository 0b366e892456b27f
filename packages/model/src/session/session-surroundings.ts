/** The pieces near a box, held in memory for as long as the caller works with them. */
import { DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { grownBytesOf } from '../store/piece-cache.js';
import type { SessionPiece, SessionSurroundings } from './session-body.js';
import type { SessionModel } from './session-model.js';

interface Near {
  readonly stored: SessionModel;
  readonly placed: readonly number[];
}

/** Throws `out-of-memory` where the pieces of `surroundingsOf` do not fit into the cap together. */
export function assertHoldable(box: Float64Array, memory: number, around: readonly Near[]): void {
  let bytes = 0;
  for (const { stored, placed } of around) {
    const pieces = stored.shownWithin(box, 0, placed).map((one) => stored.placed.pieceOf(one));
    bytes += grownBytesOf(stored.model, pieces);
  }
  if (bytes <= memory) return;
  throw new ImpingeError('out-of-memory', `what meets the box takes ${bytes} bytes, the cap is ${memory}`, {
    bytes,
    memory,
  });
}

/** Those of the placed pieces that are shown and have boxes within `distance` of a box. */
export async function surroundingsOf(
  box: Float64Array,
  distance: number,
  around: readonly Near[],
): Promise<SessionSurroundings> {
  const held: (() => void)[] = [];
  const dispose = () => {
    for (const release of held.splice(0)) release();
  };
  const pieces: SessionPiece[] = [];
  try {
    for (const { stored, placed: nearby } of around) {
      const { placed, cache, model, number } = stored;
      const wanted = stored.shownWithin(box, distance, nearby);
      const own = [...new Set(wanted.map((one) => placed.pieceOf(one)))];
      const wait = cache.acquire(own);
      if (wait) await wait;
      held.push(() => cache.release(own));
      for (const one of wanted) {
        const object = placed.objectOf[one];
        const piece = placed.pieceOf(one);
        const part = { object, piece: piece - model.firstPiece(object), mesh: cache.mesh(piece) };
        pieces.push({ target: number, ...part, pose: model.pose(object) });
      }
    }
  } catch (error) {
    dispose();
    throw error;
  }
  return { pieces, dispose, [DISPOSE]: dispose };
}
