/**
 * The cover of an item in a view (src/gpu/visibility.ts): which pixels, and which depths in each. Four pixels at a time.
 *
 * All that is said here holds for exact arithmetic on the corners as projected; what projecting them lost is PIXEL_SLACK
 * in pixels and DEPTH_SLACK in depth. A point of the enlarged item is q + δ, q of the triangle, |δ| along u, v, w at most
 * the margin times Σ |u|, Σ |v|, Σ |w|. If it lies in the square of a pixel, q lies in the **window** of that pixel: the
 * box about its centre with half sides ex, ey = 1/2 + PIXEL_SLACK + margin in pixels + EDGE_SLACK.
 * - Pixels: those whose window meets the triangle, by separating axes: the two of the window (a range of columns and rows)
 *   and the three edges. Edge function E = a x + b y + c is at least −(|a| ex + |b| ey) somewhere in the window if it is
 *   not negative at q. a, b, c and E are off by less than 6 · 2⁻²⁴ · 2¹⁴ (|a| + |b|), which is 0.006 of a pixel along
 *   either axis and less than EDGE_SLACK; here |x|, |y| ≤ 2¹⁴.
 * - Depths: those of the plane at the centre, give or take |gx| ex + |gy| ey, clamped to those of the corners; then δ and
 *   DEPTH_SLACK twice, once for the corners and once for rounding. A gradient g = N / Nz from differences of corners is off
 *   by less than |g| 2⁻²⁰ S / |Nz| + 2⁻²⁰ T / |Nz|, where S and T are the sums of the sizes of the two products in Nz and N
 *   (each product and difference is off by 2⁻²² of that); times the extent of the item, that is added. Evaluating the plane
 *   loses as much as E does, in EDGE_SLACK.
 * - Where |Nz| is less than 2⁻¹⁶ S the triangle is seen edge-on or has no area, and the signs of the edges are not sure:
 *   then the whole range of columns and rows is covered, with the depths of the corners. So are boxes.
 */
import { VIEW_HALF, VIEW_RESOLUTION, VIEW_ROWS, VIEW_SCALE, VIEW_SPREAD } from './layout';
import { PROJECTED, scratch } from './scratch';

const PIXEL_SLACK: f32 = 1.0 / 64.0;
const EDGE_SLACK: f32 = 1.0 / 64.0;
const DEPTH_SLACK: f32 = 1.9073486328125e-6; // 2⁻¹⁹
const EDGE_ON: f32 = 1.52587890625e-5; // 2⁻¹⁶
const GRADIENT: f32 = 9.5367431640625e-7; // 2⁻²⁰
const LEAST_AREA: f32 = 1e-20; // smaller products may underflow
const ANY_DEPTH: f32 = 1e30;

// the item
let column0: i32 = 0;
let column1: i32 = 0;
let row0: i32 = 0;
let row1: i32 = 0;
let a0: f32 = 0;
let b0: f32 = 0;
let c0: f32 = 0;
let a1: f32 = 0;
let b1: f32 = 0;
let c1: f32 = 0;
let a2: f32 = 0;
let b2: f32 = 0;
let c2: f32 = 0;
let gx: f32 = 0;
let gy: f32 = 0;
let depth: f32 = 0;
let slope: f32 = 0;
let nearest: f32 = 0;
let farthest: f32 = 0;

// rows of the images, and the pixels that matter among them
let bandFrom: i32 = 0;
let clipColumn0: i32 = 0;
let clipColumn1: i32 = 0;
let clipRow0: i32 = 0;
let clipRow1: i32 = 0;
let stride: usize = 0;
// what was drawn since the images were cleared
let dirtyColumn0: i32 = 0;
let dirtyColumn1: i32 = 0;
let dirtyRow0: i32 = 0;
let dirtyRow1: i32 = 0;

/** Bytes of a row of an image, with room for what four pixels at a time run over: three when drawing, six when clearing. */
// @ts-ignore: decorator
@inline function strideOf(resolution: u32): usize { return 4 * <usize>((resolution + 11) & ~3); }

