/** Memory layout of meshes and trees in the arena; src/hierarchy/layout.ts describes trees. */
// host: MeshHeader.* = MESH_* / 4
// host: HierarchyHeader.* = TREE_* / 4
// host: MESH_HEADER_BYTES TREE_HEADER_BYTES BLOCK_BYTES EMPTY LEAF_BIT PENDING_BIT LOW_BITS FAR

// mesh header, byte offsets; the offsets that it stores count from its start
export const MESH_HEADER_BYTES: usize = 128;
export const MESH_MAGIC: usize = 0;
export const MESH_VERSION: usize = 4;
export const MESH_VERTEX_COUNT: usize = 8;
export const MESH_TRIANGLE_COUNT: usize = 12;
export const MESH_POSITIONS: usize = 16;
export const MESH_INDICES: usize = 20;
export const MESH_NAME: usize = 24;
export const MESH_NAME_BYTES: usize = 28;
export const MESH_BYTE_LENGTH: usize = 32;
export const MESH_CHECKSUM: usize = 36;
/** Three float64. */
export const MESH_ORIGIN: usize = 64;
/** Six float32: minimum, maximum, relative to the origin. */
export const MESH_BOX: usize = 88;

// @ts-ignore: decorator
@inline export function positionsOf(mesh: usize): usize { return mesh + load<u32>(mesh, MESH_POSITIONS); }
// @ts-ignore: decorator
@inline export function indicesOf(mesh: usize): usize { return mesh + load<u32>(mesh, MESH_INDICES); }
// @ts-ignore: decorator
@inline export function vertexAt(positions: usize, vertex: u32): usize { return positions + 12 * <usize>vertex; }

// tree header, byte offsets; the offsets that it stores count from its start
export const TREE_HEADER_BYTES: usize = 128;
export const TREE_MAGIC: usize = 0;
export const TREE_VERSION: usize = 4;
export const TREE_KIND: usize = 8;
export const TREE_STRIDE: usize = 12;
export const TREE_BLOCK_COUNT: usize = 16;
export const TREE_TRIANGLE_COUNT: usize = 20;
export const TREE_LEAF_SIZE: usize = 24;
export const TREE_BUILDER: usize = 28;
export const TREE_ORDER: usize = 32;
export const TREE_PENDING: usize = 36;
export const TREE_PENDING_COUNT: usize = 40;
export const TREE_BLOCKS: usize = 44;
export const TREE_BLOCK_CAPACITY: usize = 48;
export const TREE_BYTE_LENGTH: usize = 52;
export const TREE_CHECKSUM: usize = 56;
export const TREE_PENDING_CAPACITY: usize = 60;
/** Three float64. */
export const TREE_CENTRE: usize = 64;
/** float32: the distance from the centre that no vertex used by a triangle exceeds, rounded up. */
export const TREE_RADIUS: usize = 88;

// an obb block: 10 rows of four float32, one row of references
export const ROW: usize = 16;
export const ROW_CENTRE: usize = 0;
export const ROW_HALF: usize = 48;
export const ROW_QUATERNION: usize = 96;
export const ROW_REF: usize = 160;
export const BLOCK_BYTES: usize = 176;

export const EMPTY: u32 = 0xffffffff;
/** Limit for the combined size and the separation of two meshes: float32 cannot square more. */
export const FAR: f64 = 1e18;
/** The least normal float32. A margin that is a share of a quantity rounds to nothing below it, so this is added. */
export const LEAST_NORMAL: f32 = 1.17549435e-38;

export const LEAF_BIT: u32 = 0x80000000;
export const PENDING_BIT: u32 = 0x40000000;
export const LOW_BITS: u32 = 0x0fffffff;

// @ts-ignore: decorator
@inline export function leafRef(start: u32, count: u32): u32 { return LEAF_BIT | ((count - 1) << 28) | start; }
// @ts-ignore: decorator
@inline export function isLeaf(ref: u32): bool { return (ref & LEAF_BIT) != 0; }
// @ts-ignore: decorator
@inline export function leafStart(ref: u32): u32 { return ref & LOW_BITS; }
// @ts-ignore: decorator
@inline export function leafCount(ref: u32): u32 { return ((ref >> 28) & 7) + 1; }
