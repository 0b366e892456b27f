/**
 * How long two moving convex sets certainly stay apart.
 *
 * Idea: at some time a slab of width `gap` lies between them, with unit normal n from a to b. A point of a at r from
 * its axis of rotation goes on along n by
 *   n · v · h + sin φ · (n × u) · r − (1 − cos φ) · n⊥ · r        (φ = angle · h, n⊥ = n across the axis u)
 * in the time h, and sin φ and 1 − cos φ are never negative, for φ is at most π. With the largest (n × u) · r and −n⊥ ·
 * r of the set, `swing` and `rise`, that is a bound for all its points; the same for b along −n. The gap is left as
 * long as the sum stays below it. Its second derivative is bounded too, so that steps along the curve never pass the
 * first time at which it is reached. Invariant: exact but for rounding, which is what the caller's `slack` is for.
 */
import type { RigidMotion } from '../../math/motion.js';

/** Steps along the curve; the last ones gain little, and the caller will look again from there. */
const STEPS = 4;
/** A step that adds less than this share is the last. */
const LITTLE = 0.05;

export class MotionBound {
  readonly rateA: number;
  readonly rateB: number;
  readonly #velocity: Float64Array;

  constructor(a: RigidMotion, b: RigidMotion) {
    this.rateA = a.angle;
    this.rateB = b.angle;
    this.#velocity = a.velocity.map((v, k) => v - b.velocity[k]);
  }

  /** How fast the axes approach along n. */
  approach(nx: number, ny: number, nz: number): number {
    return this.#velocity[0] * nx + this.#velocity[1] * ny + this.#velocity[2] * nz;
  }

  /** A time for which `gap` is certainly left, Infinity when it is at least `remaining`. */
  freeTime(
    gap: number,
    approach: number,
    swingA: number,
    riseA: number,
    swingB: number,
    riseB: number,
    remaining: number,
  ): number {
    const { rateA, rateB } = this;
    const bending =
      rateA * rateA * Math.sqrt(swingA * swingA + riseA * riseA) +
      rateB * rateB * Math.sqrt(swingB * swingB + riseB * riseB);
    let time = 0;
    let left = gap;
    let speed = approach + rateA * swingA + rateB * swingB;
    for (let step = 0; ; step++) {
      const more = timeToCover(left, speed, bending);
      time += more;
      if (time >= remaining) return Infinity;
      if (bending === 0 || step === STEPS || more < LITTLE * time) return time;
      // sin φ and 1 − cos φ by half the angle: a screw's arm may be long, so that nothing may cancel
      const halfA = Math.sin(0.5 * rateA * time);
      const halfB = Math.sin(0.5 * rateB * time);
      const sineA = 2 * halfA * Math.cos(0.5 * rateA * time);
      const sineB = 2 * halfB * Math.cos(0.5 * rateB * time);
      const bendA = 2 * halfA * halfA;
      const bendB = 2 * halfB * halfB;
      left = gap - approach * time - (sineA * swingA + bendA * riseA) - (sineB * swingB + bendB * riseB);
      if (!(left > 0)) return time; // rounding
      speed =
        approach +
        rateA * ((1 - bendA) * swingA + sineA * riseA) +
        rateB * ((1 - bendB) * swingB + sineB * riseB);
    }
  }
}

/** When speed · h + ½ acceleration · h² comes to `way` > 0; Infinity for never. */
function timeToCover(way: number, speed: number, acceleration: number): number {
  const root = Math.sqrt(speed * speed + 2 * acceleration * way);
  if (speed > 0) return (2 * way) / (speed + root);
  return acceleration > 0 ? (root - speed) / acceleration : Infinity;
}
