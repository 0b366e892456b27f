/**
 * How the bodies of an island move by themselves. Between contacts the angular momentum is what lasts, and the spin follows
 * from it; places follow a parabola, exactly.
 */
import {
  ACCELERATION, ANGULAR, BODY, bodies, endBody, FRAME, frames, FREE, firstBody, INERTIA, INVERSE, INVERSE_INERTIA, INVERSE_MASS, MATRIX,
  PUSHED, RADIUS, SPIN, TORQUE, TURN,
} from './layout';

/** Turns by less than this per part, in radians, go by the spin at the start; others by that in the middle. */
const SLOW: f64 = 1e-4;
/** Half angles above this are halved. */
const SMALL: f64 = 0.5;

/**
 * Of the part at hand: the energy of motion at its start; what gravity and forces did; whether bodies rest on scenery, and
 * nothing else drives them.
 */
export let kinetic: f64 = 0;
export let work: f64 = 0;
export let isResting: bool = false;
/** What moving contacts apart costs in it, against pushes like those of the part before. */
export let price: f64 = 0;
export function setPrice(energy: f64): void { price = energy; }

/** Gravity and forces act for the time h. Returns the root mean square of speeds before. */
export function accelerate(h: f64): f64 {
  let sumSq: f64 = 0;
  let count: f64 = 0;
  kinetic = kineticEnergy();
  work = price = 0;
  let onScenery = false, isDriven = false;
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    store<f64>(body, 0, PUSHED);
    if (load<f64>(frame, FREE) === 0) {
      onScenery = true;
      for (let k: usize = 0; k < 48; k += 8) isDriven = isDriven || load<f64>(body + k) !== 0;
      continue;
    }
    count++;
    for (let k: usize = 0; k < 24; k += 8) {
      const speed = load<f64>(body + k);
      sumSq += speed * speed;
      store<f64>(body + k, speed + h * load<f64>(frame + k, ACCELERATION));
      const moment = load<f64>(frame + k, TORQUE);
      isDriven = isDriven || moment !== 0;
      store<f64>(body + k, load<f64>(body + k, ANGULAR) + h * moment, ANGULAR);
    }
    writeSpin(body);
  }
  isResting = onScenery && !isDriven;
  return sqrt(sumSq / max(1, count));
}

/** Moves bodies on by their velocities and spins; without contacts, along their parabolas. Returns the longest way. */
export function advance(h: f64): f64 {
  let longest: f64 = 0;
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    const free = load<f64>(frame, FREE) !== 0;
    const half = load<f64>(body, PUSHED) === 0 && free ? 0.5 * h : 0;
    let waySq: f64 = 0, fall: f64 = 0;
    for (let k: usize = 0; k < 24; k += 8) {
      const way = h * (load<f64>(body + k) - half * load<f64>(frame + k, ACCELERATION));
      store<f64>(frame + k, load<f64>(frame + k) + way);
      waySq += way * way;
      fall += way * load<f64>(frame + k, ACCELERATION);
    }
    if (free) work += fall / load<f64>(body, INVERSE_MASS);
    const x = load<f64>(body, SPIN), y = load<f64>(body, SPIN + 8), z = load<f64>(body, SPIN + 16);
    const turnSq = h * h * (x * x + y * y + z * z);
    longest = max(longest, sqrt(waySq) + sqrt(turnSq) * load<f64>(frame, RADIUS));
    if (turnSq === 0) continue;
    if (free && turnSq > SLOW * SLOW) turnLong(frame, x, y, z, h);
    else turn(frame, h * x, h * y, h * z);
    writeMatrix(frame);
  }
  return longest;
}

/** Of free bodies, of which spins are up to date with angular momenta. */
export function kineticEnergy(): f64 {
  let sum: f64 = 0;
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i;
    if (load<f64>(frames + FRAME * <usize>i, FREE) === 0) continue;
    let speedSq: f64 = 0, turning: f64 = 0;
    for (let k: usize = 0; k < 24; k += 8) {
      speedSq += load<f64>(body + k) * load<f64>(body + k);
      turning += load<f64>(body + k, SPIN) * load<f64>(body + k, ANGULAR);
    }
    sum += 0.5 * (speedSq / load<f64>(body, INVERSE_MASS) + turning);
  }
  return sum;
}

/** Slows all free bodies down to a share of their speeds. */
export function slowDown(share: f64): void {
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i;
    if (load<f64>(frames + FRAME * <usize>i, FREE) === 0) continue;
    for (let k: usize = 0; k < 24; k += 8) {
      store<f64>(body + k, share * load<f64>(body + k));
      store<f64>(body + k, share * load<f64>(body + k, SPIN), SPIN);
      store<f64>(body + k, share * load<f64>(body + k, ANGULAR), ANGULAR);
    }
  }
}

