/**
 * The blocks in the arena through which stages and kernels access all surfaces at once.
 *
 * Layout: u32 words below unless another type is given; addresses are byte offsets in the arena. Vertices and triangles
 * of all surfaces are numbered consecutively, those of static surfaces first, so that ranges [static, all) are the
 * moving ones; within a surface they are numbered as src/deform/inner-order.ts says. The owner of the surfaces writes
 * the words up to `rings` and those of surfaces, and leaves the rest 0; the stages write the rest.
 */
// host: Ctx.* = CTX_* / 4
// host: GridWord.* = GRID_* / 4
// host: ClusterWord.* = CLUSTER_* / 4
// host: PieceWord.* = PIECE_* / 4
// host: CellWord.* = CELL_* / 4
// host: Tally.* = TALLY_* / 8
// host: TallyWord.* = WRITTEN_* / 4
// host: CTX_BYTES GRID_BYTES MOTION_BYTES DOP_BYTES PACK_BYTES BOUND_BYTES CLUSTER_BYTES SIDES_BYTES PIECE_BYTES
// host: CELL_BYTES TALLY_BYTES HIT_BYTES ELEMENT_PAIR_BYTES BRANCHES CLUSTER_PACKS DEEPEST TIER_SHIFT
// host: LEAVE_OUT_NEIGHBOURS HAS_THICKNESS COARSE_DOPS
// host: TESTS_ITSELF IS_STATIC LEFT_OUT IS_LOOSE GROUP_SHIFT NONE COMMON_VERTEX OPPOSITE_ONLY TRIANGLE

// the context, byte offsets
export const CTX_BYTES: usize = 256;
export const CTX_VERTEX_COUNT: usize = 0;
export const CTX_TRIANGLE_COUNT: usize = 8;
export const CTX_STATIC_TRIANGLE_COUNT: usize = 12;
/** f64 x, y, z of every vertex, by the caller's numbers, at T0 and at T1 (the same address if nothing moves). */
export const CTX_START: usize = 16;
export const CTX_END: usize = 20;
/** u32: three vertices of every triangle. */
export const CTX_CORNERS: usize = 24;
/** u8 per triangle: bit i: it owns its corner i; bit 3 + i: it owns the edge from corner i to i + 1. */
export const CTX_OWNED: usize = 28;
/** u32 per triangle: its surface, as an index into `surfaceFlags`. */
export const CTX_SURFACE_OF: usize = 32;
/**
 * u32 per surface: bit 0: tests itself; bit 1: stands still during the query; bit 2: does not take part; bit 3: its
 * triangles have few vertices in common; bits 8..31: its collision group, 0 for none.
 */
export const CTX_SURFACE_FLAGS: usize = 36;
/** Triangles around vertex v: rings[ringStart[v] .. ringStart[v + 1]). */
export const CTX_RING_START: usize = 40;
export const CTX_RINGS: usize = 44;
/** u8 per vertex: 1 if the triangles around it form a closed fan (PrimitiveCulling). */
export const CTX_FANS: usize = 48;
/** u32, in the places of `rings`: the neighbours of a vertex with a closed fan, in the order of the fan. */
export const CTX_FAN_VERTICES: usize = 140;
/** f32 x 8 per vertex: x, y, z about the centre at T0, 0, the same at T1, 0 (VertexSweep). */
export const CTX_MOTIONS: usize = 52;
/** The bits below. */
export const CTX_OPTIONS: usize = 56;
/** i32: all coordinates about the centre are below 2^range. */
export const CTX_RANGE: usize = 60;
/** f32: minimum distance along an axis of length 1, √2, √3 at which two items are out of reach of each other. */
export const CTX_BOX_MARGIN: usize = 64;
export const CTX_SIDE_MARGIN: usize = 68;
export const CTX_CORNER_MARGIN: usize = 72;
/** i16 x 32 per vertex: coordinates along 13 axes in steps, at T0 and at T1 (kernels/deform/dop.ts). */
export const CTX_DOPS: usize = 76;
/**
 * i16 x 32 per triangle that may meet others of its surface: least at T0 and at T1, greatest at T0 and at T1 of its
 * corners along the first eight axes of their DOPs.
 */
export const CTX_TRIANGLE_DOPS: usize = 144;
/** f64 x 3, eight-byte aligned: the origin of motions. */
export const CTX_CENTRE: usize = 80;
export const CTX_GRID: usize = 104;
/**
 * u8 per vertex: bit 0: the triangles around it meet nowhere else during the step; bit 1: nor do their opposite edges
 * come within the thickness of each other, except where they have a common end (PrimitiveCulling).
 */
