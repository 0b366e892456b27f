/**
 * Principal axes of a point cloud: eigenvectors of its 3 × 3 covariance by Jacobi rotations.
 *
 * Each sweep turns away the three off-diagonal entries in turn; a symmetric 3 × 3 matrix is diagonal to float64
 * rounding after six sweeps, the cap allows for more. Any rotation is a valid answer (a worse fit, not a wrong
 * one), so nothing here needs an error bound.
 */

const MAX_SWEEPS = 12;

/** Writes a right-handed rotation (row-major; columns are the axes) to `frame`. */
export function principalAxes(points: Float64Array, pointCount: number, frame: Float64Array): void {
  const m = covariance(points, pointCount);
  frame.fill(0);
  frame[0] = frame[4] = frame[8] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    const off = Math.abs(m[1]) + Math.abs(m[2]) + Math.abs(m[5]);
    if (!(off > 1e-15 * (Math.abs(m[0]) + Math.abs(m[4]) + Math.abs(m[8])))) return;
    rotate(m, frame, 0, 1);
    rotate(m, frame, 0, 2);
    rotate(m, frame, 1, 2);
  }
}

function covariance(points: Float64Array, pointCount: number): Float64Array {
  const end = 3 * pointCount;
  let sx = 0;
  let sy = 0;
  let sz = 0;
  for (let i = 0; i < end; i += 3) {
    sx += points[i];
    sy += points[i + 1];
    sz += points[i + 2];
  }
  sx /= pointCount;
  sy /= pointCount;
  sz /= pointCount;
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let yy = 0;
  let yz = 0;
  let zz = 0;
  for (let i = 0; i < end; i += 3) {
    const x = points[i] - sx;
    const y = points[i + 1] - sy;
    const z = points[i + 2] - sz;
    xx += x * x;
    xy += x * y;
    xz += x * z;
    yy += y * y;
    yz += y * z;
    zz += z * z;
  }
  return Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz);
}

/** One Jacobi rotation in the plane of axes p < q: makes m[p][q] zero and turns the frame along. */
function rotate(m: Float64Array, frame: Float64Array, p: number, q: number): void {
  const pq = m[3 * p + q];
  if (pq === 0) return;
  const theta = (m[4 * q] - m[4 * p]) / (2 * pq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < 3; k++) {
    const kp = m[3 * k + p];
    const kq = m[3 * k + q];
    m[3 * k + p] = c * kp - s * kq;
    m[3 * k + q] = s * kp + c * kq;
  }
  for (let k = 0; k < 3; k++) {
    const pk = m[3 * p + k];
    const qk = m[3 * q + k];
    m[3 * p + k] = c * pk - s * qk;
    m[3 * q + k] = s * pk + c * qk;
    const fp = frame[3 * k + p];
    const fq = frame[3 * k + q];
    frame[3 * k + p] = c * fp - s * fq;
    frame[3 * k + q] = s * fp + c * fq;
  }
}
