/**
 * The straight motion from one configuration to another: all variables at constant rates, continuous joints the shorter
 * way round, quaternions along the shorter arc.
 *
 * Idea: each joint then does two things at once, and each at a constant rate: it slides, and turns about an axis that
 * slides along with it.
 */
import type { Mechanism } from './mechanism.js';
import type { Joint } from './read-mechanism.js';

const TURN = 2 * Math.PI;

export class JointMotion {
  /**
   * Per link, of the joint above it: the turn in radians, never negative; its axis, the slide, in the joint's frame.
   */
  readonly turn: Float64Array;
  readonly axis: Float64Array;
  readonly slide: Float64Array;
  readonly #mechanism: Mechanism;
  readonly #from: Float64Array;
  readonly #change: Float64Array;
  readonly #floating: readonly Joint[];
  /** Of floating joints: half the angle of the arc. */
  readonly #arc: Float64Array;

  constructor(mechanism: Mechanism) {
    const links = mechanism.links.length;
    this.#mechanism = mechanism;
    this.turn = new Float64Array(links);
    this.axis = new Float64Array(3 * links);
    this.slide = new Float64Array(3 * links);
    this.#from = new Float64Array(mechanism.variables);
    this.#change = new Float64Array(mechanism.variables);
    this.#floating = mechanism.jointOf.filter((joint) => joint?.type === 'floating') as Joint[];
    this.#arc = new Float64Array(this.#floating.length);
  }

  set(from: ArrayLike<number>, to: ArrayLike<number>): void {
    const { jointOf, variables } = this.#mechanism;
    for (let i = 0; i < variables; i++) {
      this.#from[i] = from[i];
      this.#change[i] = to[i] - from[i];
    }
    for (let link = 1; link < jointOf.length; link++) {
      const joint = jointOf[link]!;
      if (joint.type === 'continuous' && joint.free)
        this.#change[joint.first] -= TURN * Math.round(this.#change[joint.first] / TURN);
    }
    for (let link = 1; link < jointOf.length; link++) this.#setJoint(link, jointOf[link]!);
  }

  /** Writes the configuration at a time from 0 to 1. */
  at(time: number, out: Float64Array): void {
    for (let i = 0; i < out.length; i++) out[i] = this.#from[i] + time * this.#change[i];
    for (let f = 0; f < this.#floating.length; f++) {
      const { first } = this.#floating[f];
      const half = this.#arc[f];
      // along the arc from the first quaternion, by the unit quaternion at right angles to it that #change holds
      const c = Math.cos(time * half);
      const s = Math.sin(time * half);
      for (let i = first + 3; i < first + 7; i++) out[i] = c * this.#from[i] + s * this.#change[i];
    }
  }

  #setJoint(link: number, joint: Joint): void {
    const { type, first, factor, axis } = joint;
    const change = this.#change;
    this.turn[link] = 0;
    for (let k = 0; k < 3; k++) {
      this.axis[3 * link + k] = axis[k];
      this.slide[3 * link + k] = 0;
    }
    switch (type) {
      case 'revolute':
      case 'continuous':
        this.#turnBy(link, factor * change[first]);
        return;
      case 'prismatic':
        for (let k = 0; k < 3; k++) this.slide[3 * link + k] = factor * change[first] * axis[k];
        return;
      case 'planar':
        this.#turnBy(link, change[first + 2]);
        for (let k = 0; k < 3; k++)
          this.slide[3 * link + k] = change[first] * axis[3 + k] + change[first + 1] * axis[6 + k];
        return;
      case 'floating':
        for (let k = 0; k < 3; k++) this.slide[3 * link + k] = change[first + k];
        this.#turnAlong(link, joint);
    }
  }

  #turnBy(link: number, angle: number): void {
    this.turn[link] = Math.abs(angle);
    if (angle < 0) for (let k = 3 * link; k < 3 * link + 3; k++) this.axis[k] = -this.axis[k];
  }

  #turnAlong(link: number, joint: Joint): void {
    const at = joint.first + 3;
    const [p, d] = [this.#from, this.#change];
    const q = [0, 1, 2, 3].map((k) => p[at + k] + d[at + k]);
    const [lp, lq] = [Math.hypot(p[at], p[at + 1], p[at + 2], p[at + 3]), Math.hypot(...q)];
    let cosine = 0;
    for (let k = 0; k < 4; k++) {
      p[at + k] /= lp;
      q[k] /= lq;
      cosine += p[at + k] * q[k];
    }
    const sign = cosine < 0 ? -1 : 1;
    const across = q.map((x, k) => sign * x - Math.abs(cosine) * p[at + k]);
    const sine = Math.hypot(...across);
    const half = Math.atan2(sine, Math.abs(cosine));
    const flat = !(sine > 1e-15);
    for (let k = 0; k < 4; k++) d[at + k] = flat ? 0 : across[k] / sine;
    this.#arc[this.#floating.indexOf(joint)] = flat ? 0 : half;
    this.turn[link] = flat ? 0 : 2 * half;
    // the unit quaternion of the turn by π about the axis is d times the inverse of p
    const [x, y, z, w] = [p[at], p[at + 1], p[at + 2], p[at + 3]];
    const [dx, dy, dz, dw] = [d[at], d[at + 1], d[at + 2], d[at + 3]];
    this.axis[3 * link] = -dw * x + dx * w - dy * z + dz * y;
    this.axis[3 * link + 1] = -dw * y + dy * w - dz * x + dx * z;
    this.axis[3 * link + 2] = -dw * z + dz * w - dx * y + dy * x;
    if (flat) this.axis.set([0, 0, 1], 3 * link);
  }
}
