/** The kernels that cut shapes into pieces: a separate module, loaded only to write stores. */
import { KernelSet, type ScratchKernels } from 'impinge/internal/kernel/kernel-set.js';
import { MODULE_NAME, WASM_TEXT } from './wasm-bytes.generated.js';

/** The exports of kernels/pieces/index.ts; pointers are byte offsets in the arena. */
export interface PiecesKernel extends ScratchKernels {
  extractCorners(
    positions: number,
    indices: number,
    order: number,
    count: number,
    local: number,
    found: number,
    corners: number,
  ): number;
  weldCorners(
    positions: number,
    order: number,
    count: number,
    table: number,
    tableBits: number,
    found: number,
    corners: number,
  ): number;
  numberUp(at: number, count: number): void;
  makeTop(mesh: number, tree: number, treelet: number, records: number, done: number): number;
  makePages(tasks: number, count: number, done: number): void;
  edgeParity(
    positions: number,
    vertices: number,
    indices: number,
    count: number,
    hashes: number,
    out: number,
  ): void;
  gatherCorners(
    vertices: number,
    vertexCount: number,
    indices: number,
    count: number,
    corners: number,
  ): number;
  widenBox(corners: number, count: number, box: number): number;
  sortCorners(
    corners: number,
    from: number,
    count: number,
    nodes: number,
    inner: number,
    leaves: number,
    most: number,
  ): number;
}

export const piecesKernels: KernelSet<PiecesKernel> = /* @__PURE__ */ new KernelSet<PiecesKernel>(
  MODULE_NAME,
  WASM_TEXT,
);
