/**
 * Enforces the conservation laws at the end of a solver's step: linear and angular momentum as before, and no more
 * energy than before.
 *
 * Idea: the velocity (x1 − x0) / dt splits into a rigid motion and a deviation that carries no momentum. The rigid
 * motion is replaced by the one with the momentum of the start; the deviation is damped, and made smaller where the
 * energy would grow. If the stored energy alone is too much, the proposal is drawn back towards the shape of the start,
 * moved by the velocity of the centre: there the energy is not above that of the start, so this ends. Anchored bodies
 * (some vertices held in place) have no momentum to keep; their rigid motion counts as zero.
 */

/** A proposal halved this many times is replaced by the shape of the start. */
const MAX_HALVINGS = 8;
/** Keeps the inertia of points on a line invertible, relative to its trace. */
const REGULARISER = 1e-13;

/** Point masses; places and velocities are flat arrays beside it, x, y, z each. */
export interface Particles {
  /** 0 for those held in place. */
  readonly masses: Float64Array;
  readonly count: number;
  /** Whether some are held in place. */
  readonly anchored: boolean;
}

/** Mass, centre, velocity, angular momentum about the centre, spin. */
export interface RigidPart {
  mass: number;
  readonly centre: Float64Array;
  readonly velocity: Float64Array;
  readonly angular: Float64Array;
  readonly spin: Float64Array;
  /** xx, yy, zz, xy, yz, zx of the inertia tensor about the centre. */
  readonly inertia: Float64Array;
}

function rigidPart(): RigidPart {
  return {
    mass: 0,
    centre: new Float64Array(3),
    velocity: new Float64Array(3),
    angular: new Float64Array(3),
    spin: new Float64Array(3),
    inertia: new Float64Array(6),
  };
}

/** Writes the rigid motion with the momentum of the particles. Those held in place do not count. */
function measureRigidPart(particles: Particles, x: Float64Array, v: Float64Array, out: RigidPart): RigidPart {
  const { masses, count } = particles;
  let mass = 0;
  let cx = 0;
  let cy = 0;
  let cz = 0;
  let px = 0;
  let py = 0;
  let pz = 0;
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    const m = masses[i];
    mass += m;
    cx += m * x[k];
    cy += m * x[k + 1];
    cz += m * x[k + 2];
    px += m * v[k];
    py += m * v[k + 1];
    pz += m * v[k + 2];
  }
  const perMass = mass > 0 ? 1 / mass : 0;
  cx *= perMass;
  cy *= perMass;
  cz *= perMass;
  px *= perMass;
  py *= perMass;
  pz *= perMass;
  let lx = 0;
  let ly = 0;
  let lz = 0;
  let sxx = 0;
  let syy = 0;
  let szz = 0;
  let sxy = 0;
  let syz = 0;
  let szx = 0;
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    const m = masses[i];
    const rx = x[k] - cx;
    const ry = x[k + 1] - cy;
    const rz = x[k + 2] - cz;
    const ux = m * (v[k] - px);
    const uy = m * (v[k + 1] - py);
    const uz = m * (v[k + 2] - pz);
    lx += ry * uz - rz * uy;
    ly += rz * ux - rx * uz;
    lz += rx * uy - ry * ux;
    sxx += m * rx * rx;
    syy += m * ry * ry;
    szz += m * rz * rz;
    sxy += m * rx * ry;
    syz += m * ry * rz;
    szx += m * rz * rx;
  }
  out.mass = mass;
  set(out.centre, cx, cy, cz);
  set(out.velocity, px, py, pz);
  set(out.angular, lx, ly, lz);
  const i = out.inertia;
  i[0] = syy + szz;
  i[1] = szz + sxx;
  i[2] = sxx + syy;
  i[3] = -sxy;
  i[4] = -syz;
  i[5] = -szx;
  solveInertia(i, out.angular, out.spin);
  return out;
}

