/** The kernels of meshes, trees and pairs. Nothing happens on import: see KernelSet. */
import { ImpingeError } from '../base/errors.js';
import { KernelSet, type ScratchKernels } from './kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** What kernels/index.ts exports; pointers are byte offsets in the arena. */
export interface Kernel extends ScratchKernels {
  writeRecords(mesh: number, records: number, from: number, to: number): void;
  writeCentre(tree: number, records: number): void;
  widenRadius(tree: number, mesh: number): void;
  buildTopology(tree: number, records: number, fast: number, treelet: number): number;
  buildTreelet(
    tree: number,
    into: number,
    mesh: number,
    records: number,
    treelet: number,
    parent: number,
    lane: number,
    fast: number,
  ): number;
  alignAxes(tree: number, from: number, to: number): void;
  computeRanges(tree: number, ranges: number, from: number, to: number): void;
  fitSubtrees(
    tree: number,
    mesh: number,
    ranges: number,
    moments: number,
    from: number,
    to: number,
    keepAxes: number,
  ): void;
  fitUpperBlocks(
    tree: number,
    mesh: number,
    ranges: number,
    moments: number,
    from: number,
    to: number,
    keepAxes: number,
  ): void;
  /** Queries take the address of a query context and return a status (see kernels/context.ts). */
  collide(query: number): number;
  closest(query: number): number;
  within(query: number): number;
  selfCollide(query: number): number;
  /** The same where b's pose is any linear map (see kernels/stretched.ts). */
  stretchedWithin(query: number): number;
  stretchedClosest(query: number): number;
  /** Pages of a store (see kernels/page.ts). */
  pageChecksum(at: number, bytes: number): number;
  inspectMesh(mesh: number, box: number): number;
  inspectPositions(mesh: number, box: number): number;
  inspectTree(tree: number, depths: number): number;
  unpackPage(mesh: number, tree: number): void;
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

/** The set, for handing to workers. */
export const mainKernels: KernelSet<Kernel> = /* @__PURE__ */ new KernelSet<Kernel>(MODULE_NAME, WASM_TEXT);

/** The calling thread's kernels. Throws 'unsupported' where WebAssembly SIMD is missing. */
export function kernel(): Kernel {
  return mainKernels.kernels();
}

/** Whether this platform runs the kernels; where it does not, queries take their portable path. */
export function kernelSupported(): boolean {
  return mainKernels.supported();
}

/**
 * Compiles the kernels off the main thread's critical path. Optional: the first mesh does it otherwise. Those of solids
 * are compiled when a solid is first asked about. Where a page or platform does not run them, there is nothing to
 * compile: queries about surfaces take their portable path.
 */
export async function prepareKernel(): Promise<void> {
  try {
    await mainKernels.prepare();
  } catch (error) {
    if (!(error instanceof ImpingeError) || error.code !== 'unsupported') throw error;
  }
}
