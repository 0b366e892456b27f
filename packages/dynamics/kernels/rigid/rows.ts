/**
 * Rows of contacts for the present position of their bodies: the effect of a push, the remaining gap, the pushes so
 * far.
 *
 * A part of a step lasts h. A contact with a remaining gap may use it up, but not more: v ≥ −gap / h. One that is
 * nearer than it should be does not get any nearer; below half of that distance the bodies are moved apart slowly, by a
 * velocity that is removed again after the move, so that it adds no motion; the energy of lifting comes from the motion
 * of the island (energy.ts). Both bodies are pushed at one point of the world, so that no angular momentum arises.
 *
 * Where a surface is round, contacts have the centre of its curvature: a ball that rolls keeps its distance from the
 * ground. Normals turn with a, but for those of a round place of a, which stay as they are during a step. Those of two
 * balls follow their centres; meanwhile, what balls do beside it only takes them farther apart.
 */
import { apart, both, bodyAt, cross2, dot3, lanes, leaving, pushBoth, turnBoth } from './lanes';
import { isDriven, kinetic, onScenery } from './motion';
import {
  ACCELERATION, ACROSS, ACROSS_ARM, ACROSS_TWIST, APPROACH, ARM, BALLS, BIAS, CONTACT, CONTACT_CORNER, CONTACT_NORMAL, CONTACT_ROUND, contacts, COUNTED, endPair, FRAME, frames, FREE, firstPair, IMPULSES,
  INVERSE_INERTIA, INVERSE_MASS, K_NN, K_NS, K_NT, K_SS, K_ST, K_TT, LEFT, MASS, MATRIX, MOST, ROW_NORMAL, PAIR, pairs,
  PER_DETERMINANT, PUSHED, RESTITUTION, ROW, rows, TARGET, TOTAL, TWIST,
} from './layout';

/**
 * Shares of the distance to keep: nearer contacts are moved apart, by a share of the missing distance per second; and
 * still nearer ones by a share of the missing distance in this part.
 */
const TOO_NEAR: f64 = 0.5;
const RECOVERY: f64 = 5;
const MUCH_TOO_NEAR: f64 = 0.25;
const QUICK_RECOVERY: f64 = 0.5;
/** Maximum number of parts per second for the share per part: in shorter parts, proportionally less is recovered. */
const MOST_PER_SECOND: f64 = 1000;
/** Share of the distance to keep: contacts farther apart than that distance plus this have not arrived. */
const ARRIVED: f64 = 1e-3;

// @ts-ignore: decorator
@inline export function frameAt(pair: usize, side: usize): usize {
  return frames + FRAME * <usize>load<u32>(pair + 4 * side);
}

/** Has the next part begin without impulses. */
export function forgetImpulses(): void {
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) memory.fill(rows + ROW * <usize>c + IMPULSES, 0, 24);
  }
}

/** Begins a step: with impulses of the last one, in the proportion of its parts to these. */
export function beginRows(scale: f64): void {
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c;
      store<f64>(row, 0, MOST);
      if (scale === 1) continue;
      for (let i: usize = 0; i < 24; i += 8) store<f64>(row + i, scale * load<f64>(row + i, IMPULSES), IMPULSES);
    }
  }
}

/** The number of contacts that have pushed since the step began. */
export function countPushing(): u32 {
  let count: u32 = 0;
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) if (load<f64>(rows + ROW * <usize>c, MOST) > 0) count++;
  }
  return count;
}

/** Writes the speed at which each contact would be reached: the present one, plus what gravity adds on the way. */
export function writeApproaches(): void {
  measure(1, false);
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) {
      const contact = contacts + CONTACT * <usize>c;
      writeApproach(pair, rows + ROW * <usize>c, contact, load<f64>(contact, LEFT));
    }
  }
}

function writeApproach(pair: usize, row: usize, contact: usize, left: f64): void {
  const a = frameAt(pair, 0), b = frameAt(pair, 1);
  const freeA = load<f64>(a, FREE), freeB = load<f64>(b, FREE);
  const now = -leaving(pair, row);
  let pull: f64 = 0;
  for (let i: usize = 0; i < 24; i += 8) {
    pull += load<f64>(row + i, ROW_NORMAL) * (freeA * load<f64>(a + i, ACCELERATION) - freeB * load<f64>(b + i, ACCELERATION));
  }
  const arriving = sqrt(max(0, now * now + 2 * pull * max(0, left)));
  store<f64>(contact, now > 0 ? arriving : 0, APPROACH);
}

/** Writes rows for the present position of bodies: at the start of a step, or `again` during it. */
export function writeRows(again: bool): void {
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c;
      // balls that bounce do so along the line on which they struck
      const struck = again && load<f64>(pair, BALLS) !== 0 && load<f64>(pair, RESTITUTION) > 0 && load<f64>(row, MOST) > 0;
      if (!struck) writeRow(pair, row, contacts + CONTACT * <usize>c, again);
    }
  }
}

