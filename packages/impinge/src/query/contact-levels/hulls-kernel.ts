/** The kernels that ask about convex hulls: a module of its own, so that who asks about triangles does not load it. */
import { KernelSet, type ScratchKernels } from '../../kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/hulls/index.ts exports; pointers are byte offsets in the arena. */
export interface HullsKernel extends ScratchKernels {
  /** Answers a question about two hulls. */
  hullDistance(pair: number): void;
  /** Answers a question about two hierarchies, or says what there is no room for. */
  nearHulls(walk: number): number;
}

export const hullsKernels: KernelSet<HullsKernel> = /* @__PURE__ */ new KernelSet<HullsKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
