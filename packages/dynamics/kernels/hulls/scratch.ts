/**
 * Work space of one instance: the simplex of hull-distance.ts, the polytope of hull-depth.ts, axes of boxes-apart.ts.
 */
export let scratch: usize = 0;

/** Four corners of a simplex, and the next candidate: see hull-distance.ts. */
export const SIMPLEX: usize = 0;
export const CORNER_BYTES: usize = 80;
/** Corners, faces and rim of a polytope: see hull-depth.ts. */
export const POLYTOPE: usize = 512;
export const MOST_CORNERS: i32 = 96;
export const MOST_FACES: i32 = 640;
export const FACE_BYTES: usize = 48;
export const FACES: usize = POLYTOPE + 96 * CORNER_BYTES;
export const RIM: usize = FACES + 640 * FACE_BYTES;
/** Axes of a box in the other body's frame: see boxes-apart.ts. */
export const MATRIX: usize = RIM + 8 * 640;
const MATRIX_BYTES: usize = 48;

export function setScratch(at: usize): void { scratch = at; }
export function scratchBytes(): usize { return MATRIX + MATRIX_BYTES; }
