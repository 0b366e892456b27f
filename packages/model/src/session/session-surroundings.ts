/** The pieces around a body of a session, held in memory for as long as the caller works with them. */
import { DISPOSE } from 'impinge/internal/base/dispose.js';
import type { Body, SessionPiece, SessionSurroundings } from './session-body.js';
import type { SessionModel } from './session-model.js';

/** Those of the placed pieces that are shown and have boxes within `distance` of the body's. */
export async function surroundingsOf(
  body: Body,
  distance: number,
  around: readonly { readonly stored: SessionModel; readonly placed: readonly number[] }[],
): Promise<SessionSurroundings> {
  const box = body.box.slice();
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
