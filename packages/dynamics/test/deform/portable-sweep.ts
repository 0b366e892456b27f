/**
 * Twin of kernels/deform/sweep.ts and dop.ts: the same numbers, one vertex after the other.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { Ctx, DOP_BYTES, MOTION_BYTES, NONE } from '../../src/deform/layout.generated.js';

const HUGE = 1e30;
const fround = Math.fround;

/**
 * Writes motions and quantised DOPs of vertices [from, to) and the box around them; returns the first bad vertex, or
 * NONE.
 */
export function sweepVertices(ctx: number, from: number, to: number, report: number): number {
  const words = arena().u32();
  const positions = arena().f64();
  const floats = arena().f32();
  const dops = new Int16Array(arena().memory.buffer);
  const centre = (ctx >>> 3) + Ctx.centre / 2;
  const range = arena().i32()[(ctx >>> 2) + Ctx.range];
  const box = new Float32Array(8).fill(Infinity, 0, 4).fill(-Infinity, 4);
  for (let v = from; v < to; v++) {
    for (let end = 0; end < 2; end++) {
      const at = (words[(ctx >>> 2) + Ctx.start + end] >>> 3) + 3 * v;
      const out = ((words[(ctx >>> 2) + Ctx.motions] + MOTION_BYTES * v) >>> 2) + 4 * end;
      for (let c = 0; c < 3; c++) {
        if (!(Math.abs(positions[at + c]) <= HUGE)) return v;
        floats[out + c] = positions[at + c] - positions[centre + c];
      }
      floats[out + 3] = 0;
      for (let c = 0; c < 4; c++) {
        box[c] = Math.min(box[c], floats[out + c]);
        box[4 + c] = Math.max(box[4 + c], floats[out + c]);
      }
      const dop = ((words[(ctx >>> 2) + Ctx.dops] + DOP_BYTES * v) >>> 1) + 16 * end;
      writeDop(floats[out], floats[out + 1], floats[out + 2], range, dops, dop);
    }
  }
  floats.set(box, report >>> 2);
  return NONE;
}

/** Coordinates along the axes, in the order of a quantised DOP, as float32 sums. */
export function alongAxes(x: number, y: number, z: number): number[] {
  const sum = fround(x + y);
  const difference = fround(x - y);
  return [
    sum,
    fround(y + z),
    fround(z + x),
    difference,
    fround(y - z),
    fround(z - x),
    fround(sum + z),
    fround(sum - z),
    x,
    y,
    z,
    0,
    fround(difference + z),
    fround(difference - z),
    fround(difference + z),
    fround(difference - z),
  ];
}

/** Steps per unit are 2^(15 − range) along x, half of it along sides, a quarter along corners. */
function writeDop(x: number, y: number, z: number, range: number, out: Int16Array, at: number): void {
  alongAxes(x, y, z).forEach((value, lane) => {
    const steps = Math.floor(fround(value * 2 ** (15 - range - shortness(lane))));
    out[at + lane] = Math.max(-32768, Math.min(32767, steps));
  });
}

/** 0 for lanes of x, y, z; 1 for sides; 2 for corners. */
export function shortness(lane: number): number {
  if (lane < 6) return 1;
  return lane >= 8 && lane < 12 ? 0 : 2;
}
