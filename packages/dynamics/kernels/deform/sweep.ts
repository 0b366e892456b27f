/**
 * Writes the position of every vertex at both ends of the step, in float32 about the centre of the frame, and its
 * quantised DOP on request.
 *
 * Layout: 8 floats per vertex: x, y, z at T0, 0, x, y, z at T1, 0.
 */
import {
  CTX_CENTRE, CTX_CORNERS, CTX_DOPS, CTX_END,
  CTX_FRESH_DOPS, CTX_MOTIONS, CTX_RANGE, CTX_START, CTX_TRIANGLE_DOPS, CTX_INNER_OF, DOP_BYTES, MOTION_BYTES, PIECE_BOX, PIECE_BYTES, PIECE_FROM, PIECE_TO,
} from './layout';
import { least, most, storeDop } from './dop';

/** Sweeps the vertices of pieces [from, to). */
export function sweepPieces(ctx: usize, pieces: usize, from: u32, to: u32): void {
  for (let i = from; i < to; i++) {
    const piece = pieces + PIECE_BYTES * <usize>i;
    sweepVertices(ctx, load<u32>(piece, PIECE_FROM), load<u32>(piece, PIECE_TO), piece + PIECE_BOX);
  }
}

/**
 * Writes motions of the caller's vertices [from, to), and to `report` the box around them: least and greatest x, y, z
 * (float32, four each).
 */
function sweepVertices(ctx: usize, from: u32, to: u32, report: usize): void {
  const start: usize = load<u32>(ctx, CTX_START);
  const end: usize = load<u32>(ctx, CTX_END);
  const cxy = v128.load(ctx, CTX_CENTRE);
  const cz = f64x2(load<f64>(ctx, CTX_CENTRE + 16), 0);
  const innerOf: usize = load<u32>(ctx, CTX_INNER_OF), motions: usize = load<u32>(ctx, CTX_MOTIONS);
  memory.fill(<usize>load<u32>(ctx, CTX_FRESH_DOPS) + from, 0, to - from);
  let lo = f32x4.splat(Infinity), hi = f32x4.splat(-Infinity);
  for (let v = from; v < to; v++) {
    const s = start + 24 * <usize>v, e = end + 24 * <usize>v;
    const sxy = v128.load(s), sz = v128.load64_zero(s, 16);
    const exy = v128.load(e), ez = v128.load64_zero(e, 16);
    const p = toFloats(f64x2.sub(sxy, cxy), f64x2.sub(sz, cz));
    const q = toFloats(f64x2.sub(exy, cxy), f64x2.sub(ez, cz));
    const out = motions + MOTION_BYTES * <usize>load<u32>(innerOf + 4 * <usize>v);
    v128.store(out, p);
    v128.store(out, q, 16);
    lo = f32x4.pmin(lo, f32x4.pmin(p, q));
    hi = f32x4.pmax(hi, f32x4.pmax(p, q));
  }
  v128.store(report, lo);
  v128.store(report, hi, 16);
}

/** Writes the quantised DOPs of vertices [from, to) that have moved since the last call. */
export function writeDops(ctx: usize, from: u32, to: u32): void {
  const exponent = 127 + 15 - load<i32>(ctx, CTX_RANGE);
  for (let v = from; v < to; v++) writeDop(ctx, v, exponent);
}

/** The same for the vertices in a list. */
export function writeDopsOf(ctx: usize, vertices: usize, end: usize): void {
  const exponent = 127 + 15 - load<i32>(ctx, CTX_RANGE);
  for (let at = vertices; at < end; at += 4) writeDop(ctx, load<u32>(at), exponent);
}

/** `exponent`: 2^15 steps for the range R along x, for 2 R along x + y, for 4 R along x + y + z. */
// @ts-ignore: decorator
@inline function writeDop(ctx: usize, v: u32, exponent: i32): void {
  const fresh = <usize>load<u32>(ctx, CTX_FRESH_DOPS) + v;
  if (load<u8>(fresh)) return;
  // clusters of two threads may have a common vertex: both write the same value
  store<u8>(fresh, 1);
  const box = i32x4.splat(exponent << 23), side = i32x4.splat((exponent - 1) << 23), corner = i32x4.splat((exponent - 2) << 23);
  const motion = <usize>load<u32>(ctx, CTX_MOTIONS) + MOTION_BYTES * <usize>v;
  const dop = <usize>load<u32>(ctx, CTX_DOPS) + DOP_BYTES * <usize>v;
  storeDop(dop, v128.load(motion), box, side, corner);
  storeDop(dop + 32, v128.load(motion, 16), box, side, corner);
}

/** Writes the ranges of triangles [from, to) along the first half of the axes. */
export function writeTriangleDops(ctx: usize, from: u32, to: u32): void {
  const dops: usize = load<u32>(ctx, CTX_DOPS);
  let corner = <usize>load<u32>(ctx, CTX_CORNERS) + 12 * <usize>from;
  let out = <usize>load<u32>(ctx, CTX_TRIANGLE_DOPS) + DOP_BYTES * <usize>from;
  for (let t = from; t < to; t++, corner += 12, out += DOP_BYTES) {
    const p = dops + DOP_BYTES * <usize>load<u32>(corner), q = dops + DOP_BYTES * <usize>load<u32>(corner, 4), r = dops + DOP_BYTES * <usize>load<u32>(corner, 8);
    const p0 = v128.load(p), q0 = v128.load(q), r0 = v128.load(r), p1 = v128.load(p, 32), q1 = v128.load(q, 32), r1 = v128.load(r, 32);
    v128.store(out, least(least(p0, q0), r0));
    v128.store(out, least(least(p1, q1), r1), 16);
    v128.store(out, most(most(p0, q0), r0), 32);
    v128.store(out, most(most(p1, q1), r1), 48);
  }
}

// @ts-ignore: decorator
@inline function toFloats(xy: v128, z: v128): v128 {
  return i64x2.shuffle(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(z), 0, 2);
}
