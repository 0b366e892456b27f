/**
 * One pass through the rows of an island: each applies its missing impulse, friction first, limited by the known push.
 *
 * Velocities of two bodies are read once for all of their rows. The effect of friction on the speed along the normal
 * follows from K, so velocities at the point are computed once for a row, and changed once.
 */
import { apart, bodyAt, cross2, dot3, pushBoth, turnBoth } from './lanes';
import {
  ACROSS, BIAS, CHANGE, endPair, firstPair, FRICTION, IMPULSES, INVERSE_INERTIA, INVERSE_MASS, K_NN, K_NS, K_NT, K_SS,
  K_ST, K_TT, MASS, MOST, ROW_NORMAL, PAIR, pairs, PER_DETERMINANT, PUSHED, ROW, rows, SEARCH,
} from './layout';

/** Sums of squares of the changes of the last sweep, and of the one before, weighted by their effect on speeds. */
let changesSq: f64 = 0;
let lastSq: f64 = 0;

/** Sweeps in one order or the other; without `rough`, friction is unchanged. Returns the largest change of a speed. */
export function sweep(backward: bool, rough: bool): f64 {
  let largest: f64 = 0;
  changesSq = 0;
  if (backward) {
    for (let k = endPair; k > firstPair; k--) largest = max(largest, sweepPair(pairs + PAIR * <usize>(k - 1), true, rough));
  } else {
    for (let k = firstPair; k < endPair; k++) largest = max(largest, sweepPair(pairs + PAIR * <usize>k, false, rough));
  }
  return largest;
}

/** Of numbers that are none of them NaN: `max` asks for that. */
// @ts-ignore: decorator
@inline function larger(x: f64, y: f64): f64 { return x > y ? x : y; }

