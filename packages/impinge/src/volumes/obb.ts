/**
 * Oriented boxes, the default: tight around flat and slanted parts, and moved without growing.
 *
 * Layout: centre x, y, z, half extents x, y, z, quaternion x, y, z, w. The box axes are the columns of the
 * quaternion's rotation matrix, computed with 2 / |q|², so that they are orthonormal to float64 rounding although
 * the quaternion is stored in float32.
 * Errs: outward.
 */
import type { RigidPose } from '../math/pose.js';
import { STRIDE, writeQuaternion } from './obb-fit.js';
import { CONTAINMENT_SLACK, EMPTY_EXTENT, roundUp, SLACK } from './round.js';

export { fit, STRIDE, size } from './obb-fit.js';

/** Added to each |axis · axis|: separates only where rounding cannot be the reason (see `overlaps`). */
const SAT_SLACK = 1e-12;

/** |q|² may be off by this before a stored box is called broken. */
const UNIT_TOLERANCE = 1e-5;

/**
 * The stored axes differ from the moved ones by the rounding of the quaternion (and by what the pose is off from
 * rigid): the half extents grow to |stored · moved| times the old ones, which holds for any linear map.
 */
export function transform(
  src: Float32Array,
  so: number,
  pose: Readonly<RigidPose>,
  out: Float32Array,
  oo: number,
): void {
  // axes of src, then the same moved
  let qx = src[so + 24];
  let qy = src[so + 28];
  let qz = src[so + 32];
  let qw = src[so + 36];
  let s = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
  const a00 = 1 - s * (qy * qy + qz * qz);
  const a01 = s * (qx * qy - qz * qw);
  const a02 = s * (qx * qz + qy * qw);
  const a10 = s * (qx * qy + qz * qw);
  const a11 = 1 - s * (qx * qx + qz * qz);
  const a12 = s * (qy * qz - qx * qw);
  const a20 = s * (qx * qz - qy * qw);
  const a21 = s * (qy * qz + qx * qw);
  const a22 = 1 - s * (qx * qx + qy * qy);
  const m00 = pose[0] * a00 + pose[1] * a10 + pose[2] * a20;
  const m01 = pose[0] * a01 + pose[1] * a11 + pose[2] * a21;
  const m02 = pose[0] * a02 + pose[1] * a12 + pose[2] * a22;
  const m10 = pose[3] * a00 + pose[4] * a10 + pose[5] * a20;
  const m11 = pose[3] * a01 + pose[4] * a11 + pose[5] * a21;
  const m12 = pose[3] * a02 + pose[4] * a12 + pose[5] * a22;
  const m20 = pose[6] * a00 + pose[7] * a10 + pose[8] * a20;
  const m21 = pose[6] * a01 + pose[7] * a11 + pose[8] * a21;
  const m22 = pose[6] * a02 + pose[7] * a12 + pose[8] * a22;
  writeQuaternion(m00, m01, m02, m10, m11, m12, m20, m21, m22, out, oo + 24);
  qx = out[oo + 24];
  qy = out[oo + 28];
  qz = out[oo + 32];
  qw = out[oo + 36];
  s = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
  const x = src[so];
  const y = src[so + 4];
  const z = src[so + 8];
  const px = pose[0] * x + pose[1] * y + pose[2] * z + pose[9];
  const py = pose[3] * x + pose[4] * y + pose[5] * z + pose[10];
  const pz = pose[6] * x + pose[7] * y + pose[8] * z + pose[11];
  out[oo] = px;
  out[oo + 4] = py;
  out[oo + 8] = pz;
  const dx = px - out[oo];
  const dy = py - out[oo + 4];
  const dz = pz - out[oo + 8];
  const hx = src[so + 12];
  const hy = src[so + 16];
  const hz = src[so + 20];
  const shift = Math.abs(pose[9]) + Math.abs(pose[10]) + Math.abs(pose[11]);
  const slack = SLACK * (Math.abs(x) + Math.abs(y) + Math.abs(z) + shift + hx + hy + hz);
  // half extents along the stored axes, first to third
  let ax = 1 - s * (qy * qy + qz * qz);
  let ay = s * (qx * qy + qz * qw);
  let az = s * (qx * qz - qy * qw);
  for (let c = 12; c < 24; c += 4) {
    out[oo + c] = roundUp(
      Math.abs(ax * m00 + ay * m10 + az * m20) * hx +
        Math.abs(ax * m01 + ay * m11 + az * m21) * hy +
        Math.abs(ax * m02 + ay * m12 + az * m22) * hz +
        Math.abs(ax * dx + ay * dy + az * dz) +
        slack,
    );
    if (c === 12) {
      ax = s * (qx * qy - qz * qw);
      ay = 1 - s * (qx * qx + qz * qz);
      az = s * (qy * qz + qx * qw);
    } else {
      ax = s * (qx * qz + qy * qw);
      ay = s * (qy * qz - qx * qw);
      az = 1 - s * (qx * qx + qy * qy);
    }
  }
}

