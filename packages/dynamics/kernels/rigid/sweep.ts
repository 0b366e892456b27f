/**
 * One pass through the rows of an island: each applies its missing impulse, friction first, limited by the known push.
 *
 * Velocities of two bodies are read once for all of their rows. The effect of friction on the speed along the normal
 * follows from K, so velocities at the point are computed once for a row, and changed once. A push alone needs no more
 * of a row than its normal, its arms, and what it does to spins. Angular momenta follow later (`countMoments`).
 */
import { apart, bodyAt, both, dot3, lanes, put } from './lanes';
import {
  ACROSS, ACROSS_ARM, ACROSS_TWIST, ARM, BALLS, BIAS, CHANGE, endPair, firstPair, FRICTION, IMPULSES, INVERSE_MASS, K_NN, K_NS, K_NT, K_SS,
  K_ST, K_TT, MASS, MOST, ROW_NORMAL, PAIR, pairs, PER_DETERMINANT, PUSHED, ROW, rows, SEARCH, SPIN, TWIST,
} from './layout';
import { countMoments, measure } from './rows';

/** Sums of squares of the changes of the last sweeps, there and back, and of those before, weighted by their effect. */
let changesSq: f64 = 0;
let lastSq: f64 = 0;
/** Factor by which changes must have grown for the search for a solution to restart. */
const GROWN: f64 = 1.2;
/** Sweeps since they were last counted. */
let made: u32 = 0;

export function countSweeps(): u32 {
  const count = made;
  made = 0;
  return count;
}

/**
 * Sweeps an island that no joint holds, as `#sweep` in solving.ts says: at most `smooth` times without friction and
 * `rough` times with it, until speeds change by no more than `settled`; where friction still changes them by more than
 * `enough`, again. Returns the change by the first sweep with friction.
 */
export function sweepFree(
  h: f64, settle: bool, settled: f64, enough: f64, smooth: f64, rough: f64, smoothAgain: f64, roughAgain: f64,
): f64 {
  measure(h, settle);
  sweepUntil(settled, smooth, false);
  const first = sweepUntil(settled, rough, true);
  if (first > enough && sweepUntil(enough, smoothAgain, false) > enough) sweepUntil(enough, roughAgain, true);
  countMoments();
  return first;
}

/** Returns the change by the first of at most so many sweeps. */
function sweepUntil(settled: f64, most: f64, rough: bool): f64 {
  let first: f64 = 0;
  for (let k: u32 = 0; k < most; k++) {
    made++;
    const backward = (k & 1) === 1;
    const change = sweep(backward, rough);
    if (k === 0) first = change;
    if (change <= settled) break;
    if (backward && k + 1 < most) goOn(k === 1, rough);
  }
  return first;
}

/**
 * Sweeps in one order or the other; without `rough`, friction is unchanged. A sweep backward follows one forward, and
 * its changes are added to those. Returns the largest change of a speed by this one.
 */
export function sweep(backward: bool, rough: bool): f64 {
  let largest: f64 = 0;
  changesSq = 0;
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>(backward ? firstPair + endPair - 1 - k : k);
    largest = larger(largest,
      rough ? sweepRough(pair, backward) : load<f64>(pair, BALLS) !== 0 ? sweepBalls(pair, backward) : sweepSmooth(pair, backward),
    );
  }
  return largest;
}

function sweepRough(pair: usize, backward: bool): f64 { return sweepPair(pair, backward, true); }
function sweepSmooth(pair: usize, backward: bool): f64 { return sweepPair(pair, backward, false); }