export const CTX_CLEAR_RINGS: usize = 116;
/** i16 x 16: the margins in steps, in the order of a quantised DOP. */
export const CTX_STEPS: usize = 160;
export const CTX_CLUSTERS: usize = 192;
export const CTX_CLUSTER_COUNT: usize = 196;
/** Written by the owner of the surfaces. */
export const CTX_SURFACE_COUNT: usize = 200;
/** u32 per surface and one more: its first cluster. */
export const CTX_SURFACE_CLUSTERS: usize = 204;
/** A bound per surface. */
export const CTX_SURFACE_BOUNDS: usize = 208;
/** u32: surfaces by their least x. */
export const CTX_SURFACE_ORDER: usize = 212;
/** Written by the owner: u32 per surface and one more: its first vertex; its first triangle. */
export const CTX_VERTEX_BASE: usize = 220;
export const CTX_TRIANGLE_BASE: usize = 248;
/** Written by the owner: u32 per surface, which changes whenever the surface has moved. */
export const CTX_REVISIONS: usize = 224;
/** u8 per vertex: whether its quantised DOP is up to date with its motion. */
export const CTX_FRESH_DOPS: usize = 228;
/**
 * u32 per surface: the number of the sweep that wrote its motion (VertexSweep); and of the sweep that its clusters
 * bound.
 */
export const CTX_SWEEPS: usize = 232;
export const CTX_BOUNDED: usize = 252;
/** Written by the owner: u32 per vertex and per triangle: the caller's number (inner-order.ts). */
export const CTX_VERTEX_OF: usize = 236;
export const CTX_TRIANGLE_OF: usize = 216;
/** Written by the owner: u32 per vertex of the caller: the number of the kernels. */
export const CTX_INNER_OF: usize = 152;
/** A bound for each node above clusters: for each surface by height, four below one, up to one. */
export const CTX_CLUSTER_NODES: usize = 240;
/**
 * For each cluster that may have partners: lo0, lo1, hi0, hi1 of its vertices along x + y, y + z, z + x, then along
 * x − y, y − z, z − x.
 */
export const CTX_CLUSTER_SIDES: usize = 148;
/** u32 per surface: the first of its nodes. */
export const CTX_SURFACE_NODES: usize = 112;
/** Four packs, and a bound for each, of every cluster. */
export const CTX_CLUSTER_PACKS: usize = 124;
export const CTX_CLUSTER_BOUNDS: usize = 128;
/**
 * u32 per cluster and one more: its first partner; u32: clusters of other surfaces that it may meet, each pair once.
 */
export const CTX_PARTNER_STARTS: usize = 132;
export const CTX_PARTNERS: usize = 136;
/** u32: the vertices of each cluster. */
export const CTX_CLUSTER_VERTICES: usize = 244;

// options
/** Triangles with a common vertex are left out. */
export const LEAVE_OUT_NEIGHBOURS: u32 = 1;
export const HAS_THICKNESS: u32 = 2;
/** Steps of quantised DOPs are so large that float32 positions must be compared, too. */
export const COARSE_DOPS: u32 = 4;
/** For a list of pairs: they are of different surfaces that may meet; or only those of one surface count. */
export const OTHERS: u32 = 8;
export const OWN_ONLY: u32 = 16;
// of a vertex in CTX_CLEAR_RINGS
export const CLEAR: u32 = 1;
export const ROOM: u32 = 2;
// of a surface in CTX_SURFACE_FLAGS
export const TESTS_ITSELF: u32 = 1;
export const IS_STATIC: u32 = 2;
export const LEFT_OUT: u32 = 4;
export const IS_LOOSE: u32 = 8;
export const GROUP_SHIFT: u32 = 8;

