/** The kernels that find contacts: a module of its own, so that only who simulates rigid bodies loads it. */
import { KernelSet, type ScratchKernels } from 'impinge/internal/kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/contacts/index.ts exports; pointers are byte offsets in the arena. */
export interface ContactsKernel extends ScratchKernels {
  /** How many leaves a tree has; lays those of a shape out. */
  countLeaves(tree: number): number;
  layOutLeaves(shape: number, leaves: number): void;
  /** Contacts of one pair at its pose; all of them, or few that hold the others. Returns a status. */
  findContacts(pair: number, reach: number, all: number): number;
  /** All contacts of two lists of triangles, some of them twice; `boxes` is room for six numbers for each of b's. */
  patchContacts(
    pair: number,
    reach: number,
    ofA: number,
    countA: number,
    ofB: number,
    countB: number,
    boxes: number,
  ): number;
  /** Keeps few of the contacts that were found. */
  reduceContacts(pair: number, reach: number, least: number): void;
  /** Batches: statuses are in the pairs. Return how many failed. */
  updateContacts(
    items: number,
    from: number,
    to: number,
    poses: number,
    paces: number,
    least: number,
    h: number,
  ): number;
  guardMotions(items: number, from: number, to: number, starts: number, ends: number): number;
}

export const contactsKernels: KernelSet<ContactsKernel> = /* @__PURE__ */ new KernelSet<ContactsKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
