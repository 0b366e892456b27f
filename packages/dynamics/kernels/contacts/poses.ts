/** Poses of bodies and of pairs: twelve float64, rotation row by row, then translation. */
import { POSE_BYTES } from './layout';

/** Writes the pose of b in the frame of a, both placed in the world. */
export function writeRelative(p: usize, q: usize, out: usize): void {
  const dx = load<f64>(q, 72) - load<f64>(p, 72), dy = load<f64>(q, 80) - load<f64>(p, 80), dz = load<f64>(q, 88) - load<f64>(p, 88);
  for (let i: usize = 0; i < 3; i++) {
    const r0 = load<f64>(p + 8 * i), r1 = load<f64>(p + 8 * i, 24), r2 = load<f64>(p + 8 * i, 48);
    for (let j: usize = 0; j < 3; j++) {
      store<f64>(out + 24 * i + 8 * j, r0 * load<f64>(q + 8 * j) + r1 * load<f64>(q + 8 * j, 24) + r2 * load<f64>(q + 8 * j, 48));
    }
    store<f64>(out + 8 * i, r0 * dx + r1 * dy + r2 * dz, 72);
  }
}

/**
 * Upper bound of the distance between two positions of any point of a body of this radius, in two poses. The difference
 * of two rotations by φ from each other stretches no vector by more than 2 sin(φ / 2), twice the square of which is the
 * sum of the squares of its entries.
 */
export function movedBetween(p: usize, q: usize, radius: f64): f64 {
  let turn: f64 = 0, shift: f64 = 0;
  for (let k: usize = 0; k < 72; k += 8) { const d = load<f64>(p + k) - load<f64>(q + k); turn += d * d; }
  for (let k: usize = 72; k < POSE_BYTES; k += 8) { const d = load<f64>(p + k) - load<f64>(q + k); shift += d * d; }
  return sqrt(shift) + (sqrt(0.5 * turn) + 1e-13) * radius * 1.000001;
}

/** The sine of half the angle between two rotations, rounded up: ‖P − Q‖² = 8 sin²(φ / 2). */
export function halfSine(p: usize, q: usize): f64 {
  let turn: f64 = 0;
  for (let k: usize = 0; k < 72; k += 8) { const d = load<f64>(p + k) - load<f64>(q + k); turn += d * d; }
  return min<f64>(1, sqrt(turn / 8) * (1 + 1e-12) + 1e-13);
}

/** The largest arc over its sine, 0 … π / 2. */
const ARC: f64 = 1.5707963267948968;
/** Never less than the arc of a sine, 0 … π / 2. */
// @ts-ignore: decorator
@inline export function arc(sine: f64): f64 {
  // (arc / sine − 1) / sine² rises with the sine, and is 0.168 at 0.1 and 0.189 at 0.5
  return sine < 0.5 ? sine * (1 + (sine < 0.1 ? 0.17 : 0.19) * sine * sine) : min<f64>(ARC, sine * ARC);
}
