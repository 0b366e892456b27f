/**
 * Which parts of surfaces may meet: of different ones, and of one that tests itself.
 *
 * Idea: runs of up to 16 triangles of a surface, in an order in which neighbours are near each other, form clusters
 * with a bound for both ends of the step; above them are nodes, four below one, up to one for the surface.
 * Surfaces that may meet are found by sorting their boxes along x; then both trees are descended. Bounds are those of
 * the last sweep of the surface: surfaces that have not moved keep them.
 * Layout: a cluster: a bound (grid.ts), u32 first triangle, count, how far it got, first vertex in
 * CTX_CLUSTER_VERTICES, the sweeps of its packs and sides; one more cluster at the end. A node: a bound. Per surface:
 * its first cluster, one more at the end; its first node; its bound; then surfaces in the order of x. A pair: u32
 * cluster, u32 cluster. The stack of a descent holds at most three pairs for each step down either tree, and one.
 */
import {
  BRANCHES, CLUSTER_ACTIVE, CLUSTER_BYTES, CLUSTER_COUNT, CLUSTER_FIRST, CLUSTER_VERTICES, BOUND_BYTES, CTX_BOUNDED,
  CTX_BOX_MARGIN, CTX_CLUSTERS, CTX_CLUSTER_COUNT, CTX_CLUSTER_NODES, CTX_CLUSTER_VERTICES, CTX_MOTIONS,
  CTX_PARTNERS, CTX_PARTNER_STARTS, CTX_SURFACE_BOUNDS, CTX_SURFACE_CLUSTERS, CTX_SURFACE_COUNT, CTX_SURFACE_FLAGS, CTX_SURFACE_NODES,
  CTX_SURFACE_OF, CTX_SURFACE_ORDER, CTX_SWEEPS, GROUP_SHIFT, HAS_PARTNERS, IN_REACH, IS_LOOSE, IS_STATIC, LEFT_OUT, MOTION_BYTES, TESTS_ITSELF,
} from './layout';
import { apart, areApart, storeBound } from './dop';
import { DESCENT, scratch } from './scratch';

// @ts-ignore: decorator
@inline function isBounded(ctx: usize, s: u32): bool {
  return load<u32>(<usize>load<u32>(ctx, CTX_SWEEPS) + 4 * <usize>s) == load<u32>(<usize>load<u32>(ctx, CTX_BOUNDED) + 4 * <usize>s);
}
// @ts-ignore: decorator
@inline function firstCluster(ctx: usize, s: u32): u32 { return load<u32>(<usize>load<u32>(ctx, CTX_SURFACE_CLUSTERS) + 4 * <usize>s); }
// @ts-ignore: decorator
@inline function clusterAt(ctx: usize, i: u32): usize { return <usize>load<u32>(ctx, CTX_CLUSTERS) + CLUSTER_BYTES * <usize>i; }
// @ts-ignore: decorator
@inline function nodeAt(ctx: usize, i: u32): usize { return <usize>load<u32>(ctx, CTX_CLUSTER_NODES) + BOUND_BYTES * <usize>i; }
// @ts-ignore: decorator
@inline function firstNode(ctx: usize, s: u32): u32 { return load<u32>(<usize>load<u32>(ctx, CTX_SURFACE_NODES) + 4 * <usize>s); }
/** The number of nodes above this many. */
// @ts-ignore: decorator
@inline function above(count: u32): u32 { return (count + BRANCHES - 1) / BRANCHES; }

