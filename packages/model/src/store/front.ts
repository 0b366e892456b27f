/**
 * Which pieces of a shape represent it at an error.
 *
 * Guarantee: every original is represented once, by a piece whose error is no larger; where two of the pieces meet,
 * their borders match. At error 0 they are the exact pieces.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readAtMost, shown } from 'impinge/internal/base/options.js';
import type { OwnUint32 } from 'impinge/internal/base/platform-types.js';
import { assertModel, type StoredModel } from './model.js';

/** The pieces that represent a shape within `error`, in rising order. Without levels: the exact ones. */
export function frontOf(model: StoredModel, shape: number, error: number): OwnUint32 {
  assertModel(model);
  readAtMost('error', error);
  if (!(Number.isInteger(shape) && shape >= 0 && shape < model.shapeCount)) {
    throw new ImpingeError('bad-input', `there is no shape ${shown(shape)}, but ${model.shapeCount}`);
  }
  const { shapeFirstPiece } = model.directory;
  const first = shapeFirstPiece[shape];
  const end = shapeFirstPiece[shape + 1];
  const front = new Uint32Array(end - first);
  return front.slice(0, collect(model, first, end, error, front, 0));
}

/** The same for all shapes: those of shape s are at first[s] … first[s + 1]. */
export function frontsOf(model: StoredModel, error: number): { first: Uint32Array; pieces: Uint32Array } {
  const { shapeFirstPiece } = model.directory;
  const first = new Uint32Array(model.shapeCount + 1);
  const pieces = new Uint32Array(model.pieceCount);
  for (let shape = 0; shape < model.shapeCount; shape++) {
    const [from, to] = [shapeFirstPiece[shape], shapeFirstPiece[shape + 1]];
    first[shape + 1] = collect(model, from, to, error, pieces, first[shape]);
  }
  return { first, pieces: pieces.subarray(0, first[model.shapeCount]) };
}

/** Writes those of the pieces from … to that are in the front to out[at …]; returns where they end. */
function collect(
  { directory, hasLevels }: StoredModel,
  from: number,
  to: number,
  error: number,
  out: Uint32Array,
  at: number,
): number {
  const { pieceOut, pieceIn, pieceNext } = directory;
  for (let piece = from; piece < to; piece++) {
    const isRight =
      pieceOut[piece] + pieceIn[piece] <= error &&
      (error < pieceNext[piece] || pieceNext[piece] === Infinity);
    if (isRight || !hasLevels) out[at++] = piece;
  }
  return at;
}
