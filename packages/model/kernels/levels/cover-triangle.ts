/**
 * An upper bound of the distance of one triangle from a mesh: every point of the triangle has a point of the mesh
 * within it.
 *
 * Idea: the distance to one triangle is a convex function, so over a convex polygon it is largest at a corner. A
 * triangle T is cut into convex polygons, each is assigned to one triangle of the mesh, and the largest distance of a
 * corner from the assigned triangle bounds the distance of T from the mesh. That holds for any way of cutting and
 * assigning. To make it tight, T is cut where the triangle above it changes: along the edges of the mesh projected onto
 * T, from neighbour to neighbour, starting at a near one. A piece that is too far from its triangle is assigned to the
 * nearest one, continues from there, and is halved if that is not enough.
 * Errs: upwards only. Corners of cuts are off by a few roundings of the coordinates; moving the true cut by that much
 * moves each true corner by as much, and the distance of a point from a triangle by no more (G_BLUR).
 */
import { cornerDistances } from '../../../impinge/kernels/corner-distances';
import { nearestDistance, nearestTriangle } from './boxes';
import { NONE } from './layout';
import {
  baseX, baseY, baseZ, blur, cornerX1, cornerX2, cornerY2, height0, isTurned, itsBoxes, itsCorners, itsCount, itsList, itsNear, mesh, project, rightX, rightY, rightZ,
  setPlane, slack, slopeX, slopeY, spill, upX, upY, upZ, word, x0, x1, x2, y0, y1, y2,
} from './plane';
import { assign } from './assigned';
import { CORNER_NEAREST, DISTANCES, FOUND_DISTANCES, HEIGHTS, PIECES, PIECE_BYTES, PIECE_CAPACITY, PIECE_CORNERS, SPACE, SPARE, scratch } from './scratch';
import { coverWhole } from './whole';

/** After this many cuts, a polygon keeps its triangle. */
const DEEPEST: u32 = 128;

// a piece: number of corners, its triangle, what is known about that triangle's edges, cuts so far; then the corners
const P_CORNERS: usize = 0;
const P_TRIANGLE: usize = 4;
const P_EDGES: usize = 8;
const P_DEPTH: usize = 12;
const P_POINTS: usize = 16;

/**
 * P_EDGES: bit k says that no part of the piece is beyond edge k, except for an overhang (HANGS: there is one); the
 * number above is the edge it came over (3: none). TURNED: the piece walks along triangles that face the other way.
 */
const HANGS: u32 = 1 << 3;
const OVER_NONE: u32 = 3 << 4;
const TURNED: u32 = 1 << 6;
/**
 * An overhang over an edge of less than this, in units of the distance that needs no improvement, is not cut off. Where
 * edges of both meshes coincide except for rounding, each strip of no width would otherwise need a triangle of its own.
 */
const HANGING: f64 = 0.5;

/**
 * The largest distance of triangle t of one mesh from the target mesh, searched from triangle `start` on. With
 * `spread`, the bound carried by t plus its distance is stored at the triangles that its pieces were assigned to.
 * Otherwise the bounds that those carry are added.
 *
 * Pieces of t are stored in its plane, two coordinates each, and triangles are projected onto it. Over the projection
 * of a triangle, a corner's distance is at most the triangle's height above it. Triangles steeper than STEEPEST are not
 * cut along, because rounding would count ten times there.
 */