/** Writes the bounds of clusters [from, to) whose surfaces were swept since. */
export function boundClusters(ctx: usize, from: u32, to: u32): void {
  const motions: usize = load<u32>(ctx, CTX_MOTIONS);
  const vertices: usize = load<u32>(ctx, CTX_CLUSTER_VERTICES);
  const surfaceOf: usize = load<u32>(ctx, CTX_SURFACE_OF);
  for (let i = from; i < to; i++) {
    const cluster = clusterAt(ctx, i);
    if (isBounded(ctx, load<u32>(surfaceOf + 4 * <usize>load<u32>(cluster, CLUSTER_FIRST)))) continue;
    const end = vertices + 4 * <usize>load<u32>(cluster, CLUSTER_BYTES + CLUSTER_VERTICES);
    let lo0 = f32x4.splat(Infinity), lo1 = lo0, hi0 = f32x4.splat(-Infinity), hi1 = hi0;
    for (let vertex = vertices + 4 * <usize>load<u32>(cluster, CLUSTER_VERTICES); vertex < end; vertex += 4) {
      const at = motions + MOTION_BYTES * <usize>load<u32>(vertex);
      const p = v128.load(at), q = v128.load(at, 16);
      lo0 = f32x4.pmin(lo0, p);
      lo1 = f32x4.pmin(lo1, q);
      hi0 = f32x4.pmax(hi0, p);
      hi1 = f32x4.pmax(hi1, q);
    }
    storeBound(cluster, lo0, lo1, hi0, hi1);
  }
}

// @ts-ignore: decorator
@inline function leastX(bound: usize): f32 { return min(load<f32>(bound), load<f32>(bound, 16)); }
// @ts-ignore: decorator
@inline function mostX(bound: usize): f32 { return max(load<f32>(bound, 32), load<f32>(bound, 48)); }

/** Bounds the nodes of surfaces swept since, sorts surfaces along x, and resets all clusters to inactive. */
export function orderSurfaces(ctx: usize): void {
  const surfaces = load<u32>(ctx, CTX_SURFACE_COUNT);
  for (let s: u32 = 0; s < surfaces; s++) {
    if (isBounded(ctx, s)) continue;
    memory.copy(surfaceBound(ctx, s), boundNodes(ctx, s), BOUND_BYTES);
    store<u32>(<usize>load<u32>(ctx, CTX_BOUNDED) + 4 * <usize>s, load<u32>(<usize>load<u32>(ctx, CTX_SWEEPS) + 4 * <usize>s));
  }
  sortByX(ctx, load<u32>(ctx, CTX_SURFACE_ORDER), surfaces);
  const end = clusterAt(ctx, load<u32>(ctx, CTX_CLUSTER_COUNT));
  for (let cluster = clusterAt(ctx, 0); cluster < end; cluster += CLUSTER_BYTES) store<u32>(cluster, 0, CLUSTER_ACTIVE);
}

/** Bounds the nodes, lowest first; returns the bound of all. A surface of one cluster also has one node above it. */
function boundNodes(ctx: usize, s: u32): usize {
  let below = clusterAt(ctx, firstCluster(ctx, s));
  let count = firstCluster(ctx, s + 1) - firstCluster(ctx, s);
  let stride = CLUSTER_BYTES;
  let node = nodeAt(ctx, firstNode(ctx, s));
  do {
    const first = node;
    for (let i: u32 = 0; i < count; i += BRANCHES, node += BOUND_BYTES) {
      let lo0 = f32x4.splat(Infinity), lo1 = lo0, hi0 = f32x4.splat(-Infinity), hi1 = hi0;
      const end = below + stride * <usize>min(BRANCHES, count - i);
      for (; below < end; below += stride) {
        lo0 = f32x4.pmin(lo0, v128.load(below));
        lo1 = f32x4.pmin(lo1, v128.load(below, 16));
        hi0 = f32x4.pmax(hi0, v128.load(below, 32));
        hi1 = f32x4.pmax(hi1, v128.load(below, 48));
      }
      storeBound(node, lo0, lo1, hi0, hi1);
    }
    below = first;
    stride = BOUND_BYTES;
    count = above(count);
  } while (count > 1);
  return below;
}

// @ts-ignore: decorator
@inline function surfaceBound(ctx: usize, s: u32): usize { return <usize>load<u32>(ctx, CTX_SURFACE_BOUNDS) + BOUND_BYTES * <usize>s; }