/** Begins a band of rows [from, to); images must be clear. */
export function beginBand(view: usize, from: i32, to: i32): void {
  bandFrom = from;
  clip(0, <i32>load<u32>(view, VIEW_RESOLUTION) - 1, from, to - 1);
  stride = strideOf(load<u32>(view, VIEW_RESOLUTION));
  forgetDrawn();
}

/** Nothing outside of this range will be drawn or tested. */
// @ts-ignore: decorator
@inline function clip(c0: i32, c1: i32, r0: i32, r1: i32): void {
  clipColumn0 = c0;
  clipColumn1 = c1;
  clipRow0 = r0;
  clipRow1 = r1;
}

// the ranges of two sets of boxes
const FAR_OUT: i32 = 1 << 30;
let unionColumn0: i32 = 0;
let unionColumn1: i32 = 0;
let unionRow0: i32 = 0;
let unionRow1: i32 = 0;

export function beginUnion(): void {
  unionColumn0 = FAR_OUT;
  unionColumn1 = -FAR_OUT;
  unionRow0 = FAR_OUT;
  unionRow1 = -FAR_OUT;
}

/** Adds the item taken. */
export function joinUnion(): void {
  unionColumn0 = min<i32>(unionColumn0, column0);
  unionColumn1 = max<i32>(unionColumn1, column1);
  unionRow0 = min<i32>(unionRow0, row0);
  unionRow1 = max<i32>(unionRow1, row1);
}

/** Clips to the union; false if nothing is left. */
export function clipToUnion(): bool {
  clip(max<i32>(clipColumn0, unionColumn0), min<i32>(clipColumn1, unionColumn1), max<i32>(clipRow0, unionRow0), min<i32>(clipRow1, unionRow1));
  return clipColumn0 <= clipColumn1 && clipRow0 <= clipRow1;
}

function forgetDrawn(): void {
  dirtyColumn0 = i32.MAX_VALUE;
  dirtyColumn1 = -1;
  dirtyRow0 = i32.MAX_VALUE;
  dirtyRow1 = -1;
}

/** Bytes of an image of `rows` rows. */
// @ts-ignore: decorator
@inline export function imageBytes(resolution: u32, rows: u32): usize { return strideOf(resolution) * <usize>rows; }

/** Clears `sides` pairs of images, each a near and a far one of `rows` rows, wherever something was drawn. */
export function clearDrawn(images: usize, image: usize, sides: u32): void {
  const infinity = f32x4.splat(Infinity), minus = f32x4.splat(-Infinity);
  const from: usize = 4 * <usize>dirtyColumn0, to: usize = 4 * <usize>(dirtyColumn1 + 4);
  for (let row = dirtyRow0; row <= dirtyRow1; row++) {
    const at = images + stride * <usize>(row - bandFrom);
    for (let side: u32 = 0; side < sides; side++) {
      const near = at + 2 * image * <usize>side;
      for (let k = from; k < to; k += 16) {
        v128.store(near + k, infinity);
        v128.store(near + image + k, minus);
      }
    }
  }
  forgetDrawn();
}

/** Makes images of nothing. */
export function clearImages(images: usize, image: usize, sides: u32): void {
  const infinity = f32x4.splat(Infinity), minus = f32x4.splat(-Infinity);
  for (let side: u32 = 0; side < sides; side++) {
    const near = images + 2 * image * <usize>side;
    for (let k: usize = 0; k < image; k += 16) {
      v128.store(near + k, infinity);
      v128.store(near + image + k, minus);
    }
  }
}

/** Sets the range of pixels of an item; false if it has none that matter. */
// @ts-ignore: decorator
@inline function setRange(x0: f32, x1: f32, y0: f32, y1: f32, ex: f32, ey: f32): bool {
  // centres are at whole numbers and a half
  row0 = max<i32>(<i32>ceil<f32>(y0 - ey - 0.5), clipRow0);
  row1 = min<i32>(<i32>floor<f32>(y1 + ey - 0.5), clipRow1);
  column0 = max<i32>(<i32>ceil<f32>(x0 - ex - 0.5), clipColumn0);
  column1 = min<i32>(<i32>floor<f32>(x1 + ex - 0.5), clipColumn1);
  return row0 <= row1 && column0 <= column1;
}

