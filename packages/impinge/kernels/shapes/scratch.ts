/**
 * Work space of one instance. Instances of several threads share one memory, so nothing here has a fixed address: the
 * host allocates SCRATCH_BYTES for each instance.
 */
export let scratch: usize = 0;

/** Bytes the host must allocate. */
export const SCRATCH_BYTES: usize = 0x880;

export function setScratch(at: usize): void { scratch = at; }
export function scratchBytes(): usize { return SCRATCH_BYTES; }

export const STACK: usize = 0x0; // 3 · 72 + 4 entries of 8 bytes
export const AXIS: usize = 0x700; // a capsule's axis as a triangle: nine float64
export const TRIANGLE: usize = 0x780; // the current triangle: nine float64
export const CORE_BOX: usize = 0x800; // around the core of a shape: six float64
