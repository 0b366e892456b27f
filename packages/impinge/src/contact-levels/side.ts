/** On which side of a plane a vertex lies: orient3d over one array of coordinates, three per vertex. */
import { ORIENT_3D_BOUND, orient3dExactAt } from '../math/predicates.js';

/** The exact sign of det(b − a, c − a, d − a): +1 when vertex d lies above the plane of a, b, c. */
export function sideOf(x: Float64Array, a: number, b: number, c: number, d: number): number {
  const ai = 3 * a;
  const bi = 3 * b;
  const ci = 3 * c;
  const di = 3 * d;
  const ax = x[ai];
  const ay = x[ai + 1];
  const az = x[ai + 2];
  const ux = x[bi] - ax;
  const uy = x[bi + 1] - ay;
  const uz = x[bi + 2] - az;
  const vx = x[ci] - ax;
  const vy = x[ci + 1] - ay;
  const vz = x[ci + 2] - az;
  const wx = x[di] - ax;
  const wy = x[di + 1] - ay;
  const wz = x[di + 2] - az;
  const yz = uy * vz;
  const zy = uz * vy;
  const zx = uz * vx;
  const xz = ux * vz;
  const xy = ux * vy;
  const yx = uy * vx;
  const det = wx * (yz - zy) + wy * (zx - xz) + wz * (xy - yx);
  const bound =
    ORIENT_3D_BOUND *
    (Math.abs(wx) * (Math.abs(yz) + Math.abs(zy)) +
      Math.abs(wy) * (Math.abs(zx) + Math.abs(xz)) +
      Math.abs(wz) * (Math.abs(xy) + Math.abs(yx)));
  if (det > bound) return 1;
  if (-det > bound) return -1;
  if (bound === 0) return 0;
  return orient3dExactAt(x, ai, x, bi, x, ci, x, di);
}