/** Takes a box, enlarged already: least x, y, z and greatest, `apart` bytes between the six. */
export function takeBox(view: usize, box: usize, apart: usize): bool {
  const lx = load<f32>(box), ly = load<f32>(box + apart), lz = load<f32>(box + 2 * apart);
  const hx = load<f32>(box + 3 * apart), hy = load<f32>(box + 4 * apart), hz = load<f32>(box + 5 * apart);
  if (!(lx <= hx)) return false; // empty
  const half: f32 = 0.5;
  const x = half * (lx + hx), y = half * (ly + hy), z = half * (lz + hz);
  const dx = half * (hx - lx), dy = half * (hy - ly), dz = half * (hz - lz);
  const rows = view + VIEW_ROWS;
  const scaleU = load<f32>(view, VIEW_SCALE), scaleV = load<f32>(view, VIEW_SCALE + 4);
  const u = (load<f32>(rows) * x + load<f32>(rows, 4) * y + load<f32>(rows, 8) * z + load<f32>(view, VIEW_HALF)) * scaleU;
  const du = (abs(load<f32>(rows)) * dx + abs(load<f32>(rows, 4)) * dy + abs(load<f32>(rows, 8)) * dz) * scaleU;
  const v = (load<f32>(rows, 12) * x + load<f32>(rows, 16) * y + load<f32>(rows, 20) * z + load<f32>(view, VIEW_HALF + 4)) * scaleV;
  const dv = (abs(load<f32>(rows, 12)) * dx + abs(load<f32>(rows, 16)) * dy + abs(load<f32>(rows, 20)) * dz) * scaleV;
  const w = load<f32>(rows, 24) * x + load<f32>(rows, 28) * y + load<f32>(rows, 32) * z;
  const dw = abs(load<f32>(rows, 24)) * dx + abs(load<f32>(rows, 28)) * dy + abs(load<f32>(rows, 32)) * dz;
  const e: f32 = 0.5 + PIXEL_SLACK + EDGE_SLACK;
  if (!setRange(u - du, u + du, v - dv, v + dv, e, e)) return false;
  takeWhole(w - dw - 2 * DEPTH_SLACK, w + dw + 2 * DEPTH_SLACK);
  return true;
}

/** The same depths in all pixels of the range. */
function takeWhole(near: f32, far: f32): void {
  a0 = 0; b0 = 0; c0 = 0;
  a1 = 0; b1 = 0; c1 = 0;
  a2 = 0; b2 = 0; c2 = 0;
  gx = 0; gy = 0; depth = 0; slope = ANY_DEPTH;
  nearest = near;
  farthest = far;
}

/** Projects four triangles in rows: pixels along u, v and depth, corner by corner. */
export function projectGroup(view: usize, corners: usize): void {
  const rows = view + VIEW_ROWS, out = scratch + PROJECTED;
  const halfU = v128.load32_splat(view, VIEW_HALF), halfV = v128.load32_splat(view, VIEW_HALF + 4);
  const scaleU = v128.load32_splat(view, VIEW_SCALE), scaleV = v128.load32_splat(view, VIEW_SCALE + 4);
  for (let k: usize = 0; k < 144; k += 48) {
    const x = v128.load(corners + k), y = v128.load(corners + k, 16), z = v128.load(corners + k, 32);
    const u = f32x4.add(f32x4.add(f32x4.mul(v128.load32_splat(rows), x), f32x4.mul(v128.load32_splat(rows, 4), y)), f32x4.mul(v128.load32_splat(rows, 8), z));
    const v = f32x4.add(f32x4.add(f32x4.mul(v128.load32_splat(rows, 12), x), f32x4.mul(v128.load32_splat(rows, 16), y)), f32x4.mul(v128.load32_splat(rows, 20), z));
    v128.store(out + k, f32x4.mul(f32x4.add(u, halfU), scaleU));
    v128.store(out + k, f32x4.mul(f32x4.add(v, halfV), scaleV), 16);
    v128.store(out + k, f32x4.add(f32x4.add(f32x4.mul(v128.load32_splat(rows, 24), x), f32x4.mul(v128.load32_splat(rows, 28), y)), f32x4.mul(v128.load32_splat(rows, 32), z)), 32);
  }
}

