/**
 * Two small meshes that have no trees yet: the kernel of kernels/small.ts instead of building them.
 *
 * Idea: a tree of some hundred triangles takes longer to build than ten such questions. A mesh is asked about without a
 * tree a few times, then trees are built as for any other.
 * Layout: the words of `Q`, the doubts, the pairs found, the kernel's work space. Blocks come from a pool: queries nest.
 */
import { arena } from '../base/arena.js';
import { kernel } from '../kernel/kernel.js';
import type { RigidPose } from '../math/pose.js';
import type { Mesh } from '../mesh/mesh.js';
import { type Ask, Q, Status, storedPose } from './context.js';
import { treesPay } from './hierarchy-of.js';
import { joinKeys, NO_KEYS } from './pair-list.js';
import { PairReader } from './pair-reader.js';
import type { PortableFinding } from './portable.js';

/** The kernel has room for so many; the same numbers as kernels/small.ts. */
const MOST_TRIANGLES = 2048;
const MOST_VERTICES = 4096;

const HEADER_BYTES = 320;
const DOUBT_CAPACITY = 256;
/** Where one pair is enough: the first doubt that holds ends the search. */
const FEW_DOUBTS = 32;
const PAIR_CAPACITY = 1024;
const WORK = HEADER_BYTES + 8 * (DOUBT_CAPACITY + PAIR_CAPACITY);

const pool: number[] = [];

/** The pairs that meet or come within `ask.bound`; undefined where trees are there or do better. */
export function findSmallPairs(a: Mesh, b: Mesh, bToA: RigidPose, ask: Ask): PortableFinding | undefined {
  if (!isSmall(a) || !isSmall(b) || treesPay(a, b)) return undefined;
  a.assertLive();
  b.assertLive();
  const block = pool.pop() ?? arena().alloc(WORK + kernel().smallBytes());
  try {
    return search(block, a, b, storedPose(a, b, bToA), ask);
  } finally {
    pool.push(block);
  }
}

function isSmall(mesh: Mesh): boolean {
  return mesh.triangleCount <= MOST_TRIANGLES && mesh.vertexCount <= MOST_VERTICES;
}

function search(block: number, a: Mesh, b: Mesh, pose: RigidPose, ask: Ask): PortableFinding | undefined {
  const memory = arena();
  const words = memory.u32();
  const at = block >>> 2;
  words.fill(0, at, at + HEADER_BYTES / 4);
  words[at + Q.meshA / 4] = a.block;
  words[at + Q.meshB / 4] = b.block;
  words[at + Q.doubts / 4] = block + HEADER_BYTES;
  words[at + Q.doubtCapacity / 4] = ask.limit === 1 ? FEW_DOUBTS : DOUBT_CAPACITY;
  words[at + Q.pairs / 4] = block + HEADER_BYTES + 8 * DOUBT_CAPACITY;
  words[at + Q.pairCapacity / 4] = PAIR_CAPACITY;
  words[at + Q.stack / 4] = block + WORK;
  words[at + Q.limit / 4] = ask.limit;
  memory.f64()[(block + Q.bound) >>> 3] = ask.bound ?? 0;
  memory.f64().set(pose, (block + Q.pose) >>> 3);

  const take = (start: number, count: number): BigUint64Array => {
    const length = words[at + count / 4];
    if (length === 0) return NO_KEYS;
    words[at + count / 4] = 0;
    const from = words[at + start / 4] / 8;
    return memory.u64().slice(from, from + length);
  };
  const batches: BigUint64Array[] = [];
  let found = 0;
  let adaptiveTests = 0;
  let status: number;
  do {
    status = kernel().smallPair(block);
    if (status === Status.givenUp) return undefined;
    const pairs = take(Q.pairs, Q.pairCount);
    const doubts = take(Q.doubts, Q.doubtCount);
    adaptiveTests += doubts.length;
    if (pairs.length > 0) batches.push(pairs);
    found += pairs.length;
    if (doubts.length > 0 && found <= ask.limit) {
      // one more than asked for: then it is known that there are more
      const decided = new PairReader(a, b, pose).keepMeeting(doubts, ask.limit + 1 - found);
      batches.push(decided);
      found += decided.length;
    }
  } while (status !== Status.done && found < ask.limit);
  const finished = status === Status.done && words[at + Q.stackTop / 4] === 0;
  return {
    keys: joinKeys(batches),
    complete: finished && found <= ask.limit,
    stats: {
      volumeTests: words[at + Q.volumeTests / 4],
      triangleTests: words[at + Q.triangleTests / 4],
      exactTests: words[at + Q.exactTests / 4],
      adaptiveTests,
    },
  };
}
