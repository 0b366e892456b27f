/**
 * The point of a simplex of up to four corners that is nearest to the origin.
 *
 * Ericson's regions: a corner, an edge or the face itself, by the signs of a few products. For a tetrahedron, those
 * faces are tested that have the origin outside; for a flat one, all. State: the corners are in the work space (see
 * hull.ts), the results in globals.
 */
import { CORNER_BYTES, scratch, SIMPLEX } from './scratch';

/** The nearest point, its squared distance, and the weight of each corner in it; 0 if it does not contribute. */
export let nearX: f64 = 0;
export let nearY: f64 = 0;
export let nearZ: f64 = 0;
export let nearSq: f64 = 0;
export let share0: f64 = 0;
export let share1: f64 = 0;
export let share2: f64 = 0;
export let share3: f64 = 0;

/** A tetrahedron whose volume, over that of the box of its edges, is below this counts as flat. */
const FLAT: f64 = 1e-14;

export function cornerAt(i: i32): usize { return scratch + SIMPLEX + <usize>i * CORNER_BYTES; }

/** Finds the nearest point for the first `count` corners; returns whether all four enclose the origin. */
export function nearestOf(count: i32): bool {
  share0 = 0;
  share1 = 0;
  share2 = 0;
  share3 = 0;
  if (count == 4) return nearestOfFour();
  if (count == 3) onTriangle(0, 1, 2);
  else if (count == 2) onSegment(0, 1);
  else {
    const c = cornerAt(0);
    share0 = 1;
    setNear(load<f64>(c), load<f64>(c, 8), load<f64>(c, 16));
  }
  return false;
}

function nearestOfFour(): bool {
  const a = cornerAt(0), b = cornerAt(1), c = cornerAt(2), d = cornerAt(3);
  const ax = load<f64>(a), ay = load<f64>(a, 8), az = load<f64>(a, 16);
  const ux = load<f64>(b) - ax, uy = load<f64>(b, 8) - ay, uz = load<f64>(b, 16) - az;
  const vx = load<f64>(c) - ax, vy = load<f64>(c, 8) - ay, vz = load<f64>(c, 16) - az;
  const wx = load<f64>(d) - ax, wy = load<f64>(d, 8) - ay, wz = load<f64>(d, 16) - az;
  const volume = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
  const sizes = sizeOf(ux, uy, uz) * sizeOf(vx, vy, vz) * sizeOf(wx, wy, wz);
  const flat = !(abs(volume) > FLAT * sizes);
  const sign: f64 = volume > 0 ? 1 : -1;
  let best: f64 = Infinity;
  let x: f64 = 0, y: f64 = 0, z: f64 = 0, s0: f64 = 0, s1: f64 = 0, s2: f64 = 0, s3: f64 = 0;
  for (let face = 0; face < 4; face++) {
    const i = face == 0 ? 1 : 0, j = face < 2 ? 2 : 1, k = face < 3 ? 3 : 2;
    // outward if the volume is positive: 1 2 3, 0 3 2, 0 1 3, 0 2 1
    const turned = face == 0 || face == 2;
    if (!flat && sign * outside(i, turned ? j : k, turned ? k : j) < 0) continue;
    share0 = 0;
    share1 = 0;
    share2 = 0;
    share3 = 0;
    onTriangle(i, j, k);
    if (nearSq >= best) continue;
    best = nearSq;
    x = nearX;
    y = nearY;
    z = nearZ;
    s0 = share0;
    s1 = share1;
    s2 = share2;
    s3 = share3;
  }
  if (best == Infinity) return true;
  share0 = s0;
  share1 = s1;
  share2 = s2;
  share3 = s3;
  setNear(x, y, z);
  return false;
}

function sizeOf(x: f64, y: f64, z: f64): f64 { return abs(x) + abs(y) + abs(z); }

/** Positive if the origin is on the side that a face's normal points to. */
function outside(i: i32, j: i32, k: i32): f64 {
  const a = cornerAt(i), b = cornerAt(j), c = cornerAt(k);
  const ax = load<f64>(a), ay = load<f64>(a, 8), az = load<f64>(a, 16);
  const ux = load<f64>(b) - ax, uy = load<f64>(b, 8) - ay, uz = load<f64>(b, 16) - az;
  const vx = load<f64>(c) - ax, vy = load<f64>(c, 8) - ay, vz = load<f64>(c, 16) - az;
  return -(ax * (uy * vz - uz * vy) + ay * (uz * vx - ux * vz) + az * (ux * vy - uy * vx));
}

