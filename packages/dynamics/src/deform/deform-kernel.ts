/** The kernels of the deformables: a module of its own, so that who needs no deformables does not load them. */
import { KernelSet, type ScratchKernels } from 'impinge/internal/kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/deform/index.ts exports; pointers are byte offsets in the arena. */
export interface DeformKernel extends ScratchKernels {
  testVertexFaces: TestPairs;
  testEdgeEdges: TestPairs;
}

type TestPairs = (
  start: number,
  end: number,
  pairs: number,
  count: number,
  distance: number,
  hits: number,
  doubts: number,
  counts: number,
) => void;

export const deformKernels: KernelSet<DeformKernel> = /* @__PURE__ */ new KernelSet<DeformKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
