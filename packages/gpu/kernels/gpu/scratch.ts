/**
 * Work space of one instance. Instances of several threads share one memory, so nothing here has a fixed address: the
 * host allocates SCRATCH_BYTES for each instance.
 */
export let scratch: usize = 0;

/** Bytes the host must allocate. */
export const SCRATCH_BYTES: usize = 0x4800;

export function setScratch(at: usize): void { scratch = at; }
export function scratchBytes(): usize { return SCRATCH_BYTES; }

export const STACK: usize = 0x0; // 1024 · 8
export const EXACT_A: usize = 0x2000; // 4 · 72
export const EXACT_B: usize = 0x2140; // 4 · 72
export const POSE: usize = 0x2280; // 12 · 8
export const HISTOGRAM: usize = 0x2800; // 2048 · 4
