/**
 * The same question about many pairs of posed meshes.
 *
 * Idea: most pairs of a scene are small meshes whose boxes alone show that they are apart. Asked one by one, they cost
 * more to ask than to answer: such pairs go to the kernel hundreds at a time (smallPairs in kernels/small.ts), which
 * comes back with what it cannot settle. The others are asked one by one, in their turn.
 * Layout of an entry: two meshes, float64 bound, pose of twelve float64; answered, the first two words are the number of
 * pairs found and 0 if that is all.
 */
import { arena } from '../../base/arena.js';
import { kernel } from '../../kernel/kernel.js';
import { IDENTITY, type RigidPose, relativePose, samePose, writeRelativePose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { pairRounding, shiftPose } from '../../mesh/stored-pose.js';
import { resultOf } from './collide.js';
import { closeContext, openContext, PAIR_CAPACITY, Q, type QueryStats } from './context.js';
import { portableKindFor, treesPay } from './hierarchy-of.js';
import { addStats, noStats, type StatsSum } from './hit-list.js';
import type { CollideResult } from './results.js';
import { isSmall, search, spaces, takeSpace } from './small-pair.js';
import { reachBeyond, withinPlaced, withinTrees } from './within.js';

export interface PosedMesh {
  readonly mesh: Mesh;
  readonly pose: RigidPose;
}

/** Entries handed over together, and their bytes; the same number as in kernels/small.ts. */
const MOST_ENTRIES = 512;
const ENTRY_BYTES = 112;

/**
 * Asks which triangles of each pair, two numbers of `things`, meet or come within `distance`. `visit` gets the pairs for
 * which there are any, in order. Returns what it took.
 */
export function withinEach(
  things: readonly (PosedMesh | undefined)[],
  pairs: Uint32Array,
  { limit, distance }: { readonly limit: number; readonly distance: number },
  visit: (a: number, b: number, found: CollideResult) => void,
): QueryStats {
  if (pairs.length === 0) return noStats();
  const batch = new PairBatch(things as readonly PosedMesh[], limit, distance, visit);
  try {
    for (let i = 0; i < pairs.length; i += 2) batch.ask(pairs[i], pairs[i + 1]);
    batch.flush();
  } finally {
    batch.release();
  }
  return batch.stats;
}

class PairBatch {
  readonly stats: StatsSum = noStats();
  readonly #things: readonly PosedMesh[];
  readonly #limit: number;
  readonly #distance: number;
  readonly #visit: (a: number, b: number, found: CollideResult) => void;
  /** Of the entries, the two numbers each. */
  readonly #asked = new Uint32Array(2 * MOST_ENTRIES);
  readonly #pose: RigidPose = new Float64Array(12);
  #count = 0;
  /** From the first entry on: entries, the query's block, work space of the kernel. */
  #memory: { readonly entries: number; readonly block: number; readonly space: number } | undefined;

  constructor(
    things: readonly PosedMesh[],
    limit: number,
    distance: number,
    visit: (a: number, b: number, found: CollideResult) => void,
  ) {
    this.#things = things;
    this.#limit = limit;
    this.#distance = distance;
    this.#visit = visit;
  }

  ask(i: number, j: number): void {
    const a = this.#things[i];
    const b = this.#things[j];
    a.mesh.assertLive();
    b.mesh.assertLive();
    if (portableKindFor(a.mesh, b.mesh) || !isSmall(a.mesh) || !isSmall(b.mesh) || treesPay(a.mesh, b.mesh)) {
      this.flush();
      this.#take(
        i,
        j,
        withinPlaced(a.mesh, b.mesh, relativePose(a.pose, b.pose), this.#limit, this.#distance),
      );
      return;
    }
    if (this.#count === MOST_ENTRIES) this.flush();
    this.#enter(a, b);
    this.#asked[2 * this.#count] = i;
    this.#asked[2 * this.#count + 1] = j;
    this.#count++;
  }

  #enter(a: PosedMesh, b: PosedMesh): void {
    this.#memory ??= this.#open(a.mesh);
    const pose = this.#pose;
    const [ax, ay, az] = a.mesh.origin;
    const [bx, by, bz] = b.mesh.origin;
    const moves = !samePose(a.pose, b.pose);
    if (moves) writeRelativePose(a.pose, 0, b.pose, 0, pose);
    else pose.set(IDENTITY);
    // as storedPose does
    if (moves || ax !== bx || ay !== by || az !== bz) shiftPose(pose, ax, ay, az, bx, by, bz);
    const entry = this.#memory.entries + ENTRY_BYTES * this.#count;
    const words = arena().u32();
    words[entry >>> 2] = a.mesh.block;
    words[(entry >>> 2) + 1] = b.mesh.block;
    const doubles = arena().f64();
    doubles[(entry >>> 3) + 1] =
      this.#distance === 0 ? 0 : reachBeyond(this.#distance, pairRounding(a.mesh, b.mesh, pose));
    doubles.set(pose, (entry >>> 3) + 2);
  }

  #open(mesh: Mesh) {
    const entries = arena().alloc(ENTRY_BYTES * MOST_ENTRIES);
    const block = openContext(mesh, mesh, IDENTITY as RigidPose, { limit: this.#limit });
    return { entries, block, space: takeSpace(block) };
  }

  /** Answers what was asked so far. */
  flush(): void {
    if (!this.#memory || this.#count === 0) return;
    const { entries, block } = this.#memory;
    const firstPair = arena().u32()[(block + Q.pairs) >>> 2];
    for (let next = 0; next < this.#count; ) {
      const stopped = kernel().smallPairs(block, entries, next, this.#count);
      this.#takeAnswered(next, stopped, firstPair / 8);
      const words = arena().u32();
      const at = block >>> 2;
      next = stopped;
      if (words[at + Q.started / 4] !== 0 && stopped < this.#count) {
        this.#finish(stopped, words[at + Q.status / 4], block);
        next++;
      }
      this.#addCounters(block);
      const fresh = arena().u32();
      fresh[at + Q.pairs / 4] = firstPair;
      fresh[at + Q.pairCapacity / 4] = PAIR_CAPACITY;
      fresh[at + Q.pairsFound / 4] = 0;
      fresh[at + Q.doubtCount / 4] = 0;
    }
    this.#count = 0;
  }

  /** Hands over what the kernel has found of entries [from, to); their pairs begin at key number `at`. */
  #takeAnswered(from: number, to: number, at: number): void {
    const { entries } = this.#memory!;
    let start = at;
    for (let entry = from; entry < to; entry++) {
      const word = (entries + ENTRY_BYTES * entry) >>> 2;
      const count = arena().u32()[word];
      if (count === 0) continue;
      const complete = arena().u32()[word + 1] === 0 && count <= this.#limit;
      const keys = arena()
        .u64()
        .slice(start, start + count);
      start += count;
      this.#take(
        this.#asked[2 * entry],
        this.#asked[2 * entry + 1],
        resultOf({ keys, complete, stats: noStats() }, this.#limit),
      );
    }
  }

  /** Answers an entry that the kernel has left with `status`. */
  #finish(entry: number, status: number, block: number): void {
    const i = this.#asked[2 * entry];
    const j = this.#asked[2 * entry + 1];
    const { mesh: a, pose: poseA } = this.#things[i];
    const { mesh: b, pose: poseB } = this.#things[j];
    const at = (block + Q.pose) >>> 3;
    const pose = arena()
      .f64()
      .slice(at, at + 12);
    const found = search(block, this.#limit, status, () => new PairReader(a, b, pose));
    if (found) {
      this.stats.adaptiveTests += found.stats.adaptiveTests; // the others are counted in the block
      this.#take(i, j, resultOf({ ...found, stats: noStats() }, this.#limit));
      return;
    }
    const bound = arena().f64()[(block + Q.bound) >>> 3];
    this.#take(i, j, withinTrees(a, b, relativePose(poseA, poseB), this.#limit, bound));
  }

  #take(i: number, j: number, found: CollideResult): void {
    addStats(this.stats, found.stats);
    if (found.count > 0) this.#visit(i, j, found);
  }

  #addCounters(block: number): void {
    const words = arena().u32();
    const at = block >>> 2;
    this.stats.volumeTests += words[at + Q.volumeTests / 4];
    this.stats.triangleTests += words[at + Q.triangleTests / 4];
    this.stats.exactTests += words[at + Q.exactTests / 4];
    words.fill(0, at + Q.volumeTests / 4, at + Q.exactTests / 4 + 1);
  }

  release(): void {
    if (!this.#memory) return;
    const { entries, block, space } = this.#memory;
    this.#memory = undefined;
    arena().free(entries);
    closeContext(block);
    spaces.push(space);
  }
}
