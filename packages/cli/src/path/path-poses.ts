/**
 * Poses of a body as people write them: where the body's own point is, in metres, and how it is turned.
 *
 * The library moves a mesh from where it is stored; `frame` takes the mesh to the body's own axes, about its own point.
 */
import type { Vec3 } from 'impinge';
import { CommandError } from '../command-error.js';
import { matrixOfParts, matrixOfPose, multiply, transformedAxis } from '../matrix.js';
import { parsePose } from '../pose-text.js';
import { quaternionOf } from '../quaternion.js';

/** Where a body is: its own point in metres, and a unit quaternion x, y, z, w. */
export interface PlacedPose {
  readonly position: readonly number[];
  readonly rotation: readonly number[];
}

/** A rigid matrix, column by column, in metres. */
export function parsePathPose(text: string, option: string): Float64Array {
  const words = text.split(',').map((word) => word.trim());
  const isNumbers = words.every((word) => word !== '' && !/[a-z]+=/i.test(word));
  if (!isNumbers) return parsePose(text, option);
  const numbers = words.map(Number);
  const wrong = words.find((_, i) => !Number.isFinite(numbers[i]));
  if (wrong !== undefined) throw new CommandError(`${option}: "${wrong}" is not a finite number`);
  if (numbers.length !== 3 && numbers.length !== 7) {
    throw new CommandError(
      `${option}: "${text}" is not a pose: it takes 3 numbers, or 7 with a turn, and has ${numbers.length}`,
    );
  }
  const move = `t=${numbers.slice(0, 3).join(',')}`;
  return parsePose(numbers.length === 3 ? move : `q=${numbers.slice(3).join(',')} ${move}`, option);
}

/** As it is written down. */
export function placedPose(matrix: ArrayLike<number>): PlacedPose {
  const rows = [0, 4, 8, 1, 5, 9, 2, 6, 10].map((i) => matrix[i]);
  return { position: [12, 13, 14].map((i) => matrix[i]), rotation: quaternionOf(rows) };
}

export function matrixOfPlaced({ position, rotation }: PlacedPose): Float64Array {
  return matrixOfParts(position, rotation, [1, 1, 1]);
}

/** `x,y,z` or with a turn, as an option takes it. */
export function poseText({ position, rotation }: PlacedPose): string {
  const rounded = (numbers: readonly number[]) => numbers.map((x) => Number(x.toFixed(6)) + 0);
  const turn = rounded(rotation);
  const isTurned = turn.slice(0, 3).some((x) => x !== 0);
  return [...rounded(position), ...(isTurned ? turn : [])].join(',');
}

/** Changes the unit of a matrix's translation. */
export function scaledTranslation(matrix: ArrayLike<number>, factor: number): Float64Array {
  return Float64Array.from(matrix, (x, i) => (i >= 12 && i < 15 ? x * factor : x));
}

/** Of a rigid matrix. */
export function inverseOf(m: ArrayLike<number>): Float64Array {
  const back = (k: number) => -(m[4 * k] * m[12] + m[4 * k + 1] * m[13] + m[4 * k + 2] * m[14]);
  return Float64Array.of(
    ...[m[0], m[4], m[8], 0],
    ...[m[1], m[5], m[9], 0],
    ...[m[2], m[6], m[10], 0],
    ...[back(0), back(1), back(2), 1],
  );
}

/** A point moved by a rigid matrix. */
export function transformed(m: ArrayLike<number>, { 0: x, 1: y, 2: z }: ArrayLike<number>): Vec3 {
  return [0, 1, 2].map((axis) => transformedAxis(m, axis, x, y, z)) as unknown as Vec3;
}

/** The pose of the mesh, for the library, from the pose of the body. */
export function meshPose(pose: PlacedPose, frame: ArrayLike<number>, metresPerUnit: number): Float64Array {
  return multiply(scaledTranslation(matrixOfPlaced(pose), 1 / metresPerUnit), frame);
}

/** And back. */
export function bodyPose(
  pose: ArrayLike<number>,
  frame: ArrayLike<number>,
  metresPerUnit: number,
): PlacedPose {
  return placedPose(scaledTranslation(multiply(matrixOfPose(pose), inverseOf(frame)), metresPerUnit));
}
