/**
 * Memory layout of a group while it is simplified: a header of words, most of them addresses, and arrays.
 *
 * Vertices 0 … finest are those of the finest mesh; a collapse that finds a better position appends a new one. Triangle
 * t is the same triangle at every step, with other corners; DEATH is the step at which it vanished.
 */
// host: G.* = G_*
// host: G_HEADER_BYTES QUADRIC_BYTES ALIVE NONE LINKS_PER_TRIANGLE
/** Two headers that look like those of meshes to kernels that read MESH_POSITIONS and MESH_INDICES. */
export const G_FINE_MESH: usize = 0; // 32 bytes
export const G_COARSE_MESH: usize = 32; // 32 bytes
export const G_TRIANGLES: usize = 64;
export const G_VERTICES: usize = 68; // so far, including dead ones
export const G_ALIVE: usize = 72; // triangles
export const G_STEPS: usize = 76; // collapses so far
export const G_POSITIONS: usize = 80;
export const G_FINE: usize = 84; // three vertices per triangle, initially
export const G_COARSE: usize = 88; // the same now; for dead triangles, when they vanished
export const G_DEATH: usize = 92;
export const G_PARENT: usize = 96; // per vertex: the vertex it was collapsed into, or itself
export const G_FLAGS: usize = 100; // per vertex, a byte
export const G_QUADRICS: usize = 104; // per vertex, eleven float64
export const G_HEAD: usize = 108; // per vertex: its first corner
export const G_NEXT: usize = 112; // per corner: the next of the same vertex
export const G_COST: usize = 116; // per vertex, float64: cost of its best collapse
export const G_PARTNER: usize = 120; // per vertex: the partner of that collapse
export const G_HEAP: usize = 124; // vertices by cost
export const G_PLACE: usize = 128; // per vertex: position in the heap
export const G_HEAP_COUNT: usize = 132;
export const G_MARKS: usize = 136; // per vertex, a word
export const G_MARK: usize = 140; // the last mark given
export const G_FINE_NEAR: usize = 144; // per corner: the triangle beyond the edge that starts there
export const G_COARSE_NEAR: usize = 152;
export const G_FINE_OUT: usize = 160; // per triangle, float32: bound of the distance of the originals assigned to it
export const G_FINE_IN: usize = 164; // per triangle, float32: bound of its distance from the originals
export const G_COARSE_OUT: usize = 168;
export const G_COARSE_IN: usize = 172;
export const G_BLUR: usize = 184; // float64: bound of the rounding of coordinates
export const G_CENTRE: usize = 192; // three float64: the origin of coordinates
export const G_LIST: usize = 216; // triangles that are alive, in order
export const G_COARSE_BOXES: usize = 220; // boxes over them (see boxes.ts)
export const G_FINE_LIST: usize = 224; // the same for the finest mesh
export const G_FINE_BOXES: usize = 228;
export const G_FINE_COUNT: usize = 232;
export const G_GONE: usize = 236; // per vertex: the step at which it vanished, or ALIVE
export const G_SEEN: usize = 240; // per triangle: the last walk that reached it (see whole.ts)
export const G_SEEN_LAST: usize = 244; // walks so far
export const G_FIRST: usize = 248; // per vertex: the first vertex of the finest mesh that was collapsed into it
export const G_LAST: usize = 252; // the last one
export const G_FOLLOWING: usize = 256; // per vertex of the finest mesh: the next one of the same list
export const G_LINKS: usize = 260; // pairs: a triangle of the finest mesh that stands on a present one (see assigned.ts)
export const G_LINKS_LAST: usize = 264; // per present triangle: the last one that was paired with it
export const G_LINKS_COUNT: usize = 268; // NONE: not known
// the mesh that the finest one was simplified from, if it is known; its vertices follow all others
export const G_FINER_MESH: usize = 272; // 32 bytes
export const G_FINER_TRIANGLES: usize = 304; // 0: not known
export const G_FINER: usize = 308;
export const G_FINER_VERTICES: usize = 312; // the first, and their number
export const G_FINER_VERTEX_COUNT: usize = 316;
export const G_FINER_OUT: usize = 320;
export const G_FINER_IN: usize = 324;
export const G_FINER_STARTS: usize = 328; // per triangle of the finest mesh, and one: where its part of the list begins
export const G_FINER_OF: usize = 332; // the triangles that stand on each triangle of the finest mesh
export const G_FINER_HEAD: usize = 336;
export const G_FINER_NEXT: usize = 340;
export const G_FINER_DEATH: usize = 344; // 0: without three corners
export const G_FINER_NEAR: usize = 348;
export const G_FINER_LIST: usize = 352;
export const G_FINER_COUNT: usize = 356;
export const G_FINER_BOXES: usize = 360;
export const G_FINER_TABLE: usize = 364; // its vertices by place
export const G_FINER_TABLE_SIZE: usize = 368; // a power of two
export const G_HEADER_BYTES: usize = 384;
/** Room for pairs. */
export const LINKS_PER_TRIANGLE: u32 = 4;

export const NONE: u32 = 0xffffffff;
export const ALIVE: u32 = 0xffffffff;

export const LOCKED: u32 = 1;
export const DEAD: u32 = 2;
export const SURE: u32 = 4; // the cost in the heap is the final cost of the collapse

export const QUADRIC_BYTES: usize = 88;
