/**
 * Edge collapses by quadrics (Garland and Heckbert 1997), the cheapest first, stored as a progressive mesh.
 *
 * Idea: every vertex has a best partner; a heap holds the vertices. A collapse changes the quadric of one vertex, so
 * only edges at that vertex are evaluated again. The first vertex of the heap may cost more than its quadric says
 * (strays.ts): then it is sorted in again.
 * Errs: costs only choose the order; cover.ts measures the error of a level.
 *
 * Contact levels have a simplifier of their own, packages/dynamics/src/contact-levels/simplify.ts: its patches must
 * stay convex by exact signs, edges go by length, and a collapse is taken back where that fails. Here any soup is
 * taken, in float32, with locked vertices and nothing to take back. They share what bounds the error.
 */
import {
  ALIVE, DEAD, G_ALIVE, G_CENTRE, G_COARSE, G_COST, G_DEATH, G_FINE, G_FINER_TRIANGLES, G_FINE_NEAR, G_FIRST, G_FLAGS, G_FOLLOWING, G_GONE, G_HEAD, G_HEAP, G_HEAP_COUNT, G_LAST, G_MARK, G_MARKS, G_NEXT, G_PARENT,
  G_PARTNER, G_PLACE, G_POSITIONS, G_QUADRICS, G_SEEN, G_SEEN_LAST, G_STEPS, G_TRIANGLES, G_VERTICES, LOCKED, NONE, QUADRIC_BYTES, SURE,
} from './layout';
import { first, pair, second } from './pairs';
import { addStray, addToFan, beginFan, farthestStray } from './strays';

// the current group
let positions: usize = 0, coarse: usize = 0, death: usize = 0, parent: usize = 0, flags: usize = 0, quadrics: usize = 0;
let near: usize = 0, gone: usize = 0, head: usize = 0, next: usize = 0, costs: usize = 0, partners: usize = 0, heap: usize = 0, place: usize = 0, marks: usize = 0;
let heapCount: u32 = 0;
let firsts: usize = 0, lasts: usize = 0, following: usize = 0;
let mark: u32 = 0; // the last mark used
let centreX: f64 = 0, centreY: f64 = 0, centreZ: f64 = 0;

// the new position of the last evaluated collapse
let atX: f32 = 0, atY: f32 = 0, atZ: f32 = 0;

/**
 * Weight, as a share of the square of its longest side, with which a triangle's corners resist moving: it decides where
 * the surface is flat. Slivers have no meaningful plane, and resist more.
 */
const HOLD: f64 = 1e-5;
const SLIVER_HOLD: f64 = 1e-3;
const SLIVER: f64 = 0.02;
/** Stiffness of a border relative to a face. */
const BORDER: f64 = 1;
/** The least squared cosine between a triangle's normals before and after a collapse. */
const TURN_SQ: f64 = 0.01;
/**
 * STALE: the partner of a vertex whose best partner is gone. Its cost is no more than that of any other partner; these
 * are evaluated when it comes up.
 */

/** The largest squared distance is assumed to be at least this many times the mean. */
const PEAK: f64 = 2;
const STALE: u32 = 0xfffffffe;

function enter(group: usize): void {
  positions = load<u32>(group, G_POSITIONS);
  coarse = load<u32>(group, G_COARSE);
  death = load<u32>(group, G_DEATH);
  parent = load<u32>(group, G_PARENT);
  flags = load<u32>(group, G_FLAGS);
  quadrics = load<u32>(group, G_QUADRICS);
  gone = load<u32>(group, G_GONE);
  head = load<u32>(group, G_HEAD);
  next = load<u32>(group, G_NEXT);
  costs = load<u32>(group, G_COST);
  partners = load<u32>(group, G_PARTNER);
  heap = load<u32>(group, G_HEAP);
  place = load<u32>(group, G_PLACE);
  marks = load<u32>(group, G_MARKS);
  heapCount = load<u32>(group, G_HEAP_COUNT);
  mark = load<u32>(group, G_MARK);
  firsts = load<u32>(group, G_FIRST);
  lasts = load<u32>(group, G_LAST);
  following = load<u32>(group, G_FOLLOWING);
  centreX = load<f64>(group, G_CENTRE);
  centreY = load<f64>(group, G_CENTRE + 8);
  centreZ = load<f64>(group, G_CENTRE + 16);
}

