/**
 * Whether two surfaces that slide along each other keep apart during a piece of a motion of joints.
 *
 * Seen from b, a point x of a moves on a curve p(s), for s from 0 to 1 along the piece. Let q(s) be its way where a
 * goes at constant rates from its pose at the start of the piece to that at its end, by a linear motion (math/motion.ts
 * of impinge). With f = p − q, which is 0 at both ends, |f| ≤ ⅛ max |f″|: so where the linear motion keeps the surfaces
 * farther apart than ⅛ (P + Q), P and Q being bounds of |p″| and |q″|, they are apart. The kernel for motions of rigid
 * bodies proves that along surfaces, and what it leaves open `timeOfImpact`.
 * - Q = (angle of the linear motion)² × the largest distance from its axis.
 * - P: link-motion.ts has S, A for a as seen from what bears both. In the frame of each joint on the way from there to
 *   b, one after the other, x = R(−w t)(y − u t), so that with r as there
 *       S' = |u| + w r + S,   A' = w² r + 2 w (S + |u|) + A,
 *   and what is in the joint's frame at a distance from its axis gets no farther within h than h (S + |u|).
 * Where a single joint moves, p is such a linear motion, about the origin of the link that the joint bears: f is 0.
 */
import { timeOfImpact } from 'impinge';
import { RigidMotion } from 'impinge/internal/math/motion.js';
import {
  composePoses,
  IDENTITY,
  invertPose,
  posePoint,
  type RigidPose,
  relativePose,
} from 'impinge/internal/math/pose.js';
import { checkMotion } from '../kernel-queries.js';
import type { BodyPair } from './body-pair.js';
import type { BodySet } from './body-set.js';
import type { JointMotion } from './joint-motion.js';
import type { LinkMotion } from './link-motion.js';
import type { Mechanism } from './mechanism.js';
import type { PlacedMesh, SlidingSurfaces } from './sliding-surfaces.js';

/** Linear motions turn the shorter way. */
const MOST_TURN = 3;
/** Of the distance that the pair keeps at first: what motions may differ, and what the search may leave open. */
const STRAY = 0.25;
const FINE = 0.25;
/** Poses of two meshes round, before they are compared. */
const ROUNDINGS = 4;

export class SlideProof {
  readonly #mechanism: Mechanism;
  readonly #bodies: BodySet;
  readonly #configuration: Float64Array;
  /** Of links, at the start and the end of a piece. */
  readonly #start: Float64Array;
  readonly #end: Float64Array;
  /** Whether `timeOfImpact` is asked at once: it shares nothing with the kernel, and takes longer. */
  byImpact = false;

  constructor(mechanism: Mechanism, bodies: BodySet) {
    this.#mechanism = mechanism;
    this.#bodies = bodies;
    this.#configuration = new Float64Array(mechanism.variables);
    this.#start = new Float64Array(12 * mechanism.links.length);
    this.#end = new Float64Array(12 * mechanism.links.length);
  }

