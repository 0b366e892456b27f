/**
 * The cells of the search for the deepest point: the data of a cell, the list of cells waiting to be evaluated, and the
 * heap of the cells that are kept, the largest bound first. See deepest.ts.
 *
 * Layout: see C_…; an entry of the heap is (bound float64, cell). Waiting cells are copied when they are kept. Divided
 * cells are free: their first word is the number of the next free cell plus one (0: none); P_FREE is the head of this
 * list.
 */
import { BLOCK_BYTES, EMPTY, ROW_REF, TREE_BLOCKS } from '../layout';
import { DONE } from '../context';
import { MANY } from './polygon';
import { P_AT_LEAST, P_CELLS, P_CELL_COUNT, P_DEPTH, P_EVALUATIONS, P_FLOOR, P_FREE, P_GOOD_ENOUGH, P_HEAP, P_HEAP_COUNT, P_OFFSET, P_PRUNED, P_RESOLUTION, P_WORK, P_WORK_COUNT } from './point-context';
import { UNKNOWN } from './point-side';
import { partTree } from './walk';

// host: CELL_BYTES HEAP_ENTRY_BYTES
export const CELL_BYTES: usize = 328;
export const C_KIND: usize = 0; // the cell's surface (0 or 1), and the flags below
export const C_PART: usize = 4;
export const C_SLOT: usize = 8; // of a lane: offset in the tree's blocks; of a polygon: its triangle, and once moved the closest of its own surface
export const C_CORNER_COUNT: usize = 12;
export const C_SEED_PART: usize = 16; // the triangle of the other surface that was closest
export const C_SEED: usize = 20;
export const C_KNOWN: usize = 24; // side, INSIDE or OUTSIDE, of all points within a distance of a point; or UNKNOWN
export const C_CROSSER_COUNT: usize = 28; // triangles of the other surface that may cross it, if all are known
export const C_KNOWN_AT: usize = 32;
export const C_KNOWN_WITHIN: usize = 56;
export const C_MATE_PART: usize = 64; // another triangle that was closest somewhere, if possible on the far side
export const C_MATE: usize = 68;
export const C_CROSSERS: usize = 72;
export const C_CORNERS: usize = 104; // corners of a polygon; of a lane, its middle and half axes
export const C_CUT: usize = 296; // the plane that divides a polygon: normal and offset; if the normal is zero, see deepest-divide.ts

export const SURFACE: u32 = 1;
export const POLYGONAL: u32 = 2;
export const WHOLLY_INSIDE: u32 = 4;

const HEAP_ENTRY_BYTES: usize = 16;
/** Larger than any bound. */
const LAST_FIRST: f64 = 1e100;

// @ts-ignore: decorator
@inline export function max3(a: f64, b: f64, c: f64): f64 { const d = a > b ? a : b; return c > d ? c : d; }

/** Cells whose bound is no larger are discarded. */
// @ts-ignore: decorator
@inline export function threshold(query: usize): f64 {
  const depth = load<f64>(query, P_DEPTH), atLeast = load<f64>(query, P_AT_LEAST), floor = load<f64>(query, P_FLOOR);
  // up to P_AT_LEAST, the depth of a point says nothing about whether another is deeper
  if (depth > atLeast) return max3(load<f64>(query, P_GOOD_ENOUGH) * depth, depth + load<f64>(query, P_RESOLUTION), floor);
  return floor > atLeast ? floor : atLeast;
}

// @ts-ignore: decorator
@inline export function putAside(query: usize, bound: f64): i32 {
  if (bound > load<f64>(query, P_PRUNED)) store<f64>(query, bound, P_PRUNED);
  return DONE;
}