// @ts-ignore: decorator
@inline function word(at: usize, i: u32): u32 { return load<u32>(at + 4 * <usize>i); }
// @ts-ignore: decorator
@inline function setWord(at: usize, i: u32, value: u32): void { store<u32>(at + 4 * <usize>i, value); }
// @ts-ignore: decorator
@inline function xOf(v: u32): f64 { return <f64>load<f32>(positions + 12 * <usize>v) - centreX; }
// @ts-ignore: decorator
@inline function yOf(v: u32): f64 { return <f64>load<f32>(positions + 12 * <usize>v, 4) - centreY; }
// @ts-ignore: decorator
@inline function zOf(v: u32): f64 { return <f64>load<f32>(positions + 12 * <usize>v, 8) - centreZ; }
// @ts-ignore: decorator
@inline function flagsOf(v: u32): u32 { return load<u8>(flags + <usize>v); }
// @ts-ignore: decorator
@inline function costOf(v: u32): f64 { return load<f64>(costs + 8 * <usize>v); }
// @ts-ignore: decorator
@inline function isAlive(triangle: u32): bool { return word(death, triangle) == ALIVE; }

/** Writes the corner lists of the finest mesh. Degenerate triangles are dead from the start (step 0). */
export function linkCorners(group: usize): void {
  enter(group);
  const fine: usize = load<u32>(group, G_FINE);
  const triangles = load<u32>(group, G_TRIANGLES), vertices = load<u32>(group, G_VERTICES);
  for (let v: u32 = 0; v < vertices; v++) {
    setWord(head, v, NONE);
    setWord(parent, v, v);
    setWord(gone, v, ALIVE);
    setWord(marks, v, 0);
    setWord(firsts, v, v);
    setWord(lasts, v, v);
    setWord(following, v, NONE);
  }
  // walks reach triangles of the finer mesh, too
  memory.fill(load<u32>(group, G_SEEN), 0, 4 * <usize>max(triangles, load<u32>(group, G_FINER_TRIANGLES)));
  let alive: u32 = 0;
  for (let t = triangles; t-- > 0;) {
    const a = word(fine, 3 * t), b = word(fine, 3 * t + 1), c = word(fine, 3 * t + 2);
    const flat = a == b || b == c || c == a;
    setWord(death, t, flat ? 0 : ALIVE);
    if (flat) continue;
    alive++;
    for (let k: u32 = 3; k-- > 0;) {
      const corner = 3 * t + k;
      const v = word(fine, corner);
      setWord(coarse, corner, v);
      setWord(next, corner, word(head, v));
      setWord(head, v, corner);
    }
  }
  store<u32>(group, alive, G_ALIVE);
  store<u32>(group, 0, G_STEPS);
  store<u32>(group, 0, G_MARK);
  store<u32>(group, 0, G_SEEN_LAST);
}

/**
 * Writes the quadrics of the finest mesh, and every vertex's best collapse. Neighbours of the finest mesh must be
 * known.
 */
export function prepareCollapses(group: usize): void {
  enter(group);
  near = load<u32>(group, G_FINE_NEAR);
  const triangles = load<u32>(group, G_TRIANGLES), vertices = load<u32>(group, G_VERTICES);
  memory.fill(quadrics, 0, QUADRIC_BYTES * <usize>vertices);
  for (let t: u32 = 0; t < triangles; t++) if (isAlive(t)) addTriangle(t);
  heapCount = 0;
  for (let v: u32 = 0; v < vertices; v++) {
    setWord(place, v, NONE);
    setWord(partners, v, NONE);
    store<f64>(costs + 8 * <usize>v, Infinity);
  }
  for (let t: u32 = 0; t < triangles; t++) {
    if (!isAlive(t)) continue;
    for (let k: u32 = 0; k < 3; k++) {
      const a = word(coarse, 3 * t + k), b = word(coarse, 3 * t + (k == 2 ? 0 : k + 1));
      // the neighbour beyond has the same edge
      if (a > b && turnsTo(word(near, 3 * t + k), a, b) != NONE) continue;
      const cost = valued(a, b);
      if (cost < costOf(a)) { store<f64>(costs + 8 * <usize>a, cost); setWord(partners, a, b); }
      if (cost < costOf(b)) { store<f64>(costs + 8 * <usize>b, cost); setWord(partners, b, a); }
    }
  }
  for (let v: u32 = 0; v < vertices; v++) propose(v, word(partners, v), costOf(v));
  store<u32>(group, heapCount, G_HEAP_COUNT);
}

