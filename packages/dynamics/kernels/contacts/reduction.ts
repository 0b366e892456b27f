/**
 * Keeps a few of many contacts, such that holding these holds the others.
 *
 * To first order, a contact forbids motions that would use up its gap: gap + n · (v + ω × r) < 0. Among contacts with
 * one normal this is linear in r, so those at the corners of their hull imply the ones between. So contacts are
 * gathered by normal; of each lot, those are kept whose gaps a small selection of motions would use up first: towards
 * each other, and tilting about eight axes through the middle, by the reach at the rim; and by less if the reach is
 * long, because round bodies come to rest on corners that are far from their rim.
 * Errs: in a lot whose outline has many corners, tilting about other axes may use up a dropped contact by up to 1 −
 * cos(π / 8) < 8 % of the tilt at the rim before it is held; normals within a lot differ by up to CONE.
 *
 * Layout: the CONTACT_ORDER of the first contacts names those kept, in the order of choice; TAKEN is 0 for a contact in
 * no lot, else one more than the number of the next in its lot, or LAST.
 */
import { ACROSS, CONTACT_BYTES, GAP, NORMAL, CONTACT_ORDER, POINT_A, P_CONTACTS, P_FOUND, P_KEPT, TAKEN } from './layout';

/** Cosine of the angle between normals of one lot: 8°. */
const CONE: f64 = 0.99;
/** Lots of at most this size are not reduced, except for equal contacts. */
const FEW: u32 = 2;
const AXES: i32 = 8;
const LAST: u32 = 0xffffffff;
/** Contacts closer together than this share of the extent, and of the reach, count as equal. */
const SAME_PLACE: f64 = 1e-3;
const SAME_GAP: f64 = 1e-3;
/** Sines of odd multiples of π / 8. */
const SINE_1: f64 = 0.3826834323650898;
const SINE_3: f64 = 0.9238795325112867;

let contacts: usize = 0;
let count: u32 = 0;
let kept: u32 = 0;
/** The current lot: its first contact, and their number. */
let first: u32 = 0;
let size: u32 = 0;

/**
 * Reduces the contacts within a reach; `least` is the reach that must be held even for contacts at rest against each
 * other.
 */
export function reduceContacts(pair: usize, reach: f64, least: f64): void {
  contacts = load<u32>(pair, P_CONTACTS);
  count = load<u32>(pair, P_FOUND);
  kept = 0;
  if (count <= FEW) for (let i: u32 = 0; i < count; i++) keep(i);
  else {
    for (let i: u32 = 0; i < count; i++) store<u32>(contactAt(i), 0, TAKEN);
    for (let left = count; left > 0; left -= size) {
      const seed = nearestLeft();
      gather(seed);
      reduceLot(seed, reach, least);
    }
  }
  store<u32>(pair, kept, P_KEPT);
}

/** Keeps all contacts. */
export function keepAll(pair: usize): void {
  contacts = load<u32>(pair, P_CONTACTS);
  count = load<u32>(pair, P_FOUND);
  kept = 0;
  for (let i: u32 = 0; i < count; i++) keep(i);
  store<u32>(pair, kept, P_KEPT);
}

// @ts-ignore: decorator
@inline function contactAt(i: u32): usize { return contacts + CONTACT_BYTES * <usize>i; }

function keep(i: u32): void { store<u32>(contactAt(kept++), i, CONTACT_ORDER); }

/** The nearest contact that is in no lot yet. */
function nearestLeft(): u32 {
  let seed: u32 = count;
  let least: f64 = Infinity;
  for (let i: u32 = 0; i < count; i++) {
    const at = contactAt(i);
    if (load<u32>(at, TAKEN) != 0 || (seed < count && !(load<f64>(at, GAP) < least))) continue;
    seed = i;
    least = load<f64>(at, GAP);
  }
  return seed;
}

/** Gathers the seed and all contacts with nearly its normal. */
function gather(seed: u32): void {
  const n = contactAt(seed) + NORMAL;
  const nx = load<f64>(n), ny = load<f64>(n, 8), nz = load<f64>(n, 16);
  size = 0;
  let last: usize = 0;
  for (let i: u32 = 0; i < count; i++) {
    const at = contactAt(i);
    if (load<u32>(at, TAKEN) != 0) continue;
    if (i != seed && nx * load<f64>(at, NORMAL) + ny * load<f64>(at, NORMAL + 8) + nz * load<f64>(at, NORMAL + 16) < CONE) continue;
    if (last == 0) first = i;
    else store<u32>(last, i + 1, TAKEN);
    store<u32>(at, LAST, TAKEN);
    last = at;
    size++;
  }
}

