/**
 * Keys that say roughly which part of a tree a ray will visit: the path down to the first depths, always to the nearest
 * box. Rays with similar keys read similar parts of the tree.
 *
 * Errs: only the order in which rays are cast depends on a key, so float32 is enough.
 */
import { EMPTY, ROW, isLeaf } from '../layout';
import { BOXES_BLOCKS, BOX_BLOCK_BYTES, BOX_MAX, BOX_MIN, BOX_REF, KEY_DEPTH, RAY_BYTES } from './layout';

/**
 * Writes a key of 2 · KEY_DEPTH bits for each ray, as u32. Rays and keys need room for one more if their number is
 * odd.
 */
export function rayKeys(boxes: usize, rays: usize, count: usize, keys: usize): void {
  const blocks = boxes + load<u32>(boxes, BOXES_BLOCKS);
  for (let i: usize = 0; i < count; i += 2) putKeys(rays + RAY_BYTES * i, blocks, keys + 4 * i);
}

/**
 * Writes the ray numbers in the order of their keys; `work` has room for these, for one more, and for 4 to the
 * KEY_DEPTH u32.
 */
export function orderRays(boxes: usize, rays: usize, count: usize, order: usize, work: usize): void {
  rayKeys(boxes, rays, count, work);
  const starts = work + 4 * (count + 1), buckets: usize = 1 << (2 * KEY_DEPTH);
  memory.fill(starts, 0, 4 * buckets);
  for (let i: usize = 0; i < count; i++) {
    const at = starts + 4 * <usize>load<u32>(work + 4 * i);
    store<u32>(at, load<u32>(at) + 1);
  }
  let sum: u32 = 0;
  for (let at = starts; at < starts + 4 * buckets; at += 4) {
    const size = load<u32>(at);
    store<u32>(at, sum);
    sum += size;
  }
  for (let i: usize = 0; i < count; i++) {
    const at = starts + 4 * <usize>load<u32>(work + 4 * i);
    const to = load<u32>(at);
    store<u32>(at, to + 1);
    store<u32>(order + 4 * <usize>to, <u32>i);
  }
}

/**
 * Copies rays in a given order. Here the reads do not wait for each other; during a traversal, each ray would wait for
 * its own.
 */
export function takeRays(rays: usize, order: usize, count: usize, to: usize): void {
  for (let i: usize = 0; i < count; i++, to += RAY_BYTES) {
    const from = rays + RAY_BYTES * <usize>load<u32>(order + 4 * i);
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
    v128.store(to, v128.load(from, 32), 32);
    v128.store(to, v128.load(from, 48), 48);
  }
}

/** Steps to each of four boxes; Infinity for those that the ray misses. Rows are those that the ray meets first. */
// @ts-ignore: decorator
@inline function stepsTo(
  block: usize, x: usize, y: usize, z: usize, ox: v128, oy: v128, oz: v128, ix: v128, iy: v128, iz: v128,
): v128 {
  let enter = f32x4.pmax(f32x4.mul(f32x4.sub(v128.load(block + x), ox), ix), f32x4.splat(0));
  enter = f32x4.pmax(enter, f32x4.mul(f32x4.sub(v128.load(block + y), oy), iy));
  enter = f32x4.pmax(enter, f32x4.mul(f32x4.sub(v128.load(block + z), oz), iz));
  let leave = f32x4.mul(f32x4.sub(v128.load(block + BOX_MAX - x), ox), ix);
  leave = f32x4.pmin(leave, f32x4.mul(f32x4.sub(v128.load(block + BOX_MAX + 2 * ROW - y), oy), iy));
  leave = f32x4.pmin(leave, f32x4.mul(f32x4.sub(v128.load(block + BOX_MAX + 4 * ROW - z), oz), iz));
  return v128.bitselect(enter, f32x4.splat(Infinity), f32x4.le(enter, leave));
}

/**
 * The lane with the least of four non-negative numbers: compared as integers with the lane in the last bits, without
 * branches.
 */
// @ts-ignore: decorator
@inline function nearestLane(steps: v128): u32 {
  const keys = v128.or(v128.and(steps, i32x4.splat(~3)), i32x4(0, 1, 2, 3));
  const two = i32x4.min_s(keys, i32x4.shuffle(keys, keys, 2, 3, 0, 1));
  return i32x4.extract_lane(i32x4.min_s(two, i32x4.shuffle(two, two, 1, 0, 3, 2)), 0) & 3;
}

// @ts-ignore: decorator
@inline function nearRow(d: f32, axis: usize): usize { return (d < 0 ? BOX_MAX : BOX_MIN) + axis * ROW; }

/** Writes the keys of two adjacent rays: neither waits for the other, so both take hardly longer than one. */
function putKeys(ray: usize, blocks: usize, out: usize): void {
  const px = <f32>load<f64>(ray, 24), py = <f32>load<f64>(ray, 32), pz = <f32>load<f64>(ray, 40);
  const qx = <f32>load<f64>(ray, RAY_BYTES + 24), qy = <f32>load<f64>(ray, RAY_BYTES + 32), qz = <f32>load<f64>(ray, RAY_BYTES + 40);
  const pox = f32x4.splat(<f32>load<f64>(ray)), poy = f32x4.splat(<f32>load<f64>(ray, 8)), poz = f32x4.splat(<f32>load<f64>(ray, 16));
  const qox = f32x4.splat(<f32>load<f64>(ray, RAY_BYTES)), qoy = f32x4.splat(<f32>load<f64>(ray, RAY_BYTES + 8)), qoz = f32x4.splat(<f32>load<f64>(ray, RAY_BYTES + 16));
  const pix = f32x4.splat(1 / px), piy = f32x4.splat(1 / py), piz = f32x4.splat(1 / pz);
  const qix = f32x4.splat(1 / qx), qiy = f32x4.splat(1 / qy), qiz = f32x4.splat(1 / qz);
  const prx = nearRow(px, 0), pry = nearRow(py, 1), prz = nearRow(pz, 2), qrx = nearRow(qx, 0), qry = nearRow(qy, 1), qrz = nearRow(qz, 2);
  let p: u32 = 0, q: u32 = 0;
  let atP = blocks, atQ = blocks;
  for (let depth = 0; depth < KEY_DEPTH; depth++) {
    const lanesP = stepsTo(atP, prx, pry, prz, pox, poy, poz, pix, piy, piz);
    const lanesQ = stepsTo(atQ, qrx, qry, qrz, qox, qoy, qoz, qix, qiy, qiz);
    const laneP = nearestLane(lanesP), laneQ = nearestLane(lanesQ);
    p = (p << 2) | laneP;
    q = (q << 2) | laneQ;
    const nextP = load<u32>(atP + 4 * <usize>laneP, BOX_REF), nextQ = load<u32>(atQ + 4 * <usize>laneQ, BOX_REF);
    // at a leaf, it repeats the same block to the end
    if (!isLeaf(nextP) && nextP != EMPTY) atP = blocks + BOX_BLOCK_BYTES * <usize>nextP;
    if (!isLeaf(nextQ) && nextQ != EMPTY) atQ = blocks + BOX_BLOCK_BYTES * <usize>nextQ;
  }
  store<u32>(out, p);
  store<u32>(out, q, 4);
}
