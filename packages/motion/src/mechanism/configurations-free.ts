/**
 * Which of many configurations of a mechanism are free: each is looked at up to its first hit, on as many threads as
 * there are.
 *
 * Kernels place the links, compare their convex solids, and triangles where these do not decide. What they leave open
 * is for this thread: what rounding leaves open, meshes beside primitives, and pairs that may be in contact.
 */
import { ImpingeError } from 'impinge';
import { arena } from 'impinge/internal/base/arena.js';
import { type OptionNames, readFunction, readKnown, readLength } from 'impinge/internal/base/options.js';
import { assertPool } from 'impinge/internal/kernel/worker-pool.js';
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { whileUnchanged } from 'impinge/internal/mesh/revisions.js';
import { closeContext, openContext } from 'impinge/internal/query/pair/context.js';
import { inBatches, POSES_NAMES } from '../batches.js';
import { motionKernels } from '../kernels.generated.js';
import { CONFIGURATION_WORK, Verdict } from '../layout.generated.js';
import type { PosesFreeOptions } from '../poses-free.js';
import type { MechanismSpace } from './mechanism-space.js';
import { PackedSpace } from './packed-space.js';

const NAMES: OptionNames<PosesFreeOptions> = { ...POSES_NAMES, clearance: true };

/**
 * Finds out which of many configurations are free: 1 for those, 0 where something meets or a variable is out of its
 * limits. They are one after the other in an array. Nothing may move meanwhile.
 */
export async function configurationsFree(
  space: MechanismSpace,
  configurations: ArrayLike<number>,
  options: PosesFreeOptions = {},
): Promise<Uint8Array> {
  const { clearance = 0, ...given } = readKnown('configurationsFree', options, NAMES);
  readLength('clearance', clearance);
  if (given.pool !== undefined) assertPool(given.pool);
  if (given.onProgress !== undefined) readFunction('onProgress', given.onProgress);
  if (typeof space?.readConfigurations !== 'function')
    throw new ImpingeError('bad-input', 'configurationsFree needs a MechanismSpace');
  const all = space.readConfigurations(configurations);
  space.refresh();
  const packed = new PackedSpace(space, clearance);
  try {
    return await whileUnchanged(packed.meshes, () => checkAll(space, packed, all, clearance, given));
  } finally {
    packed.dispose();
  }
}

async function checkAll(
  space: MechanismSpace,
  packed: PackedSpace,
  all: Float64Array,
  clearance: number,
  asked: Omit<PosesFreeOptions, 'clearance'>,
): Promise<Uint8Array> {
  const { mechanism, revision } = space;
  const { variables } = mechanism;
  const count = all.length / variables;
  const out = new Uint8Array(count);
  const workBytes = CONFIGURATION_WORK + 96 * mechanism.links.length;
  const settle = (from: number, to: number, verdicts: number) => {
    out.set(
      arena()
        .u8()
        .subarray(verdicts, verdicts + to - from),
      from,
    );
    for (let i = from; i < to; i++) {
      if (out[i] === 0 || (out[i] !== Verdict.doubt && space.held.length === 0)) continue;
      const one = all.subarray(variables * i, variables * (i + 1));
      out[i] = Number(out[i] === Verdict.doubt ? space.isFree(one, clearance) : space.keepsHeld(one));
    }
    space.refresh();
    if (space.revision !== revision)
      throw new ImpingeError('busy', 'configurationsFree: something moved while a question was under way');
  };
  await inBatches(count, 'configurationsFree', asked, async (from, to, pool) => {
    const work = arena().alloc(workBytes + (to - from) * (8 * variables + 1));
    const [mesh] = packed.meshes;
    const query = mesh ? openContext(mesh, mesh, IDENTITY as RigidPose, { limit: 1 }) : 0;
    const numbers = work + workBytes;
    const verdicts = numbers + 8 * variables * (to - from);
    try {
      arena()
        .f64()
        .set(all.subarray(variables * from, variables * to), numbers >>> 3);
      const call = [packed.at, query, work, numbers, verdicts, to - from] as const;
      if (pool) await pool.call(motionKernels.call('checkConfigurations', ...call));
      else motionKernels.kernels().checkConfigurations(...call);
      settle(from, to, verdicts);
    } finally {
      if (query) closeContext(query);
      arena().free(work);
    }
  });
  return out;
}
