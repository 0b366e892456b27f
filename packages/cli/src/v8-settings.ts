/** Settings of V8: how much to optimise, and how to work with little memory. */
import { setFlagsFromString } from 'node:v8';
import { parseMemory } from './quantities.js';

/** With more bytes of memory than this, speed counts more. */
const LITTLE_MEMORY = 260e6;

/**
 * Bytes of bytecode in each function that is compiled: few, and V8's own choice. A check is often over in seconds, of
 * which a third went into compiling its code, for every thread anew; with less of it inlined, that takes two thirds of
 * the time, and the code is slower by some hundredths.
 */
const INLINE_LITTLE = 100;
const INLINE_AS_USUAL = 920;

/** What a sparing heap grows by before it is collected again. */
const HEAP_GROWTH_PERCENT = 10;

/** With more pairs than these, what the code takes counts more. */
const MANY_PAIRS = 50_000;

let isSparing = false;

/**
 * For a command line. Where there is little memory, has the heap grow slowly, and keeps the space for new objects at
 * the size it starts with: it would grow to sixteen times that, and everything that is measured or read leaves garbage
 * behind. A check takes a tenth more time and 50 MB less. The threads of a check have little space for new objects
 * anyway, and clear it so often that it costs more to wake other threads for it than they do. To be called before
 * anything else is loaded, which makes that space grow.
 */
export function setUpV8(args: readonly string[]): void {
  if (args[0] === 'check' || args[0] === 'worker') {
    inline(INLINE_LITTLE);
    setFlagsFromString('--no-parallel-scavenge');
  }
  if (memoryOf(args) >= LITTLE_MEMORY) return;
  isSparing = true;
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  inline(INLINE_LITTLE); // what V8's compilers take for the largest function stays with their threads
  setFlagsFromString('--wasm-num-compilation-tasks=1');
  spareHeapStill();
}

/**
 * To be called when threads were started: with each of them, V8 goes back to growing the space for new objects by two.
 */
export function spareHeapStill(): void {
  if (isSparing) setFlagsFromString('--semi-space-growth-factor=1');
}

/** To be called when it is known how many pairs a check has to measure, or a worker has measured. */
export function compileForPairs(count: number): void {
  if (!isSparing) inline(count > MANY_PAIRS ? INLINE_AS_USUAL : INLINE_LITTLE);
}

function inline(bytes: number): void {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${bytes}`);
}

/** What `--memory` says. What it cannot say is an error, but not yet. */
function memoryOf(args: readonly string[]): number {
  const at = args.findIndex((arg) => /^--memory(=|$)/.test(arg));
  const text = args[at]?.split('=')[1] ?? args[at + 1];
  if (at < 0 || text === undefined) return Infinity;
  try {
    return parseMemory(text);
  } catch {
    return Infinity;
  }
}
