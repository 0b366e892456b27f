/** Where things lie in the arena, in bytes; the same numbers as kernels/gpu/layout.ts (a test compares them). */

/** An object: a tree over its triangles, and where it is. */
export const ObjectField = {
  mesh: 0,
  count: 4,
  height: 8,
  slot: 12,
  order: 16,
  margin: 20,
  corners: 28,
  levels: 32,
  matrix: 96,
  pose: 144,
} as const;
export const OBJECT_BYTES = 256;
export const GROUP_BYTES = 96;
export const CORNER_BYTES = 144;

/** A search for pairs. */
export const SearchField = {
  objects: 0,
  tasks: 4,
  meeting: 8,
  doubtful: 12,
  capacity: 16,
  meetingCount: 20,
  doubtfulCount: 24,
  candidates: 28,
  undecided: 32,
} as const;
export const SEARCH_BYTES = 64;
export const TASK_BYTES = 16;
export const LEVEL_SHIFT = 27;

/** Groups on each level of a tree over `count` things, from the lowest up: the top one has one group of one lane. */
export function groupsPerLevel(count: number): number[] {
  const groups = [Math.ceil(count / 4)];
  for (let lanes = groups[0]; ; lanes = Math.ceil(lanes / 4)) {
    groups.push(Math.ceil(lanes / 4));
    if (lanes === 1) return groups;
  }
}
