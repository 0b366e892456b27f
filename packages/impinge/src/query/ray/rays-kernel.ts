/** The kernels that ask about rays: a module of its own, so that only who asks loads them. */
import { KernelSet, type ScratchKernels } from '../../kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/rays/index.ts exports; pointers are byte offsets in the arena. */
export interface RaysKernel extends ScratchKernels {
  copyReferences(boxes: number, tree: number): void;
  copyIndices(boxes: number, mesh: number, to: number): void;
  fitBoxes(boxes: number, mesh: number): void;
  /** Takes the address of a query (ray-block.ts) and returns a status. */
  castRays(query: number): number;
  rayKeys(tree: number, rays: number, count: number, keys: number): void;
  orderRays(tree: number, rays: number, count: number, order: number, work: number): void;
  takeRays(rays: number, order: number, count: number, to: number): void;
}

export const raysKernels: KernelSet<RaysKernel> = /* @__PURE__ */ new KernelSet<RaysKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
