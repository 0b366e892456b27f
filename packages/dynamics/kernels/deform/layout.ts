/** Where things lie in the arena; the same numbers as src/deform/layout.ts (a test compares them). */

// the context, byte offsets
export const CTX_VERTEX_COUNT: usize = 0;
export const CTX_STATIC_VERTEX_COUNT: usize = 4;
export const CTX_TRIANGLE_COUNT: usize = 8;
export const CTX_STATIC_TRIANGLE_COUNT: usize = 12;
export const CTX_START: usize = 16;
export const CTX_END: usize = 20;
export const CTX_CORNERS: usize = 24;
export const CTX_OWNED: usize = 28;
export const CTX_SURFACE_OF: usize = 32;
export const CTX_SURFACE_FLAGS: usize = 36;
export const CTX_RING_START: usize = 40;
export const CTX_RINGS: usize = 44;
export const CTX_FANS: usize = 48;
export const CTX_MOTIONS: usize = 52;
export const CTX_OPTIONS: usize = 56;
export const CTX_RANGE: usize = 60;
export const CTX_BOX_MARGIN: usize = 64;
export const CTX_SIDE_MARGIN: usize = 68;
export const CTX_CORNER_MARGIN: usize = 72;
export const CTX_DOPS: usize = 76;
export const CTX_CENTRE: usize = 80;
export const CTX_MOVING_GRID: usize = 104;
export const CTX_STATIC_GRID: usize = 108;
export const CTX_CLEAR_RINGS: usize = 116;
export const CTX_CLUSTERS: usize = 192;
export const CTX_CLUSTER_COUNT: usize = 196;
export const CTX_SURFACE_COUNT: usize = 200;
export const CTX_SURFACE_CLUSTERS: usize = 204;
export const CTX_SURFACE_BOUNDS: usize = 208;
export const CTX_SURFACE_ORDER: usize = 212;
export const CTX_VERTEX_BASE: usize = 220;
export const CTX_FRESH_DOPS: usize = 228;
export const CTX_SWEEPS: usize = 232;
export const CTX_CLUSTER_ORDER: usize = 236;
export const CTX_CLUSTER_NODES: usize = 240;
export const CTX_CLUSTER_VERTICES: usize = 244;
export const CTX_SURFACE_NODES: usize = 112;
export const CTX_CLUSTER_PACKS: usize = 124;
export const CTX_CLUSTER_BOUNDS: usize = 128;
export const CTX_PARTNER_STARTS: usize = 132;
export const CTX_PARTNERS: usize = 136;
export const CTX_FAN_VERTICES: usize = 140;
export const CTX_TRIANGLE_DOPS: usize = 144;
export const CTX_BOUNDED: usize = 252;
export const CTX_STEPS: usize = 160; // 16 · 2

export const LEAVE_OUT_NEIGHBOURS: u32 = 1;
export const HAS_THICKNESS: u32 = 2;
export const COARSE_DOPS: u32 = 4;
export const ONE_SURFACE: u32 = 8;
export const CLUSTERED: u32 = 16;
/** Of a list of pairs: they are of different surfaces that may meet. */
export const OTHERS: u32 = 32;
// of a vertex in CTX_CLEAR_RINGS
export const CLEAR: u32 = 1;
export const ROOM: u32 = 2;
export const TESTS_ITSELF: u32 = 1;
export const IS_STATIC: u32 = 2;
export const LEFT_OUT: u32 = 4;
export const GROUP_SHIFT: u32 = 8;

// a grid, byte offsets
export const GRID_FIRST: usize = 0;
export const GRID_COUNT: usize = 4;
export const GRID_LIST: usize = 8;
export const GRID_PACK_COUNT: usize = 12;
export const GRID_CELL_COUNT: usize = 16;
export const GRID_RANGE: usize = 20;
export const GRID_FINEST: usize = 24;
export const GRID_LEVEL_COUNT: usize = 28;
export const GRID_MORTON_BITS: usize = 32;
export const GRID_TABLE_BITS: usize = 40;
export const GRID_MARGIN: usize = 44;
export const GRID_KEYS: usize = 48;
export const GRID_ORDER: usize = 52;
export const GRID_PACKS: usize = 56;
export const GRID_BOUNDS: usize = 60;
export const GRID_CELLS: usize = 64;
export const GRID_TABLE: usize = 68;
export const GRID_LEVEL_STARTS: usize = 128; // 17 · 4
export const GRID_JOINS: usize = 256; // 16 · 4

export const MOTION_BYTES: usize = 32;
export const DOP_BYTES: usize = 64;
export const PACK_BYTES: usize = 208;
export const PACK_MEMBERS: usize = 192;
export const BOUND_BYTES: usize = 64;
export const CLUSTER_BYTES: usize = 96;
export const CLUSTER_FIRST: usize = 64;
export const CLUSTER_COUNT: usize = 68;
export const CLUSTER_ACTIVE: usize = 72;
export const CLUSTER_VERTICES: usize = 76;
export const CLUSTER_PACKED: usize = 80;
/** Nodes of one level below a node of the next. */
export const BRANCHES: u32 = 4;
/** Packs of a cluster. */
export const CLUSTER_PACKS: u32 = 4;
export const PIECE_BYTES: usize = 48;
export const PIECE_FROM: usize = 0;
export const PIECE_TO: usize = 4;
export const PIECE_BOX: usize = 16;
export const CELL_BYTES: usize = 96;
export const CELL_KEY: usize = 64;
export const CELL_FIRST_PACK: usize = 72;
export const CELL_PACK_COUNT: usize = 76;
export const CELL_FIRST: usize = 80; // in the sorted order
export const CELL_COUNT: usize = 84;

/** Levels below the range at which cells are as small as they get: coordinates have 16 bits with two below the cell. */
export const DEEPEST: i32 = 13;
export const LEVEL_SHIFT: u64 = 48;
/** Fewer triangles per cell of a level than this, and its cells are joined, each time eight at once. */
export const FILL: u32 = 6;
export const MOST_JOINS: u32 = 2;
export const NONE: u32 = 0xffffffff;
/** On the second triangle of a pair: they have a common vertex; only the edges opposite it are left to test. */
export const COMMON_VERTEX: u32 = 0x80000000;
export const OPPOSITE_ONLY: u32 = 0x40000000;
export const TRIANGLE: u32 = 0x3fffffff;

// counts of a chunk, float64 each, added to
export const TALLY_CANDIDATES: usize = 0;
export const TALLY_BOX: usize = 8;
export const TALLY_DOP: usize = 16;
export const TALLY_PRIMITIVE: usize = 24;
export const TALLY_ELEMENT: usize = 32;
export const TALLY_TESTED: usize = 40;
// u32: how much the last call wrote
export const TALLY_PAIRS: usize = 48;
export const TALLY_VERTEX_FACES: usize = 52;
export const TALLY_EDGE_EDGES: usize = 56;
