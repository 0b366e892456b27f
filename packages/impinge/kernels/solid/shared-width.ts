/**
 * An upper bound of the width of the space that two objects share, along the normals of the planes that bound either
 * (deepest-planes.ts).
 *
 * Along such a normal n, one object ends at the plane, and the other ends at its own extent along −n; the space that
 * both fill lies between. So does every point of one surface inside the other, and its depth there is at most this
 * width, because it can leave along n. The inside of an open object ends at its box, so for open objects this holds
 * only for their own planes.
 */
import { PLANE_BYTES, planesOf } from './deepest-planes';
import { P_A_TO_B, P_B_TO_A, P_PLANE_COUNT_A, P_TOLERANCE } from './point-context';
import { reachOf } from './point-nearest';

/**
 * The least width along the planes of some sides (bit 0: a, bit 1: b); the search stops at a width of at most `enough`.
 * The result is ≤ 0 if they share nothing.
 */
export function sharedWidth(query: usize, sides: u32, enough: f64): f64 {
  let width: f64 = Infinity;
  for (let side: usize = 0; side < 2; side++) {
    if (!(sides & (1 << <u32>side))) continue;
    const planes = planesOf(query, side);
    const count = load<u32>(query + 4 * side, P_PLANE_COUNT_A);
    const across = query + (side == 0 ? P_A_TO_B : P_B_TO_A);
    for (let i: u32 = 0; i < count && width > enough; i++) {
      const plane = planes + PLANE_BYTES * <usize>i;
      const nx = load<f64>(plane), ny = load<f64>(plane, 8), nz = load<f64>(plane, 16);
      const mx = load<f64>(across) * nx + load<f64>(across, 8) * ny + load<f64>(across, 16) * nz;
      const my = load<f64>(across, 24) * nx + load<f64>(across, 32) * ny + load<f64>(across, 40) * nz;
      const mz = load<f64>(across, 48) * nx + load<f64>(across, 56) * ny + load<f64>(across, 64) * nz;
      const shift = mx * load<f64>(across, 72) + my * load<f64>(across, 80) + mz * load<f64>(across, 88);
      const own = load<f64>(plane, 24) + reachOf(query, 1 - side, -mx, -my, -mz) + shift + load<f64>(query, P_TOLERANCE);
      if (own < width) width = own;
    }
  }
  return width;
}
