/**
 * Two moving elements as one moving patch W + x A + y B around the origin.
 * Twin: src/geometry/ccd/difference-patch.ts, which defines the patch and derives the bounds.
 *
 * Layout: float64. W, A, B with x, y, z of each at T0 and T1 in turn; the volume's coefficients, their error, the sizes
 * of W, A and B, the possible loss by underflow; u32 its pair; at ANSWER t, u, v, nx, ny, nz; two roots.
 */
export const W: usize = 0;
export const A: usize = 48;
export const B: usize = 96;
export const VOLUME: usize = 144;
export const ERROR: usize = 176;
export const SIZE_W: usize = 184;
export const SIZE_A: usize = 192;
export const SIZE_B: usize = 200;
export const LOST: usize = 208;
export const PAIR: usize = 216;
export const ANSWER: usize = 224;
export const FIRST_ROOT: usize = 272;
export const SECOND_ROOT: usize = 304;
export const PATCH_BYTES: usize = 336;

// a root: the sign of the volume before it, or one of these; a time before, near and after it
export const EARLY: usize = 8;
export const TIME: usize = 16;
export const LATE: usize = 24;
export const NOT_FOUND: f64 = 0;
export const NO_ROOT: f64 = 2;

export const MISS: i32 = 0;
export const HIT: i32 = 1;
export const DOUBT: i32 = 2;

const UNIT: f64 = 1.1102230246251565e-16;
export const UNDERFLOW: f64 = 1e-300;
export const VOLUME_BOUND: f64 = 256 * UNIT;
export const CROSS_BOUND: f64 = 32 * UNIT;
export const PROJECTION_BOUND: f64 = 16 * UNIT;

/** A coordinate at time t = 1 − s. */
// @ts-ignore: decorator
@inline export function coordinate(at: usize, s: f64, t: f64): f64 {
  return s * load<f64>(at) + t * load<f64>(at, 8);
}
