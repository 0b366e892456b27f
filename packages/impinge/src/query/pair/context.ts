/**
 * Between the callers' options and the kernels: one query's block of memory.
 *
 * Layout: the fields of kernels/context.ts; then the stack, the doubts and the pairs found. Queries nest and
 * interleave: each takes its own block from a pool and gives it back.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { readBag } from '../../base/options.js';
import type { Hierarchy } from '../../hierarchy/hierarchy.js';
import { FAR, HierarchyHeader, Q, Q_HEADER_BYTES } from '../../kernel/layout.generated.js';
import {
  carvePose,
  IDENTITY,
  type Pose,
  type RigidPose,
  relativePose,
  toRigidPose,
} from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { LEAST_NORMAL } from '../../mesh/reach.js';
import { storedPose } from '../../mesh/stored-pose.js';
import { NO_KEYS } from './pair-list.js';

export { relativePose } from '../../math/pose.js';
export { distanceRounding, storedPose } from '../../mesh/stored-pose.js';

// 3 · (72 + 72) + 16 entries of 16 bytes, or 1 024 of 8; the bounds are proved in kernels/pairs.ts
const STACK_BYTES = 512 * 16;
const DOUBT_CAPACITY = 1024;
/** Where one pair is enough, doubts are decided soon: the first that holds ends the walk. A leaf pair adds up to 16. */
const FEW_DOUBTS = 32;
const DOUBT_BYTES = 8 * DOUBT_CAPACITY;
export const PAIR_CAPACITY = 4096;
const CONTEXT_BYTES = Q_HEADER_BYTES + STACK_BYTES + DOUBT_BYTES + 8 * PAIR_CAPACITY;

/** Where the two meshes are. `pose` is b's in a's frame; or give both poses in the world. */
export interface PoseOptions {
  readonly pose?: Pose;
  readonly poseA?: Pose;
  readonly poseB?: Pose;
}

export const POSE_NAMES = { pose: true, poseA: true, poseB: true } as const;

/** What a query did. */
export interface QueryStats {
  /** Pairs of bounding volumes compared. */
  readonly volumeTests: number;
  /** Pairs of triangles looked at, most of them only by the coarse test. */
  readonly triangleTests: number;
  /** Of these, pairs that needed the full test. */
  readonly exactTests: number;
  /** Of these, pairs that floating point left open, decided by exact arithmetic. */
  readonly adaptiveTests: number;
}

export interface Placement {
  /** From b's frame to a's, and from a's to the world. */
  readonly bToA: RigidPose;
  readonly aToWorld: RigidPose;
}

/** Throws where it is said twice where b is. */
export function assertOnePlacement(options: PoseOptions): void {
  readBag(options);
  if (options.pose !== undefined && (options.poseA !== undefined || options.poseB !== undefined)) {
    throw new ImpingeError(
      'bad-option',
      'give either pose (b in the frame of a) or poseA and poseB, not both',
    );
  }
}

export function readPlacement(options: PoseOptions): Placement {
  assertOnePlacement(options);
  if (options.poseA === undefined) {
    return { bToA: toRigidPose(options.pose ?? options.poseB, carvePose), aToWorld: IDENTITY as RigidPose };
  }
  const a = toRigidPose(options.poseA, carvePose);
  const b = toRigidPose(options.poseB, carvePose);
  return { bToA: relativePose(a, b), aToWorld: a };
}

/** What is asked of a walk: how many pairs, and within which distance (undefined: meeting ones). */
export interface Ask {
  readonly limit: number;
  readonly bound?: number;
  /** How much farther apart than the closest pair the one found may be (default 0). */
  readonly slack?: number;
}

const OVERLAP_ENTRY_BYTES = 8;
export const DISTANCE_ENTRY_BYTES = 16;

const pool: number[] = [];