/** The push between two balls, which does not turn them. */
function sweepBalls(pair: usize, backward: bool): f64 {
  const a = bodyAt(pair, 0), b = bodyAt(pair, 1), row = rows + ROW * <usize>load<u32>(pair, 8);
  const n = v128.load(row, ROW_NORMAL), nz = load<f64>(row, ROW_NORMAL + 16);
  const u = v128.load(a), v = v128.load(b), uz = load<f64>(a, 16), vz = load<f64>(b, 16);
  const bias = load<f64>(row, BIAS);
  const before = load<f64>(row, IMPULSES), effect = load<f64>(row, K_NN);
  let dn: f64 = 0;
  if (bias !== Infinity) {
    const speed = both(f64x2.mul(n, f64x2.sub(v, u))) + nz * (vz - uz);
    const after = larger(before - load<f64>(row, MASS) * (speed + bias), 0);
    dn = after - before;
    store<f64>(row, after, IMPULSES);
    if (after > load<f64>(row, MOST)) store<f64>(row, after, MOST);
  }
  const change = backward ? load<f64>(row, CHANGE) + dn : dn;
  store<f64>(row, change, CHANGE);
  changesSq += effect * change * change;
  if (dn === 0) return 0;
  const p = dn * load<f64>(a, INVERSE_MASS), q = dn * load<f64>(b, INVERSE_MASS);
  v128.store(a, f64x2.sub(u, f64x2.mul(f64x2.splat(p), n)));
  store<f64>(a, uz - p * nz, 16);
  v128.store(b, f64x2.add(v, f64x2.mul(f64x2.splat(q), n)));
  store<f64>(b, vz + q * nz, 16);
  store<f64>(a, 1, PUSHED);
  store<f64>(b, 1, PUSHED);
  return abs(dn) * effect;
}

/** The changes of spins by both impulses across: x times the first, y times the second. */
// @ts-ignore: decorator
@inline function twice(x: v128, y: v128, twist: usize): v128 {
  return f64x2.add(f64x2.mul(x, v128.load(twist)), f64x2.mul(y, v128.load(twist, 48)));
}

/** Of numbers that are none of them NaN: `max` asks for that. */
// @ts-ignore: decorator
@inline function larger(x: f64, y: f64): f64 { return x > y ? x : y; }