function heightOf(ctx: usize, s: u32): u32 {
  let height: u32 = 1;
  for (let count = above(firstCluster(ctx, s + 1) - firstCluster(ctx, s)); count > 1; count = above(count)) height++;
  return height;
}

/** Address of the bound of node i at a height of a surface; at height 0 are clusters. */
function boundAt(ctx: usize, s: u32, height: u32, i: u32): usize {
  if (height == 0) return clusterAt(ctx, firstCluster(ctx, s) + i);
  let node = firstNode(ctx, s);
  let count = above(firstCluster(ctx, s + 1) - firstCluster(ctx, s));
  for (let l: u32 = 1; l < height; l++, count = above(count)) node += count;
  return nodeAt(ctx, node + i);
}

function countAt(ctx: usize, s: u32, height: u32): u32 {
  let count = firstCluster(ctx, s + 1) - firstCluster(ctx, s);
  for (let l: u32 = 0; l < height; l++) count = above(count);
  return count;
}

/** Shell sort: there are few surfaces, nearly in the order of the last step. */
function sortByX(ctx: usize, order: usize, count: u32): void {
  let gap: u32 = 1;
  while (gap < count / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (let i = gap; i < count; i++) {
      const s = load<u32>(order + 4 * <usize>i);
      const x = leastX(surfaceBound(ctx, s));
      let j = i;
      for (; j >= gap; j -= gap) {
        const other = load<u32>(order + 4 * <usize>(j - gap));
        if (!(leastX(surfaceBound(ctx, other)) > x)) break;
        store<u32>(order + 4 * <usize>j, other);
      }
      store<u32>(order + 4 * <usize>j, s);
    }
  }
}

// @ts-ignore: decorator
@inline function mayMeet(a: u32, b: u32): bool {
  return !((a & b & IS_STATIC) | ((a | b) & LEFT_OUT)) && (a >> GROUP_SHIFT == 0 || a >> GROUP_SHIFT != b >> GROUP_SHIFT);
}

// the current call
let out: usize = 0, outEnd: usize = 0;

/**
 * Writes pairs of clusters that come within reach of each other: of surfaces [from, to) in their order with those after
 * them; stops before the first surface whose pairs do not fit and returns it, otherwise `to`. Writes their number to
 * `report`.
 */
export function findPartners(ctx: usize, from: u32, to: u32, pairs: usize, capacity: u32, report: usize): u32 {
  const surfaces = load<u32>(ctx, CTX_SURFACE_COUNT);
  const order: usize = load<u32>(ctx, CTX_SURFACE_ORDER);
  const flags: usize = load<u32>(ctx, CTX_SURFACE_FLAGS);
  const reach = load<f32>(ctx, CTX_BOX_MARGIN);
  const margin = f32x4.splat(reach);
  out = pairs;
  outEnd = pairs + 8 * <usize>capacity;
  let i = from;
  for (; i < to; i++) {
    const kept = out;
    const s = load<u32>(order + 4 * <usize>i);
    const a = surfaceBound(ctx, s);
    const end = mostX(a) + reach;
    let fits = true;
    for (let j = i + 1; j < surfaces && fits; j++) {
      const t = load<u32>(order + 4 * <usize>j);
      const b = surfaceBound(ctx, t);
      if (leastX(b) > end) break;
      if (mayMeet(load<u32>(flags + 4 * <usize>s), load<u32>(flags + 4 * <usize>t)) && !areApart(a, b, margin)) fits = descend(ctx, s, heightOf(ctx, s), 0, t, heightOf(ctx, t), 0, margin);
    }
    if (!fits) {
      out = kept;
      break;
    }
  }
  store<u32>(report, <u32>((out - pairs) >> 3));
  return i;
}

/**
 * The same within surface s, which tests itself: clusters [from, to) of it with themselves and with others. A pair is
 * found once, below two children of one node, and belongs to the first cluster below the first of them.
 */