/** Takes a block and writes into it what is asked; trees and their poses are for the caller to add. */
export function openContext(a: Mesh, b: Mesh, pose: RigidPose, ask: Ask): number {
  const memory = arena();
  const block = pool.pop() ?? memory.alloc(CONTEXT_BYTES);
  const at = block >>> 2;
  const words = memory.u32();
  words.fill(0, at, at + Q_HEADER_BYTES / 4);
  words[at + Q.meshA / 4] = a.block;
  words[at + Q.meshB / 4] = b.block;
  words[at + Q.stack / 4] = block + Q_HEADER_BYTES;
  words[at + Q.doubts / 4] = block + Q_HEADER_BYTES + STACK_BYTES;
  words[at + Q.doubtCapacity / 4] = ask.limit === 1 ? FEW_DOUBTS : DOUBT_CAPACITY;
  words[at + Q.pairs / 4] = block + Q_HEADER_BYTES + STACK_BYTES + DOUBT_BYTES;
  words[at + Q.pairCapacity / 4] = PAIR_CAPACITY;
  words[at + Q.limit / 4] = ask.limit;
  words[at + Q.bestA / 4] = 0xffffffff;
  const doubles = memory.f64();
  doubles[(block + Q.bound) >>> 3] = ask.bound ?? 0;
  doubles[(block + Q.slack) >>> 3] = ask.slack ?? 0;
  doubles.set(pose, (block + Q.pose) >>> 3);
  return block;
}

export function closeContext(block: number): void {
  pool.push(block);
}

/** What is needed of a query to go on with it: its two trees, its memory. */
export interface OpenQuery {
  readonly treeA: Hierarchy;
  readonly treeB: Hierarchy;
  readonly pose: RigidPose;
  readonly entryBytes: number;
  word(field: number): number;
  setWord(field: number, value: number): void;
}

/** What lies in the block of a query. */
export abstract class QueryBlock {
  abstract readonly block: number;

  word(field: number): number {
    return arena().u32()[(this.block + field) >>> 2];
  }
  setWord(field: number, value: number): void {
    arena().u32()[(this.block + field) >>> 2] = value;
  }
  /** Takes out the pairs found so far, as keys (triangle of a in the high half). */
  takePairs(): BigUint64Array {
    return this.#take(Q.pairs, Q.pairsFound);
  }
  takeDoubts(): BigUint64Array {
    return this.#take(Q.doubts, Q.doubtCount);
  }
  #take(start: number, count: number): BigUint64Array {
    const length = this.word(count);
    if (length === 0) return NO_KEYS;
    const from = this.word(start) / 8;
    this.setWord(count, 0);
    return arena()
      .u64()
      .slice(from, from + length);
  }

  stats(adaptiveTests: number): QueryStats {
    return {
      volumeTests: this.word(Q.volumeTests),
      triangleTests: this.word(Q.triangleTests),
      exactTests: this.word(Q.exactTests),
      adaptiveTests,
    };
  }
}

/** A query in progress. Take one, run a kernel on it, read it, release it. */
export class QueryContext extends QueryBlock implements OpenQuery {
  readonly block: number;
  readonly treeA: Hierarchy;
  readonly treeB: Hierarchy;
  /** Poses b's stored positions into a's. */
  readonly pose: RigidPose;
  /** Size of a stack entry of the kernel this is for. */
  readonly entryBytes: number;

  constructor(treeA: Hierarchy, treeB: Hierarchy, bToA: RigidPose, ask: Ask) {
    super();
    this.treeA = treeA;
    this.treeB = treeB;
    this.entryBytes = ask.bound === undefined ? OVERLAP_ENTRY_BYTES : DISTANCE_ENTRY_BYTES;
    this.pose = storedPose(treeA.mesh, treeB.mesh, bToA);
    this.block = openContext(treeA.mesh, treeB.mesh, this.pose, ask);
    this.setWord(Q.treeA, treeA.block);
    this.setWord(Q.treeB, treeB.block);
    this.#writeTreePoses();
  }