function writeRow(pair: usize, row: usize, contact: usize, again: bool): void {
  const a = bodyAt(pair, 0), b = bodyAt(pair, 1);
  const frameA = frameAt(pair, 0), frameB = frameAt(pair, 1);
  const x = v128.load(contact), y = v128.load(contact, 16), z = v128.load(contact, 32);
  const roundA = load<f64>(contact, CONTACT_ROUND), roundB = load<f64>(contact, CONTACT_ROUND + 8);
  let nx = load<f64>(contact, CONTACT_NORMAL), ny = load<f64>(contact, CONTACT_NORMAL + 8);
  let nz = load<f64>(contact, CONTACT_NORMAL + 16);
  // both points, relative to either centre, and the gap from a's to b's
  let gap: f64 = 0, waySq: f64 = 0;
  for (let k: usize = 0; k < 3; k++) {
    const m = frameA + MATRIX + 24 * k, n = frameB + MATRIX + 24 * k;
    const arm = dot3(lanes(m, n), lanes(m + 8, n + 8), lanes(m + 16, n + 16), x, y, z);
    const along = again && roundA > 0
      ? load<f64>(row + 8 * k, ROW_NORMAL)
      : load<f64>(m) * nx + load<f64>(m, 8) * ny + load<f64>(m, 16) * nz;
    v128.store(row + 16 * k, arm);
    store<f64>(row + 8 * k, along, ROW_NORMAL);
    const way = apart(arm) + (load<f64>(frameB + 8 * k) - load<f64>(frameA + 8 * k));
    gap += along * way;
    waySq += way * way;
  }
  const areBalls = load<f64>(pair, BALLS) !== 0;
  if (areBalls) gap = pointAcross(row, frameA, frameB, sqrt(waySq));
  // bodies push each other half way between, or on the rounder surface, along the normal; across it, at the corner that
  // slides over a face
  const round = roundA + roundB;
  const shift = round > 0 ? 0.5 * (roundA - roundB) + (roundB / round - 0.5) * (gap - round) : 0;
  const corner = load<f64>(contact, CONTACT_CORNER);
  for (let k: usize = 0; k < 3; k++) {
    const arm = v128.load(row + 16 * k);
    const way = apart(arm) + (load<f64>(frameB + 8 * k) - load<f64>(frameA + 8 * k));
    const along = load<f64>(row + 8 * k, ROW_NORMAL);
    const beside = 0.5 * corner * (way - gap * along) + shift * along;
    v128.store(row + 16 * k, f64x2.add(arm, f64x2(0.5 * way + beside, beside - 0.5 * way)));
  }
  // two directions across the normal, in the frame that it is in: equal for equal normals
  if (roundA > 0) {
    nx = load<f64>(row, ROW_NORMAL);
    ny = load<f64>(row, ROW_NORMAL + 8);
    nz = load<f64>(row, ROW_NORMAL + 16);
  }
  const sign: f64 = nz < 0 ? -1 : 1;
  const scale = -1 / (sign + nz);
  const cross = nx * ny * scale;
  const sx = 1 + sign * nx * nx * scale, sy = sign * cross, sz = -sign * nx;
  const tx = cross, ty = sign + ny * ny * scale, tz = -ny;
  for (let k: usize = 0; k < 3; k++) {
    const m = frameA + MATRIX + 24 * k;
    const m0 = roundA > 0 ? f64(k == 0) : load<f64>(m), m1 = roundA > 0 ? f64(k == 1) : load<f64>(m, 8);
    const m2 = roundA > 0 ? f64(k == 2) : load<f64>(m, 16);
    store<f64>(row + 16 * k, m0 * sx + m1 * sy + m2 * sz, ACROSS);
    store<f64>(row + 16 * k, m0 * tx + m1 * ty + m2 * tz, ACROSS + 8);
  }
  writeMasses(a, b, row, areBalls);
  if (areBalls && again && load<f64>(pair, RESTITUTION) > 0) writeApproach(pair, row, contact, gap - load<f64>(pair, TARGET) - round);
}

