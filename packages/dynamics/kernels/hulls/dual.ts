/**
 * A dual hierarchy as the kernels read it; written by src/contact-pairs/dual-block.ts.
 *
 * Layout: the number of nodes, then from NODES on a record for each, the root last, the children of a node consecutive;
 * then the hulls' vertices and the boxes.
 */
// host: N.* = N_*
// host: NODES NODE_BYTES
const NODES: usize = 64;
const NODE_BYTES: usize = 64;

/** Fields of a node. A ball around its hull: centre and radius, float32. */
export const N_BALL: usize = 0;
/** Byte offset of its hull's vertices in the block, their number rounded up. */
export const N_HULL: usize = 16;
export const N_STRIDE: usize = 20;
export const N_FIRST_CHILD: usize = 24;
export const N_CHILDREN: usize = 28;
/** Upper bound of the distance of the hulls below from this one. */
export const N_APART: usize = 32;
/** The volume that its contact level leaves out: deviation / resolution². */
export const N_VOLUME: usize = 40;
/** The area of a contact with it. */
export const N_AREA: usize = 48;

/**
 * Byte offset of a box around the originals below it (see boxes-apart.ts), and how far these may stick out (float32).
 */
export const N_BOX: usize = 56;
export const N_BOX_OUT: usize = 60;

export function nodeAt(dual: usize, node: u32): usize { return dual + NODES + <usize>node * NODE_BYTES; }
export function rootOf(dual: usize): u32 { return load<u32>(dual) - 1; }
