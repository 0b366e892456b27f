/** Memory layouts for queries about shapes. */
// host: S.* = S_*
// host: Kind.* = SPHERE CAPSULE CONVEX
// host: ShapeMode.* = ANY ALL
// host: ShapeStatus.* = DONE FULL MET
// host: S_HEADER_BYTES PLANE_BYTES BOX_GIVEN

// a query about one shape, in the mesh's coordinates
export const S_TREE: usize = 0;
export const S_KIND: usize = 4;
export const S_MODE: usize = 8;
/** Triangles that the shape meets, and those that floating point cannot decide. */
export const S_FOUND: usize = 12;
export const S_FOUND_CAPACITY: usize = 16;
export const S_FOUND_COUNT: usize = 20;
export const S_DOUBTS: usize = 24;
export const S_DOUBT_CAPACITY: usize = 28;
export const S_DOUBT_COUNT: usize = 32;
/**
 * For a convex shape: planes around it, corners (three float64 each), pairs of planes that share an edge, triangles of
 * its surface.
 */
export const S_PLANES: usize = 36;
export const S_PLANE_COUNT: usize = 40;
export const S_CORNERS: usize = 44;
export const S_CORNER_COUNT: usize = 48;
export const S_EDGES: usize = 52;
export const S_EDGE_COUNT: usize = 56;
export const S_FACES: usize = 60;
export const S_FACE_COUNT: usize = 64;
/** Room for 3 · planes + 6 · (planes + 3) float64. */
export const S_TABLE: usize = 68;
/** A triangle that the shape meets, or the closest. */
export const S_TRIANGLE: usize = 72;
export const S_COUNT: usize = 76;
/** Bound of the rounding of a distance from a plane. */
export const S_BLUR: usize = 80;
/** For spheres and capsules: the radius, and the largest distance that counts as within the radius. */
export const S_RADIUS: usize = 88;
export const S_REACH: usize = 96;
/** The ends of a capsule's axis; for a sphere, twice its centre. */
export const S_FROM: usize = 104;
export const S_TO: usize = 128;
/** Box around the shape: minimum, maximum. */
export const S_BOX: usize = 152;
/** The translation of a sweep. */
export const S_MOTION: usize = 200;
/** The distance or time to beat, and then the result. */
export const S_BEST: usize = 224;
/** Vector from the shape to the triangle at the first contact of a sweep. */
export const S_GAP: usize = 232;
export const S_HEADER_BYTES: usize = 256;

export const SPHERE: u32 = 0;
export const CAPSULE: u32 = 1;
export const CONVEX: u32 = 2;

export const ANY: u32 = 0;
export const ALL: u32 = 1;

// a plane: normal of length 1 and offset, depth below it from which a point is certainly inside; the same in float32,
// relative to the middle of the shape, with slacks for being outside and inside; rows of a block that are lowest along
// it
export const P_OFFSET: usize = 24;
export const P_INNER: usize = 32;
export const P_COARSE: usize = 40;
export const P_OUT: usize = 56;
export const P_IN: usize = 60;
export const P_ROWS: usize = 64;
export const PLANE_BYTES: usize = 80;

// a box placed by the kernel: offsets of its parts from the query, and its input
export const BOX_PLANES: usize = 256;
export const BOX_CORNERS: usize = 736;
export const BOX_EDGES: usize = 928;
export const BOX_TABLE: usize = 1024;
export const BOX_GIVEN: usize = 1600;

export const DONE: i32 = 0;
/** There was no room for all: repeat with more room. */
export const FULL: i32 = 1;
/** Any triangle was requested, and one meets the shape. */
export const MET: i32 = 2;
