/**
 * How the bodies of an island move by themselves. Between contacts the angular momentum is constant, and the spin
 * follows from it (top.ts); positions follow a parabola, exactly.
 */
import {
  ACCELERATION, ANGULAR, BODY, bodies, endBody, ENERGY, FRAME, frames, FREE, firstBody, INVERSE, INVERSE_INERTIA, INVERSE_MASS, MATRIX, PUSHED,
  RADIUS, SPIN, TORQUE, TURN,
} from './layout';
import { turnFreely } from './top';
import { turn, writeMatrix } from './turn';

/** For the current part: the kinetic energy at its start; the work of gravity and forces. */
export let kinetic: f64 = 0;
export let work: f64 = 0;
/** For all parts so far: the energy at the start of the first, and the work of gravity and forces. */
export let allowed: f64 = 0;
/** Whether bodies touch scenery; whether moving scenery or a moment drives them. */
export let onScenery: bool = false;
export let isDriven: bool = false;
/** For the last free body: whether contacts pushed it in the previous part, and its velocity then. */
export let wasPushed: bool = false;
let startX: f64 = 0, startY: f64 = 0, startZ: f64 = 0;

/** A pushed body moves at most this many times as far as its velocity at the end says. */
const MOST_SHARE: f64 = 1.5;

/** The root mean square of the speeds of free bodies. */
export function meanSpeed(): f64 {
  let sumSq: f64 = 0;
  let count: f64 = 0;
  for (let i = firstBody; i < endBody; i++) {
    if (load<f64>(frames + FRAME * <usize>i, FREE) === 0) continue;
    const body = bodies + BODY * <usize>i;
    count++;
    sumSq += load<f64>(body) * load<f64>(body) + load<f64>(body, 8) * load<f64>(body, 8) + load<f64>(body, 16) * load<f64>(body, 16);
  }
  return sqrt(sumSq / max(1, count));
}

/** Applies gravity and forces for the time h, in the first part or another. */
export function accelerate(h: f64, first: bool): void {
  kinetic = kineticEnergy();
  allowed = first ? kinetic : allowed + work;
  work = 0;
  onScenery = isDriven = false;
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    const pushed = load<f64>(body, PUSHED) !== 0;
    store<f64>(body, 0, PUSHED);
    if (load<f64>(frame, FREE) === 0) {
      onScenery = true;
      for (let k: usize = 0; k < 48; k += 8) isDriven = isDriven || load<f64>(body + k) !== 0;
      continue;
    }
    wasPushed = pushed;
    startX = load<f64>(body);
    startY = load<f64>(body, 8);
    startZ = load<f64>(body, 16);
    store<f64>(body, kineticOf(body), ENERGY);
    for (let k: usize = 0; k < 24; k += 8) {
      const speed = load<f64>(body + k);
      store<f64>(body + k, speed + h * load<f64>(frame + k, ACCELERATION));
      const moment = load<f64>(frame + k, TORQUE);
      isDriven = isDriven || moment !== 0;
      store<f64>(body + k, load<f64>(body + k, ANGULAR) + h * moment, ANGULAR);
    }
    writeSpin(body);
  }
}

/** Applies gravity and forces for the time h, and nothing else. */
export function pull(h: f64): void {
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    if (load<f64>(frame, FREE) === 0) continue;
    for (let k: usize = 0; k < 24; k += 8) {
      store<f64>(body + k, load<f64>(body + k) + h * load<f64>(frame + k, ACCELERATION));
      store<f64>(body + k, load<f64>(body + k, ANGULAR) + h * load<f64>(frame + k, TORQUE), ANGULAR);
    }
    writeSpin(body);
  }
}

/** Moves bodies by their velocities and spins as if they were pushed, to see where they will be. */
export function drift(h: f64): void {
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    for (let k: usize = 0; k < 24; k += 8) store<f64>(frame + k, load<f64>(frame + k) + h * load<f64>(body + k));
    turnBody(body, frame, h, load<f64>(frame, FREE) !== 0);
  }
}

/**
 * Moves bodies by their velocities and spins; without contacts, along their parabolas. `slides`: there is one free
 * body, which only scenery holds. Returns the greatest distance moved.
 */
