/**
 * The kernels that ask about many pairs of trees at once: a module of its own, so that who asks exactly does not load
 * it.
 */
import { KernelSet, type ScratchKernels } from 'impinge/internal/kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/patches/index.ts exports; pointers are byte offsets in the arena. */
export interface PatchesKernel extends ScratchKernels {
  /** Go on with a query; return a status. */
  nearPatches(query: number): number;
  closestOf(query: number): number;
}

export const patchesKernels: KernelSet<PatchesKernel> = /* @__PURE__ */ new KernelSet<PatchesKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