  /** The motion between the trees' centres as quaternions in float32, and how far float32 may be off. */
  #writeTreePoses(): void {
    const memory = arena();
    const doubles = memory.f64();
    const floats = memory.f32();
    const p = this.pose;
    const a = this.treeA.block;
    const b = this.treeB.block;
    const ca = (a + 4 * HierarchyHeader.centre) >>> 3;
    const cb = (b + 4 * HierarchyHeader.centre) >>> 3;
    const x = doubles[cb];
    const y = doubles[cb + 1];
    const z = doubles[cb + 2];
    const tx = p[0] * x + p[1] * y + p[2] * z + p[9] - doubles[ca];
    const ty = p[3] * x + p[4] * y + p[5] * z + p[10] - doubles[ca + 1];
    const tz = p[6] * x + p[7] * y + p[8] * z + p[11] - doubles[ca + 2];
    const forward = (this.block + Q.bToA) >>> 2;
    const backward = (this.block + Q.aToB) >>> 2;
    const deviation = writeRotations(this.block, p);
    floats[forward + 4] = tx;
    floats[forward + 5] = ty;
    floats[forward + 6] = tz;
    for (let i = 0; i < 3; i++) floats[backward + 4 + i] = -(p[i] * tx + p[3 + i] * ty + p[6 + i] * tz);
    const radiusA = floats[(a >>> 2) + HierarchyHeader.radius];
    const radiusB = floats[(b >>> 2) + HierarchyHeader.radius];
    const apart = Math.sqrt(tx * tx + ty * ty + tz * tz);
    if (!(radiusA + radiusB + apart < FAR)) {
      this.release();
      throw tooFar();
    }
    // rounding of float32 centres, plus what a pose that is not quite rigid moves differently from its quaternion
    // … and the float64 rounding of stored positions far from zero
    const far = Math.abs(p[9]) + Math.abs(p[10]) + Math.abs(p[11]) + Math.abs(x) + Math.abs(y) + Math.abs(z);
    // … and what is left of a share where that is less than float32 holds with all its digits
    const share = (2e-6 + 3 * deviation) * (radiusA + radiusB + apart);
    const slack = share + 1e-15 * far + LEAST_NORMAL;
    floats[forward + 7] = slack;
    floats[backward + 7] = slack;
  }

  get bound(): number {
    return arena().f64()[(this.block + Q.bound) >>> 3];
  }

  /** Starts the walk at one pair of lanes instead of the roots. */
  startAt(slotA: number, slotB: number): void {
    const at = this.word(Q.stack) >>> 2;
    const words = arena().u32();
    words.fill(0, at, at + this.entryBytes / 4);
    words[at] = slotA;
    words[at + 1] = slotB;
    this.setWord(Q.stackTop, this.entryBytes);
    this.setWord(Q.started, 1);
  }

  /** Whether the walk has nothing left to look at. */
  get finished(): boolean {
    return this.word(Q.started) !== 0 && this.word(Q.stackTop) === 0;
  }

  release(): void {
    closeContext(this.block);
  }
}

export function tooFar(): ImpingeError {
  return new ImpingeError('bad-input', `the meshes reach farther than ${FAR}: float32 cannot square that`);
}

/** Writes the rotation of a pose and its inverse into a query; returns how far they are from the pose, in any entry. */
export function writeRotations(block: number, pose: RigidPose): number {
  const floats = arena().f32();
  const forward = (block + Q.bToA) >>> 2;
  const backward = (block + Q.aToB) >>> 2;
  const deviation = writeQuaternion(pose, floats, forward);
  for (let i = 0; i < 3; i++) floats[backward + i] = -floats[forward + i];
  floats[backward + 3] = floats[forward + 3];
  return deviation;
}

/** Writes the unit quaternion of a rotation; returns by how much its matrix differs from the given one in any entry. */
function writeQuaternion(r: RigidPose, out: Float32Array, at: number): number {
  let x: number;
  let y: number;
  let z: number;
  let w: number;
  if (r[0] + r[4] + r[8] > 0) {
    x = r[7] - r[5];
    y = r[2] - r[6];
    z = r[3] - r[1];
    w = 1 + r[0] + r[4] + r[8];
  } else if (r[0] >= r[4] && r[0] >= r[8]) {
    x = 1 + r[0] - r[4] - r[8];
    y = r[1] + r[3];
    z = r[2] + r[6];
    w = r[7] - r[5];
  } else if (r[4] >= r[8]) {
    x = r[1] + r[3];
    y = 1 - r[0] + r[4] - r[8];
    z = r[5] + r[7];
    w = r[2] - r[6];
  } else {
    x = r[2] + r[6];
    y = r[5] + r[7];
    z = 1 - r[0] - r[4] + r[8];
    w = r[3] - r[1];
  }
  const inverse = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[at] = x *= inverse;
  out[at + 1] = y *= inverse;
  out[at + 2] = z *= inverse;
  out[at + 3] = w *= inverse;
  return Math.max(
    Math.abs(1 - 2 * (y * y + z * z) - r[0]),
    Math.abs(2 * (x * y - z * w) - r[1]),
    Math.abs(2 * (x * z + y * w) - r[2]),
    Math.abs(2 * (x * y + z * w) - r[3]),
    Math.abs(1 - 2 * (x * x + z * z) - r[4]),
    Math.abs(2 * (y * z - x * w) - r[5]),
    Math.abs(2 * (x * z - y * w) - r[6]),
    Math.abs(2 * (y * z + x * w) - r[7]),
    Math.abs(1 - 2 * (x * x + y * y) - r[8]),
  );
}