/**
 * Separating axes: three of each box and nine cross products. Rounding moves a projection by less than
 * 10⁻¹⁴ · (|t| + extents). Where the centres are farther apart than the boxes reach, "separated" is right whatever
 * rounds; nearer, |t| is at most the sum of the extents, and SAT_SLACK times that covers it.
 */
export function overlaps(a: Float32Array, ao: number, b: Float32Array, bo: number): boolean {
  // axes of a, row-major
  let qx = a[ao + 24];
  let qy = a[ao + 28];
  let qz = a[ao + 32];
  let qw = a[ao + 36];
  let s = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
  const a00 = 1 - s * (qy * qy + qz * qz);
  const a01 = s * (qx * qy - qz * qw);
  const a02 = s * (qx * qz + qy * qw);
  const a10 = s * (qx * qy + qz * qw);
  const a11 = 1 - s * (qx * qx + qz * qz);
  const a12 = s * (qy * qz - qx * qw);
  const a20 = s * (qx * qz - qy * qw);
  const a21 = s * (qy * qz + qx * qw);
  const a22 = 1 - s * (qx * qx + qy * qy);
  // from centre to centre, in the frame of a
  const dx = b[bo] - a[ao];
  const dy = b[bo + 4] - a[ao + 4];
  const dz = b[bo + 8] - a[ao + 8];
  const t0 = a00 * dx + a10 * dy + a20 * dz;
  const t1 = a01 * dx + a11 * dy + a21 * dz;
  const t2 = a02 * dx + a12 * dy + a22 * dz;
  // axes of b
  qx = b[bo + 24];
  qy = b[bo + 28];
  qz = b[bo + 32];
  qw = b[bo + 36];
  s = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
  const b00 = 1 - s * (qy * qy + qz * qz);
  const b01 = s * (qx * qy - qz * qw);
  const b02 = s * (qx * qz + qy * qw);
  const b10 = s * (qx * qy + qz * qw);
  const b11 = 1 - s * (qx * qx + qz * qz);
  const b12 = s * (qy * qz - qx * qw);
  const b20 = s * (qx * qz - qy * qw);
  const b21 = s * (qy * qz + qx * qw);
  const b22 = 1 - s * (qx * qx + qy * qy);
  // axis i of a · axis j of b, and its magnitude
  const r00 = a00 * b00 + a10 * b10 + a20 * b20;
  const r01 = a00 * b01 + a10 * b11 + a20 * b21;
  const r02 = a00 * b02 + a10 * b12 + a20 * b22;
  const r10 = a01 * b00 + a11 * b10 + a21 * b20;
  const r11 = a01 * b01 + a11 * b11 + a21 * b21;
  const r12 = a01 * b02 + a11 * b12 + a21 * b22;
  const r20 = a02 * b00 + a12 * b10 + a22 * b20;
  const r21 = a02 * b01 + a12 * b11 + a22 * b21;
  const r22 = a02 * b02 + a12 * b12 + a22 * b22;
  const m00 = Math.abs(r00) + SAT_SLACK;
  const m01 = Math.abs(r01) + SAT_SLACK;
  const m02 = Math.abs(r02) + SAT_SLACK;
  const m10 = Math.abs(r10) + SAT_SLACK;
  const m11 = Math.abs(r11) + SAT_SLACK;
  const m12 = Math.abs(r12) + SAT_SLACK;
  const m20 = Math.abs(r20) + SAT_SLACK;
  const m21 = Math.abs(r21) + SAT_SLACK;
  const m22 = Math.abs(r22) + SAT_SLACK;
  const ax = a[ao + 12];
  const ay = a[ao + 16];
  const az = a[ao + 20];
  const bx = b[bo + 12];
  const by = b[bo + 16];
  const bz = b[bo + 20];
  const rest = SAT_SLACK * (ax + ay + az + bx + by + bz);
  if (Math.abs(t0) > ax + bx * m00 + by * m01 + bz * m02 + rest) return false;
  if (Math.abs(t1) > ay + bx * m10 + by * m11 + bz * m12 + rest) return false;
  if (Math.abs(t2) > az + bx * m20 + by * m21 + bz * m22 + rest) return false;
  if (Math.abs(t0 * r00 + t1 * r10 + t2 * r20) > bx + ax * m00 + ay * m10 + az * m20 + rest) return false;
  if (Math.abs(t0 * r01 + t1 * r11 + t2 * r21) > by + ax * m01 + ay * m11 + az * m21 + rest) return false;
  if (Math.abs(t0 * r02 + t1 * r12 + t2 * r22) > bz + ax * m02 + ay * m12 + az * m22 + rest) return false;
  return !(
    Math.abs(t2 * r10 - t1 * r20) > ay * m20 + az * m10 + by * m02 + bz * m01 + rest ||
    Math.abs(t2 * r11 - t1 * r21) > ay * m21 + az * m11 + bx * m02 + bz * m00 + rest ||
    Math.abs(t2 * r12 - t1 * r22) > ay * m22 + az * m12 + bx * m01 + by * m00 + rest ||
    Math.abs(t0 * r20 - t2 * r00) > ax * m20 + az * m00 + by * m12 + bz * m11 + rest ||
    Math.abs(t0 * r21 - t2 * r01) > ax * m21 + az * m01 + bx * m12 + bz * m10 + rest ||
    Math.abs(t0 * r22 - t2 * r02) > ax * m22 + az * m02 + bx * m11 + by * m10 + rest ||
    Math.abs(t1 * r00 - t0 * r10) > ax * m10 + ay * m00 + by * m22 + bz * m21 + rest ||
    Math.abs(t1 * r01 - t0 * r11) > ax * m11 + ay * m01 + bx * m22 + bz * m20 + rest ||
    Math.abs(t1 * r02 - t0 * r12) > ax * m12 + ay * m02 + bx * m21 + by * m20 + rest
  );
}