/** Keeps a cell. If any point will do, not only the deepest, the last cell comes first. */
export function push(query: usize, cell: usize, most: f64): i32 {
  const bound = load<f64>(query, P_OFFSET) == 0 ? most : LAST_FIRST * <f64>(1 + load<u32>(query, P_EVALUATIONS));
  const cells: usize = load<u32>(query, P_CELLS);
  let index = load<u32>(query, P_FREE);
  if (index > 0) store<u32>(query, load<u32>(cells + CELL_BYTES * <usize>--index), P_FREE);
  else {
    index = load<u32>(query, P_CELL_COUNT);
    store<u32>(query, index + 1, P_CELL_COUNT);
  }
  memory.copy(cells + CELL_BYTES * <usize>index, cell, CELL_BYTES);
  const heap: usize = load<u32>(query, P_HEAP);
  let i = load<u32>(query, P_HEAP_COUNT);
  store<u32>(query, i + 1, P_HEAP_COUNT);
  while (i > 0) {
    const parent = (i - 1) >> 1;
    const from = heap + HEAP_ENTRY_BYTES * <usize>parent;
    if (load<f64>(from) >= bound) break;
    move(from, heap + HEAP_ENTRY_BYTES * <usize>i);
    i = parent;
  }
  store<f64>(heap + HEAP_ENTRY_BYTES * <usize>i, bound);
  store<u32>(heap + HEAP_ENTRY_BYTES * <usize>i, index, 8);
  return DONE;
}

// @ts-ignore: decorator
@inline export function cellAt(query: usize, entry: u32): usize {
  return <usize>load<u32>(query, P_CELLS) + CELL_BYTES * <usize>load<u32>(<usize>load<u32>(query, P_HEAP) + HEAP_ENTRY_BYTES * <usize>entry, 8);
}

/** Removes the first or the last entry from the heap and frees its cell. */
export function takeOut(query: usize, entry: u32): void {
  const heap: usize = load<u32>(query, P_HEAP);
  const end = load<u32>(query, P_HEAP_COUNT) - 1;
  const index = load<u32>(heap + HEAP_ENTRY_BYTES * <usize>entry, 8);
  store<u32>(<usize>load<u32>(query, P_CELLS) + CELL_BYTES * <usize>index, load<u32>(query, P_FREE));
  store<u32>(query, index + 1, P_FREE);
  store<u32>(query, end, P_HEAP_COUNT);
  if (entry < end) sink(heap, end);
}

/** Moves the last entry, at `end`, to the place of the first. */
function sink(heap: usize, end: u32): void {
  const last = heap + HEAP_ENTRY_BYTES * <usize>end;
  const key = load<f64>(last);
  let i: u32 = 0;
  while (true) {
    let child: u32 = 2 * i + 1;
    if (child >= end) break;
    if (child + 1 < end && load<f64>(heap + HEAP_ENTRY_BYTES * <usize>(child + 1)) > load<f64>(heap + HEAP_ENTRY_BYTES * <usize>child)) child++;
    if (key >= load<f64>(heap + HEAP_ENTRY_BYTES * <usize>child)) break;
    move(heap + HEAP_ENTRY_BYTES * <usize>child, heap + HEAP_ENTRY_BYTES * <usize>i);
    i = child;
  }
  move(last, heap + HEAP_ENTRY_BYTES * <usize>i);
}

// @ts-ignore: decorator
@inline function move(from: usize, to: usize): void {
  store<f64>(to, load<f64>(from));
  store<u32>(to, load<u32>(from, 8), 8);
}

/** Adds a waiting cell, which inherits what is known about its parent (0: no parent). */
export function addWaiting(query: usize, kind: u32, part: u32, parent: usize): usize {
  const waiting = load<u32>(query, P_WORK_COUNT);
  store<u32>(query, waiting + 1, P_WORK_COUNT);
  const cell = <usize>load<u32>(query, P_WORK) + CELL_BYTES * <usize>waiting;
  if (parent) memory.copy(cell, parent, C_CORNERS);
  else {
    store<u32>(cell, EMPTY, C_SEED);
    store<u32>(cell, EMPTY, C_MATE);
    store<u32>(cell, MANY, C_CROSSER_COUNT);
    store<u32>(cell, <u32>UNKNOWN, C_KNOWN);
  }
  store<u32>(cell, kind, C_KIND);
  store<u32>(cell, part, C_PART);
  return cell;
}

/**
 * Adds the lanes of a block as waiting cells; `inside` is WHOLLY_INSIDE if all relevant parts of them are known to be
 * inside.
 */
export function addLanes(query: usize, surface: usize, part: u32, block: u32, parent: usize, inside: u32): void {
  const tree = partTree(query, surface, part);
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const slot = BLOCK_BYTES * <usize>block + lane;
    if (load<u32>(blocks + slot, ROW_REF) == EMPTY) continue;
    store<u32>(addWaiting(query, <u32>surface | inside, part, parent), <u32>slot, C_SLOT);
  }
}
