/**
 * Contacts of two bodies with triangles in memory, by kernels: the triangles near each other by their trees, then
 * vertices against faces and edges against edges, then a subset that holds the rest (kernels/contacts).
 *
 * One engine serves one pair of bodies: it keeps the near triangles, and requests about many pairs are batched
 * (pair-batch.ts).
 */
import { arena } from 'impinge/internal/base/arena.js';
import type { StateReader, StateWriter } from '../../bodies/state-bytes.js';
import type { PairMotion, PosedPair } from '../contact-engine.js';
import type { ContactSet } from '../contact-set.js';
import type { ContactShape } from '../contact-shape.js';
import { bendOf, partOf } from '../engines/pair-motion.js';
import { searchedShareOf } from '../searched-share.js';
import { CylinderShape, RoundedContacts } from '../shapes/cylinder-shape.js';
import type { BatchedEngine } from './batched-engine.js';
import { contactsKernels } from './kernels.generated.js';
import { I, ITEM_BYTES, P, POSE_BYTES, Status } from './layout.generated.js';
import type { OwnedMemory } from './owned-memory.js';
import { PairBlock } from './pair-block.js';
import { distanceOf } from './shape-distance.js';

/** Share of a motion: where planes do not hold for this short a part, the search over time continues. */
const LEAST_PART = 1 / 16;
/**
 * Of convex shapes, planes find the time themselves: parts are as short as the motion takes for this share of the
 * distance asked for, or at least this short.
 */
const ACCURACY = 0.1;
const SHORTEST_PART = 2 ** -12;

export class PairContacts implements BatchedEngine {
  readonly block: PairBlock;

  constructor(memory: OwnedMemory, a: ContactShape, b: ContactShape) {
    this.block = new PairBlock(memory);
    this.block.setShapes(a, b);
    if (!(a instanceof CylinderShape || b instanceof CylinderShape)) return;
    const rounded = new RoundedContacts(a, b);
    this.block.refine = (set, pose) => rounded.refine(set, pose);
  }

  contacts({ pose }: PosedPair, reach: number, out: ContactSet): void {
    this.#find(pose, reach, 0);
    this.block.read(out);
  }

  /** The same, before any is left out. */
  findAll({ pose }: PosedPair, reach: number, out: ContactSet): void {
    this.#find(pose, reach, 1);
    this.block.read(out);
  }

  #find(pose: Float64Array, reach: number, all: number): void {
    const { block } = this;
    block.forgetContacts();
    block.pose.set(pose);
    const { findContacts } = contactsKernels.kernels();
    while (block.lacksRoom(findContacts(block.at, reach, all)));
  }

  distance(pair: PosedPair<ContactShape>): number {
    return distanceOf(pair);
  }

  freeShare(a: ContactShape, b: ContactShape, motion: PairMotion, distance: number): number {
    // a motion that turns too far for parts has none
    if (a.convex && b.convex && partOf(motion, 0, 1)) {
      const { way } = bendOf(a.arm, b.arm, motion);
      return this.#shareOfPlanes(motion, distance, 1, Math.max(SHORTEST_PART, (ACCURACY * distance) / way));
    }
    const free = this.#shareOfPlanes(motion, distance, 1 / 2, LEAST_PART);
    if (free === 1) return 1;
    const rest = partOf(motion, free, 1) ?? motion;
    return free + (1 - free) * searchedShareOf(a, b, rest, distance);
  }

  /**
   * The share of a motion for which planes hold, part after part, from the `longest` to the `shortest`. A body turning
   * by φ strays from a straight path by φ², so half as long a part has a quarter of that, and each has planes of its
   * own.
   */
  #shareOfPlanes(motion: PairMotion, distance: number, longest: number, shortest: number): number {
    let free = 0;
    for (let part = longest; free < 1; ) {
      const next = partOf(motion, free, free + part);
      if (next && this.planesHold(next, distance)) free += part;
      else if (next && part > shortest) part /= 2;
      else break;
    }
    return free;
  }

  /** Whether planes show that the surfaces stay farther apart than `distance`. */
  planesHold({ fromA, toA, fromB, toB }: PairMotion, distance: number): boolean {
    const { block } = this;
    const memory = arena();
    const item = memory.alloc(ITEM_BYTES + 4 * POSE_BYTES);
    const starts = item + ITEM_BYTES;
    const ends = starts + 2 * POSE_BYTES;
    try {
      memory.u32().set([block.at, 0, 1], (item + I.pair) >>> 2);
      memory.f64().set([distance, 0], (item + I.asked) >>> 3);
      [fromA, fromB, toA, toB].forEach((pose, i) => {
        memory.f64().set(pose, (starts + i * POSE_BYTES) >>> 3);
      });
      const { guardMotions } = contactsKernels.kernels();
      do guardMotions(item, 0, 1, starts, ends);
      while (block.lacksRoom(block.word(P.status)));
      return block.word(P.status) === Status.free;
    } finally {
      memory.free(item);
    }
  }

  save(out: StateWriter): void {
    this.block.save(out);
  }

  restore(from: StateReader): void {
    this.block.restore(from);
  }

  dispose(): void {
    this.block.dispose();
  }
}
