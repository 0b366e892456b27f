/**
 * The motions of the parts of a rigid body that a blow breaks.
 *
 * Parts could continue as they moved in the body, or separately: one part with the whole blow, the rest as before it.
 * Both have the momenta of the body, and so has any mixture. The second has more energy, by the square of its share.
 * The share is such that this is at most half of ½ · impulse · change of speed at the struck place, which is the energy
 * that a blow without rebound dissipates.
 */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { cross, dot, inertiaOf, inverseInertiaOf } from './rotation.js';
import type { SolidMass } from './solid-mass.js';

/** An impulse on a body, and the place it acted on, as seen from the body at rest. */
export interface Blow {
  readonly impulse: Vec3;
  readonly place: Vec3;
}

/** How a rigid body moves at one instant. */
export interface Twist {
  /** Of the centre. */
  readonly velocity: Vec3;
  readonly spin: Vec3;
}

/** Share of the energy lost. */
const LOSS_SHARE = 0.5;

/** How a blow changes the velocity of a free body, as a function of the place. */
export function velocityGain(whole: SolidMass, { impulse, place }: Blow): (at: Vec3) => Vec3 {
  const turn = tensorTimes(inverseInertiaOf(whole.second), cross(minus(place, whole.centre), impulse));
  const shift = scaled(impulse, 1 / whole.mass);
  return (at) => plus(shift, cross(turn, minus(at, whole.centre)));
}

/**
 * Motions of the parts, of which one was struck, for a body with the motion `after` the blow. All as seen from it at
 * rest.
 */
export function partMotions(
  whole: SolidMass,
  after: Twist,
  blow: Blow,
  parts: readonly SolidMass[],
  struck: number,
): Twist[] {
  const gainAt = velocityGain(whole, blow);
  const turn = tensorTimes(
    inverseInertiaOf(whole.second),
    cross(minus(blow.place, whole.centre), blow.impulse),
  );
  // the additional motion of each part on its own: nothing of the blow, or all of it
  const extra = parts.map((part, i): Twist => {
    const lost = { velocity: scaled(gainAt(part.centre), -1), spin: scaled(turn, -1) };
    if (i !== struck) return lost;
    const ownTurn = tensorTimes(
      inverseInertiaOf(part.second),
      cross(minus(blow.place, part.centre), blow.impulse),
    );
    return {
      velocity: plus(lost.velocity, scaled(blow.impulse, 1 / part.mass)),
      spin: plus(lost.spin, ownTurn),
    };
  });
  const energy = parts.reduce((sum, part, i) => {
    const { velocity, spin } = extra[i];
    const angular = tensorTimes(inertiaOf(part.second), spin);
    return sum + 0.5 * (part.mass * dot(velocity, velocity) + dot(spin, angular));
  }, 0);
  const most = LOSS_SHARE * 0.5 * dot(blow.impulse, gainAt(blow.place));
  const share = energy > most ? Math.sqrt(most / energy) : 1;
  return parts.map((part, i) => ({
    velocity: plus(
      plus(after.velocity, cross(after.spin, minus(part.centre, whole.centre))),
      scaled(extra[i].velocity, share),
    ),
    spin: plus(after.spin, scaled(extra[i].spin, share)),
  }));
}

function plus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function scaled(a: Vec3, s: number): Vec3 {
  return [s * a[0], s * a[1], s * a[2]];
}

function tensorTimes(m: Float64Array, v: Vec3): Vec3 {
  return [
    m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
    m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
    m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
  ];
}
