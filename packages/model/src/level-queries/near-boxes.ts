/** Which parts of two sides are near each other by their boxes: walks that keep nothing of what they find. */
import { arena } from 'impinge/internal/base/arena.js';
import { invertPose, type RigidPose } from 'impinge/internal/math/pose.js';
import { slackOf } from 'impinge/internal/scene/world-box.js';
import { patchesKernels } from './kernels.generated.js';
import { ENTRY_BYTES, WALK_BYTES, WalkField, WalkStatus } from './layout.generated.js';
import { PosedBoxes, squareAbove } from './posed-boxes.js';
import { ReachedTree } from './reached-tree.js';
import type { Side } from './side.js';

/** Two parts, and the square of how far their boxes are apart at least. */
export interface BoxPair {
  readonly a: number;
  readonly b: number;
  readonly gapSq: number;
}

/** What walks have come to, and how many there were. */
interface Reached {
  readonly a: ReachedTree;
  readonly b: ReachedTree;
  walks: number;
}

export class NearBoxes {
  readonly #a: Side;
  readonly #b: Side;
  readonly #boxes: PosedBoxes;
  #reached: Reached | undefined;

  constructor(a: Side, b: Side, boxes: PosedBoxes = new PosedBoxes(a.tree, b.tree)) {
    this.#a = a;
    this.#b = b;
    this.#boxes = boxes;
  }

  /** The square of how far two parts are apart at least. */
  gapsSq(bToA: RigidPose): (a: number, b: number) => number {
    return (a, b) => {
      this.#boxes.pose(bToA); // something else may have been asked for since
      return this.#boxes.gapSq(this.#a.tree.nodes + a, this.#b.tree.nodes + b);
    };
  }

  /** Pairs of parts, the nearest first, until they are farther apart than `bound()` says then. */
  *nearestFirst(bToA: RigidPose, bound: () => number): Generator<BoxPair> {
    const walk = this.walk(bToA);
    try {
      for (let count = TOGETHER; count === TOGETHER; ) {
        const pairs = walk.nearest(TOGETHER, bound());
        count = pairs.length;
        for (const pair of pairs) {
          if (pair.gapSq > squareAbove(bound())) return;
          yield pair;
        }
      }
    } finally {
      walk.release();
    }
  }

  /** All pairs of parts no farther apart than that, the nearest first. */
  within(bToA: RigidPose, distance: number): BoxPair[] {
    const walk = this.walk(bToA);
    try {
      return walk.nearest(Infinity, distance);
    } finally {
      walk.release();
    }
  }

  /** Begins at the top; to be released. */
  walk(bToA: RigidPose): BoxWalk {
    this.#reached ??= { a: new ReachedTree(this.#a), b: new ReachedTree(this.#b), walks: 0 };
    const isEmpty = this.#a.tree.parts === 0 || this.#b.tree.parts === 0;
    return new BoxWalk(this.#reached, bToA, isEmpty);
  }
}

/** Pairs looked for at a time. */
const TOGETHER = 16;
/** Entries that there is room for at first, and answers taken at a time. */
const ROOM = 512;
const ANSWERS = 256;
const ANSWERS_BYTES = ENTRY_BYTES * ANSWERS;

/** Memory of walks that are over, with no more room than that. */
const KEPT_ROOM = 16 * ROOM;
const pool: { readonly block: number; readonly room: number }[] = [];

/** Tells of every pair of parts once. */
export class BoxWalk {
  readonly #reached: Reached;
  #block: number;
  #room: number;

  constructor(reached: Reached, bToA: RigidPose, isEmpty: boolean) {
    const memory = arena();
    this.#reached = reached;
    const { block, room } = pool.pop() ?? { block: memory.alloc(bytesFor(ROOM)), room: ROOM };
    this.#block = block;
    this.#room = room;
    const aToB = invertPose(bToA);
    const numbers = memory.f64();
    numbers.set(aToB, (block + WalkField.aToB) >>> 3);
    numbers.set(bToA, (block + WalkField.bToA) >>> 3);
    numbers[(block + WalkField.slackA) >>> 3] = slackOf(aToB);
    numbers[(block + WalkField.slackB) >>> 3] = slackOf(bToA);
    this.#setWord(WalkField.pose, ++reached.walks);
    // the roots, whatever lies between them
    const heap = this.#block + WALK_BYTES + ANSWERS_BYTES;
    numbers[heap >>> 3] = 0;
    memory.u32().fill(0, (heap + 8) >>> 2, (heap + 16) >>> 2);
    this.#setWord(WalkField.count, isEmpty ? 0 : 1);
  }

  /** The next nearest ones, the nearest first: up to `many`, no farther apart than that. */
  nearest(many: number, bound: number): BoxPair[] {
    const pairs: BoxPair[] = [];
    arena().f64()[(this.#block + WalkField.limit) >>> 3] = squareAbove(bound);
    for (let more = true; more && pairs.length < many; ) {
      this.#setWord(WalkField.most, Math.min(ANSWERS, many - pairs.length));
      more = this.#goOn(pairs);
    }
    return pairs;
  }

  release(): void {
    if (this.#room > KEPT_ROOM) arena().free(this.#block);
    else pool.push({ block: this.#block, room: this.#room });
  }

  /** Adds what is found; false when there are no others within the limit. */
  #goOn(pairs: BoxPair[]): boolean {
    const { a, b } = this.#reached;
    this.#setWord(WalkField.foundCount, 0);
    for (;;) {
      this.#setWord(WalkField.treeA, a.block);
      this.#setWord(WalkField.treeB, b.block);
      this.#setWord(WalkField.found, this.#block + WALK_BYTES);
      this.#setWord(WalkField.heap, this.#block + WALK_BYTES + ANSWERS_BYTES);
      this.#setWord(WalkField.room, this.#room);
      const status = patchesKernels.kernels().walkBoxes(this.#block);
      if (status === WalkStatus.walked) break;
      if (status === WalkStatus.noRoom) this.#grow();
      else (this.#word(WalkField.openA) ? a : b).open(this.#word(WalkField.open));
    }
    const count = this.#word(WalkField.foundCount);
    const [numbers, words] = [arena().f64(), arena().u32()];
    for (let i = 0, at = this.#block + WALK_BYTES; i < count; i++, at += ENTRY_BYTES) {
      const word = (at >>> 2) + 2;
      pairs.push({ a: words[word], b: words[word + 1], gapSq: numbers[at >>> 3] });
    }
    return count === this.#word(WalkField.most);
  }

  #grow(): void {
    const memory = arena();
    const block = memory.alloc(bytesFor(2 * this.#room));
    memory.u8().copyWithin(block, this.#block, this.#block + bytesFor(this.#room));
    memory.free(this.#block);
    this.#block = block;
    this.#room *= 2;
  }

  #word(field: number): number {
    return arena().u32()[(this.#block + field) >>> 2];
  }
  #setWord(field: number, value: number): void {
    arena().u32()[(this.#block + field) >>> 2] = value;
  }
}

function bytesFor(room: number): number {
  return WALK_BYTES + ANSWERS_BYTES + ENTRY_BYTES * room;
}
