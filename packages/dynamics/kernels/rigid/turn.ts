/** Rotations of frames, and their matrices. */
import { MATRIX, TURN } from './layout';

/** Half angles above this are halved. */
const SMALL: f64 = 0.5;

/** Rotates a frame further by a rotation vector. */
export function turn(frame: usize, tx: f64, ty: f64, tz: f64): void {
  const angle = sqrt(tx * tx + ty * ty + tz * tz);
  let x = 0.5 * angle;
  let halvings = 0;
  for (; x > SMALL && halvings < 64; halvings++) x *= 0.5;
  // sin x / x and cos x to the last digit, then of twice the angle, as often as it was halved
  const y = x * x;
  const ratio = 1 - y / 6 * (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110 * (1 - y / 156)))));
  let cosine = 1 - y / 2 * (1 - y / 12 * (1 - y / 30 * (1 - y / 56 * (1 - y / 90 * (1 - y / 132 * (1 - y / 182))))));
  let sine = x * ratio;
  for (let k = 0; k < halvings; k++) {
    const doubled = 2 * sine * cosine;
    cosine = 1 - 2 * sine * sine;
    sine = doubled;
  }
  const scale = halvings === 0 ? 0.5 * ratio : sine / angle;
  const sx = scale * tx, sy = scale * ty, sz = scale * tz;
  const qx = load<f64>(frame, TURN), qy = load<f64>(frame, TURN + 8), qz = load<f64>(frame, TURN + 16), qw = load<f64>(frame, TURN + 24);
  const nx = cosine * qx + sx * qw + sy * qz - sz * qy;
  const ny = cosine * qy + sy * qw + sz * qx - sx * qz;
  const nz = cosine * qz + sz * qw + sx * qy - sy * qx;
  const nw = cosine * qw - sx * qx - sy * qy - sz * qz;
  const norm = 1 / sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
  store<f64>(frame, nx * norm, TURN);
  store<f64>(frame, ny * norm, TURN + 8);
  store<f64>(frame, nz * norm, TURN + 16);
  store<f64>(frame, nw * norm, TURN + 24);
}

export function writeMatrix(frame: usize): void {
  const x = load<f64>(frame, TURN), y = load<f64>(frame, TURN + 8), z = load<f64>(frame, TURN + 16), w = load<f64>(frame, TURN + 24);
  const m = frame + MATRIX;
  store<f64>(m, 1 - 2 * (y * y + z * z));
  store<f64>(m, 2 * (x * y - z * w), 8);
  store<f64>(m, 2 * (x * z + y * w), 16);
  store<f64>(m, 2 * (x * y + z * w), 24);
  store<f64>(m, 1 - 2 * (x * x + z * z), 32);
  store<f64>(m, 2 * (y * z - x * w), 40);
  store<f64>(m, 2 * (x * z - y * w), 48);
  store<f64>(m, 2 * (y * z + x * w), 56);
  store<f64>(m, 1 - 2 * (x * x + y * y), 64);
}
