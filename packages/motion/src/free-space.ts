/**
 * The poses of a body that are free: what planners ask, and all that they need to know of geometry.
 *
 * A pose is free when no point of the body is within the clearance of an obstacle, and neither lies inside the other
 * where that is a solid (a closed mesh). Touching is not free. Poses are twelve numbers (math/pose.ts).
 * Motions between two poses move the centre straight and turn about it by the shorter angle, at constant rates;
 * `motion(from, to)` is the same for `poseAt` and `timeOfImpact` of `impinge`. Pieces of such a motion are such
 * motions.
 *
 * Seams, for whoever builds on this:
 * - `isFree(pose)`: exact, the fastest. `posesFree` asks about many.
 * - `nearest(pose, atMost)`: how far the next obstacle is, where, and in which direction the body gets away from it:
 *   no point of the body may move farther than that distance, less the clearance, without a new question.
 * - `edgeFree(from, to)`: a proof for all poses between, or that there is none; nothing else is looked for.
 * - `firstHit(from, to)`: the same, with the time up to which it is proved and the contact there.
 * - `ball`, `reachOf`: how far points move along a motion, for metrics.
 * - `contact`: obstacles that may be touched where a body starts; the body is held to them drawn in (held-pair.ts).
 * Edges assume that `from` is free. Inside is inside along the whole motion, so it is only looked at by `isFree`.
 */
import { ImpingeError, type Mesh, type Motion, type Point, type Pose, type Vec3 } from 'impinge';
import { readKnown, readLength } from 'impinge/internal/base/options.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import { RigidMotion } from 'impinge/internal/math/motion.js';
import { type RigidPose, relativePose } from 'impinge/internal/math/pose.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { assertMesh } from 'impinge/internal/mesh/mesh.js';
import { gapOfBoxes } from 'impinge/internal/query/pair/box-gap.js';
import { collidePlaced } from 'impinge/internal/query/pair/collide.js';
import { distancePlaced } from 'impinge/internal/query/pair/distance.js';
import { writeWorldBox } from 'impinge/internal/scene/world-box.js';
import { inBatches, POSES_NAMES, type PosesOptions } from './batches.js';
import { readPoint } from './bounds.js';
import {
  EdgeSearch,
  type EdgeSpace,
  type Found,
  type MotionContact,
  type MotionVerdict,
} from './edge-search.js';
import { type HeldPair, holdPairs, type StartContact } from './held-pair.js';
import { checkPoses, checkPosesOn } from './kernel-queries.js';
import { Verdict } from './layout.generated.js';
import { type Ball, ballAround, MotionReach } from './motion-reach.js';
import { NearObstacles } from './near-obstacles.js';
import { type Obstacle, type Obstacles, readObstacles } from './obstacles.js';
import { solidCells } from './solid-cells.js';

export interface FreeSpaceOptions {
  /** Distances of at most this are contacts (default 0: touching is). */
  readonly clearance?: number;
  /** How near a motion may come beyond the clearance and be `undecided` (default: 10⁻⁶ of the body's size). */
  readonly accuracy?: number;
  /** The point of the body that moves straight, in its coordinates (default: the middle of its box). */
  readonly centre?: Point;
  /** `linear` (default) or `screw`, as of `Motion`. */
  readonly kind?: Motion['kind'];
  /** Contacts that there may be (default: none). */
  readonly contact?: StartContact;
}

const NAMES = { clearance: true, accuracy: true, centre: true, kind: true, contact: true } as const;
const POSE_NUMBERS = 12;
const ACCURACY = 1e-6;

export class FreeSpace implements EdgeSpace {
  readonly body: Mesh;
  /** Each obstacle, with what must keep away from it. */
  readonly pairs: readonly HeldPair[];
  /** The most that the body may be in an obstacle: a body drawn in reaches beyond it by no more. */
  readonly depth: number;
  readonly clearance: number;
  readonly accuracy: number;
  readonly centre: Float64Array;
  readonly kind: NonNullable<Motion['kind']>;
  /** Around the body, drawn in or not, in its coordinates. */
  readonly ball: Ball;
  /** What was asked of geometry so far. */
  readonly counts = { poses: 0, edges: 0, distances: 0, searches: 0, impacts: 0 };
  readonly #isSolid: boolean;
  readonly #far: number;
  readonly #one = new Uint8Array(1);
  readonly #box = new Float64Array(6);
  readonly #near: NearObstacles<HeldPair>;

