/**
 * The depth of two convex hulls in each other: the shortest translation of b that moves it out of a.
 *
 * The difference a − b contains the origin; a polytope in it is expanded where it is nearest to the origin until it
 * reaches the surface of the difference there (the expanding polytope of van den Bergen). Bounds: the nearest face of
 * the polytope is inside, so the depth is at least its distance; the corner farthest along its normal bounds the
 * difference, so the translation along the normal is no longer than that.
 * Layout of a face: its three corners (the first is negative once it is removed), its unit normal, its distance.
 * Errs: if hulls lie in one plane, the depth is 0. If room or steps run out, the bounds are wider, never wrong.
 */
import {
  C_A, C_B, P_LOWER, P_NORMAL, P_POINT_A, P_POINT_B, P_ROUNDING, P_UPPER, sameCorner, writeFarthest,
} from './hull';
import { CORNER_BYTES, FACE_BYTES, FACES, MOST_CORNERS, MOST_FACES, POLYTOPE, RIM, scratch } from './scratch';
import { copyCorner, cornerAt } from './simplex';

const F_NORMAL: usize = 16;
const F_DISTANCE: usize = 40;
/** Bounds closer to each other than this share of the depth are good enough. */
const CLOSE: f64 = 1e-10;
/** Squared sine of the angle at which edges count as parallel. */
const THIN: f64 = 1e-20;

let corners: i32 = 0;
let faces: i32 = 0;
let rim: i32 = 0;

function corner(i: i32): usize { return scratch + POLYTOPE + <usize>i * CORNER_BYTES; }
function face(i: i32): usize { return scratch + FACES + <usize>i * FACE_BYTES; }

/** Answers a query whose simplex, of `count` corners, contains the origin. */
export function hullDepth(pair: usize, count: i32): void {
  const rounding = load<f64>(pair, P_ROUNDING);
  for (let i = 0; i < count; i++) copyCorner(corner(i), cornerAt(i));
  corners = count;
  faces = 0;
  if (!complete(pair)) return inOnePlane(pair);
  addFace(1, 2, 3);
  addFace(0, 3, 2);
  addFace(0, 1, 3);
  addFace(0, 2, 1);
  for (;;) {
    const nearest = nearestFace();
    const f = face(nearest);
    const nx = load<f64>(f, F_NORMAL), ny = load<f64>(f, F_NORMAL + 8), nz = load<f64>(f, F_NORMAL + 16);
    const distance = load<f64>(f, F_DISTANCE);
    const next = corner(corners);
    writeFarthest(pair, next, nx, ny, nz);
    const along = nx * load<f64>(next) + ny * load<f64>(next, 8) + nz * load<f64>(next, 16);
    const reached = along - distance <= max(CLOSE * distance, rounding);
    if (reached || isKnown(next) || corners + 1 == MOST_CORNERS || !grow(nearest)) {
      answer(pair, f, along);
      return;
    }
  }
}

/** Extends the simplex to a tetrahedron with outward faces; false if everything lies in one plane. */
function complete(pair: usize): bool {
  if (corners == 4) {
    const volume = volumeOf(3);
    if (abs(volume) > 0) {
      if (volume < 0) swap(1, 2);
      return true;
    }
    corners = 3;
  }
  if (corners == 1) {
    for (let axis = 0; axis < 6 && corners == 1; axis++) {
      const sign: f64 = axis & 1 ? -1 : 1;
      writeFarthest(pair, corner(1), axis >> 1 == 0 ? sign : 0, axis >> 1 == 1 ? sign : 0, axis >> 1 == 2 ? sign : 0);
      if (apart(1, 0) > 0) corners = 2;
    }
    if (corners == 1) return false;
  }
  if (corners == 3 && !isTriangle()) corners = 2;
  if (corners == 2 && !addThird(pair)) return false;
  const a = corner(0), b = corner(1), c = corner(2);
  const ux = load<f64>(b) - load<f64>(a), uy = load<f64>(b, 8) - load<f64>(a, 8), uz = load<f64>(b, 16) - load<f64>(a, 16);
  const vx = load<f64>(c) - load<f64>(a), vy = load<f64>(c, 8) - load<f64>(a, 8), vz = load<f64>(c, 16) - load<f64>(a, 16);
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  for (let side: f64 = 1; side >= -1; side -= 2) {
    writeFarthest(pair, corner(3), side * nx, side * ny, side * nz);
    const volume = volumeOf(3);
    if (volume == 0) continue;
    corners = 4;
    if (volume < 0) swap(1, 2);
    return true;
  }
  return false;
}

