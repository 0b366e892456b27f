/**
 * The blocks in the arena through which stages and kernels see all surfaces at once.
 *
 * Layout: u32 words below unless another type is given; addresses are byte offsets in the arena. Vertices and triangles
 * of all surfaces are numbered through, those of static surfaces first, so that ranges [static, all) are what moves.
 * The owner of the surfaces writes the words up to `rings` and those of surfaces, and leaves the rest 0; the stages
 * write the rest.
 */
export const CTX_WORDS = 64;

export const Ctx = {
  vertexCount: 0,
  staticVertexCount: 1,
  triangleCount: 2,
  staticTriangleCount: 3,
  /** f64 x, y, z of every vertex at T0 and at T1 (the same address where nothing moves). */
  start: 4,
  end: 5,
  /** u32: three vertices of every triangle. */
  corners: 6,
  /** u8 per triangle: bit i: it owns its corner i; bit 3 + i: it owns the edge from corner i to i + 1. */
  owned: 7,
  /** u32 per triangle: its surface, as a place in `surfaceFlags`. */
  surfaceOf: 8,
  /**
   * u32 per surface: bit 0: tests itself; bit 1: stands still, as far as the query goes; bit 2: has no part in it; bits
   * 8..31: its group, 0 for none.
   */
  surfaceFlags: 9,
  /** Triangles around vertex v: rings[ringStart[v] .. ringStart[v + 1]). */
  ringStart: 10,
  rings: 11,
  /** u8 per vertex: 1 where the triangles around it form a closed fan (PrimitiveCulling). */
  fans: 12,
  /** u32, in the places of `rings`: the neighbours of a vertex with a closed fan, in the order of the fan. */
  fanVertices: 35,
  /** f32 x 8 per vertex: x, y, z about the centre at T0, 0, the same at T1, 0 (VertexSweep). */
  motions: 13,
  /** The bits below. */
  options: 14,
  /** i32: all coordinates about the centre are below 2^range. */
  range: 15,
  /** f32: how far apart two things must be along an axis of length 1, √2, √3 to be out of reach of each other. */
  boxMargin: 16,
  sideMargin: 17,
  cornerMargin: 18,
  /** i16 x 32 per vertex: coordinates along 13 axes in steps, at T0 and at T1 (kernels/deform/dop.ts). */
  dops: 19,
  /**
   * i16 x 32 per triangle that may meet others of its surface: least at T0 and at T1, greatest at T0 and at T1 of its
   * corners along the first eight axes of their DOPs.
   */
  triangleDops: 36,
  /** f64 x 3, eight-byte aligned: what motions are relative to. */
  centre: 20,
  movingGrid: 26,
  /** 0 until filled. */
  staticGrid: 27,
  /** Changes when centre or range do. */
  frame: 30,
  /**
   * u8 per vertex: bit 0: the triangles around it meet nowhere else during the step; bit 1: nor do their opposite edges
   * come within the thickness of each other, but where they have a common end (PrimitiveCulling).
   */
  clearRings: 29,
  /** i16 x 16: the margins in steps, in the order of a quantised DOP. */
  steps: 40,
  clusters: 48,
  clusterCount: 49,
  /** Of the owner of the surfaces. */
  surfaceCount: 50,
  /** u32 per surface and one more: its first cluster. */
  surfaceClusters: 51,
  /** A bound per surface. */
  surfaceBounds: 52,
  /** u32: surfaces by their least x. */
  surfaceOrder: 53,
  /** Of the owner: u32 per surface and one more: its first vertex; its first triangle. */
  vertexBase: 55,
  triangleBase: 62,
  /** Of the owner: u32 per surface, another one whenever it has moved. */
  revisions: 56,
  /** u8 per vertex: whether its quantised DOP is that of its motion. */
  freshDops: 57,
  /** u32 per surface: the number of the sweep that wrote its motion (VertexSweep); of that which its clusters bound. */
  sweeps: 58,
  bounded: 63,
  /** u32: the triangles of each surface, in an order in which neighbours lie near each other. */
  clusterOrder: 59,
  /** A bound for each node above clusters: of each surface level after level, four below one, up to one. */
  clusterNodes: 60,
  /** u32 per surface: the first of its nodes. */
  surfaceNodes: 28,
  /** Four packs, and a bound for each, of every cluster. */
  clusterPacks: 31,
  clusterBounds: 32,
  /**
   * u32 per cluster and one more: its first partner; u32: clusters of other surfaces that it may meet, each pair once.
   */
  partnerStarts: 33,
  partners: 34,
  /** u32: the vertices of each cluster. */
  clusterVertices: 61,
} as const;

