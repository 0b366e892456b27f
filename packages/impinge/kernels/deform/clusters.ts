/**
 * Whole parts that nothing comes near are left out before the grid.
 *
 * Idea: runs of up to 64 triangles of a surface, as they were given, are clusters with a bound for both ends of the
 * step. Surfaces that may meet are found by sorting their boxes along x; of those, clusters that come within reach
 * of a cluster of the other are active. Surfaces that test themselves are active as a whole.
 * Layout: a cluster: a bound (grid.ts), u32 first triangle, count, 1 if active, 0. Per surface: its bound; then its
 * first cluster, one more at the end; then surfaces in the order of x.
 */
import {
  CLUSTER_ACTIVE, CLUSTER_BYTES, CLUSTER_COUNT, CLUSTER_FIRST, BOUND_BYTES, CTX_BOX_MARGIN, CTX_CLUSTERS,
  CTX_CLUSTER_COUNT, CTX_CORNERS, CTX_MOTIONS, CTX_SURFACE_BOUNDS, CTX_SURFACE_CLUSTERS, CTX_SURFACE_COUNT,
  CTX_SURFACE_FLAGS, CTX_SURFACE_ORDER, GROUP_SHIFT, IS_STATIC, MOTION_BYTES, TESTS_ITSELF,
} from './layout';
import { apart } from './dop';

/** Surfaces of more clusters than this are compared by their boxes only. */
const MOST_CLUSTERS: u32 = 64;

