/**
 * Boxes over the triangles of a mesh, for finding the one nearest to a point.
 *
 * Idea: in the order of the triangles, neighbours are near each other, so four in a row form a block, four blocks the
 * next, up to one. Nothing is sorted, and building takes a few nanoseconds per triangle.
 * Layout: blocks of four boxes, 96 bytes each: the four least x, y, z, then the four greatest. First come the boxes of
 * the triangles, then those of their blocks, …; unused places hold boxes that are near nothing.
 * Errs: float32; if two triangles are almost equally near, the wrong one may be reported, which no caller relies on.
 */
import { indicesOf, positionsOf, vertexAt } from '../../../impinge/kernels/layout';
import { cornerDistances } from '../../../impinge/kernels/corner-distances';
import { NONE } from './layout';
import { BOX_STACK, LANES, ONE_DISTANCE, ONE_POINT, scratch } from './scratch';

const BLOCK_BYTES: usize = 96;

/** Bytes of the boxes for a number of triangles. */
export function boxBytes(triangles: u32): u32 {
  let blocks: u32 = 0;
  for (let n = triangles; n > 1 || blocks == 0;) {
    n = (n + 3) >> 2;
    blocks += n;
  }
  return <u32>BLOCK_BYTES * blocks;
}

/** Writes the boxes over `count` triangles of a mesh, numbered in `list`. */
export function writeBoxes(mesh: usize, list: usize, count: u32, boxes: usize): void {
  const positions = positionsOf(mesh), indices = indicesOf(mesh);
  let out = boxes;
  for (let i: u32 = 0; i < count; i++) {
    const lane = out + 4 * <usize>(i & 3);
    const corner = indices + 12 * <usize>load<u32>(list + 4 * <usize>i);
    const a = vertexAt(positions, load<u32>(corner)), b = vertexAt(positions, load<u32>(corner, 4)), c = vertexAt(positions, load<u32>(corner, 8));
    for (let k: usize = 0; k < 3; k++) {
      const x = load<f32>(a + 4 * k), y = load<f32>(b + 4 * k), z = load<f32>(c + 4 * k);
      store<f32>(lane + 16 * k, min(x, min(y, z)));
      store<f32>(lane + 16 * k, max(x, max(y, z)), 48);
    }
    if ((i & 3) == 3) out += BLOCK_BYTES;
  }
  out = closed(out, count);
  let below = boxes;
  for (let n = (count + 3) >> 2; n > 1; n = (n + 3) >> 2) {
    const start = out;
    for (let i: u32 = 0; i < n; i++) {
      const lane = out + 4 * <usize>(i & 3);
      for (let k: usize = 0; k < 48; k += 16) {
        const low = below + k, high = below + 48 + k;
        store<f32>(lane + k, min(min(load<f32>(low), load<f32>(low, 4)), min(load<f32>(low, 8), load<f32>(low, 12))));
        store<f32>(lane + k, max(max(load<f32>(high), load<f32>(high, 4)), max(load<f32>(high, 8), load<f32>(high, 12))), 48);
      }
      below += BLOCK_BYTES;
      if ((i & 3) == 3) out += BLOCK_BYTES;
    }
    out = closed(out, n);
    below = start;
  }
}

/** Fills the rest of the last block of `count` boxes; returns where the boxes above start. */
function closed(out: usize, count: u32): usize {
  if ((count & 3) == 0) return out;
  for (let i = count & 3; i < 4; i++) {
    for (let k: usize = 0; k < 48; k += 16) {
      store<f32>(out + 4 * <usize>i + k, Infinity);
      store<f32>(out + 4 * <usize>i + k, -Infinity, 48);
    }
  }
  return out + BLOCK_BYTES;
}

export let nearestTriangle: u32 = 0;

/** The distance of a point from the nearest triangle, if that is below `limit`; sets the triangle (NONE: none is). */
export function nearestDistance(mesh: usize, list: usize, count: u32, boxes: usize, px: f64, py: f64, pz: f64, limit: f64): f64 {
  const one = scratch + ONE_POINT, its = scratch + ONE_DISTANCE, lanes = scratch + LANES;
  store<f64>(one, px); store<f64>(one, py, 8); store<f64>(one, pz, 16);
  store<f64>(one, px, 24); store<f64>(one, py, 32); store<f64>(one, pz, 40);
  nearestTriangle = NONE;
  let best = limit;
  let bestSq = <f32>(best * best);
  let height: u32 = 1;
  let at = boxes;
  for (let n = (count + 3) >> 2; n > 1; n = (n + 3) >> 2) { at += BLOCK_BYTES * <usize>n; height++; }
  const x = f32x4.splat(<f32>px), y = f32x4.splat(<f32>py), z = f32x4.splat(<f32>pz), zero = f32x4.splat(0);
  // entries: start of the blocks of its height, its number, its height, its squared distance
  const stack = scratch + BOX_STACK;
  let top = stack;
  store<u32>(top, <u32>at); store<u32>(top, 0, 4); store<u32>(top, height - 1, 8); store<f32>(top, 0, 12);
  top += 16;
  while (top > stack) {
    top -= 16;
    if (!(load<f32>(top, 12) < bestSq)) continue;
    const start: usize = load<u32>(top), number = load<u32>(top, 4), above = load<u32>(top, 8);
    const block = start + BLOCK_BYTES * <usize>number;
    const dx = f32x4.max(zero, f32x4.max(f32x4.sub(v128.load(block), x), f32x4.sub(x, v128.load(block, 48))));
    const dy = f32x4.max(zero, f32x4.max(f32x4.sub(v128.load(block, 16), y), f32x4.sub(y, v128.load(block, 64))));
    const dz = f32x4.max(zero, f32x4.max(f32x4.sub(v128.load(block, 32), z), f32x4.sub(z, v128.load(block, 80))));
    const d = f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
    let near = <u32>i32x4.bitmask(f32x4.lt(d, f32x4.splat(bestSq)));
    if (near == 0) continue;
    v128.store(lanes, d);
    if (above == 0) {
      for (; near != 0; near &= near - 1) {
        const lane = ctz(near);
        if (!(load<f32>(lanes + 4 * <usize>lane) < bestSq)) continue;
        const t = load<u32>(list + 4 * <usize>(4 * number + lane));
        cornerDistances(one, 1, mesh, t, its);
        const own = load<f64>(its);
        if (own < best) { best = own; bestSq = <f32>(best * best); nearestTriangle = t; }
      }
      continue;
    }
    // blocks of the height below come before those of this one
    let blocks = (count + 3) >> 2;
    for (let l: u32 = 1; l < above; l++) blocks = (blocks + 3) >> 2;
    const below = start - BLOCK_BYTES * <usize>blocks;
    const from = top;
    for (; near != 0; near &= near - 1) {
      const lane = ctz(near);
      const own = load<f32>(lanes + 4 * <usize>lane);
      // the nearest on top
      let to = top;
      for (; to > from && load<f32>(to - 16, 12) < own; to -= 16) v128.store(to, v128.load(to - 16));
      store<u32>(to, <u32>below); store<u32>(to, 4 * number + lane, 4); store<u32>(to, above - 1, 8); store<f32>(to, own, 12);
      top += 16;
    }
  }
  return best;
}
