/**
 * Does a triangle stay out of the interior of a convex hull?
 *
 * Idea: it does when a plane has the hull on one side and the triangle on the other, touching allowed. If there is one,
 * there is one among the planes of the hull's faces, the triangle's own, and those parallel to an edge of each. The
 * first two kinds, and the third where hull and triangle have a vertex in common, are decided by exact signs; among the
 * rest, a direction is searched that certainly separates.
 * Errs: a triangle that is very near without touching may be reported to enter; one that enters is never missed.
 */
import { sideOf } from './side.js';

/** Vertices in `vertices`, three corners per face in `faces`; of dimension 3. */
export interface SolidHull {
  readonly vertices: Int32Array;
  readonly faces: Int32Array;
  /** The result of `facePlanes`. */
  readonly planes: Float64Array;
}

/** Six products, each off by a unit, of coordinates off by one, and the sum: far less than this. */
const PLANE_ERROR = 2 ** -46;

/**
 * Five numbers per face: a normal, the value of its plane, and the difference from it that is certain for points with
 * coordinates up to `most`.
 */
export function facePlanes(x: Float64Array, faces: Int32Array, most: number): Float64Array {
  const planes = new Float64Array((5 * faces.length) / 3);
  for (let f = 0, at = 0; f < faces.length; f += 3, at += 5) {
    const a = 3 * faces[f];
    const b = 3 * faces[f + 1];
    const c = 3 * faces[f + 2];
    const ux = x[b] - x[a];
    const uy = x[b + 1] - x[a + 1];
    const uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a];
    const vy = x[c + 1] - x[a + 1];
    const vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const sum =
      Math.abs(uy * vz) +
      Math.abs(uz * vy) +
      Math.abs(uz * vx) +
      Math.abs(ux * vz) +
      Math.abs(ux * vy) +
      Math.abs(uy * vx);
    planes[at] = nx;
    planes[at + 1] = ny;
    planes[at + 2] = nz;
    planes[at + 3] = nx * x[a] + ny * x[a + 1] + nz * x[a + 2];
    planes[at + 4] = PLANE_ERROR * sum * most;
  }
  return planes;
}

const STEPS = 16;
/** Relative to the coordinates: far more than the rounding of a scalar product. */
const CERTAIN = 2 ** -44;

export function staysOut(x: Float64Array, hull: SolidHull, a: number, b: number, c: number): boolean {
  const { vertices } = hull;
  const faceCount = hull.faces.length / 3;
  for (let f = 0; f < faceCount; f++) {
    if (!isBelow(x, hull, f, a) && !isBelow(x, hull, f, b) && !isBelow(x, hull, f, c)) return true;
  }
  if (isBeside(x, vertices, a, b, c, 0)) return true;
  let shared = 0;
  for (const v of vertices) {
    if (v !== a && v !== b && v !== c) continue;
    shared++;
    const [s, t] = v === a ? [b, c] : v === b ? [c, a] : [a, b];
    if (touchesAt(x, vertices, v, s, t) || touchesAt(x, vertices, v, t, s)) return true;
  }
  return shared === 0 && isApart(x, vertices, a, b, c);
}

function isBelow(x: Float64Array, { faces, planes }: SolidHull, f: number, v: number): boolean {
  const at = 5 * f;
  const over =
    planes[at] * x[3 * v] + planes[at + 1] * x[3 * v + 1] + planes[at + 2] * x[3 * v + 2] - planes[at + 3];
  if (over > planes[at + 4]) return false;
  if (over < -planes[at + 4]) return true;
  const p = faces[3 * f];
  const q = faces[3 * f + 1];
  const r = faces[3 * f + 2];
  return v !== p && v !== q && v !== r && sideOf(x, p, q, r, v) < 0;
}

/**
 * Whether all vertices lie on one side of the plane of a, b, c, or on it: on the given one, or (0) on either. The
 * plane must be one: with points on a line, every vertex would count as on it.
 */
function isBeside(
  x: Float64Array,
  vertices: Int32Array,
  a: number,
  b: number,
  c: number,
  on: number,
): boolean {
  let side = on;
  let some = false;
  for (const v of vertices) {
    if (v === a || v === b || v === c) continue;
    const s = sideOf(x, a, b, c, v);
    if (s === 0) continue;
    some = true;
    if (side === 0) side = s;
    else if (s !== side) return false;
  }
  return some;
}

/** A plane through the common vertex v, the edge to s, and some vertex of the hull, with t on its other side. */
function touchesAt(x: Float64Array, vertices: Int32Array, v: number, s: number, t: number): boolean {
  for (const q of vertices) {
    if (q === v || q === s || q === t) continue;
    const side = sideOf(x, v, s, q, t);
    if (side !== 0 && isBeside(x, vertices, v, s, q, -side)) return true;
  }
  return false;
}

/** Frank and Wolfe's steps towards the shortest vector from hull to triangle, until one of them separates. */
function isApart(x: Float64Array, vertices: Int32Array, a: number, b: number, c: number): boolean {
  const v0 = 3 * vertices[0];
  let dx = (x[3 * a] + x[3 * b] + x[3 * c]) / 3 - x[v0];
  let dy = (x[3 * a + 1] + x[3 * b + 1] + x[3 * c + 1]) / 3 - x[v0 + 1];
  let dz = (x[3 * a + 2] + x[3 * b + 2] + x[3 * c + 2]) / 3 - x[v0 + 2];
  for (let step = 0; step < STEPS; step++) {
    const da = dx * x[3 * a] + dy * x[3 * a + 1] + dz * x[3 * a + 2];
    const db = dx * x[3 * b] + dy * x[3 * b + 1] + dz * x[3 * b + 2];
    const dc = dx * x[3 * c] + dy * x[3 * c + 1] + dz * x[3 * c + 2];
    const least = Math.min(da, db, dc);
    const near = 3 * (da === least ? a : db === least ? b : c);
    let most = -Infinity;
    let far = 0;
    let size = Math.abs(x[near]) + Math.abs(x[near + 1]) + Math.abs(x[near + 2]);
    for (const v of vertices) {
      size = Math.max(size, Math.abs(x[3 * v]) + Math.abs(x[3 * v + 1]) + Math.abs(x[3 * v + 2]));
      const along = dx * x[3 * v] + dy * x[3 * v + 1] + dz * x[3 * v + 2];
      if (along > most) {
        most = along;
        far = 3 * v;
      }
    }
    const slack = CERTAIN * (Math.abs(dx) + Math.abs(dy) + Math.abs(dz)) * size;
    if (least - most > slack) return true;
    // towards the extreme difference: the point of that segment nearest to zero
    const ex = x[near] - x[far] - dx;
    const ey = x[near + 1] - x[far + 1] - dy;
    const ez = x[near + 2] - x[far + 2] - dz;
    const sq = ex * ex + ey * ey + ez * ez;
    const t = -(dx * ex + dy * ey + dz * ez) / sq;
    if (!(t > 0)) return false;
    const share = Math.min(1, t);
    dx += share * ex;
    dy += share * ey;
    dz += share * ez;
  }
  return false;
}
