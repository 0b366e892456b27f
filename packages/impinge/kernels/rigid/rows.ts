/**
 * Rows of contacts, for where their bodies are: what a push does, how much of the gap is left, what was pushed.
 *
 * A part of a step lasts h. A contact with a gap left may use it up, not more: v ≥ −gap / h. One that is nearer than it
 * should be does not get any nearer; below half of that it is moved apart slowly, by a velocity that is taken away again
 * after the move, so that it adds no motion. Both bodies are pushed at one point of the world, so that no angular momentum
 * comes of it.
 */
import { both, bodyAt, cross2, dot3, lanes, leaving, push } from './lanes';
import {
  ACCELERATION, ACROSS, ANGULAR, APPROACH, BIAS, CONTACT, CONTACT_NORMAL, contacts, COUNTED, endPair, FRAME, frames,
  FREE, firstPair, IMPULSES, INVERSE_INERTIA, INVERSE_MASS, K_NN, K_NS, K_NT, K_SS, K_ST, K_TT, LEFT, MASS,
  MATRIX, ROW_NORMAL, PAIR, pairs, PER_DETERMINANT, POINT_B, PUSHED, ROW, rows, TARGET, TOTAL,
} from './layout';

/**
 * Of the distance to keep: nearer contacts are moved apart, by a share of what is missing per second; and still nearer
 * ones by a share of what is missing in this part.
 */
const TOO_NEAR: f64 = 0.5;
const RECOVERY: f64 = 5;
const MUCH_TOO_NEAR: f64 = 0.25;
const QUICK_RECOVERY: f64 = 0.5;
/** Of the distance to keep: what is farther apart than it and this has not arrived. */
const ARRIVED: f64 = 1e-3;

// @ts-ignore: decorator
@inline export function frameAt(pair: usize, side: usize): usize {
  return frames + FRAME * <usize>load<u32>(pair + 4 * side);
}

/** Coordinate k of a point, turned by a matrix. */
// @ts-ignore: decorator
@inline function turned(frame: usize, point: usize, k: usize): f64 {
  const m = frame + MATRIX + 24 * k;
  return load<f64>(m) * load<f64>(point) + load<f64>(m, 8) * load<f64>(point, 8) + load<f64>(m, 16) * load<f64>(point, 16);
}

/** Writes all rows, and the speed at which each contact is reached, if it is: that of now, and what gravity adds on the way. */
export function enterRows(): void {
  rewrite();
  measure(1, false);
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const a = frameAt(pair, 0), b = frameAt(pair, 1);
    const freeA = load<f64>(a, FREE), freeB = load<f64>(b, FREE);
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c, contact = contacts + CONTACT * <usize>c;
      const now = -leaving(pair, row);
      let pull: f64 = 0;
      for (let i: usize = 0; i < 24; i += 8) {
        pull += load<f64>(row + i, ROW_NORMAL) * (freeA * load<f64>(a + i, ACCELERATION) - freeB * load<f64>(b + i, ACCELERATION));
      }
      const arriving = sqrt(max(0, now * now + 2 * pull * max(0, load<f64>(contact, LEFT))));
      store<f64>(contact, now > 0 ? arriving : 0, APPROACH);
    }
  }
}

/** Writes all rows for where bodies are. */
export function rewrite(): void {
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) writeRow(pair, rows + ROW * <usize>c, contacts + CONTACT * <usize>c);
  }
}

function writeRow(pair: usize, row: usize, contact: usize): void {
  const a = bodyAt(pair, 0), b = bodyAt(pair, 1);
  const frameA = frameAt(pair, 0), frameB = frameAt(pair, 1);
  // half the way between the two points, seen from either centre
  for (let k: usize = 0; k < 3; k++) {
    const ca = load<f64>(frameA + 8 * k), cb = load<f64>(frameB + 8 * k);
    const middle = 0.5 * (turned(frameA, contact, k) + ca + turned(frameB, contact + POINT_B, k) + cb);
    store<f64>(row + 16 * k, middle - ca);
    store<f64>(row + 16 * k, middle - cb, 8);
    store<f64>(row + 8 * k, turned(frameA, contact + CONTACT_NORMAL, k), ROW_NORMAL);
  }
  // two directions across the normal, in the frame of a: the same for the same normal
  const lx = load<f64>(contact, CONTACT_NORMAL), ly = load<f64>(contact, CONTACT_NORMAL + 8);
  const lz = load<f64>(contact, CONTACT_NORMAL + 16);
  const sign: f64 = lz < 0 ? -1 : 1;
  const scale = -1 / (sign + lz);
  const cross = lx * ly * scale;
  const sx = 1 + sign * lx * lx * scale, sy = sign * cross, sz = -sign * lx;
  const tx = cross, ty = sign + ly * ly * scale, tz = -ly;
  for (let k: usize = 0; k < 3; k++) {
    const m = frameA + MATRIX + 24 * k;
    const m0 = load<f64>(m), m1 = load<f64>(m, 8), m2 = load<f64>(m, 16);
    store<f64>(row + 16 * k, m0 * sx + m1 * sy + m2 * sz, ACROSS);
    store<f64>(row + 16 * k, m0 * tx + m1 * ty + m2 * tz, ACROSS + 8);
  }
  writeMasses(a, b, row);
}