export function findOwnPartners(ctx: usize, s: u32, from: u32, to: u32, pairs: usize, capacity: u32, report: usize): u32 {
  const margin = f32x4.splat(load<f32>(ctx, CTX_BOX_MARGIN));
  out = pairs;
  outEnd = pairs + 8 * <usize>capacity;
  let i = from;
  for (; i < to; i++) {
    const kept = out;
    if (!descendFrom(ctx, s, i, margin)) {
      out = kept;
      break;
    }
  }
  store<u32>(report, <u32>((out - pairs) >> 3));
  return i;
}

function descendFrom(ctx: usize, s: u32, i: u32, margin: v128): bool {
  if (out == outEnd) return false;
  const cluster = firstCluster(ctx, s) + i;
  store<u32>(out, cluster);
  store<u32>(out, cluster, 4);
  out += 8;
  store<u32>(clusterAt(ctx, cluster), IN_REACH, CLUSTER_ACTIVE);
  const top = heightOf(ctx, s);
  for (let l: u32 = 0; l < top; l++, i /= BRANCHES) {
    let b = boundAt(ctx, s, l, i);
    const a = b;
    const stride: usize = l == 0 ? CLUSTER_BYTES : BOUND_BYTES;
    const end = min((i / BRANCHES + 1) * BRANCHES, countAt(ctx, s, l));
    for (let j = i + 1; j < end; j++) {
      b += stride;
      if (!areApart(a, b, margin) && !descend(ctx, s, l, i, s, l, j, margin)) return false;
    }
    if (i % BRANCHES != 0) break;
  }
  return true;
}

/**
 * Descends the trees of two surfaces, or of one, from nodes that meet; returns whether all pairs fit. An entry: height
 * and place in both.
 */
function descend(ctx: usize, s: u32, height: u32, place: u32, t: u32, otherHeight: u32, otherPlace: u32, margin: v128): bool {
  const stack = scratch + DESCENT;
  const sFirst = firstCluster(ctx, s), tFirst = firstCluster(ctx, t);
  store<u32>(stack, height);
  store<u32>(stack, place, 4);
  store<u32>(stack, otherHeight, 8);
  store<u32>(stack, otherPlace, 12);
  let top = stack + 16;
  while (top > stack) {
    top -= 16;
    const l = load<u32>(top), i = load<u32>(top, 4), m = load<u32>(top, 8), j = load<u32>(top, 12);
    if ((l | m) == 0) {
      if (out == outEnd) return false;
      const a = sFirst + i, b = tFirst + j;
      store<u32>(out, a);
      store<u32>(out, b, 4);
      out += 8;
      store<u32>(clusterAt(ctx, a), IN_REACH, CLUSTER_ACTIVE);
      store<u32>(clusterAt(ctx, b), IN_REACH, CLUSTER_ACTIVE);
      continue;
    }
    if (l >= m) {
      const other = boundAt(ctx, t, m, j);
      const lo0 = f32x4.sub(v128.load(other), margin), lo1 = f32x4.sub(v128.load(other, 16), margin);
      const hi0 = f32x4.add(v128.load(other, 32), margin), hi1 = f32x4.add(v128.load(other, 48), margin);
      const end = min(BRANCHES * i + BRANCHES, countAt(ctx, s, l - 1));
      const stride: usize = l == 1 ? CLUSTER_BYTES : BOUND_BYTES;
      let bound = boundAt(ctx, s, l - 1, BRANCHES * i);
      for (let child = BRANCHES * i; child < end; child++, bound += stride) {
        store<u32>(top, l - 1);
        store<u32>(top, child, 4);
        store<u32>(top, m, 8);
        store<u32>(top, j, 12);
        top += apart(lo0, lo1, hi0, hi1, v128.load(bound), v128.load(bound, 16), v128.load(bound, 32), v128.load(bound, 48)) ? 0 : 16;
      }
    } else {
      const other = boundAt(ctx, s, l, i);
      const lo0 = f32x4.sub(v128.load(other), margin), lo1 = f32x4.sub(v128.load(other, 16), margin);
      const hi0 = f32x4.add(v128.load(other, 32), margin), hi1 = f32x4.add(v128.load(other, 48), margin);
      const end = min(BRANCHES * j + BRANCHES, countAt(ctx, t, m - 1));
      const stride: usize = m == 1 ? CLUSTER_BYTES : BOUND_BYTES;
      let bound = boundAt(ctx, t, m - 1, BRANCHES * j);
      for (let child = BRANCHES * j; child < end; child++, bound += stride) {
        store<u32>(top, l);
        store<u32>(top, i, 4);
        store<u32>(top, m - 1, 8);
        store<u32>(top, child, 12);
        top += apart(lo0, lo1, hi0, hi1, v128.load(bound), v128.load(bound, 16), v128.load(bound, 32), v128.load(bound, 48)) ? 0 : 16;
      }
    }
  }
  return true;
}

