/** Where the leaves of an entry are at a pair's pose, and how far apart at least. */
import { L_CENTRE, L_RADIUS, P_LIST_POSE, P_POSE } from './layout';

let pose: usize = 0;
let listed: usize = 0;
let turn: f64 = 0;
let rounding: f64 = 0;
/** The middle of the leaf of b, as seen from the centre of a. */
export let midX: f64 = 0;
export let midY: f64 = 0;
export let midZ: f64 = 0;

/** To be called when the pose of a pair has changed; `slack` is more than rounding does. */
export function openEntries(pair: usize, slack: f64): void {
  pose = pair + P_POSE;
  listed = pair + P_LIST_POSE;
  rounding = slack;
  let sq: f64 = 0;
  for (let k: usize = 0; k < 72; k += 8) { const d = load<f64>(pose + k) - load<f64>(listed + k); sq += d * d; }
  turn = sqrt(0.5 * sq) * 1.000001 + 1e-13;
}

/**
 * Finds the middle of an entry's leaf of b; returns how far apart the two leaves are at least. Points of that leaf have
 * come as far as its middle since they were listed, and no farther than the turn takes them about it (see
 * movedBetween).
 */
export function placeEntry(b: usize, wereApart: f64): f64 {
  const x = load<f64>(b, L_CENTRE), y = load<f64>(b, L_CENTRE + 8), z = load<f64>(b, L_CENTRE + 16);
  midX = load<f64>(pose) * x + load<f64>(pose, 8) * y + load<f64>(pose, 16) * z + load<f64>(pose, 72);
  midY = load<f64>(pose, 24) * x + load<f64>(pose, 32) * y + load<f64>(pose, 40) * z + load<f64>(pose, 80);
  midZ = load<f64>(pose, 48) * x + load<f64>(pose, 56) * y + load<f64>(pose, 64) * z + load<f64>(pose, 88);
  const dx = load<f64>(listed) * x + load<f64>(listed, 8) * y + load<f64>(listed, 16) * z + load<f64>(listed, 72) - midX;
  const dy = load<f64>(listed, 24) * x + load<f64>(listed, 32) * y + load<f64>(listed, 40) * z + load<f64>(listed, 80) - midY;
  const dz = load<f64>(listed, 48) * x + load<f64>(listed, 56) * y + load<f64>(listed, 64) * z + load<f64>(listed, 88) - midZ;
  return wereApart - (sqrt(dx * dx + dy * dy + dz * dz) + turn * load<f64>(b, L_RADIUS) + rounding);
}

/** A distance as float32 that is not more, nor less than 0. */
// @ts-ignore: decorator
@inline export function downOf(apart: f64): f32 { return <f32>max<f64>(0, apart * 0.9999999); }