/** Options: triangles with a common vertex are left out. */
export const LEAVE_OUT_NEIGHBOURS = 1;
export const HAS_THICKNESS = 2;
/** Steps of quantised DOPs are so large that float32 positions have to be compared too. */
export const COARSE_DOPS = 4;
export const ONE_SURFACE = 8;
/** Pairs of different surfaces come from clusters, not from the grid. */
export const CLUSTERED = 16;

/** A hierarchical grid over triangles [first, first + count), or over a list of them. */
export const GRID_WORDS = 80;

export const GridWord = {
  first: 0,
  count: 1,
  /** u32 per triangle; 0: all of them. */
  list: 2,
  packCount: 3,
  cellCount: 4,
  /** i32: `Ctx.range` of when it was filled. */
  range: 5,
  /** i32: exponent of the finest level in use. */
  finest: 6,
  levelCount: 7,
  /** Bits of a Morton code; the level stands above them in a key. */
  mortonBits: 8,
  tableBits: 10,
  /** f32: the margin that its levels allow for. */
  margin: 11,
  /** u64 per triangle. */
  keys: 12,
  /** u32 per triangle. */
  order: 13,
  packs: 14,
  bounds: 15,
  cells: 16,
  /** u32 per slot: a cell, NONE for an empty slot. */
  table: 17,
  /** `Ctx.frame` of when it was filled. */
  frame: 18,
  /** u32 per level and one more: its first cell. */
  levelStarts: 32,
  /** u32 per level: how often its cells were joined, eight at once. */
  joins: 64,
} as const;

export const MOTION_BYTES = 32;
export const DOP_BYTES = 64;
/** Four triangles: 12 rows of four f32: lo0 x y z, lo1 x y z, hi0 x y z, hi1 x y z; then their four numbers. */
export const PACK_BYTES = 208;
/** f32 x 4 each: lo0, lo1, hi0, hi1. */
export const BOUND_BYTES = 64;
/**
 * A bound, then the words below: first and count in `clusterOrder`, whether it has partners, the first vertex in
 * `clusterVertices`, the number of the sweep that its packs show.
 */
export const CLUSTER_BYTES = 96;
export const ClusterWord = { first: 16, count: 17, active: 18, vertices: 19, packed: 20 } as const;
export const BRANCHES = 4;
export const CLUSTER_PACKS = 4;
/** Vertices to be swept; then the box around their motions: f32 x 4, least and greatest. */
export const PIECE_BYTES = 48;
export const PieceWord = { from: 0, to: 1, box: 4 } as const;
/** A bound, then the words below. */
export const CELL_BYTES = 96;
export const CellWord = { key: 16, firstPack: 18, packCount: 19, first: 20, count: 21 } as const;

/** Levels below `range` at which cells are as small as they get. */
export const DEEPEST = 13;
/** Bit of a key, as written, at which the level begins. */
export const LEVEL_SHIFT = 48;
export const NONE = 0xffffffff;
/** On the second triangle of a pair: they have a common vertex; only the edges opposite it are left to test. */
export const COMMON_VERTEX = 0x80000000;
export const OPPOSITE_ONLY = 0x40000000;
export const TRIANGLE = 0x3fffffff;

/** What a task counts: f64 entries, added to; then u32 entries that say what the last call wrote. */
export const TALLY_BYTES = 64;
export const Tally = {
  candidates: 0,
  boxPairs: 1,
  dopPairs: 2,
  primitivePairs: 3,
  elementPairs: 4,
  testedPairs: 5,
} as const;
export const TallyWord = { pairs: 12, vertexFaces: 13, edgeEdges: 14 } as const;
