/**
 * How far two convex shapes are apart, by their hulls: the corners of both, as float32 rows in the coordinates of their
 * meshes (../hulls). The search begins with the corners that were nearest last time.
 */
import { hullsApart } from '../hulls/hull-distance';
import { farthest, P_CORNERS, P_FAR, P_HULL_A, P_HULL_B, P_LOWER, P_NORMAL, P_POSE as Q_POSE, P_ROUNDING, P_STRIDE_A, P_STRIDE_B } from '../hulls/hull';
import { roundingOf } from '../contacts/near-leaves';
import { P_POSE, P_SHAPE_A, P_SHAPE_B, P_SIMPLEX, SIMPLEX_BYTES, S_CENTRE, S_HULL, S_HULL_STRIDE } from '../contacts/layout';
import { question } from '../contacts/scratch';

/** No two points of the surfaces are nearer; a unit vector from a to b, in a's frame. */
export let apart: f64 = 0;
export let awayX: f64 = 0;
export let awayY: f64 = 0;
export let awayZ: f64 = 0;

// @ts-ignore: decorator
@inline function hullOf(shape: usize): usize { return <usize>load<u32>(shape, S_HULL); }

/** Whether both shapes of a pair are convex. */
export function areConvex(pair: usize): bool {
  return hullOf(load<u32>(pair, P_SHAPE_A)) != 0 && hullOf(load<u32>(pair, P_SHAPE_B)) != 0;
}

/**
 * Finds the distance at the pair's pose, or that it is above `far`, and the direction between closest points; false
 * where the shapes are too near each other to tell.
 */
export function findNearest(pair: usize, far: f64): bool {
  const a: usize = load<u32>(pair, P_SHAPE_A), b: usize = load<u32>(pair, P_SHAPE_B);
  store<u32>(question, load<u32>(a, S_HULL), P_HULL_A);
  store<u32>(question, load<u32>(b, S_HULL), P_HULL_B);
  store<u32>(question, load<u32>(a, S_HULL_STRIDE), P_STRIDE_A);
  store<u32>(question, load<u32>(b, S_HULL_STRIDE), P_STRIDE_B);
  const r = pair + P_POSE, p = question + Q_POSE;
  memory.copy(p, r, 72);
  for (let k: usize = 0; k < 3; k++) {
    const x = load<f64>(b, S_CENTRE), y = load<f64>(b, S_CENTRE + 8), z = load<f64>(b, S_CENTRE + 16);
    const row = r + 24 * k;
    const shift = load<f64>(r + 8 * k, 72) + load<f64>(a + 8 * k, S_CENTRE);
    store<f64>(p + 8 * k, shift - (load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z), 72);
  }
  store<f64>(question, far, P_FAR);
  store<f64>(question, roundingOf(pair), P_ROUNDING);
  memory.copy(question + P_CORNERS, pair + P_SIMPLEX, SIMPLEX_BYTES);
  const inside = hullsApart(question) > 0;
  memory.copy(pair + P_SIMPLEX, question + P_CORNERS, SIMPLEX_BYTES);
  apart = load<f64>(question, P_LOWER);
  if (inside || !(apart > 0)) return false;
  awayX = load<f64>(question, P_NORMAL); awayY = load<f64>(question, P_NORMAL + 8); awayZ = load<f64>(question, P_NORMAL + 16);
  return true;
}

/** How far the corners of a shape reach along a direction in its frame, from its centre. */
export function reachAlong(shape: usize, x: f64, y: f64, z: f64): f64 {
  const stride = load<u32>(shape, S_HULL_STRIDE);
  const at = hullOf(shape) + (<usize>farthest(hullOf(shape), stride, x, y, z) << 2), row = <usize>stride << 2;
  return x * (<f64>load<f32>(at) - load<f64>(shape, S_CENTRE)) + y * (<f64>load<f32>(at + row) - load<f64>(shape, S_CENTRE + 8))
    + z * (<f64>load<f32>(at + 2 * row) - load<f64>(shape, S_CENTRE + 16));
}

/** The gap from a to b along a direction in a's frame, with b at a pose there. */
export function gapAlong(pair: usize, p: usize, x: f64, y: f64, z: f64): f64 {
  const bx = load<f64>(p) * x + load<f64>(p, 24) * y + load<f64>(p, 48) * z;
  const by = load<f64>(p, 8) * x + load<f64>(p, 32) * y + load<f64>(p, 56) * z;
  const bz = load<f64>(p, 16) * x + load<f64>(p, 40) * y + load<f64>(p, 64) * z;
  const shift = x * load<f64>(p, 72) + y * load<f64>(p, 80) + z * load<f64>(p, 88);
  return shift - reachAlong(load<u32>(pair, P_SHAPE_B), -bx, -by, -bz) - reachAlong(load<u32>(pair, P_SHAPE_A), x, y, z);
}
