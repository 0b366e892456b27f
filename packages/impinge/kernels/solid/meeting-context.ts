/** The memory block that describes a batch of meeting pairs. */
// host: M.* = M_*
// host: M_BYTES BATCH

export const M_MESH_A: usize = 0;
export const M_MESH_B: usize = 4;
export const M_COUNT: usize = 8;
/** float64: smaller lengths may be rounding of the pose. */
export const M_SLACK: usize = 16;
/** float64 rotation (9, row-major) and translation (3) from mesh b's coordinates to mesh a's. */
export const M_POSE: usize = 24;
/** Triangle of a, triangle of b; how they meet, one byte each; the ends of the common segment, six float64 each. */
export const M_PAIRS: usize = 128;
export const M_MEETING: usize = 8320;
export const M_SEGMENTS: usize = 9344;
export const M_BYTES: usize = 58496;

/** Pairs per batch. */
export const BATCH: u32 = 1024;
