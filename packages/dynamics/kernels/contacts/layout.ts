/**
 * Memory layout of shapes and pairs in the arena.
 *
 * A shape is a header and tables, each given by its address (see contact-shape.ts); its leaves are records (leaves.ts).
 * A pair is a record with the addresses of its near leaves and contacts. An entry of near leaves is the addresses of a
 * leaf of a and one of b, and a float32 lower bound of their distance, 12 bytes. A contact is 15 float64: point of a,
 * point of b, normal, gap, whose point is a corner (contact-set.ts), id; then two numbers and a mark for the reduction,
 * and the leaf that it was found in.
 */
// host: S.* = S_*
// host: P.* = P_*
// host: I.* = I_*
// host: Status.* = KEPT RENEWED NEEDS_ROOM TOO_FAR FREE OPEN
// host: POINT_A POINT_B NORMAL GAP CORNER / 8
// host: MOST_HULL_VERTICES MOST_HULL_TRIANGLES
// host: CONE_BYTES SHAPE_BYTES LEAF_BYTES PAIR_BYTES POSE_BYTES PACE_BYTES ITEM_BYTES ENTRY_BYTES
// host: CONTACT_BYTES CONTACT_ID CONTACT_ORDER

// shape, byte offsets
export const S_TREE: usize = 0;
/** As S_OWNED, but for each triangle alone: all its vertices, and its convex edges. */
export const S_WHOLE: usize = 4;
export const S_CLOSED: usize = 8;
export const S_VERTICES: usize = 12;
export const S_CORNERS: usize = 16;
export const S_OWNED: usize = 20;
export const S_PLANES: usize = 24;
export const S_SIDES: usize = 28;
export const S_FACET: usize = 32;
export const S_EDGE_OF: usize = 36;
export const S_EDGE_ENDS: usize = 40;
export const S_EDGE_INWARD: usize = 44;
export const S_SPOKE_START: usize = 48;
export const S_SPOKES: usize = 52;
/** float64: the largest distance of a point from the centre; then the centre in the mesh's coordinates. */
export const S_RADIUS: usize = 56;
export const S_CENTRE: usize = 64;
/** float64: the middle of a box around it, relative to the centre, and half of its sides. */
export const S_BOX: usize = 96;
/** float64: the largest distance of a corner from the plane of its facet. */
export const S_FLATNESS: usize = 144;
/**
 * Of a convex shape, otherwise 0: its vertices in the mesh's coordinates, rows of float32; the length of a row, and the
 * number of triangles; no more than the lists of ../convex/contacts.ts hold.
 */
export const S_HULL: usize = 92;
export const S_HULL_STRIDE: usize = 152;
export const S_HULL_TRIANGLES: usize = 156;
export const MOST_HULL_VERTICES: usize = 512;
export const MOST_HULL_TRIANGLES: usize = 1024;
/** Cones of the directions in which edges can touch (edge-cones.ts). */
export const S_EDGE_CONE: usize = 160;
export const SHAPE_BYTES: usize = 168;
/** Of the cone of an edge. */
export const CONE_BYTES: usize = 20;
/** Addresses of leaves, by the position of their first triangle in the order of the tree. */
export const S_LEAF_OF: usize = 88;

// leaf, byte offsets: four triangles in rows of float32, about the middle; normals, and the interval of each along its
// own
export const L_ROWS: usize = 0;
export const L_NORMAL: usize = 144;
export const L_LOW: usize = 192;
export const L_HIGH: usize = 208;
/** Triangle numbers. */
export const L_TRIANGLES: usize = 224;
/** float64: the middle relative to the centre of the shape, and a radius about it. */
export const L_CENTRE: usize = 240;
export const L_RADIUS: usize = 264;
export const L_COUNT: usize = 272;
/** float32: the largest absolute coordinate in the rows. */
export const L_SIZE: usize = 276;
/** Bit i: triangle i owns a vertex or an edge. */
export const L_OWNERS: usize = 280;
/** Where its box is in the tree. */
export const L_SLOT: usize = 284;
/** Boxes: least x, y, z, greatest; rows of float32. */
export const L_BOX: usize = 288;
export const LEAF_BYTES: usize = 384;

