/** The kernels that ask about convex hulls: a module of its own, so that who asks about triangles does not load it. */
import { KernelSet, type ScratchKernels } from 'impinge/internal/kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/hulls/index.ts exports; pointers are byte offsets in the arena. */
export interface HullsKernel extends ScratchKernels {
  /** Answers a question about two hulls. */
  hullDistance(pair: number): void;
  /** How far points reach along a direction. */
  farthestAlong(points: number, stride: number, x: number, y: number, z: number): number;
  /** A question about two hierarchies, in three steps; those that may run out of room say what of. */
  beginHulls(walk: number): void;
  refineHulls(walk: number): number;
  reportHulls(walk: number): number;
}

export const hullsKernels: KernelSet<HullsKernel> = /* @__PURE__ */ new KernelSet<HullsKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
