/**
 * Many poses of a body beside one obstacle: which of them meet it, or come within a distance, stopping at the first
 * triangles that do.
 *
 * Layout: an obstacle is its pose in the world (twelve float64), its origin and that of the body; the verdict about a
 * pose is a byte.
 */
// host: PoseVerdict.* = POSE_OPEN POSE_HIT POSE_APART POSE_DOUBT
// host: OBSTACLE_BYTES
import { DONE, NEED_TREELET, Q_BOUND, Q_DOUBT_COUNT, Q_PAIRS_FOUND, Q_POSE, Q_STACK_TOP, Q_STARTED } from '../../../impinge/kernels/context';
import { collide, within } from '../../../impinge/kernels/pairs';
import { placeTrees } from './place';

export const POSE_OPEN: i32 = 0;
export const POSE_HIT: i32 = 1;
export const POSE_APART: i32 = 2;
/** The host decides: rounding leaves it open, or the pose is no place for float32. */
export const POSE_DOUBT: i32 = 3;

export const OBSTACLE_BYTES: usize = 144;

/**
 * Writes a verdict for each pose, twelve float64 in the world, from number `from` on that has none. Returns the number
 * of the pose at which a part of a tree has to be built first, or `count`.
 */
export function checkPoses(query: usize, obstacle: usize, poses: usize, verdicts: usize, from: u32, count: u32): u32 {
  for (let i = from; i < count; i++) {
    const verdict = verdicts + <usize>i;
    if (load<u8>(verdict) != POSE_OPEN) continue;
    writeStored(obstacle, poses + 96 * <usize>i, query + Q_POSE);
    if (!placeTrees(query)) {
      store<u8>(verdict, <u8>POSE_DOUBT);
      continue;
    }
    store<u32>(query, 0, Q_STARTED);
    store<u32>(query, 0, Q_STACK_TOP);
    store<u32>(query, 0, Q_PAIRS_FOUND);
    store<u32>(query, 0, Q_DOUBT_COUNT);
    const status = load<f64>(query, Q_BOUND) > 0 ? within(query) : collide(query);
    if (status == NEED_TREELET) return i;
    const found = load<u32>(query, Q_PAIRS_FOUND) > 0;
    const settled = status == DONE && load<u32>(query, Q_DOUBT_COUNT) == 0;
    store<u8>(verdict, <u8>(found ? POSE_HIT : settled ? POSE_APART : POSE_DOUBT));
  }
  return count;
}

/** The pose between the numbers stored, rounded as `relativePose` and `storedPose` of impinge round. */
function writeStored(a: usize, b: usize, out: usize): void {
  const x = load<f64>(b, 72), y = load<f64>(b, 80), z = load<f64>(b, 88);
  const ax = load<f64>(a, 72), ay = load<f64>(a, 80), az = load<f64>(a, 88);
  const ox = load<f64>(a, 120), oy = load<f64>(a, 128), oz = load<f64>(a, 136);
  for (let i: usize = 0; i < 3; i++) {
    const r0 = load<f64>(a + 8 * i), r1 = load<f64>(a + 8 * i, 24), r2 = load<f64>(a + 8 * i, 48);
    const p = r0 * load<f64>(b) + r1 * load<f64>(b, 24) + r2 * load<f64>(b, 48);
    const q = r0 * load<f64>(b, 8) + r1 * load<f64>(b, 32) + r2 * load<f64>(b, 56);
    const r = r0 * load<f64>(b, 16) + r1 * load<f64>(b, 40) + r2 * load<f64>(b, 64);
    store<f64>(out + 24 * i, p);
    store<f64>(out + 24 * i, q, 8);
    store<f64>(out + 24 * i, r, 16);
    const t = r0 * x + r1 * y + r2 * z - (r0 * ax + r1 * ay + r2 * az);
    store<f64>(out + 8 * i, p * ox + q * oy + r * oz - load<f64>(a + 8 * i, 96) + t, 72);
  }
}