export function cover(corners: usize, t: u32, start: u32, carried: f64, at: usize, spread: bool): f64 {
  const stack = scratch + PIECES;
  let top: u32 = 1;
  const flat = !setPlane(corners, t);
  if (!flat) {
    const whole = coverWhole(start, carried, at, spread, careful);
    if (whole < Infinity) return whole;
  }
  store<u32>(stack, 3, P_CORNERS);
  store<u32>(stack, start, P_TRIANGLE);
  store<u32>(stack, flat ? OVER_NONE : edgesAt(start), P_EDGES);
  store<u32>(stack, 0, P_DEPTH);
  store<f64>(stack, 0, P_POINTS); store<f64>(stack, 0, P_POINTS + 8);
  store<f64>(stack, cornerX1, P_POINTS + 16); store<f64>(stack, 0, P_POINTS + 24);
  store<f64>(stack, cornerX2, P_POINTS + 32); store<f64>(stack, cornerY2, P_POINTS + 40);
  let largest: f64 = 0;
  let halvings = HALVINGS, restarts = RESTARTS;
  while (top > 0) {
    const piece = stack + PIECE_BYTES * <usize>(top - 1);
    let s = load<u32>(piece, P_TRIANGLE);
    const depth = load<u32>(piece, P_DEPTH);
    let d: f64 = Infinity;
    if (!flat && depth < DEEPEST && project(s) && isTurned == ((load<u32>(piece, P_EDGES) & TURNED) != 0)) {
      const moved = cutAlong(piece, s, stack + PIECE_BYTES * <usize>top, top < PIECE_CAPACITY, depth);
      if (moved != 0) {
        if (moved == 2) top++;
        continue;
      }
      if (inside) d = heightOver(piece) + spill;
    }
    let own = spread ? carried : <f64>load<f32>(at + 4 * <usize>s);
    if (d + own > careful) {
      toSpace(piece);
      d = min(d, apart(piece, s));
    }
    if (d + own > careful) {
      d = search(piece, s, d, carried, at, spread);
      const isBetter = found != s;
      s = found;
      own = spread ? carried : <f64>load<f32>(at + 4 * <usize>s);
      if (isBetter && d + own > careful && least < GOOD * d && restarts > 0 && !flat && depth < DEEPEST && project(s)) {
        restarts--;
        store<u32>(piece, s, P_TRIANGLE);
        store<u32>(piece, edgesAt(s), P_EDGES);
        store<u32>(piece, depth + 1, P_DEPTH);
        continue;
      }
      if (d + own > careful && least < GOOD * d && top < PIECE_CAPACITY && depth < DEEPEST + FINEST && (halvings > 0 || (spare > 0 && d + own > FAR * careful))) {
        const other = stack + PIECE_BYTES * <usize>top;
        if (cutBetween(piece, other) || halve(piece, other, d)) {
          if (halvings > 0) halvings--;
          else spare--;
          store<u32>(piece, OVER_NONE, P_EDGES);
          store<u32>(piece, max(depth, DEEPEST) + 1, P_DEPTH);
          store<u32>(other, OVER_NONE, P_EDGES);
          store<u32>(other, max(depth, DEEPEST) + 1, P_DEPTH);
          top++;
          continue;
        }
      }
    }
    d += own + slack;
    if (spread) assign(s, d);
    largest = max(largest, d);
    careful = max(careful, d);
    top--;
  }
  return largest;
}

/** The largest height of the last projected triangle above or below a piece. */
function heightOver(piece: usize): f64 {
  let d: f64 = 0;
  const end = piece + P_POINTS + 16 * <usize>load<u32>(piece, P_CORNERS);
  for (let p = piece + P_POINTS; p < end; p += 16) d = max(d, abs(height0 + slopeX * (load<f64>(p) - x0) + slopeY * (load<f64>(p, 8) - y0)));
  return d;
}

/** Whether the last piece to be cut lies over the triangle, except for the width of a rounding. */
let inside: bool = false;

/**
 * Assigns the part of a piece beyond an edge of the projected triangle s to the neighbour there: the whole piece (1),
 * or a part, which becomes `other` if there is room (2). 0: no part is beyond.
 */
function cutAlong(piece: usize, s: u32, other: usize, room: bool, depth: u32): u32 {
  let edges = load<u32>(piece, P_EDGES);
  inside = (edges & HANGS) == 0;
  const width = max(blur, HANGING * careful);
  for (let k: u32 = 0; k < 3; k++) {
    if (edges & (1 << k)) continue;
    const ax = k == 0 ? x0 : k == 1 ? x1 : x2, ay = k == 0 ? y0 : k == 1 ? y1 : y2;
    const to: f64 = isTurned ? -1 : 1;
    const ex = to * ((k == 0 ? x1 : k == 1 ? x2 : x0) - ax), ey = to * ((k == 0 ? y1 : k == 1 ? y2 : y0) - ay);
    const side = sideOf(piece, ax, ay, ex, ey, width);
    if (side < 0) {
      edges |= 1 << k;
      if (hangs) { edges |= HANGS; inside = false; }
      continue;
    }
    const beyond = word(itsNear, 3 * s + k);
    if (k == ((edges >> 4) & 3) || beyond == NONE || (side == 1 && (!room || load<u32>(piece, P_CORNERS) >= PIECE_CORNERS))) {
      inside = false;
      continue;
    }
    if (side == 1) {
      // the rest is processed next
      cut(piece, other);
      store<u32>(other, edges | (1 << k), P_EDGES);
    }
    store<u32>(piece, beyond, P_TRIANGLE);
    store<u32>(piece, edgesFrom(beyond, s, k) | (edges & TURNED), P_EDGES);
    store<u32>(piece, depth + 1, P_DEPTH);
    return side == 1 ? 2 : 1;
  }
  store<u32>(piece, edges, P_EDGES);
  return 0;
}