  /** Whether the surfaces of a pair keep apart by more than `need`, which is not more than rounding. */
  isApart(
    pair: BodyPair,
    { a, b, off }: SlidingSurfaces,
    motion: JointMotion,
    piece: LinkMotion,
    need: number,
  ): boolean {
    const onA = this.#moving(pair.linkA, pair.shared, motion);
    const onB = this.#moving(pair.linkB, pair.shared, motion);
    const joints = [...onA, ...onB];
    const turn = joints.reduce((sum, link) => sum + motion.turn[link], 0);
    if (joints.length === 0 || !(2 * piece.half * turn < MOST_TURN)) return false;
    this.#placeLinks(motion, piece);
    // a is what moves, unless only b does
    const isA = onA.length > 0;
    const body = isA ? a : b;
    const bodyLink = isA ? pair.linkA : pair.linkB;
    const [base, baseLink] = isA ? [b, pair.linkB] : [a, pair.linkA];
    const seen = (poses: Float64Array) =>
      relativePose(placed(base, poses, baseLink), placed(body, poses, bodyLink));
    const last = 12 * (isA ? onA : onB).at(-1)!;
    const centre = new Float64Array(3);
    const own = invertPose(placed(body, this.#start, bodyLink));
    posePoint(own, this.#start[last + 9], this.#start[last + 10], this.#start[last + 11], centre, 0);
    const linear = { from: seen(this.#start), to: seen(this.#end), centre };
    const rigid = new RigidMotion(linear, 'slide');
    const moved = isA ? pair.a : pair.b;
    const stray =
      joints.length === 1
        ? 0
        : this.#stray(moved, pair.shared, isA ? onB : [], { motion, piece, rigid, body });
    if (!(stray <= STRAY * pair.accuracy)) return false;
    const slack = stray + ROUNDINGS * need;
    const accuracy = FINE * pair.accuracy;
    if (!this.byImpact) {
      const obstacle = { mesh: base.mesh, inverse: IDENTITY as RigidPose };
      const { verdict } = checkMotion(obstacle, body.mesh, rigid, { clearance: off, accuracy, slack });
      if (verdict !== 'open') return verdict === 'free';
    }
    const met = timeOfImpact(base.mesh, body.mesh, { motionB: linear, distance: off + slack, accuracy });
    return met.time === Infinity;
  }

  /** The links whose joints move one beyond those that it shares. */
  #moving(link: number, shared: number, { turn, slide }: JointMotion): number[] {
    if (link < 0) return [];
    const moves = (at: number) =>
      turn[at] > 0 || slide[3 * at] !== 0 || slide[3 * at + 1] !== 0 || slide[3 * at + 2] !== 0;
    return [...this.#bodies.chains[link].subarray(shared)].filter(moves);
  }

  #placeLinks(motion: JointMotion, { middle, half }: LinkMotion): void {
    motion.at(middle - half, this.#configuration);
    this.#mechanism.forward(this.#configuration, this.#start);
    motion.at(middle + half, this.#configuration);
    this.#mechanism.forward(this.#configuration, this.#end);
  }

  /** How far a body may be from where a linear motion has it; `beyond` are the joints that bear the other. */
  #stray(
    moved: number,
    shared: number,
    beyond: readonly number[],
    {
      motion: { turn, slide },
      piece,
      rigid,
      body,
    }: {
      readonly motion: JointMotion;
      readonly piece: LinkMotion;
      readonly rigid: RigidMotion;
      readonly body: PlacedMesh;
    },
  ): number {
    const { bodies, stride, more } = this.#bodies;
    const { link, solid } = bodies[moved];
    const { poses, axes, half } = piece;
    const reach = solid.reach + more;
    const centre = new Float64Array(3);
    const pose = poses.subarray(12 * link, 12 * link + 12);
    posePoint(pose, solid.centre[0], solid.centre[1], solid.centre[2], centre, 0);
    let speed = piece.speeds[stride * moved + shared];
    let bend = piece.bends[stride * moved + shared];
    for (const joint of beyond) {
      speed += Math.hypot(slide[3 * joint], slide[3 * joint + 1], slide[3 * joint + 2]);
      const w = turn[joint];
      if (w === 0) continue;
      const far = distanceToAxis(centre, axes, 6 * joint) + reach + half * speed;
      bend += 2 * w * speed + w * w * far;
      speed += w * far;
    }
    const inMesh = new Float64Array(3);
    posePoint(invertPose(body.pose), solid.centre[0], solid.centre[1], solid.centre[2], inMesh, 0);
    const arm = Math.hypot(...rigid.armOf(inMesh)) + reach;
    return (4 * half * half * bend + rigid.angle * rigid.angle * arm) / 8;
  }
}

/** A mesh in the world. */
function placed({ pose }: PlacedMesh, poses: Float64Array, link: number): RigidPose {
  return link < 0 ? pose : composePoses(poses.subarray(12 * link, 12 * link + 12), pose);
}

/** Of a point from the line at `axes[at ..]`: a unit vector, and a point of it. */
function distanceToAxis(point: Float64Array, axes: Float64Array, at: number): number {
  const [dx, dy, dz] = [0, 1, 2].map((k) => point[k] - axes[at + 3 + k]);
  const [x, y, z] = axes.subarray(at, at + 3);
  return Math.hypot(y * dz - z * dy, z * dx - x * dz, x * dy - y * dx);
}