/** What impulses along the three directions do to the speeds along them. */
function writeMasses(a: usize, b: usize, row: usize): void {
  const rx = v128.load(row), ry = v128.load(row, 16), rz = v128.load(row, 32);
  const i = a + INVERSE_INERTIA, j = b + INVERSE_INERTIA;
  const xx = lanes(i, j), xy = lanes(i + 8, j + 8), xz = lanes(i + 16, j + 16);
  const yy = lanes(i + 24, j + 24), yz = lanes(i + 32, j + 32), zz = lanes(i + 40, j + 40);
  const nx = v128.load64_splat(row, ROW_NORMAL), ny = v128.load64_splat(row, ROW_NORMAL + 8), nz = v128.load64_splat(row, ROW_NORMAL + 16);
  const sx = v128.load64_splat(row, ACROSS), sy = v128.load64_splat(row, ACROSS + 16), sz = v128.load64_splat(row, ACROSS + 32);
  const tx = v128.load64_splat(row, ACROSS + 8), ty = v128.load64_splat(row, ACROSS + 24), tz = v128.load64_splat(row, ACROSS + 40);
  const jnx = cross2(ry, rz, ny, nz), jny = cross2(rz, rx, nz, nx), jnz = cross2(rx, ry, nx, ny);
  const jsx = cross2(ry, rz, sy, sz), jsy = cross2(rz, rx, sz, sx), jsz = cross2(rx, ry, sx, sy);
  const jtx = cross2(ry, rz, ty, tz), jty = cross2(rz, rx, tz, tx), jtz = cross2(rx, ry, tx, ty);
  const anx = dot3(xx, xy, xz, jnx, jny, jnz), any = dot3(xy, yy, yz, jnx, jny, jnz), anz = dot3(xz, yz, zz, jnx, jny, jnz);
  const asx = dot3(xx, xy, xz, jsx, jsy, jsz), asy = dot3(xy, yy, yz, jsx, jsy, jsz), asz = dot3(xz, yz, zz, jsx, jsy, jsz);
  const atx = dot3(xx, xy, xz, jtx, jty, jtz), aty = dot3(xy, yy, yz, jtx, jty, jtz), atz = dot3(xz, yz, zz, jtx, jty, jtz);
  const m = load<f64>(a, INVERSE_MASS) + load<f64>(b, INVERSE_MASS);
  const nn = m + both(dot3(jnx, jny, jnz, anx, any, anz));
  const ss = m + both(dot3(jsx, jsy, jsz, asx, asy, asz));
  const tt = m + both(dot3(jtx, jty, jtz, atx, aty, atz));
  const st = both(dot3(jsx, jsy, jsz, atx, aty, atz));
  store<f64>(row, nn, K_NN);
  store<f64>(row, 1 / nn, MASS);
  store<f64>(row, both(dot3(jnx, jny, jnz, asx, asy, asz)), K_NS);
  store<f64>(row, both(dot3(jnx, jny, jnz, atx, aty, atz)), K_NT);
  store<f64>(row, ss, K_SS);
  store<f64>(row, st, K_ST);
  store<f64>(row, tt, K_TT);
  // K is at least m times the unit matrix, so this is above m²
  store<f64>(row, 1 / (ss * tt - st * st), PER_DETERMINANT);
}

