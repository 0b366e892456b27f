/**
 * Casts rays down a box tree, the nearest of four boxes first: finds the first triangle that a ray meets, any, or all.
 *
 * Layout: the stack holds (reference, steps to the box as float32); each step pops one entry, continues with one child
 * and pushes at most three, one step deeper: 3 · 72 + 4 entries suffice.
 * Errs: a box is entered earlier and left later by `coarse` along each axis, more than the rounding of its bounds: no
 * box that the ray meets is dropped. Of hits at the same distance, the one with the lower triangle number comes first.
 */
import { EMPTY, isLeaf, leafCount, leafStart } from '../layout';
import {
  ALL, ANY, BOXES_BLOCKS, BOXES_CORNERS, BOXES_ORDER, BOX_BLOCK_BYTES, BOX_REF, COUNT, DONE, FULL, HIT_BYTES, HIT_CORNERS, HIT_DISTANCE, HIT_RAY, HIT_ROW, HIT_TRIANGLE, HIT_U, HIT_V,
  RAY_BYTES, RAY_LEAST, RAY_MOST, R_COUNT, R_DOUBTS, R_DOUBT_CAPACITY, R_DOUBT_COUNT, R_FACES, R_HITS, R_HIT_CAPACITY, R_HIT_COUNT,
  R_MODE, R_NEXT, R_RAYS, R_TREE,
} from './layout';
import {
  UNIT, aim, coarse, farRowX, farRowY, farRowZ, inverseScale, nearRowX, nearRowY, nearRowZ, originX, originY, originZ, scale,
  skipped, stepsX, stepsY, stepsZ,
} from './ray';
import { MAYBE, NO, candidates, decide, hitSteps, hitU, hitV } from './ray-triangle';
import { readAhead } from './read-ahead';
import { LANE_KEYS, LEAF_TRIANGLES, STACK, scratch } from './scratch';

// the best hit so far
let bestDistance: f64 = 0, bestU: f64 = 0, bestV: f64 = 0;
let bestTriangle: u32 = EMPTY;
let bestCorners: usize = 0, bestRow: usize = 0;

/** Casts the rays from R_NEXT on. FULL: the lists have no room for the hits of the next one. */
export function castRays(query: usize): i32 {
  const count = load<u32>(query, R_COUNT);
  const rays = <usize>load<u32>(query, R_RAYS);
  const hits = <usize>load<u32>(query, R_HITS);
  const all = load<u32>(query, R_MODE) == ALL;
  for (let i = load<u32>(query, R_NEXT); i < count; i++) {
    const doubts = load<u32>(query, R_DOUBT_COUNT), found = load<u32>(query, R_HIT_COUNT);
    if (!cast(query, rays + RAY_BYTES * <usize>i, i)) {
      store<u32>(query, doubts, R_DOUBT_COUNT);
      store<u32>(query, found, R_HIT_COUNT);
      store<u32>(query, i, R_NEXT);
      return FULL;
    }
    if (!all) writeHit(hits + HIT_BYTES * <usize>i, bestDistance, bestU, bestV, bestTriangle, i, bestCorners, bestRow);
  }
  store<u32>(query, count, R_NEXT);
  return DONE;
}

// @ts-ignore: decorator
@inline function writeHit(at: usize, distance: f64, u: f64, v: f64, triangle: u32, ray: u32, corners: usize, row: usize): void {
  store<f64>(at, distance, HIT_DISTANCE);
  store<f64>(at, u, HIT_U);
  store<f64>(at, v, HIT_V);
  store<u32>(at, triangle, HIT_TRIANGLE);
  store<u32>(at, ray, HIT_RAY);
  store<u32>(at, <u32>corners, HIT_CORNERS);
  store<u32>(at, <u32>row, HIT_ROW);
}

/** The greatest number of steps to a box that may contain a hit at this distance, rounded up. */
// @ts-ignore: decorator
@inline function reachOf(distance: f64): f32 {
  const steps = distance * inverseScale;
  const ahead = steps * (1 + 8 * UNIT) - skipped;
  return <f32>(ahead + abs(ahead) * 1.2e-7);
}

