/**
 * The memory block of a query about points: two objects as lists of parts, a ray and its crossings, and the state of
 * the search for the deepest point, so that it can return when a treelet is missing and be resumed. Each field for side
 * A is followed by the same field for side B.
 */
// host: P.* = P_*
// host: P_HEADER_BYTES PART_BYTES PLANE_CAPACITY

/** Address of a list of parts: tree, mesh, marks (0: none). */
export const P_PARTS_A: usize = 0;
export const P_PARTS_B: usize = 4;
export const P_COUNT_A: usize = 8;
export const P_COUNT_B: usize = 12;
export const P_CLOSED_A: usize = 16;
export const P_CLOSED_B: usize = 20;
/** The treelet to build when a kernel returns NEED_TREELET: side, part, slot as a byte offset in the tree's blocks. */
export const P_PENDING_SIDE: usize = 24;
export const P_PENDING_PART: usize = 28;
export const P_PENDING_SLOT: usize = 32;
/** Triangles (part, triangle) for which floating point cannot decide whether the ray crosses them. */
export const P_DOUBTS: usize = 36;
export const P_DOUBT_CAPACITY: usize = 40;
export const P_DOUBT_COUNT: usize = 44;
export const P_CROSSINGS: usize = 48;
/** The search: its heap, its cells, and the cells waiting to be evaluated. */
export const P_HEAP: usize = 52;
export const P_HEAP_COUNT: usize = 56;
export const P_CELLS: usize = 60;
export const P_CELL_CAPACITY: usize = 64;
export const P_CELL_COUNT: usize = 68;
export const P_WORK: usize = 72;
export const P_WORK_COUNT: usize = 76;
/** The next part, of both sides together, to enter the search; the search stops before P_ROOTS_END. */
export const P_ROOTS: usize = 80;
export const P_BUDGET: usize = 84;
/** Address of the half spaces that contain side A, then those that contain side B. */
export const P_PLANES: usize = 88;
/** In parts that have marks, only triangles with this mark are searched. */
export const P_LABEL: usize = 92;
/** float64 from here on. A ray from a point to one outside. */
export const P_FROM: usize = 96;
export const P_TO: usize = 120;
/** Rotation (9, row-major) and translation (3) between the coordinates stored in the meshes. */
export const P_A_TO_B: usize = 144;
export const P_B_TO_A: usize = 240;
/** Minimum and maximum, in the side's own coordinates. */
export const P_BOX_A: usize = 336;
export const P_BOX_B: usize = 384;
/** Points no deeper than this, or deeper than a known point only by this much, are not searched for. */
export const P_AT_LEAST: usize = 432;
export const P_RESOLUTION: usize = 440;
/** Smaller lengths are rounding. */
export const P_TOLERANCE: usize = 448;
/** The state of the search. No point within a side can be deeper than the side's cap. */
export const P_STATE: usize = 456;
export const P_CAP_A: usize = 456;
export const P_CAP_B: usize = 464;
/** The deepest point so far, in the coordinates of the side that contains it; its depth; the surface it is on. */
export const P_DEPTH: usize = 472;
export const P_POINT: usize = 480;
/** The largest bound of the discarded cells; at the end, the bound that nothing exceeds. */
export const P_PRUNED: usize = 504;
export const P_BOUND: usize = 512;
export const P_BEST_SIDE: usize = 520;
export const P_EVALUATIONS: usize = 524;
/** Number of half spaces in use, and of failed attempts to find one. */
export const P_PLANE_COUNT_A: usize = 528;
export const P_PLANE_COUNT_B: usize = 532;
export const P_MISSES_A: usize = 536;
export const P_MISSES_B: usize = 540;
export const P_STATE_END: usize = 544;
/** A point deeper than this ends the search. So does a bound within this factor of the depth. */
export const P_ENOUGH: usize = 544;
export const P_GOOD_ENOUGH: usize = 552;
/** Results of `closestTo`. */
export const P_DISTANCE: usize = 560;
export const P_ROOTS_END: usize = 568;
/** 1: all parts being searched are known to be inside. */
export const P_WHOLE: usize = 572;
/** 1: searches for the farthest point outside instead; closed sides only. */
export const P_OUTSIDE: usize = 576;
/** The first free cell, plus one. */
export const P_FREE: usize = 580;
/** A search ends when no bound exceeds this. */
export const P_FLOOR: usize = 584;
/** 1: the search ended because the budget or the room for cells ran out, not because of the bounds. */
export const P_CUT_SHORT: usize = 592;

/**
 * Unless 0, the search takes the triangles moved by this distance along their normals instead of the surface, and
 * counts only points within the surface that are no closer to it than that; see deepest-offset.ts.
 */
export const P_OFFSET: usize = 600;
export const P_HEADER_BYTES: usize = 608;
export const PART_BYTES: usize = 12;

/** Half spaces per side: 32 bytes each, the unit normal and the side's extent along it. */
export const PLANE_CAPACITY: u32 = 32;
