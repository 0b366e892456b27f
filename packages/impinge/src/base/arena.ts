/**
 * One linear memory for everything the kernels touch: meshes, trees, work space.
 *
 * Idea: a WebAssembly.Memory is the only buffer that TypeScript, the SIMD kernels and (when it is shared)
 * every worker can address without copying. A mesh is a byte offset in here, not an object graph.
 *
 * Layout: nothing below ARENA_BASE; above it, blocks aligned to 64 bytes.
 * Invariant: free blocks never touch each other (they are merged), and lie in the bin of their size.
 * Growing a memory that is not shared detaches every view: fetch views through `f32()`, `u32()`, … each time
 * rather than keeping them across an allocation.
 */
import { ImpingeError } from './errors.js';
import type { WasmMemory } from './platform-types.js';

const PAGE = 65536;
const ALIGN = 64;
/** First byte the allocator hands out. The kernels are compiled on the promise that nothing lies below. */
export const ARENA_BASE = 1024;
const MAX_PAGES = 65536; // 4 GiB, the most a 32-bit memory can address

/** The purpose of a block, where it is recorded. */
export type Holder = 'meshes' | 'trees';

export interface Arena {
  readonly memory: WasmMemory;
  readonly shared: boolean;
  /** Bytes handed out and not yet freed, rounded up to the alignment. */
  readonly usedBytes: number;
  /** Where the last block in use ends. */
  readonly extentBytes: number;
  alloc(byteLength: number): number;
  /** Whether a block of this size fits without the extent passing `limit`. */
  fits(byteLength: number, limit: number): boolean;
  free(byteOffset: number): void;
  /** Records the purpose of a block for error messages. */
  label(byteOffset: number, holder: Holder): void;
  /** Gives back the tail of a block, keeping its first `byteLength` bytes. */
  shrink(byteOffset: number, byteLength: number): void;
  u8(): Uint8Array;
  u32(): Uint32Array;
  i32(): Int32Array;
  f32(): Float32Array;
  f64(): Float64Array;
  u64(): BigUint64Array;
}

class LinearArena implements Arena {
  readonly memory: WasmMemory;
  readonly shared: boolean;
  usedBytes = 0;
  #u8!: Uint8Array;
  #u32!: Uint32Array;
  #i32!: Int32Array;
  #f32!: Float32Array;
  #f64!: Float64Array;
  #u64!: BigUint64Array;
  #top = ARENA_BASE;
  readonly #sizes = new Map<number, number>(); // live block -> bytes
  readonly #holders = new Map<number, Holder>(); // live block -> its purpose, where recorded
  readonly #freeByStart = new Map<number, number>(); // free block -> bytes
  readonly #freeByEnd = new Map<number, number>(); // end of a free block -> its start
  readonly #bins: Set<number>[] = Array.from({ length: 33 }, () => new Set<number>());

  constructor(memory: WebAssembly.Memory, shared: boolean) {
    this.memory = memory;
    this.shared = shared;
    this.#refreshViews();
  }

  alloc(byteLength: number): number {
    if (!(byteLength >= 0))
      throw new ImpingeError('bad-input', `${byteLength} bytes of memory were asked for`);
    const size = Math.max(ALIGN, Math.ceil(byteLength / ALIGN) * ALIGN);
    const found = this.#findFree(size);
    const start = found === undefined ? this.#takeTop(size) : this.#carve(found, size);
    this.#sizes.set(start, size);
    this.usedBytes += size;
    return start;
  }

  get extentBytes(): number {
    return this.#top;
  }

  fits(byteLength: number, limit: number): boolean {
    const size = Math.max(ALIGN, Math.ceil(byteLength / ALIGN) * ALIGN);
    return this.#top + size <= limit || this.#findFree(size) !== undefined;
  }

  free(byteOffset: number): void {
    const size = this.#sizes.get(byteOffset);
    if (size === undefined) throw new ImpingeError('disposed', `arena block ${byteOffset} was freed twice`);
    this.#sizes.delete(byteOffset);
    this.#holders.delete(byteOffset);
    this.usedBytes -= size;
    this.#giveBack(byteOffset, size);
  }

  label(byteOffset: number, holder: Holder): void {
    this.#holders.set(byteOffset, holder);
  }

  shrink(byteOffset: number, byteLength: number): void {
    const size = this.#sizes.get(byteOffset);
    const keep = Math.max(ALIGN, Math.ceil(byteLength / ALIGN) * ALIGN);
    if (size === undefined || keep > size)
      throw new ImpingeError('bad-input', 'arena.shrink: not a live block');
    if (keep === size) return;
    this.#sizes.set(byteOffset, keep);
    this.usedBytes -= size - keep;
    this.#giveBack(byteOffset + keep, size - keep);
  }

  u8(): Uint8Array {
    return this.#u8;
  }
  u32(): Uint32Array {
    return this.#u32;
  }
  i32(): Int32Array {
    return this.#i32;
  }
  f32(): Float32Array {
    return this.#f32;
  }
  f64(): Float64Array {
    return this.#f64;
  }
  u64(): BigUint64Array {
    return this.#u64;
  }

