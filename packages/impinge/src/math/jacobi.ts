/**
 * Eigenvectors of a symmetric matrix by Jacobi rotations, after which any rotation is a valid answer: a little off, not
 * wrong, so nothing here needs an error bound.
 *
 * Each sweep turns away all entries beside the diagonal in turn; a matrix of a few rows is diagonal to float64 rounding
 * after six sweeps, the cap allows for more.
 */

const MAX_SWEEPS = 12;
/** What is left beside the diagonal, as a share of what is on it. */
const LEFT = 1e-15;

/** Makes a matrix of `size` rows diagonal, and writes a rotation whose columns are the eigenvectors to `axes`. */
export function diagonalise(m: Float64Array, size: number, axes: Float64Array): void {
  axes.fill(0);
  for (let k = 0; k < size; k++) axes[(size + 1) * k] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let off = 0;
    let on = 0;
    for (let p = 0; p < size; p++) {
      on += Math.abs(m[(size + 1) * p]);
      for (let q = p + 1; q < size; q++) off += Math.abs(m[size * p + q]);
    }
    if (!(off > LEFT * on)) return;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(m, size, axes, p, q);
  }
}

/** One rotation in the plane of axes p < q: makes m[p][q] zero and turns the axes along. */
function rotate(m: Float64Array, size: number, axes: Float64Array, p: number, q: number): void {
  const pq = m[size * p + q];
  if (pq === 0) return;
  const theta = (m[(size + 1) * q] - m[(size + 1) * p]) / (2 * pq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < size; k++) {
    const kp = m[size * k + p];
    const kq = m[size * k + q];
    m[size * k + p] = c * kp - s * kq;
    m[size * k + q] = s * kp + c * kq;
  }
  for (let k = 0; k < size; k++) {
    const pk = m[size * p + k];
    const qk = m[size * q + k];
    m[size * p + k] = c * pk - s * qk;
    m[size * q + k] = s * pk + c * qk;
    const ap = axes[size * k + p];
    const aq = axes[size * k + q];
    axes[size * k + p] = c * ap - s * aq;
    axes[size * k + q] = s * ap + c * aq;
  }
}
