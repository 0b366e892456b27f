/** The kernels that ask about points: a module of its own, so that only who asks loads them. */
import { KernelSet, type ScratchKernels } from '../../kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/points/index.ts exports; they take the address of a query (ray-block.ts) and return a status. */
export interface PointsKernel extends ScratchKernels {
  nearestPoints(query: number): number;
  windingNumbers(query: number): number;
}

export const pointsKernels: KernelSet<PointsKernel> = /* @__PURE__ */ new KernelSet<PointsKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