/**
 * The corner opposite to edge ab of a triangle that has this edge in the opposite direction; NONE if it does not, or if
 * there is no triangle.
 */
function turnsTo(t: u32, a: u32, b: u32): u32 {
  if (t == NONE) return NONE;
  const x = word(coarse, 3 * t), y = word(coarse, 3 * t + 1), z = word(coarse, 3 * t + 2);
  return x == b && y == a ? z : y == b && z == a ? x : z == b && x == a ? y : NONE;
}

/**
 * Collapses edges until at most `target` triangles are left or no edge can be collapsed. Returns the number of
 * triangles left.
 */
export function collapseTo(group: usize, target: u32): u32 {
  enter(group);
  let alive = load<u32>(group, G_ALIVE);
  let steps = load<u32>(group, G_STEPS);
  let vertices = load<u32>(group, G_VERTICES);
  while (alive > target && heapCount > 0) {
    const a = word(heap, 0);
    const b = word(partners, a);
    if (b == STALE) { choose(a, false); continue; }
    if (b == NONE || costOf(a) == Infinity) { drop(a); continue; }
    valued(a, b);
    if (!allowed(a, b)) { choose(a, true); continue; }
    if (!(flagsOf(a) & SURE)) {
      const cost = strayCost(a, b);
      if (cost > costOf(a)) { raise(a, b, cost); continue; }
    }
    const lockedA = (flagsOf(a) & LOCKED) != 0, lockedB = (flagsOf(b) & LOCKED) != 0;
    let w: u32;
    if (lockedA) w = a;
    else if (lockedB) w = b;
    else {
      w = vertices++;
      const at = positions + 12 * <usize>w;
      store<f32>(at, atX); store<f32>(at, atY, 4); store<f32>(at, atZ, 8);
      store<u8>(flags + <usize>w, 0);
      setWord(parent, w, w);
      setWord(gone, w, ALIVE);
      setWord(marks, w, 0);
      setWord(head, w, NONE);
      setWord(place, w, NONE);
      memory.fill(quadrics + QUADRIC_BYTES * <usize>w, 0, QUADRIC_BYTES);
    }
    steps++;
    alive -= join(a, b, w, steps);
    refresh(a, b, w);
  }
  store<u32>(group, alive, G_ALIVE);
  store<u32>(group, steps, G_STEPS);
  store<u32>(group, vertices, G_VERTICES);
  store<u32>(group, mark, G_MARK);
  store<u32>(group, heapCount, G_HEAP_COUNT);
  return alive;
}