/** Writes the effect of impulses along three directions on the speeds along them; pushes of balls do not turn them. */
function writeMasses(a: usize, b: usize, row: usize, areBalls: bool): void {
  const rx = v128.load(row), ry = v128.load(row, 16), rz = v128.load(row, 32);
  const i = a + INVERSE_INERTIA, j = b + INVERSE_INERTIA;
  const xx = lanes(i, j), xy = lanes(i + 8, j + 8), xz = lanes(i + 16, j + 16);
  const yy = lanes(i + 24, j + 24), yz = lanes(i + 32, j + 32), zz = lanes(i + 40, j + 40);
  const nx = v128.load64_splat(row, ROW_NORMAL), ny = v128.load64_splat(row, ROW_NORMAL + 8), nz = v128.load64_splat(row, ROW_NORMAL + 16);
  const sx = v128.load64_splat(row, ACROSS), sy = v128.load64_splat(row, ACROSS + 16), sz = v128.load64_splat(row, ACROSS + 32);
  const tx = v128.load64_splat(row, ACROSS + 8), ty = v128.load64_splat(row, ACROSS + 24), tz = v128.load64_splat(row, ACROSS + 40);
  const none = f64x2.splat(0);
  const jnx = areBalls ? none : cross2(ry, rz, ny, nz), jny = areBalls ? none : cross2(rz, rx, nz, nx);
  const jnz = areBalls ? none : cross2(rx, ry, nx, ny);
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
  v128.store(row, jnx, ARM);
  v128.store(row, jny, ARM + 16);
  v128.store(row, jnz, ARM + 32);
  // a is pushed in the opposite direction
  const sign = f64x2(-1, 1);
  v128.store(row, f64x2.mul(sign, anx), TWIST);
  v128.store(row, f64x2.mul(sign, any), TWIST + 16);
  v128.store(row, f64x2.mul(sign, anz), TWIST + 32);
  v128.store(row, jsx, ACROSS_ARM);
  v128.store(row, jsy, ACROSS_ARM + 16);
  v128.store(row, jsz, ACROSS_ARM + 32);
  v128.store(row, jtx, ACROSS_ARM + 48);
  v128.store(row, jty, ACROSS_ARM + 64);
  v128.store(row, jtz, ACROSS_ARM + 80);
  v128.store(row, f64x2.mul(sign, asx), ACROSS_TWIST);
  v128.store(row, f64x2.mul(sign, asy), ACROSS_TWIST + 16);
  v128.store(row, f64x2.mul(sign, asz), ACROSS_TWIST + 32);
  v128.store(row, f64x2.mul(sign, atx), ACROSS_TWIST + 48);
  v128.store(row, f64x2.mul(sign, aty), ACROSS_TWIST + 64);
  v128.store(row, f64x2.mul(sign, atz), ACROSS_TWIST + 80);
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

/** Has the normal of two balls go from centre to centre, which are this far apart. Returns that distance. */
function pointAcross(row: usize, frameA: usize, frameB: usize, distance: f64): f64 {
  for (let k: usize = 0; k < 3; k++) {
    const way = apart(v128.load(row + 16 * k)) + (load<f64>(frameB + 8 * k) - load<f64>(frameA + 8 * k));
    store<f64>(row + 8 * k, way / distance, ROW_NORMAL);
  }
  return distance;
}

/**
 * Measures all remaining gaps, and derives the target speeds in a part of length h; after the move, `settle`. From here
 * on, angular momenta do not follow the impulses of sweeps, until they are counted (`countMoments`).
 */
export function measure(h: f64, settle: bool): void {
  const perPart = 1 / h;
  let asked: f64 = 0;
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const a = frameAt(pair, 0), b = frameAt(pair, 1);
    const m = a + MATRIX, n = b + MATRIX;
    const m0 = lanes(m, n), m1 = lanes(m + 8, n + 8), m2 = lanes(m + 16, n + 16);
    const m3 = lanes(m + 24, n + 24), m4 = lanes(m + 32, n + 32), m5 = lanes(m + 40, n + 40);
    const m6 = lanes(m + 48, n + 48), m7 = lanes(m + 56, n + 56), m8 = lanes(m + 64, n + 64);
    const dx = load<f64>(b) - load<f64>(a), dy = load<f64>(b, 8) - load<f64>(a, 8), dz = load<f64>(b, 16) - load<f64>(a, 16);
    const target = load<f64>(pair, TARGET);
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c, contact = contacts + CONTACT * <usize>c;
      const x = v128.load(contact), y = v128.load(contact, 16), z = v128.load(contact, 32);
      const left = load<f64>(row, ROW_NORMAL) * (dx + apart(dot3(m0, m1, m2, x, y, z)))
        + load<f64>(row, ROW_NORMAL + 8) * (dy + apart(dot3(m3, m4, m5, x, y, z)))
        + load<f64>(row, ROW_NORMAL + 16) * (dz + apart(dot3(m6, m7, m8, x, y, z))) - target
        - (load<f64>(contact, CONTACT_ROUND) + load<f64>(contact, CONTACT_ROUND + 8));
      store<f64>(contact, left, LEFT);
      memory.copy(row + COUNTED, row + IMPULSES, 24);
      if (settle) store<f64>(row, left > ARRIVED * target ? Infinity : 0, BIAS);
      else {
        const apartness = recovery(left, target, perPart);
        store<f64>(row, max(0, left) * perPart - apartness, BIAS);
        asked += apartness * max(0, load<f64>(row, IMPULSES));
      }
    }
  }
  if (!settle && asked > kinetic && onScenery && !isDriven) limitRecovery(perPart, kinetic / asked);
}

