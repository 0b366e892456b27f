/** The kernels that make levels: a separate module, loaded only when needed. */
import { KernelSet, type ScratchKernels } from 'impinge/internal/kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** The exports of kernels/levels/index.ts; `group` is the address of a group (see group-block.ts). */
export interface LevelsKernel extends ScratchKernels {
  boxBytes(triangles: number): number;
  orderTriangles(
    positions: number,
    indices: number,
    count: number,
    parts: number,
    records: number,
    order: number,
    ends: number,
  ): void;
  linkCorners(group: number): void;
  joinFinest(group: number): void;
  prepareCollapses(group: number): void;
  collapseTo(group: number, target: number): number;
  joinCurrent(group: number): void;
  coverFinest(group: number, floor: number): number;
  coverCurrent(group: number, floor: number): number;
}

export const levelsKernels: KernelSet<LevelsKernel> = /* @__PURE__ */ new KernelSet<LevelsKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
