/**
 * The point of either object's surface that lies deepest inside the other.
 *
 * Idea: branch and bound, best first, over the lanes of both trees, then triangles, then convex pieces of triangles.
 * The depth of a cell's points is bounded by (i) the depth of its middle plus its radius; (ii) the distance of its
 * farthest corner from any triangle of the other surface, or the mean of the distances from any two, because such
 * distances are convex; (iii) the depth below any plane that has the whole other object on one side: if that is convex,
 * its faces leave nothing to divide. Parts that a plane proves to be too shallow are cut off. Cells are measured at
 * their middle and at the corner where the bounds leave the most room, unless triangles that were close to the parent
 * cell suffice. They are divided where the other surface crosses them, or where the closest triangle ends: then each
 * piece is inside or outside as a whole, or a single triangle measures it, however thin the piece is.
 *
 * The steps: deepest-cells.ts stores the cells, deepest-bound.ts evaluates one, deepest-divide.ts divides it. The
 * search may be restricted to triangles with a mark (deepest-marks.ts), may look for the farthest point outside
 * instead, or for any point deep in both objects (deepest-offset.ts).
 *
 * Errs: the point is inside, at the given depth except for rounding; no point is deeper than P_BOUND. If the other
 * surface is open, its inside also ends at its box, and the bound holds only if the side of a cell's middle (at the
 * border, also of its corners) is the side of the whole cell.
 */
import { DONE } from '../context';
import { lookAtLane, lookAtPolygon } from './deepest-bound';
import { CELL_BYTES, C_KIND, POLYGONAL, WHOLLY_INSIDE, addLanes, cellAt, max3, takeOut, threshold } from './deepest-cells';
import { divide } from './deepest-divide';
import { lookAtOffset } from './deepest-offset';
import {
  P_BOUND, P_BUDGET, P_CELL_CAPACITY, P_CUT_SHORT, P_DEPTH, P_ENOUGH, P_EVALUATIONS, P_HEAP, P_HEAP_COUNT, P_OFFSET, P_PRUNED, P_ROOTS, P_ROOTS_END, P_STATE,
  P_STATE_END, P_WHOLE, P_WORK, P_WORK_COUNT,
} from './point-context';
import { SNAPSHOT, scratch } from './scratch';
import { partCount } from './walk';

/** Maximum number of cells that one is divided into: the triangles of a leaf. */
const MOST_PARTS: u32 = 8;
/** If fewer cells than this are free, the cell with the largest bound is not the next to be divided. */
const SPARE_CELLS: u32 = 512;

/** Sets P_BOUND, P_DEPTH and P_POINT when it returns DONE. */
export function deepest(query: usize): i32 {
  const moved = load<f64>(query, P_OFFSET) != 0;
  while (true) {
    let waiting = load<u32>(query, P_WORK_COUNT);
    while (waiting > 0) {
      const cell = <usize>load<u32>(query, P_WORK) + CELL_BYTES * <usize>(waiting - 1);
      // a cell that has to wait for a treelet leaves no trace: results must not depend on which treelets exist
      const saved = scratch + SNAPSHOT;
      memory.copy(saved, query + P_STATE, P_STATE_END - P_STATE);
      memory.copy(saved + P_STATE_END - P_STATE, cell, CELL_BYTES);
      const polygonal = (load<u32>(cell, C_KIND) & POLYGONAL) != 0;
      const status = !polygonal ? lookAtLane(query, cell) : moved ? lookAtOffset(query, cell) : lookAtPolygon(query, cell);
      if (status != DONE) {
        memory.copy(query + P_STATE, saved, P_STATE_END - P_STATE);
        memory.copy(cell, saved + P_STATE_END - P_STATE, CELL_BYTES);
        return status;
      }
      store<u32>(query, --waiting, P_WORK_COUNT);
    }
    const root = load<u32>(query, P_ROOTS);
    const partsOfA = partCount(query, 0);
    if (root < load<u32>(query, P_ROOTS_END)) {
      store<u32>(query, root + 1, P_ROOTS);
      const inside = load<u32>(query, P_WHOLE) ? WHOLLY_INSIDE : 0;
      if (root < partsOfA) addLanes(query, 0, root, 0, 0, inside);
      else addLanes(query, 1, root - partsOfA, 0, 0, inside);
      continue;
    }
    const depth = load<f64>(query, P_DEPTH);
    const pruned = load<f64>(query, P_PRUNED);
    const count = load<u32>(query, P_HEAP_COUNT);
    const heap: usize = load<u32>(query, P_HEAP);
    const bound = count > 0 ? load<f64>(heap) : 0;
    if (depth > load<f64>(query, P_ENOUGH)) {
      store<f64>(query, Infinity, P_BOUND);
      return DONE;
    }
    const full = load<u32>(query, P_EVALUATIONS) >= load<u32>(query, P_BUDGET) || count + MOST_PARTS > load<u32>(query, P_CELL_CAPACITY);
    const open = bound > threshold(query);
    if (!open || full) {
      store<f64>(query, max3(depth, pruned, bound), P_BOUND);
      store<u32>(query, open ? 1 : 0, P_CUT_SHORT);
      return DONE;
    }
    // if room gets short, take the cell with the least bound: it needs few further divisions and frees its place
    const entry: u32 = count < load<u32>(query, P_CELL_CAPACITY) - SPARE_CELLS ? 0 : count - 1;
    const status = divide(query, cellAt(query, entry));
    if (status != DONE) return status;
    takeOut(query, entry);
  }
}

// Tried and dropped: cutting polygons only through the middle. The number of pieces of a thin overlap grows with its
// length: of 1 417 pairs of a building, 855 ran out of 600 evaluations; with cuts where the surfaces cross 624 do, with
// cuts where the closest triangle ends 128. Measuring a corner of cells that are about to be cut by a crossing: 14 %
// more evaluations; never measuring one: 4 % more. Stopping at a bound 2 % above the depth instead of 1 %: 2 % fewer.
// Value of the bounds, on 17 830 pairs of a hospital within 400 evaluations: one triangle per bound, 2.56 M evaluations
// and 3 143 pairs cut short; the mean of two, 2.27 M and 1 995; trying the parent's triangles first, 2.05 M and 1 290;
// cutting along all edges of the closest triangle at once, 1.93 M and 845.
