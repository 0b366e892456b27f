/**
 * The hierarchy to compare the grid with: a binary tree of swept boxes over the triangles in Morton order, refitted in
 * each step, and asked from every leaf for the leaves after it. What it finds goes through the same culling.
 *
 * Layout: node i has children 2 i and 2 i + 1; leaves are nodes n .. 2 n − 1. In the order from left to right the
 * leaves of the deepest level, from the power of two between n and 2 n on, come before the others. A node: least x, y,
 * z and the u32 triangle of a leaf; greatest x, y, z, 0. The stack of a query holds at most one node per level and two
 * at the end: 64 are enough.
 */
import {
  CTX_BOX_MARGIN, CTX_CORNERS, CTX_MOTIONS, CTX_RANGE, CTX_TREE, GRID_COUNT, GRID_KEYS, GRID_ORDER, MOTION_BYTES,
  TREE_COUNT, TREE_NODES, TREE_ORDER,
} from './layout';
import { morton, sortKeys } from './grid';
import { beginPairs, cullQueue, endPairs, keepPart } from './pairs';
import { QUEUES, QUEUE_CAPACITY, TREE_STACK, scratch } from './scratch';

// host: NODE_BYTES
const NODE_BYTES: usize = 32;

/** Writes Morton codes of the middles of triangles [from, to) at T0 as keys of a grid block, to be sorted. */
export function writeTreeKeys(ctx: usize, block: usize, from: u32, to: u32): void {
  const corners: usize = load<u32>(ctx, CTX_CORNERS);
  const motions: usize = load<u32>(ctx, CTX_MOTIONS);
  const range = load<i32>(ctx, CTX_RANGE);
  const scale = f32x4.splat(reinterpret<f32>((127 + 15 - range) << 23) / 3);
  for (let t = from; t < to; t++) {
    const c = corners + 12 * <usize>t;
    const sum = f32x4.add(f32x4.add(v128.load(motions + MOTION_BYTES * <usize>load<u32>(c)), v128.load(motions + MOTION_BYTES * <usize>load<u32>(c, 4))), v128.load(motions + MOTION_BYTES * <usize>load<u32>(c, 8)));
    const at = i32x4.min_s(i32x4.add(i32x4.trunc_sat_f32x4_s(f32x4.floor(f32x4.mul(sum, scale))), i32x4.splat(0x8000)), i32x4.splat(0xffff));
    store<u64>(<usize>load<u32>(block, GRID_KEYS) + 8 * <usize>t, morton(i32x4.extract_lane(at, 0), i32x4.extract_lane(at, 1), i32x4.extract_lane(at, 2)));
    store<u32>(<usize>load<u32>(block, GRID_ORDER) + 4 * <usize>t, t);
  }
}

/** Sorts them. */
export function sortTreeKeys(block: usize): void { sortKeys(block, load<u32>(block, GRID_COUNT)); }

/** The power of two between n and 2 n: the first leaf from the left. */
// @ts-ignore: decorator
@inline function firstLeaf(n: u32): u32 { return n == 1 ? 1 : 1 << (32 - clz(n - 1)); }

/** The leaf at a place from left to right. */
// @ts-ignore: decorator
@inline function leafAt(place: u32, n: u32): u32 {
  const leaf = firstLeaf(n) + place;
  return leaf < 2 * n ? leaf : leaf - n;
}

