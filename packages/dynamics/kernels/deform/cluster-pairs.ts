/**
 * Primitive culling by clusters: the triangles of a cluster against those of its partners, four against four, as in
 * primitive.ts.
 *
 * Layout: cluster i has packs 4 i … 4 i + 3, those without triangles at the end, and a bound for each.
 */
import {
  BOUND_BYTES, CLUSTER_ACTIVE, CLUSTER_BYTES, CLUSTER_COUNT, CLUSTER_FIRST, CLUSTER_PACKED, CLUSTER_PACKS, CLUSTER_VERTICES, CTX_BOX_MARGIN, CTX_CLUSTERS, CTX_CLUSTER_BOUNDS,
  CTX_CLUSTER_PACKS, CTX_CLUSTER_VERTICES, CTX_PARTNERS, CTX_PARTNER_STARTS, CTX_SURFACE_OF, CTX_SWEEPS, HAS_PARTNERS, PACK_BYTES,
} from './layout';
import { apart } from './dop';
import { writePack } from './grid';
import { beginPairs, betweenSurfaces, endPairs, isFull, keepPart } from './pairs';
import { beginQueues, endQueues, meetAll, writeCompact } from './primitive';
import { FOUR, MET, MET_CAPACITY, scratch } from './scratch';
import { writeDopsOf } from './sweep';

/**
 * Writes the packs of the clusters with partners among [from, to), and the quantised DOPs of their vertices if these
 * are of an earlier sweep; both are computed from the same motions while these are in cache.
 */
export function fillClusters(ctx: usize, from: u32, to: u32): void {
  const vertices: usize = load<u32>(ctx, CTX_CLUSTER_VERTICES);
  for (let i = from; i < to; i++) {
    const cluster = clusterAt(ctx, i);
    if (load<u32>(cluster, CLUSTER_ACTIVE) != HAS_PARTNERS) continue;
    writeDopsOf(ctx, vertices + 4 * <usize>load<u32>(cluster, CLUSTER_VERTICES), vertices + 4 * <usize>load<u32>(cluster, CLUSTER_BYTES + CLUSTER_VERTICES));
    const first = load<u32>(cluster, CLUSTER_FIRST);
    const sweep = load<u32>(<usize>load<u32>(ctx, CTX_SWEEPS) + 4 * <usize>surfaceOf(ctx, i));
    if (load<u32>(cluster, CLUSTER_PACKED) == sweep) continue;
    store<u32>(cluster, sweep, CLUSTER_PACKED);
    const count = load<u32>(cluster, CLUSTER_COUNT);
    let pack = <usize>load<u32>(ctx, CTX_CLUSTER_PACKS) + PACK_BYTES * <usize>(CLUSTER_PACKS * i);
    let bound = <usize>load<u32>(ctx, CTX_CLUSTER_BOUNDS) + BOUND_BYTES * <usize>(CLUSTER_PACKS * i);
    for (let k: u32 = 0; k < count; k += 4, pack += PACK_BYTES, bound += BOUND_BYTES) {
      v128.store(scratch, i32x4.add(i32x4.splat(first + k), i32x4(0, 1, 2, 3)), FOUR);
      writePack(ctx, scratch + FOUR, count - k, pack, bound);
    }
  }
}

// @ts-ignore: decorator
@inline function packsOf(cluster: usize): u32 { return (load<u32>(cluster, CLUSTER_COUNT) + 3) >> 2; }
// @ts-ignore: decorator
@inline function clusterAt(ctx: usize, i: u32): usize { return <usize>load<u32>(ctx, CTX_CLUSTERS) + CLUSTER_BYTES * <usize>i; }
// @ts-ignore: decorator
@inline function surfaceOf(ctx: usize, i: u32): u32 {
  return load<u32>(<usize>load<u32>(ctx, CTX_SURFACE_OF) + 4 * <usize>load<u32>(clusterAt(ctx, i), CLUSTER_FIRST));
}

/**
 * Writes the pairs of clusters [from, to) with their partners; stops before the first cluster whose pairs do not fit
 * and returns it, otherwise `to`. Counts as cullPrimitives does.
 */
