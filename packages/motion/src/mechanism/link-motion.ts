/**
 * Where all links are in the middle of a piece of a motion, how they move there, and how far any point of them can get.
 *
 * A piece is all times at most h from the middle. On the way from a link to the first one, let p_j be the position of a
 * point of the link in the frame in which joint j is placed. Joint j slides by u and turns by w about an axis through
 * its origin, while the joints beyond it move the point by p_k:
 *     p_j(t) = u t + R(w t) y(t),   y(t) = p_k(t) in the frame that joint j moves.
 * Where r_j is the largest distance of such points from the axis within the piece, and S_k, A_k bound the speed and the
 * acceleration of y, deriving this once and twice gives
 *     S_j = |u| + w r_j + S_k,      A_j = w² r_j + 2 w S_k + A_k,
 * since a turn with unit axis a has |a × v| ≤ |v| and |a × (a × y)| = |a × y| = the distance from the axis. Within the
 * piece that distance is at most the one in the middle and h S_k, and never more than the reach of all that joint j
 * bears. So no point moves farther than h S from its place in the middle, and none is farther than ½ h² A from where
 * its velocity in the middle would have taken it. In the frame of a common ancestor of two links, the same holds with
 * the joints beyond it only.
 */
import type { BodySet } from './body-set.js';
import type { JointMotion } from './joint-motion.js';
import type { Mechanism } from './mechanism.js';

export class LinkMotion {
  /** Of the piece: its middle, and half its length. */
  middle = 0;
  half = 0;
  /** Of links in the middle: twelve numbers each. */
  readonly poses: Float64Array;
  /** Velocities of links in the middle: of what is at the origin of the world, and angular; six numbers each. */
  readonly fields: Float64Array;
  /** By body, and joint of its chain: bounds of speed and acceleration by that joint and those beyond. */
  readonly speeds: Float64Array;
  readonly bends: Float64Array;
  readonly #mechanism: Mechanism;
  readonly #bodies: BodySet;
  readonly #bounded: Uint8Array;
  readonly #configuration: Float64Array;
  /** By link, of its joint, if that moves: the axis in the world and a point of it. */
  readonly axes: Float64Array;

  constructor(mechanism: Mechanism, bodies: BodySet) {
    const links = mechanism.links.length;
    this.#mechanism = mechanism;
    this.#bodies = bodies;
    this.poses = new Float64Array(12 * links);
    this.fields = new Float64Array(6 * links);
    this.axes = new Float64Array(6 * links);
    this.speeds = new Float64Array(bodies.stride * bodies.count);
    this.bends = new Float64Array(bodies.stride * bodies.count);
    this.#bounded = new Uint8Array(bodies.count);
    this.#configuration = new Float64Array(mechanism.variables);
  }