/** The contact after one in its lot; `count` after the last. */
// @ts-ignore: decorator
@inline function nextOf(i: u32): u32 {
  const next = load<u32>(contactAt(i), TAKEN);
  return next == LAST ? count : next - 1;
}

function reduceLot(seed: u32, reach: f64, small: f64): void {
  if (size <= FEW) {
    keep(seed);
    for (let i = first; i < count; i = nextOf(i)) if (i != seed) keep(i);
    return;
  }
  // two directions perpendicular to the normal of the seed
  const n = contactAt(seed) + NORMAL;
  const nx = load<f64>(n), ny = load<f64>(n, 8), nz = load<f64>(n, 16);
  const sign: f64 = nz < 0 ? -1 : 1;
  const scale = -1 / (sign + nz);
  const cross = nx * ny * scale;
  const ux = 1 + sign * nx * nx * scale, uy = sign * cross, uz = -sign * nx;
  const vx = cross, vy = sign + ny * ny * scale, vz = -ny;
  let lowU: f64 = Infinity, highU: f64 = -Infinity, lowV: f64 = Infinity, highV: f64 = -Infinity;
  for (let i = first; i < count; i = nextOf(i)) {
    const at = contactAt(i);
    const x = load<f64>(at, POINT_A), y = load<f64>(at, POINT_A + 8), z = load<f64>(at, POINT_A + 16);
    const u = ux * x + uy * y + uz * z, v = vx * x + vy * y + vz * z;
    store<f64>(at, u, ACROSS);
    store<f64>(at, v, ACROSS + 8);
    lowU = min(lowU, u); highU = max(highU, u); lowV = min(lowV, v); highV = max(highV, v);
  }
  const midU = 0.5 * (lowU + highU), midV = 0.5 * (lowV + highV);
  const extent = max<f64>(0.5 * sqrt((highU - lowU) * (highU - lowU) + (highV - lowV) * (highV - lowV)), f64.MIN_VALUE);
  const before = kept;
  let leastKept = keepTilted(seed, before, reach, extent, midU, midV);
  if (small < reach) leastKept = min(leastKept, keepTilted(seed, before, small, extent, midU, midV));
  if (load<f64>(contactAt(seed), GAP) < leastKept - SAME_GAP * reach) keepApart(seed, before, extent);
}

/** Keeps the contacts that are used up first by tilting this far at the rim; returns the least gap of those. */
function keepTilted(seed: u32, before: u32, by: f64, extent: f64, midU: f64, midV: f64): f64 {
  let leastKept: f64 = Infinity;
  for (let axis = 0; axis < AXES; axis++) {
    // cosine and sine of (2 axis + 1) π / 8
    const c = ((axis & 3) == 0 || (axis & 3) == 3 ? SINE_3 : SINE_1) * (axis >= 2 && axis < 6 ? -1 : 1) * by / extent;
    const s = ((axis & 3) == 0 || (axis & 3) == 3 ? SINE_1 : SINE_3) * (axis >= 4 ? -1 : 1) * by / extent;
    // ties go to the seed
    let best = seed;
    let least = leftOf(seed, c, s, midU, midV);
    for (let i = first; i < count; i = nextOf(i)) {
      if (i == seed) continue;
      const left = leftOf(i, c, s, midU, midV);
      if (left < least - SAME_GAP * SAME_GAP * by) { least = left; best = i; }
    }
    keepApart(best, before, extent);
    leastKept = min(leastKept, load<f64>(contactAt(best), GAP));
  }
  return leastKept;
}

/** The remaining gap after a motion that tilts, by c and s along the two directions. */
// @ts-ignore: decorator
@inline function leftOf(i: u32, c: f64, s: f64, midU: f64, midV: f64): f64 {
  const at = contactAt(i);
  return load<f64>(at, GAP) - c * (load<f64>(at, ACROSS) - midU) - s * (load<f64>(at, ACROSS + 8) - midV);
}

/** Keeps a contact unless one of the lot, kept after the first `before`, is at the same place. */
function keepApart(i: u32, before: u32, extent: f64): void {
  const at = contactAt(i);
  for (let k = before; k < kept; k++) {
    const other = contactAt(load<u32>(contactAt(k), CONTACT_ORDER));
    const apart = max<f64>(abs(load<f64>(at, ACROSS) - load<f64>(other, ACROSS)), abs(load<f64>(at, ACROSS + 8) - load<f64>(other, ACROSS + 8)));
    if (apart <= SAME_PLACE * extent) return;
  }
  keep(i);
}
