/**
 * Work space of one instance. Instances of several threads share one memory, so nothing here has a fixed address: the
 * host allocates SCRATCH_BYTES for each instance.
 */
export let scratch: usize = 0;

/** Bytes the host must allocate. */
export const SCRATCH_BYTES: usize = 0x7c0;

export function setScratch(at: usize): void { scratch = at; }
export function scratchBytes(): usize { return SCRATCH_BYTES; }

export const LANE_KEYS: usize = 0x0; // four keys
export const LEAF_TRIANGLES: usize = 0x20; // numbers of the triangles of a leaf
export const STACK: usize = 0x40; // 3 · 72 + 4 entries of 8 bytes
export const LANE_BOXES: usize = 0x740; // four boxes, minimum and maximum
