/**
 * What hashing alone would leave to test, for comparison: the paper's own scheme without its culling.
 *
 * One grid, whose cells are as large as the largest extent of any moving triangle's 26-DOP (floors would make them
 * useless); a table of a fifth as many slots as there are triangles; every triangle in the slots of all cells that its box touches, cells that hash alike together.
 * Paper: Jung and Choi, section 6.2; the hash of cells is the usual one of three large primes.
 */
import { arena } from '../base/arena.js';
import { Ctx, MOTION_BYTES } from './layout.js';

const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 1, 0],
  [0, 1, 1],
  [1, 0, 1],
  [1, -1, 0],
  [0, 1, -1],
  [1, 0, -1],
  [1, 1, 1],
  [1, 1, -1],
  [1, -1, 1],
  [1, -1, -1],
] as const;
const TABLE_SHARE = 0.2;

/** Pairs of triangles in the same slot, summed over all slots, for the step that was last swept. */
export function countHashedPairs(ctx: number): number {
  const words = arena().u32();
  const count = words[(ctx >>> 2) + Ctx.triangleCount];
  const staticCount = words[(ctx >>> 2) + Ctx.staticTriangleCount];
  const boxes = new Float64Array(6 * count);
  let cell = 0;
  for (let t = 0; t < count; t++) {
    const extent = measure(ctx, t, boxes);
    if (t >= staticCount) cell = Math.max(cell, extent);
  }
  if (cell === 0) cell = 1; // nothing moves, or only points do
  const slots = new Uint32Array(Math.max(1, Math.floor(TABLE_SHARE * count)));
  const touched = new Set<number>();
  let everywhere = 0;
  for (let t = 0; t < count; t++) {
    const from = [0, 1, 2].map((c) => Math.floor(boxes[6 * t + c] / cell || 0));
    const to = [3, 4, 5].map((c) => Math.floor(boxes[6 * t + c] / cell || 0));
    touched.clear();
    const cells = [0, 1, 2].reduce((product, k) => product * (to[k] - from[k] + 1), 1);
    if (cells > slots.length) {
      everywhere++; // more cells than slots: in nearly all of them
      continue;
    }
    for (let x = from[0]; x <= to[0]; x++) {
      for (let y = from[1]; y <= to[1]; y++) {
        for (let z = from[2]; z <= to[2]; z++) touched.add(slotOf(x, y, z, slots.length));
      }
    }
    for (const slot of touched) slots[slot]++;
  }
  return slots.reduce((sum, n) => sum + ((n + everywhere) * (n + everywhere - 1)) / 2, 0);
}

function slotOf(x: number, y: number, z: number, slots: number): number {
  return ((Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) >>> 0) % slots;
}

/** Writes the swept box of a triangle; returns the largest extent of its 26-DOP. */
function measure(ctx: number, triangle: number, boxes: Float64Array): number {
  const words = arena().u32();
  const floats = arena().f32();
  const corners = (words[(ctx >>> 2) + Ctx.corners] >>> 2) + 3 * triangle;
  const motions = words[(ctx >>> 2) + Ctx.motions] >>> 2;
  let largest = 0;
  AXES.forEach(([ax, ay, az], axis) => {
    let lo = Infinity;
    let hi = -Infinity;
    for (let k = 0; k < 3; k++) {
      const at = motions + (MOTION_BYTES / 4) * words[corners + k];
      for (const end of [at, at + 4]) {
        const value = ax * floats[end] + ay * floats[end + 1] + az * floats[end + 2];
        lo = Math.min(lo, value);
        hi = Math.max(hi, value);
      }
    }
    if (axis < 3) {
      boxes[6 * triangle + axis] = lo;
      boxes[6 * triangle + 3 + axis] = hi;
    }
    largest = Math.max(largest, (hi - lo) / Math.hypot(ax, ay, az));
  });
  return largest;
}
