/**
 * Where shapes, pairs and batches lie in the arena, in bytes; the same numbers as kernels/contacts/layout.ts (a test
 * compares them).
 */

/** Of a shape. */
export const S = {
  tree: 0,
  whole: 4,
  closed: 8,
  vertices: 12,
  corners: 16,
  owned: 20,
  planes: 24,
  sides: 28,
  facet: 32,
  edgeOf: 36,
  edgeEnds: 40,
  edgeInward: 44,
  spokeStart: 48,
  spokes: 52,
  radius: 56,
  centre: 64,
  leafOf: 88,
  box: 96,
  flatness: 144,
} as const;
export const SHAPE_BYTES = 152;
export const LEAF_BYTES = 384;

/** Of a pair. */
export const P = {
  shapeA: 0,
  shapeB: 4,
  list: 8,
  listRoom: 12,
  listCount: 16,
  contacts: 20,
  contactRoom: 24,
  found: 28,
  kept: 32,
  narrowed: 36,
  status: 40,
  listReach: 48,
  listLeast: 56,
  reach: 64,
  atLeast: 72,
  apart: 80,
  pose: 88,
  listPose: 184,
  foundPose: 280,
} as const;
export const PAIR_BYTES = 384;
export const POSE_BYTES = 96;
export const PACE_BYTES = 48;

/** Of an item of a batch. */
export const I = { pair: 0, bodyA: 4, bodyB: 8, asked: 16, beyond: 24 } as const;
export const ITEM_BYTES = 32;

export const ENTRY_BYTES = 12;
/** Of a contact: the numbers of contact-set.ts, then its id; and its place in the selection. */
export const CONTACT_ID = 88;
export const CONTACT_ORDER = 112;
export const CONTACT_BYTES = 120;

/** What came of a question about contacts, or about a motion. */
export const Status = { kept: 0, renewed: 1, needsRoom: 2, tooFar: 3, free: 0, open: 1 } as const;
