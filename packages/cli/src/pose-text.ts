/**
 * Poses on the command line: steps from left to right, separated by blanks or commas.
 *   t=1,2,3      move
 *   rx=90        turn about the x axis, in degrees; likewise ry and rz, for which r will do
 *   q=0,0,0,1    turn by a unit quaternion x, y, z, w
 *   m=1,0,…,1    a rigid matrix of sixteen numbers, column by column
 */

import { CommandError } from './command-error.js';
import { isRigid, matrixOfParts, multiply } from './matrix.js';

export const POSE_HELP = `A pose is one argument of steps, applied from left to right:
  t=1,2,3      move by (1, 2, 3)
  rx=90        turn by 90 degrees about the x axis (also ry, rz; r is rz)
  q=0,0,0,1    turn by a unit quaternion x, y, z, w
  m=…          a rigid 4 x 4 matrix: sixteen numbers, column by column
For example, --pose "rz=90 t=0,0,0.5" turns first, then moves.`;

const COUNTS: Readonly<Record<string, number>> = { t: 3, r: 1, rx: 1, ry: 1, rz: 1, q: 4, m: 16 };

/** The rigid matrix (column-major) that `text` describes; `option` names it in errors. */
export function parsePose(text: string, option: string): Float64Array {
  const fail = (why: string) => new CommandError(`${option}: ${why}`);
  let pose: Float64Array | undefined;
  for (const step of text.split(/[\s;]+|,(?=\s*[a-z]+=)/).filter((part) => part !== '')) {
    const [, kind = '', list = ''] = /^([a-z]+)=(.*)$/.exec(step) ?? [];
    const count = Object.hasOwn(COUNTS, kind) ? COUNTS[kind] : undefined;
    if (count === undefined) throw fail(`"${step}" is not one of t=, r=, rx=, ry=, rz=, q=, m=`);
    const numbers = list.split(',').map((word) => (word.trim() === '' ? Number.NaN : Number(word)));
    if (numbers.length !== count || !numbers.every(Number.isFinite)) {
      throw fail(
        `"${step}": ${kind}= takes ${count} ${count === 1 ? 'number' : 'numbers separated by commas'}`,
      );
    }
    const matrix = stepMatrix(kind, numbers);
    if (!isRigid(matrix) || matrix[3] !== 0 || matrix[7] !== 0 || matrix[11] !== 0 || matrix[15] !== 1) {
      throw fail(
        kind === 'q' ? `"${step}": the quaternion's length is not 1` : `"${step}" is not a rigid motion`,
      );
    }
    pose = pose === undefined ? matrix : multiply(matrix, pose);
  }
  if (pose === undefined) throw fail('it is empty');
  return pose;
}

function stepMatrix(kind: string, n: readonly number[]): Float64Array {
  switch (kind) {
    case 't':
      return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, n[0], n[1], n[2], 1);
    case 'q':
      return quaternionMatrix(n);
    case 'm':
      return Float64Array.from(n);
    default:
      return turnMatrix('xyz'.indexOf(kind[1] ?? 'z'), n[0]);
  }
}

function turnMatrix(axis: number, degrees: number): Float64Array {
  const cos = cosDegrees(degrees);
  const sin = cosDegrees(degrees - 90);
  const out = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const i = (axis + 1) % 3;
  const j = (axis + 2) % 3;
  out[5 * i] = cos;
  out[5 * j] = cos;
  out[4 * i + j] = sin;
  out[4 * j + i] = -sin;
  return out;
}

/** Exact for multiples of a right angle, so that quarter turns keep grids aligned. */
function cosDegrees(degrees: number): number {
  const turn = ((degrees % 360) + 360) % 360;
  if (turn % 90 === 0) return [1, 0, -1, 0][turn / 90];
  return Math.cos((turn * Math.PI) / 180);
}

function quaternionMatrix(q: readonly number[]): Float64Array {
  // far off: the check for rigidity refuses it; a rounded one is normalised
  const isRounded = Math.abs(q.reduce((sum, part) => sum + part * part, 0) - 1) < 1e-3;
  return isRounded ? matrixOfParts([0, 0, 0], q, [1, 1, 1]) : new Float64Array(16);
}
