/**
 * The data that the host lays out, and the part of it being processed.
 *
 * Sweeps access bodies and rows repeatedly, frames and contacts once or twice in a part of a step: so they are stored
 * separately. Rows of two bodies are consecutive, and so are those of an island, and its bodies; scenery has a copy in
 * every island. Of two bodies that a row pushes, a is in the first lane and b in the second: one operation handles
 * both.
 */

// host: BODY SPIN INVERSE_MASS PUSHED INVERSE_INERTIA ANGULAR FRAME TURN MATRIX / 8
// host: ACCELERATION TORQUE INVERSE FREE RADIUS / 8
// host: PAIR / 4
// host: FRICTION RESTITUTION TARGET BALLS / 8
// host: ROW ROW_NORMAL ACROSS IMPULSES MOST CONTACT CONTACT_NORMAL TOTAL CONTACT_CORNER CONTACT_ROUND / 8
/**
 * A body: velocity, spin, 1 / mass, whether it was pushed in this part, I⁻¹ in the world (xx, xy, xz, yy, yz, zz),
 * angular momentum; its kinetic energy at the start of the part, and the work of gravity and forces since.
 */
export const BODY: usize = 144;
export const SPIN: usize = 24;
export const INVERSE_MASS: usize = 48;
export const PUSHED: usize = 56;
export const INVERSE_INERTIA: usize = 64;
export const ANGULAR: usize = 112;
export const ENERGY: usize = 136;

/** The frame of a body: position, quaternion, matrix, acceleration, moment, I⁻¹ at rest. */
export const FRAME: usize = 264;
export const TURN: usize = 24;
export const MATRIX: usize = 56;
export const ACCELERATION: usize = 128;
export const TORQUE: usize = 152;
export const INVERSE: usize = 176;
/** Whether it can be pushed; its greatest extent from its centre. */
export const FREE: usize = 248;
export const RADIUS: usize = 256;

/**
 * Two bodies: their numbers, the first of their rows, the number of rows; friction, restitution, the distance to keep,
 * and whether both are balls.
 */
export const PAIR: usize = 48;
export const FRICTION: usize = 16;
export const RESTITUTION: usize = 24;
export const TARGET: usize = 32;
export const BALLS: usize = 40;

/**
 * A row: the point relative to both centres (lanes); the normal, 1 / K nn; two directions across it (lanes); K, the
 * change of speeds by impulses (nn, ns, nt, ss, st, tt), 1 / (ss tt − st²); the target speed; impulses; the largest
 * push; the last change of impulses, and their search direction; the moment of a unit push about both centres,
 * and the change of spins by it (lanes); impulses that are in the angular momenta; the moments and changes of spins by
 * unit impulses along both directions across, one after the other (lanes).
 */
export const ROW: usize = 592;
export const ROW_NORMAL: usize = 48;
export const MASS: usize = 72;
export const ACROSS: usize = 80;
export const K_NN: usize = 128;
export const K_NS: usize = 136;
export const K_NT: usize = 144;
export const K_SS: usize = 152;
export const K_ST: usize = 160;
export const K_TT: usize = 168;
export const PER_DETERMINANT: usize = 176;
export const BIAS: usize = 184;
export const IMPULSES: usize = 192;
export const MOST: usize = 216;
export const CHANGE: usize = 224;
export const SEARCH: usize = 248;
export const ARM: usize = 272;
export const TWIST: usize = 320;
export const COUNTED: usize = 368;
export const ACROSS_ARM: usize = 392;
export const ACROSS_TWIST: usize = 488;

/**
 * A contact, for each row: points in the frames of the bodies (lanes), the normal in that of a; the remaining gap
 * beyond the distance to keep; the speed of the approach; total impulses; for the rebound, the target speed and the
 * applied push; whose point is a corner, and how far the surfaces are from the points (lanes; contact-set.ts).
 */
export const CONTACT: usize = 152;
export const CONTACT_NORMAL: usize = 48;
export const LEFT: usize = 72;
export const APPROACH: usize = 80;
export const TOTAL: usize = 88;
export const WANTED: usize = 112;
export const EXTRA: usize = 120;
export const CONTACT_CORNER: usize = 128;
export const CONTACT_ROUND: usize = 136;

export let bodies: usize = 0;
export let frames: usize = 0;
export let pairs: usize = 0;
export let rows: usize = 0;
export let contacts: usize = 0;

export function openSystem(b: usize, f: usize, p: usize, r: usize, c: usize): void {
  bodies = b;
  frames = f;
  pairs = p;
  rows = r;
  contacts = c;
}

/** The current island: its bodies and pairs. */
export let firstBody: u32 = 0;
export let endBody: u32 = 0;
export let firstPair: u32 = 0;
export let endPair: u32 = 0;

export function openIsland(body: u32, bodyEnd: u32, pair: u32, pairEnd: u32): void {
  firstBody = body;
  endBody = bodyEnd;
  firstPair = pair;
  endPair = pairEnd;
}

/** Work space for the series of a rotation. */
export let scratch: usize = 0;
export const SCRATCH_BYTES: usize = 2320;

export function setScratch(at: usize): void { scratch = at; }
export function scratchBytes(): usize { return SCRATCH_BYTES; }
