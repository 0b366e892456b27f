/**
 * A body beside one obstacle, asked by kernels: many poses in one call, or a whole motion.
 *
 * Layout: motions lie where queries of impinge keep pairs, of which these find one at a time, behind room for those.
 */
import type { Mesh } from 'impinge';
import { arena } from 'impinge/internal/base/arena.js';
import { HierarchyHeader, Q } from 'impinge/internal/kernel/layout.generated.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import type { RigidMotion } from 'impinge/internal/math/motion.js';
import { carvePose, composePoses, IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { storedPose } from 'impinge/internal/mesh/stored-pose.js';
import { closeContext, openContext } from 'impinge/internal/query/pair/context.js';
import { expandPending, hierarchyOf } from 'impinge/internal/query/pair/hierarchy-of.js';
import type { HeldPair } from './held-pair.js';
import { motionKernels } from './kernels.generated.js';
import {
  M,
  MotionStatus,
  OBSTACLE,
  OBSTACLE_BYTES,
  SURFACE,
  SURFACE_BYTES,
  Verdict,
} from './layout.generated.js';
import type { Obstacle } from './obstacles.js';
import { completeTree, knownOf, writeSurface } from './surfaces.js';

/** Of pairs: those of two leaves, after which the walk ends. */
const PAIRS_BYTES = 16 * 8;
const POSE_BYTES = 96;
/** Bytes of the stack of a query. */
const STACK_BYTES = 512 * 16;
const ENTRY_BYTES = 16;
/** Pairs that a motion may take before it is searched otherwise: enough for a part of a turn along a thread. */
const MOST_STEPS = 4_000_000;

type PosedPair = Pick<HeldPair, 'obstacle' | 'body' | 'clearance'>;

/** Writes what kernels say of poses, twelve numbers each, among obstacles: `Verdict.doubt` where they do not decide. */
export function checkPoses(pairs: readonly PosedPair[], poses: Float64Array, verdicts: Uint8Array): void {
  if (pairs.length === 0) return void verdicts.fill(Verdict.free);
  const asked = new AskedPoses(pairs, poses, verdicts.length);
  try {
    const kernels = motionKernels.kernels();
    for (let from = 0; ; ) {
      from = kernels.checkPoses(...asked.arguments(from));
      if (from === verdicts.length) break;
      asked.expand();
    }
    asked.read(verdicts);
  } finally {
    asked.release();
  }
}

/** The same on a thread of a pool. Threads build no trees, so that is done first. */
export async function checkPosesOn(
  pool: WorkerPool,
  pairs: readonly PosedPair[],
  poses: Float64Array,
  verdicts: Uint8Array,
): Promise<void> {
  if (pairs.length === 0) return void verdicts.fill(Verdict.free);
  for (const mesh of new Set(pairs.flatMap(({ obstacle, body }) => [obstacle.mesh, body]))) {
    completeTree(mesh);
  }
  const asked = new AskedPoses(pairs, poses, verdicts.length);
  try {
    await pool.call(motionKernels.call('checkPoses', ...asked.arguments(0)));
    asked.read(verdicts);
  } finally {
    asked.release();
  }
}

/** The memory of a question: the surfaces, the obstacles, which of them waits for its tree, the poses, the verdicts. */
class AskedPoses {
  readonly #pairs: readonly PosedPair[];
  readonly #surfaces = new Map<Mesh, number>();
  readonly #count: number;
  readonly #query: number;
  readonly #at: number;
  readonly #obstacles: number;
  readonly #pending: number;
  readonly #poses: number;
  readonly #verdicts: number;

  constructor(pairs: readonly PosedPair[], poses: Float64Array, count: number) {
    this.#pairs = pairs;
    this.#count = count;
    for (const { obstacle, body } of pairs)
      for (const mesh of [obstacle.mesh, body]) this.#surfaces.set(mesh, 0);
    // what is known of meshes is made first: it takes memory of its own
    const known = [...this.#surfaces.keys()].map(knownOf);
    this.#query = openContext(pairs[0].obstacle.mesh, pairs[0].body, IDENTITY as RigidPose, { limit: 1 });
    const surfacesBytes = SURFACE_BYTES * known.length;
    const obstaclesBytes = OBSTACLE_BYTES * pairs.length;
    this.#at = arena().alloc(surfacesBytes + obstaclesBytes + 8 + (POSE_BYTES + 1) * count);
    this.#obstacles = this.#at + surfacesBytes;
    this.#pending = this.#obstacles + obstaclesBytes;
    this.#poses = this.#pending + 8;
    this.#verdicts = this.#poses + POSE_BYTES * count;
    known.forEach((one, i) => {
      this.#surfaces.set(one.mesh, this.#at + SURFACE_BYTES * i);
      writeSurface(one, this.#at + SURFACE_BYTES * i);
    });
    pairs.forEach((pair, i) => {
      this.#writeObstacle(pair, this.#obstacles + OBSTACLE_BYTES * i);
    });
    arena()
      .f64()
      .set(poses, this.#poses >>> 3);
  }

  arguments(from: number): Parameters<ReturnType<typeof motionKernels.kernels>['checkPoses']> {
    const { length } = this.#pairs;
    const asked = [this.#obstacles, length, this.#pending, this.#poses, this.#verdicts] as const;
    return [this.#query, ...asked, from, this.#count];
  }

  /** Builds the part of a tree that the kernel asks for. */
  expand(): void {
    const { obstacle, body, clearance } = this.#pairs[arena().u32()[this.#pending >>> 2]];
    expandTrees(this.#query, obstacle.mesh, body, clearance > 0 ? 16 : 8);
    for (const [mesh, at] of this.#surfaces)
      arena().u32()[(at + SURFACE.tree) >>> 2] = hierarchyOf(mesh).block;
  }

  read(verdicts: Uint8Array): void {
    const from = this.#verdicts;
    verdicts.set(
      arena()
        .u8()
        .subarray(from, from + this.#count),
    );
  }

  release(): void {
    arena().free(this.#at);
    closeContext(this.#query);
  }

  #writeObstacle({ obstacle, body, clearance }: PosedPair, at: number): void {
    const [numbers, words] = [arena().f64(), arena().u32()];
    const { min, max } = body.box;
    numbers.set(obstacle.pose, (at + OBSTACLE.pose) >>> 3);
    for (let k = 0; k < 3; k++) {
      numbers[((at + OBSTACLE.box) >>> 3) + k] = obstacle.box[k] - clearance;
      numbers[((at + OBSTACLE.box) >>> 3) + 3 + k] = obstacle.box[3 + k] + clearance;
      numbers[((at + OBSTACLE.middle) >>> 3) + k] = 0.5 * (min[k] + max[k]);
      numbers[((at + OBSTACLE.half) >>> 3) + k] = 0.5 * (max[k] - min[k]);
    }
    numbers[(at + OBSTACLE.clearance) >>> 3] = clearance;
    words[(at + OBSTACLE.surface) >>> 2] = this.#surfaces.get(obstacle.mesh)!;
    words[(at + OBSTACLE.body) >>> 2] = this.#surfaces.get(body)!;
  }
}

/** Builds the part of a tree at which a kernel stopped; entries of its stack have so many bytes. */
function expandTrees(block: number, a: Mesh, b: Mesh, entryBytes: number): void {
  expandPending({
    treeA: hierarchyOf(a),
    treeB: hierarchyOf(b),
    pose: IDENTITY as RigidPose,
    entryBytes,
    word: (field) => arena().u32()[(block + field) >>> 2],
    setWord: (field, value) => {
      arena().u32()[(block + field) >>> 2] = value;
    },
  });
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
  obstacle: Pick<Obstacle, 'mesh' | 'inverse'>,
  body: Mesh,
  motion: RigidMotion,
  asked: MotionAsked,
): MotionAnswer {
  const { mesh, inverse } = obstacle;
  const [treeA, treeB] = [hierarchyOf(mesh), hierarchyOf(body)];
  const start = storedPose(mesh, body, composePoses(inverse, motion.start, carvePose));
  const block = openContext(mesh, body, start, { limit: 1, bound: asked.clearance });
  try {
    const [words, numbers] = [arena().u32(), arena().f64()];
    words[(block + Q.treeA) >>> 2] = treeA.block;
    words[(block + Q.treeB) >>> 2] = treeB.block;
    const at = words[(block + Q.pairs) >>> 2] + PAIRS_BYTES;
    const centre = (treeB.block + 4 * HierarchyHeader.centre) >>> 3;
    for (let k = 0; k < 3; k++) numbers[((at + M.centre) >>> 3) + k] = numbers[centre + k];
    writeMotion(numbers, at >>> 3, inverse, start, body, motion, asked);
    words[(at + M.steps) >>> 2] = 0;
    words[(at + M.mostSteps) >>> 2] = MOST_STEPS;
    words[(at + M.room) >>> 2] = STACK_BYTES;
    const { checkMotion: check } = motionKernels.kernels();
    let status: number;
    while ((status = check(block, at)) === MotionStatus.motionTreelet)
      expandTrees(block, mesh, body, ENTRY_BYTES);
    return { verdict: VERDICTS[status], hit: arena().f64()[(at + M.hit) >>> 3] };
  } finally {
    closeContext(block);
  }
}

/** Writes a motion as the kernel has it: in the frame of the obstacle's stored numbers. The centre is there. */
function writeMotion(
  out: Float64Array,
  at: number,
  inverse: RigidPose,
  pose: RigidPose,
  { origin }: Mesh,
  motion: RigidMotion,
  { clearance, accuracy, slack }: MotionAsked,
): void {
  const { axis, velocity, angle } = motion;
  const place = (field: number) => at + (field >>> 3);
  const [start, turning, bending] = [place(M.start), place(M.turning), place(M.bending)];
  const [u, arm, centre] = [place(M.axis), place(M.arm), place(M.centre)];
  for (let k = 0; k < 3; k++) point[k] = out[centre + k] + origin[k];
  for (let i = 0; i < 9; i++) out[start + i] = pose[i];
  writeTurned(inverse, axis, out, u);
  writeTurned(inverse, motion.armOf(point), out, arm);
  writeTurned(inverse, velocity, out, place(M.velocity));
  for (let column = 0; column < 3; column++) {
    writeCross(out, u, start + column, 3, turning + column);
    writeCross(out, u, turning + column, 3, bending + column);
  }
  writeCross(out, u, arm, 1, place(M.across));
  const [x, y, z] = [out[centre], out[centre + 1], out[centre + 2]];
  for (let k = 0; k < 3; k++) {
    const row = 3 * k;
    out[place(M.position) + k] = pose[row] * x + pose[row + 1] * y + pose[row + 2] * z + pose[9 + k];
    out[place(M.ownArm) + k] = pose[k] * out[arm] + pose[3 + k] * out[arm + 1] + pose[6 + k] * out[arm + 2];
    out[place(M.ownAxis) + k] = pose[k] * out[u] + pose[3 + k] * out[u + 1] + pose[6 + k] * out[u + 2];
  }
  const along = axis[0] * velocity[0] + axis[1] * velocity[1] + axis[2] * velocity[2];
  out[place(M.angle)] = angle;
  out[place(M.along)] = Math.abs(along);
  out[place(M.aside)] = Math.hypot(
    velocity[0] - along * axis[0],
    velocity[1] - along * axis[1],
    velocity[2] - along * axis[2],
  );
  out[place(M.clearance)] = clearance;
  out[place(M.keep)] = clearance + slack;
  out[place(M.accuracy)] = accuracy;
  out[place(M.hit)] = Infinity;
}

const point = new Float64Array(3);

/** A rotation times a vector. */
function writeTurned(r: RigidPose, v: Float64Array, out: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) out[at + k] = r[3 * k] * v[0] + r[3 * k + 1] * v[1] + r[3 * k + 2] * v[2];
}

/** The three numbers at `u` × those that begin at `at` and are `stride` apart, to `to` in the same way. */
function writeCross(n: Float64Array, u: number, at: number, stride: number, to: number): void {
  const [x, y, z] = [n[at], n[at + stride], n[at + 2 * stride]];
  n[to] = n[u + 1] * z - n[u + 2] * y;
  n[to + stride] = n[u + 2] * x - n[u] * z;
  n[to + 2 * stride] = n[u] * y - n[u + 1] * x;
}