export function cullClusters(ctx: usize, from: u32, to: u32, pairs: usize, capacity: u32, tally: usize): u32 {
  // surfaces were compared when partners were found
  beginPairs(ctx, pairs, capacity, 0);
  writeCompact();
  const starts: usize = load<u32>(ctx, CTX_PARTNER_STARTS);
  let candidates: u64 = 0;
  let i = from;
  for (; i < to; i++) {
    const first = load<u32>(starts + 4 * <usize>i), end = load<u32>(starts + 4 * <usize>i, 4);
    if (first == end) continue;
    const all = meetPartners(ctx, i, first, end);
    if (!keepPart()) break;
    candidates += all;
  }
  endPairs(tally, candidates);
  return i;
}

/**
 * Tests a cluster against partners [first, end) of the list, of which those of its own surface come first; returns the
 * number of pairs of triangles.
 */
function meetPartners(ctx: usize, i: u32, first: u32, end: u32): u64 {
  const partners: usize = load<u32>(ctx, CTX_PARTNERS);
  const surface = surfaceOf(ctx, i);
  let others: u64 = 0;
  let middle = first;
  for (let at = first; at < end; at++) {
    const j = load<u32>(partners + 4 * <usize>at);
    others += load<u32>(clusterAt(ctx, j), CLUSTER_COUNT);
    if (middle == at && surfaceOf(ctx, j) == surface) middle++;
  }
  betweenSurfaces(false);
  if (first < middle) meetPacksOf(ctx, i, first, middle);
  betweenSurfaces(true);
  if (middle < end && !isFull()) meetPacksOf(ctx, i, middle, end);
  const count = <u64>load<u32>(clusterAt(ctx, i), CLUSTER_COUNT);
  // of the pairs with itself, only half are pairs
  return others * count - (first < middle && load<u32>(partners + 4 * <usize>first) == i ? (count * (count + 1)) >> 1 : 0);
}

/** Tests each pack of a cluster against those of partners [first, end). */
function meetPacksOf(ctx: usize, i: u32, first: u32, end: u32): void {
  const partners: usize = load<u32>(ctx, CTX_PARTNERS);
  const packs: usize = load<u32>(ctx, CTX_CLUSTER_PACKS);
  const bounds: usize = load<u32>(ctx, CTX_CLUSTER_BOUNDS);
  const margin = f32x4.splat(load<f32>(ctx, CTX_BOX_MARGIN));
  const met = scratch + MET;
  for (let k: u32 = 0; k < packsOf(clusterAt(ctx, i)); k++) {
    const number = <usize>(CLUSTER_PACKS * i + k);
    const pack = packs + PACK_BYTES * number, bound = bounds + BOUND_BYTES * number;
    const lo0 = f32x4.sub(v128.load(bound), margin), lo1 = f32x4.sub(v128.load(bound, 16), margin);
    const hi0 = f32x4.add(v128.load(bound, 32), margin), hi1 = f32x4.add(v128.load(bound, 48), margin);
    beginQueues();
    let metEnd = met;
    for (let at = first; at < end; at++) {
      const j = load<u32>(partners + 4 * <usize>at);
      const other = clusterAt(ctx, j);
      if (apart(lo0, lo1, hi0, hi1, v128.load(other), v128.load(other, 16), v128.load(other, 32), v128.load(other, 48))) continue;
      // with itself: from this pack on
      const from = <usize>(CLUSTER_PACKS * j + (i == j ? k : 0));
      let otherPack = packs + PACK_BYTES * from, otherBound = bounds + BOUND_BYTES * from;
      const boundsEnd = bounds + BOUND_BYTES * <usize>(CLUSTER_PACKS * j + packsOf(other));
      for (; otherBound < boundsEnd; otherBound += BOUND_BYTES, otherPack += PACK_BYTES) {
        const isApart = apart(lo0, lo1, hi0, hi1, v128.load(otherBound), v128.load(otherBound, 16), v128.load(otherBound, 32), v128.load(otherBound, 48));
        store<u32>(metEnd, <u32>otherPack);
        metEnd += <usize>(1 ^ <u32>isApart) << 2;
        if (metEnd == met + 4 * MET_CAPACITY) {
          meetAll(pack, margin, metEnd);
          metEnd = met;
        }
      }
    }
    meetAll(pack, margin, metEnd);
    endQueues(pack);
    if (isFull()) return;
  }
}
