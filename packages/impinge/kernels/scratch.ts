/**
 * Work space of one instance. Instances of several threads share one memory, so nothing here has a fixed address: the
 * host allocates SCRATCH_BYTES for each instance.
 */
export let scratch: usize = 0;

/** Bytes the host must allocate. */
export const SCRATCH_BYTES: usize = 0xa8a0;

export function setScratch(at: usize): void { scratch = at; }
export function scratchBytes(): usize { return SCRATCH_BYTES; }

// build
export const BIN_BOXES: usize = 0x0; // 3 axes · 16 bins · 32
export const BIN_COUNTS: usize = 0x600; // 3 · 16 · 4
export const RIGHT_AREAS: usize = 0x6c0; // 16 · 8
export const RIGHT_COUNTS: usize = 0x740; // 16 · 4
export const KEYS: usize = 0x780; // 16 · 8
export const KIDS: usize = 0x800; // 5 · 64
export const WORK: usize = 0x1000; // 256 · 64
// fit
export const COVARIANCE: usize = 0x5000; // 6 · 16
export const FRAME: usize = 0x5060; // 4 · 16
export const LANE_MOMENTS: usize = 0x50a0; // 80
export const CORNERS: usize = 0x5100; // 3 · 132 · 4
export const MATRICES: usize = 0x5780; // 9 · 16
export const EXTENTS: usize = 0x5840; // 4 · 64
export const ROWS: usize = 0x5980; // 3 · 1544 · 4 = 0x4860
// queries
export const LEAF_AREA: usize = 0xa200; // 1460 bytes, see leaf.ts
export const ONE: usize = 0xa800; // 80 bytes, see obb.ts
export const BOUNDS: usize = 0xa880; // four lower bounds
export const DIRECTION: usize = 0xa890; // unit vector between the closest points so far
