/**
 * The levels of a model as steps. A step takes pieces out of a front, its inputs, and puts coarser ones, its outputs,
 * in their place: the two steps of a group lead from its inputs to its half, and from there to its end.
 *
 * Why any selection is free of cracks: Call a set of steps closed if with a step it holds every step that made one of
 * its inputs. Taken in rising order from the exact pieces on, the steps of a closed set find all of their inputs in the
 * front, because their makers came before and no other step takes them away. So the result is a front: the pieces whose
 * maker is in the set, or that are exact, and that no step of the set takes away. Each original is represented once, at
 * first by its own piece, then by the outputs of the step that took it away. And the pieces of the front fit together:
 * the exact ones do, and a step leaves the vertices and edges alone that its inputs share with other pieces, so its
 * outputs border on those as its inputs did.
 *
 * Invariant: a step's number is above those of the steps that made its inputs; its errors are no smaller than theirs,
 * and its box holds theirs. So the steps with errors below a bound that does not grow with the box are a closed set.
 */
import { NONE } from './layout.js';

export interface Steps {
  readonly count: number;
  /** One more than there are shapes. */
  readonly shapeFirstStep: Uint32Array;
  /** Per step: the larger of out and in, which bound the distance between its outputs and the originals. */
  readonly deviation: Float64Array;
  /** Per step: out + in, as `error` means it in queries. */
  readonly error: Float64Array;
  /** Per step: the largest of its outputs' own. */
  readonly out: Float64Array;
  readonly in: Float64Array;
  /** Pieces by step; step s has those from `first[s]` on. */
  readonly inputs: Uint32Array;
  readonly firstInput: Uint32Array;
  readonly outputs: Uint32Array;
  readonly firstOutput: Uint32Array;
  /** Per step: the number of its outputs that another step takes away. */
  readonly takenOutputs: Uint32Array;
  /** Per piece: the step that made it and the one that takes it away, −1 if none. */
  readonly maker: Int32Array;
  readonly taker: Int32Array;
  /** Per piece: 1 where both are steps of one group. */
  readonly isHalf: Uint8Array;
}

export interface BoxedSteps extends Steps {
  /** Six per step, around everything its outputs represent. */
  readonly box: Float64Array;
  /** The box around everything of a shape, six each. */
  readonly shapeBox: Float64Array;
}

/** The sections of a store's directory that steps are made of. */
export type SteppedPieces = {
  readonly [Section in
    | 'shapeFirstPiece'
    | 'pieceOut'
    | 'pieceIn'
    | 'pieceBox'
    | 'pieceLevel'
    | 'pieceGroup'
    | 'pieceInto']: ArrayLike<number>;
};

/** Pieces of a step follow each other, so do steps of a group; groups come after those they take from. */
export function stepsOf(pieces: SteppedPieces): Steps {
  const { pieceLevel, pieceGroup, pieceInto, shapeFirstPiece } = pieces;
  const pieceCount = pieceLevel.length;
  const shapes = shapeFirstPiece.length - 1;
  const maker = new Int32Array(pieceCount).fill(-1);
  const taker = new Int32Array(pieceCount).fill(-1);
  const isHalf = new Uint8Array(pieceCount);
  const shapeFirstStep = new Uint32Array(shapes + 1);
  const firstOfGroup = new Int32Array(pieceCount).fill(-1);
  let count = 0;
  for (let shape = 0; shape < shapes; shape++) {
    const [from, to] = [shapeFirstPiece[shape], shapeFirstPiece[shape + 1]];
    for (let piece = from; piece < to; piece++) {
      const group = pieceGroup[piece];
      if (group === NONE) continue;
      const isSame = piece > from && pieceGroup[piece - 1] === group;
      if (!isSame) firstOfGroup[group] = count;
      if (!isSame || pieceLevel[piece - 1] !== pieceLevel[piece]) count++;
      maker[piece] = count - 1;
    }
    for (let piece = from; piece < to; piece++) {
      const into = pieceInto[piece];
      if (into === NONE) continue;
      isHalf[piece] = Number(into === pieceGroup[piece]);
      taker[piece] = isHalf[piece] ? maker[piece] + 1 : (firstOfGroup[into] ?? -1);
    }
    shapeFirstStep[shape + 1] = count;
  }
  const [inputs, firstInput] = byStep(taker, count);
  const [outputs, firstOutput] = byStep(maker, count);
  const takenOutputs = new Uint32Array(count);
  for (let piece = 0; piece < pieceCount; piece++) {
    if (maker[piece] >= 0 && taker[piece] >= 0) takenOutputs[maker[piece]]++;
  }
  const lists = { inputs, firstInput, outputs, firstOutput, maker, taker };
  return { count, shapeFirstStep, takenOutputs, isHalf, ...lists, ...grownErrors(pieces, count, lists) };
}

