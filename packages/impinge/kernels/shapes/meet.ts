/**
 * Tests shapes against a box tree: which triangles meet them, or whether any does. Boxes inside a shape are not opened:
 * all their triangles meet it, and these are consecutive in the tree's order.
 *
 * Layout: the stack holds references; each step pops one and pushes at most four, one step deeper: 3 · 72 + 4 entries
 * suffice.
 */
import { EMPTY, isLeaf, leafCount, leafStart } from '../layout';
import { BOXES_BLOCKS, BOXES_CORNERS, BOXES_ORDER, BOX_BLOCK_BYTES, BOX_REF } from '../rays/layout';
import { MAYBE, NO, YES, convexInside, convexLanes, convexTriangle, convexTriangles, setConvex } from './convex';
import {
  ALL, CAPSULE, CONVEX, DONE, FULL, MET, SPHERE, S_COUNT, S_DOUBTS, S_DOUBT_CAPACITY, S_DOUBT_COUNT, S_FOUND, S_FOUND_CAPACITY,
  S_FOUND_COUNT, S_FROM, S_KIND, S_MODE, S_PLANES, S_RADIUS, S_REACH, S_TO, S_TREE, S_TRIANGLE,
} from './layout';
import { capsuleLanes, capsuleTriangle, capsuleTriangles, nearestLane, roundInside, setRound, sphereLanes, sphereTriangle, sphereTriangles } from './round';
import { STACK, TRIANGLE, scratch } from './scratch';

/** Finds the triangles that a shape meets. FULL: a list has no room; MET: any was requested, and S_TRIANGLE is one. */
export function meetShape(query: usize): i32 {
  store<u32>(query, 0, S_FOUND_COUNT);
  store<u32>(query, 0, S_DOUBT_COUNT);
  if (load<u32>(query, S_KIND) == CONVEX) setConvex(query);
  else setRound(query);
  return walk(query);
}

/**
 * For each of S_COUNT spheres at S_PLANES (centre, radius, reach), writes to S_FOUND whether it meets anything: 0 or 1.
 */
export function meetSpheres(query: usize): void {
  let sphere = <usize>load<u32>(query, S_PLANES), out = <usize>load<u32>(query, S_FOUND);
  for (let i = load<u32>(query, S_COUNT); i > 0; i--, sphere += 40, out += 4) {
    for (let k: usize = 0; k < 24; k += 8) {
      store<f64>(query + k, load<f64>(sphere + k), S_FROM);
      store<f64>(query + k, load<f64>(sphere + k), S_TO);
    }
    store<f64>(query, load<f64>(sphere, 24), S_RADIUS);
    store<f64>(query, load<f64>(sphere, 32), S_REACH);
    setRound(query);
    store<u32>(out, walk(query) == MET ? 1 : 0);
  }
}