/** A third corner off the line through two. */
function addThird(pair: usize): bool {
  const a = corner(0), b = corner(1);
  const ux = load<f64>(b) - load<f64>(a), uy = load<f64>(b, 8) - load<f64>(a, 8), uz = load<f64>(b, 16) - load<f64>(a, 16);
  for (let turn = 0; turn < 6; turn++) {
    // perpendicular to the line, from each axis, in both directions
    const sign: f64 = turn & 1 ? -1 : 1;
    const axis = turn >> 1;
    const x = axis == 0 ? 0 : axis == 1 ? sign * uz : -sign * uy;
    const y = axis == 0 ? -sign * uz : axis == 1 ? 0 : sign * ux;
    const z = axis == 0 ? sign * uy : axis == 1 ? -sign * ux : 0;
    writeFarthest(pair, corner(2), x, y, z);
    if (!isTriangle()) continue;
    corners = 3;
    return true;
  }
  return false;
}

function isTriangle(): bool {
  const a = corner(0), b = corner(1), c = corner(2);
  const ux = load<f64>(b) - load<f64>(a), uy = load<f64>(b, 8) - load<f64>(a, 8), uz = load<f64>(b, 16) - load<f64>(a, 16);
  const vx = load<f64>(c) - load<f64>(a), vy = load<f64>(c, 8) - load<f64>(a, 8), vz = load<f64>(c, 16) - load<f64>(a, 16);
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  return nx * nx + ny * ny + nz * nz > THIN * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz);
}

/** Six times the volume over the first three corners; 0 if it is indistinguishable from rounding. */
function volumeOf(i: i32): f64 {
  const a = corner(0), b = corner(1), c = corner(2), d = corner(i);
  const ax = load<f64>(a), ay = load<f64>(a, 8), az = load<f64>(a, 16);
  const ux = load<f64>(b) - ax, uy = load<f64>(b, 8) - ay, uz = load<f64>(b, 16) - az;
  const vx = load<f64>(c) - ax, vy = load<f64>(c, 8) - ay, vz = load<f64>(c, 16) - az;
  const wx = load<f64>(d) - ax, wy = load<f64>(d, 8) - ay, wz = load<f64>(d, 16) - az;
  const volume = wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx);
  const u = abs(ux) + abs(uy) + abs(uz), v = abs(vx) + abs(vy) + abs(vz), w = abs(wx) + abs(wy) + abs(wz);
  return abs(volume) > 1e-14 * u * v * w ? volume : 0;
}

function apart(i: i32, j: i32): f64 {
  const a = corner(i), b = corner(j);
  const x = load<f64>(a) - load<f64>(b), y = load<f64>(a, 8) - load<f64>(b, 8), z = load<f64>(a, 16) - load<f64>(b, 16);
  return x * x + y * y + z * z;
}

function swap(i: i32, j: i32): void {
  const spare = corner(MOST_CORNERS - 1);
  copyCorner(spare, corner(i));
  copyCorner(corner(i), corner(j));
  copyCorner(corner(j), spare);
}

/**
 * Adds a face, counter-clockwise from outside; one without area counts as farther away than all others, and hides none.
 */
function addFace(i: i32, j: i32, k: i32): void {
  const a = corner(i), b = corner(j), c = corner(k);
  const ax = load<f64>(a), ay = load<f64>(a, 8), az = load<f64>(a, 16);
  const ux = load<f64>(b) - ax, uy = load<f64>(b, 8) - ay, uz = load<f64>(b, 16) - az;
  const vx = load<f64>(c) - ax, vy = load<f64>(c, 8) - ay, vz = load<f64>(c, 16) - az;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const f = face(faces++);
  store<i32>(f, i);
  store<i32>(f, j, 4);
  store<i32>(f, k, 8);
  const scale = length > 0 ? 1 / length : 0;
  store<f64>(f, nx * scale, F_NORMAL);
  store<f64>(f, ny * scale, F_NORMAL + 8);
  store<f64>(f, nz * scale, F_NORMAL + 16);
  store<f64>(f, length > 0 ? max((nx * ax + ny * ay + nz * az) * scale, 0) : Infinity, F_DISTANCE);
}

function nearestFace(): i32 {
  let best: f64 = Infinity;
  let nearest = 0;
  for (let i = 0; i < faces; i++) {
    const f = face(i);
    if (load<i32>(f) < 0 || load<f64>(f, F_DISTANCE) >= best) continue;
    best = load<f64>(f, F_DISTANCE);
    nearest = i;
  }
  return nearest;
}

function isKnown(next: usize): bool {
  for (let i = 0; i < corners; i++) if (sameCorner(corner(i), next)) return true;
  return false;
}

/**
 * Adds the corner after the last: removes the faces it sees and joins their rim to it. Returns false if there is no
 * room.
 */
function grow(nearest: i32): bool {
  const next = corner(corners);
  const x = load<f64>(next), y = load<f64>(next, 8), z = load<f64>(next, 16);
  rim = 0;
  let seen = 0;
  for (let i = 0; i < faces; i++) {
    const f = face(i);
    if (load<i32>(f) < 0 || !(i == nearest || sees(f, x, y, z))) continue;
    seen++;
  }
  if (faces + 3 * seen > MOST_FACES) return false; // all their edges may be rim
  for (let i = 0; i < faces; i++) {
    const f = face(i);
    if (load<i32>(f) < 0 || !(i == nearest || sees(f, x, y, z))) continue;
    toggle(load<i32>(f), load<i32>(f, 4));
    toggle(load<i32>(f, 4), load<i32>(f, 8));
    toggle(load<i32>(f, 8), load<i32>(f));
    store<i32>(f, -1);
  }
  for (let e = 0; e < rim; e++) {
    const at = scratch + RIM + <usize>e * 8;
    addFace(load<i32>(at), load<i32>(at, 4), corners);
  }
  corners++;
  return true;
}