/** The speed at which two bodies that are too near are moved apart. */
function recovery(left: f64, target: f64, perPart: f64): f64 {
  return RECOVERY * max(0, -left - TOO_NEAR * target)
    + QUICK_RECOVERY * min(perPart, MOST_PER_SECOND) * max(0, -left - (1 - MUCH_TOO_NEAR) * target);
}

/** Scales the speeds at which contacts move apart by a share, except for those that are much too near. */
function limitRecovery(perPart: f64, share: f64): void {
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const target = load<f64>(pair, TARGET);
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) {
      const contact = contacts + CONTACT * <usize>c;
      const left = load<f64>(contact, LEFT);
      if (left > -TOO_NEAR * target || left < (MUCH_TOO_NEAR - 1) * target) continue;
      store<f64>(rows + ROW * <usize>c, -share * recovery(left, target, perPart), BIAS);
    }
  }
}

/** Applies the impulses of the previous part to the bodies. */
export function warmStart(): void {
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    let px: f64 = 0, py: f64 = 0, pz: f64 = 0;
    let tx = f64x2.splat(0), ty = f64x2.splat(0), tz = f64x2.splat(0);
    let pushed = false;
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c;
      const n = load<f64>(row, IMPULSES), s = load<f64>(row, IMPULSES + 8), t = load<f64>(row, IMPULSES + 16);
      if (n === 0 && s === 0 && t === 0) continue;
      pushed = true;
      const x = along(row, 0, n, s, t), y = along(row, 1, n, s, t), z = along(row, 2, n, s, t);
      px += x;
      py += y;
      pz += z;
      const rx = v128.load(row), ry = v128.load(row, 16), rz = v128.load(row, 32);
      const lx = f64x2.splat(x), ly = f64x2.splat(y), lz = f64x2.splat(z);
      tx = f64x2.add(tx, cross2(ry, rz, ly, lz));
      ty = f64x2.add(ty, cross2(rz, rx, lz, lx));
      tz = f64x2.add(tz, cross2(rx, ry, lx, ly));
    }
    if (!pushed) continue;
    pushBoth(pair, px, py, pz, tx, ty, tz);
    store<f64>(bodyAt(pair, 0), 1, PUSHED);
    store<f64>(bodyAt(pair, 1), 1, PUSHED);
  }
}

/** Brings angular momenta up to date with the impulses of sweeps. */
export function countMoments(): void {
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    let tx = f64x2.splat(0), ty = f64x2.splat(0), tz = f64x2.splat(0);
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c;
      const n = load<f64>(row, IMPULSES) - load<f64>(row, COUNTED);
      const s = load<f64>(row, IMPULSES + 8) - load<f64>(row, COUNTED + 8), t = load<f64>(row, IMPULSES + 16) - load<f64>(row, COUNTED + 16);
      if (n === 0 && s === 0 && t === 0) continue;
      const x = f64x2.splat(along(row, 0, n, s, t)), y = f64x2.splat(along(row, 1, n, s, t)), z = f64x2.splat(along(row, 2, n, s, t));
      const rx = v128.load(row), ry = v128.load(row, 16), rz = v128.load(row, 32);
      tx = f64x2.add(tx, cross2(ry, rz, y, z));
      ty = f64x2.add(ty, cross2(rz, rx, z, x));
      tz = f64x2.add(tz, cross2(rx, ry, x, y));
    }
    const sign = f64x2(-1, 1);
    turnBoth(bodyAt(pair, 0), bodyAt(pair, 1), f64x2.mul(sign, tx), f64x2.mul(sign, ty), f64x2.mul(sign, tz));
  }
}

/** Coordinate k of impulses along the three directions of a row. */
// @ts-ignore: decorator
@inline function along(row: usize, k: usize, n: f64, s: f64, t: f64): f64 {
  return n * load<f64>(row + 8 * k, ROW_NORMAL) + s * load<f64>(row + 16 * k, ACROSS) + t * load<f64>(row + 16 * k, ACROSS + 8);
}

/** Called after a part: adds its impulses to the totals; the first part starts the sum. */
export function sumImpulses(first: bool): void {
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c, contact = contacts + CONTACT * <usize>c;
      for (let i: usize = 0; i < 24; i += 8) {
        store<f64>(contact + i, (first ? 0 : load<f64>(contact + i, TOTAL)) + load<f64>(row + i, IMPULSES), TOTAL);
      }
    }
  }
}