/** Merges a and b into w (one of them, or new): corners, quadrics. Returns the number of triangles that vanished. */
function join(a: u32, b: u32, w: u32, step: u32): u32 {
  let died: u32 = 0;
  let list: u32 = NONE;
  for (let side = 0; side < 2; side++) {
    const v = side ? b : a;
    for (let corner = word(head, v); corner != NONE;) {
      const after = word(next, corner);
      const t = corner / 3;
      if (isAlive(t)) {
        const other = side ? a : b;
        if (word(coarse, 3 * t) == other || word(coarse, 3 * t + 1) == other || word(coarse, 3 * t + 2) == other) {
          setWord(death, t, step);
          died++;
        } else {
          setWord(next, corner, list);
          list = corner;
        }
      }
      corner = after;
    }
  }
  for (let corner = list; corner != NONE; corner = word(next, corner)) setWord(coarse, corner, w);
  const qa = quadrics + QUADRIC_BYTES * <usize>a, qb = quadrics + QUADRIC_BYTES * <usize>b, qw = quadrics + QUADRIC_BYTES * <usize>w;
  for (let k: usize = 0; k < 80; k += 16) v128.store(qw + k, f64x2.add(v128.load(qa + k), v128.load(qb + k)));
  store<f64>(qw, load<f64>(qa, 80) + load<f64>(qb, 80), 80);
  setWord(following, word(lasts, a), word(firsts, b));
  setWord(firsts, w, word(firsts, a));
  setWord(lasts, w, word(lasts, b));
  for (let side = 0; side < 2; side++) {
    const v = side ? b : a;
    if (v == w) continue;
    setWord(parent, v, w);
    setWord(gone, v, step);
    setWord(head, v, NONE);
    store<u8>(flags + <usize>v, flagsOf(v) | DEAD);
    if (word(place, v) != NONE) drop(v);
  }
  setWord(head, w, list);
  return died;
}

/**
 * Evaluates the edges at w. Neighbours whose best partner was a or b, which is a lower bound of their cost, are left
 * for later.
 */
function refresh(a: u32, b: u32, w: u32): void {
  const own = ++mark;
  let best: f64 = Infinity;
  let partner: u32 = NONE;
  setWord(marks, w, own);
  for (let corner = word(head, w); corner != NONE; corner = word(next, corner)) {
    const t = corner / 3;
    if (!isAlive(t)) continue;
    for (let k: u32 = 0; k < 3; k++) {
      const x = word(coarse, 3 * t + k);
      if (word(marks, x) == own) continue;
      setWord(marks, x, own);
      const cost = valued(w, x);
      if (cost < best) { best = cost; partner = x; }
      const its = word(partners, x);
      const isGone = its == a || its == b || its == w;
      // every other partner costs it at least as much as its old one
      if (cost < costOf(x) || (isGone && cost == costOf(x)) || word(place, x) == NONE) propose(x, w, cost);
      else if (isGone) setWord(partners, x, STALE);
    }
  }
  propose(w, partner, best);
}

/** Chooses the best collapse of v; with `checked`, among those that are allowed. */
function choose(v: u32, checked: bool): void {
  let best: f64 = Infinity;
  let partner: u32 = NONE;
  const own = ++mark;
  for (let corner = word(head, v); corner != NONE; corner = word(next, corner)) {
    const t = corner / 3;
    if (!isAlive(t)) continue;
    for (let k: u32 = 0; k < 3; k++) {
      const y = word(coarse, 3 * t + k);
      // vertices that `allowed` has marked meanwhile are evaluated again, which is harmless
      if (y == v || word(marks, y) == own) continue;
      setWord(marks, y, own);
      const cost = valued(v, y);
      if (cost >= best) continue;
      if (checked && !allowed(v, y)) continue;
      best = cost;
      partner = y;
    }
  }
  propose(v, partner, best);
}

/**
 * The cost of collapsing a and b (evaluated just before), by the farthest vertex of the finest mesh collapsed into one
 * of them.
 */
function strayCost(a: u32, b: u32): f64 {
  beginFan();
  if (!fanOut(a, b) || !fanOut(b, a)) return 0;
  for (let side = 0; side < 2; side++) {
    for (let v = word(firsts, side ? b : a); v != NONE; v = word(following, v)) {
      const p = positions + 12 * <usize>v;
      if (!addStray(load<f32>(p) - atX, load<f32>(p, 4) - atY, load<f32>(p, 8) - atZ)) break;
    }
  }
  return <f64>farthestStray();
}

