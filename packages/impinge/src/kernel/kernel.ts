/** The kernels of meshes and trees. Nothing happens on import: see KernelSet. */
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
  /** Pages of a store (see kernels/page.ts). */
  pageChecksum(at: number, bytes: number): number;
  inspectMesh(mesh: number, box: number): number;
  inspectPositions(mesh: number, box: number): number;
  inspectTree(tree: number, depths: number): number;
  unpackPage(mesh: number, tree: number): void;
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
