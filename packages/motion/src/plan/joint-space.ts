/**
 * The configurations of a mechanism as states: all variables of its joints, within their limits.
 *
 * A small change of an angle counts as far as the farthest point that the joint bears moves by it. Slides go straight
 * on: contacts turn no joint aside.
 */
import { ImpingeError } from 'impinge';
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { JointMotion } from '../mechanism/joint-motion.js';
import type { MechanismSpace } from '../mechanism/mechanism-space.js';
import type { Slide } from './slide.js';
import type { State, StateSpace } from './state-space.js';

/** Share of the reach of the mechanism that its farthest point moves between two samples. */
const RESOLUTION = 0.12;
/** Joints that bear little count at least as this share of the one that counts most. */
const LEAST_WEIGHT = 0.1;

export class JointSpace implements StateSpace {
  readonly dimension: number;
  readonly weights: Float64Array;
  readonly resolution: number;
  readonly extent: number;
  readonly space: MechanismSpace;
  readonly #clearance: number;
  readonly #accuracy: number;
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #motion: JointMotion;

  constructor(space: MechanismSpace, clearance: number, accuracy: number) {
    const { mechanism } = space;
    this.space = space;
    this.#clearance = clearance;
    this.#accuracy = accuracy;
    this.dimension = mechanism.variables;
    if (this.dimension === 0) throw new ImpingeError('bad-input', 'the mechanism has no joints that move');
    this.#lower = Float64Array.from(mechanism.lower);
    this.#upper = Float64Array.from(mechanism.upper);
    this.#limit();
    this.weights = this.#weigh();
    this.resolution = RESOLUTION * Math.max(...this.weights);
    this.extent = Math.hypot(...this.weights.map((w, k) => w * (this.#upper[k] - this.#lower[k])));
    this.#motion = new JointMotion(mechanism);
  }

  sample(random: SeededRandom): State {
    return this.#lower.map((least, k) => least + random.next() * (this.#upper[k] - least));
  }

  sampleNear(state: State, distance: number, random: SeededRandom): State {
    const heading = this.heading(state, random);
    const length = distance * random.next();
    return state.map((x, k) => x + (length * heading[k]) / this.weights[k]);
  }

  images(state: State): State[] {
    return [state];
  }

  heading(state: State, random: SeededRandom): Float64Array {
    const any = state.map(() => gaussian(random));
    const length = Math.hypot(...any);
    return any.map((x) => x / length);
  }

  /** Where several links are near something, nothing is known. */
  freedom(): Float64Array[] {
    return [];
  }

  slide(state: State, heading: Float64Array, length: number): Slide | undefined {
    const moved = state.map((x, k) => x + (length * heading[k]) / this.weights[k]);
    return this.keepsClear(moved) ? { state: moved, heading } : undefined;
  }

  interpolate(from: State, to: State, share: number): State {
    const out = new Float64Array(this.dimension);
    this.#motion.set(from, to);
    this.#motion.at(share, out);
    return out;
  }

  isInBounds(state: State): boolean {
    return this.space.mechanism.outOfLimits(state) < 0;
  }

  keepsClear(state: State): boolean {
    return this.isInBounds(state) && this.space.isFree(state, this.#clearance);
  }

  edgeFree(from: State, to: State): boolean {
    const options = { clearance: this.#clearance, accuracy: this.#accuracy, mode: 'any' } as const;
    return this.space.edge(from, to, options).verdict === 'free';
  }

  /** How far every variable changes on the way. */
  changes(from: State, to: State): Float64Array {
    return this.interpolate(from, to, 1).map((x, k) => x - from[k]);
  }

  /** Angles without limits have all there are once; nothing else can be sampled without. */
  #limit(): void {
    for (const joint of this.space.mechanism.jointOf) {
      if (!joint?.free) continue;
      const { name, type, first, lower } = joint;
      if (type === 'floating')
        throw new ImpingeError('unsupported', `joint ${name} is floating: findPath moves free bodies`);
      for (let k = first; k < first + lower.length; k++) {
        if (Number.isFinite(this.#upper[k] - this.#lower[k])) continue;
        const isAngle =
          type === 'continuous' || type === 'revolute' || (type === 'planar' && k === first + 2);
        if (!isAngle || this.#lower[k] > -Infinity || this.#upper[k] < Infinity)
          throw new ImpingeError('bad-input', `joint ${name} has no limits to look for a path within`);
        this.#lower[k] = -Math.PI;
        this.#upper[k] = Math.PI;
      }
    }
  }

  #weigh(): Float64Array {
    const { mechanism, bodies } = this.space;
    const weights = new Float64Array(this.dimension);
    bodies.bodies.forEach(({ link }, body) => {
      bodies.chains[link].forEach((at, k) => {
        const { type, first, factor, lower } = mechanism.jointOf[at]!;
        const reach = bodies.reaches[bodies.stride * body + k];
        const turn = Math.abs(factor) * (Number.isFinite(reach) ? reach : 1);
        for (let i = first; i < first + lower.length; i++) {
          const isTurn = type === 'planar' ? i === first + 2 : type !== 'prismatic';
          weights[i] = Math.max(weights[i], isTurn ? turn : Math.abs(factor));
        }
      });
    });
    const most = Math.max(...weights) || 1;
    return weights.map((w) => Math.max(w, LEAST_WEIGHT * most));
  }
}

function gaussian(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