/** Takes lane i of the group projected; false if it covers nothing in the band. */
export function takeTriangle(view: usize, i: u32, margin: f32): bool {
  const lane = scratch + PROJECTED + 4 * <usize>i;
  const x0 = load<f32>(lane), y0 = load<f32>(lane, 16), w0 = load<f32>(lane, 32);
  const x1 = load<f32>(lane, 48), y1 = load<f32>(lane, 64), w1 = load<f32>(lane, 80);
  const x2 = load<f32>(lane, 96), y2 = load<f32>(lane, 112), w2 = load<f32>(lane, 128);
  const e: f32 = 0.5 + PIXEL_SLACK + EDGE_SLACK;
  const wide = margin * 1.000001;
  const ex = e + wide * load<f32>(view, VIEW_SPREAD) * load<f32>(view, VIEW_SCALE);
  const ey = e + wide * load<f32>(view, VIEW_SPREAD + 4) * load<f32>(view, VIEW_SCALE + 4);
  const lx = min(min(x0, x1), x2), hx = max(max(x0, x1), x2);
  const ly = min(min(y0, y1), y2), hy = max(max(y0, y1), y2);
  if (!setRange(lx, hx, ly, hy, ex, ey)) return false;
  const pad = wide * load<f32>(view, VIEW_SPREAD + 8) + 2 * DEPTH_SLACK;
  takeWhole(min(min(w0, w1), w2) - pad, max(max(w0, w1), w2) + pad);
  const dx1 = x1 - x0, dy1 = y1 - y0, dw1 = w1 - w0, dx2 = x2 - x0, dy2 = y2 - y0, dw2 = w2 - w0;
  const area = dx1 * dy2 - dx2 * dy1;
  const sum = abs(dx1 * dy2) + abs(dx2 * dy1);
  if (!(abs(area) > EDGE_ON * sum && abs(area) > LEAST_AREA)) return true;
  const sign: f32 = area > 0 ? 1 : -1;
  a0 = -sign * dy1; b0 = sign * dx1;
  c0 = abs(a0) * ex + abs(b0) * ey - (a0 * x0 + b0 * y0);
  a1 = -sign * (y2 - y1); b1 = sign * (x2 - x1);
  c1 = abs(a1) * ex + abs(b1) * ey - (a1 * x1 + b1 * y1);
  a2 = sign * dy2; b2 = -sign * dx2;
  c2 = abs(a2) * ex + abs(b2) * ey - (a2 * x2 + b2 * y2);
  gx = (dw1 * dy2 - dw2 * dy1) / area;
  gy = (dx1 * dw2 - dx2 * dw1) / area;
  depth = w0 - (gx * x0 + gy * y0);
  const error = GRADIENT / abs(area);
  const errorX = error * (abs(gx) * sum + abs(dw1 * dy2) + abs(dw2 * dy1));
  const errorY = error * (abs(gy) * sum + abs(dx1 * dw2) + abs(dx2 * dw1));
  // depths are clamped to those of the corners with δ added; so δ is added to the slope
  slope = abs(gx) * ex + abs(gy) * ey + errorX * (hx - lx + ex) + errorY * (hy - ly + ey) + pad;
  return true;
}

