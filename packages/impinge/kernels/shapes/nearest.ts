/**
 * The triangle of a mesh closest to a shape that meets none, by a walk down a box tree, the closest of four boxes
 * first.
 *
 * Idea: the distance between the box of a node and the box around the shape's core (a capsule's axis, a convex shape
 * itself) is a lower bound for their contents. For triangles, so is the distance from the farthest plane of a convex
 * shape.
 * Layout: the stack holds (reference, squared bound as float32, rounded down).
 * Errs: distances are off by less than 1e-13 of the extents. Of triangles at the same distance, the lowest number wins.
 */
import { EMPTY, isLeaf, leafCount, leafStart } from '../layout';
import { BOXES_BLOCKS, BOXES_CORNERS, BOXES_ORDER, BOX_BLOCK_BYTES, BOX_MAX, BOX_MIN, BOX_REF } from '../rays/layout';
import { planeGap } from './convex';
import { coreBox, gapOf, setCore } from './core';
import { CONVEX, S_BEST, S_FACE_COUNT, S_KIND, S_TREE, S_TRIANGLE } from './layout';
import { loadTriangle } from './meet';
import { STACK, scratch } from './scratch';

/** Writes the closest triangle within S_BEST of the shape's core, and its distance; EMPTY if there is none. */
export function nearestShape(query: usize): void {
  setCore(query);
  const boxes = <usize>load<u32>(query, S_TREE);
  const blocks = boxes + load<u32>(boxes, BOXES_BLOCKS), order = boxes + load<u32>(boxes, BOXES_ORDER);
  const corners = boxes + load<u32>(boxes, BOXES_CORNERS);
  const stack = scratch + STACK;
  const isHalfSpace = load<u32>(query, S_KIND) == CONVEX && !load<u32>(query, S_FACE_COUNT);
  let best = load<f64>(query, S_BEST);
  let bestSq = best * best * (1 + 1e-14);
  let triangle = EMPTY;
  let top = stack;
  let ref: u32 = 0;
  while (true) {
    if (isLeaf(ref)) {
      const start = leafStart(ref), row: usize = 4 * <usize>leafCount(ref);
      const first = corners + 36 * <usize>start;
      for (let lane: usize = 0; lane < row; lane += 4) {
        loadTriangle(first + lane, row);
        const distance = gapOf(query, best);
        if (!(distance <= best)) continue;
        const candidate = load<u32>(order + 4 * <usize>start + lane);
        if (distance == best && candidate > triangle) continue;
        best = distance;
        triangle = candidate;
      }
      bestSq = best * best * (1 + 1e-14);
    } else {
      const block = blocks + BOX_BLOCK_BYTES * <usize>ref;
      const under = top;
      for (let lane: usize = 0; lane < 16; lane += 4) {
        const child = load<u32>(block + lane, BOX_REF);
        if (child == EMPTY) continue;
        const bound = isHalfSpace ? planeGap(query, block + lane) : 0;
        const boundSq = isHalfSpace ? bound * bound : boxGapSq(block + lane);
        if (boundSq > bestSq) continue;
        const key = <f32>(boundSq * 0.9999998);
        let at = top;
        while (at > under && load<f32>(at - 4) < key) {
          store<u64>(at, load<u64>(at - 8));
          at -= 8;
        }
        store<u32>(at, child);
        store<f32>(at, key, 4);
        top += 8;
      }
    }
    do {
      if (top == stack) {
        store<u32>(query, triangle, S_TRIANGLE);
        store<f64>(query, best, S_BEST);
        return;
      }
      top -= 8;
    } while (<f64>load<f32>(top, 4) > bestSq);
    ref = load<u32>(top);
  }
}

// @ts-ignore: decorator
@inline function boxGapSq(box: usize): f64 {
  let sum: f64 = 0;
  for (let k: usize = 0; k < 3; k++) {
    const low = <f64>load<f32>(box + 16 * k, BOX_MIN), high = <f64>load<f32>(box + 16 * k, BOX_MAX);
    const gap = max(0, max(low - load<f64>(coreBox + 8 * k, 24), load<f64>(coreBox + 8 * k) - high));
    sum += gap * gap;
  }
  return sum * (1 - 1e-14);
}