/** spin = inertia⁻¹ · angular; zero where nothing can turn. */
export function solveInertia(inertia: Float64Array, angular: Float64Array, spin: Float64Array): void {
  const lift = REGULARISER * (inertia[0] + inertia[1] + inertia[2]);
  const a = inertia[0] + lift;
  const b = inertia[1] + lift;
  const c = inertia[2] + lift;
  const d = inertia[3];
  const e = inertia[4];
  const f = inertia[5];
  // cofactors of [a d f; d b e; f e c]
  const xx = b * c - e * e;
  const xy = f * e - d * c;
  const xz = d * e - b * f;
  const det = a * xx + d * xy + f * xz;
  if (!(det > 0)) {
    spin.fill(0);
    return;
  }
  const yy = a * c - f * f;
  const yz = d * f - a * e;
  const zz = a * b - d * d;
  const lx = angular[0];
  const ly = angular[1];
  const lz = angular[2];
  set(
    spin,
    (xx * lx + xy * ly + xz * lz) / det,
    (xy * lx + yy * ly + yz * lz) / det,
    (xz * lx + yz * ly + zz * lz) / det,
  );
}

function set(out: Float64Array, x: number, y: number, z: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

export function kineticEnergy({ masses, count }: Particles, v: Float64Array): number {
  let sum = 0;
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    sum += masses[i] * (v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2]);
  }
  return 0.5 * sum;
}

/** Writes the momentum and, if there is room for six numbers, the angular momentum about the origin. */
export function momentumOf(
  { masses, count }: Particles,
  x: Float64Array,
  v: Float64Array,
  out: Float64Array,
): void {
  out.fill(0);
  for (let i = 0; i < count; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const a = 3 * i + ((axis + 1) % 3);
      const b = 3 * i + ((axis + 2) % 3);
      out[axis] += masses[i] * v[3 * i + axis];
      if (out.length >= 6) out[3 + axis] += masses[i] * (x[a] * v[b] - x[b] * v[a]);
    }
  }
}

/** Something that stores energy by its shape; gravity does not count. */
export interface Stored {
  storedEnergy(x: Float64Array): number;
  /** The possible rounding error of the energy. */
  readonly energyNoise: number;
}

export interface GuardedStep {
  readonly x0: Float64Array;
  readonly v0: Float64Array;
  /** In: the solver's proposal. Out: perhaps drawn back and damped. */
  readonly x1: Float64Array;
  readonly v1: Float64Array;
  readonly dt: number;
  readonly gravity: readonly [number, number, number];
  /** Share of the deviation from rigid motion that damping leaves, in [0, 1]. */
  readonly keep: number;
  /** The stored energy at x0. */
  readonly stored: number;
}

/** Holds steps to the conservation laws. Owns its scratch: not reentrant. */
export class StepGuard {
  readonly #before = rigidPart();
  readonly #after = rigidPart();