function sees(f: usize, x: f64, y: f64, z: f64): bool {
  return load<f64>(f, F_NORMAL) * x + load<f64>(f, F_NORMAL + 8) * y + load<f64>(f, F_NORMAL + 16) * z > load<f64>(f, F_DISTANCE);
}

/** An edge is on the rim until it occurs in the opposite direction. */
function toggle(i: i32, j: i32): void {
  for (let e = 0; e < rim; e++) {
    const at = scratch + RIM + <usize>e * 8;
    if (load<i32>(at) != j || load<i32>(at, 4) != i) continue;
    rim--;
    store<u64>(at, load<u64>(scratch + RIM + <usize>rim * 8));
    return;
  }
  const at = scratch + RIM + <usize>rim * 8;
  store<i32>(at, i);
  store<i32>(at, j, 4);
  rim++;
}

function answer(pair: usize, f: usize, along: f64): void {
  const rounding = load<f64>(pair, P_ROUNDING);
  const distance = load<f64>(f, F_DISTANCE);
  store<f64>(pair, -(max(along, distance) + rounding), P_LOWER);
  store<f64>(pair, rounding - distance, P_UPPER);
  const nx = load<f64>(f, F_NORMAL), ny = load<f64>(f, F_NORMAL + 8), nz = load<f64>(f, F_NORMAL + 16);
  store<f64>(pair, nx, P_NORMAL);
  store<f64>(pair, ny, P_NORMAL + 8);
  store<f64>(pair, nz, P_NORMAL + 16);
  // weights of the corners at the foot point of the origin on the face
  const a = corner(load<i32>(f)), b = corner(load<i32>(f, 4)), c = corner(load<i32>(f, 8));
  const px = nx * distance, py = ny * distance, pz = nz * distance;
  const i = wedge(b, c, px, py, pz, nx, ny, nz), j = wedge(c, a, px, py, pz, nx, ny, nz);
  const k = wedge(a, b, px, py, pz, nx, ny, nz);
  const sum = i + j + k;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    store<f64>(pair + P_POINT_A + axis, (i * load<f64>(a + C_A + axis) + j * load<f64>(b + C_A + axis) + k * load<f64>(c + C_A + axis)) / sum);
    store<f64>(pair + P_POINT_B + axis, (i * load<f64>(a + C_B + axis) + j * load<f64>(b + C_B + axis) + k * load<f64>(c + C_B + axis)) / sum);
  }
}

/** Twice the area of two corners and a point, seen along the normal. */
function wedge(b: usize, c: usize, px: f64, py: f64, pz: f64, nx: f64, ny: f64, nz: f64): f64 {
  const ux = load<f64>(b) - px, uy = load<f64>(b, 8) - py, uz = load<f64>(b, 16) - pz;
  const vx = load<f64>(c) - px, vy = load<f64>(c, 8) - py, vz = load<f64>(c, 16) - pz;
  return max(nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx), 0);
}

/**
 * Both hulls lie in one plane, or have an even lower dimension: they touch; the normal is the plane's, if there is one.
 */
function inOnePlane(pair: usize): void {
  let nx: f64 = 0, ny: f64 = 0, nz: f64 = 1;
  if (corners == 3) {
    const a = corner(0), b = corner(1), c = corner(2);
    const ux = load<f64>(b) - load<f64>(a), uy = load<f64>(b, 8) - load<f64>(a, 8), uz = load<f64>(b, 16) - load<f64>(a, 16);
    const vx = load<f64>(c) - load<f64>(a), vy = load<f64>(c, 8) - load<f64>(a, 8), vz = load<f64>(c, 16) - load<f64>(a, 16);
    nx = uy * vz - uz * vy;
    ny = uz * vx - ux * vz;
    nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    nx /= length;
    ny /= length;
    nz /= length;
  }
  const rounding = load<f64>(pair, P_ROUNDING);
  store<f64>(pair, -rounding, P_LOWER);
  store<f64>(pair, rounding, P_UPPER);
  store<f64>(pair, nx, P_NORMAL);
  store<f64>(pair, ny, P_NORMAL + 8);
  store<f64>(pair, nz, P_NORMAL + 16);
  for (let axis: usize = 0; axis < 24; axis += 8) {
    store<f64>(pair + P_POINT_A + axis, load<f64>(corner(0) + C_A + axis));
    store<f64>(pair + P_POINT_B + axis, load<f64>(corner(0) + C_B + axis));
  }
}
