/** Rotations as unit quaternions x, y, z, w, and the inertia in their frame. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { solveInertia } from './step-guard.js';

/** Writes the matrix of the rotation at q[at …], row by row, to out[to …]. */
export function writeMatrix(q: Float64Array, at: number, out: Float64Array, to: number): Float64Array {
  const x = q[at];
  const y = q[at + 1];
  const z = q[at + 2];
  const w = q[at + 3];
  out[to] = 1 - 2 * (y * y + z * z);
  out[to + 1] = 2 * (x * y - z * w);
  out[to + 2] = 2 * (x * z + y * w);
  out[to + 3] = 2 * (x * y + z * w);
  out[to + 4] = 1 - 2 * (x * x + z * z);
  out[to + 5] = 2 * (y * z - x * w);
  out[to + 6] = 2 * (x * z - y * w);
  out[to + 7] = 2 * (y * z + x * w);
  out[to + 8] = 1 - 2 * (x * x + y * y);
  return out;
}

/** Turns the quaternion at q[at …] further by a vector. */
export function turnAt(q: Float64Array, at: number, tx: number, ty: number, tz: number): void {
  const angle = Math.sqrt(tx * tx + ty * ty + tz * tz);
  if (angle === 0) return;
  const scale = Math.sin(0.5 * angle) / angle;
  const w = Math.cos(0.5 * angle);
  const x = scale * tx;
  const y = scale * ty;
  const z = scale * tz;
  const qx = q[at];
  const qy = q[at + 1];
  const qz = q[at + 2];
  const qw = q[at + 3];
  const nx = w * qx + x * qw + y * qz - z * qy;
  const ny = w * qy + y * qw + z * qx - x * qz;
  const nz = w * qz + z * qw + x * qy - y * qx;
  const nw = w * qw - x * qx - y * qy - z * qz;
  const norm = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
  q[at] = nx * norm;
  q[at + 1] = ny * norm;
  q[at + 2] = nz * norm;
  q[at + 3] = nw * norm;
}

/** Turns a rotation further, by a vector along the axis whose length is the angle. */
export function turnBy(q: Float64Array, tx: number, ty: number, tz: number): void {
  const angle = Math.hypot(tx, ty, tz);
  const scale = angle > 0 ? Math.sin(angle / 2) / angle : 0;
  const w = Math.cos(angle / 2);
  const [x, y, z] = [scale * tx, scale * ty, scale * tz];
  const [qx, qy, qz, qw] = q;
  q[0] = w * qx + x * qw + y * qz - z * qy;
  q[1] = w * qy + y * qw + z * qx - x * qz;
  q[2] = w * qz + z * qw + x * qy - y * qx;
  q[3] = w * qw - x * qx - y * qy - z * qz;
  const norm = 1 / Math.hypot(q[0], q[1], q[2], q[3]);
  for (let k = 0; k < 4; k++) q[k] *= norm;
}

/** The vector by which to turn `from` into `to`, at most half a turn; both may be entries of a list, at offset `at`. */
export function turnBetween(from: Float64Array, to: Float64Array, at = 0): [number, number, number] {
  const ax = from[at];
  const ay = from[at + 1];
  const az = from[at + 2];
  const aw = from[at + 3];
  const bx = to[at];
  const by = to[at + 1];
  const bz = to[at + 2];
  const bw = to[at + 3];
  // to · from⁻¹
  const x = -bw * ax + bx * aw - by * az + bz * ay;
  const y = -bw * ay + by * aw - bz * ax + bx * az;
  const z = -bw * az + bz * aw - bx * ay + by * ax;
  const w = bw * aw + bx * ax + by * ay + bz * az;
  const sine = Math.sqrt(x * x + y * y + z * z);
  const scale = sine > 0 ? (2 * Math.atan2(w < 0 ? -sine : sine, Math.abs(w))) / sine : 0;
  return [scale * x, scale * y, scale * z];
}

/** The inertia tensor, row by row, of the second moments xx, yy, zz, xy, yz, zx. */
export function inertiaOf(second: Float64Array): Float64Array {
  const [xx, yy, zz, xy, yz, zx] = second;
  return Float64Array.of(yy + zz, -xy, -zx, -xy, zz + xx, -yz, -zx, -yz, xx + yy);
}

export function inverseInertiaOf(second: Float64Array): Float64Array {
  const [a, d, f, , b, e, , , c] = inertiaOf(second);
  const inertia = Float64Array.of(a, b, c, d, e, f);
  const inverse = new Float64Array(9);
  const column = new Float64Array(3);
  for (let k = 0; k < 3; k++) {
    solveInertia(
      inertia,
      Float64Array.from([0, 1, 2], (l) => (l === k ? 1 : 0)),
      column,
    );
    for (let l = 0; l < 3; l++) inverse[3 * l + k] = column[l];
  }
  return inverse;
}

/** rotation · tensor · rotation⁻¹ · v, for a rotation as a matrix. */
export function rotatedTensor(
  r: Float64Array,
  tensor: Float64Array,
  v: ArrayLike<number>,
): [number, number, number] {
  const back = [0, 1, 2].map((k) => r[k] * v[0] + r[3 + k] * v[1] + r[6 + k] * v[2]);
  const [x, y, z] = [0, 3, 6].map(
    (k) => tensor[k] * back[0] + tensor[k + 1] * back[1] + tensor[k + 2] * back[2],
  );
  return [r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z, r[6] * x + r[7] * y + r[8] * z];
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: ArrayLike<number>, b: ArrayLike<number>): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Two unit vectors at right angles to one and to each other; the three are right-handed. */
export function acrossOf([x, y, z]: Iterable<number>): [Vec3, Vec3] {
  const sign = z < 0 ? -1 : 1;
  const scale = -1 / (sign + z);
  const cross = x * y * scale;
  return [
    [1 + sign * x * x * scale, sign * cross, -sign * x],
    [cross, sign + y * y * scale, -y],
  ];
}