  set(motion: JointMotion, middle: number, half: number): void {
    this.middle = middle;
    this.half = half;
    motion.at(middle, this.#configuration);
    this.#mechanism.forward(this.#configuration, this.poses);
    this.#bounded.fill(0);
    this.#setFields(motion);
  }

  #setFields({ turn, axis, slide }: JointMotion): void {
    const { jointOf } = this.#mechanism;
    const { poses, fields, axes } = this;
    for (let link = 1; link < jointOf.length; link++) {
      const { parent, before } = jointOf[link]!;
      const from = 6 * parent;
      const to = 6 * link;
      for (let k = 0; k < 6; k++) fields[to + k] = fields[from + k];
      const w = turn[link];
      const s = 3 * link;
      const moves = slide[s] !== 0 || slide[s + 1] !== 0 || slide[s + 2] !== 0;
      if (w === 0 && !moves) continue;
      // the frame of the joint in the world: the parent's rotation, then its own
      const p = 12 * parent;
      const [ax, ay, az] = [axis[s], axis[s + 1], axis[s + 2]];
      const bx = before[0] * ax + before[1] * ay + before[2] * az;
      const by = before[3] * ax + before[4] * ay + before[5] * az;
      const bz = before[6] * ax + before[7] * ay + before[8] * az;
      const nx = poses[p] * bx + poses[p + 1] * by + poses[p + 2] * bz;
      const ny = poses[p + 3] * bx + poses[p + 4] * by + poses[p + 5] * bz;
      const nz = poses[p + 6] * bx + poses[p + 7] * by + poses[p + 8] * bz;
      // joints turn about the origin of the link that they bear
      const ox = poses[12 * link + 9];
      const oy = poses[12 * link + 10];
      const oz = poses[12 * link + 11];
      axes[to] = nx;
      axes[to + 1] = ny;
      axes[to + 2] = nz;
      axes[to + 3] = ox;
      axes[to + 4] = oy;
      axes[to + 5] = oz;
      fields[to] += w * (oy * nz - oz * ny);
      fields[to + 1] += w * (oz * nx - ox * nz);
      fields[to + 2] += w * (ox * ny - oy * nx);
      fields[to + 3] += w * nx;
      fields[to + 4] += w * ny;
      fields[to + 5] += w * nz;
      if (!moves) continue;
      const [ux, uy, uz] = [slide[s], slide[s + 1], slide[s + 2]];
      const cx = before[0] * ux + before[1] * uy + before[2] * uz;
      const cy = before[3] * ux + before[4] * uy + before[5] * uz;
      const cz = before[6] * ux + before[7] * uy + before[8] * uz;
      fields[to] += poses[p] * cx + poses[p + 1] * cy + poses[p + 2] * cz;
      fields[to + 1] += poses[p + 3] * cx + poses[p + 4] * cy + poses[p + 5] * cz;
      fields[to + 2] += poses[p + 6] * cx + poses[p + 7] * cy + poses[p + 8] * cz;
    }
  }

  /** Writes the bounds of a body, once for each piece. */
  bound(body: number, { turn, slide }: JointMotion): void {
    if (this.#bounded[body] === 1) return;
    this.#bounded[body] = 1;
    const { chains, reaches, stride, bodies, more } = this.#bodies;
    const { link, solid } = bodies[body];
    const chain = chains[link];
    const { poses, axes } = this;
    const at = 12 * link;
    const [x, y, z] = solid.centre;
    const cx = poses[at] * x + poses[at + 1] * y + poses[at + 2] * z + poses[at + 9];
    const cy = poses[at + 3] * x + poses[at + 4] * y + poses[at + 5] * z + poses[at + 10];
    const cz = poses[at + 6] * x + poses[at + 7] * y + poses[at + 8] * z + poses[at + 11];
    let speed = 0;
    let bend = 0;
    const first = stride * body;
    this.speeds[first + chain.length] = 0;
    this.bends[first + chain.length] = 0;
    for (let k = chain.length - 1; k >= 0; k--) {
      const joint = chain[k];
      const w = turn[joint];
      if (w > 0) {
        const a = 6 * joint;
        const dx = cx - axes[a + 3];
        const dy = cy - axes[a + 4];
        const dz = cz - axes[a + 5];
        const ex = axes[a + 1] * dz - axes[a + 2] * dy;
        const ey = axes[a + 2] * dx - axes[a] * dz;
        const ez = axes[a] * dy - axes[a + 1] * dx;
        const far = Math.sqrt(ex * ex + ey * ey + ez * ez) + solid.reach + more + this.half * speed;
        const most = Math.min(far, reaches[first + k]);
        bend += 2 * w * speed + w * w * most;
        speed += w * most;
      }
      const s = 3 * joint;
      if (slide[s] !== 0 || slide[s + 1] !== 0 || slide[s + 2] !== 0)
        speed += Math.sqrt(slide[s] * slide[s] + slide[s + 1] * slide[s + 1] + slide[s + 2] * slide[s + 2]);
      this.speeds[first + k] = speed;
      this.bends[first + k] = bend;
    }
  }
}