/** Adds the triangles of v without `other` to the fan, with their future corners. Returns false if there is no room. */
function fanOut(v: u32, other: u32): bool {
  for (let corner = word(head, v); corner != NONE; corner = word(next, corner)) {
    const t = corner / 3;
    if (!isAlive(t)) continue;
    const k = corner % 3;
    const y = word(coarse, 3 * t + (k == 2 ? 0 : k + 1)), z = word(coarse, 3 * t + (k == 0 ? 2 : k - 1));
    if (y == other || z == other) continue;
    const p = positions + 12 * <usize>y, q = positions + 12 * <usize>z;
    if (!addToFan(load<f32>(p) - atX, load<f32>(p, 4) - atY, load<f32>(p, 8) - atZ, load<f32>(q) - atX, load<f32>(q, 4) - atY, load<f32>(q, 8) - atZ)) return false;
  }
  return true;
}

/** Sets the final cost of the best collapse of a. */
function raise(a: u32, b: u32, cost: f64): void {
  propose(a, b, cost);
  store<u8>(flags + <usize>a, flagsOf(a) | SURE);
  if (word(partners, b) != a || word(place, b) == NONE || costOf(b) > cost) return;
  propose(b, a, cost);
  store<u8>(flags + <usize>b, flagsOf(b) | SURE);
}

/** Whether collapsing a and b (evaluated just before) preserves the topology: no fold, no new contact of parts. */
function allowed(a: u32, b: u32): bool {
  // the link condition: every common neighbour is opposite to the edge
  let opposite: u32 = 0, common: u32 = 0;
  const near = mark + 1;
  mark += 2;
  for (let corner = word(head, a); corner != NONE; corner = word(next, corner)) {
    const t = corner / 3;
    if (!isAlive(t)) continue;
    for (let k: u32 = 0; k < 3; k++) {
      const y = word(coarse, 3 * t + k);
      if (y == b) opposite++;
      setWord(marks, y, near);
    }
  }
  for (let corner = word(head, b); corner != NONE; corner = word(next, corner)) {
    const t = corner / 3;
    if (!isAlive(t)) continue;
    for (let k: u32 = 0; k < 3; k++) {
      const y = word(coarse, 3 * t + k);
      if (word(marks, y) != near || y == a || y == b) continue;
      setWord(marks, y, mark);
      common++;
    }
  }
  if (common > opposite) return false;
  return !folds(a, b) && !folds(b, a) && leaves(a, b);
}

/** Whether triangles remain at the merged vertex, and at those opposite to the edge. */
function leaves(a: u32, b: u32): bool {
  let left = false;
  for (let side = 0; side < 2; side++) {
    const v = side ? b : a, other = side ? a : b;
    for (let corner = word(head, v); corner != NONE; corner = word(next, corner)) {
      const t = corner / 3;
      if (!isAlive(t)) continue;
      const k = corner % 3;
      const y = word(coarse, 3 * t + (k == 2 ? 0 : k + 1)), z = word(coarse, 3 * t + (k == 0 ? 2 : k - 1));
      if (y != other && z != other) { left = true; continue; }
      if (side == 0 && !staysWithout(y == other ? z : y, a, b)) return false;
    }
  }
  return left;
}

/** Whether some triangle at v does not contain both a and b. */
function staysWithout(v: u32, a: u32, b: u32): bool {
  for (let corner = word(head, v); corner != NONE; corner = word(next, corner)) {
    const t = corner / 3;
    if (!isAlive(t)) continue;
    const x = word(coarse, 3 * t), y = word(coarse, 3 * t + 1), z = word(coarse, 3 * t + 2);
    if (!((x == a || y == a || z == a) && (x == b || y == b || z == b))) return true;
  }
  return false;
}

