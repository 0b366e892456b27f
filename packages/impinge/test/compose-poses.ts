import type { RigidPose } from '../src/math/pose.js';

/** The pose that applies `b` first, then `a`. */
export function composePoses(a: Readonly<RigidPose>, b: Readonly<RigidPose>): RigidPose {
  const out = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    }
    out[9 + i] = a[3 * i] * b[9] + a[3 * i + 1] * b[10] + a[3 * i + 2] * b[11] + a[9 + i];
  }
  return out;
}