/** Writes the bounds of clusters [from, to). */
export function boundClusters(ctx: usize, from: u32, to: u32): void {
  const corners: usize = load<u32>(ctx, CTX_CORNERS);
  const motions: usize = load<u32>(ctx, CTX_MOTIONS);
  for (let i = from; i < to; i++) {
    const cluster = <usize>load<u32>(ctx, CTX_CLUSTERS) + CLUSTER_BYTES * <usize>i;
    const first = corners + 12 * <usize>load<u32>(cluster, CLUSTER_FIRST);
    const end = first + 12 * <usize>load<u32>(cluster, CLUSTER_COUNT);
    let lo0 = f32x4.splat(Infinity), lo1 = lo0, hi0 = f32x4.splat(-Infinity), hi1 = hi0;
    for (let corner = first; corner < end; corner += 4) {
      const at = motions + MOTION_BYTES * <usize>load<u32>(corner);
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
@inline function storeBound(at: usize, lo0: v128, lo1: v128, hi0: v128, hi1: v128): void {
  v128.store(at, lo0);
  v128.store(at, lo1, 16);
  v128.store(at, hi0, 32);
  v128.store(at, hi1, 48);
}

// @ts-ignore: decorator
@inline function areApart(a: usize, b: usize, margin: v128): bool {
  return apart(f32x4.sub(v128.load(a), margin), f32x4.sub(v128.load(a, 16), margin), f32x4.add(v128.load(a, 32), margin), f32x4.add(v128.load(a, 48), margin),
    v128.load(b), v128.load(b, 16), v128.load(b, 32), v128.load(b, 48));
}
// @ts-ignore: decorator
@inline function leastX(bound: usize): f32 { return min(load<f32>(bound), load<f32>(bound, 16)); }
// @ts-ignore: decorator
@inline function mostX(bound: usize): f32 { return max(load<f32>(bound, 32), load<f32>(bound, 48)); }

/** Marks the clusters that come within reach of another they may meet. */
export function markClusters(ctx: usize): void {
  const surfaces = load<u32>(ctx, CTX_SURFACE_COUNT);
  const bounds: usize = load<u32>(ctx, CTX_SURFACE_BOUNDS);
  const order: usize = load<u32>(ctx, CTX_SURFACE_ORDER);
  const flags: usize = load<u32>(ctx, CTX_SURFACE_FLAGS);
  for (let s: u32 = 0; s < surfaces; s++) boundSurface(ctx, s, bounds + BOUND_BYTES * <usize>s, (load<u32>(flags + 4 * <usize>s) & TESTS_ITSELF) != 0);
  sortByX(order, bounds, surfaces);
  const reach = load<f32>(ctx, CTX_BOX_MARGIN);
  const margin = f32x4.splat(reach);
  for (let i: u32 = 0; i < surfaces; i++) {
    const s = load<u32>(order + 4 * <usize>i);
    const a = bounds + BOUND_BYTES * <usize>s;
    const end = mostX(a) + reach;
    for (let j = i + 1; j < surfaces; j++) {
      const t = load<u32>(order + 4 * <usize>j);
      const b = bounds + BOUND_BYTES * <usize>t;
      if (leastX(b) > end) break;
      if (mayMeet(load<u32>(flags + 4 * <usize>s), load<u32>(flags + 4 * <usize>t)) && !areApart(a, b, margin)) markPair(ctx, s, t, margin);
    }
  }
}

// @ts-ignore: decorator
@inline function mayMeet(a: u32, b: u32): bool {
  return !(a & b & IS_STATIC) && (a >> GROUP_SHIFT == 0 || a >> GROUP_SHIFT != b >> GROUP_SHIFT);
}

// @ts-ignore: decorator
@inline function firstCluster(ctx: usize, s: u32): u32 { return load<u32>(<usize>load<u32>(ctx, CTX_SURFACE_CLUSTERS) + 4 * <usize>s); }

function boundSurface(ctx: usize, s: u32, at: usize, testsItself: bool): void {
  let cluster = <usize>load<u32>(ctx, CTX_CLUSTERS) + CLUSTER_BYTES * <usize>firstCluster(ctx, s);
  const end = <usize>load<u32>(ctx, CTX_CLUSTERS) + CLUSTER_BYTES * <usize>firstCluster(ctx, s + 1);
  let lo0 = f32x4.splat(Infinity), lo1 = lo0, hi0 = f32x4.splat(-Infinity), hi1 = hi0;
  for (; cluster < end; cluster += CLUSTER_BYTES) {
    lo0 = f32x4.pmin(lo0, v128.load(cluster));
    lo1 = f32x4.pmin(lo1, v128.load(cluster, 16));
    hi0 = f32x4.pmax(hi0, v128.load(cluster, 32));
    hi1 = f32x4.pmax(hi1, v128.load(cluster, 48));
    store<u32>(cluster, testsItself ? 1 : 0, CLUSTER_ACTIVE);
  }
  storeBound(at, lo0, lo1, hi0, hi1);
}

/** Shell sort: few surfaces, and in nearly the order of the last step. */
function sortByX(order: usize, bounds: usize, count: u32): void {
  let gap: u32 = 1;
  while (gap < count / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (let i = gap; i < count; i++) {
      const s = load<u32>(order + 4 * <usize>i);
      const x = leastX(bounds + BOUND_BYTES * <usize>s);
      let j = i;
      for (; j >= gap; j -= gap) {
        const other = load<u32>(order + 4 * <usize>(j - gap));
        if (!(leastX(bounds + BOUND_BYTES * <usize>other) > x)) break;
        store<u32>(order + 4 * <usize>j, other);
      }
      store<u32>(order + 4 * <usize>j, s);
    }
  }
}

function markPair(ctx: usize, s: u32, t: u32, margin: v128): void {
  const clusters: usize = load<u32>(ctx, CTX_CLUSTERS);
  const bounds: usize = load<u32>(ctx, CTX_SURFACE_BOUNDS);
  const sFirst = clusters + CLUSTER_BYTES * <usize>firstCluster(ctx, s), sEnd = clusters + CLUSTER_BYTES * <usize>firstCluster(ctx, s + 1);
  const tFirst = clusters + CLUSTER_BYTES * <usize>firstCluster(ctx, t), tEnd = clusters + CLUSTER_BYTES * <usize>firstCluster(ctx, t + 1);
  const most = CLUSTER_BYTES * <usize>MOST_CLUSTERS;
  if (sEnd - sFirst > most || tEnd - tFirst > most) {
    markNear(sFirst, sEnd, bounds + BOUND_BYTES * <usize>t, margin);
    markNear(tFirst, tEnd, bounds + BOUND_BYTES * <usize>s, margin);
    return;
  }
  const box = bounds + BOUND_BYTES * <usize>t;
  for (let a = sFirst; a < sEnd; a += CLUSTER_BYTES) {
    if (areApart(a, box, margin)) continue;
    for (let b = tFirst; b < tEnd; b += CLUSTER_BYTES) {
      if (load<u32>(a, CLUSTER_ACTIVE) & load<u32>(b, CLUSTER_ACTIVE) || areApart(a, b, margin)) continue;
      store<u32>(a, 1, CLUSTER_ACTIVE);
      store<u32>(b, 1, CLUSTER_ACTIVE);
    }
  }
}

function markNear(first: usize, end: usize, box: usize, margin: v128): void {
  for (let a = first; a < end; a += CLUSTER_BYTES) {
    if (!load<u32>(a, CLUSTER_ACTIVE) && !areApart(a, box, margin)) store<u32>(a, 1, CLUSTER_ACTIVE);
  }
}

/** Writes the triangles of active clusters from `from` on; returns how many. */
export function listTriangles(ctx: usize, from: u32, list: usize): u32 {
  let out = list;
  for (let i = from; i < load<u32>(ctx, CTX_CLUSTER_COUNT); i++) {
    const cluster = <usize>load<u32>(ctx, CTX_CLUSTERS) + CLUSTER_BYTES * <usize>i;
    if (!load<u32>(cluster, CLUSTER_ACTIVE)) continue;
    const first = load<u32>(cluster, CLUSTER_FIRST);
    const end = first + load<u32>(cluster, CLUSTER_COUNT);
    for (let t = first; t < end; t++, out += 4) store<u32>(out, t);
  }
  return <u32>((out - list) >> 2);
}
