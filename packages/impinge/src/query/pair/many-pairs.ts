/**
 * The same question about many pairs of posed meshes.
 *
 * Idea: most pairs of a scene are small meshes whose boxes alone show that they are apart. Asked one by one, they cost
 * more to ask than to answer: such pairs go to the kernel thousands at a time (kernels/small-batch.ts). It keeps those
 * that the boxes of the meshes leave open; for these the boxes of triangles are made known to it, and it comes back
 * with what it cannot settle. The others are asked one by one. What is known of each mesh is looked up once, in the
 * order of the list, and not for every pair: it lies all over memory. Of two that met when they were last asked about,
 * the triangles that did are looked at first. Layout of an entry: the addresses of two things, the number of the pair;
 * answered, the number of pairs found, and MORE_PAIRS if there may be others; the triangles that met last. Of a thing:
 * its mesh, its boxes or 0, then at a multiple of 8 its pose in the world.
 */
import { arena } from '../../base/arena.js';
import {
  ENTRY_BYTES,
  Entry,
  MORE_PAIRS,
  NOTHING_KNOWN,
  Q,
  THING_BYTES,
  Thing,
} from '../../kernel/layout.generated.js';
import { RIGID, type Stretch } from '../../math/linear-map.js';
import { IDENTITY, type RigidPose, relativePose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { resultOf } from './collide.js';
import { closeContext, openContext, PAIR_CAPACITY, type QueryStats } from './context.js';
import {
  isCrowded,
  MOST_AMONG_MANY,
  noteCrowded,
  portableTreesFor,
  treesPayAmongMany,
} from './hierarchy-of.js';
import { pairKernels } from './kernels.generated.js';
import { orderedBoxesOf } from './ordered-boxes.js';
import { stretchedPlacement } from './placement.js';
import type { CollideResult } from './results.js';
import { isSmall, search, spaces, takeSpace } from './small-pair.js';
import { addStats, noStats, type StatsSum } from './stats.js';
import { withinStretched } from './stretched.js';
import { withinPlaced, withinTrees } from './within.js';

export interface PosedMesh {
  readonly mesh: Mesh;
  readonly pose: RigidPose;
  /** Where the pose may not be rigid: what it does to lengths. */
  readonly stretch?: Stretch;
}

/** Which triangles of two meshes meet. */
export interface PairsFound {
  readonly count: number;
  readonly pairs: Uint32Array;
  readonly complete: boolean;
}

type Visit = (a: number, b: number, found: PairsFound) => void;

const ENTRY_WORDS = ENTRY_BYTES / 4;
/** Pairs that are in memory together. */
const MOST_PAIRS = 1 << 15;
/** Instead of an address: a thing that the kernel does not take. */
const NOT_TAKEN = 1;
/** Instead of a number of triangles: more than any small mesh has. */
const CROWDED = 2 ** 31;

/**
 * Asks which triangles of each pair, two numbers of `things`, meet or come within `distance`. `visit` gets the pairs
 * for which there are any, in order. Returns what it took. `last`, for a limit of 1: a triangle of each for every pair
 * that may meet, or NOTHING_KNOWN twice.
 */
export function withinEach(
  things: readonly (PosedMesh | undefined)[],
  pairs: Uint32Array,
  { limit, distance }: { readonly limit: number; readonly distance: number },
  visit: Visit,
  last?: Uint32Array,
): QueryStats {
  const stats = noStats();
  for (let from = 0; from < pairs.length; from += 2 * MOST_PAIRS) {
    const some = pairs.subarray(from, from + 2 * MOST_PAIRS);
    const batch = new PairBatch(things as readonly PosedMesh[], some, limit, distance, stats);
    const found = batch.answers(last?.subarray(from, from + 2 * MOST_PAIRS));
    for (let k = 0; k < found.length; k++) {
      const one = found[k];
      if (one) visit(some[2 * k], some[2 * k + 1], one);
    }
  }
  return stats;
}

class PairBatch {
  readonly #stats: StatsSum;
  readonly #posed: readonly PosedMesh[];
  readonly #pairs: Uint32Array;
  readonly #limit: number;
  readonly #distance: number;
  /** Of each pair, if there is any. */
  readonly #found: (PairsFound | undefined)[];
  /** Where things are: an address, NOT_TAKEN, or 0 where they are not asked about. */
  readonly #places: Uint32Array;
  readonly #triangles: Uint32Array;

  constructor(
    things: readonly PosedMesh[],
    pairs: Uint32Array,
    limit: number,
    distance: number,
    stats: StatsSum,
  ) {
    this.#posed = things;
    this.#pairs = pairs;
    this.#limit = limit;
    this.#distance = distance;
    this.#stats = stats;
    this.#found = new Array(pairs.length / 2);
    this.#places = new Uint32Array(things.length);
    this.#triangles = new Uint32Array(things.length);
  }

  answers(last: Uint32Array | undefined): readonly (PairsFound | undefined)[] {
    const places = this.#places;
    for (const i of this.#pairs) places[i] = NOT_TAKEN;
    let count = 0;
    for (let i = 0; i < places.length; i++) count += places[i];
    const entryBytes = 4 * ENTRY_WORDS * (this.#pairs.length / 2);
    const memory = arena().alloc(entryBytes + THING_BYTES * count);
    try {
      let at = memory + entryBytes;
      for (let i = 0; i < places.length; i++) {
        if (places[i] === NOT_TAKEN && this.#write(i, at)) at += THING_BYTES;
      }
      const others: number[] = [];
      const entries = this.#writeEntries(memory >>> 2, last, others);
      if (entries > 0) this.#askTogether(memory, entries);
      for (const k of others) this.#askAlone(k);
    } finally {
      arena().free(memory);
    }
    return this.#found;
  }

  /** Writes a thing for the kernel, if it takes it. */
  #write(i: number, at: number): boolean {
    const { mesh, pose, stretch = RIGID } = this.#posed[i];
    mesh.assertLive();
    if (!isSmall(mesh) || !stretch.rigid || portableTreesFor(mesh, mesh)) return false;
    const words = arena().u32();
    words[(at >>> 2) + Thing.mesh] = mesh.block;
    words[(at >>> 2) + Thing.boxes] = 0;
    const doubles = arena().f64();
    const to = (at >>> 3) + Thing.pose / 2;
    for (let k = 0; k < 12; k++) doubles[to + k] = pose[k];
    this.#places[i] = at;
    this.#triangles[i] = isCrowded(mesh) ? CROWDED : mesh.triangleCount;
    return true;
  }

  /** Writes a question for each pair, but for the others; returns how many. */
  #writeEntries(at: number, last: Uint32Array | undefined, others: number[]): number {
    const words = arena().u32();
    const pairs = this.#pairs;
    const places = this.#places;
    let entry = at;
    for (let k = 0; k < pairs.length; k += 2) {
      const first = places[pairs[k]];
      const second = places[pairs[k + 1]];
      if (first === NOT_TAKEN || second === NOT_TAKEN || this.#treesPay(pairs[k], pairs[k + 1])) {
        others.push(k / 2);
        continue;
      }
      words[entry + Entry.first] = first;
      words[entry + Entry.second] = second;
      words[entry + Entry.number] = k / 2;
      words[entry + Entry.last] = last?.[k] ?? NOTHING_KNOWN;
      words[entry + Entry.last + 1] = last?.[k + 1] ?? NOTHING_KNOWN;
      entry += ENTRY_WORDS;
    }
    return (entry - at) / ENTRY_WORDS;
  }

  /** Most pairs are told by their triangles, without a look at the meshes. */
  #treesPay(i: number, j: number): boolean {
    if (this.#triangles[i] + this.#triangles[j] <= MOST_AMONG_MANY) return false;
    return treesPayAmongMany(this.#posed[i].mesh, this.#posed[j].mesh);
  }

  /** Asks about a pair by itself. */
  #askAlone(k: number): void {
    const a = this.#posed[this.#pairs[2 * k]];
    const b = this.#posed[this.#pairs[2 * k + 1]];
    const stretched = stretchedPlacement(a, b);
    this.#take(
      k,
      stretched
        ? withinStretched(a.mesh, b.mesh, stretched, this.#limit, this.#distance)
        : withinPlaced(a.mesh, b.mesh, relativePose(a.pose, b.pose), this.#limit, this.#distance),
    );
  }

  #askTogether(entries: number, count: number): void {
    const { mesh } = this.#posed[this.#pairs[2 * arena().u32()[(entries >>> 2) + Entry.number]]];
    const block = openContext(mesh, mesh, IDENTITY as RigidPose, { limit: this.#limit });
    const space = takeSpace(block);
    try {
      const near = pairKernels.kernels().keepNear(block, entries, count, this.#distance);
      this.#findBoxes(entries >>> 2, near);
      this.#search(block, entries, near);
    } finally {
      closeContext(block);
      spaces.push(space);
    }
  }

  /** Tells the kernel where the boxes of the first `count` entries are. */
  #findBoxes(entries: number, count: number): void {
    let words = arena().u32();
    for (let at = entries; at < entries + ENTRY_WORDS * count; at += ENTRY_WORDS) {
      for (let side = 0; side < 2; side++) {
        const thing = words[at + Entry.first + side] >>> 2;
        if (words[thing + Thing.boxes] !== 0) continue;
        const boxes = orderedBoxesOf(this.#posed[this.#pairs[2 * words[at + Entry.number] + side]].mesh);
        words = arena().u32();
        words[thing + Thing.boxes] = boxes;
      }
    }
  }

  /** Answers the first `count` entries. */
  #search(block: number, entries: number, count: number): void {
    const at = block >>> 2;
    const firstPair = arena().u32()[at + Q.pairs / 4];
    this.#addCounters(block);
    for (let next = 0; next < count; ) {
      const stopped = pairKernels.kernels().smallPairs(block, entries, next, count, this.#distance);
      this.#takeAnswered(entries >>> 2, next, stopped, firstPair >>> 2);
      const words = arena().u32();
      next = stopped;
      if (words[at + Q.started / 4] !== 0 && stopped < count) {
        this.#finish(
          words[(entries >>> 2) + ENTRY_WORDS * stopped + Entry.number],
          words[at + Q.status / 4],
          block,
        );
        next++;
      }
      this.#addCounters(block);
      const fresh = arena().u32();
      fresh[at + Q.pairs / 4] = firstPair;
      fresh[at + Q.pairCapacity / 4] = PAIR_CAPACITY;
      fresh[at + Q.pairsFound / 4] = 0;
      fresh[at + Q.doubtCount / 4] = 0;
    }
  }

  /** Takes what the kernel has found of entries [from, to); their pairs begin at word `start`. */
  #takeAnswered(entries: number, from: number, to: number, start: number): void {
    const words = arena().u32();
    let at = start;
    for (let entry = entries + ENTRY_WORDS * from; entry < entries + ENTRY_WORDS * to; entry += ENTRY_WORDS) {
      const all = words[entry + Entry.found];
      const count = all % MORE_PAIRS;
      if (count === 0) continue;
      const complete = all < MORE_PAIRS && count <= this.#limit;
      this.#found[words[entry + Entry.number]] =
        this.#limit === 1
          ? { count: 1, pairs: firstOf(words, at, count), complete }
          : foundOf(
              arena()
                .u64()
                .slice(at / 2, at / 2 + count),
              complete,
              this.#limit,
            );
      at += 2 * count;
    }
  }

  /** Answers about pair k, which the kernel has left with `status`. */
  #finish(k: number, status: number, block: number): void {
    const { mesh: a, pose: poseA } = this.#posed[this.#pairs[2 * k]];
    const { mesh: b, pose: poseB } = this.#posed[this.#pairs[2 * k + 1]];
    const at = (block + Q.pose) >>> 3;
    const pose = arena()
      .f64()
      .slice(at, at + 12);
    const found = search(block, this.#limit, status, () => new PairReader(a, b, pose));
    if (found) {
      this.#stats.adaptiveTests += found.stats.adaptiveTests; // the others are counted in the block
      this.#take(k, resultOf({ ...found, stats: noStats() }, this.#limit));
      return;
    }
    noteCrowded(a, b);
    const bound = arena().f64()[(block + Q.bound) >>> 3];
    this.#take(k, withinTrees(a, b, relativePose(poseA, poseB), this.#limit, bound));
  }

  #take(k: number, found: CollideResult): void {
    addStats(this.#stats, found.stats);
    if (found.count > 0) this.#found[k] = found;
  }

  #addCounters(block: number): void {
    const words = arena().u32();
    const at = block >>> 2;
    this.#stats.volumeTests += words[at + Q.volumeTests / 4];
    this.#stats.triangleTests += words[at + Q.triangleTests / 4];
    this.#stats.exactTests += words[at + Q.exactTests / 4];
    words.fill(0, at + Q.volumeTests / 4, at + Q.exactTests / 4 + 1);
  }
}

/** The least of some keys, as a pair; in memory, a key's low half comes first. */
function firstOf(words: Uint32Array, at: number, count: number): Uint32Array {
  let least = at;
  for (let key = at + 2; key < at + 2 * count; key += 2) {
    if (
      words[key + 1] < words[least + 1] ||
      (words[key + 1] === words[least + 1] && words[key] < words[least])
    )
      least = key;
  }
  const pair = new Uint32Array(2);
  pair[0] = words[least + 1];
  pair[1] = words[least];
  return pair;
}

/** The first pairs of some keys. */
function foundOf(keys: BigUint64Array, complete: boolean, limit: number): PairsFound {
  const { count, pairs } = resultOf({ keys, complete, stats: noStats() }, limit);
  return { count, pairs, complete };
}