  /** Only this class grows the memory, so the views are fresh except between a growth and this. */
  #refreshViews(): void {
    const b = this.memory.buffer;
    this.#u8 = new Uint8Array(b);
    this.#u32 = new Uint32Array(b);
    this.#i32 = new Int32Array(b);
    this.#f32 = new Float32Array(b);
    this.#f64 = new Float64Array(b);
    this.#u64 = new BigUint64Array(b);
  }

  /** Smallest bin first; inside the size's own bin only a few candidates are tried, larger bins always fit. */
  #findFree(size: number): number | undefined {
    const first = binOf(size);
    if (first >= this.#bins.length) return undefined; // more than 4 GiB
    let tries = 16;
    for (const start of this.#bins[first]) {
      if (this.#freeByStart.get(start)! >= size) return start;
      if (--tries === 0) break;
    }
    for (let bin = first + 1; bin < this.#bins.length; bin++) {
      for (const start of this.#bins[bin]) return start;
    }
    return undefined;
  }

  #carve(start: number, size: number): number {
    const whole = this.#freeByStart.get(start)!;
    this.#forget(start, whole);
    if (whole > size) this.#remember(start + size, whole - size);
    return start;
  }

  #takeTop(size: number): number {
    const start = this.#top;
    const missing = start + size - this.#u8.length;
    if (missing > 0) {
      // grow by a quarter at least, so that many small meshes do not grow page by page
      const needed = Math.ceil(missing / PAGE);
      const pages = this.#u8.length / PAGE;
      const wanted = Math.min(Math.max(needed, pages >> 2), MAX_PAGES - pages);
      if (!tryGrow(this.memory, wanted) && !tryGrow(this.memory, needed)) {
        throw this.#exhausted(size);
      }
      this.#refreshViews();
    }
    this.#top = start + size;
    return start;
  }

  /** The error for an exhausted arena: how much each holder occupies, and how to free it. */
  #exhausted(size: number): ImpingeError {
    const held = { meshes: { count: 0, bytes: 0 }, trees: { count: 0, bytes: 0 } };
    let rest = this.usedBytes;
    for (const [block, holder] of this.#holders) {
      const bytes = this.#sizes.get(block)!;
      held[holder].count++;
      held[holder].bytes += bytes;
      rest -= bytes;
    }
    const { meshes, trees } = held;
    return new ImpingeError(
      'out-of-memory',
      `cannot allocate ${megabytes(size)}, the memory cannot grow: ${meshes.count} meshes hold ${megabytes(meshes.bytes)}, ` +
        `${trees.count} trees ${megabytes(trees.bytes)}, all else ${megabytes(rest)}; dispose() meshes and trees that are no longer needed, or ` +
        'declare them with using: unreferenced ones are collected only after a turn of the event loop',
      { requested: size, used: this.usedBytes, meshes, trees },
    );
  }

  #giveBack(start: number, size: number): void {
    const before = this.#freeByEnd.get(start);
    if (before !== undefined) {
      const beforeSize = this.#freeByStart.get(before)!;
      this.#forget(before, beforeSize);
      start = before;
      size += beforeSize;
    }
    const afterSize = this.#freeByStart.get(start + size);
    if (afterSize !== undefined) {
      this.#forget(start + size, afterSize);
      size += afterSize;
    }
    if (start + size === this.#top) this.#top = start;
    else this.#remember(start, size);
  }

  #remember(start: number, size: number): void {
    this.#freeByStart.set(start, size);
    this.#freeByEnd.set(start + size, start);
    this.#bins[binOf(size)].add(start);
  }

  #forget(start: number, size: number): void {
    this.#freeByStart.delete(start);
    this.#freeByEnd.delete(start + size);
    this.#bins[binOf(size)].delete(start);
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 0)} MB`;
}

/** Bin b holds sizes in (2^(b − 1), 2^b]. */
function binOf(size: number): number {
  return size > 2 ** 32 ? 33 : 32 - Math.clz32(size - 1);
}

function tryGrow(memory: WebAssembly.Memory, pages: number): boolean {
  if (pages <= 0) return false;
  try {
    memory.grow(pages);
    return true;
  } catch {
    return false;
  }
}

/** Shared where the platform allows it (Node; cross-origin isolated pages), private elsewhere. */
function createMemory(): { memory: WasmMemory; shared: boolean } {
  if (typeof WebAssembly === 'undefined') {
    throw new ImpingeError('unsupported', 'meshes need WebAssembly, which is not available here');
  }
  const mayShare =
    typeof SharedArrayBuffer !== 'undefined' &&
    (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;
  if (mayShare) {
    // phones refuse to reserve 4 GiB of address space: ask for less until it is granted
    for (let maximum = MAX_PAGES; maximum >= 4096; maximum >>= 1) {
      try {
        return { memory: new WebAssembly.Memory({ initial: 32, maximum, shared: true }), shared: true };
      } catch {
        // try a smaller reservation
      }
    }
  }
  return { memory: new WebAssembly.Memory({ initial: 32, maximum: MAX_PAGES }), shared: false };
}

let theArena: LinearArena | undefined;

/** The process-wide arena, made on first use. */
export function arena(): Arena {
  if (!theArena) {
    const { memory, shared } = createMemory();
    theArena = new LinearArena(memory, shared);
  }
  return theArena;
}

/** A separate arena over its own private memory, for tests. */
export function createPrivateArena(): Arena {
  return new LinearArena(new WebAssembly.Memory({ initial: 2, maximum: 4096 }), false);
}
