/**
 * Contacts of chosen triangles of two shapes, by kernels, and the reduction of contacts to a few that hold the rest.
 */
import { arena } from 'impinge/internal/base/arena.js';
import type { PosedPair } from '../contact-engine.js';
import type { ContactSet } from '../contact-set.js';
import type { ContactShape } from '../contact-shape.js';
import { contactsKernels } from './kernels.generated.js';
import { OwnedMemory } from './owned-memory.js';
import { PairBlock } from './pair-block.js';

/** Bytes for a triangle of b: its number, and a box. */
const TRIANGLE_BYTES = 4 + 48;

export class PatchContacts {
  readonly #memory = new OwnedMemory();
  readonly #block = new PairBlock(this.#memory);
  #lists = 0;
  #room = 0;

  /**
   * Writes all contacts of triangles of a with triangles of b within a reach; those of features that several of them
   * have come more than once. `out.atLeast` is how near they come, or the reach; but for edges that are all but flat.
   */
  find(
    { a, b, pose }: PosedPair<ContactShape>,
    reach: number,
    ofA: readonly number[],
    ofB: readonly number[],
    out: ContactSet,
  ): void {
    const block = this.#block;
    block.setShapes(a, b);
    const bytes = TRIANGLE_BYTES * ofB.length + 4 * ofA.length;
    if (bytes > this.#room) {
      this.#room = 2 * bytes;
      this.#lists = this.#memory.replace(this.#lists, this.#room);
    }
    const boxes = this.#lists;
    const listB = boxes + 48 * ofB.length;
    const listA = listB + 4 * ofB.length;
    const words = arena().u32();
    words.set(ofB, listB >>> 2);
    words.set(ofA, listA >>> 2);
    block.pose.set(pose);
    const { patchContacts } = contactsKernels.kernels();
    while (block.lacksRoom(patchContacts(block.at, reach, listA, ofA.length, listB, ofB.length, boxes)));
    block.read(out);
  }

  /** Writes a few of many contacts, so that holding these holds the rest (kernels/contacts/reduction.ts). */
  reduce(all: ContactSet, reach: number, out: ContactSet): void {
    this.#block.write(all);
    contactsKernels.kernels().reduceContacts(this.#block.at, reach, reach);
    this.#block.read(out);
  }

  dispose(): void {
    this.#memory.dispose();
  }
}
