/**
 * Memory layouts in the arena.
 *
 * Layout: a **tree** over items at places 0, 1, … has blocks of four lanes at each height. Lane i at height 0 is the
 * box of place i; lane i at height k + 1 is that of block i at height k. At the top is one block with one lane, the box
 * of all. A block is six rows of four float32: least x, y, z, greatest x, y, z; an empty lane is (∞, −∞). An object is
 * a tree over its triangles, with corners: nine rows of four float32 per block at height 0.
 */
// host: ObjectField.* = OBJECT_*
// host: SearchField.* = SEARCH_*
// host: OBJECT_BYTES BLOCK_BYTES CORNER_BYTES SEARCH_BYTES TASK_BYTES HEIGHT_SHIFT

// an object
export const OBJECT_BYTES: usize = 256;
export const OBJECT_MESH: usize = 0;
export const OBJECT_COUNT: usize = 4;
export const OBJECT_HEIGHT: usize = 8; // of the tree, lanes of triangles included
export const OBJECT_SLOT: usize = 12; // slot of its first triangle
export const OBJECT_ORDER: usize = 16; // triangle at each place; 0: in the given order
export const OBJECT_MARGIN: usize = 20;
export const OBJECT_CORNERS: usize = 28;
export const OBJECT_BLOCKS: usize = 32; // where those of each height begin, at most 15
export const OBJECT_MATRIX: usize = 96;
export const OBJECT_POSE: usize = 144;

export const BLOCK_BYTES: usize = 96;
export const CORNER_BYTES: usize = 144;

// a search for pairs of triangles
export const SEARCH_BYTES: usize = 64;
export const SEARCH_OBJECTS: usize = 0;
export const SEARCH_TASKS: usize = 4;
export const SEARCH_MEETING: usize = 8;
export const SEARCH_DOUBTFUL: usize = 12;
export const SEARCH_CAPACITY: usize = 16; // pairs in each list
export const SEARCH_MEETING_COUNT: usize = 20;
export const SEARCH_DOUBTFUL_COUNT: usize = 24;
export const SEARCH_CANDIDATES: usize = 28;
export const SEARCH_UNDECIDED: usize = 32; // 1: leaves all pairs undecided

/** Two objects and a node of each: its height in the high five bits, then the number of the block. */
export const TASK_BYTES: usize = 16;
export const HEIGHT_SHIFT: u32 = 27;
export const BLOCK_MASK: u32 = (1 << 27) - 1;

// @ts-ignore: decorator
@inline export function objectAt(objects: usize, o: u32): usize { return objects + OBJECT_BYTES * <usize>o; }

/** Address of a block. */
// @ts-ignore: decorator
@inline export function blockAt(object: usize, height: u32, block: u32): usize {
  return <usize>load<u32>(object + 4 * <usize>height, OBJECT_BLOCKS) + BLOCK_BYTES * <usize>block;
}
