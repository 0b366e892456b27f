/**
 * Axis-aligned boxes over the blocks of a tree of oriented ones: four to a block. Boxes of float32 positions are exact in float32:
 * nothing is rounded.
 *
 * Layout: the first levels, level after level, so that they are on few pages, which every ray reads; below each of their last
 * blocks what is under it, the children of a block next to each other. What is above comes before what is below: one backward
 * sweep fits all boxes.
 */
import { BLOCK_BYTES, EMPTY, ROW, ROW_REF, TREE_BLOCKS, indicesOf, isLeaf, leafCount, leafStart, positionsOf } from '../layout';
import {
  BOXES_BLOCKS, BOXES_BLOCK_COUNT, BOXES_CORNERS, BOXES_ORDER, BOXES_ROOT, BOX_BLOCK, BOX_MAX, BOX_MIN, BOX_REF, KEY_LEVELS,
} from './layout';
import { STACK, scratch } from './scratch';

let oldBlocks: usize = 0, newBlocks: usize = 0;
let placed: u32 = 0;

/** Takes over the references of a tree of oriented boxes, all of which is built. */
export function copyReferences(boxes: usize, tree: usize): void {
  oldBlocks = tree + load<u32>(tree, TREE_BLOCKS);
  newBlocks = boxes + load<u32>(boxes, BOXES_BLOCKS);
  store<u32>(newBlocks, 0);
  placed = 1;
  let from: u32 = 0, end = placed;
  for (let level = 1; level < KEY_LEVELS; level++) {
    for (; from < end; from++) placeChildren(from);
    end = placed;
  }
  const stack = scratch + STACK;
  for (; from < end; from++) {
    let top = stack;
    store<u32>(top, from);
    do {
      const before = placed;
      placeChildren(load<u32>(top));
      // the first of them is the next
      for (let child = placed; child > before; child--, top += 4) store<u32>(top, child - 1);
      top -= 4;
    } while (top >= stack);
  }
  store<u32>(boxes, placed, BOXES_BLOCK_COUNT);
}

/** Gives the blocks below one their places, where until they are asked for their own it is said which they were. */
function placeChildren(block: u32): void {
  const to = newBlocks + BOX_BLOCK * <usize>block;
  const from = oldBlocks + BLOCK_BYTES * <usize>load<u32>(to) + ROW_REF;
  for (let lane: usize = 0; lane < 16; lane += 4) {
    let ref = load<u32>(from + lane);
    if (ref != EMPTY && !isLeaf(ref)) {
      store<u32>(newBlocks + BOX_BLOCK * <usize>placed, ref);
      ref = placed++;
    }
    store<u32>(to + lane, ref, BOX_REF);
  }
}

/** Fits all boxes to where the mesh's vertices are, and copies these. Empty lanes get boxes that nothing meets. */
export function fitBoxes(boxes: usize, mesh: usize): void {
  const blocks = boxes + load<u32>(boxes, BOXES_BLOCKS);
  const order = boxes + load<u32>(boxes, BOXES_ORDER);
  const corners = boxes + load<u32>(boxes, BOXES_CORNERS);
  const positions = positionsOf(mesh), indices = indicesOf(mesh);
  for (let i = <i32>load<u32>(boxes, BOXES_BLOCK_COUNT) - 1; i >= 0; i--) {
    const block = blocks + BOX_BLOCK * <usize>i;
    for (let lane: usize = 0; lane < 16; lane += 4) {
      const ref = load<u32>(block + lane, BOX_REF);
      let low = f32x4.splat(Infinity), high = f32x4.splat(-Infinity);
      if (ref == EMPTY) {
        // as they are
      } else if (isLeaf(ref)) {
        const start = leafStart(ref), row = 4 * <usize>leafCount(ref);
        let at = corners + 36 * <usize>start;
        for (let k = start; k < start + leafCount(ref); k++, at += 4) {
          const corner = indices + 12 * <usize>load<u32>(order + 4 * <usize>k);
          // the fourth number read past a vertex is ignored: the indices after the positions are always readable
          const a = v128.load(positions + 12 * <usize>load<u32>(corner));
          const b = v128.load(positions + 12 * <usize>load<u32>(corner, 4));
          const c = v128.load(positions + 12 * <usize>load<u32>(corner, 8));
          storeRows(at, row, a);
          storeRows(at + 3 * row, row, b);
          storeRows(at + 6 * row, row, c);
          low = f32x4.pmin(low, f32x4.pmin(f32x4.pmin(a, b), c));
          high = f32x4.pmax(high, f32x4.pmax(f32x4.pmax(a, b), c));
        }
      } else {
        const child = blocks + BOX_BLOCK * <usize>ref;
        low = least(child + BOX_MIN);
        high = greatest(child + BOX_MAX);
      }
      storeRows(block + BOX_MIN + lane, ROW, low);
      storeRows(block + BOX_MAX + lane, ROW, high);
    }
  }
  v128.store(boxes, least(blocks + BOX_MIN), BOXES_ROOT);
  const high = greatest(blocks + BOX_MAX);
  store<f32>(boxes, f32x4.extract_lane(high, 0), BOXES_ROOT + 12);
  store<f32>(boxes, f32x4.extract_lane(high, 1), BOXES_ROOT + 16);
  store<f32>(boxes, f32x4.extract_lane(high, 2), BOXES_ROOT + 20);
}

/** Stores x, y and z a row apart. */
// @ts-ignore: decorator
@inline function storeRows(at: usize, row: usize, xyz: v128): void {
  store<f32>(at, f32x4.extract_lane(xyz, 0));
  store<f32>(at + row, f32x4.extract_lane(xyz, 1));
  store<f32>(at + 2 * row, f32x4.extract_lane(xyz, 2));
}

/** x, y and z of the least of four. */
// @ts-ignore: decorator
@inline function least(rows: usize): v128 {
  return f32x4(
    min4(v128.load(rows)), min4(v128.load(rows, ROW)), min4(v128.load(rows, 2 * ROW)), 0,
  );
}
// @ts-ignore: decorator
@inline function greatest(rows: usize): v128 {
  return f32x4(
    max4(v128.load(rows)), max4(v128.load(rows, ROW)), max4(v128.load(rows, 2 * ROW)), 0,
  );
}
// @ts-ignore: decorator
@inline function min4(row: v128): f32 {
  return min(min(f32x4.extract_lane(row, 0), f32x4.extract_lane(row, 1)), min(f32x4.extract_lane(row, 2), f32x4.extract_lane(row, 3)));
}
// @ts-ignore: decorator
@inline function max4(row: v128): f32 {
  return max(max(f32x4.extract_lane(row, 0), f32x4.extract_lane(row, 1)), max(f32x4.extract_lane(row, 2), f32x4.extract_lane(row, 3)));
}
