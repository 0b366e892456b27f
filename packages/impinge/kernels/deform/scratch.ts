/**
 * Work space of one instance. Instances of several threads share one memory, so nothing here is at a fixed address:
 * the host gives each instance its own SCRATCH_BYTES.
 */
export let scratch: usize = 0;

/** Bytes the host must give. */
export const SCRATCH_BYTES: usize = 0x4000;

export function setScratch(at: usize): void { scratch = at; }
export function scratchBytes(): usize { return SCRATCH_BYTES; }
