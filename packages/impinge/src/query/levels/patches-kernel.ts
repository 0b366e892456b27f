/** The kernel that finds patches near each other: a module of its own, so that who asks exactly does not load it. */
import { KernelSet, type ScratchKernels } from '../../kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/patches/index.ts exports; pointers are byte offsets in the arena. */
export interface PatchesKernel extends ScratchKernels {
  /** Goes on with a query; returns a status. */
  nearPatches(query: number): number;
}

export const patchesKernels: KernelSet<PatchesKernel> = /* @__PURE__ */ new KernelSet<PatchesKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
