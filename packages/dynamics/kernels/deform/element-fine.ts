/** Compares elements along 13 axes by their float32 positions: like quantised DOPs, but without their step size. */
import { CTX_BOX_MARGIN, CTX_CORNER_MARGIN, CTX_MOTIONS, CTX_SIDE_MARGIN, MOTION_BYTES } from './layout';
import { apart, cornersOf, turned } from './dop';

let motions: usize = 0;
let box: v128 = i32x4.splat(0), side: v128 = i32x4.splat(0), corner: v128 = i32x4.splat(0);

export function setFine(ctx: usize): void {
  motions = load<u32>(ctx, CTX_MOTIONS);
  box = f32x4.splat(load<f32>(ctx, CTX_BOX_MARGIN));
  side = f32x4.splat(load<f32>(ctx, CTX_SIDE_MARGIN));
  corner = f32x4.splat(load<f32>(ctx, CTX_CORNER_MARGIN));
}

// @ts-ignore: decorator
@inline function apart13(a0: v128, a1: v128, b0: v128, b1: v128, c0: v128, c1: v128, v0: v128, v1: v128, margin: v128): bool {
  return apart(f32x4.sub(v0, margin), f32x4.sub(v1, margin), f32x4.add(v0, margin), f32x4.add(v1, margin),
    f32x4.pmin(f32x4.pmin(a0, b0), c0), f32x4.pmin(f32x4.pmin(a1, b1), c1), f32x4.pmax(f32x4.pmax(a0, b0), c0), f32x4.pmax(f32x4.pmax(a1, b1), c1));
}

export function vertexFaceMayMeet(v: u32, d: usize): bool {
  const m = motions + MOTION_BYTES * <usize>v;
  const p = motions + MOTION_BYTES * <usize>load<u32>(d);
  const q = motions + MOTION_BYTES * <usize>load<u32>(d, 4);
  const r = motions + MOTION_BYTES * <usize>load<u32>(d, 8);
  const m0 = v128.load(m), p0 = v128.load(p), q0 = v128.load(q), r0 = v128.load(r);
  const m1 = v128.load(m, 16), p1 = v128.load(p, 16), q1 = v128.load(q, 16), r1 = v128.load(r, 16);
  if (apart13(p0, p1, q0, q1, r0, r1, m0, m1, box)) return false;
  const ms0 = f32x4.add(m0, turned(m0)), ps0 = f32x4.add(p0, turned(p0)), qs0 = f32x4.add(q0, turned(q0)), rs0 = f32x4.add(r0, turned(r0));
  const ms1 = f32x4.add(m1, turned(m1)), ps1 = f32x4.add(p1, turned(p1)), qs1 = f32x4.add(q1, turned(q1)), rs1 = f32x4.add(r1, turned(r1));
  if (apart13(ps0, ps1, qs0, qs1, rs0, rs1, ms0, ms1, side)) return false;
  const md0 = f32x4.sub(m0, turned(m0)), pd0 = f32x4.sub(p0, turned(p0)), qd0 = f32x4.sub(q0, turned(q0)), rd0 = f32x4.sub(r0, turned(r0));
  const md1 = f32x4.sub(m1, turned(m1)), pd1 = f32x4.sub(p1, turned(p1)), qd1 = f32x4.sub(q1, turned(q1)), rd1 = f32x4.sub(r1, turned(r1));
  if (apart13(pd0, pd1, qd0, qd1, rd0, rd1, md0, md1, side)) return false;
  return !apart13(cornersOf(p0, ps0, pd0), cornersOf(p1, ps1, pd1), cornersOf(q0, qs0, qd0), cornersOf(q1, qs1, qd1),
    cornersOf(r0, rs0, rd0), cornersOf(r1, rs1, rd1), cornersOf(m0, ms0, md0), cornersOf(m1, ms1, md1), corner);
}

// @ts-ignore: decorator
@inline function apart22(a0: v128, a1: v128, b0: v128, b1: v128, c0: v128, c1: v128, d0: v128, d1: v128, margin: v128): bool {
  return apart(f32x4.sub(f32x4.pmin(a0, b0), margin), f32x4.sub(f32x4.pmin(a1, b1), margin), f32x4.add(f32x4.pmax(a0, b0), margin), f32x4.add(f32x4.pmax(a1, b1), margin),
    f32x4.pmin(c0, d0), f32x4.pmin(c1, d1), f32x4.pmax(c0, d0), f32x4.pmax(c1, d1));
}

export function edgesMayMeet(a0: u32, a1: u32, b0: u32, b1: u32): bool {
  const p = motions + MOTION_BYTES * <usize>a0, q = motions + MOTION_BYTES * <usize>a1;
  const r = motions + MOTION_BYTES * <usize>b0, s = motions + MOTION_BYTES * <usize>b1;
  const p0 = v128.load(p), q0 = v128.load(q), r0 = v128.load(r), s0 = v128.load(s);
  const p1 = v128.load(p, 16), q1 = v128.load(q, 16), r1 = v128.load(r, 16), s1 = v128.load(s, 16);
  if (apart22(p0, p1, q0, q1, r0, r1, s0, s1, box)) return false;
  const ps0 = f32x4.add(p0, turned(p0)), qs0 = f32x4.add(q0, turned(q0)), rs0 = f32x4.add(r0, turned(r0)), ss0 = f32x4.add(s0, turned(s0));
  const ps1 = f32x4.add(p1, turned(p1)), qs1 = f32x4.add(q1, turned(q1)), rs1 = f32x4.add(r1, turned(r1)), ss1 = f32x4.add(s1, turned(s1));
  if (apart22(ps0, ps1, qs0, qs1, rs0, rs1, ss0, ss1, side)) return false;
  const pd0 = f32x4.sub(p0, turned(p0)), qd0 = f32x4.sub(q0, turned(q0)), rd0 = f32x4.sub(r0, turned(r0)), sd0 = f32x4.sub(s0, turned(s0));
  const pd1 = f32x4.sub(p1, turned(p1)), qd1 = f32x4.sub(q1, turned(q1)), rd1 = f32x4.sub(r1, turned(r1)), sd1 = f32x4.sub(s1, turned(s1));
  if (apart22(pd0, pd1, qd0, qd1, rd0, rd1, sd0, sd1, side)) return false;
  return !apart22(cornersOf(p0, ps0, pd0), cornersOf(p1, ps1, pd1), cornersOf(q0, qs0, qd0), cornersOf(q1, qs1, qd1),
    cornersOf(r0, rs0, rd0), cornersOf(r1, rs1, rd1), cornersOf(s0, ss0, sd0), cornersOf(s1, ss1, sd1), corner);
}