  constructor(body: Mesh, obstacles: Obstacles | readonly Obstacle[], options: FreeSpaceOptions = {}) {
    assertMesh(body);
    const {
      clearance = 0,
      accuracy,
      centre,
      kind = 'linear',
      contact,
    } = readKnown('FreeSpace', options, NAMES);
    this.body = body;
    this.clearance = readLength('clearance', clearance);
    this.#isSolid = isClosed(body);
    const standing = readObstacles(obstacles);
    this.pairs = holdPairs(body, standing, clearance, contact, (pair, pose) => this.isApart(pair, pose));
    this.#near = new NearObstacles(this.pairs);
    this.depth = this.pairs.reduce((most, { depth }) => Math.max(most, depth), 0);
    const ball = ballAround(body);
    this.ball = { centre: ball.centre, radius: ball.radius + this.depth };
    this.accuracy = readLength('accuracy', accuracy ?? ACCURACY * this.ball.radius);
    this.centre = centre === undefined ? this.ball.centre : Float64Array.from(readPoint('centre', centre));
    this.kind = kind;
    this.#far = this.pairs.reduce(
      (most, { obstacle }) => Math.max(most, ...obstacle.box.map(Math.abs)),
      Math.hypot(...this.ball.centre) + this.ball.radius,
    );
  }

  /** Whether a pose is free. Exact for the numbers posed. */
  isFree(pose: RigidPose): boolean {
    this.#check(pose, this.#one);
    return this.#one[0] === 1;
  }

  /** Writes 1 for each pose that is free, 0 for the others. */
  #check(poses: Float64Array, free: Uint8Array): void {
    const near = this.#nearAny(poses);
    checkPoses(near, poses, free);
    this.#settle(near, poses, free);
  }

  /** The same on a thread of a pool. */
  async #checkOn(pool: WorkerPool, poses: Float64Array, free: Uint8Array): Promise<void> {
    const near = this.#nearAny(poses);
    await checkPosesOn(pool, near, poses, free);
    this.#settle(near, poses, free);
  }

  /** The pairs that may be near at some of the poses. */
  #nearAny(poses: Float64Array): readonly HeldPair[] {
    this.counts.poses += poses.length / POSE_NUMBERS;
    return this.#near.withinBoxes((writeBox) => {
      for (let at = 0; at < poses.length; at += POSE_NUMBERS) {
        this.#writeBox(poses.subarray(at, at + POSE_NUMBERS), this.#box, 0);
        writeBox(this.#box);
      }
    }, this.clearance);
  }

  /** Decides what kernels leave open. */
  #settle(near: readonly HeldPair[], poses: Float64Array, free: Uint8Array): void {
    for (let i = free.indexOf(Verdict.doubt); i >= 0; i = free.indexOf(Verdict.doubt, i + 1)) {
      const pose = poses.subarray(POSE_NUMBERS * i, POSE_NUMBERS * (i + 1));
      free[i] = near.every((pair) => this.isApart(pair, pose)) ? Verdict.free : Verdict.meets;
    }
  }

  /** Whether the surfaces are at most the clearance apart. */
  touches(pair: HeldPair, pose: RigidPose): boolean {
    const { obstacle, body, clearance } = pair;
    if (clearance > 0) return this.#closest(pair, pose, clearance).distance <= clearance;
    return collidePlaced(obstacle.mesh, body, relativePose(obstacle.pose, pose), 1).colliding;
  }

  /** The obstacle next to the body at a pose, undefined where none is within `atMost`. */
  nearest(pose: RigidPose, atMost = Infinity, among = this.#near): MotionContact | undefined {
    let best: MotionContact | undefined;
    for (const { pair, gap } of this.near(pose, atMost, among)) {
      if (gap > (best?.distance ?? atMost)) break;
      best = this.contactAt(pair, pose, best?.distance ?? atMost) ?? best;
      if (best?.distance === 0) break;
    }
    return best;
  }

  /** The pairs whose boxes are within a distance of each other at a pose, and how far, the nearest first. */
  near(
    pose: RigidPose,
    atMost: number,
    among = this.#near,
  ): { readonly pair: HeldPair; readonly gap: number }[] {
    this.#writeBox(pose, this.#box, 0);
    return among
      .within(this.#box, atMost)
      .map((pair) => ({ pair, gap: gapOfBoxes(this.#box, 0, pair.obstacle.box, 0) }))
      .filter(({ gap }) => gap <= atMost)
      .sort((a, b) => a.gap - b.gap);
  }

  /** Where the body is nearest to one obstacle. */
  contactAt(pair: HeldPair, pose: RigidPose, atMost = Infinity): MotionContact | undefined {
    const { distance, pointA, pointB, triangleA, triangleB } = this.#closest(pair, pose, atMost);
    if (!pointA || !pointB) return undefined;
    const scale = distance > 0 ? 1 / distance : 0;
    return {
      obstacle: pair.obstacle.source,
      distance,
      pointObstacle: pointA,
      pointBody: pointB,
      normal: pointB.map((x, k) => scale * (x - pointA[k])) as unknown as Vec3,
      triangleObstacle: triangleA,
      triangleBody: triangleB,
    };
  }

  #closest({ obstacle, body }: HeldPair, pose: RigidPose, atMost: number) {
    this.counts.distances++;
    const bToA = relativePose(obstacle.pose, pose);
    return distancePlaced(obstacle.mesh, body, { bToA, aToWorld: obstacle.pose }, atMost);
  }

  /** The motion that an edge is. */
  motion(from: Pose, to: Pose): Motion {
    return { from, to, kind: this.kind, centre: this.centre };
  }

  /** How far points of the body move. */
  reachOf(motion: Motion): MotionReach {
    return new MotionReach(new RigidMotion(motion, 'motion'), this.ball);
  }

  /** Whether all poses from one to another are free, if the first is. */
  edgeFree(from: Pose, to: Pose): MotionVerdict {
    return this.along(this.motion(from, to), false).verdict;
  }

  /** The same, with the first contact: the motion is proved free before its time. */
  firstHit(from: Pose, to: Pose): Found {
    return this.along(this.motion(from, to), true);
  }

  /** The same for any motion. */
  along(motion: Motion, first: boolean, among = this.#near): Found {
    this.counts.edges++;
    const search = new EdgeSearch(this, motion, this.#far);
    let best: Found = { verdict: 'free', time: Infinity, contact: undefined };
    let end = 1;
    for (const pair of among.within(search.box, this.clearance)) {
      if (search.passesBy(pair.obstacle.box)) continue;
      const found = search.against(pair, end, first);
      if (found.verdict === 'free') continue;
      if (found.verdict === 'hit' && !first) return found;
      // a hit is one although something undecided comes before it, and the time is that of the earlier
      const isHit = found.verdict === 'hit' || best.verdict === 'hit';
      const earlier = found.time < best.time ? found : best;
      best = { ...earlier, verdict: isHit ? 'hit' : 'undecided' };
      if (first) end = Math.min(end, best.time);
      if (end === 0) break;
    }
    return best;
  }

  /** Writes 1 for every free one of many poses, twelve numbers each, and 0 for the others; resolves to how many. */
  async posesFree(poses: Float64Array, out: Uint8Array, options: PosesOptions = {}): Promise<number> {
    const given = readKnown('posesFree', options, POSES_NAMES);
    const count = poses.length / POSE_NUMBERS;
    if (!Number.isInteger(count) || out.length < count) {
      throw new ImpingeError('bad-input', `posesFree: ${poses.length} numbers and ${out.length} places`);
    }
    let free = 0;
    await inBatches(count, 'posesFree', given, async (from, to, pool) => {
      const written = out.subarray(from, to);
      const asked = poses.subarray(POSE_NUMBERS * from, POSE_NUMBERS * to);
      if (pool) await this.#checkOn(pool, asked, written);
      else this.#check(asked, written);
      for (const one of written) free += one;
    });
    return free;
  }

  /** Whether one pair is apart, and neither in the other. */
  isApart(pair: HeldPair, pose: RigidPose): boolean {
    const box = new Float64Array(6);
    writeWorldBox(pair.body, pose, box, 0);
    if (!boxesWithin(pair.obstacle.box, box, 0, pair.clearance)) return true;
    if (this.touches(pair, pose)) return false;
    return !this.#isInside(pair, pose, box, 0);
  }

  /** Writes the box of the body, drawn in or not. */
  #writeBox(pose: RigidPose, out: Float64Array, at: number): void {
    writeWorldBox(this.body, pose, out, at);
    for (let k = 0; k < 3; k++) {
      out[at + k] -= this.depth;
      out[at + 3 + k] += this.depth;
    }
  }

  /** Surfaces that do not meet: whether some component of one lies in the other. `boxes[at]` is the body's. */
  #isInside({ obstacle, body }: HeldPair, pose: RigidPose, boxes: Float64Array, at: number): boolean {
    const { mesh } = obstacle;
    if (obstacle.isSolid && solidCells.of(mesh).holdsAny(body, relativePose(obstacle.pose, pose)))
      return true;
    if (!this.#isSolid || !obstacle.hasEndIn(boxes, at)) return false;
    return solidCells.of(body).holdsAny(mesh, relativePose(pose, obstacle.pose));
  }
}

/** Whether two boxes, minimum and maximum, are at most a distance apart along every axis. */
function boxesWithin(a: Float64Array, b: Float64Array, at: number, distance: number): boolean {
  return (
    a[0] - b[at + 3] <= distance &&
    b[at] - a[3] <= distance &&
    a[1] - b[at + 4] <= distance &&
    b[at + 1] - a[4] <= distance &&
    a[2] - b[at + 5] <= distance &&
    b[at + 2] - a[5] <= distance
  );
}
