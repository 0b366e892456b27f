/**
 * The same question about many pairs of posed meshes.
 *
 * Idea: most pairs of a scene are small meshes whose boxes alone show that they are apart. Asked one by one, they cost
 * more to ask than to answer: such pairs go to the kernel hundreds at a time (smallPairs in kernels/small.ts), which
 * comes back with what it cannot settle. The others are asked one by one, in their turn.
 * What is known of each mesh is looked up once, in the order of the list, and not for every pair: it lies all over memory.
 * Layout of an entry: the addresses of two things; answered, the number of pairs found and 0 if that is all. Of a thing: its
 * mesh, then at a multiple of 8 its pose in the world.
 */
import { arena } from '../../base/arena.js';
import { kernel } from '../../kernel/kernel.js';
import { RIGID, type Stretch } from '../../math/linear-map.js';
import { IDENTITY, type RigidPose, relativePose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { resultOf } from './collide.js';
import { closeContext, openContext, PAIR_CAPACITY, Q, type QueryStats } from './context.js';
import {
  isCrowded,
  MOST_AMONG_MANY,
  noteCrowded,
  portableKindFor,
  treesPayAmongMany,
} from './hierarchy-of.js';
import { addStats, noStats, type StatsSum } from './hit-list.js';
import { stretchedPlacement } from './placement.js';
import type { CollideResult } from './results.js';
import { isSmall, search, spaces, takeSpace } from './small-pair.js';
import { withinStretched } from './stretched.js';
import { withinPlaced, withinTrees } from './within.js';

export interface PosedMesh {
  readonly mesh: Mesh;
  readonly pose: RigidPose;
  /** Where the pose may not be rigid: what it does to lengths. */
  readonly stretch?: Stretch;
}

/** Entries handed over together. */
const MOST_ENTRIES = 512;
/** The same layout as in kernels/small-batch.ts; words of an entry. */
const ENTRY_BYTES = 16;
const FOUND = 2;
const MORE = 3;
const THING_BYTES = 8 + 96;
/** Pairs whose things are in memory together. */
const MOST_PAIRS = 1 << 15;
/** Instead of an address: a thing that the kernel does not take. */
const NOT_TAKEN = 1;
/** Instead of a number of triangles: more than any small mesh has. */
const CROWDED = 2 ** 31;

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
    for (let from = 0; from < pairs.length; from += 2 * MOST_PAIRS) {
      batch.askAll(pairs.subarray(from, from + 2 * MOST_PAIRS));
    }
  } finally {
    batch.release();
  }
  return batch.stats;
}

class PairBatch {
  readonly stats: StatsSum = noStats();
  readonly #posed: readonly PosedMesh[];
  readonly #limit: number;
  readonly #distance: number;
  readonly #visit: (a: number, b: number, found: CollideResult) => void;
  /** Of the entries, the two numbers each. */
  readonly #asked = new Uint32Array(2 * MOST_ENTRIES);
  #count = 0;
  /** Where things are: an address, NOT_TAKEN, or 0 where that has not been asked. */
  readonly #places: Uint32Array;
  readonly #triangles: Uint32Array;
  #table = 0;
  /** From the first entry on: entries, the query's block, work space of the kernel. */
  #memory: { readonly entries: number; readonly block: number; readonly space: number } | undefined;

  constructor(
    things: readonly PosedMesh[],
    limit: number,
    distance: number,
    visit: (a: number, b: number, found: CollideResult) => void,
  ) {
    this.#posed = things;
    this.#limit = limit;
    this.#distance = distance;
    this.#visit = visit;
    this.#places = new Uint32Array(things.length);
    this.#triangles = new Uint32Array(things.length);
  }

  /** Asks about pairs, MOST_PAIRS or fewer, and answers. */
  askAll(pairs: Uint32Array): void {
    const places = this.#places;
    places.fill(0);
    for (const i of pairs) places[i] = NOT_TAKEN;
    let count = 0;
    for (let i = 0; i < places.length; i++) count += places[i];
    this.#table = arena().alloc(THING_BYTES * count);
    try {
      let at = this.#table;
      for (let i = 0; i < places.length; i++) {
        if (places[i] === NOT_TAKEN && this.#write(i, at)) at += THING_BYTES;
      }
      for (let k = 0; k < pairs.length; k += 2) this.#ask(pairs[k], pairs[k + 1]);
      this.flush();
    } finally {
      arena().free(this.#table);
    }
  }

  /** Writes a thing for the kernel, if it takes it. */
  #write(i: number, at: number): boolean {
    const { mesh, pose, stretch = RIGID } = this.#posed[i];
    mesh.assertLive();
    if (!isSmall(mesh) || !stretch.rigid || portableKindFor(mesh, mesh)) return false;
    arena().u32()[at >>> 2] = mesh.block;
    const doubles = arena().f64();
    const to = (at >>> 3) + 1;
    for (let k = 0; k < 12; k++) doubles[to + k] = pose[k];
    this.#places[i] = at;
    this.#triangles[i] = isCrowded(mesh) ? CROWDED : mesh.triangleCount;
    return true;
  }

  #ask(i: number, j: number): void {
    const [first, second] = [this.#places[i], this.#places[j]];
    if (first === NOT_TAKEN || second === NOT_TAKEN || this.#treesPay(i, j)) {
      const [a, b] = [this.#posed[i], this.#posed[j]];
      this.flush();
      const stretched = stretchedPlacement(a, b);
      const found = stretched
        ? withinStretched(a.mesh, b.mesh, stretched, this.#limit, this.#distance)
        : withinPlaced(a.mesh, b.mesh, relativePose(a.pose, b.pose), this.#limit, this.#distance);
      this.#take(i, j, found);
      return;
    }
    if (this.#count === MOST_ENTRIES) this.flush();
    this.#memory ??= this.#open(this.#posed[i].mesh);
    const words = arena().u32();
    const entry = (this.#memory.entries + ENTRY_BYTES * this.#count) >>> 2;
    words[entry] = first;
    words[entry + 1] = second;
    this.#asked[2 * this.#count] = i;
    this.#asked[2 * this.#count + 1] = j;
    this.#count++;
  }

  /** Most pairs are told by their triangles, without a look at the meshes. */
  #treesPay(i: number, j: number): boolean {
    if (this.#triangles[i] + this.#triangles[j] <= MOST_AMONG_MANY) return false;
    return treesPayAmongMany(this.#posed[i].mesh, this.#posed[j].mesh);
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
      const stopped = kernel().smallPairs(block, entries, next, this.#count, this.#distance);
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
      const count = arena().u32()[word + FOUND];
      if (count === 0) continue;
      const complete = arena().u32()[word + MORE] === 0 && count <= this.#limit;
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
    const { mesh: a, pose: poseA } = this.#posed[i];
    const { mesh: b, pose: poseB } = this.#posed[j];
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
    noteCrowded(a, b);
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
