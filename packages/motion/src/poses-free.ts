/**
 * Which of many poses of a rigid body are free: each is looked at up to its first hit, on as many threads as there are.
 */
import { ImpingeError, type Mesh } from 'impinge';
import { type OptionNames, readFunction, readKnown, readLength } from 'impinge/internal/base/options.js';
import { assertPool } from 'impinge/internal/kernel/worker-pool.js';
import { copyRigidPose } from 'impinge/internal/math/pose.js';
import { whileUnchanged } from 'impinge/internal/mesh/revisions.js';
import { POSES_NAMES, type PosesOptions } from './batches.js';
import { FreeSpace } from './free-space.js';
import type { Obstacles } from './obstacles.js';

export interface PosesFreeOptions extends PosesOptions {
  /** Distances of at most this are contacts (default 0: touching is). */
  readonly clearance?: number;
}

const NAMES: OptionNames<PosesFreeOptions> = { ...POSES_NAMES, clearance: true };
const POSE_NUMBERS = 12;

/**
 * Finds out which of many poses are free: 1 for those, 0 for the others. A pose is twelve numbers: nine of its
 * rotation, row by row, and its translation.
 */
export async function posesFree(
  body: Mesh,
  obstacles: Obstacles,
  poses: Float64Array | Float32Array,
  options: PosesFreeOptions = {},
): Promise<Uint8Array> {
  const { clearance = 0, ...given } = readKnown('posesFree', options, NAMES);
  readLength('clearance', clearance);
  if (given.pool !== undefined) assertPool(given.pool);
  if (given.onProgress !== undefined) readFunction('onProgress', given.onProgress);
  const space = new FreeSpace(body, obstacles, { clearance });
  const read = readPoses(poses);
  const out = new Uint8Array(read.length / POSE_NUMBERS);
  const meshes = new Set([body, ...space.pairs.map(({ obstacle }) => obstacle.mesh)]);
  await whileUnchanged([...meshes], () => space.posesFree(read, out, given));
  return out;
}

function readPoses(poses: Float64Array | Float32Array): Float64Array {
  const isTyped = poses instanceof Float64Array || poses instanceof Float32Array;
  if (!isTyped || poses.length % POSE_NUMBERS !== 0)
    throw new ImpingeError(
      'bad-input',
      'posesFree: poses must be a Float64Array or Float32Array, twelve numbers each',
    );
  // an array that is detached has no length, and cannot be copied
  const out = new Float64Array(poses.length);
  if (poses.length > 0) out.set(poses);
  for (let at = 0; at < out.length; at += POSE_NUMBERS) copyRigidPose(out, at, out, at);
  return out;
}
