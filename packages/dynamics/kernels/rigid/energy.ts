/**
 * Contacts absorb energy, and add none; if they turn a path smoothly, they absorb none either (`keepEnergy`). If
 * impulses that were not fully converged, separation of bodies that were too near, or rebounds leave bodies with more
 * energy than they had, motion is slowed down.
 *
 * Against scenery, the motion of bodies that have gained energy is slowed, by their shares of the gain: light bodies do
 * not pay for heavy ones. Among free bodies, everything except the common motion of all, as of one rigid body with
 * their momentum and angular momentum, is slowed. In the common motion nothing moves relative to anything else, so
 * contacts and both momenta are preserved; and of all motions with these momenta it has the least energy, so energies
 * simply add up. If moving scenery or moments drive bodies, their permitted energy is unknown.
 */
import { ACCELERATION, ANGULAR, BODY, bodies, endBody, endPair, ENERGY, FRAME, frames, FREE, firstBody, firstPair, FRICTION, INVERSE_INERTIA, INVERSE_MASS, PAIR, pairs, SPIN } from './layout';
import { allowed, isDriven, kinetic, kineticEnergy, kineticOf, onScenery, wasPushed, work } from './motion';

/** Share of the energy that exceeds the rounding. */
const ROUNDING: f64 = 1e-12;
/** Radians: ground that turns a sliding body's path by less counts as curved. */
const BEND: f64 = 0.05;

/** The common motion: its centre, velocity and spin. */
let centreX: f64 = 0, centreY: f64 = 0, centreZ: f64 = 0;
let velocityX: f64 = 0, velocityY: f64 = 0, velocityZ: f64 = 0;
let spinX: f64 = 0, spinY: f64 = 0, spinZ: f64 = 0;
/** A symmetric matrix: xx, xy, xz, yy, yz, zz. */
let xx: f64 = 0, xy: f64 = 0, xz: f64 = 0, yy: f64 = 0, yz: f64 = 0, zz: f64 = 0;

/**
 * Called after a part of a step, with spins up to date: limits the energy of bodies to what they had before it, plus
 * the work of gravity and forces. Bodies that slide (`advance`) over curved ground without friction keep all of it;
 * they are recognised by hops no higher than `hop`. Where joints tie bodies (`tied`), all are slowed down alike.
 */
export function keepEnergy(hop: f64, tied: bool): void {
  limit(kinetic + work, tied);
  if (hop > 0 && !isDriven && isSmooth()) speedUp(kinetic + work, hop);
}

/** Whether no contact of the island has friction. */
function isSmooth(): bool {
  for (let k = firstPair; k < endPair; k++) if (load<f64>(pairs + PAIR * <usize>k, FRICTION) !== 0) return false;
  return true;
}

/**
 * Gives back the energy that contact took by turning a path. Across a bend β the lost speed is v sin β, so it takes ½ m
 * v² sin² β: a loss above that for BEND was an impact, and stays lost. So does the loss of a body that was in the air
 * and fell farther than a hop, which equals the gain of the fall. All of the motion is scaled alike, so pairs that do
 * not approach still do not.
 */
function speedUp(most: f64, hop: f64): void {
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    if (load<f64>(frame, FREE) === 0) continue;
    const now = kineticOf(body), lost = (most - now) * load<f64>(body, INVERSE_MASS);
    const bent = 0.5 * BEND * BEND * squared(body);
    if (lost <= 0 || lost > (wasPushed ? bent : min(bent, hop * sqrt(squared(frame + ACCELERATION))))) continue;
    scale(body, sqrt(most / now));
  }
}

// @ts-ignore: decorator
@inline function squared(at: usize): f64 {
  return load<f64>(at) * load<f64>(at) + load<f64>(at, 8) * load<f64>(at, 8) + load<f64>(at, 16) * load<f64>(at, 16);
}

/** For bodies that joints tie: limits their energy of motion, before they move. */
export function keepBelow(most: f64): void {
  limit(most, true);
}

/**
 * Before a move of length h, of bodies on scenery that hardly move: they rise no higher than their motion can lift
 * them. What sweeps leave over may be more, and it is gone after the move.
 */
export function keepFromRising(h: f64): void {
  if (isDriven || !onScenery) return;
  let lift: f64 = 0;
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, pull = frames + FRAME * <usize>i + ACCELERATION;
    if (load<f64>(frames + FRAME * <usize>i, FREE) === 0) continue;
    const along = load<f64>(body) * load<f64>(pull) + load<f64>(body, 8) * load<f64>(pull, 8) + load<f64>(body, 16) * load<f64>(pull, 16);
    lift -= h * along / load<f64>(body, INVERSE_MASS);
  }
  if (lift > kinetic) slowAll(kinetic / lift);
}

/** Limits the energy of bodies as `keepEnergy` does, for all parts so far. */
export function keepWholeEnergy(tied: bool): void {
  limit(allowed + work, tied);
}

function limit(most: f64, tied: bool): void {
  if (isDriven) return;
  const now = kineticEnergy();
  if (now === 0 || now <= most + ROUNDING * now) return;
  if (onScenery && tied) slowAll(sqrt(max(0, most) / now));
  else if (onScenery) takeBack(now - most);
  else {
    const common = writeCommon();
    slowDown(sqrt(max(0, most - common) / max(now - common, ROUNDING * now)));
  }
}

