/**
 * Principal axes of point sets, four at a time: from moments to covariance to frames. Twin of
 * src/volumes/principal-axes.ts; the frames may differ, because any frame is valid.
 *
 * Layout: moments are ten float64 (count, Σx Σy Σz, Σxx Σyy Σzz, Σxy Σxz Σyz).
 */
import { COVARIANCE, FRAME, MATRICES, scratch } from './scratch';

/** Byte offsets from a point's x to its y and its z in the coordinate rows. */
export const rowY: usize = (3 * 512 + 8) * 4;
export const rowZ: usize = (3 * 512 + 8) * 8;

/** Adds the moments of row points [p, end) (byte addresses in the x row) to `into`. */
export function addMoments(p: usize, end: usize, into: usize): void {
  let sx: f64 = 0, sy: f64 = 0, sz: f64 = 0, xx: f64 = 0, yy: f64 = 0, zz: f64 = 0, xy: f64 = 0, xz: f64 = 0, yz: f64 = 0;
  const n = <f64>((end - p) >> 2);
  for (; p < end; p += 4) {
    const x = <f64>load<f32>(p);
    const y = <f64>load<f32>(p, rowY);
    const z = <f64>load<f32>(p, rowZ);
    sx += x; sy += y; sz += z;
    xx += x * x; yy += y * y; zz += z * z;
    xy += x * y; xz += x * z; yz += y * z;
  }
  store<f64>(into, load<f64>(into) + n);
  store<f64>(into, load<f64>(into, 8) + sx, 8);
  store<f64>(into, load<f64>(into, 16) + sy, 16);
  store<f64>(into, load<f64>(into, 24) + sz, 24);
  store<f64>(into, load<f64>(into, 32) + xx, 32);
  store<f64>(into, load<f64>(into, 40) + yy, 40);
  store<f64>(into, load<f64>(into, 48) + zz, 48);
  store<f64>(into, load<f64>(into, 56) + xy, 56);
  store<f64>(into, load<f64>(into, 64) + xz, 64);
  store<f64>(into, load<f64>(into, 72) + yz, 72);
}

/** Writes lane `lane` of the covariance rows from moments, scaled to a trace of 1. */
export function writeCovariance(moments: usize, lane: usize): void {
  const n = load<f64>(moments);
  const inv: f64 = n > 0 ? 1 / n : 0;
  const mx = load<f64>(moments, 8) * inv;
  const my = load<f64>(moments, 16) * inv;
  const mz = load<f64>(moments, 24) * inv;
  const xx = max(0, load<f64>(moments, 32) * inv - mx * mx);
  const yy = max(0, load<f64>(moments, 40) * inv - my * my);
  const zz = max(0, load<f64>(moments, 48) * inv - mz * mz);
  const trace = xx + yy + zz;
  const s: f64 = trace > 0 ? 1 / trace : 0;
  const out = scratch + COVARIANCE + 4 * lane;
  store<f32>(out, <f32>(xx * s));
  store<f32>(out, <f32>(yy * s), 16);
  store<f32>(out, <f32>(zz * s), 32);
  store<f32>(out, <f32>((load<f64>(moments, 56) * inv - mx * my) * s), 48);
  store<f32>(out, <f32>((load<f64>(moments, 64) * inv - mx * mz) * s), 64);
  store<f32>(out, <f32>((load<f64>(moments, 72) * inv - my * mz) * s), 80);
}

/**
 * Four Jacobi diagonalisations at once: covariance rows in, unit quaternions out (in FRAME). Approximate rotations
 * after McAdams et al. 2011, "Computing the singular value decomposition of 3 × 3 matrices with minimal branching".
 */
