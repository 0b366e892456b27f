/**
 * Work space of one instance. Instances of several threads share one memory, so nothing here has a fixed address: the
 * host allocates SCRATCH_BYTES for each instance.
 */
export let scratch: usize = 0;

/** Bytes the host must allocate. */
export const SCRATCH_BYTES: usize = 0x10e0;

export function setScratch(at: usize): void { scratch = at; }
export function scratchBytes(): usize { return SCRATCH_BYTES; }

// queries about points
export const POINT_KEYS: usize = 0x0; // four keys
export const POINT_STACK: usize = 0x40; // 220 · 8
export const RIM: usize = 0x740; // 48 · 12
export const RIM_CAPACITY: u32 = 48;
export const POLYGON: usize = 0x9c0; // 16 · 24
export const SNAPSHOT: usize = 0xb40; // a cell and the state of a search
export const EDGES: usize = 0xd00; // 8 · 32
export const MEETING_CORNERS: usize = 0xe00; // 288 bytes, see meeting.ts
export const DISTANCES: usize = 0xf20; // 8 · 16
export const OWN_CORNERS: usize = 0xfa0; // 8 · 24
export const OWN_CROSSERS: usize = 0x1060; // 4 · 8
export const OWN_DISTANCES: usize = 0x1080; // 8 · 8
export const OWN_MIDDLE: usize = 0x10c0; // 24 bytes
