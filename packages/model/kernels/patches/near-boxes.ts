/**
 * Which parts of two trees are near each other by their boxes, the nearest first.
 *
 * Idea: a best-first walk opens the fewest pairs of nodes. It is over boxes alone, so it goes on until there are as
 * many pairs of parts as asked for, or none within the limit; the host opens nodes that were never opened before.
 *
 * Layout: a node is its box (minimum, maximum), the box posed, and four words. The children of a node follow each
 * other. An entry of the heap is a float64 key and two numbers of nodes, an answer the same with those of parts.
 * Errs: outward, as writePosedBox and PosedBoxes do.
 */
import { EMPTY } from '../../../impinge/kernels/layout';

// host: NODE_BYTES
const NODE_BYTES: usize = 112;
// host: NodeField.* = NODE_* / 4
const NODE_POSED: usize = 48;
/** The first child, 0 where the node was not opened yet, and how many there are. */
const NODE_FIRST: usize = 96;
const NODE_COUNT: usize = 100;
/** The number of the pose that the posed box is at. */
const NODE_POSE: usize = 104;
/** The part that it is, or EMPTY. */
const NODE_PART: usize = 108;

// host: WalkField.* = WALK_*
// host: WALK_BYTES
const WALK_TREE_A: usize = 0;
const WALK_TREE_B: usize = 4;
/** Entries, their number, and how many there is room for. */
const WALK_HEAP: usize = 8;
const WALK_COUNT: usize = 12;
const WALK_ROOM: usize = 16;
/** Answers, their number, and how many are asked for. */
const WALK_FOUND: usize = 20;
const WALK_FOUND_COUNT: usize = 24;
const WALK_MOST: usize = 28;
/** The node to open: 1 if it is one of a, and its number. */
const WALK_OPEN_A: usize = 32;
const WALK_OPEN: usize = 36;
/** The number of the pose; a node may be posed for another walk. */
const WALK_POSE: usize = 40;
/** float64: the square of how far apart answers are at most. */
const WALK_LIMIT: usize = 48;
/** The poses, and the share of its reach by which each enlarges a box. */
const WALK_A_TO_B: usize = 56;
const WALK_SLACK_A: usize = 152;
const WALK_B_TO_A: usize = 160;
const WALK_SLACK_B: usize = 256;
const WALK_BYTES: usize = 264;

// host: ENTRY_BYTES
const ENTRY_BYTES: usize = 16;

// host: WalkStatus.* = WALKED NOT_OPEN NO_ROOM
const WALKED: i32 = 0;
const NOT_OPEN: i32 = 1;
const NO_ROOM: i32 = 2;

// host: SHRINK
/**
 * For squares of gaps along b's axes (see PosedBoxes), less than 1 / 1.0002²: rotations as callers give them have δ up
 * to 3e-5, and two may lie between the frames.
 */
const SHRINK: f64 = 0.9996;

/** Goes on with a walk. */
export function walkBoxes(walk: usize): i32 {
  const treeA: usize = load<u32>(walk, WALK_TREE_A);
  const treeB: usize = load<u32>(walk, WALK_TREE_B);
  const heap: usize = load<u32>(walk, WALK_HEAP);
  const room = load<u32>(walk, WALK_ROOM);
  const most = load<u32>(walk, WALK_MOST);
  const limit = load<f64>(walk, WALK_LIMIT);
  let count = load<u32>(walk, WALK_COUNT);
  let found = load<u32>(walk, WALK_FOUND_COUNT);
  let status = WALKED;
  while (count > 0 && found < most && load<f64>(heap) <= limit) {
    const i = load<u32>(heap, 8);
    const j = load<u32>(heap, 12);
    const a = treeA + NODE_BYTES * <usize>i;
    const b = treeB + NODE_BYTES * <usize>j;
    const partA = load<u32>(a, NODE_PART);
    const partB = load<u32>(b, NODE_PART);
    if (partA != EMPTY && partB != EMPTY) {
      setEntry(<usize>load<u32>(walk, WALK_FOUND) + ENTRY_BYTES * <usize>found, load<f64>(heap), partA, partB);
      found++;
      heapPop(heap, count--);
      continue;
    }
    const ofA = partB != EMPTY || (partA == EMPTY && extentOf(a) >= extentOf(b));
    const opened = ofA ? a : b;
    const first = load<u32>(opened, NODE_FIRST);
    if (first == 0) {
      store<u32>(walk, ofA, WALK_OPEN_A);
      store<u32>(walk, ofA ? i : j, WALK_OPEN);
      status = NOT_OPEN;
      break;
    }
    const end = first + load<u32>(opened, NODE_COUNT);
    if (count + end - first > room) { status = NO_ROOM; break; }
    heapPop(heap, count--);
    for (let child = first; child < end; child++) {
      const gap = ofA
        ? gapOf(walk, treeA + NODE_BYTES * <usize>child, b, limit)
        : gapOf(walk, a, treeB + NODE_BYTES * <usize>child, limit);
      if (gap <= limit) heapPush(heap, count++, gap, ofA ? child : i, ofA ? j : child);
    }
  }
  store<u32>(walk, count, WALK_COUNT);
  store<u32>(walk, found, WALK_FOUND_COUNT);
  return status;
}