/**
 * Sorts pairs by their first cluster: `lists` are u32 addresses and numbers of pairs. Partners of cluster i: those at
 * starts[i] … starts[i + 1]. Returns the number of triangles in clusters from `firstMoving` on that have or are
 * partners.
 */
export function sortPartners(ctx: usize, lists: usize, listCount: u32, firstMoving: u32): u32 {
  const clusters = load<u32>(ctx, CTX_CLUSTER_COUNT);
  const starts: usize = load<u32>(ctx, CTX_PARTNER_STARTS);
  const partners: usize = load<u32>(ctx, CTX_PARTNERS);
  memory.fill(starts, 0, 4 * (<usize>clusters + 2));
  const listsEnd = lists + 8 * <usize>listCount;
  // counted two places further on: after filling in, each start has become that of the next
  for (let list = lists; list < listsEnd; list += 8) {
    const end = <usize>load<u32>(list) + 8 * <usize>load<u32>(list, 4);
    for (let pair = <usize>load<u32>(list); pair < end; pair += 8) {
      const slot = starts + 4 * <usize>load<u32>(pair);
      store<u32>(slot, load<u32>(slot, 8) + 1, 8);
    }
  }
  for (let i: usize = 1; i <= <usize>clusters + 1; i++) store<u32>(starts + 4 * i, load<u32>(starts + 4 * i) + load<u32>(starts + 4 * i - 4));
  for (let list = lists; list < listsEnd; list += 8) {
    const end = <usize>load<u32>(list) + 8 * <usize>load<u32>(list, 4);
    for (let pair = <usize>load<u32>(list); pair < end; pair += 8) {
      const slot = starts + 4 * <usize>load<u32>(pair);
      const place = load<u32>(slot, 4);
      store<u32>(slot, place + 1, 4);
      store<u32>(partners + 4 * <usize>place, load<u32>(pair, 4));
    }
  }
  let active: u32 = 0;
  for (let i = firstMoving; i < clusters; i++) {
    if (load<u32>(clusterAt(ctx, i), CLUSTER_ACTIVE) == HAS_PARTNERS) active += load<u32>(clusterAt(ctx, i), CLUSTER_COUNT);
  }
  return active;
}

/** Writes the triangles of loose surfaces that test themselves, for the grid; returns their number. */
export function listTriangles(ctx: usize, list: usize): u32 {
  const flags: usize = load<u32>(ctx, CTX_SURFACE_FLAGS);
  let out = list;
  for (let s: u32 = 0; s < load<u32>(ctx, CTX_SURFACE_COUNT); s++) {
    if ((load<u32>(flags + 4 * <usize>s) & (TESTS_ITSELF | IS_LOOSE)) != (TESTS_ITSELF | IS_LOOSE)) continue;
    const first = load<u32>(clusterAt(ctx, firstCluster(ctx, s)), CLUSTER_FIRST);
    const last = clusterAt(ctx, firstCluster(ctx, s + 1) - 1);
    const end = load<u32>(last, CLUSTER_FIRST) + load<u32>(last, CLUSTER_COUNT);
    for (let i = first; i < end; i++, out += 4) store<u32>(out, i);
  }
  return <u32>((out - list) >> 2);
}
