/** Less memory for JavaScript itself, where a command is told to do with little. */
import { setFlagsFromString } from 'node:v8';
import { inlineForPairs, inlineLittle } from './compiling.js';
import { parseMemory } from './quantities.js';

/** With more than this, speed counts more. */
const LITTLE = 260e6;

let isSparing = false;

/**
 * Has the heap grow slowly, and keeps the space for new objects at the size it starts with: it would grow to sixteen times
 * that, and everything that is measured or read leaves garbage behind. That space is then cleared so often that it costs
 * more to wake other threads for it than they do. A check takes a tenth more time and 50 MB less.
 * To be called before anything else is loaded, which makes that space grow.
 */
export function spareHeap(args: readonly string[]): void {
  if (args[0] === 'check') inlineLittle();
  if (memoryOf(args) >= LITTLE) return;
  isSparing = true;
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--optimize-for-size');
  inlineLittle(); // what V8's compilers take for the largest function stays with their threads
  setFlagsFromString('--wasm-num-compilation-tasks=1');
  spareHeapStill();
}

/** To be called when threads were started: with each of them, V8 goes back to growing that space by two. */
export function spareHeapStill(): void {
  if (isSparing) setFlagsFromString('--semi-space-growth-factor=1');
}

/** To be called when it is known how many pairs a check has. */
export function compileForPairs(count: number): void {
  if (!isSparing) inlineForPairs(count);
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
