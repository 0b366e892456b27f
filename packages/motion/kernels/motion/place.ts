/**
 * Puts b of a query somewhere: what src/query/pair/context.ts of impinge writes for one pose, written for many.
 * Twin: `QueryContext` there; the rotation of the boxes is rounded otherwise, within the same slack.
 */
import { FAR, LEAST_NORMAL, TREE_CENTRE, TREE_RADIUS } from '../../../impinge/kernels/layout';
import { Q_A_TO_B, Q_B_TO_A, Q_POSE, Q_TREE_A, Q_TREE_B } from '../../../impinge/kernels/context';
import { forgetPose } from '../../../impinge/kernels/leaf';
import { forgetOne } from '../../../impinge/kernels/obb';

/** Writes the motion between the trees' centres for the pose at Q_POSE; false where that is too far for float32. */
export function placeTrees(query: usize): bool {
  forgetPose();
  forgetOne();
  const p = query + Q_POSE;
  const r0 = load<f64>(p), r1 = load<f64>(p, 8), r2 = load<f64>(p, 16);
  const r3 = load<f64>(p, 24), r4 = load<f64>(p, 32), r5 = load<f64>(p, 40);
  const r6 = load<f64>(p, 48), r7 = load<f64>(p, 56), r8 = load<f64>(p, 64);
  const treeA: usize = load<u32>(query, Q_TREE_A), treeB: usize = load<u32>(query, Q_TREE_B);
  const x = load<f64>(treeB, TREE_CENTRE), y = load<f64>(treeB, TREE_CENTRE + 8), z = load<f64>(treeB, TREE_CENTRE + 16);
  const tx = r0 * x + r1 * y + r2 * z + load<f64>(p, 72) - load<f64>(treeA, TREE_CENTRE);
  const ty = r3 * x + r4 * y + r5 * z + load<f64>(p, 80) - load<f64>(treeA, TREE_CENTRE + 8);
  const tz = r6 * x + r7 * y + r8 * z + load<f64>(p, 88) - load<f64>(treeA, TREE_CENTRE + 16);
  const there = query + Q_B_TO_A, back = query + Q_A_TO_B;
  const deviation = writeRotation(there, r0, r1, r2, r3, r4, r5, r6, r7, r8);
  store<f32>(back, -load<f32>(there));
  store<f32>(back, -load<f32>(there, 4), 4);
  store<f32>(back, -load<f32>(there, 8), 8);
  store<f32>(back, load<f32>(there, 12), 12);
  store<f32>(there, <f32>tx, 16);
  store<f32>(there, <f32>ty, 20);
  store<f32>(there, <f32>tz, 24);
  store<f32>(back, -<f32>(r0 * tx + r3 * ty + r6 * tz), 16);
  store<f32>(back, -<f32>(r1 * tx + r4 * ty + r7 * tz), 20);
  store<f32>(back, -<f32>(r2 * tx + r5 * ty + r8 * tz), 24);
  const size = <f64>load<f32>(treeA, TREE_RADIUS) + <f64>load<f32>(treeB, TREE_RADIUS) + sqrt(tx * tx + ty * ty + tz * tz);
  const far = abs(load<f64>(p, 72)) + abs(load<f64>(p, 80)) + abs(load<f64>(p, 88)) + abs(x) + abs(y) + abs(z);
  const slack = <f32>((2e-6 + 3 * deviation) * size + 1e-15 * far + LEAST_NORMAL);
  store<f32>(there, slack, 28);
  store<f32>(back, slack, 28);
  return size < FAR;
}

/** Writes the unit quaternion of a rotation; returns by how much its matrix differs from that in any entry. */
// @ts-ignore: decorator
@inline function writeRotation(out: usize, r0: f64, r1: f64, r2: f64, r3: f64, r4: f64, r5: f64, r6: f64, r7: f64, r8: f64): f64 {
  let x: f64, y: f64, z: f64, w: f64;
  if (r0 + r4 + r8 > 0) { x = r7 - r5; y = r2 - r6; z = r3 - r1; w = 1 + r0 + r4 + r8; }
  else if (r0 >= r4 && r0 >= r8) { x = 1 + r0 - r4 - r8; y = r1 + r3; z = r2 + r6; w = r7 - r5; }
  else if (r4 >= r8) { x = r1 + r3; y = 1 - r0 + r4 - r8; z = r5 + r7; w = r2 - r6; }
  else { x = r2 + r6; y = r5 + r7; z = 1 - r0 - r4 + r8; w = r3 - r1; }
  const inverse = 1 / sqrt(x * x + y * y + z * z + w * w);
  x *= inverse; y *= inverse; z *= inverse; w *= inverse;
  store<f32>(out, <f32>x);
  store<f32>(out, <f32>y, 4);
  store<f32>(out, <f32>z, 8);
  store<f32>(out, <f32>w, 12);
  // the sum, which is no less than the largest and takes less time
  return abs(1 - 2 * (y * y + z * z) - r0) + abs(2 * (x * y - z * w) - r1) + abs(2 * (x * z + y * w) - r2)
    + abs(2 * (x * y + z * w) - r3) + abs(1 - 2 * (x * x + z * z) - r4) + abs(2 * (y * z - x * w) - r5)
    + abs(2 * (x * z - y * w) - r6) + abs(2 * (y * z + x * w) - r7) + abs(1 - 2 * (x * x + y * y) - r8);
}