// pair, byte offsets
export const P_SHAPE_A: usize = 0;
export const P_SHAPE_B: usize = 4;
/** Near leaves: address, capacity, count. */
export const P_LIST: usize = 8;
export const P_LIST_ROOM: usize = 12;
export const P_LIST_COUNT: usize = 16;
/** Contacts: address, capacity, number found, number kept. */
export const P_CONTACTS: usize = 20;
export const P_CONTACT_ROOM: usize = 24;
export const P_FOUND: usize = 28;
export const P_KEPT: usize = 32;
/** Number of times the list was narrowed; see near-leaves.ts. */
export const P_NARROWED: usize = 36;
/** Status of the last query. */
export const P_STATUS: usize = 40;
/** 1 if so many leaves are near that none are listed (moving-leaves.ts). */
export const P_HEAVY: usize = 44;
/**
 * float64: all leaves within this distance are listed, with b at P_LIST_POSE; then a lower bound of the distance of any
 * two.
 */
export const P_LIST_REACH: usize = 48;
export const P_LIST_LEAST: usize = 56;
/** float64: all contacts within this distance were found, with b at P_FOUND_POSE; 0 if nothing is known. */
export const P_REACH: usize = 64;
/** float64: a lower bound of the surfaces' distance then; and now, at P_POSE. */
export const P_AT_LEAST: usize = 72;
export const P_APART: usize = 80;
/** Twelve float64 each: rotation, row by row, and translation, from b's frame to a's. */
export const P_POSE: usize = 88;
export const P_LIST_POSE: usize = 184;
export const P_FOUND_POSE: usize = 280;
/** float64: how far the surfaces of both are from their triangles; all distances here are those of triangles. */
export const P_ROUND: usize = 376;
/** Of convex shapes: the corners that were nearest last time, as ../hulls/hull.ts has them. */
export const P_SIMPLEX: usize = 384;
export const SIMPLEX_BYTES: usize = 20;
export const PAIR_BYTES: usize = 408;

export const POSE_BYTES: usize = 96;
/** Velocity and spin in the world, six float64. */
export const PACE_BYTES: usize = 48;

// an item of a batch: pair, bodies, and its parameters
export const I_PAIR: usize = 0;
export const I_BODY_A: usize = 4;
export const I_BODY_B: usize = 8;
/** 1 if the contacts beside those that the pair has are enough. */
export const I_FOLLOW: usize = 12;
/** float64: the distance within which contacts are required; or the distance to be kept. */
export const I_ASKED: usize = 16;
/** float64: the additional distance searched. */
export const I_BEYOND: usize = 24;
export const ITEM_BYTES: usize = 32;

// an entry of near leaves
export const ENTRY_BYTES: usize = 12;

// a contact
export const POINT_A: usize = 0;
export const POINT_B: usize = 24;
export const NORMAL: usize = 48;
export const GAP: usize = 72;
export const CORNER: usize = 80;
export const CONTACT_ID: usize = 88;
export const ACROSS: usize = 96;
/** Low word: position in the selection; high word: the next contact of its lot. */
export const CONTACT_ORDER: usize = 112;
export const TAKEN: usize = 116;
/** The leaf of a, if the corner is one of a's, else that of b: bytes from the first one of its shape. */
export const CONTACT_LEAF: usize = 120;
export const CONTACT_BYTES: usize = 128;

/** Status of a query: nothing changed; there are new contacts; more room is needed; too far for float32 to square. */
export const KEPT: i32 = 0;
export const RENEWED: i32 = 1;
export const NEEDS_ROOM: i32 = 2;
export const TOO_FAR: i32 = 3;
/** Status of a motion: free, or not known to be. */
export const FREE: i32 = 0;
export const OPEN: i32 = 1;
