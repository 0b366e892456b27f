/** Column-major 4 × 4 affine matrices, as glTF and the library's poses write them. */
export type Matrix = ArrayLike<number>;

/** A rotation may be off by this much per entry of RᵀR − I; the library accepts ten times as much. */
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

/** Whether the matrix only turns and moves. */
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

/** Of the linear part: what a volume grows by, negative for a mirror. */
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
  return Float64Array.of(
    p[0],
    p[3],
    p[6],
    0,
    p[1],
    p[4],
    p[7],
    0,
    p[2],
    p[5],
    p[8],
    0,
    p[9],
    p[10],
    p[11],
    1,
  );
}
