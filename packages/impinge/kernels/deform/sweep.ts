/**
 * Where every vertex is at both ends of the step, in float32 about the centre of the frame, and its quantised DOPs.
 *
 * Layout: 8 floats per vertex: x, y, z at T0, 0, x, y, z at T1, 0.
 */
import { CTX_CENTRE, CTX_DOPS, CTX_END, CTX_MOTIONS, CTX_RANGE, CTX_START, DOP_BYTES, MOTION_BYTES, NONE } from './layout';
import { storeDop } from './dop';

/** Coordinates beyond this are an explosion, not a position. */
const HUGE: f64 = 1e30;

/**
 * Writes motions and quantised DOPs of vertices [from, to), and to `report` the box around them: least and greatest x,
 * y, z (float32, four each). Returns the first vertex with a coordinate that is not a number or huge, or NONE.
 */
export function sweepVertices(ctx: usize, from: u32, to: u32, report: usize): u32 {
  const start: usize = load<u32>(ctx, CTX_START);
  const end: usize = load<u32>(ctx, CTX_END);
  const cxy = v128.load(ctx, CTX_CENTRE);
  const cz = f64x2(load<f64>(ctx, CTX_CENTRE + 16), 0);
  const huge = f64x2.splat(HUGE);
  let out = <usize>load<u32>(ctx, CTX_MOTIONS) + MOTION_BYTES * <usize>from;
  let dop = <usize>load<u32>(ctx, CTX_DOPS) + DOP_BYTES * <usize>from;
  // 2^15 steps for the range R along x, for 2 R along x + y, for 4 R along x + y + z
  const exponent = 127 + 15 - load<i32>(ctx, CTX_RANGE);
  const box = i32x4.splat(exponent << 23), side = i32x4.splat((exponent - 1) << 23), corner = i32x4.splat((exponent - 2) << 23);
  let lo = f32x4.splat(Infinity), hi = f32x4.splat(-Infinity);
  for (let v = from; v < to; v++) {
    const s = start + 24 * <usize>v, e = end + 24 * <usize>v;
    const sxy = v128.load(s), sz = v128.load64_zero(s, 16);
    const exy = v128.load(e), ez = v128.load64_zero(e, 16);
    // NaN compares false
    const fine = v128.and(v128.and(f64x2.le(f64x2.abs(sxy), huge), f64x2.le(f64x2.abs(sz), huge)),
      v128.and(f64x2.le(f64x2.abs(exy), huge), f64x2.le(f64x2.abs(ez), huge)));
    if (i64x2.bitmask(fine) != 3) return v;
    const p = toFloats(f64x2.sub(sxy, cxy), f64x2.sub(sz, cz));
    const q = toFloats(f64x2.sub(exy, cxy), f64x2.sub(ez, cz));
    v128.store(out, p);
    v128.store(out, q, 16);
    storeDop(dop, p, box, side, corner);
    storeDop(dop + 32, q, box, side, corner);
    lo = f32x4.pmin(lo, f32x4.pmin(p, q));
    hi = f32x4.pmax(hi, f32x4.pmax(p, q));
    out += MOTION_BYTES;
    dop += DOP_BYTES;
  }
  v128.store(report, lo);
  v128.store(report, hi, 16);
  return NONE;
}

// @ts-ignore: decorator
@inline function toFloats(xy: v128, z: v128): v128 {
  return i64x2.shuffle(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(z), 0, 2);
}
