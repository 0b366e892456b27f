/** Settings of V8: how much to optimise, and how to work with little memory. */
import { setFlagsFromString } from 'node:v8';
import { parseMemory } from './quantities.js';

/** With more bytes of memory than this, speed matters more. */
const LITTLE_MEMORY = 260e6;

/**
 * Bytes of bytecode inlined into each compiled function: few, or V8's default. A check often takes seconds, of which a
 * third was spent compiling its code, again in every thread; with less inlining, compiling takes two thirds of the
 * time, and the code is slower by a few percent.
 */
const INLINE_LITTLE = 100;
const INLINE_AS_USUAL = 920;

/** Growth of a small heap before it is collected again. */
const HEAP_GROWTH_PERCENT = 10;

/** With more pairs than this, the speed of the code matters more. */
const MANY_PAIRS = 50_000;

let isSparing = false;

/**
 * Sets up V8 for a command line. With little memory, makes the heap grow slowly, and keeps the space for new objects at
 * its initial size: it would grow to sixteen times that, and every measurement and every read leaves garbage. A check
 * takes a tenth more time and 50 MB less. The threads of a check have little space for new objects anyway, and collect
 * it so often that waking other threads for it costs more than they contribute. Must be called before anything else is
 * loaded, because that makes the space grow.
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
  inline(INLINE_LITTLE); // memory that V8's compilers take for the largest function stays with their threads
  setFlagsFromString('--wasm-num-compilation-tasks=1');
  spareHeapStill();
}

/** Whether the command has to get along with little memory. */
export function sparesMemory(): boolean {
  return isSparing;
}

/** Must be called after threads were started: with each of them, V8 resumes doubling the space for new objects. */
export function spareHeapStill(): void {
  if (isSparing) setFlagsFromString('--semi-space-growth-factor=1');
}

/** Must be called when the number of pairs that a check has to measure, or that a worker has measured, is known. */
export function compileForPairs(count: number): void {
  if (!isSparing) inline(count > MANY_PAIRS ? INLINE_AS_USUAL : INLINE_LITTLE);
}

function inline(bytes: number): void {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${bytes}`);
}

/** The value of `--memory`. Invalid values are reported later. */
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