// @ts-ignore: decorator
@inline function sweepPair(pair: usize, backward: bool, rough: bool): f64 {
  const a = bodyAt(pair, 0), b = bodyAt(pair, 1);
  const a0 = v128.load(a), a1 = v128.load(a, 16), a2 = v128.load(a, 32);
  const b0 = v128.load(b), b1 = v128.load(b, 16), b2 = v128.load(b, 32);
  let vx = v128.shuffle<f64>(a0, b0, 0, 2), vy = v128.shuffle<f64>(a0, b0, 1, 3), vz = v128.shuffle<f64>(a1, b1, 0, 2);
  let wx = v128.shuffle<f64>(a1, b1, 1, 3), wy = v128.shuffle<f64>(a2, b2, 0, 2), wz = v128.shuffle<f64>(a2, b2, 1, 3);
  // a is pushed in the opposite direction
  const m = f64x2.replace_lane(f64x2.splat(-load<f64>(a, INVERSE_MASS)), 1, load<f64>(b, INVERSE_MASS));
  const mu = load<f64>(pair, FRICTION);
  const first = rows + ROW * <usize>load<u32>(pair, 8);
  const count = <usize>load<u32>(pair, 12);
  let row = backward ? first + ROW * (count - 1) : first;
  const next: usize = backward ? 0 - ROW : ROW;
  let largest: f64 = 0;
  let changed = false;
  let sumSq: f64 = 0;
  for (let k: usize = 0; k < count; k++, row += next) {
    const nx = load<f64>(row, ROW_NORMAL), ny = load<f64>(row, ROW_NORMAL + 8), nz = load<f64>(row, ROW_NORMAL + 16);
    let speed = apart(f64x2.add(
      dot3(vx, vy, vz, f64x2.splat(nx), f64x2.splat(ny), f64x2.splat(nz)),
      dot3(wx, wy, wz, v128.load(row, ARM), v128.load(row, ARM + 16), v128.load(row, ARM + 32)),
    ));
    const before = load<f64>(row, IMPULSES);
    let ds: f64 = 0, dt: f64 = 0;
    const s = rough ? load<f64>(row, IMPULSES + 8) : 0, t = rough ? load<f64>(row, IMPULSES + 16) : 0;
    if (rough && ((before > 0 && mu > 0) || s !== 0 || t !== 0)) {
      const us = apart(f64x2.add(
        dot3(vx, vy, vz, v128.load64_splat(row, ACROSS), v128.load64_splat(row, ACROSS + 16), v128.load64_splat(row, ACROSS + 32)),
        dot3(wx, wy, wz, v128.load(row, ACROSS_ARM), v128.load(row, ACROSS_ARM + 16), v128.load(row, ACROSS_ARM + 32)),
      ));
      const ut = apart(f64x2.add(
        dot3(vx, vy, vz, v128.load64_splat(row, ACROSS + 8), v128.load64_splat(row, ACROSS + 24), v128.load64_splat(row, ACROSS + 40)),
        dot3(wx, wy, wz, v128.load(row, ACROSS_ARM + 48), v128.load(row, ACROSS_ARM + 64), v128.load(row, ACROSS_ARM + 80)),
      ));
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
    const cn = backward ? load<f64>(row, CHANGE) + dn : dn;
    store<f64>(row, cn, CHANGE);
    sumSq += load<f64>(row, K_NN) * cn * cn;
    if (rough) {
      const cs = backward ? load<f64>(row, CHANGE + 8) + ds : ds, ct = backward ? load<f64>(row, CHANGE + 16) + dt : dt;
      store<f64>(row, cs, CHANGE + 8);
      store<f64>(row, ct, CHANGE + 16);
      sumSq += load<f64>(row, K_SS) * cs * cs + load<f64>(row, K_TT) * ct * ct;
    }
    if (dn === 0 && ds === 0 && dt === 0) continue;
    changed = true;
    let px = nx * dn, py = ny * dn, pz = nz * dn;
    const byN = f64x2.splat(dn);
    wx = f64x2.add(wx, f64x2.mul(byN, v128.load(row, TWIST)));
    wy = f64x2.add(wy, f64x2.mul(byN, v128.load(row, TWIST + 16)));
    wz = f64x2.add(wz, f64x2.mul(byN, v128.load(row, TWIST + 32)));
    if (rough && (ds !== 0 || dt !== 0)) {
      px += load<f64>(row, ACROSS) * ds + load<f64>(row, ACROSS + 8) * dt;
      py += load<f64>(row, ACROSS + 16) * ds + load<f64>(row, ACROSS + 24) * dt;
      pz += load<f64>(row, ACROSS + 32) * ds + load<f64>(row, ACROSS + 40) * dt;
      const byS = f64x2.splat(ds), byT = f64x2.splat(dt);
      wx = f64x2.add(wx, twice(byS, byT, row + ACROSS_TWIST));
      wy = f64x2.add(wy, twice(byS, byT, row + ACROSS_TWIST + 16));
      wz = f64x2.add(wz, twice(byS, byT, row + ACROSS_TWIST + 32));
    }
    vx = f64x2.add(vx, f64x2.mul(m, f64x2.splat(px)));
    vy = f64x2.add(vy, f64x2.mul(m, f64x2.splat(py)));
    vz = f64x2.add(vz, f64x2.mul(m, f64x2.splat(pz)));
  }
  changesSq += sumSq;
  if (!changed) return largest;
  v128.store(a, v128.shuffle<f64>(vx, vy, 0, 2));
  v128.store(a, v128.shuffle<f64>(vz, wx, 0, 2), 16);
  v128.store(a, v128.shuffle<f64>(wy, wz, 0, 2), 32);
  v128.store(b, v128.shuffle<f64>(vx, vy, 1, 3));
  v128.store(b, v128.shuffle<f64>(vz, wx, 1, 3), 16);
  v128.store(b, v128.shuffle<f64>(wy, wz, 1, 3), 32);
  store<f64>(a, 1, PUSHED);
  store<f64>(b, 1, PUSHED);
  return largest;
}

/**
 * After a sweep there and back: continues in the direction of these and the previous ones, by conjugate gradients, for
 * which two sweeps are one step, as only together they are symmetric. Weight then passes through a stack in as many
 * sweeps as it has layers, not in their square. The next sweep takes pushes back above 0, and friction into its cone.
 */
export function goOn(first: bool, rough: bool): void {
  // where friction slides, changes hardly become smaller for long: a restart whenever one is larger gets nowhere
  const share = first || changesSq > GROWN * lastSq ? 0 : min(1, changesSq / lastSq);
  lastSq = changesSq;
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    let px: f64 = 0, py: f64 = 0, pz: f64 = 0;
    let wx = f64x2.splat(0), wy = f64x2.splat(0), wz = f64x2.splat(0);
    let changed = false;
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c;
      const way = share > 0 ? share * load<f64>(row, SEARCH) : 0;
      store<f64>(row, way + load<f64>(row, CHANGE), SEARCH);
      const s = rough && share > 0 ? share * load<f64>(row, SEARCH + 8) : 0;
      const t = rough && share > 0 ? share * load<f64>(row, SEARCH + 16) : 0;
      if (rough) {
        store<f64>(row, s + load<f64>(row, CHANGE + 8), SEARCH + 8);
        store<f64>(row, t + load<f64>(row, CHANGE + 16), SEARCH + 16);
      }
      if (way === 0 && s === 0 && t === 0) continue;
      changed = true;
      store<f64>(row, load<f64>(row, IMPULSES) + way, IMPULSES);
      px += way * load<f64>(row, ROW_NORMAL);
      py += way * load<f64>(row, ROW_NORMAL + 8);
      pz += way * load<f64>(row, ROW_NORMAL + 16);
      const by = f64x2.splat(way);
      wx = f64x2.add(wx, f64x2.mul(by, v128.load(row, TWIST)));
      wy = f64x2.add(wy, f64x2.mul(by, v128.load(row, TWIST + 16)));
      wz = f64x2.add(wz, f64x2.mul(by, v128.load(row, TWIST + 32)));
      if (s === 0 && t === 0) continue;
      store<f64>(row, load<f64>(row, IMPULSES + 8) + s, IMPULSES + 8);
      store<f64>(row, load<f64>(row, IMPULSES + 16) + t, IMPULSES + 16);
      px += load<f64>(row, ACROSS) * s + load<f64>(row, ACROSS + 8) * t;
      py += load<f64>(row, ACROSS + 16) * s + load<f64>(row, ACROSS + 24) * t;
      pz += load<f64>(row, ACROSS + 32) * s + load<f64>(row, ACROSS + 40) * t;
      const byS = f64x2.splat(s), byT = f64x2.splat(t);
      wx = f64x2.add(wx, twice(byS, byT, row + ACROSS_TWIST));
      wy = f64x2.add(wy, twice(byS, byT, row + ACROSS_TWIST + 16));
      wz = f64x2.add(wz, twice(byS, byT, row + ACROSS_TWIST + 32));
    }
    if (!changed) continue;
    const a = bodyAt(pair, 0), b = bodyAt(pair, 1), v = a + SPIN, w = b + SPIN;
    const m = f64x2.mul(f64x2(-1, 1), lanes(a + INVERSE_MASS, b + INVERSE_MASS));
    put(a, b, f64x2.add(lanes(a, b), f64x2.mul(m, f64x2.splat(px))));
    put(a + 8, b + 8, f64x2.add(lanes(a + 8, b + 8), f64x2.mul(m, f64x2.splat(py))));
    put(a + 16, b + 16, f64x2.add(lanes(a + 16, b + 16), f64x2.mul(m, f64x2.splat(pz))));
    put(v, w, f64x2.add(lanes(v, w), wx));
    put(v + 8, w + 8, f64x2.add(lanes(v + 8, w + 8), wy));
    put(v + 16, w + 16, f64x2.add(lanes(v + 16, w + 16), wz));
  }
}
