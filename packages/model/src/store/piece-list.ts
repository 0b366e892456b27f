/** Pieces as callers list them. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';

/** The numbers in a list, each below `count`. */
export function readPieceList(pieces: ArrayLike<number>, count: number): number[] {
  if (typeof pieces !== 'object' || typeof pieces?.length !== 'number') {
    throw new ImpingeError('bad-input', `a list of pieces is needed, got ${shown(pieces)}`);
  }
  const list: number[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (!Number.isInteger(piece) || piece < 0 || piece >= count) {
      throw new ImpingeError('bad-input', `there is no piece ${shown(piece)}, but ${count}`, { piece });
    }
    list.push(piece);
  }
  return list;
}
