/** The kernels that ask about pairs of meshes: a module of its own, so that only who asks loads them. */
import { KernelSet, type ScratchKernels } from '../../kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/pair/index.ts exports; pointers are byte offsets in the arena. */
export interface PairKernel extends ScratchKernels {
  /** Queries take the address of a query context and return a status (see kernels/context.ts). */
  collide(query: number): number;
  closest(query: number): number;
  within(query: number): number;
  selfCollide(query: number): number;
  /** The same where b's pose is any linear map (see kernels/stretched.ts). */
  stretchedWithin(query: number): number;
  stretchedClosest(query: number): number;
  /** Two small meshes without trees (see kernels/small.ts), and the bytes of work space that takes. */
  smallPair(query: number): number;
  keepNear(query: number, entries: number, count: number, distance: number): number;
  smallPairs(query: number, entries: number, from: number, to: number, distance: number): number;
  smallBytes(): number;
  listTriangles(space: number): void;
  /** The boxes of a mesh's triangles in their order (see kernels/ordered-boxes.ts), and the bytes that takes. */
  boxesBytes(triangleCount: number): number;
  writeBoxes(mesh: number, boxes: number): void;
}

export const pairKernels: KernelSet<PairKernel> = /* @__PURE__ */ new KernelSet<PairKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