  /**
   * Turns a proposal into an admissible end of the step. Afterwards the momenta are those of the start and of gravity,
   * and kinetic plus stored energy has grown by no more than the work of gravity (and noise). Returns the stored energy
   * at x1. Precondition: without anchors, the centre has moved by at least dt · (velocity + dt · gravity / 2), as any
   * solver with inner forces lets it.
   */
  close(particles: Particles, step: GuardedStep, solver: Stored): number {
    const { x0, v0, x1, v1, dt, gravity, keep } = step;
    const { anchored } = particles;
    const before = measureRigidPart(particles, x0, v0, this.#before);
    const after = this.#after;
    const energy = kineticEnergy(particles, v0) + step.stored;
    if (anchored) standStill(before);
    else for (let axis = 0; axis < 3; axis++) before.velocity[axis] += dt * gravity[axis];
    for (let halvings = 0; ; halvings++) {
      measureRigidPart(particles, x1, v1, after);
      let work = 0;
      for (let axis = 0; axis < 3; axis++) {
        work += after.mass * gravity[axis] * (after.centre[axis] - before.centre[axis]);
      }
      if (anchored) standStill(after);
      const moving = kineticEnergy(particles, v1) - rigidEnergy(after);
      // the spin that the momentum of the start means for the shape of the end
      if (!anchored) solveInertia(after.inertia, before.angular, before.spin);
      const stored = solver.storedEnergy(x1);
      const left = energy + work - stored - rigidEnergy(before);
      if (left >= -solver.energyNoise || halvings > MAX_HALVINGS) {
        const deviation = Math.max(moving, 0) * keep * keep;
        const share =
          deviation > left ? Math.sqrt(Math.max(left, 0) / Math.max(deviation, Number.MIN_VALUE)) : 1;
        exchangeRigidPart(particles, x1, v1, share * keep, after, before);
        return stored;
      }
      drawBack(particles, step, after, before, halvings === MAX_HALVINGS ? 0 : 0.5);
    }
  }
}

function rigidEnergy({ mass, velocity: v, angular: l, spin: w }: RigidPart): number {
  const linear = mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return 0.5 * (linear + l[0] * w[0] + l[1] * w[1] + l[2] * w[2]);
}

function standStill(part: RigidPart): void {
  part.velocity.fill(0);
  part.angular.fill(0);
  part.spin.fill(0);
}

/** Moves x by the rigid motion that takes its centre, and turns it, as far towards `aim` as inner forces cannot. */
export function keepMomentum(
  particles: Particles,
  x: Float64Array,
  aim: Float64Array,
  way: Float64Array,
): void {
  for (let k = 0; k < x.length; k++) way[k] = aim[k] - x[k];
  const { centre, velocity, spin } = measureRigidPart(particles, x, way, rigidPart());
  const [wx, wy, wz] = spin;
  for (let k = 0; k < x.length; k += 3) {
    const rx = x[k] - centre[0];
    const ry = x[k + 1] - centre[1];
    const rz = x[k + 2] - centre[2];
    x[k] += velocity[0] + (wy * rz - wz * ry);
    x[k + 1] += velocity[1] + (wz * rx - wx * rz);
    x[k + 2] += velocity[2] + (wx * ry - wy * rx);
  }
}

/** v = the rigid motion `to` + scale · (v − the rigid motion `from`), both about the centre of `from`. */
function exchangeRigidPart(
  { masses, count }: Particles,
  x: Float64Array,
  v: Float64Array,
  scale: number,
  from: RigidPart,
  to: RigidPart,
): void {
  const cx = from.centre[0];
  const cy = from.centre[1];
  const cz = from.centre[2];
  const vx = to.velocity[0] - scale * from.velocity[0];
  const vy = to.velocity[1] - scale * from.velocity[1];
  const vz = to.velocity[2] - scale * from.velocity[2];
  const wx = to.spin[0] - scale * from.spin[0];
  const wy = to.spin[1] - scale * from.spin[1];
  const wz = to.spin[2] - scale * from.spin[2];
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    if (masses[i] === 0) {
      v[k] = v[k + 1] = v[k + 2] = 0;
      continue;
    }
    const rx = x[k] - cx;
    const ry = x[k + 1] - cy;
    const rz = x[k + 2] - cz;
    v[k] = vx + (wy * rz - wz * ry) + scale * v[k];
    v[k + 1] = vy + (wz * rx - wx * rz) + scale * v[k + 1];
    v[k + 2] = vz + (wx * ry - wy * rx) + scale * v[k + 2];
  }
}

/** Moves the end towards the start as the centre carries it along; `share` of the difference is left. */
function drawBack(
  { count, anchored }: Particles,
  { x0, x1, v1 }: GuardedStep,
  after: RigidPart,
  before: RigidPart,
  share: number,
): void {
  for (let axis = 0; axis < 3; axis++) {
    const way = anchored ? 0 : after.centre[axis] - before.centre[axis];
    for (let k = axis; k < 3 * count; k += 3) {
      const carried = x0[k] + way;
      x1[k] = carried + share * (x1[k] - carried);
      v1[k] *= share;
    }
  }
}