/** Slows down bodies that have gained energy, so that together they lose this much, or all they have. */
function takeBack(excess: f64): void {
  let gains: f64 = 0;
  for (let i = firstBody; i < endBody; i++) gains += gainOf(i);
  if (gains === 0) return;
  const part = min(1, excess / gains);
  for (let i = firstBody; i < endBody; i++) {
    const gain = gainOf(i);
    if (gain === 0) continue;
    const body = bodies + BODY * <usize>i;
    const now = kineticOf(body);
    if (now === 0) continue;
    scale(body, sqrt(max(0, now - part * gain) / now));
  }
}

function slowAll(share: f64): void {
  for (let i = firstBody; i < endBody; i++)
    if (load<f64>(frames + FRAME * <usize>i, FREE) !== 0) scale(bodies + BODY * <usize>i, share);
}

function scale(body: usize, share: f64): void {
  mix(body, 0, share, 0, 0, 0);
  mix(body, SPIN, share, 0, 0, 0);
  mix(body, ANGULAR, share, 0, 0, 0);
}

function gainOf(i: u32): f64 {
  if (load<f64>(frames + FRAME * <usize>i, FREE) === 0) return 0;
  const body = bodies + BODY * <usize>i;
  return max(0, kineticOf(body) - load<f64>(body, ENERGY));
}

/** Scales everything except the common motion by a share. */
function slowDown(share: f64): void {
  const rest = 1 - share;
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    const x = load<f64>(frame) - centreX, y = load<f64>(frame, 8) - centreY, z = load<f64>(frame, 16) - centreZ;
    mix(body, 0, share, rest * (velocityX + spinY * z - spinZ * y), rest * (velocityY + spinZ * x - spinX * z), rest * (velocityZ + spinX * y - spinY * x));
    mix(body, SPIN, share, rest * spinX, rest * spinY, rest * spinZ);
    invert(body);
    mix(body, ANGULAR, share, rest * (xx * spinX + xy * spinY + xz * spinZ), rest * (xy * spinX + yy * spinY + yz * spinZ), rest * (xz * spinX + yz * spinY + zz * spinZ));
  }
}

// @ts-ignore: decorator
@inline function mix(body: usize, at: usize, share: f64, x: f64, y: f64, z: f64): void {
  store<f64>(body + at, share * load<f64>(body + at) + x);
  store<f64>(body + at, share * load<f64>(body + at, 8) + y, 8);
  store<f64>(body + at, share * load<f64>(body + at, 16) + z, 16);
}

/** Finds the common motion; returns its energy. */
function writeCommon(): f64 {
  let mass: f64 = 0;
  centreX = centreY = centreZ = velocityX = velocityY = velocityZ = 0;
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    const m = 1 / load<f64>(body, INVERSE_MASS);
    mass += m;
    centreX += m * load<f64>(frame);
    centreY += m * load<f64>(frame, 8);
    centreZ += m * load<f64>(frame, 16);
    velocityX += m * load<f64>(body);
    velocityY += m * load<f64>(body, 8);
    velocityZ += m * load<f64>(body, 16);
  }
  centreX /= mass;
  centreY /= mass;
  centreZ /= mass;
  velocityX /= mass;
  velocityY /= mass;
  velocityZ /= mass;
  let lx: f64 = 0, ly: f64 = 0, lz: f64 = 0;
  let ixx: f64 = 0, ixy: f64 = 0, ixz: f64 = 0, iyy: f64 = 0, iyz: f64 = 0, izz: f64 = 0;
  for (let i = firstBody; i < endBody; i++) {
    const body = bodies + BODY * <usize>i, frame = frames + FRAME * <usize>i;
    const m = 1 / load<f64>(body, INVERSE_MASS);
    const x = load<f64>(frame) - centreX, y = load<f64>(frame, 8) - centreY, z = load<f64>(frame, 16) - centreZ;
    const u = load<f64>(body), v = load<f64>(body, 8), w = load<f64>(body, 16);
    lx += load<f64>(body, ANGULAR) + m * (y * w - z * v);
    ly += load<f64>(body, ANGULAR + 8) + m * (z * u - x * w);
    lz += load<f64>(body, ANGULAR + 16) + m * (x * v - y * u);
    invert(body);
    ixx += xx + m * (y * y + z * z);
    ixy += xy - m * x * y;
    ixz += xz - m * x * z;
    iyy += yy + m * (z * z + x * x);
    iyz += yz - m * y * z;
    izz += zz + m * (x * x + y * y);
  }
  invertMatrix(ixx, ixy, ixz, iyy, iyz, izz);
  spinX = xx * lx + xy * ly + xz * lz;
  spinY = xy * lx + yy * ly + yz * lz;
  spinZ = xz * lx + yz * ly + zz * lz;
  const speedSq = velocityX * velocityX + velocityY * velocityY + velocityZ * velocityZ;
  return 0.5 * (mass * speedSq + spinX * lx + spinY * ly + spinZ * lz);
}

/** Writes the inertia of a body, in the world. */
function invert(body: usize): void {
  const i = body + INVERSE_INERTIA;
  invertMatrix(load<f64>(i), load<f64>(i, 8), load<f64>(i, 16), load<f64>(i, 24), load<f64>(i, 32), load<f64>(i, 40));
}

function invertMatrix(a: f64, b: f64, c: f64, d: f64, e: f64, f: f64): void {
  const p = d * f - e * e, q = c * e - b * f, r = b * e - c * d;
  const per = 1 / (a * p + b * q + c * r);
  xx = per * p;
  xy = per * q;
  xz = per * r;
  yy = per * (a * f - c * c);
  yz = per * (b * c - a * e);
  zz = per * (a * d - b * b);
}
