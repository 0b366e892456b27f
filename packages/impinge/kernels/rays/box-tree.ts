/**
 * Axis-aligned boxes over the blocks of a tree of oriented boxes: four to a block. Boxes of float32 positions are exact
 * in float32: nothing is rounded.
 *
 * Layout: the first depths are stored one after the other, so that they occupy few pages, which every ray reads; the
 * subtrees below follow one by one, with the children of a block next to each other. Parents come before children, so
 * one backward sweep fits all boxes.
 */
import { BLOCK_BYTES, EMPTY, MESH_TRIANGLE_COUNT, ROW, ROW_REF, TREE_BLOCKS, indicesOf, isLeaf, leafCount, leafStart, positionsOf } from '../layout';
import {
  BOXES_BLOCKS, BOXES_BLOCK_COUNT, BOXES_CORNERS, BOXES_INDICES, BOXES_ORDER, BOXES_ROOT, BOX_BLOCK_BYTES, BOX_MAX, BOX_MIN, BOX_REF, KEY_DEPTH,
} from './layout';
import { maxima, minima, row0, row1, row2 } from '../lanes';
import { LANE_BOXES, STACK, scratch } from './scratch';

let oldBlocks: usize = 0, newBlocks: usize = 0;
let placed: u32 = 0;

/** Copies the references of a tree of oriented boxes, which must be completely built. */
export function copyReferences(boxes: usize, tree: usize): void {
  oldBlocks = tree + load<u32>(tree, TREE_BLOCKS);
  newBlocks = boxes + load<u32>(boxes, BOXES_BLOCKS);
  store<u32>(newBlocks, 0);
  placed = 1;
  let from: u32 = 0, end = placed;
  for (let depth = 1; depth < KEY_DEPTH; depth++) {
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
      // pushed in reverse, so that the first child is next
      for (let child = placed; child > before; child--, top += 4) store<u32>(top, child - 1);
      top -= 4;
    } while (top >= stack);
  }
  store<u32>(boxes, placed, BOXES_BLOCK_COUNT);
}

/** Assigns places to the blocks below one. Until its turn comes, a block's place holds its number in the other tree. */
function placeChildren(block: u32): void {
  const to = newBlocks + BOX_BLOCK_BYTES * <usize>block;
  const from = oldBlocks + BLOCK_BYTES * <usize>load<u32>(to) + ROW_REF;
  for (let lane: usize = 0; lane < 16; lane += 4) {
    let ref = load<u32>(from + lane);
    if (ref != EMPTY && !isLeaf(ref)) {
      store<u32>(newBlocks + BOX_BLOCK_BYTES * <usize>placed, ref);
      ref = placed++;
    }
    store<u32>(to + lane, ref, BOX_REF);
  }
}

/** Copies the mesh's indices in the order of the tree. */
export function copyIndices(boxes: usize, mesh: usize, to: usize): void {
  const order = boxes + load<u32>(boxes, BOXES_ORDER), indices = indicesOf(mesh);
  const end = order + 4 * <usize>load<u32>(mesh, MESH_TRIANGLE_COUNT);
  for (let at = order; at < end; at += 4, to += 12) {
    const from = indices + 12 * <usize>load<u32>(at);
    store<u64>(to, load<u64>(from));
    store<u32>(to, load<u32>(from, 8), 8);
  }
  store<u32>(boxes, <u32>(to - 12 * ((end - order) >> 2)), BOXES_INDICES);
}

/**
 * Fits all boxes to the present positions of the mesh's vertices, and copies these. Empty lanes get boxes that nothing
 * meets.
 */
