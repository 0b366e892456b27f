/**
 * Work space of one instance: that of the walks over trees, the cached points (patch.ts) and leaves (point-leaf.ts).
 */
import { SCRATCH_BYTES, setScratch as setWalkScratch } from '../../../impinge/kernels/scratch';

export let patchScratch: usize = 0;

/** From here on: a leaf of a, one of b. */
export const LEAVES: usize = 64;
export const LEAF_BYTES: usize = 256;

export function setScratch(at: usize): void {
  setWalkScratch(at);
  patchScratch = at + SCRATCH_BYTES;
}
export function scratchBytes(): usize { return SCRATCH_BYTES + LEAVES + 2 * LEAF_BYTES; }
