/** The kernels that ask about solids: a module of its own, so that who asks for pairs only does not load them. */
import { KernelSet, type ScratchKernels } from '../../kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/solid/index.ts exports; pointers are byte offsets in the arena. */
export interface SolidKernel extends ScratchKernels {
  /** Questions about points (see kernels/solid/point-context.ts); they return a status. */
  closestTo(query: number, side: number): number;
  crossRay(query: number, side: number): number;
  deepest(query: number): number;
  sharedWidth(query: number, sides: number, enough: number): number;
  /** How meeting triangles meet (see kernels/solid/meeting-context.ts). */
  describePairs(batch: number): void;
}

export const solidKernels: KernelSet<SolidKernel> = /* @__PURE__ */ new KernelSet<SolidKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
