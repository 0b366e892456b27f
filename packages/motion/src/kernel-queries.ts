/**
 * A body beside one obstacle, asked by kernels: many poses in one call, or a whole motion.
 *
 * Layout: what is asked lies where queries of impinge keep pairs, of which these find one at a time: for poses a first
 * part for those pairs, the obstacle, the poses, their verdicts; for motions that part and the motion.
 */
import type { Mesh } from 'impinge';
import { arena } from 'impinge/internal/base/arena.js';
import { HierarchyHeader, Q } from 'impinge/internal/kernel/layout.generated.js';
import type { RigidMotion } from 'impinge/internal/math/motion.js';
import { composePoses } from 'impinge/internal/math/pose.js';
import { QueryContext } from 'impinge/internal/query/pair/context.js';
import { expandPending, hierarchyOf } from 'impinge/internal/query/pair/hierarchy-of.js';
import { motionKernels } from './kernels.generated.js';
import { M, MotionStatus, OBSTACLE_BYTES } from './layout.generated.js';
import type { Obstacle } from './obstacles.js';

/** Of pairs: those of two leaves, after which the walk ends. */
const PAIRS_BYTES = 16 * 8;
const POSE_BYTES = 96;
/** Poses in one call. */
export const POSES_AT_ONCE = 256;
/** Bytes of the stack of a query. */
const STACK_BYTES = 512 * 16;
/** What a motion may take before it is searched otherwise. */
const MOST_STEPS = 2000;

/** Writes verdicts about up to POSES_AT_ONCE poses, those that have none yet: nothing of the surfaces is that near. */
export function checkPoses(
  obstacle: Obstacle,
  body: Mesh,
  poses: Float64Array,
  verdicts: Uint8Array,
  clearance: number,
): void {
  const count = verdicts.length;
  const query = new QueryContext(hierarchyOf(obstacle.mesh), hierarchyOf(body), poses.slice(0, 12), {
    limit: 1,
    ...(clearance > 0 && { bound: clearance }),
  });
  try {
    const at = query.word(Q.pairs) + PAIRS_BYTES;
    const posesAt = at + OBSTACLE_BYTES;
    const verdictsAt = posesAt + POSE_BYTES * count;
    const numbers = arena().f64();
    numbers.set(obstacle.pose, at >>> 3);
    numbers.set(obstacle.mesh.origin, (at >>> 3) + 12);
    numbers.set(body.origin, (at >>> 3) + 15);
    numbers.set(poses, posesAt >>> 3);
    arena().u8().set(verdicts, verdictsAt);
    const kernels = motionKernels.kernels();
    for (let from = 0; ; ) {
      from = kernels.checkPoses(query.block, at, posesAt, verdictsAt, from, count);
      if (from === count) break;
      expandPending(query);
    }
    verdicts.set(
      arena()
        .u8()
        .subarray(verdictsAt, verdictsAt + count),
    );
  } finally {
    query.release();
  }
}

export interface MotionAsked {
  readonly clearance: number;
  readonly accuracy: number;
  /** More than rounding takes from distances. */
  readonly slack: number;
}

export interface MotionAnswer {
  /** `open`: nearer than the clearance and the accuracy, or too long a search. */
  readonly verdict: 'free' | 'hit' | 'open';
  /** When there is a hit, not the first; Infinity where none was found. */
  readonly hit: number;
}

/** Looks through all of a motion of the body in the world. */
export function checkMotion(
  obstacle: Obstacle,
  body: Mesh,
  motion: RigidMotion,
  asked: MotionAsked,
): MotionAnswer {
  const start = composePoses(obstacle.inverse, motion.start);
  const query = new QueryContext(hierarchyOf(obstacle.mesh), hierarchyOf(body), start, {
    limit: 1,
    bound: 0,
  });
  try {
    const at = query.word(Q.pairs) + PAIRS_BYTES;
    writeMotion(arena().f64(), at >>> 3, obstacle, query, motion, asked);
    const words = arena().u32();
    words[(at + M.steps) >>> 2] = 0;
    words[(at + M.mostSteps) >>> 2] = MOST_STEPS;
    words[(at + M.room) >>> 2] = STACK_BYTES;
    const kernels = motionKernels.kernels();
    let status: number;
    while ((status = kernels.checkMotion(query.block, at)) === MotionStatus.motionTreelet)
      expandPending(query);
    const verdict =
      status === MotionStatus.motionFree ? 'free' : status === MotionStatus.motionHit ? 'hit' : 'open';
    return { verdict, hit: arena().f64()[(at + M.hit) >>> 3] };
  } finally {
    query.release();
  }
}

/** Writes a motion as the kernel has it: in the frame of the obstacle's stored numbers. */
function writeMotion(
  out: Float64Array,
  at: number,
  obstacle: Obstacle,
  { pose, treeB }: QueryContext,
  motion: RigidMotion,
  { clearance, accuracy, slack }: MotionAsked,
): void {
  const { axis, velocity, angle } = motion;
  const turned = (v: ArrayLike<number>, k: number) =>
    obstacle.inverse[3 * k] * v[0] + obstacle.inverse[3 * k + 1] * v[1] + obstacle.inverse[3 * k + 2] * v[2];
  const put = (field: number, values: ArrayLike<number>) => out.set(values, at + (field >>> 3));
  const centre = out.subarray((treeB.block + 4 * HierarchyHeader.centre) >>> 3).slice(0, 3);
  const { origin } = treeB.mesh;
  const armInWorld = motion.armOf(centre.map((c, k) => c + origin[k]));
  const u = [turned(axis, 0), turned(axis, 1), turned(axis, 2)];
  const arm = [turned(armInWorld, 0), turned(armInWorld, 1), turned(armInWorld, 2)];
  const own = (v: readonly number[], k: number) => pose[k] * v[0] + pose[3 + k] * v[1] + pose[6 + k] * v[2];
  const [turning, bending] = [new Float64Array(9), new Float64Array(9)];
  for (let column = 0; column < 3; column++) {
    writeCross(u, pose, column, 3, turning);
    writeCross(u, turning, column, 3, bending);
  }
  const across = new Float64Array(3);
  writeCross(u, arm, 0, 1, across);
  put(M.start, pose.subarray(0, 9));
  put(M.turning, turning);
  put(M.bending, bending);
  const [x, y, z] = centre;
  put(
    M.position,
    [0, 1, 2].map((k) => pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k]),
  );
  put(M.arm, arm);
  put(M.across, across);
  put(M.velocity, [turned(velocity, 0), turned(velocity, 1), turned(velocity, 2)]);
  put(M.axis, u);
  const along = axis[0] * velocity[0] + axis[1] * velocity[1] + axis[2] * velocity[2];
  const aside = Math.hypot(...velocity.map((v, k) => v - along * axis[k]));
  put(M.angle, [angle, Math.abs(along), aside]);
  put(M.centre, centre);
  put(M.ownArm, [own(arm, 0), own(arm, 1), own(arm, 2)]);
  put(M.ownAxis, [own(u, 0), own(u, 1), own(u, 2)]);
  put(M.clearance, [clearance, clearance + slack, accuracy, Infinity]);
}

/** u × the three numbers of `v` that begin at `at` and are `stride` apart, to the same places of `out`. */
function writeCross(
  u: readonly number[],
  v: ArrayLike<number>,
  at: number,
  stride: number,
  out: Float64Array,
): void {
  const [x, y, z] = [v[at], v[at + stride], v[at + 2 * stride]];
  out[at] = u[1] * z - u[2] * y;
  out[at + stride] = u[2] * x - u[0] * z;
  out[at + 2 * stride] = u[0] * y - u[1] * x;
}