function walk(query: usize): i32 {
  const boxes = <usize>load<u32>(query, S_TREE);
  const kind = load<u32>(query, S_KIND), all = load<u32>(query, S_MODE) == ALL;
  const blocks = boxes + load<u32>(boxes, BOXES_BLOCKS);
  const order = boxes + load<u32>(boxes, BOXES_ORDER);
  const corners = boxes + load<u32>(boxes, BOXES_CORNERS);
  const stack = scratch + STACK;
  let top = stack;
  let ref: u32 = 0;
  while (true) {
    if (isLeaf(ref)) {
      const start = leafStart(ref), row: usize = 4 * <usize>leafCount(ref);
      const first = corners + 36 * <usize>start;
      let mask = kind == SPHERE ? sphereTriangles(first, row) : kind == CAPSULE ? capsuleTriangles(first, row) : convexTriangles(first, row);
      const inside = kind == CONVEX ? convexInside : roundInside;
      mask &= (1 << leafCount(ref)) - 1;
      while (mask) {
        const bit = ctz(mask);
        const lane = <usize>bit << 2;
        mask &= mask - 1;
        const verdict = (inside >> bit) & 1 ? YES : decide(query, kind, first + lane, row);
        if (verdict == NO) continue;
        const triangle = load<u32>(order + 4 * <usize>start + lane);
        if (verdict == MAYBE) {
          if (!put(query, S_DOUBTS, triangle)) return FULL;
        } else if (!all) {
          store<u32>(query, triangle, S_TRIANGLE);
          return MET;
        } else if (!put(query, S_FOUND, triangle)) return FULL;
      }
    } else {
      const block = blocks + BOX_BLOCK_BYTES * <usize>ref;
      let mask = kind == SPHERE ? sphereLanes(block) : kind == CAPSULE ? capsuleLanes(block) : convexLanes(block);
      const inside = kind == CONVEX ? convexInside : roundInside;
      // if any triangle will do, one is found soon in the box nearest to a sphere's centre
      const first = kind == SPHERE && !all ? nearestLane(mask) : 4;
      let next: u32 = EMPTY;
      while (mask) {
        const lane = <usize>ctz(mask);
        mask &= mask - 1;
        const child = load<u32>(block + 4 * lane, BOX_REF);
        if (child == EMPTY) continue;
        if (!((inside >> <i32>lane) & 1)) {
          if (lane == first) next = child;
          else {
            store<u32>(top, child);
            top += 4;
          }
        } else if (!all) {
          store<u32>(query, load<u32>(order + 4 * <usize>firstOf(blocks, child)), S_TRIANGLE);
          return MET;
        } else if (!putAll(query, order, firstOf(blocks, child), endOf(blocks, child))) return FULL;
      }
      if (next != EMPTY) {
        ref = next;
        continue;
      }
    }
    if (top == stack) return DONE;
    top -= 4;
    ref = load<u32>(top);
  }
}

// @ts-ignore: decorator
@inline function decide(query: usize, kind: u32, a: usize, row: usize): i32 {
  if (kind == SPHERE) return sphereTriangle(a, row) ? YES : NO;
  loadTriangle(a, row);
  return kind == CAPSULE ? (capsuleTriangle() ? YES : NO) : convexTriangle(query, scratch + TRIANGLE);
}

/** Loads the triangle whose numbers are rows apart into the work space. */
// @ts-ignore: decorator
@inline export function loadTriangle(a: usize, row: usize): void {
  for (let k: usize = 0; k < 9; k++) store<f64>(scratch + TRIANGLE + 8 * k, <f64>load<f32>(a + k * row));
}

/** Appends to the list that begins at `field`: address, capacity, count. */
function put(query: usize, field: usize, triangle: u32): bool {
  const count = load<u32>(query + field, 8);
  if (count == load<u32>(query + field, 4)) return false;
  store<u32>(<usize>load<u32>(query + field) + 4 * <usize>count, triangle);
  store<u32>(query + field, count + 1, 8);
  return true;
}

function putAll(query: usize, order: usize, from: u32, end: u32): bool {
  const count = load<u32>(query, S_FOUND_COUNT);
  if (end - from > load<u32>(query, S_FOUND_CAPACITY) - count) return false;
  memory.copy(<usize>load<u32>(query, S_FOUND) + 4 * <usize>count, order + 4 * <usize>from, 4 * <usize>(end - from));
  store<u32>(query, count + end - from, S_FOUND_COUNT);
  return true;
}

/** The first position of a subtree in the order, and the one after its last. */
function firstOf(blocks: usize, ref: u32): u32 {
  while (!isLeaf(ref)) {
    const block = blocks + BOX_BLOCK_BYTES * <usize>ref;
    let lane: usize = 0;
    while (load<u32>(block + lane, BOX_REF) == EMPTY) lane += 4;
    ref = load<u32>(block + lane, BOX_REF);
  }
  return leafStart(ref);
}
function endOf(blocks: usize, ref: u32): u32 {
  while (!isLeaf(ref)) {
    const block = blocks + BOX_BLOCK_BYTES * <usize>ref;
    let lane: usize = 12;
    while (load<u32>(block + lane, BOX_REF) == EMPTY) lane -= 4;
    ref = load<u32>(block + lane, BOX_REF);
  }
  return leafStart(ref) + leafCount(ref);
}
