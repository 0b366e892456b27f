/**
 * Checks that the levels of a store are consistent, so that every error has a valid front.
 *
 * Groups are numbered in the order of their pieces. The pieces a group makes are consecutive: first one piece for each
 * step on the way, if any, each of a higher level than the one before, then those of its end. Every piece names the
 * group it is an input of, and the error at which it leaves; that must be where the first piece of that group enters.
 * Then a front is a cut through the hierarchy, and has every original once.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { NONE } from './layout.js';
import type { Directory } from './model.js';

function fail(piece: number, why: string): never {
  throw new ImpingeError('bad-buffer', `the store was altered: piece ${piece} ${why}`, { piece });
}

/** Throws unless they do. A store without levels has empty sections. */
export function assertLevels(d: Directory): void {
  const { shapeFirstPiece, shapeExactPieces } = d;
  if (d.pieceLevel.length === 0) {
    for (let shape = 0; shape < shapeExactPieces.length; shape++) {
      const coarser = shapeFirstPiece[shape] + shapeExactPieces[shape];
      if (coarser < shapeFirstPiece[shape + 1]) fail(coarser, 'is coarser, and the store has no levels');
    }
    return;
  }
  const firstOfGroup = groupStarts(d);
  for (let shape = 0; shape < shapeExactPieces.length; shape++) {
    const [first, end] = [shapeFirstPiece[shape], shapeFirstPiece[shape + 1]];
    const coarser = first + shapeExactPieces[shape];
    for (let piece = first; piece < end; piece++) assertNumbers(d, piece, piece < coarser);
  }
  for (let shape = 0; shape < shapeExactPieces.length; shape++) {
    const [first, end] = [shapeFirstPiece[shape], shapeFirstPiece[shape + 1]];
    for (let piece = first; piece < end; piece++) assertPlace(d, piece, firstOfGroup, first, end);
  }
}

/** The first piece of each group. */
function groupStarts({ pieceGroup }: Directory): number[] {
  const starts: number[] = [];
  for (let piece = 0; piece < pieceGroup.length; piece++) {
    if (pieceGroup[piece] === NONE || pieceGroup[piece] === starts.length - 1) continue;
    if (pieceGroup[piece] !== starts.length) fail(piece, 'is of a group that is out of order');
    starts.push(piece);
  }
  return starts;
}

function errorOf({ pieceOut, pieceIn }: Directory, piece: number): number {
  return pieceOut[piece] + pieceIn[piece];
}

function assertNumbers(d: Directory, piece: number, isExact: boolean): void {
  const error = errorOf(d, piece);
  if (!(d.pieceOut[piece] >= 0 && d.pieceIn[piece] >= 0 && error < Infinity))
    fail(piece, 'has no valid error');
  if (!(d.pieceNext[piece] >= error)) fail(piece, 'has a larger error than what stands for it next');
  if (isExact !== (error === 0))
    fail(piece, isExact ? 'is exact, and has an error' : 'is coarser without an error');
  if (isExact !== (d.pieceLevel[piece] === 0)) fail(piece, 'has a wrong level');
  if (isExact !== (d.pieceGroup[piece] === NONE)) fail(piece, 'has a wrong group');
  for (let k = 0; k < 3; k++) {
    const low = d.pieceBox[6 * piece + k];
    const high = d.pieceBox[6 * piece + 3 + k];
    if (!(low <= high && low > -Infinity && high < Infinity)) fail(piece, 'has no valid box');
  }
}

/** Checks that a piece enters and leaves with its group, within its shape. */
function assertPlace(
  d: Directory,
  piece: number,
  firstOfGroup: readonly number[],
  first: number,
  end: number,
): void {
  const group = d.pieceGroup[piece];
  const into = d.pieceInto[piece];
  const level = d.pieceLevel[piece];
  if (group !== NONE && firstOfGroup[group] !== piece) {
    const before = piece - 1;
    // first of its step: the previous piece is an intermediate one of the same group
    const isFirst = d.pieceInto[before] === group;
    if (firstOfGroup[group] < first || (isFirst ? d.pieceLevel[before] >= level : into === group)) {
      fail(piece, 'is not where the others of its group are');
    }
    if (!isFirst && (d.pieceLevel[before] !== level || errorOf(d, before) !== errorOf(d, piece))) {
      fail(piece, 'comes in apart from its group');
    }
  }
  if (group !== NONE && into === group) {
    // intermediate: leaves where the next step of its group enters, which follows
    if (d.pieceGroup[piece + 1] !== group || d.pieceNext[piece] !== errorOf(d, piece + 1)) {
      fail(piece, 'goes out where nothing comes in');
    }
    return;
  }
  if (into === NONE) {
    if (d.pieceNext[piece] !== Infinity) fail(piece, 'goes out where nothing comes in');
    return;
  }
  const next = firstOfGroup[into];
  if (!(next > piece && next < end)) fail(piece, 'is taken up by a group that does not exist');
  if (d.pieceNext[piece] !== errorOf(d, next)) fail(piece, 'goes out where nothing comes in');
  if (d.pieceLevel[next] <= level) fail(piece, 'is taken up by a lower level');
}