/** Measures what is left of all gaps, and from that the speeds wanted in a part of length h; after the move, `settle`. */
export function measure(h: f64, settle: bool): void {
  const perPart = 1 / h;
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const a = frameAt(pair, 0), b = frameAt(pair, 1);
    const x = load<f64>(b) - load<f64>(a), y = load<f64>(b, 8) - load<f64>(a, 8), z = load<f64>(b, 16) - load<f64>(a, 16);
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c, contact = contacts + CONTACT * <usize>c;
      const dx = x + (turned(b, contact + POINT_B, 0) - turned(a, contact, 0));
      const dy = y + (turned(b, contact + POINT_B, 1) - turned(a, contact, 1));
      const dz = z + (turned(b, contact + POINT_B, 2) - turned(a, contact, 2));
      const target = load<f64>(contact, TARGET);
      const left = load<f64>(row, ROW_NORMAL) * dx + load<f64>(row, ROW_NORMAL + 8) * dy + load<f64>(row, ROW_NORMAL + 16) * dz - target;
      store<f64>(contact, left, LEFT);
      store<f64>(row, settle ? (left > ARRIVED * target ? Infinity : 0) : wanted(left, target, perPart), BIAS);
    }
  }
}

/** How fast two bodies may approach; below 0, how fast they are moved apart. */
function wanted(left: f64, target: f64, perPart: f64): f64 {
  if (left > 0) return left * perPart;
  return RECOVERY * min(0, left + TOO_NEAR * target)
    + QUICK_RECOVERY * perPart * min(0, left + (1 - MUCH_TOO_NEAR) * target);
}

/** Gives bodies the impulses of the part before. */
export function warmStart(): void {
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    let pushed = false;
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c, contact = contacts + CONTACT * <usize>c;
      for (let i: usize = 0; i < 24; i += 8) store<f64>(contact + i, 0, COUNTED);
      const n = load<f64>(row, IMPULSES), s = load<f64>(row, IMPULSES + 8), t = load<f64>(row, IMPULSES + 16);
      if (n === 0 && s === 0 && t === 0) continue;
      pushed = true;
      push(pair, row, along(row, 0, n, s, t), along(row, 1, n, s, t), along(row, 2, n, s, t));
    }
    if (!pushed) continue;
    store<f64>(bodyAt(pair, 0), 1, PUSHED);
    store<f64>(bodyAt(pair, 1), 1, PUSHED);
  }
}

/** Coordinate k of impulses along the three directions of a row. */
// @ts-ignore: decorator
@inline function along(row: usize, k: usize, n: f64, s: f64, t: f64): f64 {
  return n * load<f64>(row + 8 * k, ROW_NORMAL) + s * load<f64>(row + 16 * k, ACROSS) + t * load<f64>(row + 16 * k, ACROSS + 8);
}

/** Counts impulses that were not counted yet in this part: they are what angular momenta change by. */
export function countImpulses(): void {
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c, contact = contacts + CONTACT * <usize>c;
      const n = load<f64>(row, IMPULSES), s = load<f64>(row, IMPULSES + 8), t = load<f64>(row, IMPULSES + 16);
      const dn = n - load<f64>(contact, COUNTED), ds = s - load<f64>(contact, COUNTED + 8), dt = t - load<f64>(contact, COUNTED + 16);
      if (dn === 0 && ds === 0 && dt === 0) continue;
      store<f64>(contact, n, COUNTED);
      store<f64>(contact, s, COUNTED + 8);
      store<f64>(contact, t, COUNTED + 16);
      turnBy(pair, row, contact, dn, ds, dt);
    }
  }
}

/** Changes the angular momenta of the bodies of a row by an impulse, and what it did in all. */
export function turnBy(pair: usize, row: usize, contact: usize, n: f64, s: f64, t: f64): void {
  store<f64>(contact, load<f64>(contact, TOTAL) + n, TOTAL);
  store<f64>(contact, load<f64>(contact, TOTAL + 8) + s, TOTAL + 8);
  store<f64>(contact, load<f64>(contact, TOTAL + 16) + t, TOTAL + 16);
  const px = along(row, 0, n, s, t), py = along(row, 1, n, s, t), pz = along(row, 2, n, s, t);
  for (let side: usize = 0; side < 2; side++) {
    const frame = frameAt(pair, side);
    if (load<f64>(frame, FREE) === 0) continue;
    const r = row + 8 * side;
    const rx = load<f64>(r), ry = load<f64>(r, 16), rz = load<f64>(r, 32);
    const sign: f64 = side === 0 ? -1 : 1;
    store<f64>(frame, load<f64>(frame, ANGULAR) + sign * (ry * pz - rz * py), ANGULAR);
    store<f64>(frame, load<f64>(frame, ANGULAR + 8) + sign * (rz * px - rx * pz), ANGULAR + 8);
    store<f64>(frame, load<f64>(frame, ANGULAR + 16) + sign * (rx * py - ry * px), ANGULAR + 16);
  }
}
