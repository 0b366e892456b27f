/**
 * The block in the arena through which stages and kernels see all surfaces at once.
 *
 * Layout: u32 words below; addresses are byte offsets in the arena. Vertices and triangles of all surfaces are
 * numbered through, those of static surfaces first, so that ranges [static, all) are what moves.
 */
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
  /** u32 per surface: bit 0: tests itself; bit 1: static; bits 8..31: its group, 0 for none. */
  surfaceFlags: 9,
  /** Triangles around vertex v: rings[ringStart[v] .. ringStart[v + 1]). */
  ringStart: 10,
  rings: 11,
  /** u8 per vertex: bit 0: its ring is one closed fan of consistently oriented triangles. */
  vertexFlags: 12,
  /** f32 x 32 per vertex: 26-DOP of its motion. */
  vertexDops: 13,
} as const;
