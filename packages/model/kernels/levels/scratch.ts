/**
 * Work space of one instance. Instances of several threads share one memory, so nothing here has a fixed address: the
 * host allocates SCRATCH_BYTES for each instance.
 */
export let scratch: usize = 0;

export function setScratch(at: usize): void { scratch = at; }
export function scratchBytes(): usize { return SCRATCH_BYTES; }

/** Pieces of a triangle that are not assigned yet (see cover.ts). */
export const PIECES: usize = 0x0; // PIECE_CAPACITY · PIECE_BYTES
export const PIECE_CAPACITY: u32 = 64;
export const PIECE_CORNERS: u32 = 14;
export const PIECE_BYTES: usize = 16 + 16 * (<usize>PIECE_CORNERS + 2);
export const HEIGHTS: usize = PIECES + <usize>PIECE_CAPACITY * PIECE_BYTES; // 16 · 8
export const DISTANCES: usize = HEIGHTS + 128; // 16 · 8
export const FOUND_DISTANCES: usize = DISTANCES + 128; // 16 · 8
export const CORNER_NEAREST: usize = FOUND_DISTANCES + 128; // 16 · 4
export const SPARE: usize = CORNER_NEAREST + 64; // one polygon
export const SPACE: usize = SPARE + PIECE_BYTES; // 16 · 24
export const ONE_POINT: usize = SPACE + 384; // 48
export const ONE_DISTANCE: usize = ONE_POINT + 48; // 16
export const LANES: usize = ONE_DISTANCE + 16; // 16
export const BOX_STACK: usize = LANES + 16; // 3 · height 16 · 16 bytes, and one
/** Triangles under another one (see whole.ts). */
export const UNDER: usize = BOX_STACK + 1024; // UNDER_CAPACITY · UNDER_BYTES
export const UNDER_CAPACITY: u32 = 256;
export const UNDER_BYTES: usize = 112;
/** Triangles around a vertex, and points near them (see strays.ts). */
export const FAN: usize = UNDER + UNDER_BYTES * <usize>UNDER_CAPACITY; // FAN_CAPACITY · FAN_BYTES
export const FAN_CAPACITY: u32 = 48;
export const FAN_BYTES: usize = 64;
export const STRAYS: usize = FAN + FAN_BYTES * <usize>FAN_CAPACITY; // 12 · STRAYS_CAPACITY
export const STRAYS_CAPACITY: u32 = 64;
/** Triangles with distances (see assigned.ts). */
export const ASSIGNED: usize = STRAYS + 12 * <usize>STRAYS_CAPACITY; // 8 · ASSIGNED_CAPACITY
export const ASSIGNED_CAPACITY: u32 = 4096;
/** Bytes the host must allocate. */
export const SCRATCH_BYTES: usize = ASSIGNED + 8 * <usize>ASSIGNED_CAPACITY;
