/**
 * Planes with a whole object on one side: no point is deeper in the object than it is below any of them. For a convex
 * object, its faces leave nothing to divide. See deepest.ts.
 *
 * Layout: 32 bytes per plane: the unit normal and the object's extent along it. The first six are the faces of its box.
 */
import { PLANE_CAPACITY, P_CAP_A, P_MISSES_A, P_PLANES, P_PLANE_COUNT_A } from './point-context';
import { reachOf } from './point-nearest';
import { along } from './polygon';

// host: PLANE_BYTES
export const PLANE_BYTES: usize = 32;
/** Maximum number of failed attempts: directions in which the object extends beyond the face that suggested them. */
const MOST_MISSES: u32 = 6;

// @ts-ignore: decorator
@inline export function planesOf(query: usize, other: usize): usize { return <usize>load<u32>(query, P_PLANES) + PLANE_BYTES * <usize>PLANE_CAPACITY * other; }

/** The greatest depth of a polygon below a plane that has the other object on one side. */
// @ts-ignore: decorator
@inline export function mostUnder(plane: usize, corners: usize, count: u32): f64 {
  const nx = load<f64>(plane), ny = load<f64>(plane, 8), nz = load<f64>(plane, 16), reach = load<f64>(plane, 24);
  let most: f64 = -Infinity;
  for (let k: u32 = 0; k < count; k++) {
    const under = reach - along(corners + 24 * <usize>k, nx, ny, nz);
    if (under > most) most = under;
  }
  return most;
}

/** An open object ends at its box: no point is deeper in it than its distance from the box. */
export function depthInBox(query: usize, other: usize, distance: f64, x: f64, y: f64, z: f64): f64 {
  const planes = planesOf(query, other);
  let depth = distance;
  for (let i: u32 = 0; i < load<u32>(query + 4 * other, P_PLANE_COUNT_A); i++) {
    const plane = planes + PLANE_BYTES * <usize>i;
    const under = load<f64>(plane, 24) - (load<f64>(plane) * x + load<f64>(plane, 8) * y + load<f64>(plane, 16) * z);
    if (under < depth) depth = under;
  }
  return depth;
}

/**
 * Tests whether the plane of the face closest to a point inside has the whole other object on one side. If so, the
 * object lies between that plane and a parallel one: both are kept.
 */
export function addPlanes(query: usize, other: usize, x: f64, y: f64, z: f64, distance: f64, footX: f64, footY: f64, footZ: f64): bool {
  const count = load<u32>(query + 4 * other, P_PLANE_COUNT_A);
  const misses = load<u32>(query + 4 * other, P_MISSES_A);
  if (misses >= MOST_MISSES || count + 2 > PLANE_CAPACITY) return false;
  const planes = planesOf(query, other);
  for (let i: u32 = 0; i < count; i++) {
    const plane = planes + PLANE_BYTES * <usize>i;
    if (load<f64>(plane, 24) - (load<f64>(plane) * x + load<f64>(plane, 8) * y + load<f64>(plane, 16) * z) < 1.01 * distance) return false;
  }
  const nx = (footX - x) / distance, ny = (footY - y) / distance, nz = (footZ - z) / distance;
  const reach = reachOf(query, other, nx, ny, nz);
  if (reach - (nx * x + ny * y + nz * z) > 1.05 * distance) {
    store<u32>(query + 4 * other, misses + 1, P_MISSES_A);
    return false;
  }
  const back = reachOf(query, other, -nx, -ny, -nz);
  storePlane(planes + PLANE_BYTES * <usize>count, nx, ny, nz, reach);
  storePlane(planes + PLANE_BYTES * <usize>(count + 1), -nx, -ny, -nz, back);
  store<u32>(query + 4 * other, count + 2, P_PLANE_COUNT_A);
  if (0.5 * (reach + back) < load<f64>(query + 8 * other, P_CAP_A)) store<f64>(query + 8 * other, 0.5 * (reach + back), P_CAP_A);
  return true;
}

// @ts-ignore: decorator
@inline export function storePlane(at: usize, nx: f64, ny: f64, nz: f64, reach: f64): void {
  store<f64>(at, nx);
  store<f64>(at, ny, 8);
  store<f64>(at, nz, 16);
  store<f64>(at, reach, 24);
}
