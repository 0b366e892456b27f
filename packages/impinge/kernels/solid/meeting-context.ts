/** The block of memory in which a batch of meeting pairs is described. */
// host: M.* = M_*
// host: M_BYTES BATCH

export const M_MESH_A: usize = 0;
export const M_MESH_B: usize = 4;
export const M_COUNT: usize = 8;
/** float64: what is smaller may be rounding of the pose. */
export const M_SLACK: usize = 16;
/** float64 rotation (9, row-major) and translation (3): mesh b's numbers to mesh a's. */
export const M_POSE: usize = 24;
/** Triangle of a, triangle of b; how they meet, a byte each; the ends of what they share, six float64 each. */
export const M_PAIRS: usize = 128;
export const M_MEETING: usize = 8320;
export const M_SEGMENTS: usize = 9344;
export const M_BYTES: usize = 58496;

/** Pairs per batch. */
export const BATCH: u32 = 1024;