/** Draws the item taken into a pair of images. */
export function drawItem(near: usize, image: usize): void {
  dirtyColumn0 = min<i32>(dirtyColumn0, column0);
  dirtyColumn1 = max<i32>(dirtyColumn1, column1);
  dirtyRow0 = min<i32>(dirtyRow0, row0);
  dirtyRow1 = max<i32>(dirtyRow1, row1);
  const infinity = f32x4.splat(Infinity), minus = f32x4.splat(-Infinity);
  const va0 = f32x4.splat(a0), va1 = f32x4.splat(a1), va2 = f32x4.splat(a2);
  const low = f32x4.splat(nearest), high = f32x4.splat(farthest), give = f32x4.splat(slope);
  const last = i32x4.splat(column1), zero = f32x4.splat(0);
  for (let row = row0; row <= row1; row++) {
    const y = <f32>row + 0.5;
    const e0 = f32x4.splat(b0 * y + c0), e1 = f32x4.splat(b1 * y + c1), e2 = f32x4.splat(b2 * y + c2);
    const w0 = f32x4.splat(gy * y + depth);
    const line = near + stride * <usize>(row - bandFrom);
    for (let column = column0; column <= column1; column += 4) {
      const n = i32x4.add(i32x4.splat(column), i32x4(0, 1, 2, 3));
      const x = f32x4.add(f32x4.convert_i32x4_s(n), f32x4.splat(0.5));
      let covered = v128.and(f32x4.ge(f32x4.add(f32x4.mul(va0, x), e0), zero), f32x4.ge(f32x4.add(f32x4.mul(va1, x), e1), zero));
      covered = v128.and(covered, v128.and(f32x4.ge(f32x4.add(f32x4.mul(va2, x), e2), zero), i32x4.le_s(n, last)));
      const w = f32x4.add(f32x4.mul(f32x4.splat(gx), x), w0);
      const front = f32x4.pmax(f32x4.sub(w, give), low), back = f32x4.pmin(f32x4.add(w, give), high);
      const at = line + 4 * <usize>column;
      v128.store(at, f32x4.pmin(v128.load(at), v128.bitselect(front, infinity, covered)));
      v128.store(at + image, f32x4.pmax(v128.load(at + image), v128.bitselect(back, minus, covered)));
    }
  }
}

/** Whether the item taken is free of what was drawn into a pair of images: before or behind all of it in every pixel. */
export function isFree(near: usize, image: usize): bool {
  const va0 = f32x4.splat(a0), va1 = f32x4.splat(a1), va2 = f32x4.splat(a2);
  const low = f32x4.splat(nearest), high = f32x4.splat(farthest), give = f32x4.splat(slope);
  const last = i32x4.splat(column1), zero = f32x4.splat(0);
  for (let row = row0; row <= row1; row++) {
    const y = <f32>row + 0.5;
    const e0 = f32x4.splat(b0 * y + c0), e1 = f32x4.splat(b1 * y + c1), e2 = f32x4.splat(b2 * y + c2);
    const w0 = f32x4.splat(gy * y + depth);
    const line = near + stride * <usize>(row - bandFrom);
    for (let column = column0; column <= column1; column += 4) {
      const at = line + 4 * <usize>column;
      const n = i32x4.add(i32x4.splat(column), i32x4(0, 1, 2, 3));
      const x = f32x4.add(f32x4.convert_i32x4_s(n), f32x4.splat(0.5));
      let covered = v128.and(f32x4.ge(f32x4.add(f32x4.mul(va0, x), e0), zero), f32x4.ge(f32x4.add(f32x4.mul(va1, x), e1), zero));
      covered = v128.and(covered, v128.and(f32x4.ge(f32x4.add(f32x4.mul(va2, x), e2), zero), i32x4.le_s(n, last)));
      const w = f32x4.add(f32x4.mul(f32x4.splat(gx), x), w0);
      const front = f32x4.pmax(f32x4.sub(w, give), low), back = f32x4.pmin(f32x4.add(w, give), high);
      const between = v128.and(f32x4.ge(back, v128.load(at)), f32x4.le(front, v128.load(at + image)));
      if (v128.any_true(v128.and(covered, between))) return false;
    }
  }
  return true;
}
