/**
 * How far any point of a body moves within a piece of its motion.
 *
 * A point whose arm, at right angles to the axis, has length r is displaced in the time h by v·h + c, where v is the
 * velocity of the axis and c, across the axis, the chord of an arc of the angle φ = rate · h: |c| = 2 sin(φ/2) · r, for
 * φ is at most π. With v split into its parts along and across the axis the displacement is at most
 *   √((v∥ h)² + (v⊥ h + 2 sin(φ/2) r)²),
 * and as 2 sin(φ/2) ≤ φ, at most h · √(v∥² + (v⊥ + rate · r)²). Both hold for turning about a centre that moves
 * straight and for screws, whose v⊥ is 0. All points of the body lie in a ball, so r is at most the arm of its centre
 * plus its radius. Errs: outward, by more than these few operations round.
 */
import type { Mesh } from 'impinge';
import type { RigidMotion } from 'impinge/internal/math/motion.js';

const ROUNDED_UP = 1 + 1e-14;

/** A ball around all vertices of a mesh, in its own coordinates, about the middle of its box. */
export interface Ball {
  readonly centre: Float64Array;
  readonly radius: number;
}

export function ballAround(mesh: Mesh): Ball {
  const { box, origin, storedPositions: p } = mesh;
  const centre = Float64Array.from(box.min, (low, k) => 0.5 * (low + box.max[k]));
  const [x, y, z] = centre.map((c, k) => c - origin[k]);
  let mostSq = 0;
  for (let i = 0; i < p.length; i += 3) {
    mostSq = Math.max(mostSq, (p[i] - x) ** 2 + (p[i + 1] - y) ** 2 + (p[i + 2] - z) ** 2);
  }
  return { centre, radius: Math.sqrt(mostSq) * ROUNDED_UP };
}

export class MotionReach {
  /** No point moves faster. */
  readonly speed: number;
  readonly #along: number;
  readonly #across: number;
  readonly #angle: number;
  readonly #arm: number;

  constructor(motion: RigidMotion, ball: Ball) {
    const { axis, velocity, angle } = motion;
    const [ux, uy, uz] = axis;
    const [vx, vy, vz] = velocity;
    const along = ux * vx + uy * vy + uz * vz;
    const [x, y, z] = motion.armOf(ball.centre);
    this.#along = Math.abs(along) * ROUNDED_UP;
    this.#across = Math.hypot(vx - along * ux, vy - along * uy, vz - along * uz) * ROUNDED_UP;
    this.#angle = angle;
    this.#arm = (Math.hypot(x, y, z) + ball.radius) * ROUNDED_UP;
    this.speed = Math.hypot(this.#along, this.#across + angle * this.#arm) * ROUNDED_UP;
  }

  /** No point moves farther in this time, from 0 to 1. */
  within(time: number): number {
    const chord = 2 * Math.sin(0.5 * this.#angle * time) * this.#arm;
    const across = this.#across * time + chord;
    const along = this.#along * time;
    return Math.sqrt(along * along + across * across) * ROUNDED_UP;
  }
}