/** Whether a triangle of v without w flips when v moves to the new position. */
function folds(v: u32, w: u32): bool {
  const px = <f64>atX - centreX, py = <f64>atY - centreY, pz = <f64>atZ - centreZ;
  for (let corner = word(head, v); corner != NONE; corner = word(next, corner)) {
    const t = corner / 3;
    if (!isAlive(t)) continue;
    const k = corner % 3;
    const y = word(coarse, 3 * t + (k == 2 ? 0 : k + 1)), z = word(coarse, 3 * t + (k == 0 ? 2 : k - 1));
    if (y == w || z == w) continue;
    const yx = xOf(y), yy = yOf(y), yz = zOf(y);
    const ex = xOf(z) - yx, ey = yOf(z) - yy, ez = zOf(z) - yz;
    const ox = xOf(v) - yx, oy = yOf(v) - yy, oz = zOf(v) - yz;
    const nx = ey * oz - ez * oy, ny = ez * ox - ex * oz, nz = ex * oy - ey * ox;
    const qx = px - yx, qy = py - yy, qz = pz - yz;
    const mx = ey * qz - ez * qy, my = ez * qx - ex * qz, mz = ex * qy - ey * qx;
    const nn = nx * nx + ny * ny + nz * nz, mm = mx * mx + my * my + mz * mz;
    const dot = nx * mx + ny * my + nz * mz;
    if (nn > 0 && !(dot > 0 && dot * dot > TURN_SQ * nn * mm)) return true;
  }
  return false;
}

/** Adds the quadrics of a triangle and of its borders to its corners. */
function addTriangle(t: u32): void {
  const a = word(coarse, 3 * t), b = word(coarse, 3 * t + 1), c = word(coarse, 3 * t + 2);
  const ax = xOf(a), ay = yOf(a), az = zOf(a);
  const ux = xOf(b) - ax, uy = yOf(b) - ay, uz = zOf(b) - az;
  const vx = xOf(c) - ax, vy = yOf(c) - ay, vz = zOf(c) - az;
  let nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const length = sqrt(nx * nx + ny * ny + nz * nz);
  const area = 0.5 * length;
  const wx = vx - ux, wy = vy - uy, wz = vz - uz;
  const longest = max(max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz), wx * wx + wy * wy + wz * wz);
  if (length > 0) { nx /= length; ny /= length; nz /= length; }
  const toPlane = -(nx * ax + ny * ay + nz * az), hold = longest * (area < SLIVER * longest ? SLIVER_HOLD : HOLD);
  for (let k: u32 = 0; k < 3; k++) {
    const p = word(coarse, 3 * t + k), q = word(coarse, 3 * t + (k == 2 ? 0 : k + 1));
    addFace(p, nx, ny, nz, toPlane, area / 3, hold);
    // usually there is another triangle beyond, not folded back
    const other = turnsTo(word(near, 3 * t + k), p, q);
    if (other != NONE && facesAlong(q, p, other, nx, ny, nz)) continue;
    if (!ends(p, q, t)) continue;
    const px = xOf(p), py = yOf(p), pz = zOf(p);
    const ex = xOf(q) - px, ey = yOf(q) - py, ez = zOf(q) - pz;
    // the plane through the border, perpendicular to the triangle
    let mx = ey * nz - ez * ny, my = ez * nx - ex * nz, mz = ex * ny - ey * nx;
    const mm = sqrt(mx * mx + my * my + mz * mz);
    if (!(mm > 0)) continue;
    mx /= mm; my /= mm; mz /= mm;
    const weight = BORDER * (ex * ex + ey * ey + ez * ez) / 3;
    const d = -(mx * px + my * py + mz * pz);
    addPlane(p, mx, my, mz, d, weight);
    addPlane(q, mx, my, mz, d, weight);
  }
}

/** Whether the normal of triangle abc is within a right angle of another. */
function facesAlong(a: u32, b: u32, c: u32, nx: f64, ny: f64, nz: f64): bool {
  const ax = xOf(a), ay = yOf(a), az = zOf(a);
  const ux = xOf(b) - ax, uy = yOf(b) - ay, uz = zOf(b) - az;
  const vx = xOf(c) - ax, vy = yOf(c) - ay, vz = zOf(c) - az;
  return (uy * vz - uz * vy) * nx + (uz * vx - ux * vz) * ny + (ux * vy - uy * vx) * nz > 0;
}

/** Whether the surface ends at edge pq of triangle t: all other triangles there lie on the same side of the edge. */
function ends(p: u32, q: u32, t: u32): bool {
  acrossOf(p, q, t);
  const x = acrossX, y = acrossY, z = acrossZ;
  for (let corner = word(head, p); corner != NONE; corner = word(next, corner)) {
    const other = corner / 3;
    if (other == t || !isAlive(other)) continue;
    if (word(coarse, 3 * other) != q && word(coarse, 3 * other + 1) != q && word(coarse, 3 * other + 2) != q) continue;
    acrossOf(p, q, other);
    if (!(x * acrossX + y * acrossY + z * acrossZ > FOLDED)) return false;
  }
  return true;
}

