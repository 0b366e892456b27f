/**
 * The bodies of a mechanism as they are at one time: their joints, how far these bear them, and which bodies may meet.
 */
import type { LinkBody } from './link-body.js';
import type { Mechanism } from './mechanism.js';

/** Joints that slide bear what is beyond them any distance away. */
const SLIDING = { prismatic: true, planar: true, floating: true } as Readonly<Record<string, true>>;

export class BodySet {
  readonly bodies: readonly LinkBody[];
  readonly count: number;
  /** By link: the links whose joints move it, from the first link on. */
  readonly chains: readonly Int32Array[];
  /** Room for each body in lists by body and joint. */
  readonly stride: number;
  /** By body and joint of its chain: the farthest that a point of the body ever is from the joint's axis. */
  readonly reaches: Float64Array;
  /** The farthest that any coordinate of a body is from the base, where no joint slides. */
  readonly reach: number;
  /** What stands for a body may reach beyond the sphere around its solid, by this. */
  readonly more: number;

  constructor(mechanism: Mechanism, more = 0) {
    this.more = more;
    this.bodies = mechanism.bodies;
    this.count = this.bodies.length;
    const { jointOf } = mechanism;
    const chains: Int32Array[] = [];
    jointOf.forEach((joint, link) => {
      const above = joint ? chains[joint.parent] : new Int32Array(0);
      chains.push(joint && joint.lower.length > 0 ? Int32Array.of(...above, link) : above);
    });
    this.chains = chains;
    this.stride = 1 + Math.max(...chains.map(({ length }) => length));
    this.reaches = new Float64Array(this.stride * this.count).fill(Infinity);
    // distances between the origins of joints that turn are the same in every configuration
    const poses = new Float64Array(12 * jointOf.length);
    mechanism.forward(someConfiguration(mechanism), poses);
    let reach = 0;
    this.bodies.forEach(({ link, solid }, body) => {
      const chain = chains[link];
      let far = farthestFrom(poses, chain.at(-1) ?? 0, link, solid.points) + solid.radius + solid.disk + more;
      for (let k = chain.length - 1; k >= 0; k--) {
        this.reaches[this.stride * body + k] = far;
        if (SLIDING[jointOf[chain[k]]!.type]) far = Infinity;
        far += between(poses, chain[k], k > 0 ? chain[k - 1] : 0);
      }
      reach = Math.max(reach, far);
    });
    this.reach = reach;
  }

  /** How many joints two links have in common. */
  shared(a: number, b: number): number {
    const [p, q] = [this.chains[a], this.chains[b]];
    let count = 0;
    while (count < p.length && p[count] === q[count]) count++;
    return count;
  }
}

/** Variables 0, quaternions of no turn. */
function someConfiguration({ variables, jointOf }: Mechanism): Float64Array {
  const out = new Float64Array(variables);
  for (const joint of jointOf) if (joint?.type === 'floating') out[joint.first + 6] = 1;
  return out;
}

function between(poses: Float64Array, a: number, b: number): number {
  const d = (k: number) => poses[12 * a + 9 + k] - poses[12 * b + 9 + k];
  return Math.hypot(d(0), d(1), d(2));
}

/** The farthest point of a link from the origin of another. */
function farthestFrom(poses: Float64Array, origin: number, link: number, points: Float64Array): number {
  let most = 0;
  for (let i = 0; i < points.length; i += 3) {
    const d = (k: number) => {
      const row = 12 * link + 3 * k;
      const turned = poses[row] * points[i] + poses[row + 1] * points[i + 1] + poses[row + 2] * points[i + 2];
      return turned + poses[12 * link + 9 + k] - poses[12 * origin + 9 + k];
    };
    most = Math.max(most, Math.hypot(d(0), d(1), d(2)));
  }
  return most;
}