export function advance(h: f64, slides: bool): f64 {
  let longest: f64 = 0;
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    const free = load<f64>(frame, FREE) !== 0;
    const pushed = load<f64>(body, PUSHED) !== 0;
    const half = free && !pushed ? 0.5 * h : 0;
    const time = slides && free && pushed && !isDriven ? h * slidingShare(body, frame, h) : h;
    let waySq: f64 = 0, fall: f64 = 0;
    for (let k: usize = 0; k < 24; k += 8) {
      const way = time * (load<f64>(body + k) - half * load<f64>(frame + k, ACCELERATION));
      store<f64>(frame + k, load<f64>(frame + k) + way);
      waySq += way * way;
      fall += way * load<f64>(frame + k, ACCELERATION);
    }
    if (free) {
      const done = fall / load<f64>(body, INVERSE_MASS);
      work += done;
      store<f64>(body, load<f64>(body, ENERGY) + done, ENERGY);
    }
    longest = max(longest, sqrt(waySq) + turnBody(body, frame, h, free) * load<f64>(frame, RADIUS));
  }
  return longest;
}

/**
 * How far a sliding body moves, as a share of what its velocity at the end says. Contacts push across its path, so a
 * change of speed along it, up to the effect of gravity and forces, comes from these: then the body moves by the mean
 * speed of both ends. Other changes do not count. A shorter move in the same direction breaks no contact; a body that
 * is slowed down moves farther by half of the speed that the part took from it.
 */
function slidingShare(body: usize, frame: usize, h: f64): f64 {
  const x = load<f64>(body), y = load<f64>(body, 8), z = load<f64>(body, 16);
  const speedSq = x * x + y * y + z * z;
  if (speedSq === 0) return 1;
  const pull = h * (x * load<f64>(frame, ACCELERATION) + y * load<f64>(frame, ACCELERATION + 8) + z * load<f64>(frame, ACCELERATION + 16));
  const change = speedSq - (x * startX + y * startY + z * startZ);
  const gained = max(min(0, pull), min(max(0, pull), change));
  return max(0, min(MOST_SHARE, 1 - 0.5 * gained / speedSq));
}

/** Rotates a body, and returns an upper bound of the motion of a point at distance 1 from its centre. */
function turnBody(body: usize, frame: usize, h: f64, free: bool): f64 {
  const x = load<f64>(body, SPIN), y = load<f64>(body, SPIN + 8), z = load<f64>(body, SPIN + 16);
  if (x === 0 && y === 0 && z === 0) return 0;
  const qx = load<f64>(frame, TURN), qy = load<f64>(frame, TURN + 8), qz = load<f64>(frame, TURN + 16), qw = load<f64>(frame, TURN + 24);
  if (free) turnFreely(body, frame, h);
  else {
    turn(frame, h * x, h * y, h * z);
    writeMatrix(frame);
  }
  const dx = load<f64>(frame, TURN) - qx, dy = load<f64>(frame, TURN + 8) - qy;
  const dz = load<f64>(frame, TURN + 16) - qz, dw = load<f64>(frame, TURN + 24) - qw;
  // quaternions of rotations by φ from each other are at least 2 sin(φ / 4) apart, and points at 1 from the axis 2
  // sin(φ / 2)
  return 2 * sqrt(dx * dx + dy * dy + dz * dz + dw * dw);
}

/** The kinetic energy of free bodies, whose spins must be up to date with angular momenta. */
export function kineticEnergy(): f64 {
  let sum: f64 = 0;
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i;
    if (load<f64>(frames + FRAME * <usize>i, FREE) !== 0) sum += kineticOf(body);
  }
  return sum;
}

/** The kinetic energy of one body. */
export function kineticOf(body: usize): f64 {
  let speedSq: f64 = 0, turning: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    speedSq += load<f64>(body + k) * load<f64>(body + k);
    turning += load<f64>(body + k, SPIN) * load<f64>(body + k, ANGULAR);
  }
  return 0.5 * (speedSq / load<f64>(body, INVERSE_MASS) + turning);
}

/** Updates inertia and spin of bodies for their orientation and angular momenta. */
export function orient(): void {
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    if (load<f64>(frame, FREE) === 0) continue;
    const m = frame + MATRIX;
    for (let row: usize = 0, at = body + INVERSE_INERTIA; row < 3; row++) {
      // transforms an axis of the world into the frame of the body, through the tensor and back
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