/** The larger of two box–box distances: b's extents in the frame of a, and a's in the frame of b. */
export function distanceLowerBound(a: Float32Array, ao: number, b: Float32Array, bo: number): number {
  const boundSq = Math.max(frameDistanceSq(a, ao, b, bo), frameDistanceSq(b, bo, a, ao));
  if (boundSq === 0) return 0;
  const reach =
    Math.abs(b[bo] - a[ao]) +
    Math.abs(b[bo + 4] - a[ao + 4]) +
    Math.abs(b[bo + 8] - a[ao + 8]) +
    (Math.abs(a[ao + 12]) + Math.abs(a[ao + 16]) + Math.abs(a[ao + 20])) +
    (Math.abs(b[bo + 12]) + Math.abs(b[bo + 16]) + Math.abs(b[bo + 20]));
  return Math.max(0, Math.sqrt(boundSq) - SAT_SLACK * reach);
}

/** Squared distance from box f to the box around g that is aligned with f. */
function frameDistanceSq(f: Float32Array, fo: number, g: Float32Array, go: number): number {
  const x = f[fo + 24];
  const y = f[fo + 28];
  const z = f[fo + 32];
  const w = f[fo + 36];
  const s = 2 / (x * x + y * y + z * z + w * w);
  const gx = g[go + 24];
  const gy = g[go + 28];
  const gz = g[go + 32];
  const gw = g[go + 36];
  const gs = 2 / (gx * gx + gy * gy + gz * gz + gw * gw);
  // columns of g's matrix, scaled by its half extents
  const hx = g[go + 12];
  const hy = g[go + 16];
  const hz = g[go + 20];
  const ux = hx * (1 - gs * (gy * gy + gz * gz));
  const uy = hx * gs * (gx * gy + gz * gw);
  const uz = hx * gs * (gx * gz - gy * gw);
  const vx = hy * gs * (gx * gy - gz * gw);
  const vy = hy * (1 - gs * (gx * gx + gz * gz));
  const vz = hy * gs * (gy * gz + gx * gw);
  const wx = hz * gs * (gx * gz + gy * gw);
  const wy = hz * gs * (gy * gz - gx * gw);
  const wz = hz * (1 - gs * (gx * gx + gy * gy));
  const dx = g[go] - f[fo];
  const dy = g[go + 4] - f[fo + 4];
  const dz = g[go + 8] - f[fo + 8];
  const sign = hx < 0 ? -1 : 1; // an empty box reaches less than nothing
  let sum = 0;
  // first axis of f, then second and third
  let ax = 1 - s * (y * y + z * z);
  let ay = s * (x * y + z * w);
  let az = s * (x * z - y * w);
  for (let k = 0; k < 3; k++) {
    const reach =
      f[fo + 12 + 4 * k] +
      sign *
        (Math.abs(ax * ux + ay * uy + az * uz) +
          Math.abs(ax * vx + ay * vy + az * vz) +
          Math.abs(ax * wx + ay * wy + az * wz));
    const gap = Math.abs(ax * dx + ay * dy + az * dz) - reach;
    if (gap > 0) sum += gap * gap;
    if (k === 0) {
      ax = s * (x * y - z * w);
      ay = 1 - s * (x * x + z * z);
      az = s * (y * z + x * w);
    } else {
      ax = s * (x * z + y * w);
      ay = s * (y * z - x * w);
      az = 1 - s * (x * x + y * y);
    }
  }
  return sum;
}