/** The least cosine between two triangles that are folded onto each other. */
const FOLDED: f64 = 0.7;

let acrossX: f64 = 0, acrossY: f64 = 0, acrossZ: f64 = 0;

/** The direction from edge pq into triangle t. */
function acrossOf(p: u32, q: u32, t: u32): void {
  let v = word(coarse, 3 * t);
  if (v == p || v == q) v = word(coarse, 3 * t + 1);
  if (v == p || v == q) v = word(coarse, 3 * t + 2);
  const px = xOf(p), py = yOf(p), pz = zOf(p);
  const ex = xOf(q) - px, ey = yOf(q) - py, ez = zOf(q) - pz;
  const dx = xOf(v) - px, dy = yOf(v) - py, dz = zOf(v) - pz;
  const ee = ex * ex + ey * ey + ez * ez;
  const s: f64 = ee > 0 ? (dx * ex + dy * ey + dz * ez) / ee : 0;
  const x = dx - s * ex, y = dy - s * ey, z = dz - s * ez;
  const length = sqrt(x * x + y * y + z * z);
  const unit: f64 = length > 0 ? 1 / length : 0;
  acrossX = x * unit; acrossY = y * unit; acrossZ = z * unit;
}

/** Layout of a quadric: xx xy xz yy yz zz, xd yd zd, dd, weight. */
function addPlane(v: u32, x: f64, y: f64, z: f64, d: f64, w: f64): void {
  const q = quadrics + QUADRIC_BYTES * <usize>v, wx = w * x, wy = w * y, wz = w * z;
  addPair(q, wx * x, wx * y);
  addPair(q + 16, wx * z, wy * y);
  addPair(q + 32, wy * z, wz * z);
  addPair(q + 48, wx * d, wy * d);
  addPair(q + 64, wz * d, w * d * d);
  store<f64>(q, load<f64>(q, 80) + w, 80);
}

/** The same, and the vertex itself with weight `hold`. */
function addFace(v: u32, x: f64, y: f64, z: f64, d: f64, w: f64, hold: f64): void {
  const q = quadrics + QUADRIC_BYTES * <usize>v;
  const px = xOf(v), py = yOf(v), pz = zOf(v), wx = w * x, wy = w * y, wz = w * z;
  addPair(q, wx * x + hold, wx * y);
  addPair(q + 16, wx * z, wy * y + hold);
  addPair(q + 32, wy * z, wz * z + hold);
  addPair(q + 48, wx * d - hold * px, wy * d - hold * py);
  addPair(q + 64, wz * d - hold * pz, w * d * d + hold * (px * px + py * py + pz * pz));
  store<f64>(q, load<f64>(q, 80) + (w + hold), 80);
}

// @ts-ignore: decorator
@inline function addPair(at: usize, x: f64, y: f64): void { v128.store(at, f64x2.add(v128.load(at), pair(x, y))); }