/** Casts one ray down the tree. Returns false if a list has no room. */
function cast(query: usize, ray: usize, number: u32): bool {
  const boxes = <usize>load<u32>(query, R_TREE);
  const mode = load<u32>(query, R_MODE), faces = load<u32>(query, R_FACES);
  const atLeast = load<f64>(ray, RAY_LEAST);
  bestTriangle = mode == COUNT ? 0 : EMPTY;
  bestDistance = load<f64>(ray, RAY_MOST);
  if (!aim(ray, boxes)) return true;
  const blocks = boxes + load<u32>(boxes, BOXES_BLOCKS);
  const order = boxes + load<u32>(boxes, BOXES_ORDER);
  const corners = boxes + load<u32>(boxes, BOXES_CORNERS);
  const stack = scratch + STACK, keys = scratch + LANE_KEYS, triangles = scratch + LEAF_TRIANGLES;

  const nearX = nearRowX, nearY = nearRowY, nearZ = nearRowZ, farX = farRowX, farY = farRowY, farZ = farRowZ;
  const ix = f32x4.splat(<f32>stepsX), iy = f32x4.splat(<f32>stepsY), iz = f32x4.splat(<f32>stepsZ);
  const ex = stepsX < 0 ? -coarse : coarse, ey = stepsY < 0 ? -coarse : coarse, ez = stepsZ < 0 ? -coarse : coarse;
  const inX = f32x4.splat(<f32>(originX + ex)), inY = f32x4.splat(<f32>(originY + ey)), inZ = f32x4.splat(<f32>(originZ + ez));
  const outX = f32x4.splat(<f32>(originX - ex)), outY = f32x4.splat(<f32>(originY - ey)), outZ = f32x4.splat(<f32>(originZ - ez));
  const zero = f32x4.splat(0);
  let reach = reachOf(bestDistance);
  let top = stack;
  let ref: u32 = 0;
  let ahead: u32 = 0;
  while (true) {
    if (isLeaf(ref)) {
      const first = corners + 36 * <usize>leafStart(ref);
      const row: usize = 4 * <usize>leafCount(ref);
      // load the numbers together with the corners, so that they do not wait for these to arrive
      v128.store(triangles, v128.load(order + 4 * <usize>leafStart(ref)));
      let mask = candidates(first, row, leafCount(ref));
      while (mask) {
        const lane = <usize>ctz(mask) << 2;
        mask &= mask - 1;
        const verdict = decide(first + lane, row, faces);
        if (verdict == NO) continue;
        const triangle = load<u32>(triangles + lane);
        if (verdict == MAYBE) {
          if (!doubt(query, triangle, number)) return false;
          continue;
        }
        const distance = (skipped + hitSteps) * scale;
        if (!(distance >= atLeast && distance <= bestDistance)) continue;
        if (mode == COUNT) {
          bestTriangle++;
          continue;
        }
        if (mode == ALL) {
          const found = load<u32>(query, R_HIT_COUNT);
          if (found == load<u32>(query, R_HIT_CAPACITY)) return false;
          writeHit(<usize>load<u32>(query, R_HITS) + HIT_BYTES * <usize>found, distance, hitU, hitV, triangle, number, first + lane, row);
          store<u32>(query, found + 1, R_HIT_COUNT);
          continue;
        }
        if (distance == bestDistance && triangle > bestTriangle) continue;
        bestDistance = distance;
        bestTriangle = triangle;
        bestU = hitU;
        bestV = hitV;
        bestCorners = first + lane;
        bestRow = row;
        if (mode == ANY) return true;
        reach = reachOf(distance);
      }
    } else {
      const block = blocks + BOX_BLOCK_BYTES * <usize>ref;
      let enter = f32x4.pmax(f32x4.mul(f32x4.sub(v128.load(block + nearX), inX), ix), zero);
      enter = f32x4.pmax(enter, f32x4.mul(f32x4.sub(v128.load(block + nearY), inY), iy));
      enter = f32x4.pmax(enter, f32x4.mul(f32x4.sub(v128.load(block + nearZ), inZ), iz));
      let leave = f32x4.pmin(f32x4.splat(reach), f32x4.mul(f32x4.sub(v128.load(block + farX), outX), ix));
      leave = f32x4.pmin(leave, f32x4.mul(f32x4.sub(v128.load(block + farY), outY), iy));
      leave = f32x4.pmin(leave, f32x4.mul(f32x4.sub(v128.load(block + farZ), outZ), iz));
      let mask = i32x4.bitmask(f32x4.le(enter, leave));
      if (mask) {
        const lane = <usize>ctz(mask) << 2;
        mask &= mask - 1;
        ref = load<u32>(block + lane, BOX_REF);
        if (!mask) continue;
        v128.store(keys, enter);
        let key = load<f32>(keys + lane);
        const first = top;
        do {
          const next = <usize>ctz(mask) << 2;
          mask &= mask - 1;
          let other = load<u32>(block + next, BOX_REF);
          let otherKey = load<f32>(keys + next);
          if (otherKey < key) {
            const kept = ref, keptKey = key;
            ref = other; key = otherKey;
            other = kept; otherKey = keptKey;
          }
          ahead |= readAhead(other, blocks, corners);
          let at = top;
          while (at > first && load<f32>(at - 4) < otherKey) {
            store<u64>(at, load<u64>(at - 8));
            at -= 8;
          }
          store<u32>(at, other);
          store<f32>(at, otherKey, 4);
          top += 8;
        } while (mask);
        continue;
      }
    }
    do {
      if (top == stack) {
        store<u32>(keys, ahead);
        return true;
      }
      top -= 8;
    } while (load<f32>(top, 4) > reach);
    ref = load<u32>(top);
  }
}

function doubt(query: usize, triangle: u32, number: u32): bool {
  const count = load<u32>(query, R_DOUBT_COUNT);
  if (count == load<u32>(query, R_DOUBT_CAPACITY)) return false;
  const at = <usize>load<u32>(query, R_DOUBTS) + 8 * <usize>count;
  store<u32>(at, triangle);
  store<u32>(at, number, 4);
  store<u32>(query, count + 1, R_DOUBT_COUNT);
  return true;
}
