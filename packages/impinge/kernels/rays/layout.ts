/** Memory layouts for queries about rays and points. */
// host: BoxesHeader.* = BOXES_*
// host: R.* = R_*
// host: Mode.* = FIRST ANY ALL COUNT
// host: Faces.* = BOTH FRONT BACK
// host: RayStatus.* = DONE FULL
// host: BOXES_HEADER_BYTES BOX_BLOCK_BYTES R_HEADER_BYTES RAY_BYTES HIT_BYTES KEY_DEPTH

// a box tree: byte offsets of its header
export const BOXES_HEADER_BYTES: usize = 64;
export const BOXES_BLOCK_COUNT: usize = 0;
export const BOXES_ORDER: usize = 4;
export const BOXES_BLOCKS: usize = 8;
/** Corners of the triangles, leaf after leaf: a leaf of n triangles has nine rows of n float32. */
export const BOXES_CORNERS: usize = 12;
/** Box around all triangles, six float32: minimum, maximum. */
export const BOXES_ROOT: usize = 16;
/** Address of the mesh's indices in the order of the tree, for meshes that move; 0 if absent. */
export const BOXES_INDICES: usize = 40;

// a block: minimum and maximum of four boxes, rows of float32 in the mesh's coordinates; then their references
export const BOX_MIN: usize = 0;
export const BOX_MAX: usize = 48;
export const BOX_REF: usize = 96;
export const BOX_BLOCK_BYTES: usize = 112;

// a query about rays
export const R_HEADER_BYTES: usize = 64;
export const R_MESH: usize = 0;
export const R_TREE: usize = 4;
/** Number of rays, and the next one. */
export const R_COUNT: usize = 8;
export const R_NEXT: usize = 12;
export const R_MODE: usize = 16;
export const R_FACES: usize = 20;
export const R_RAYS: usize = 24;
export const R_HITS: usize = 28;
export const R_HIT_CAPACITY: usize = 32;
export const R_HIT_COUNT: usize = 36;
/** Hits that floating point cannot decide: triangle, ray. */
export const R_DOUBTS: usize = 40;
export const R_DOUBT_CAPACITY: usize = 44;
export const R_DOUBT_COUNT: usize = 48;

/** Depth of the tree in a ray's key: what is above fits into caches. */
export const KEY_DEPTH: i32 = 7;

export const FIRST: u32 = 0;
export const ANY: u32 = 1;
export const ALL: u32 = 2;
/** Returns the number of certain hits instead of a triangle. */
export const COUNT: u32 = 3;

export const BOTH: u32 = 0;
export const FRONT: u32 = 1;
export const BACK: u32 = 2;

// a ray: origin, direction, least and greatest distance
export const RAY_LEAST: usize = 48;
export const RAY_MOST: usize = 56;
export const RAY_BYTES: usize = 64;

// a hit: distance, weights of the second and third corner, triangle (EMPTY: none), ray, address of the triangle's
// corners (0: unknown), and the bytes between consecutive numbers there
export const HIT_DISTANCE: usize = 0;
export const HIT_U: usize = 8;
export const HIT_V: usize = 16;
export const HIT_TRIANGLE: usize = 24;
export const HIT_RAY: usize = 28;
export const HIT_CORNERS: usize = 32;
export const HIT_ROW: usize = 36;
export const HIT_BYTES: usize = 40;

export const DONE: i32 = 0;
/** There was no room for the hits of ray R_NEXT: repeat it with more room. */
export const FULL: i32 = 1;
