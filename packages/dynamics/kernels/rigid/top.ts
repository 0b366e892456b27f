/**
 * How a free body rotates: as a top without moments, to the last digits, whatever its shape and however fast it spins.
 *
 * In its own frame the angular momentum m follows m' = m × w, the rotation q' = ½ q w, with w = I⁻¹ m. These are
 * products, so the coefficients of Taylor series follow from the previous ones. The angular momentum in the world is
 * constant and never modified: m is recomputed from it for every stretch. So momentum is preserved, and the energy is
 * off only by the error of the rotation. Proof that the series end: no moment of a solid is larger than the sum of the
 * others, so along its principal axes |w₁'| = |I₂ − I₃| / I₁ |w₂ w₃| ≤ |w₂ w₃|. Hence coefficients are at most those of
 * u' = u², u = |w| / (1 − |w| t), and of q' = √3/2 u q. With |w| t ≤ STRETCH = ¼ the terms fall at least like 4⁻ᵏ:
 * after MOST_TERMS they are below 2⁻⁵⁴. Most series end much earlier, once two terms in a row are negligible.
 */
import { ANGULAR, INVERSE, MATRIX, scratch, SPIN, TURN } from './layout';
import { turn, writeMatrix } from './turn';

/** Radians of a stretch; and the maximum number of stretches, beyond which a body turns about its angular momentum. */
const STRETCH: f64 = 0.25;
const MOST_STRETCHES: i32 = 1000;
const MOST_TERMS: usize = 28;
/** Moments about all axes that differ by no more than this, relative to them, are equal but for rounding. */
const EVEN: f64 = 1e-13;
/** Terms whose squares are below this share are negligible. */
const NOTHING: f64 = 1e-36;

/** A term: momentum, spin, rotation. With the first, MOST_TERMS + 1 fill the scratch. */
const TERM: usize = 80;
const TERM_SPIN: usize = 24;
const TERM_TURN: usize = 48;

/** Rotates a body and its frame by the time h; its matrix is up to date with its rotation before and after. */
export function turnFreely(body: usize, frame: usize, h: f64): void {
  if (isEven(frame)) {
    turn(frame, h * load<f64>(body, SPIN), h * load<f64>(body, SPIN + 8), h * load<f64>(body, SPIN + 16));
    writeMatrix(frame);
    return;
  }
  let left = h;
  for (let k = 0; left > 0; k++) {
    const spinSq = writeFirst(body, frame);
    const stretches = ceil(sqrt(spinSq) * left / STRETCH);
    if (stretches <= 1) {
      addSeries(frame, left);
      left = 0;
    } else if (k < MOST_STRETCHES) {
      const stretch = left / stretches;
      addSeries(frame, stretch);
      left -= stretch;
    } else {
      turnSteadily(body, frame, left);
      left = 0;
    }
    writeMatrix(frame);
  }
}

/** Whether a body turns about all axes alike, as balls and cubes do: its spin stays as it is. */
function isEven(frame: usize): bool {
  const t = frame + INVERSE;
  const xx = load<f64>(t), yy = load<f64>(t, 32), zz = load<f64>(t, 64);
  const other = max(max(abs(load<f64>(t, 8)), abs(load<f64>(t, 16))), abs(load<f64>(t, 40)));
  return max(max(abs(yy - xx), abs(zz - xx)), other) <= EVEN * xx;
}

/**
 * Writes the first term: momentum and spin in the frame of the body, and the rotation. Returns the square of the spin.
 */
function writeFirst(body: usize, frame: usize): f64 {
  const x = load<f64>(body, ANGULAR), y = load<f64>(body, ANGULAR + 8), z = load<f64>(body, ANGULAR + 16);
  for (let k: usize = 0; k < 24; k += 8) {
    const m = frame + MATRIX + k;
    store<f64>(scratch + k, load<f64>(m) * x + load<f64>(m, 24) * y + load<f64>(m, 48) * z);
  }
  for (let k: usize = 0; k < 32; k += 8) store<f64>(scratch + k, load<f64>(frame + k, TURN), TERM_TURN);
  return writeSpin(scratch, frame);
}