/** Things sorted by the step they have, those without one left out, and where each step's begin. */
export function byStep(stepOf: Int32Array, count: number): [Uint32Array, Uint32Array] {
  const first = new Uint32Array(count + 1);
  for (let piece = 0; piece < stepOf.length; piece++) if (stepOf[piece] >= 0) first[stepOf[piece] + 1]++;
  for (let step = 0; step < count; step++) first[step + 1] += first[step];
  const sorted = new Uint32Array(first[count]);
  const next = first.slice();
  for (let piece = 0; piece < stepOf.length; piece++) {
    if (stepOf[piece] >= 0) sorted[next[stepOf[piece]]++] = piece;
  }
  return [sorted, first];
}

type Lists = Pick<Steps, 'inputs' | 'firstInput' | 'outputs' | 'firstOutput' | 'maker' | 'taker'>;

/** Errors that never fall from step to step. */
function grownErrors(
  { pieceOut, pieceIn }: SteppedPieces,
  count: number,
  { inputs, firstInput, outputs, firstOutput, maker }: Lists,
): Pick<Steps, 'deviation' | 'error' | 'out' | 'in'> {
  const [deviation, error] = [new Float64Array(count), new Float64Array(count)];
  const [out, inner] = [new Float64Array(count), new Float64Array(count)];
  for (let step = 0; step < count; step++) {
    for (let i = firstOutput[step]; i < firstOutput[step + 1]; i++) {
      const piece = outputs[i];
      out[step] = Math.max(out[step], pieceOut[piece]);
      inner[step] = Math.max(inner[step], pieceIn[piece]);
      error[step] = Math.max(error[step], pieceOut[piece] + pieceIn[piece]);
    }
    deviation[step] = Math.max(out[step], inner[step]);
    for (let i = firstInput[step]; i < firstInput[step + 1]; i++) {
      const below = maker[inputs[i]];
      if (below < 0) continue;
      deviation[step] = Math.max(deviation[step], deviation[below]);
      error[step] = Math.max(error[step], error[below]);
    }
  }
  return { deviation, error, out, in: inner };
}

export function boxedStepsOf(pieces: SteppedPieces): BoxedSteps {
  const steps = stepsOf(pieces);
  const { shapeFirstPiece, pieceBox } = pieces;
  const shapeBox = emptyBoxes(shapeFirstPiece.length - 1);
  for (let shape = 0; shape < shapeFirstPiece.length - 1; shape++) {
    for (let piece = shapeFirstPiece[shape]; piece < shapeFirstPiece[shape + 1]; piece++) {
      extend(shapeBox, shape, pieceBox, piece);
    }
  }
  return { ...steps, box: boxesOf(steps, pieces), shapeBox };
}

/** The boxes of steps, which never shrink from step to step. */
export function boxesOf(
  { count, inputs, firstInput, outputs, firstOutput, maker }: Steps,
  { pieceBox }: SteppedPieces,
): Float64Array {
  const box = emptyBoxes(count);
  for (let step = 0; step < count; step++) {
    for (let i = firstOutput[step]; i < firstOutput[step + 1]; i++) extend(box, step, pieceBox, outputs[i]);
    for (let i = firstInput[step]; i < firstInput[step + 1]; i++) {
      extend(box, step, pieceBox, inputs[i]);
      if (maker[inputs[i]] >= 0) extend(box, step, box, maker[inputs[i]]);
    }
  }
  return box;
}

export function emptyBoxes(count: number): Float64Array {
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < boxes.length; i++) boxes[i] = i % 6 < 3 ? Infinity : -Infinity;
  return boxes;
}

export function extend(boxes: Float64Array, at: number, others: ArrayLike<number>, other: number): void {
  for (let i = 6 * at, j = 6 * other, end = i + 3; i < end; i++, j++) {
    if (others[j] < boxes[i]) boxes[i] = others[j];
    if (others[j + 3] > boxes[i + 3]) boxes[i + 3] = others[j + 3];
  }
}