/** P_EDGES of a piece that starts at triangle s. */
function edgesAt(s: u32): u32 { return project(s) && isTurned ? OVER_NONE | TURNED : OVER_NONE; }

/**
 * P_EDGES of a piece that came to triangle t over edge k of triangle s. The piece lies beyond that edge, so it is on
 * t's side of it if the edge runs in the opposite direction in t.
 */
function edgesFrom(t: u32, s: u32, k: u32): u32 {
  const a = word(itsCorners, 3 * s + k), b = word(itsCorners, 3 * s + (k == 2 ? 0 : k + 1));
  const over: u32 = word(itsNear, 3 * t) == s ? 0 : word(itsNear, 3 * t + 1) == s ? 1 : word(itsNear, 3 * t + 2) == s ? 2 : 3;
  for (let e: u32 = 0; e < 3; e++) {
    if (word(itsCorners, 3 * t + e) == b && word(itsCorners, 3 * t + (e == 2 ? 0 : e + 1)) == a) return (1 << e) | (over << 4);
  }
  return over << 4;
}

/** The largest distance of a piece's corners from a triangle; `toSpace` must have written them as points in space. */
function apart(piece: usize, s: u32): f64 {
  const count = load<u32>(piece, P_CORNERS);
  cornerDistances(scratch + SPACE, count, mesh, s, scratch + DISTANCES);
  let d: f64 = 0;
  for (let i: u32 = 0; i < count; i++) d = max(d, load<f64>(scratch + DISTANCES + 8 * <usize>i));
  return d;
}

/** Pieces within this distance need no better triangle, because other pieces are farther. */
export let careful: f64 = 0;
export function setCareful(distance: f64): void { careful = distance; }
/** Before all triangles of a mesh are covered. */
export function beginHalvings(): void { spare = SPARE_HALVINGS; }
/**
 * Maximum number of halvings of one triangle's pieces. Every piece has a bound before it is halved, so stopping early
 * only leaves wider bounds: on scans nothing changes, on thin machine parts it saves most of the time.
 */
const HALVINGS: i32 = 8;
/** How often pieces of one triangle continue from a triangle that was found to be nearer. */
const RESTARTS: i32 = 4;
/**
 * Additional halvings for all triangles together, for pieces whose bound exceeds the required one by the factor FAR: a
 * single one would spoil the bound of the group.
 */
const SPARE_HALVINGS: i32 = 2048;
const FAR: f64 = 1.2;
let spare: i32 = 0;
/** Maximum number of halvings of a piece that is too far from every triangle. */
const FINEST: u32 = 16;
let found: u32 = 0;
/** The distance of the farthest corner from the mesh. */
let least: f64 = 0;
/** A bound is good enough if that distance is at least this share of it. */
const GOOD: f64 = 0.93;

/**
 * Finds a triangle nearer to a piece than s: one that is nearest to a corner which is too far from s, trying the
 * farthest one first. If that one is hardly nearer, there is none. Returns the distance.
 */
