/** The velocity of points of b relative to a, both at their present speeds: u + w × x at x, in a's frame. */

// host: CHANGE
/** Additional motion, in any direction, after bodies have pushed each other: as a share of their speed. */
export const CHANGE: f64 = 0.25;

let ux: f64 = 0; let uy: f64 = 0; let uz: f64 = 0;
let wx: f64 = 0; let wy: f64 = 0; let wz: f64 = 0;
export let spin: f64 = 0;

/**
 * Sets the poses (see poses.ts) and speeds (velocity and spin) of two bodies; `relative` is the pose of b in a's frame.
 */
export function takePace(p: usize, relative: usize, paceA: usize, paceB: usize): void {
  const vx = load<f64>(paceB) - load<f64>(paceA), vy = load<f64>(paceB, 8) - load<f64>(paceA, 8), vz = load<f64>(paceB, 16) - load<f64>(paceA, 16);
  const ox = load<f64>(paceB, 24), oy = load<f64>(paceB, 32), oz = load<f64>(paceB, 40);
  const sx = ox - load<f64>(paceA, 24), sy = oy - load<f64>(paceA, 32), sz = oz - load<f64>(paceA, 40);
  const bx = across(p, 0, ox, oy, oz), by = across(p, 8, ox, oy, oz), bz = across(p, 16, ox, oy, oz);
  const tx = load<f64>(relative, 72), ty = load<f64>(relative, 80), tz = load<f64>(relative, 88);
  ux = across(p, 0, vx, vy, vz) - (by * tz - bz * ty);
  uy = across(p, 8, vx, vy, vz) - (bz * tx - bx * tz);
  uz = across(p, 16, vx, vy, vz) - (bx * ty - by * tx);
  wx = across(p, 0, sx, sy, sz); wy = across(p, 8, sx, sy, sz); wz = across(p, 16, sx, sy, sz);
  spin = sqrt(wx * wx + wy * wy + wz * wz);
}

/** A column of a rotation times a vector. */
// @ts-ignore: decorator
@inline function across(p: usize, column: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(p + column) * x + load<f64>(p + column, 24) * y + load<f64>(p + column, 48) * z;
}

/** The velocity at the last place evaluated. */
export let paceX: f64 = 0;
export let paceY: f64 = 0;
export let paceZ: f64 = 0;
export function paceAt(x: f64, y: f64, z: f64): void {
  paceX = ux + wy * z - wz * y; paceY = uy + wz * x - wx * z; paceZ = uz + wx * y - wy * x;
}

/** Writes the motion of points of b in a time h: x in its own frame moves by M x + m, in a's frame. */
export function writeMotion(relative: usize, h: f64, out: usize): void {
  for (let j: usize = 0; j < 4; j++) {
    // columns of a rotation, then the translation
    const from = relative + (j < 3 ? 8 * j : 72), to = out + (j < 3 ? 8 * j : 72), row: usize = j < 3 ? 24 : 8;
    const x = load<f64>(from), y = load<f64>(from + row), z = load<f64>(from + 2 * row);
    const still: f64 = j < 3 ? 0 : 1;
    store<f64>(to, h * (still * ux + wy * z - wz * y));
    store<f64>(to + row, h * (still * uy + wz * x - wx * z));
    store<f64>(to + 2 * row, h * (still * uz + wx * y - wy * x));
  }
}
