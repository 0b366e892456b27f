/** The kernels that solve contacts of rigid bodies: a module of its own, so that only who simulates loads it. */
import { KernelSet, type ScratchKernels } from 'impinge/internal/kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/rigid/index.ts exports; pointers are byte offsets in the arena. */
export interface RigidKernel extends ScratchKernels {
  openSystem(
    bodies: number,
    frames: number,
    pairs: number,
    rows: number,
    contacts: number,
    friction: number,
  ): void;
  /** All below is done to bodies and pairs in these ranges. */
  openIsland(body: number, bodyEnd: number, pair: number, pairEnd: number): void;
  /** All, or those that are not written. */
  writeRows(all: boolean): void;
  /** For what comes back, before anything has moved. */
  writeApproaches(): void;
  /** In the first part or another. Returns the root mean square of speeds. */
  accelerate(h: number, first: boolean): number;
  warmStart(): void;
  measure(h: number, settle: boolean): void;
  /** Returns the largest change of a speed. */
  sweep(backward: boolean, rough: boolean): number;
  /** After a sweep without friction: goes on in its direction and that of those before, if it was not the first. */
  goOn(first: boolean): void;
  /** `slides`: one free body, held by nothing but scenery. Returns the longest way of a point. */
  advance(h: number, slides: boolean): number;
  /** Adds impulses to what there was in all; in the first part, to nothing. */
  sumImpulses(first: boolean): void;
  orient(): void;
  /**
   * After a part, and `orient`: contacts have given no energy, in this part; in all parts so far. What slides and hops
   * no higher than `hop`, if that is above 0, has lost none by curved ground.
   */
  keepEnergy(hop: number): void;
  keepWholeEnergy(): void;
  rebound(restitution: number, restingSpeed: number): void;
}

export const rigidKernels: KernelSet<RigidKernel> = /* @__PURE__ */ new KernelSet<RigidKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