function onSegment(i: i32, j: i32): void {
  const a = cornerAt(i), b = cornerAt(j);
  const ax = load<f64>(a), ay = load<f64>(a, 8), az = load<f64>(a, 16);
  const ux = load<f64>(b) - ax, uy = load<f64>(b, 8) - ay, uz = load<f64>(b, 16) - az;
  const length = ux * ux + uy * uy + uz * uz;
  const along = -(ux * ax + uy * ay + uz * az);
  const t: f64 = along <= 0 || length == 0 ? 0 : along >= length ? 1 : along / length;
  addShare(i, 1 - t);
  addShare(j, t);
  setNear(ax + t * ux, ay + t * uy, az + t * uz);
}

function onTriangle(i: i32, j: i32, k: i32): void {
  const a = cornerAt(i), b = cornerAt(j), c = cornerAt(k);
  const ax = load<f64>(a), ay = load<f64>(a, 8), az = load<f64>(a, 16);
  const bx = load<f64>(b), by = load<f64>(b, 8), bz = load<f64>(b, 16);
  const cx = load<f64>(c), cy = load<f64>(c, 8), cz = load<f64>(c, 16);
  const ux = bx - ax, uy = by - ay, uz = bz - az;
  const vx = cx - ax, vy = cy - ay, vz = cz - az;
  const ua = -(ux * ax + uy * ay + uz * az), va = -(vx * ax + vy * ay + vz * az);
  if (ua <= 0 && va <= 0) return onCorner(i);
  const ub = -(ux * bx + uy * by + uz * bz), vb = -(vx * bx + vy * by + vz * bz);
  if (ub >= 0 && vb <= ub) return onCorner(j);
  const overUV = ua * vb - ub * va;
  if (overUV <= 0 && ua >= 0 && ub <= 0) return onSegment(i, j);
  const uc = -(ux * cx + uy * cy + uz * cz), vc = -(vx * cx + vy * cy + vz * cz);
  if (vc >= 0 && uc <= vc) return onCorner(k);
  const overVU = uc * va - ua * vc;
  if (overVU <= 0 && va >= 0 && vc <= 0) return onSegment(i, k);
  const overBC = ub * vc - uc * vb;
  if (overBC <= 0 && vb - ub >= 0 && uc - vc >= 0) return onSegment(j, k);
  const sum = overBC + overVU + overUV;
  if (!(sum > 0)) {
    // without area: one of its edges
    return onSegment(i, ux * ux + uy * uy + uz * uz > vx * vx + vy * vy + vz * vz ? j : k);
  }
  const s = overVU / sum, t = overUV / sum;
  addShare(i, overBC / sum);
  addShare(j, s);
  addShare(k, t);
  setNear(ax + s * ux + t * vx, ay + s * uy + t * vy, az + s * uz + t * vz);
}

function onCorner(i: i32): void {
  const c = cornerAt(i);
  addShare(i, 1);
  setNear(load<f64>(c), load<f64>(c, 8), load<f64>(c, 16));
}

function setNear(x: f64, y: f64, z: f64): void {
  nearX = x;
  nearY = y;
  nearZ = z;
  nearSq = x * x + y * y + z * z;
}

function addShare(corner: i32, share: f64): void {
  if (corner == 0) share0 = share;
  else if (corner == 1) share1 = share;
  else if (corner == 2) share2 = share;
  else share3 = share;
}

export function copyCorner(to: usize, from: usize): void {
  for (let at: usize = 0; at < CORNER_BYTES; at += 16) v128.store(to + at, v128.load(from + at));
}

/** Drops the corners without a weight and moves the others up; returns the number left. */
export function dropCorners(): i32 {
  let left = 0;
  for (let i = 0; i < 4; i++) {
    const share = shareOf(i);
    if (share <= 0) continue;
    if (left < i) {
      copyCorner(cornerAt(left), cornerAt(i));
      addShare(left, share);
      addShare(i, 0);
    }
    left++;
  }
  return left;
}

export function shareOf(i: i32): f64 {
  return i == 0 ? share0 : i == 1 ? share1 : i == 2 ? share2 : share3;
}