function search(piece: usize, s: u32, d: f64, carried: f64, at: usize, spread: bool): f64 {
  found = s;
  least = 0;
  const corners = load<u32>(piece, P_CORNERS);
  const theirs = scratch + FOUND_DISTANCES, nears = scratch + CORNER_NEAREST;
  memory.copy(theirs, scratch + DISTANCES, 8 * <usize>corners);
  const enough = careful - (spread ? carried : <f64>load<f32>(at + 4 * <usize>s));
  let first: u32 = 0;
  for (let i: u32 = 0; i < corners; i++) {
    store<u32>(nears + 4 * <usize>i, NONE);
    if (load<f64>(theirs + 8 * <usize>i) > load<f64>(theirs + 8 * <usize>first)) first = i;
  }
  let tried = s;
  for (let i: u32 = 0; i < corners; i++) {
    const corner: usize = i == 0 ? first : i == first ? 0 : i;
    const its = load<f64>(theirs + 8 * corner);
    if (i > 0 && its <= enough) continue;
    const p = scratch + SPACE + 24 * corner;
    const own = nearestDistance(mesh, itsList, itsCount, itsBoxes, load<f64>(p), load<f64>(p, 8), load<f64>(p, 16), min(its, d) * (1 + 1e-9));
    least = max(least, own);
    if (spread) careful = max(careful, carried + own); // nothing is better there
    if (least >= GOOD * d) return d;
    if (nearestTriangle == NONE || nearestTriangle == tried) continue;
    tried = nearestTriangle;
    store<u32>(nears + 4 * corner, tried);
    const all = apart(piece, tried);
    if (all >= d) continue;
    d = all;
    found = tried;
    if (d + (spread ? carried : <f64>load<f32>(at + 4 * <usize>found)) <= careful) return d;
    memory.copy(theirs, scratch + DISTANCES, 8 * <usize>corners);
  }
  return d;
}

/**
 * Cuts a piece after a search: where it gets nearer to the triangle that is nearest to its farthest corner, which is
 * then that of the part there; false if there is no such place.
 */
function cutBetween(piece: usize, other: usize): bool {
  const count = load<u32>(piece, P_CORNERS);
  if (count >= PIECE_CORNERS) return false;
  const theirs = scratch + FOUND_DISTANCES;
  let first: usize = 0;
  for (let i: u32 = 1; i < count; i++) if (load<f64>(theirs + 8 * <usize>i) > load<f64>(theirs + 8 * first)) first = i;
  const near = load<u32>(scratch + CORNER_NEAREST + 4 * first);
  if (near == NONE || near == found) return false;
  apart(piece, near);
  let isAbove = false, isBelow = false;
  const d = load<f64>(theirs + 8 * first);
  for (let i: usize = 0; i < <usize>count; i++) {
    const h = load<f64>(theirs + 8 * i) - load<f64>(scratch + DISTANCES + 8 * i);
    store<f64>(scratch + HEIGHTS + 8 * i, h);
    if (h > LEVEL * d) isAbove = true;
    if (h < -LEVEL * d) isBelow = true;
  }
  if (!isAbove || !isBelow) return false;
  cut(piece, other);
  store<u32>(piece, near, P_TRIANGLE);
  store<u32>(other, found, P_TRIANGLE);
  return true;
}
/** The least differences of distances, in units of the largest, for which a piece is cut between two triangles. */
const LEVEL: f64 = 0.05;

/** Halves a piece across its longest side; false if it is small compared with its distance. */
function halve(piece: usize, other: usize, d: f64): bool {
  const count = load<u32>(piece, P_CORNERS);
  if (count >= PIECE_CORNERS) return false;
  const space = scratch + SPACE;
  let longest: f64 = 0;
  let from: u32 = 0, to: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const p = space + 24 * <usize>i;
    for (let j = i + 1; j < count; j++) {
      const q = space + 24 * <usize>j;
      const x = load<f64>(q) - load<f64>(p), y = load<f64>(q, 8) - load<f64>(p, 8), z = load<f64>(q, 16) - load<f64>(p, 16);
      const l = x * x + y * y + z * z;
      if (l > longest) { longest = l; from = i; to = j; }
    }
  }
  if (!(longest > SMALL * d * d)) return false;
  const p = space + 24 * <usize>from, q = space + 24 * <usize>to;
  const ux = load<f64>(q) - load<f64>(p), uy = load<f64>(q, 8) - load<f64>(p, 8), uz = load<f64>(q, 16) - load<f64>(p, 16);
  for (let i: u32 = 0; i < count; i++) {
    const r = space + 24 * <usize>i;
    const along = (load<f64>(r) - load<f64>(p)) * ux + (load<f64>(r, 8) - load<f64>(p, 8)) * uy + (load<f64>(r, 16) - load<f64>(p, 16)) * uz;
    store<f64>(scratch + HEIGHTS + 8 * <usize>i, along - 0.5 * longest);
  }
  store<u32>(piece, found, P_TRIANGLE);
  cut(piece, other);
  return true;
}