export function principalFrames(): void {
  let xx = v128.load(scratch + COVARIANCE);
  let yy = v128.load(scratch + COVARIANCE, 16);
  let zz = v128.load(scratch + COVARIANCE, 32);
  let xy = v128.load(scratch + COVARIANCE, 48);
  let xz = v128.load(scratch + COVARIANCE, 64);
  let yz = v128.load(scratch + COVARIANCE, 80);
  const one = f32x4.splat(1);
  const tiny = f32x4.splat(1e-30);
  let qx = f32x4.splat(0);
  let qy = f32x4.splat(0);
  let qz = f32x4.splat(0);
  let qw = one;
  for (let sweep = 0; sweep < 4; sweep++) {
    for (let k = 0; k < 3; k++) {
      // rotate the plane (p, q) about the axis r = k; (p, q, r) cyclic: k=2: (x,y), k=0: (y,z), k=1: (z,x)
      const pp = k == 2 ? xx : k == 0 ? yy : zz;
      const qq = k == 2 ? yy : k == 0 ? zz : xx;
      const pq = k == 2 ? xy : k == 0 ? yz : xz;
      const pr = k == 2 ? xz : k == 0 ? xy : yz;
      const qr = k == 2 ? yz : k == 0 ? xz : xy;
      // half the angle φ ≈ pq / (pp − qq), or π / 8 if that is too large: both reduce pq, with a single root
      const pq2 = f32x4.add(pq, pq);
      let ch = f32x4.sub(pp, qq);
      ch = f32x4.add(ch, ch);
      const shSq = f32x4.mul(pq, pq);
      const chSq = f32x4.mul(ch, ch);
      const small = f32x4.lt(f32x4.mul(f32x4.splat(5.828427), shSq), chSq);
      const inverse = f32x4.div(one, f32x4.sqrt(f32x4.pmax(f32x4.add(shSq, chSq), tiny)));
      ch = v128.bitselect(f32x4.mul(ch, inverse), f32x4.splat(0.9238795), small);
      const sh = v128.bitselect(f32x4.mul(pq, inverse), f32x4.splat(0.3826834), small);
      const c = f32x4.sub(f32x4.mul(ch, ch), f32x4.mul(sh, sh));
      const s = f32x4.mul(f32x4.add(ch, ch), sh);
      // R^T A R
      const cc = f32x4.mul(c, c);
      const ss = f32x4.mul(s, s);
      const cs2pq = f32x4.mul(f32x4.mul(c, s), pq2);
      const npp = f32x4.add(f32x4.add(f32x4.mul(cc, pp), f32x4.mul(ss, qq)), cs2pq);
      const nqq = f32x4.sub(f32x4.add(f32x4.mul(ss, pp), f32x4.mul(cc, qq)), cs2pq);
      const npr = f32x4.add(f32x4.mul(c, pr), f32x4.mul(s, qr));
      const nqr = f32x4.sub(f32x4.mul(c, qr), f32x4.mul(s, pr));
      const npq = f32x4.add(f32x4.mul(f32x4.sub(cc, ss), pq), f32x4.mul(f32x4.mul(c, s), f32x4.sub(qq, pp)));
      // q := q * (sh e_k, ch)
      const ox = qx, oy = qy, oz = qz, ow = qw;
      if (k == 2) {
        xx = npp; yy = nqq; xy = npq; xz = npr; yz = nqr;
        qx = f32x4.add(f32x4.mul(ox, ch), f32x4.mul(oy, sh));
        qy = f32x4.sub(f32x4.mul(oy, ch), f32x4.mul(ox, sh));
        qz = f32x4.add(f32x4.mul(oz, ch), f32x4.mul(ow, sh));
        qw = f32x4.sub(f32x4.mul(ow, ch), f32x4.mul(oz, sh));
      } else if (k == 0) {
        yy = npp; zz = nqq; yz = npq; xy = npr; xz = nqr;
        qy = f32x4.add(f32x4.mul(oy, ch), f32x4.mul(oz, sh));
        qz = f32x4.sub(f32x4.mul(oz, ch), f32x4.mul(oy, sh));
        qx = f32x4.add(f32x4.mul(ox, ch), f32x4.mul(ow, sh));
        qw = f32x4.sub(f32x4.mul(ow, ch), f32x4.mul(ox, sh));
      } else {
        zz = npp; xx = nqq; xz = npq; yz = npr; xy = nqr;
        qz = f32x4.add(f32x4.mul(oz, ch), f32x4.mul(ox, sh));
        qx = f32x4.sub(f32x4.mul(ox, ch), f32x4.mul(oz, sh));
        qy = f32x4.add(f32x4.mul(oy, ch), f32x4.mul(ow, sh));
        qw = f32x4.sub(f32x4.mul(ow, ch), f32x4.mul(oy, sh));
      }
    }
  }
  const norm = f32x4.div(one, f32x4.sqrt(f32x4.add(
    f32x4.add(f32x4.mul(qx, qx), f32x4.mul(qy, qy)), f32x4.add(f32x4.mul(qz, qz), f32x4.mul(qw, qw)))));
  v128.store(scratch + FRAME, f32x4.mul(qx, norm));
  v128.store(scratch + FRAME, f32x4.mul(qy, norm), 16);
  v128.store(scratch + FRAME, f32x4.mul(qz, norm), 32);
  v128.store(scratch + FRAME, f32x4.mul(qw, norm), 48);
}

/** Rotation matrices of the four quaternions in FRAME: nine rows of four, row-major. */
export function writeMatrices(): void {
  const x = v128.load(scratch + FRAME), y = v128.load(scratch + FRAME, 16), z = v128.load(scratch + FRAME, 32), w = v128.load(scratch + FRAME, 48);
  const x2 = f32x4.add(x, x), y2 = f32x4.add(y, y), z2 = f32x4.add(z, z);
  const xx = f32x4.mul(x2, x), yy = f32x4.mul(y2, y), zz = f32x4.mul(z2, z);
  const xy = f32x4.mul(x2, y), xz = f32x4.mul(x2, z), yz = f32x4.mul(y2, z);
  const xw = f32x4.mul(x2, w), yw = f32x4.mul(y2, w), zw = f32x4.mul(z2, w);
  const unit = f32x4.splat(1);
  const m = scratch + MATRICES;
  v128.store(m, f32x4.sub(unit, f32x4.add(yy, zz)));
  v128.store(m, f32x4.sub(xy, zw), 16);
  v128.store(m, f32x4.add(xz, yw), 32);
  v128.store(m, f32x4.add(xy, zw), 48);
  v128.store(m, f32x4.sub(unit, f32x4.add(xx, zz)), 64);
  v128.store(m, f32x4.sub(yz, xw), 80);
  v128.store(m, f32x4.sub(xz, yw), 96);
  v128.store(m, f32x4.add(yz, xw), 112);
  v128.store(m, f32x4.sub(unit, f32x4.add(xx, yy)), 128);
}
