/** The position of the leaves of an entry at a pair's pose, and a lower bound of their distance. */
import { L_CENTRE, L_RADIUS, POSE_BYTES, P_LIST_POSE, P_POSE } from './layout';

let pose: usize = 0;
let listed: usize = 0;
let turn: f64 = 0;
let rounding: f64 = 0;
/** Whether the pair is where its leaves were listed. */
export let isHere: bool = false;
/** The middle of the leaf of b, relative to the centre of a. */
export let midX: f64 = 0;
export let midY: f64 = 0;
export let midZ: f64 = 0;

/** Must be called when the pose of a pair has changed; `slack` exceeds the rounding. */
export function openEntries(pair: usize, slack: f64): void {
  pose = pair + P_POSE;
  listed = pair + P_LIST_POSE;
  rounding = slack;
  let sq: f64 = 0;
  for (let k: usize = 0; k < 72; k += 8) { const d = load<f64>(pose + k) - load<f64>(listed + k); sq += d * d; }
  turn = sqrt(0.5 * sq) * 1.000001 + 1e-13;
  isHere = memory.compare(pose, listed, POSE_BYTES) == 0;
}

/**
 * Finds the middle of an entry's leaf of b; returns a lower bound of the distance of the two leaves. Since they were
 * listed, points of that leaf have moved as far as its middle, plus at most the motion of its rotation about the middle
 * (see movedBetween).
 */
export function placeEntry(b: usize, wereApart: f64): f64 {
  placeLeaf(b);
  if (isHere) return wereApart;
  const x = load<f64>(b, L_CENTRE), y = load<f64>(b, L_CENTRE + 8), z = load<f64>(b, L_CENTRE + 16);
  const dx = load<f64>(listed) * x + load<f64>(listed, 8) * y + load<f64>(listed, 16) * z + load<f64>(listed, 72) - midX;
  const dy = load<f64>(listed, 24) * x + load<f64>(listed, 32) * y + load<f64>(listed, 40) * z + load<f64>(listed, 80) - midY;
  const dz = load<f64>(listed, 48) * x + load<f64>(listed, 56) * y + load<f64>(listed, 64) * z + load<f64>(listed, 88) - midZ;
  return wereApart - (sqrt(dx * dx + dy * dy + dz * dz) + turn * load<f64>(b, L_RADIUS) + rounding);
}

/** Finds the middle of a leaf of b. */
// @ts-ignore: decorator
@inline export function placeLeaf(b: usize): void {
  const x = load<f64>(b, L_CENTRE), y = load<f64>(b, L_CENTRE + 8), z = load<f64>(b, L_CENTRE + 16);
  midX = load<f64>(pose) * x + load<f64>(pose, 8) * y + load<f64>(pose, 16) * z + load<f64>(pose, 72);
  midY = load<f64>(pose, 24) * x + load<f64>(pose, 32) * y + load<f64>(pose, 40) * z + load<f64>(pose, 80);
  midZ = load<f64>(pose, 48) * x + load<f64>(pose, 56) * y + load<f64>(pose, 64) * z + load<f64>(pose, 88);
}

/** A float32 that is no larger than a distance, and not negative. */
// @ts-ignore: decorator
@inline export function downOf(apart: f64): f32 { return <f32>max<f64>(0, apart * 0.9999999); }