/** Writes the spin of a term from its momentum. Returns its square. */
// @ts-ignore: decorator
@inline function writeSpin(term: usize, frame: usize): f64 {
  const x = load<f64>(term), y = load<f64>(term, 8), z = load<f64>(term, 16);
  let sumSq: f64 = 0;
  for (let k: usize = 0; k < 3; k++) {
    const row = frame + INVERSE + 24 * k;
    const w = load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z;
    store<f64>(term + 8 * k, w, TERM_SPIN);
    sumSq += w * w;
  }
  return sumSq;
}

/** Sums up the series of the rotation over a stretch, and writes it to the frame. */
function addSeries(frame: usize, stretch: f64): void {
  const enough = NOTHING * (load<f64>(scratch, TERM_SPIN) * load<f64>(scratch, TERM_SPIN)
    + load<f64>(scratch, TERM_SPIN + 8) * load<f64>(scratch, TERM_SPIN + 8)
    + load<f64>(scratch, TERM_SPIN + 16) * load<f64>(scratch, TERM_SPIN + 16));
  let qx = load<f64>(scratch, TERM_TURN), qy = load<f64>(scratch, TERM_TURN + 8);
  let qz = load<f64>(scratch, TERM_TURN + 16), qw = load<f64>(scratch, TERM_TURN + 24);
  for (let n: usize = 1, small = 0; n <= MOST_TERMS && small < 2; n++) {
    let mx: f64 = 0, my: f64 = 0, mz: f64 = 0;
    let tx: f64 = 0, ty: f64 = 0, tz: f64 = 0, tw: f64 = 0;
    let p = scratch, r = scratch + TERM * (n - 1);
    for (let i: usize = 0; i < n; i++, p += TERM, r -= TERM) {
      const wx = load<f64>(r, TERM_SPIN), wy = load<f64>(r, TERM_SPIN + 8), wz = load<f64>(r, TERM_SPIN + 16);
      const x = load<f64>(p), y = load<f64>(p, 8), z = load<f64>(p, 16);
      mx += y * wz - z * wy;
      my += z * wx - x * wz;
      mz += x * wy - y * wx;
      const a = load<f64>(p, TERM_TURN), b = load<f64>(p, TERM_TURN + 8), c = load<f64>(p, TERM_TURN + 16), d = load<f64>(p, TERM_TURN + 24);
      tx += d * wx + b * wz - c * wy;
      ty += d * wy + c * wx - a * wz;
      tz += d * wz + a * wy - b * wx;
      tw -= a * wx + b * wy + c * wz;
    }
    const share = stretch / <f64>n, half = 0.5 * share;
    const term = scratch + TERM * n;
    store<f64>(term, share * mx);
    store<f64>(term, share * my, 8);
    store<f64>(term, share * mz, 16);
    tx *= half;
    ty *= half;
    tz *= half;
    tw *= half;
    store<f64>(term, tx, TERM_TURN);
    store<f64>(term, ty, TERM_TURN + 8);
    store<f64>(term, tz, TERM_TURN + 16);
    store<f64>(term, tw, TERM_TURN + 24);
    qx += tx;
    qy += ty;
    qz += tz;
    qw += tw;
    const spinSq = writeSpin(term, frame);
    small = spinSq <= enough && tx * tx + ty * ty + tz * tz + tw * tw <= NOTHING ? small + 1 : 0;
  }
  const norm = 1 / sqrt(qx * qx + qy * qy + qz * qz + qw * qw);
  store<f64>(frame, qx * norm, TURN);
  store<f64>(frame, qy * norm, TURN + 8);
  store<f64>(frame, qz * norm, TURN + 16);
  store<f64>(frame, qw * norm, TURN + 24);
}

/**
 * Rotates about the angular momentum, as fast as the spin along it: this preserves its energy where the rotation is too
 * fast to follow.
 */
function turnSteadily(body: usize, frame: usize, h: f64): void {
  let alongSq: f64 = 0, lengthSq: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    alongSq += load<f64>(scratch + k) * load<f64>(scratch + k, TERM_SPIN);
    lengthSq += load<f64>(scratch + k) * load<f64>(scratch + k);
  }
  const share = h * alongSq / lengthSq;
  turn(frame, share * load<f64>(body, ANGULAR), share * load<f64>(body, ANGULAR + 8), share * load<f64>(body, ANGULAR + 16));
}
