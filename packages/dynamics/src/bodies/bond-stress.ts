/**
 * How an impulse on one piece spreads through the bonds to the rest.
 *
 * Every piece takes its share of the motion of the whole and passes the rest on: bonds act as springs, stiffer the
 * wider and shorter they are, and the impulse through each is that of the springs at rest under these loads.
 */

export interface Spring {
  readonly a: number;
  readonly b: number;
  readonly stiffness: number;
}

/** Relative to the largest entry: makes the otherwise floating solution unique. */
const REGULARISER = 1e-9;

/**
 * The impulse through each spring, its length. Precondition: the springs join all points, and the loads (three numbers
 * each) add up to zero.
 */
export function springImpulses(count: number, springs: readonly Spring[], loads: Float64Array): Float64Array {
  const matrix = new Float64Array(count * count);
  for (const { a, b, stiffness } of springs) {
    matrix[a * count + a] += stiffness;
    matrix[b * count + b] += stiffness;
    matrix[a * count + b] -= stiffness;
    matrix[b * count + a] -= stiffness;
  }
  const lift = REGULARISER * matrix.reduce((most, x) => Math.max(most, x), 0);
  for (let i = 0; i < count; i++) matrix[i * count + i] += lift;
  const ways = loads.slice();
  solveInPlace(count, matrix, ways);
  return Float64Array.from(springs, ({ a, b, stiffness }) =>
    Math.hypot(...[0, 1, 2].map((k) => stiffness * (ways[3 * a + k] - ways[3 * b + k]))),
  );
}

/**
 * Solves for three right sides at once, by Cholesky's factors; `matrix` is symmetric and positive definite, and lost.
 */
function solveInPlace(n: number, matrix: Float64Array, x: Float64Array): void {
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = matrix[i * n + j];
      for (let k = 0; k < j; k++) sum -= matrix[i * n + k] * matrix[j * n + k];
      matrix[i * n + j] = i === j ? Math.sqrt(sum) : sum / matrix[j * n + j];
    }
  }
  for (let axis = 0; axis < 3; axis++) {
    for (let i = 0; i < n; i++) {
      let sum = x[3 * i + axis];
      for (let k = 0; k < i; k++) sum -= matrix[i * n + k] * x[3 * k + axis];
      x[3 * i + axis] = sum / matrix[i * n + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      let sum = x[3 * i + axis];
      for (let k = i + 1; k < n; k++) sum -= matrix[k * n + i] * x[3 * k + axis];
      x[3 * i + axis] = sum / matrix[i * n + i];
    }
  }
}
