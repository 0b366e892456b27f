/**
 * A set of WASM SIMD kernels: one compiled module, one instance per thread, all on the arena's memory.
 *
 * Idea: the module imports its memory as *shared*; on a page without SharedArrayBuffer the one flag in the
 * binary that says so is cleared before compiling, so one set of kernels serves both (they hold no atomics).
 * Nothing happens on import; the first call compiles (a few milliseconds), or `prepare()` does it
 * asynchronously beforehand.
 * Invariant: a module has no memory of its own (scripts/kernel-modules.mjs sees to it). Each instance works in what it
 * is allotted here, or by a pool for its thread, so that sets never have to know of each other.
 */
import { arena } from '../base/arena.js';
import { ImpingeError } from '../base/errors.js';
import type { WasmModule } from '../base/platform-types.js';
import { decodeBytes } from './decode-bytes.js';

/** What every set exports besides its kernels: work space that is given by the host. */
interface ScratchKernels {
  setScratch(at: number): void;
  scratchBytes(): number;
}

/** A kernel and its arguments. */
export interface KernelCall<R = unknown> {
  readonly name: string;
  readonly args: readonly (number | boolean | bigint)[];
  /** The set the kernel is of. */
  readonly kernels: KernelSet;
  /** For the compiler alone: what it returns. */
  readonly returns?: R;
}

type ArgumentsOf<F> = F extends (...args: infer A extends KernelCall['args'][number][]) => unknown
  ? A
  : never;
type ResultOf<F> = F extends (...args: never[]) => infer R ? R : never;

export class KernelSet<T extends ScratchKernels = ScratchKernels> {
  /** The name of the module in scripts/kernel-modules.mjs; tells sets apart in a worker. */
  readonly name: string;
  readonly #text: string;
  #module: WebAssembly.Module | undefined;
  #kernels: T | undefined;
  #supported: boolean | undefined;
  #refusal = '';

  constructor(name: string, text: string) {
    this.name = name;
    this.#text = text;
  }

  /** The calling thread's kernels. Throws 'unsupported' where WebAssembly SIMD is missing. */
  kernels(): T {
    return (this.#kernels ??= instantiate<T>(this.module()));
  }

  /** One of the kernels and its arguments, for whoever runs it. */
  call<K extends keyof T & string>(name: K, ...args: ArgumentsOf<T[K]>): KernelCall<ResultOf<T[K]>> {
    return { name, args, kernels: this };
  }

  /** Whether this platform runs the kernels. */
  supported(): boolean {
    if (this.#supported === undefined) {
      try {
        this.kernels();
        this.#supported = true;
      } catch (error) {
        if (!(error instanceof ImpingeError) || error.code !== 'unsupported') throw error;
        this.#supported = false;
        this.#refusal = error.message;
        console.warn(`impinge: ${error.message}. Without it, queries are many times slower.`);
      }
    }
    return this.#supported;
  }

  /** Why it does not; empty where that was not asked yet. */
  get refusal(): string {
    return this.#refusal;
  }

  /** The compiled module, for handing to workers. */
  module(): WasmModule {
    if (!this.#module) {
      try {
        this.#module = new WebAssembly.Module(moduleBytes(this.#text));
      } catch (error) {
        throw unsupported(error);
      }
    }
    return this.#module;
  }

  /** Compiles off the main thread's critical path. */
  async prepare(): Promise<void> {
    try {
      this.#module ??= await WebAssembly.compile(moduleBytes(this.#text));
    } catch (error) {
      throw unsupported(error);
    }
    this.kernels();
  }
}

/** What engines say where the policy of a page forbids to compile. */
const FORBIDDEN = /disallowed by embedder|blocked by CSP|content security policy|unsafe-eval/i;

function unsupported(error: unknown): ImpingeError {
  const { message } = error as Error;
  return new ImpingeError(
    'unsupported',
    FORBIDDEN.test(message)
      ? "the Content-Security-Policy of this page forbids WebAssembly: its script-src needs 'wasm-unsafe-eval'"
      : `this platform cannot run WebAssembly SIMD: ${message}`,
  );
}

function instantiate<T extends ScratchKernels>(module: WebAssembly.Module): T {
  const owner = arena();
  const instance = new WebAssembly.Instance(module, { env: { memory: owner.memory } });
  const exports = instance.exports as unknown as T;
  exports.setScratch(owner.alloc(exports.scratchBytes()));
  return exports;
}

function moduleBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBytes(text);
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
      const byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const section = bytes[at++];
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
    bytes[at + 1] &= ~SHARED_FLAG;
    return;
  }
  throw new ImpingeError('unsupported', 'the kernels do not import the expected memory');
}
