/** The kernels that ask about shapes: a module of its own, so that only who asks loads them. */
import { KernelSet, type ScratchKernels } from '../../kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/shapes/index.ts exports; they take the address of a query (shape-block.ts). */
export interface ShapesKernel extends ScratchKernels {
  /** Returns a status. */
  meetShape(query: number): number;
  meetSpheres(query: number): void;
  nearestShape(query: number): void;
  /** 0: the box is too thin or uneven. */
  placeBox(query: number): number;
  sweepShape(query: number): void;
}

export const shapesKernels: KernelSet<ShapesKernel> = /* @__PURE__ */ new KernelSet<ShapesKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
