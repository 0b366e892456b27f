/**
 * The distance of the triangle in the work space from the core of a shape: the axis of a sphere or capsule, or a convex
 * shape itself, which it does not meet.
 */
import { gapX, gapY, gapZ, triangleDistanceSq } from '../triangles';
import { planeDistance, setConvex } from './convex';
import { CONVEX, S_BOX, S_FACES, S_FACE_COUNT, S_FROM, S_KIND, S_TO } from './layout';
import { axisDistanceSq, setRound } from './round';
import { CORE_BOX, TRIANGLE, scratch } from './scratch';

/** Vector from the core to the triangle between the closest points, of any positive length. */
export let wayX: f64 = 0, wayY: f64 = 0, wayZ: f64 = 0;
export function setWay(x: f64, y: f64, z: f64): void { wayX = x; wayY = y; wayZ = z; }
/** Box around the core, six float64. */
export let coreBox: usize = 0;

export function setCore(query: usize): void {
  coreBox = scratch + CORE_BOX;
  const isConvex = load<u32>(query, S_KIND) == CONVEX;
  if (isConvex) setConvex(query);
  else setRound(query);
  for (let k: usize = 0; k < 24; k += 8) {
    const from = load<f64>(query + k + (isConvex ? S_BOX : S_FROM)), to = load<f64>(query + k + (isConvex ? S_BOX + 24 : S_TO));
    store<f64>(coreBox + k, min(from, to));
    store<f64>(coreBox + k, max(from, to), 24);
  }
}

/** The distance if it is at most `limit`, otherwise any larger number. */
export function gapOf(query: usize, limit: f64): f64 {
  if (load<u32>(query, S_KIND) != CONVEX) {
    const square = axisDistanceSq();
    wayX = gapX; wayY = gapY; wayZ = gapZ;
    return sqrt(square);
  }
  const triangle = scratch + TRIANGLE;
  const least = planeDistance(query, triangle);
  if (least > limit || !load<u32>(query, S_FACE_COUNT)) return least;
  let best: f64 = Infinity;
  let face = <usize>load<u32>(query, S_FACES);
  for (let i = load<u32>(query, S_FACE_COUNT); i > 0; i--, face += 72) {
    const square = triangleDistanceSq(face, triangle);
    if (!(square < best)) continue;
    best = square;
    wayX = gapX; wayY = gapY; wayZ = gapZ;
  }
  return max(sqrt(best), least);
}
