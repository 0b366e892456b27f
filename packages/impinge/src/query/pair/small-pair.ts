/**
 * Two small meshes that have no trees yet: the kernel of kernels/small.ts instead of building them.
 *
 * Idea: a tree of some hundred triangles takes longer to build than dozens of such questions. A mesh is asked about
 * without a tree for a while, then trees are built as for any other.
 * Layout: a query's block as in context.ts, and the kernel's work space in place of the stack; spaces come from a pool.
 */
import { arena } from '../../base/arena.js';
import { MOST_TRIANGLES, Q, Status } from '../../kernel/layout.generated.js';
import type { RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { type Ask, closeContext, openContext, storedPose } from './context.js';
import { treesPay } from './hierarchy-of.js';
import { pairKernels } from './kernels.generated.js';
import { orderedBoxesOf } from './ordered-boxes.js';
import { joinKeys, NO_KEYS } from './pair-list.js';
import type { PortableFinding } from './portable.js';

export const spaces: number[] = [];

/** The pairs that meet or come within `ask.bound`; undefined where trees are there or do better. */
export function findSmallPairs(a: Mesh, b: Mesh, bToA: RigidPose, ask: Ask): PortableFinding | undefined {
  if (!isSmall(a) || !isSmall(b) || treesPay(a, b)) return undefined;
  a.assertLive();
  b.assertLive();
  const pose = storedPose(a, b, bToA);
  const block = openContext(a, b, pose, ask);
  const space = takeSpace(block);
  try {
    let status = pairKernels.kernels().smallPair(block);
    if (status === Status.needBoxes) {
      const boxes = [orderedBoxesOf(a), orderedBoxesOf(b)];
      arena()
        .u32()
        .set(boxes, (block + Q.boxesA) >>> 2);
      status = pairKernels.kernels().smallPair(block);
    }
    return search(block, ask.limit, status, () => new PairReader(a, b, pose));
  } finally {
    closeContext(block);
    spaces.push(space);
  }
}

/** Work space for the kernel, made known to a query; for `spaces` afterwards. */
export function takeSpace(block: number): number {
  const space = spaces.pop() ?? newSpace();
  arena().u32()[(block + Q.stack) >>> 2] = space;
  return space;
}

function newSpace(): number {
  const space = arena().alloc(pairKernels.kernels().smallBytes());
  pairKernels.kernels().listTriangles(space);
  return space;
}

export function isSmall(mesh: Mesh): boolean {
  return mesh.triangleCount <= MOST_TRIANGLES;
}

/**
 * Goes on from where the kernel left with `status` until it is done, has enough, or gives up. Nothing is allocated in
 * the arena meanwhile.
 */
export function search(
  block: number,
  limit: number,
  status: number,
  readPairs: () => PairReader,
): PortableFinding | undefined {
  const words = arena().u32();
  const at = block >>> 2;
  const take = (start: number, count: number): BigUint64Array => {
    const length = words[at + count / 4];
    if (length === 0) return NO_KEYS;
    words[at + count / 4] = 0;
    const from = words[at + start / 4] / 8;
    return arena()
      .u64()
      .slice(from, from + length);
  };
  const batches: BigUint64Array[] = [];
  let found = 0;
  let adaptiveTests = 0;
  for (let said = status; ; said = pairKernels.kernels().smallPair(block)) {
    if (said === Status.givenUp) return undefined;
    let keys = take(Q.pairs, Q.pairsFound);
    batches.push(keys);
    found += keys.length;
    const doubts = take(Q.doubts, Q.doubtCount);
    if (doubts.length > 0) {
      adaptiveTests += doubts.length;
      // one more than asked for: then it is known that there are more
      keys = readPairs().keepMeeting(doubts, limit + 1 - found);
      batches.push(keys);
      found += keys.length;
    }
    if (said !== Status.done && found < limit) continue;
    return {
      keys: joinKeys(batches),
      complete: said === Status.done && found <= limit && words[at + Q.stackTop / 4] === 0,
      stats: {
        volumeTests: words[at + Q.volumeTests / 4],
        triangleTests: words[at + Q.triangleTests / 4],
        exactTests: words[at + Q.exactTests / 4],
        adaptiveTests,
      },
    };
  }
}
