/**
 * A body beside one obstacle, asked by kernels: many poses in one call, or a whole motion.
 *
 * Layout: what is asked lies where queries of impinge keep pairs, of which these find one at a time: for poses a first
 * part for those pairs, the obstacle, the poses, their verdicts; for motions that part and the motion.
 */
import type { Mesh } from 'impinge';
import { arena } from 'impinge/internal/base/arena.js';
import { completeHierarchy } from 'impinge/internal/hierarchy/build-obb.js';
import { HierarchyHeader, Q } from 'impinge/internal/kernel/layout.generated.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import type { RigidMotion } from 'impinge/internal/math/motion.js';
import { composePoses } from 'impinge/internal/math/pose.js';
import { QueryContext } from 'impinge/internal/query/pair/context.js';
import { expandPending, hierarchyOf } from 'impinge/internal/query/pair/hierarchy-of.js';
import type { HeldPair } from './held-pair.js';
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
/** Pairs that a motion may take before it is searched otherwise: enough for a part of a turn along a thread. */
const MOST_STEPS = 4_000_000;

export interface AskedPoses {
  /** Twelve numbers each. */
  readonly poses: Float64Array;
  /** Of those that are open, one is wanted: whether nothing of the surfaces is that near. */
  readonly verdicts: Uint8Array;
}

/** Writes the verdicts about up to POSES_AT_ONCE poses beside one obstacle. */
export function checkPoses(pair: PosedPair, asked: AskedPoses): void {
  const query = openPoses(pair, asked);
  try {
    const at = query.word(Q.pairs) + PAIRS_BYTES;
    writePoses(at, pair, asked);
    const kernels = motionKernels.kernels();
    const [obstacle, poses, verdicts] = argumentsOf(at, asked);
    for (let from = 0; ; ) {
      from = kernels.checkPoses(query.block, obstacle, poses, verdicts, from, asked.verdicts.length);
      if (from === asked.verdicts.length) break;
      expandPending(query);
    }
    readVerdicts(at, asked);
  } finally {
    query.release();
  }
}

/** The same for any number of poses, on a thread of a pool. Threads build no trees, so that is done first. */
export async function checkPosesOn(pool: WorkerPool, pair: PosedPair, asked: AskedPoses): Promise<void> {
  for (const mesh of [pair.obstacle.mesh, pair.body]) {
    const tree = hierarchyOf(mesh);
    if (tree.header(HierarchyHeader.pendingCount) > 0) completeHierarchy(tree);
  }
  const count = asked.verdicts.length;
  const query = openPoses(pair, asked);
  const at = arena().alloc(OBSTACLE_BYTES + (POSE_BYTES + 1) * count);
  try {
    writePoses(at, pair, asked);
    await pool.call(motionKernels.call('checkPoses', query.block, ...argumentsOf(at, asked), 0, count));
    readVerdicts(at, asked);
  } finally {
    arena().free(at);
    query.release();
  }
}

type PosedPair = Pick<HeldPair, 'obstacle' | 'body' | 'clearance'>;

function openPoses({ obstacle, body, clearance }: PosedPair, { poses }: AskedPoses): QueryContext {
  return new QueryContext(hierarchyOf(obstacle.mesh), hierarchyOf(body), poses.slice(0, 12), {
    limit: 1,
    ...(clearance > 0 && { bound: clearance }),
  });
}

function argumentsOf(
  at: number,
  { verdicts }: AskedPoses,
): [obstacle: number, poses: number, verdicts: number] {
  const posesAt = at + OBSTACLE_BYTES;
  return [at, posesAt, posesAt + POSE_BYTES * verdicts.length];
}

function writePoses(at: number, { obstacle, body }: PosedPair, asked: AskedPoses): void {
  const { poses, verdicts } = asked;
  const [, posesAt, verdictsAt] = argumentsOf(at, asked);
  const numbers = arena().f64();
  numbers.set(obstacle.pose, at >>> 3);
  numbers.set(obstacle.mesh.origin, (at >>> 3) + 12);
  numbers.set(body.origin, (at >>> 3) + 15);
  numbers.set(poses, posesAt >>> 3);
  arena().u8().set(verdicts, verdictsAt);
}

function readVerdicts(at: number, asked: AskedPoses): void {
  const [, , verdictsAt] = argumentsOf(at, asked);
  asked.verdicts.set(
    arena()
      .u8()
      .subarray(verdictsAt, verdictsAt + asked.verdicts.length),
  );
}

export interface MotionAsked {
  readonly clearance: number;
  readonly accuracy: number;
  /** More than rounding takes from distances. */
  readonly slack: number;
}

export interface MotionAnswer {
  /** `open`: nearer than the clearance and the accuracy, or too far for the kernel. `long`: it takes too long. */
  readonly verdict: 'free' | 'hit' | 'open' | 'long';
  /** When there is a hit, not the first; Infinity where none was found. */
  readonly hit: number;
}

const VERDICTS: Record<number, MotionAnswer['verdict']> = {
  [MotionStatus.motionFree]: 'free',
  [MotionStatus.motionHit]: 'hit',
  [MotionStatus.motionOpen]: 'open',
  [MotionStatus.motionFar]: 'open',
  [MotionStatus.motionLong]: 'long',
};

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
    return { verdict: VERDICTS[status], hit: arena().f64()[(at + M.hit) >>> 3] };
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
