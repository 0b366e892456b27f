/**
 * Work space of one instance: that of the walks over trees, a query of theirs, its stack, triangles and poses (see
 * guard.ts), a leaf (see leaves.ts), a question about two hulls and its simplex (see ../convex/nearest.ts), near
 * features of both shapes (see ../convex/contacts.ts), motions (see moving-leaves.ts), and leaves (see
 * pair-contacts.ts).
 */
import { PAIR_BYTES as QUESTION_BYTES } from '../hulls/hull';
import { POLYTOPE as SIMPLEX_END, setScratch as setHullScratch } from '../hulls/scratch';
import { SCRATCH_BYTES, setScratch as setWalkScratch } from '../../../impinge/kernels/scratch';

export let query: usize = 0;
export let stack: usize = 0;
export let triangles: usize = 0;
export let turned: usize = 0;
export let question: usize = 0;
export let sides: usize = 0;
export let motions: usize = 0;
export let marks: usize = 0;

const QUERY_BYTES: usize = 320;
// 3 · (72 + 72) + 16 entries of 12 bytes suffice, as in ../pairs.ts
const STACK_BYTES: usize = 512 * 12;
const TRIANGLE_BYTES: usize = 6 * 72 + 2 * 96;
const TURNED_BYTES: usize = 336;
export const SIDE_BYTES: usize = 53_296;
const MOTION_BYTES: usize = 4 * 48 + 3 * 96;
export const MARK_BYTES: usize = 2048;

export function setScratch(at: usize): void {
  setWalkScratch(at);
  query = at + SCRATCH_BYTES;
  stack = query + QUERY_BYTES;
  triangles = stack + STACK_BYTES;
  turned = triangles + TRIANGLE_BYTES;
  question = turned + TURNED_BYTES;
  setHullScratch(question + QUESTION_BYTES);
  sides = question + QUESTION_BYTES + SIMPLEX_END;
  motions = sides + 2 * SIDE_BYTES;
  marks = motions + MOTION_BYTES;
}
export function scratchBytes(): usize {
  return SCRATCH_BYTES + QUERY_BYTES + STACK_BYTES + TRIANGLE_BYTES + TURNED_BYTES + QUESTION_BYTES + SIMPLEX_END + 2 * SIDE_BYTES + MOTION_BYTES + MARK_BYTES;
}
