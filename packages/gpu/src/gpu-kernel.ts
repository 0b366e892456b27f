/** The kernels of culling on the CPU: a module of its own, so that who does not cull does not load them. */
import { KernelSet, type ScratchKernels } from 'impinge/internal/kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/gpu/index.ts exports and is never left to another thread; pointers are byte offsets in the arena. */
export interface GpuKernel extends ScratchKernels {
  boundObjects(objects: number, from: number, to: number): void;
  fitScene(objects: number, scene: number, keys: number, spare: number): void;
  pairObjects(objects: number, scene: number, tasks: number, capacity: number): number;
  disorder(object: number): number;
  orderTriangles(object: number, order: number, keys: number, spare: number): void;
  splitTasks(search: number, from: number, to: number, out: number): number;
}

export const gpuKernels: KernelSet<GpuKernel> = /* @__PURE__ */ new KernelSet<GpuKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