function sweepPair(pair: usize, backward: bool, rough: bool): f64 {
  const a = bodyAt(pair, 0), b = bodyAt(pair, 1);
  const a0 = v128.load(a), a1 = v128.load(a, 16), a2 = v128.load(a, 32);
  const b0 = v128.load(b), b1 = v128.load(b, 16), b2 = v128.load(b, 32);
  let vx = v128.shuffle<f64>(a0, b0, 0, 2), vy = v128.shuffle<f64>(a0, b0, 1, 3), vz = v128.shuffle<f64>(a1, b1, 0, 2);
  let wx = v128.shuffle<f64>(a1, b1, 1, 3), wy = v128.shuffle<f64>(a2, b2, 0, 2), wz = v128.shuffle<f64>(a2, b2, 1, 3);
  // a is pushed in the opposite direction
  const m = f64x2.replace_lane(f64x2.splat(-load<f64>(a, INVERSE_MASS)), 1, load<f64>(b, INVERSE_MASS));
  const i0 = f64x2.neg(v128.load(a, INVERSE_INERTIA)), j0 = v128.load(b, INVERSE_INERTIA);
  const i1 = f64x2.neg(v128.load(a, INVERSE_INERTIA + 16)), j1 = v128.load(b, INVERSE_INERTIA + 16);
  const i2 = f64x2.neg(v128.load(a, INVERSE_INERTIA + 32)), j2 = v128.load(b, INVERSE_INERTIA + 32);
  const xx = v128.shuffle<f64>(i0, j0, 0, 2), xy = v128.shuffle<f64>(i0, j0, 1, 3), xz = v128.shuffle<f64>(i1, j1, 0, 2);
  const yy = v128.shuffle<f64>(i1, j1, 1, 3), yz = v128.shuffle<f64>(i2, j2, 0, 2), zz = v128.shuffle<f64>(i2, j2, 1, 3);
  const mu = load<f64>(pair, FRICTION);
  const first = rows + ROW * <usize>load<u32>(pair, 8);
  const count = <usize>load<u32>(pair, 12);
  let row = backward ? first + ROW * (count - 1) : first;
  const next: usize = backward ? 0 - ROW : ROW;
  let largest: f64 = 0;
  let changed = false;
  let sumSq: f64 = 0;
  let momentX = f64x2.splat(0), momentY = f64x2.splat(0), momentZ = f64x2.splat(0);
  for (let k: usize = 0; k < count; k++, row += next) {
    const rx = v128.load(row), ry = v128.load(row, 16), rz = v128.load(row, 32);
    const dx = apart(f64x2.add(vx, cross2(wy, wz, ry, rz)));
    const dy = apart(f64x2.add(vy, cross2(wz, wx, rz, rx)));
    const dz = apart(f64x2.add(vz, cross2(wx, wy, rx, ry)));
    const nx = load<f64>(row, ROW_NORMAL), ny = load<f64>(row, ROW_NORMAL + 8), nz = load<f64>(row, ROW_NORMAL + 16);
    let speed = nx * dx + ny * dy + nz * dz;
    const before = load<f64>(row, IMPULSES);
    const s = load<f64>(row, IMPULSES + 8), t = load<f64>(row, IMPULSES + 16);
    let ds: f64 = 0, dt: f64 = 0;
    if (rough && ((before > 0 && mu > 0) || s !== 0 || t !== 0)) {
      const speeds = dot3(
        v128.load(row, ACROSS), v128.load(row, ACROSS + 16), v128.load(row, ACROSS + 32),
        f64x2.splat(dx), f64x2.splat(dy), f64x2.splat(dz),
      );
      const us = f64x2.extract_lane(speeds, 0), ut = f64x2.extract_lane(speeds, 1);
      const ss = load<f64>(row, K_SS), st = load<f64>(row, K_ST), tt = load<f64>(row, K_TT);
      const per = load<f64>(row, PER_DETERMINANT);
      let p = s - per * (tt * us - st * ut);
      let q = t - per * (ss * ut - st * us);
      const most = mu * larger(before, 0);
      if (p * p + q * q > most * most) {
        // it slides: a step against its motion, then back into the cone, so that finally friction opposes motion
        const step = 1 / (larger(ss, tt) + abs(st));
        p = s - step * us;
        q = t - step * ut;
        const lengthSq = p * p + q * q;
        if (lengthSq > most * most) {
          const share = most / sqrt(lengthSq);
          p *= share;
          q *= share;
        }
      }
      ds = p - s;
      dt = q - t;
      store<f64>(row, p, IMPULSES + 8);
      store<f64>(row, q, IMPULSES + 16);
      largest = larger(largest, abs(ss * ds + st * dt) + abs(st * ds + tt * dt));
      speed += load<f64>(row, K_NS) * ds + load<f64>(row, K_NT) * dt;
    }
    let dn: f64 = 0;
    const bias = load<f64>(row, BIAS);
    // after the move, contacts that were not reached need no push
    if (bias !== Infinity) {
      const after = larger(before - load<f64>(row, MASS) * (speed + bias), 0);
      dn = after - before;
      store<f64>(row, after, IMPULSES);
      if (after > load<f64>(row, MOST)) store<f64>(row, after, MOST);
      largest = larger(largest, abs(dn) * load<f64>(row, K_NN));
    }
    store<f64>(row, dn, CHANGE);
    if (dn === 0 && ds === 0 && dt === 0) continue;
    changed = true;
    sumSq += load<f64>(row, K_NN) * dn * dn;
    const px = f64x2.splat(nx * dn + load<f64>(row, ACROSS) * ds + load<f64>(row, ACROSS + 8) * dt);
    const py = f64x2.splat(ny * dn + load<f64>(row, ACROSS + 16) * ds + load<f64>(row, ACROSS + 24) * dt);
    const pz = f64x2.splat(nz * dn + load<f64>(row, ACROSS + 32) * ds + load<f64>(row, ACROSS + 40) * dt);
    vx = f64x2.add(vx, f64x2.mul(m, px));
    vy = f64x2.add(vy, f64x2.mul(m, py));
    vz = f64x2.add(vz, f64x2.mul(m, pz));
    const tx = cross2(ry, rz, py, pz), ty = cross2(rz, rx, pz, px), tz = cross2(rx, ry, px, py);
    momentX = f64x2.add(momentX, tx);
    momentY = f64x2.add(momentY, ty);
    momentZ = f64x2.add(momentZ, tz);
    wx = f64x2.add(wx, dot3(xx, xy, xz, tx, ty, tz));
    wy = f64x2.add(wy, dot3(xy, yy, yz, tx, ty, tz));
    wz = f64x2.add(wz, dot3(xz, yz, zz, tx, ty, tz));
  }
  if (!changed) return largest;
  changesSq += sumSq;
  v128.store(a, v128.shuffle<f64>(vx, vy, 0, 2));
  v128.store(a, v128.shuffle<f64>(vz, wx, 0, 2), 16);
  v128.store(a, v128.shuffle<f64>(wy, wz, 0, 2), 32);
  v128.store(b, v128.shuffle<f64>(vx, vy, 1, 3));
  v128.store(b, v128.shuffle<f64>(vz, wx, 1, 3), 16);
  v128.store(b, v128.shuffle<f64>(wy, wz, 1, 3), 32);
  const sign = f64x2(-1, 1);
  turnBoth(a, b, f64x2.mul(sign, momentX), f64x2.mul(sign, momentY), f64x2.mul(sign, momentZ));
  store<f64>(a, 1, PUSHED);
  store<f64>(b, 1, PUSHED);
  return largest;
}

/**
 * After a sweep without friction, unless it was the first: continues in the direction of this one and the previous
 * ones, by conjugate gradients. Weight then passes through a stack in as many sweeps as it has layers, not in their
 * square.
 */
export function goOn(first: bool): void {
  // restart if the changes grow again
  const share = first || changesSq > lastSq ? 0 : changesSq / lastSq;
  lastSq = changesSq;
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    let px: f64 = 0, py: f64 = 0, pz: f64 = 0;
    let tx = f64x2.splat(0), ty = f64x2.splat(0), tz = f64x2.splat(0);
    let changed = false;
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c;
      const way = share > 0 ? share * load<f64>(row, SEARCH) : 0;
      store<f64>(row, way + load<f64>(row, CHANGE), SEARCH);
      if (way === 0) continue;
      changed = true;
      store<f64>(row, load<f64>(row, IMPULSES) + way, IMPULSES);
      const x = way * load<f64>(row, ROW_NORMAL), y = way * load<f64>(row, ROW_NORMAL + 8), z = way * load<f64>(row, ROW_NORMAL + 16);
      px += x;
      py += y;
      pz += z;
      const rx = v128.load(row), ry = v128.load(row, 16), rz = v128.load(row, 32);
      const lx = f64x2.splat(x), ly = f64x2.splat(y), lz = f64x2.splat(z);
      tx = f64x2.add(tx, cross2(ry, rz, ly, lz));
      ty = f64x2.add(ty, cross2(rz, rx, lz, lx));
      tz = f64x2.add(tz, cross2(rx, ry, lx, ly));
    }
    if (changed) pushBoth(pair, px, py, pz, tx, ty, tz);
  }
}