/** The cost of collapsing a and b; sets the new position. */
function valued(a: u32, b: u32): f64 {
  const lockedA = (flagsOf(a) & LOCKED) != 0, lockedB = (flagsOf(b) & LOCKED) != 0;
  if (lockedA && lockedB) return Infinity;
  const p = quadrics + QUADRIC_BYTES * <usize>a, q = quadrics + QUADRIC_BYTES * <usize>b;
  const q0 = f64x2.add(v128.load(p), v128.load(q)), q1 = f64x2.add(v128.load(p, 16), v128.load(q, 16)), q2 = f64x2.add(v128.load(p, 32), v128.load(q, 32));
  const q3 = f64x2.add(v128.load(p, 48), v128.load(q, 48)), q4 = f64x2.add(v128.load(p, 64), v128.load(q, 64)), weight = load<f64>(p, 80) + load<f64>(q, 80);
  const xx = first(q0), xy = second(q0), xz = first(q1), yy = second(q1), yz = first(q2), zz = second(q2);
  const xd = first(q3), yd = second(q3), zd = first(q4), dd = second(q4);
  let x: f64, y: f64, z: f64;
  if (lockedA || lockedB) {
    const v = lockedA ? a : b;
    x = xOf(v); y = yOf(v); z = zOf(v);
  } else {
    // the minimum, relative to the middle of the edge
    const mx = 0.5 * (xOf(a) + xOf(b)), my = 0.5 * (yOf(a) + yOf(b)), mz = 0.5 * (zOf(a) + zOf(b));
    const gx = xx * mx + xy * my + xz * mz + xd, gy = xy * mx + yy * my + yz * mz + yd, gz = xz * mx + yz * my + zz * mz + zd;
    const cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    const cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz, czz = xx * yy - xy * xy;
    const det = xx * cxx + xy * cxy + xz * cxz;
    const trace = xx + yy + zz;
    x = mx; y = my; z = mz;
    if (det > 1e-13 * trace * trace * trace) {
      const per = 1 / det;
      const sx = (cxx * gx + cxy * gy + cxz * gz) * per, sy = (cxy * gx + cyy * gy + cyz * gz) * per, sz = (cxz * gx + cyz * gy + czz * gz) * per;
      const ex = xOf(a) - xOf(b), ey = yOf(a) - yOf(b), ez = zOf(a) - zOf(b);
      if (sx * sx + sy * sy + sz * sz < 4 * (ex * ex + ey * ey + ez * ez)) { x -= sx; y -= sy; z -= sz; }
    }
  }
  atX = <f32>(x + centreX); atY = <f32>(y + centreY); atZ = <f32>(z + centreZ);
  x = <f64>atX - centreX; y = <f64>atY - centreY; z = <f64>atZ - centreZ;
  const cost = x * (xx * x + 2 * (xy * y + xz * z + xd)) + y * (yy * y + 2 * (yz * z + yd)) + z * (zz * z + 2 * zd) + dd;
  // the mean squared distance rather than the sum, because the largest distance matters
  return weight > 0 ? PEAK * max(cost, 0) / weight : 0;
}

// the heap

function propose(v: u32, partner: u32, cost: f64): void {
  store<u8>(flags + <usize>v, flagsOf(v) & ~SURE);
  setWord(partners, v, partner);
  store<f64>(costs + 8 * <usize>v, cost);
  let at = word(place, v);
  if (at == NONE) {
    if (partner == NONE || cost == Infinity) return;
    at = heapCount++;
    setWord(heap, at, v);
    setWord(place, v, at);
  }
  rise(v, at);
  sink(v, word(place, v));
}

function drop(v: u32): void {
  const at = word(place, v);
  setWord(place, v, NONE);
  const last = word(heap, --heapCount);
  if (last == v) return;
  setWord(heap, at, last);
  setWord(place, last, at);
  rise(last, at);
  sink(last, word(place, last));
}

/** Whether v comes before w; equal costs by the smaller number, so that the order does not depend on history. */
// @ts-ignore: decorator
@inline function before(v: u32, w: u32): bool {
  const a = costOf(v), b = costOf(w);
  return a < b || (a == b && v < w);
}

function rise(v: u32, at: u32): void {
  while (at > 0) {
    const up = (at - 1) >> 1;
    const other = word(heap, up);
    if (!before(v, other)) break;
    setWord(heap, at, other);
    setWord(place, other, at);
    at = up;
  }
  setWord(heap, at, v);
  setWord(place, v, at);
}

function sink(v: u32, at: u32): void {
  for (;;) {
    let down: u32 = 2 * at + 1;
    if (down >= heapCount) break;
    if (down + 1 < heapCount && before(word(heap, down + 1), word(heap, down))) down++;
    const other = word(heap, down);
    if (!before(other, v)) break;
    setWord(heap, at, other);
    setWord(place, other, at);
    at = down;
  }
  setWord(heap, at, v);
  setWord(place, v, at);
}