export function containsPoint(v: Float32Array, o: number, x: number, y: number, z: number): boolean {
  const qx = v[o + 24];
  const qy = v[o + 28];
  const qz = v[o + 32];
  const qw = v[o + 36];
  const lengthSq = qx * qx + qy * qy + qz * qz + qw * qw;
  if (!(Math.abs(lengthSq - 1) <= UNIT_TOLERANCE)) return false;
  const s = 2 / lengthSq;
  const px = x - v[o];
  const py = y - v[o + 4];
  const pz = z - v[o + 8];
  const hx = v[o + 12];
  const hy = v[o + 16];
  const hz = v[o + 20];
  const slack = CONTAINMENT_SLACK * (Math.abs(x) + Math.abs(y) + Math.abs(z) + hx + hy + hz);
  const ex = px * (1 - s * (qy * qy + qz * qz)) + py * s * (qx * qy + qz * qw) + pz * s * (qx * qz - qy * qw);
  const ey = px * s * (qx * qy - qz * qw) + py * (1 - s * (qx * qx + qz * qz)) + pz * s * (qy * qz + qx * qw);
  const ez = px * s * (qx * qz + qy * qw) + py * s * (qy * qz - qx * qw) + pz * (1 - s * (qx * qx + qy * qy));
  return Math.abs(ex) <= hx + slack && Math.abs(ey) <= hy + slack && Math.abs(ez) <= hz + slack;
}

export function setEmpty(out: Float32Array, offset: number): void {
  for (let c = 0; c < STRIDE; c++) out[offset + 4 * c] = c >= 3 && c < 6 ? -EMPTY_EXTENT : 0;
  out[offset + 36] = 1;
}
