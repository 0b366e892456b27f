/**
 * Which pieces of a shape stand for it at an error.
 *
 * Guarantee: every original is stood for once, by a piece whose error is no larger; where two of the pieces meet, their
 * borders match. At error 0 they are the exact pieces.
 */
import { ImpingeError } from '../base/errors.js';
import { readAtMost, shown } from '../base/options.js';
import { assertModel, type StoredModel } from './model.js';

/** The pieces that stand for a shape where answers may be off by `error`, in rising order. Without levels: the exact ones. */
export function frontOf(model: StoredModel, shape: number, error: number): Uint32Array<ArrayBuffer> {
  assertModel(model);
  readAtMost('error', error);
  if (!(Number.isInteger(shape) && shape >= 0 && shape < model.shapeCount)) {
    throw new ImpingeError('bad-input', `there is no shape ${shown(shape)}, but ${model.shapeCount}`);
  }
  const { hasLevels, directory } = model;
  const { shapeFirstPiece, pieceOut, pieceIn, pieceNext } = directory;
  const first = shapeFirstPiece[shape];
  const end = shapeFirstPiece[shape + 1];
  const front = new Uint32Array(end - first);
  let count = 0;
  for (let piece = first; piece < end; piece++) {
    const isRight =
      pieceOut[piece] + pieceIn[piece] <= error &&
      (error < pieceNext[piece] || pieceNext[piece] === Infinity);
    if (isRight || !hasLevels) front[count++] = piece;
  }
  return front.slice(0, count);
}
