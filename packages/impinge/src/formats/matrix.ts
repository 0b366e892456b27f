/** Column-major 4 × 4 affine matrices, as glTF and the library's poses write them. */
export type Matrix = ArrayLike<number>;

export const IDENTITY: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Tolerance of a rotation per entry of RᵀR − I; the library accepts ten times as much. */
const RIGID_TOLERANCE = 1e-6;

/** a · b: `b` is applied first. */
export function multiply(a: Matrix, b: Matrix): Float64Array {
  const out = new Float64Array(16);
  for (let col = 0; col < 4; col++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * col + k];
      out[4 * col + row] = sum;
    }
  }
  return out;
}

/** Whether the matrix consists of a rotation and a translation. */
export function isRigid(m: Matrix): boolean {
  for (let i = 0; i < 3; i++) {
    for (let j = i; j < 3; j++) {
      let dot = 0;
      for (let k = 0; k < 3; k++) dot += m[4 * i + k] * m[4 * j + k];
      if (!(Math.abs(dot - (i === j ? 1 : 0)) <= RIGID_TOLERANCE)) return false;
    }
  }
  return determinant(m) > 0;
}

/** Determinant of the linear part: the factor of volumes, negative for a mirror. */
export function determinant(m: Matrix): number {
  return (
    m[0] * (m[5] * m[10] - m[6] * m[9]) -
    m[4] * (m[1] * m[10] - m[2] * m[9]) +
    m[8] * (m[1] * m[6] - m[2] * m[5])
  );
}

/** One coordinate of the transformed point (x, y, z). */
export function transformedAxis(m: Matrix, row: number, x: number, y: number, z: number): number {
  return m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row];
}

/** The matrix of a pose: nine entries of a rotation row by row, then the translation. */
export function matrixOfPose(p: ArrayLike<number>): Float64Array {
  const column = (k: number) => [p[k], p[3 + k], p[6 + k], 0];
  return Float64Array.of(...column(0), ...column(1), ...column(2), p[9], p[10], p[11], 1);
}

/** Scale first, then a rotation by a quaternion x, y, z, w of any length but zero, then a translation. */
export function matrixOfParts(
  t: ArrayLike<number>,
  { 0: x, 1: y, 2: z, 3: w }: ArrayLike<number>,
  s: ArrayLike<number>,
): Float64Array {
  const k = 2 / (x * x + y * y + z * z + w * w);
  return Float64Array.of(
    ...[s[0] * (1 - k * (y * y + z * z)), s[0] * k * (x * y + z * w), s[0] * k * (x * z - y * w), 0],
    ...[s[1] * k * (x * y - z * w), s[1] * (1 - k * (x * x + z * z)), s[1] * k * (y * z + x * w), 0],
    ...[s[2] * k * (x * z + y * w), s[2] * k * (y * z - x * w), s[2] * (1 - k * (x * x + y * y)), 0],
    ...[t[0], t[1], t[2], 1],
  );
}
