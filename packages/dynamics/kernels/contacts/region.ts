/**
 * The region where two bodies can be near each other: the intersection of a's box, enlarged by a distance, with b's
 * box.
 *
 * Idea: turning bodies move far at points far from their centres, but mostly touch in a small place. Near parts lie in
 * the region, so only the motion of points in the region matters: that of its middle, plus a rotation about it.
 */
import { P_POSE, P_SHAPE_A, P_SHAPE_B, S_BOX } from './layout';
import { paceAt, paceX, paceY, paceZ, spin } from './pace';

/** The middle in a's frame, and half the diagonal. */
export let regionX: f64 = 0;
export let regionY: f64 = 0;
export let regionZ: f64 = 0;
export let regionSize: f64 = 0;
/** The distance of the boxes if there is no region. */
export let boxGap: f64 = 0;

/** Computes the region of everything within a distance of a at a pair's pose; false if there is none. */
export function openRegion(pair: usize, within: f64): bool {
  const a: usize = load<u32>(pair, P_SHAPE_A) + S_BOX, b: usize = load<u32>(pair, P_SHAPE_B) + S_BOX;
  const p = pair + P_POSE;
  let sizeSq: f64 = 0;
  boxGap = 0;
  for (let k: usize = 0; k < 3; k++) {
    const row = p + 24 * k;
    let middle = load<f64>(p + 8 * k, 72), half: f64 = 0;
    for (let j: usize = 0; j < 24; j += 8) {
      middle += load<f64>(row + j) * load<f64>(b + j);
      half += abs(load<f64>(row + j)) * load<f64>(b + j, 24);
    }
    const own = load<f64>(a + 8 * k), ownHalf = load<f64>(a + 8 * k, 24) + within;
    const low = max(middle - half, own - ownHalf), high = min(middle + half, own + ownHalf);
    boxGap = max(boxGap, low - high + within);
    middle = 0.5 * (low + high);
    if (k == 0) regionX = middle;
    else if (k == 1) regionY = middle;
    else regionZ = middle;
    sizeSq += 0.25 * (high - low) * (high - low);
  }
  if (boxGap > within) return false;
  regionSize = sqrt(sizeSq) * (1 + 1e-12);
  return true;
}

/** Upper bound of the distance that points of b in the region have moved since b was at a given pose in a's frame. */
export function movedInRegion(pair: usize, from: usize): f64 {
  const p = pair + P_POSE;
  const x = regionX - load<f64>(p, 72), y = regionY - load<f64>(p, 80), z = regionZ - load<f64>(p, 88);
  const bx = load<f64>(p) * x + load<f64>(p, 24) * y + load<f64>(p, 48) * z;
  const by = load<f64>(p, 8) * x + load<f64>(p, 32) * y + load<f64>(p, 56) * z;
  const bz = load<f64>(p, 16) * x + load<f64>(p, 40) * y + load<f64>(p, 64) * z;
  const dx = load<f64>(from) * bx + load<f64>(from, 8) * by + load<f64>(from, 16) * bz + load<f64>(from, 72) - regionX;
  const dy = load<f64>(from, 24) * bx + load<f64>(from, 32) * by + load<f64>(from, 40) * bz + load<f64>(from, 80) - regionY;
  const dz = load<f64>(from, 48) * bx + load<f64>(from, 56) * by + load<f64>(from, 64) * bz + load<f64>(from, 88) - regionZ;
  let turn: f64 = 0;
  for (let k: usize = 0; k < 72; k += 8) { const d = load<f64>(p + k) - load<f64>(from + k); turn += d * d; }
  return sqrt(dx * dx + dy * dy + dz * dz) + (sqrt(0.5 * turn) + 1e-13) * regionSize * 1.000001;
}

/** The greatest speed of points of b in the region, relative to a. */
export function fastestInRegion(): f64 {
  paceAt(regionX, regionY, regionZ);
  return sqrt(paceX * paceX + paceY * paceY + paceZ * paceZ) + spin * regionSize;
}