/** Writes the swept boxes of the leaves at places [from, to). */
export function fitLeaves(ctx: usize, from: u32, to: u32): void {
  const tree: usize = load<u32>(ctx, CTX_TREE);
  const n = load<u32>(tree, TREE_COUNT);
  const corners: usize = load<u32>(ctx, CTX_CORNERS);
  const motions: usize = load<u32>(ctx, CTX_MOTIONS);
  for (let place = from; place < to; place++) {
    const t = load<u32>(<usize>load<u32>(tree, TREE_ORDER) + 4 * <usize>place);
    const c = corners + 12 * <usize>t;
    const p = motions + MOTION_BYTES * <usize>load<u32>(c), q = motions + MOTION_BYTES * <usize>load<u32>(c, 4), r = motions + MOTION_BYTES * <usize>load<u32>(c, 8);
    const p0 = v128.load(p), p1 = v128.load(p, 16), q0 = v128.load(q), q1 = v128.load(q, 16), r0 = v128.load(r), r1 = v128.load(r, 16);
    const node = <usize>load<u32>(tree, TREE_NODES) + NODE_BYTES * <usize>leafAt(place, n);
    v128.store(node, f32x4.pmin(f32x4.pmin(f32x4.pmin(p0, p1), f32x4.pmin(q0, q1)), f32x4.pmin(r0, r1)));
    v128.store(node, f32x4.pmax(f32x4.pmax(f32x4.pmax(p0, p1), f32x4.pmax(q0, q1)), f32x4.pmax(r0, r1)), 16);
    store<u32>(node, t, 12);
  }
}

/** Joins the boxes of children, from the leaves up. */
export function fitNodes(ctx: usize): void {
  const tree: usize = load<u32>(ctx, CTX_TREE);
  const nodes: usize = load<u32>(tree, TREE_NODES);
  for (let i = load<u32>(tree, TREE_COUNT) - 1; i > 0; i--) {
    const node = nodes + NODE_BYTES * <usize>i, left = nodes + 2 * NODE_BYTES * <usize>i;
    v128.store(node, f32x4.pmin(v128.load(left), v128.load(left, 32)));
    v128.store(node, f32x4.pmax(v128.load(left, 16), v128.load(left, 48)), 16);
  }
}

// @ts-ignore: decorator
@inline function overlaps(node: usize, lo: v128, hi: v128): bool {
  return (i32x4.bitmask(v128.and(f32x4.le(v128.load(node), hi), f32x4.ge(v128.load(node, 16), lo))) & 7) == 7;
}

/**
 * Writes the pairs of the leaves at places [from, to) with leaves after them; stops before the first leaf whose pairs
 * do not fit and returns its place, else `to`. Counts as cullPrimitives does; candidates are boxes looked at.
 */
export function cullTree(ctx: usize, from: u32, to: u32, pairs: usize, capacity: u32, tally: usize): u32 {
  const tree: usize = load<u32>(ctx, CTX_TREE);
  const n = load<u32>(tree, TREE_COUNT);
  const nodes: usize = load<u32>(tree, TREE_NODES);
  const margin = f32x4.splat(load<f32>(ctx, CTX_BOX_MARGIN));
  const queue = scratch + QUEUES;
  const stack = scratch + TREE_STACK;
  beginPairs(ctx, pairs, capacity, 0);
  let looked: u64 = 0;
  let place = from;
  for (; place < to; place++) {
    const own = leafAt(place, n);
    const leaf = nodes + NODE_BYTES * <usize>own;
    const lo = f32x4.sub(v128.load(leaf), margin), hi = f32x4.add(v128.load(leaf, 16), margin);
    const t = load<u32>(leaf, 12);
    let queued: u32 = 0;
    // what comes after a leaf: the right siblings on its way up
    for (let up = own; up > 1; up >>= 1) {
      if (up & 1) continue;
      let top = stack;
      store<u32>(top, up + 1);
      top += 4;
      while (top > stack) {
        top -= 4;
        const i = load<u32>(top);
        const node = nodes + NODE_BYTES * <usize>i;
        looked++;
        if (!overlaps(node, lo, hi)) continue;
        if (i < n) {
          store<u32>(top, 2 * i + 1);
          store<u32>(top, 2 * i, 4);
          top += 8;
          continue;
        }
        store<u32>(queue + 4 * <usize>queued, load<u32>(node, 12));
        if (++queued == QUEUE_CAPACITY) { cullQueue(t, queue, queued); queued = 0; }
      }
    }
    cullQueue(t, queue, queued);
    if (!keepPart()) break;
  }
  endPairs(tally, looked);
  return place;
}
