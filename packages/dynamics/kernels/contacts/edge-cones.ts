/**
 * The directions in which edges can touch, as cones: most pairs of edges are dropped by these alone.
 *
 * Two edges count (features.ts) along a direction n at right angles to both that leans over the faces beside the first
 * by no more than its lean, n · m ≤ sin λ for the directions m and m′ into these; and so does −n beside the second. At
 * right angles to the edge, the middle of such n is −(m + m′). With |m + m′| = 2 sin β, each m is π / 2 + β away from
 * that, so n is at most β + λ. Two edges are dropped if one middle and the opposite of the other are farther apart than
 * both angles together.
 *
 * Layout: five float32 per edge, the unit vector of the middle, cosine and sine of the angle; −1 and 0 where the faces
 * are all but flat, or not known: any direction.
 */
import { CONE_BYTES, S_EDGE_CONE, S_EDGE_INWARD } from './layout';

/** Faces that bend by less have no middle. */
const FLAT: f64 = 1e-4;
/** More than float32 rounding of all terms. */
const ROUNDING: f64 = 2e-6;

// the cone of a's edge, in b's frame
let mx: f64 = 0; let my: f64 = 0; let mz: f64 = 0; let cosine: f64 = 0; let sine: f64 = 0;

/** Writes the cones of edges whose lean, as a sine, is at most `leanOf` the bend of their faces. */
export function writeCone(shape: usize, e: u32, bend: f64, lean: f64): void {
  const m = <usize>load<u32>(shape, S_EDGE_INWARD) + 48 * <usize>e;
  const at = <usize>load<u32>(shape, S_EDGE_CONE) + CONE_BYTES * <usize>e;
  // of a direction that is not known, the square is not 1
  const known = bend > FLAT && isUnit(m) && isUnit(m + 24);
  for (let k: usize = 0; k < 3; k++) store<f32>(at + 4 * k, known ? <f32>(-(load<f64>(m + 8 * k) + load<f64>(m + 8 * k, 24)) / bend) : 0);
  const half = min<f64>(1, 0.5 * bend), wide = sqrt(1 - half * half), straight = sqrt(1 - lean * lean);
  store<f32>(at, known ? <f32>(wide * straight - half * lean) : -1, 12);
  store<f32>(at, known ? <f32>(half * straight + wide * lean) : 0, 16);
}

// @ts-ignore: decorator
@inline function isUnit(m: usize): bool {
  const x = load<f64>(m), y = load<f64>(m, 8), z = load<f64>(m, 16);
  return abs(x * x + y * y + z * z - 1) < 1e-6;
}

/** Takes the cone of an edge of a, at a pose of b in a's frame. */
export function takeCone(a: usize, e: u32, pose: usize): void {
  const at = <usize>load<u32>(a, S_EDGE_CONE) + CONE_BYTES * <usize>e;
  const x = <f64>load<f32>(at), y = <f64>load<f32>(at, 4), z = <f64>load<f32>(at, 8);
  mx = load<f64>(pose) * x + load<f64>(pose, 24) * y + load<f64>(pose, 48) * z;
  my = load<f64>(pose, 8) * x + load<f64>(pose, 32) * y + load<f64>(pose, 56) * z;
  mz = load<f64>(pose, 16) * x + load<f64>(pose, 40) * y + load<f64>(pose, 64) * z;
  cosine = <f64>load<f32>(at, 12);
  sine = <f64>load<f32>(at, 16);
}

/** Whether an edge of b can touch it. */
export function mayOppose(b: usize, e: u32): bool {
  const at = <usize>load<u32>(b, S_EDGE_CONE) + CONE_BYTES * <usize>e;
  const c = <f64>load<f32>(at, 12), s = <f64>load<f32>(at, 16);
  // together half a turn or more
  if (sine * c + cosine * s <= ROUNDING) return true;
  return -(mx * <f64>load<f32>(at) + my * <f64>load<f32>(at, 4) + mz * <f64>load<f32>(at, 8)) >= cosine * c - sine * s - ROUNDING;
}