/** Turns by the spin in the middle, that of the same angular momentum. */
function turnLong(frame: usize, x: f64, y: f64, z: f64, h: f64): void {
  const q0 = load<f64>(frame, TURN), q1 = load<f64>(frame, TURN + 8), q2 = load<f64>(frame, TURN + 16), q3 = load<f64>(frame, TURN + 24);
  const lx = tensorTimes(frame, INERTIA, 0, x, y, z);
  const ly = tensorTimes(frame, INERTIA, 1, x, y, z);
  const lz = tensorTimes(frame, INERTIA, 2, x, y, z);
  turn(frame, 0.5 * h * x, 0.5 * h * y, 0.5 * h * z);
  writeMatrix(frame);
  const mx = tensorTimes(frame, INVERSE, 0, lx, ly, lz);
  const my = tensorTimes(frame, INVERSE, 1, lx, ly, lz);
  const mz = tensorTimes(frame, INVERSE, 2, lx, ly, lz);
  store<f64>(frame, q0, TURN);
  store<f64>(frame, q1, TURN + 8);
  store<f64>(frame, q2, TURN + 16);
  store<f64>(frame, q3, TURN + 24);
  turn(frame, h * mx, h * my, h * mz);
}

/** Coordinate k of (M · tensor · Mᵀ) (x, y, z). */
function tensorTimes(frame: usize, tensor: usize, k: usize, x: f64, y: f64, z: f64): f64 {
  const m = frame + MATRIX, t = frame + tensor;
  const u = load<f64>(m) * x + load<f64>(m, 24) * y + load<f64>(m, 48) * z;
  const v = load<f64>(m, 8) * x + load<f64>(m, 32) * y + load<f64>(m, 56) * z;
  const w = load<f64>(m, 16) * x + load<f64>(m, 40) * y + load<f64>(m, 64) * z;
  return load<f64>(m + 24 * k) * (load<f64>(t) * u + load<f64>(t, 8) * v + load<f64>(t, 16) * w)
    + load<f64>(m + 24 * k, 8) * (load<f64>(t, 24) * u + load<f64>(t, 32) * v + load<f64>(t, 40) * w)
    + load<f64>(m + 24 * k, 16) * (load<f64>(t, 48) * u + load<f64>(t, 56) * v + load<f64>(t, 64) * w);
}

/** Turns a frame further by a vector. */
function turn(frame: usize, tx: f64, ty: f64, tz: f64): void {
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

function writeMatrix(frame: usize): void {
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

/** Brings inertia and spin of bodies up to date with how they are turned, and with their angular momenta. */
export function orient(): void {
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    if (load<f64>(frame, FREE) === 0) continue;
    const m = frame + MATRIX;
    for (let row: usize = 0, at = body + INVERSE_INERTIA; row < 3; row++) {
      // the coordinates of an axis of the world in the frame of the body, through the tensor and back
      const x = load<f64>(m + 24 * row), y = load<f64>(m + 24 * row, 8), z = load<f64>(m + 24 * row, 16);
      const t = frame + INVERSE;
      const u = load<f64>(t) * x + load<f64>(t, 8) * y + load<f64>(t, 16) * z;
      const v = load<f64>(t, 24) * x + load<f64>(t, 32) * y + load<f64>(t, 40) * z;
      const w = load<f64>(t, 48) * x + load<f64>(t, 56) * y + load<f64>(t, 64) * z;
      for (let column = row; column < 3; column++, at += 8) {
        const c = m + 24 * column;
        store<f64>(at, load<f64>(c) * u + load<f64>(c, 8) * v + load<f64>(c, 16) * w);
      }
    }
    writeSpin(body);
  }
}

function writeSpin(body: usize): void {
  const i = body + INVERSE_INERTIA;
  const xx = load<f64>(i), xy = load<f64>(i, 8), xz = load<f64>(i, 16), yy = load<f64>(i, 24), yz = load<f64>(i, 32), zz = load<f64>(i, 40);
  const x = load<f64>(body, ANGULAR), y = load<f64>(body, ANGULAR + 8), z = load<f64>(body, ANGULAR + 16);
  store<f64>(body, xx * x + xy * y + xz * z, SPIN);
  store<f64>(body, xy * x + yy * y + yz * z, SPIN + 8);
  store<f64>(body, xz * x + yz * y + zz * z, SPIN + 16);
}