// a hierarchical grid over a list of triangles; byte offsets
export const GRID_BYTES: usize = 320;
export const GRID_COUNT: usize = 4;
/** u32 per triangle. */
export const GRID_LIST: usize = 8;
export const GRID_PACK_COUNT: usize = 12;
export const GRID_CELL_COUNT: usize = 16;
/** i32: `Ctx.range` when it was filled. */
export const GRID_RANGE: usize = 20;
/** i32: exponent of the finest tier in use. */
export const GRID_FINEST: usize = 24;
export const GRID_TIER_COUNT: usize = 28;
/** Bits of a Morton code; the tier stands above them in a key. */
export const GRID_MORTON_BITS: usize = 32;
export const GRID_TABLE_BITS: usize = 40;
/** f32: the margin that its tiers include. */
export const GRID_MARGIN: usize = 44;
/** u64 per triangle. */
export const GRID_KEYS: usize = 48;
/** u32 per triangle. */
export const GRID_ORDER: usize = 52;
export const GRID_PACKS: usize = 56;
export const GRID_BOUNDS: usize = 60;
export const GRID_CELLS: usize = 64;
/** u32 per slot: a cell, NONE for an empty slot. */
export const GRID_TABLE: usize = 68;
/** u32 per tier and one more: its first cell. */
export const GRID_TIER_STARTS: usize = 128;
/** u32 per tier: how often its cells were joined, eight at a time. */
export const GRID_JOINS: usize = 256;

export const MOTION_BYTES: usize = 32;
export const DOP_BYTES: usize = 64;
/** Four triangles: 12 rows of four f32: lo0 x y z, lo1 x y z, hi0 x y z, hi1 x y z; then their four numbers. */
export const PACK_BYTES: usize = 208;
export const PACK_MEMBERS: usize = 192;
/** f32 x 4 each: lo0, lo1, hi0, hi1. */
export const BOUND_BYTES: usize = 64;
/**
 * A bound, then the words below: first triangle and count, how far it got in the search for partners,
 * the first of its vertices, the numbers of the sweeps of its packs and of its sides.
 */
export const CLUSTER_BYTES: usize = 96;
export const CLUSTER_FIRST: usize = 64;
export const CLUSTER_COUNT: usize = 68;
export const CLUSTER_ACTIVE: usize = 72;
export const CLUSTER_VERTICES: usize = 76;
export const CLUSTER_PACKED: usize = 80;
export const CLUSTER_SIDED: usize = 84;
/** Of CLUSTER_ACTIVE: boxes of others are within reach; so are those along the sides. */
export const IN_REACH: u32 = 1;
export const HAS_PARTNERS: u32 = 2;
export const SIDES_BYTES: usize = 128;
/** Number of nodes below a node. */
export const BRANCHES: u32 = 4;
/** Packs of a cluster. */
export const CLUSTER_PACKS: u32 = 4;
/** Vertices to be swept; then the box around their motions: f32 x 4, least and greatest. */
export const PIECE_BYTES: usize = 48;
export const PIECE_FROM: usize = 0;
export const PIECE_TO: usize = 4;
export const PIECE_BOX: usize = 16;
/** A bound, then the words below. */
export const CELL_BYTES: usize = 96;
export const CELL_KEY: usize = 64;
export const CELL_FIRST_PACK: usize = 72;
export const CELL_PACK_COUNT: usize = 76;
export const CELL_FIRST: usize = 80; // in the sorted order
export const CELL_COUNT: usize = 84;

/** Tiers below the range at which cells are smallest: coordinates have 16 bits with two below the cell. */
export const DEEPEST: i32 = 13;
/** Bit of a key, as written, at which the tier begins. */
export const TIER_SHIFT: u64 = 48;
/** If a tier has fewer triangles per cell than this, its cells are joined, eight at a time. */
export const FILL: u32 = 6;
export const MOST_JOINS: u32 = 2;
export const NONE: u32 = 0xffffffff;
/** Flag on the second triangle of a pair: they have a common vertex; only the edges opposite it are left to test. */
export const COMMON_VERTEX: u32 = 0x80000000;
export const OPPOSITE_ONLY: u32 = 0x40000000;
export const TRIANGLE: u32 = 0x3fffffff;

/** Counters of a task: float64, added to; then u32 with the numbers written by the last call. */
export const TALLY_BYTES: usize = 64;
export const TALLY_CANDIDATES: usize = 0;
export const TALLY_BOX_PAIRS: usize = 8;
export const TALLY_DOP_PAIRS: usize = 16;
export const TALLY_PRIMITIVE_PAIRS: usize = 24;
export const TALLY_ELEMENT_PAIRS: usize = 32;
export const TALLY_TESTED_PAIRS: usize = 40;
export const WRITTEN_PAIRS: usize = 48;
export const WRITTEN_VERTEX_FACES: usize = 52;
export const WRITTEN_EDGE_EDGES: usize = 56;

/** A pair of elements: four vertices. A hit: its pair, its kind, then seven float64 (ccd.ts). */
export const ELEMENT_PAIR_BYTES: usize = 16;
export const HIT_BYTES: usize = 64;