// @ts-ignore: decorator
@inline function extentOf(node: usize): f64 {
  return load<f64>(node, 24) - load<f64>(node) + (load<f64>(node, 32) - load<f64>(node, 8)) + (load<f64>(node, 40) - load<f64>(node, 16));
}

/** The square of how far two nodes are apart at least; beyond the limit any number will do. */
function gapOf(walk: usize, a: usize, b: usize, limit: f64): f64 {
  if (load<u32>(b, NODE_POSE) != load<u32>(walk, WALK_POSE)) poseBox(walk, b, walk + WALK_B_TO_A, load<f64>(walk, WALK_SLACK_B));
  const alongA = gapSq(a, b + NODE_POSED);
  if (alongA > limit) return alongA;
  if (load<u32>(a, NODE_POSE) != load<u32>(walk, WALK_POSE)) poseBox(walk, a, walk + WALK_A_TO_B, load<f64>(walk, WALK_SLACK_A));
  return max(alongA, SHRINK * gapSq(b, a + NODE_POSED));
}

// @ts-ignore: decorator
@inline function gapSq(a: usize, b: usize): f64 {
  const x = max<f64>(0, max(load<f64>(a) - load<f64>(b, 24), load<f64>(b) - load<f64>(a, 24)));
  const y = max<f64>(0, max(load<f64>(a, 8) - load<f64>(b, 32), load<f64>(b, 8) - load<f64>(a, 32)));
  const z = max<f64>(0, max(load<f64>(a, 16) - load<f64>(b, 40), load<f64>(b, 16) - load<f64>(a, 40)));
  return x * x + y * y + z * z;
}

/** As writePosedBox. */
function poseBox(walk: usize, node: usize, pose: usize, slack: f64): void {
  store<u32>(node, load<u32>(walk, WALK_POSE), NODE_POSE);
  const x0 = load<f64>(node), y0 = load<f64>(node, 8), z0 = load<f64>(node, 16);
  const x1 = load<f64>(node, 24), y1 = load<f64>(node, 32), z1 = load<f64>(node, 40);
  const reach = abs(load<f64>(pose, 72)) + abs(load<f64>(pose, 80)) + abs(load<f64>(pose, 88)) +
    abs(x0) + abs(y0) + abs(z0) + abs(x1) + abs(y1) + abs(z1);
  const x = 0.5 * (x0 + x1), y = 0.5 * (y0 + y1), z = 0.5 * (z0 + z1);
  const hx = 0.5 * (x1 - x0), hy = 0.5 * (y1 - y0), hz = 0.5 * (z1 - z0);
  for (let k: usize = 0; k < 3; k++) {
    const row = pose + 24 * k;
    const a = load<f64>(row), b = load<f64>(row, 8), c = load<f64>(row, 16);
    const middle = load<f64>(pose + 8 * k, 72) + a * x + b * y + c * z;
    const half = slack * reach + abs(a) * hx + abs(b) * hy + abs(c) * hz;
    store<f64>(node + 8 * k, middle - half, NODE_POSED);
    store<f64>(node + 8 * k, middle + half, NODE_POSED + 24);
  }
}

// @ts-ignore: decorator
@inline function setEntry(at: usize, key: f64, a: u32, b: u32): void {
  store<f64>(at, key);
  store<u32>(at, a, 8);
  store<u32>(at, b, 12);
}

// @ts-ignore: decorator
@inline function move(from: usize, to: usize): void {
  store<f64>(to, load<f64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
}

/** Adds an entry to the heap of `count` entries. */
function heapPush(heap: usize, count: u32, key: f64, a: u32, b: u32): void {
  let i = count;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    const above = heap + ENTRY_BYTES * <usize>parent;
    if (load<f64>(above) <= key) break;
    move(above, heap + ENTRY_BYTES * <usize>i);
    i = parent;
  }
  setEntry(heap + ENTRY_BYTES * <usize>i, key, a, b);
}

/** Removes the first entry of a heap of `count` entries. */
function heapPop(heap: usize, count: u32): void {
  const end = count - 1;
  const last = heap + ENTRY_BYTES * <usize>end;
  const key = load<f64>(last);
  let i: u32 = 0;
  while (true) {
    let child: u32 = 2 * i + 1;
    if (child >= end) break;
    let at = heap + ENTRY_BYTES * <usize>child;
    if (child + 1 < end && load<f64>(at + ENTRY_BYTES) < load<f64>(at)) { child++; at += ENTRY_BYTES; }
    if (key <= load<f64>(at)) break;
    move(at, heap + ENTRY_BYTES * <usize>i);
    i = child;
  }
  move(last, heap + ENTRY_BYTES * <usize>i);
}