/** The square of a piece's size, in units of its distance, below which it is not halved. */
const SMALL: f64 = 0.01;

/** Whether the last piece tested is above the line by more than rounding. */
let hangs: bool = false;

/**
 * Computes the heights of a piece's corners over a line. Returns −1 if none is above by more than `width`, 2 if all
 * are, 1 if some are.
 */
function sideOf(piece: usize, ax: f64, ay: f64, ex: f64, ey: f64, width: f64): i32 {
  const count = <usize>load<u32>(piece, P_CORNERS);
  const a = f64x2.replace_lane(f64x2.splat(ax), 1, ay), across = f64x2.replace_lane(f64x2.splat(ey), 1, -ex);
  const thin = blur * (abs(ex) + abs(ey));
  const high = f64x2.splat(width * (abs(ex) + abs(ey))), even = f64x2.splat(thin), low = f64x2.splat(-thin);
  let above = i64x2.splat(0), below = above, over = above;
  let p = piece + P_POINTS, heights = scratch + HEIGHTS;
  for (const last = p + 16 * count - 16; p <= last; p += 32, heights += 16) {
    const one = f64x2.mul(f64x2.sub(v128.load(p), a), across);
    const two = f64x2.mul(f64x2.sub(v128.load(p < last ? p + 16 : p), a), across);
    const h = f64x2.add(v128.shuffle<f64>(one, two, 0, 2), v128.shuffle<f64>(one, two, 1, 3));
    v128.store(heights, h);
    above = v128.or(above, f64x2.gt(h, high));
    over = v128.or(over, f64x2.gt(h, even));
    below = v128.or(below, f64x2.lt(h, low));
  }
  hangs = v128.any_true(over);
  return !v128.any_true(above) ? -1 : v128.any_true(below) ? 1 : 2;
}

/** Cuts a piece where its heights change sign; the part below becomes `other`. */
function cut(piece: usize, other: usize): void {
  const count = load<u32>(piece, P_CORNERS);
  const heights = scratch + HEIGHTS;
  const spare = scratch + SPARE;
  const first = piece + P_POINTS;
  let below = other + P_POINTS, above = spare;
  let own = v128.load(first);
  let h = load<f64>(heights);
  for (let i: u32 = 1; i <= count; i++) {
    const j = i == count ? 0 : <usize>i;
    const next = v128.load(first + 16 * j);
    const g = load<f64>(heights + 8 * j);
    if (h <= 0) { v128.store(below, own); below += 16; }
    if (h >= 0) { v128.store(above, own); above += 16; }
    if ((h < 0 && g > 0) || (h > 0 && g < 0)) {
      const x = f64x2.add(own, f64x2.mul(f64x2.splat(h / (h - g)), f64x2.sub(next, own)));
      v128.store(below, x);
      v128.store(above, x);
      below += 16;
      above += 16;
    }
    own = next;
    h = g;
  }
  let out = first;
  for (let p = spare; p < above; p += 16, out += 16) v128.store(out, v128.load(p));
  store<u32>(piece, <u32>((out - first) >> 4), P_CORNERS);
  store<u32>(other, <u32>((below - other - P_POINTS) >> 4), P_CORNERS);
  store<u32>(other, load<u32>(piece, P_TRIANGLE), P_TRIANGLE);
  store<u32>(other, load<u32>(piece, P_EDGES), P_EDGES);
  store<u32>(other, load<u32>(piece, P_DEPTH), P_DEPTH);
}

/** Writes a piece's corners as points in space. */
function toSpace(piece: usize): void {
  const count = load<u32>(piece, P_CORNERS);
  for (let i: u32 = 0; i < count; i++) {
    const p = piece + P_POINTS + 16 * <usize>i, out = scratch + SPACE + 24 * <usize>i;
    const x = load<f64>(p), y = load<f64>(p, 8);
    store<f64>(out, baseX + x * rightX + y * upX);
    store<f64>(out, baseY + x * rightY + y * upY, 8);
    store<f64>(out, baseZ + x * rightZ + y * upZ, 16);
  }
}
