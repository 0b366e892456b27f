/**
 * The search for the deepest point may be restricted to some triangles: those whose mark equals P_LABEL, in parts that
 * have marks. See deepest.ts.
 *
 * Layout: one word per triangle; in a part without marks, all triangles take part.
 */
import { BLOCK_BYTES, EMPTY, LOW_BITS, PENDING_BIT, ROW_REF, TREE_BLOCKS, TREE_ORDER, TREE_PENDING, isLeaf, leafCount, leafStart } from '../layout';
import { P_LABEL } from './point-context';
import { POINT_STACK, scratch } from './scratch';
import { partMarks, partTree } from './walk';

/** Whether a triangle takes part in the search. */
// @ts-ignore: decorator
@inline export function isMarked(query: usize, side: usize, part: u32, triangle: u32): bool {
  const marks = partMarks(query, side, part);
  return !marks || load<u32>(marks + 4 * <usize>triangle) == load<u32>(query, P_LABEL);
}

/** Whether any triangle below a lane takes part; the walk ends at the first one. */
export function hasMarked(query: usize, side: usize, part: u32, slot: u32): bool {
  const marks = partMarks(query, side, part);
  if (!marks) return true;
  const label = load<u32>(query, P_LABEL);
  const tree = partTree(query, side, part);
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  const order = tree + load<u32>(tree, TREE_ORDER);
  // each step pops one entry and pushes at most four, one step deeper: bounded like the stacks of walk.ts
  const stack = scratch + POINT_STACK;
  let top = stack + 4;
  store<u32>(stack, slot);
  while (top > stack) {
    top -= 4;
    const ref = load<u32>(blocks + load<u32>(top), ROW_REF);
    if (ref == EMPTY) continue;
    if (!isLeaf(ref) && !(ref & PENDING_BIT)) {
      for (let lane: u32 = 0; lane < 16; lane += 4, top += 4) store<u32>(top, <u32>BLOCK_BYTES * ref + lane);
      continue;
    }
    let start: u32 = 0, count: u32 = 0;
    if (isLeaf(ref)) { start = leafStart(ref); count = leafCount(ref); } else {
      const pending = tree + load<u32>(tree, TREE_PENDING) + 8 * <usize>(ref & LOW_BITS);
      start = load<u32>(pending);
      count = load<u32>(pending, 4);
    }
    for (let i = start; i < start + count; i++) {
      if (load<u32>(marks + 4 * <usize>load<u32>(order + 4 * <usize>i)) == label) return true;
    }
  }
  return false;
}