export function fitBoxes(boxes: usize, mesh: usize): void {
  const blocks = boxes + load<u32>(boxes, BOXES_BLOCKS);
  const order = boxes + load<u32>(boxes, BOXES_ORDER);
  const corners = boxes + load<u32>(boxes, BOXES_CORNERS);
  const positions = positionsOf(mesh), indices = indicesOf(mesh);
  const sorted = <usize>load<u32>(boxes, BOXES_INDICES);
  const lanes = scratch + LANE_BOXES;
  for (let i = <i32>load<u32>(boxes, BOXES_BLOCK_COUNT) - 1; i >= 0; i--) {
    const block = blocks + BOX_BLOCK_BYTES * <usize>i;
    for (let lane: usize = 0; lane < 4; lane++) {
      const ref = load<u32>(block + 4 * lane, BOX_REF);
      low = f32x4.splat(Infinity);
      high = f32x4.splat(-Infinity);
      if (ref == EMPTY) {
        // keeps its box
      } else if (isLeaf(ref)) {
        const start = <usize>leafStart(ref);
        fitLeaf(corners + 36 * start, leafCount(ref), positions, sorted ? sorted + 12 * start : 0, order + 4 * start, indices);
      } else {
        const child = blocks + BOX_BLOCK_BYTES * <usize>ref;
        low = minima(v128.load(child, BOX_MIN), v128.load(child, BOX_MIN + ROW), v128.load(child, BOX_MIN + 2 * ROW));
        high = maxima(v128.load(child, BOX_MAX), v128.load(child, BOX_MAX + ROW), v128.load(child, BOX_MAX + 2 * ROW));
      }
      v128.store(lanes + 32 * lane, low);
      v128.store(lanes + 32 * lane, high, 16);
    }
    putRows(block + BOX_MIN, v128.load(lanes), v128.load(lanes, 32), v128.load(lanes, 64), v128.load(lanes, 96));
    putRows(block + BOX_MAX, v128.load(lanes, 16), v128.load(lanes, 48), v128.load(lanes, 80), v128.load(lanes, 112));
  }
  v128.store(boxes, minima(v128.load(blocks, BOX_MIN), v128.load(blocks, BOX_MIN + ROW), v128.load(blocks, BOX_MIN + 2 * ROW)), BOXES_ROOT);
  const most = maxima(v128.load(blocks, BOX_MAX), v128.load(blocks, BOX_MAX + ROW), v128.load(blocks, BOX_MAX + 2 * ROW));
  store<f32>(boxes, f32x4.extract_lane(most, 0), BOXES_ROOT + 12);
  store<f32>(boxes, f32x4.extract_lane(most, 1), BOXES_ROOT + 16);
  store<f32>(boxes, f32x4.extract_lane(most, 2), BOXES_ROOT + 20);
}

/** Writes x, y and z of four vectors as rows of a block. */
// @ts-ignore: decorator
@inline function putRows(at: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(at, row0(a, b, c, d));
  v128.store(at, row1(a, b, c, d), ROW);
  v128.store(at, row2(a, b, c, d), 2 * ROW);
}

/** The bounds of the last fit: x, y and z. */
let low: v128 = i64x2.splat(0), high: v128 = i64x2.splat(0);

/** Copies the corners of a leaf's triangles to nine rows, and finds the box around them. */
function fitLeaf(at: usize, count: usize, positions: usize, sorted: usize, order: usize, indices: usize): void {
  if (count < 3) {
    for (let k: usize = 0; k < count; k++, at += 4) {
      const triangle = indicesAt(k, sorted, order, indices);
      for (let corner: usize = 0; corner < 3; corner++) {
        const from = vertex(positions, triangle, 4 * corner), to = at + 12 * count * corner;
        store<f32>(to, f32x4.extract_lane(from, 0));
        store<f32>(to + 4 * count, f32x4.extract_lane(from, 1));
        store<f32>(to + 8 * count, f32x4.extract_lane(from, 2));
        low = f32x4.pmin(low, from);
        high = f32x4.pmax(high, from);
      }
    }
    return;
  }
  const row = 4 * count;
  const p = indicesAt(0, sorted, order, indices), q = indicesAt(1, sorted, order, indices), r = indicesAt(2, sorted, order, indices);
  // of three triangles, one is loaded twice
  const s = count > 3 ? indicesAt(3, sorted, order, indices) : p;
  let lowX = f32x4.splat(Infinity), lowY = lowX, lowZ = lowX, highX = f32x4.splat(-Infinity), highY = highX, highZ = highX;
  for (let corner: usize = 0; corner < 12; corner += 4) {
    const a = vertex(positions, p, corner), b = vertex(positions, q, corner), c = vertex(positions, r, corner), d = vertex(positions, s, corner);
    const x = row0(a, b, c, d), y = row1(a, b, c, d), z = row2(a, b, c, d);
    // of three, the next row overwrites the fourth number
    v128.store(at, x);
    v128.store(at + row, y);
    if (count > 3 || corner < 8) v128.store(at + 2 * row, z);
    else {
      v128.store64_lane(at + 2 * row, z, 0);
      v128.store32_lane(at + 2 * row, z, 2, 8);
    }
    at += 3 * row;
    lowX = f32x4.pmin(lowX, x); lowY = f32x4.pmin(lowY, y); lowZ = f32x4.pmin(lowZ, z);
    highX = f32x4.pmax(highX, x); highY = f32x4.pmax(highY, y); highZ = f32x4.pmax(highZ, z);
  }
  low = minima(lowX, lowY, lowZ);
  high = maxima(highX, highY, highZ);
}

/** Address of the indices of a leaf's k-th triangle. */
// @ts-ignore: decorator
@inline function indicesAt(k: usize, sorted: usize, order: usize, indices: usize): usize {
  return sorted ? sorted + 12 * k : indices + 12 * <usize>load<u32>(order + 4 * k);
}

/**
 * A corner of the triangle whose indices are at `triangle`. The fourth number, past the vertex, is ignored, but always
 * readable.
 */
// @ts-ignore: decorator
@inline function vertex(positions: usize, triangle: usize, corner: usize): v128 {
  return v128.load(positions + 12 * <usize>load<u32>(triangle + corner));
}
