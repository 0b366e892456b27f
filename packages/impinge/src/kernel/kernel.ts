/**
 * Loads the WASM SIMD kernels: one instance per thread, all on the arena's memory.
 *
 * Idea: the module imports its memory as *shared*; on a page without SharedArrayBuffer the one flag in the
 * binary that says so is cleared before compiling, so one set of kernels serves both (they hold no atomics).
 * Nothing happens on import; the first query compiles (a few milliseconds), or `prepareKernel()` does it
 * asynchronously beforehand.
 */
import { arena } from '../base/arena.js';
import { ImpingeError } from '../base/errors.js';
import { WASM_BASE64 } from './wasm-bytes.generated.js';

/** What kernels/index.ts exports; pointers are byte offsets in the arena. */
export interface Kernel {
  setScratch(at: number): void;
  scratchBytes(): number;
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
  /** Pages of a store (see kernels/page.ts). */
  pageChecksum(at: number, bytes: number): number;
  inspectMesh(mesh: number, box: number): number;
  inspectTree(tree: number, depths: number): number;
  edgeParity(
    positions: number,
    vertices: number,
    indices: number,
    count: number,
    hashes: number,
    out: number,
  ): void;
  /** Questions about points (see kernels/point-context.ts). */
  crossRay(query: number, side: number): number;
  deepest(query: number): number;
  /** How meeting triangles meet (see kernels/meeting-context.ts). */
  describePairs(batch: number): void;
  /** Two small meshes without trees (see kernels/small.ts), and the bytes of work space that takes. */
  smallPair(query: number): number;
  smallBytes(): number;
}

let theModule: WebAssembly.Module | undefined;
let theKernel: Kernel | undefined;

/** The calling thread's kernels. Throws 'unsupported' where WebAssembly SIMD is missing. */
export function kernel(): Kernel {
  return (theKernel ??= instantiate(kernelModule()));
}

let supported: boolean | undefined;

/** Whether this platform runs the kernels; where it does not, queries take their portable path. */
export function kernelSupported(): boolean {
  if (supported === undefined) {
    try {
      kernel();
      supported = true;
    } catch (error) {
      if (!(error instanceof ImpingeError) || error.code !== 'unsupported') throw error;
      supported = false;
    }
  }
  return supported;
}

/** Compiles the kernels off the main thread's critical path. Optional: the first query does it otherwise. */
export async function prepareKernel(): Promise<void> {
  try {
    theModule ??= await WebAssembly.compile(moduleBytes());
  } catch (error) {
    throw unsupported(error);
  }
  kernel();
}

/** The compiled module, for handing to workers. */
export function kernelModule(): WebAssembly.Module {
  if (!theModule) {
    try {
      theModule = new WebAssembly.Module(moduleBytes());
    } catch (error) {
      throw unsupported(error);
    }
  }
  return theModule;
}

function unsupported(error: unknown): ImpingeError {
  return new ImpingeError(
    'unsupported',
    `this platform cannot run WebAssembly SIMD: ${(error as Error).message}`,
  );
}

function instantiate(module: WebAssembly.Module): Kernel {
  const owner = arena();
  const instance = new WebAssembly.Instance(module, { env: { memory: owner.memory } });
  const exports = instance.exports as unknown as Kernel;
  exports.setScratch(owner.alloc(exports.scratchBytes()));
  return exports;
}

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const text = atob(WASM_BASE64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  if (!arena().shared) clearSharedFlag(bytes);
  return bytes;
}

const IMPORT_SECTION = 2;
const MEMORY_IMPORT = 2;
const SHARED_FLAG = 2;

/** Turns the memory import `env.memory` from shared into private, in place. */
function clearSharedFlag(bytes: Uint8Array): void {
  let at = 8; // magic and version
  const leb = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const section = bytes[at++]!;
    const size = leb();
    if (section !== IMPORT_SECTION) {
      at += size;
      continue;
    }
    leb(); // one import: the memory (checked when the kernels are built)
    for (let name = 0; name < 2; name++) {
      const length = leb(); // not `at += leb()`, which would add to the position before the length was read
      at += length;
    }
    if (bytes[at] !== MEMORY_IMPORT) break;
    bytes[at + 1]! &= ~SHARED_FLAG;
    return;
  }
  throw new ImpingeError('unsupported', 'the kernels do not import their memory as expected');
}
