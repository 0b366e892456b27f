/** Principal axes of a point cloud: eigenvectors of its 3 × 3 covariance. */
import { diagonalise } from '../math/jacobi.js';

/** Writes a right-handed rotation (row-major; columns are the axes) to `frame`. */
export function principalAxes(points: Float64Array, pointCount: number, frame: Float64Array): void {
  diagonalise(covariance(points, pointCount), 3, frame);
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
