/**
 * Work space of one instance. Instances of several threads share one memory, so nothing here has a fixed address: the
 * host allocates SCRATCH_BYTES for each instance.
 */
export let scratch: usize = 0;

/** Bytes the host must allocate. */
export const SCRATCH_BYTES: usize = 0x8000;

export function setScratch(at: usize): void { scratch = at; }
export function scratchBytes(): usize { return SCRATCH_BYTES; }

// exact tests
export const PATCH_COUNT: usize = 24;
export const PATCHES: usize = 0x0000; // 25 · 336
export const ROOTS: usize = 0x2100; // 10 · 48 · 8 + 49 · 4
export const POLYGON: usize = 0x3100; // 10 · 8
export const INSIDE: usize = 0x3180; // 9 · 8
// rings
export const FAN_CAPACITY: usize = 32;
export const FAN: usize = 0x4000; // 32 · 64
// grid
export const HISTOGRAM: usize = 0x4000; // 2048 · 4
// clusters
export const FOUR: usize = 0x4000; // 16
export const DESCENT: usize = 0x4000; // 16 · (1 + 3 · 2 · 16)
// primitive culling
export const AROUND: usize = 0x4000; // 512 · 12
export const QUEUE_CAPACITY: u32 = 256;
export const QUEUES: usize = 0x5900; // 4 · 256 · 4
export const COMMON: usize = 0x6900; // 257 · 4
export const COMPACT: usize = 0x7200; // 16 · 16
export const NORMAL: usize = 0x7300; // 3 · 16
export const ONE_DOP: usize = 0x7340; // 4 · 16: half a quantised DOP of a triangle, enlarged by the margin
export const MET_CAPACITY: usize = 32;
export const MET: usize = 0x7500; // 33 · 4
export const ONE_PACK: usize = 0x7600; // 3 · 4 · 4 · 16: a pack enlarged by the margin
// element culling
export const BATCH: u32 = 256;
export const EDGE_ITEMS: usize = 0x4000; // 256 · 9 · 2, plus the overrun of a store
export const FIRST_ITEMS: usize = 0x5300; // 256 · 3 · 2, plus the overrun of a store
export const SECOND_ITEMS: usize = 0x5a00; // 256 · 3 · 2, plus the overrun of a store
export const CODES: usize = 0x6100; // 64 · 32
export const CORNER_CODES: usize = 0x6900; // 8 · 8
export const ONE_TRIANGLE: usize = 0x7000; // 3 · 128
