/**
 * Contacts of two near triangles: vertices against faces and edges against edges, each pair of features where its
 * owners meet.
 *
 * A pair of features counts if their closest points are, or nearly are, a local minimum of the distance of the
 * surfaces: the vector between them leads away from everything around either of them. If it does not, another pair of
 * features keeps them apart. Vertices over faces count whenever they are in front, because the face limits them in any
 * case, unless they leave it over an edge before they would reach its plane. Two triangles are nearest at a vertex of
 * one or at an edge of each, so nothing is nearer than the nearest features. Edges and vertices inside flat facets are
 * skipped; contact-shape.ts (flatnessOf) says what that may change.
 *
 * Layout: see layout.ts. Contacts are appended to the pair's; if there is no room, they are only counted.
 */
import {
  CONTACT_BYTES, CONTACT_LEAF, CORNER, GAP, CONTACT_ID, NORMAL, POINT_A, POINT_B, P_CONTACTS, P_CONTACT_ROOM, P_FOUND, P_POSE, P_ROUND, P_SHAPE_A, P_SHAPE_B, S_CLOSED,
  S_CORNERS, S_EDGE_ENDS, S_EDGE_INWARD, S_EDGE_OF, S_FACET, S_OWNED, S_PLANES, S_SIDES, S_SPOKES, S_SPOKE_START, S_VERTICES, S_WHOLE,
} from './layout';
import { mayOppose, takeCone, writeCone } from './edge-cones';
import { firstLeaf, triangleOf, trianglesNear } from './leaves';

/**
 * How far the vector between closest points may lean from its ideal direction, as a sine: at edges, corners, over
 * faces.
 */
const LEAN_EDGES: f64 = 0.15;
/**
 * Also limited to this share of the bend at an edge: edges of curved surfaces hold objects above them, not ahead of
 * them.
 */
const LEAN_OF_BEND: f64 = 0.25;
const LEAN_CORNERS: f64 = 1e-3;
const LEAN_FACES: f64 = 0.5;
/** A vertex beside a face by less than this share of the reach still counts as over it. */
export const BESIDE: f64 = 0.02;
/** Squared sine of the angle between edges below which they count as parallel: then their ends are used. */
const PARALLEL_SQ: f64 = 1e-10;

// host: OWNS_EDGE
/** Features a triangle owns, by corner or edge i: 1 << i for vertices, 8 << i for convex edges. */
export const OWNS_EDGE: u32 = 8;

// host: VERTEX_A_FACE_B FACE_A_VERTEX_B EDGES VERTEX_A_EDGE_B EDGE_A_VERTEX_B
/** What a contact is of, in the lowest bits of its id. */
const VERTEX_A_FACE_B: u64 = 0;
const FACE_A_VERTEX_B: u64 = 1;
const EDGES: u64 = 2;
const VERTEX_A_EDGE_B: u64 = 3;
const EDGE_A_VERTEX_B: u64 = 4;
const VERTICES: u64 = 5;
const FEATURE_BITS: u64 = 0x7fffff;

let pair: usize = 0;
let a: usize = 0;
let b: usize = 0;
/** The table of the features that count for each triangle. */
let counted: usize = S_OWNED;
let reach: f64 = 0;
/** How far surfaces are from the triangles: that of both. */
let round: f64 = 0;
let beside: f64 = 0;
let still: f64 = 0;
let wayX: f64 = 0; let wayY: f64 = 0; let wayZ: f64 = 0;
// half of the way, in the frames of a and b
let halfX: f64 = 0; let halfY: f64 = 0; let halfZ: f64 = 0;
let ownHalfX: f64 = 0; let ownHalfY: f64 = 0; let ownHalfZ: f64 = 0;
/** Features count only if they are this near each other where b has made half of its way (reachFor). */
export let halfwayReach: f64 = 0;
/** The leaves that are being entered, as contacts name them. */
let inLeafA: u32 = 0;
let inLeafB: u32 = 0;
/** The least squared distance of features so far. */
export let nearestSq: f64 = 0;

// the rotation and translation from b's frame to a's
let r0: f64 = 0; let r1: f64 = 0; let r2: f64 = 0; let r3: f64 = 0; let r4: f64 = 0; let r5: f64 = 0; let r6: f64 = 0; let r7: f64 = 0; let r8: f64 = 0;
let tx: f64 = 0; let ty: f64 = 0; let tz: f64 = 0;
// a point, in the frame of the shape whose face it is near
let px: f64 = 0; let py: f64 = 0; let pz: f64 = 0;
// a closest point of a border, and its position along its side
let cx: f64 = 0; let cy: f64 = 0; let cz: f64 = 0; let along: f64 = 0;

export function beginFeatures(owner: usize): void {
  pair = owner;
  a = load<u32>(owner, P_SHAPE_A);
  b = load<u32>(owner, P_SHAPE_B);
  nearestSq = Infinity;
  round = load<f64>(owner, P_ROUND);
  counted = S_OWNED;
  inLeafA = 0;
  inLeafB = 0;
  const p = owner + P_POSE;
  r0 = load<f64>(p); r1 = load<f64>(p, 8); r2 = load<f64>(p, 16);
  r3 = load<f64>(p, 24); r4 = load<f64>(p, 32); r5 = load<f64>(p, 40);
  r6 = load<f64>(p, 48); r7 = load<f64>(p, 56); r8 = load<f64>(p, 64);
  tx = load<f64>(p, 72); ty = load<f64>(p, 80); tz = load<f64>(p, 88);
  store<u32>(owner, 0, P_FOUND);
}

/**
 * For use where not all near triangles are entered: features count for every triangle that has them, so some occur
 * twice.
 */
export function countAll(): void { counted = S_WHOLE; }

/**
 * Sets how far apart features may be that are entered from now on, while b moves by w = (x, y, z): `within`; and along
 * their normal n `inRest` plus the distance by which they approach. So halfway, features that count are within `inRest`
 * + |w| / 2: of (inRest − n · w) n + w / 2, all but inRest n is w / 2 mirrored, as long as that. And so are those that
 * are within `inRest` now. A vertex may be over a face beside it, by twice that at a corner.
 */
export function reachFor(within: f64, inRest: f64, x: f64, y: f64, z: f64): void {
  reach = within;
  still = inRest; wayX = x; wayY = y; wayZ = z;
  beside = BESIDE * (within - round);
  halfX = 0.5 * x; halfY = 0.5 * y; halfZ = 0.5 * z;
  ownHalfX = r0 * halfX + r3 * halfY + r6 * halfZ; ownHalfY = r1 * halfX + r4 * halfY + r7 * halfZ; ownHalfZ = r2 * halfX + r5 * halfY + r8 * halfZ;
  halfwayReach = inRest + sqrt(halfX * halfX + halfY * halfY + halfZ * halfZ) + 2 * beside;
}

// @ts-ignore: decorator
@inline function table(shape: usize, which: usize): usize { return <usize>load<u32>(shape + which); }
// @ts-ignore: decorator
@inline function vertexAt(shape: usize, v: u32): usize { return table(shape, S_VERTICES) + 24 * <usize>v; }
// @ts-ignore: decorator
@inline function cornerOf(shape: usize, t: u32, i: u32): u32 { return load<u32>(table(shape, S_CORNERS) + 12 * <usize>t + 4 * <usize>i); }
// @ts-ignore: decorator
@inline function next(i: u32): u32 { return i == 2 ? 0 : i + 1; }

/** Writes the cones of a shape's edges. */
export function writeCones(shape: usize, count: u32): void {
  for (let e: u32 = 0; e < count; e++) {
    const m = table(shape, S_EDGE_INWARD) + 48 * <usize>e;
    const bend = bendAt(m);
    writeCone(shape, e, bend, max<f64>(LEAN_CORNERS, min(LEAN_EDGES, LEAN_OF_BEND * bend)));
  }
}

/** Enters the contacts of triangles that are near each other. */
export function enterFeatures(ta: u32, tb: u32): void {
  const ownedA: u32 = load<u8>(table(a, counted) + <usize>ta), ownedB: u32 = load<u8>(table(b, counted) + <usize>tb);
  if ((ownedA | ownedB) == 0) return;
  for (let i: u32 = 0; i < 3; i++) {
    if (((ownedB >> i) & 1) == 0) continue;
    const v = cornerOf(b, tb, i);
    placeOfB(v);
    vertexOfBOver(ta, v);
  }
  for (let i: u32 = 0; i < 3; i++) {
    if (((ownedA >> i) & 1) == 0) continue;
    const v = cornerOf(a, ta, i);
    placeOfA(v);
    vertexOfAOver(tb, v);
  }
  if (ownedA < OWNS_EDGE || ownedB < OWNS_EDGE) return;
  for (let i: u32 = 0; i < 3; i++) {
    if ((ownedA & (OWNS_EDGE << i)) == 0) continue;
    const ea = load<u32>(table(a, S_EDGE_OF) + 12 * <usize>ta + 4 * <usize>i);
    takeCone(a, ea, pair + P_POSE);
    meetEdges(ea, tb, ownedB);
  }
}

/** The same for two leaves, of the triangles that a mask names as nearTriangles does (leaves.ts). */
export function enterLeaves(leafA: usize, leafB: usize, mask: u32): void {
  const ownersA = table(a, counted), ownersB = table(b, counted);
  inLeafA = <u32>(leafA - firstLeaf(a));
  inLeafB = <u32>(leafB - firstLeaf(b));
  for (let j: u32 = 0, near = mask; j < 4; j++, near >>= 1) {
    const tb = triangleOf(leafB, j);
    const owned: u32 = load<u8>(ownersB + <usize>tb) & (OWNS_EDGE - 1);
    if ((near & 0x1111) == 0 || owned == 0) continue;
    for (let i: u32 = 0; i < 3; i++) {
      if (((owned >> i) & 1) == 0) continue;
      const v = cornerOf(b, tb, i);
      placeOfB(v);
      const over = trianglesNear(leafA, px + halfX, py + halfY, pz + halfZ, halfwayReach);
      for (let left = near & 0x1111; left; left &= left - 1) {
        const i = ctz(left) >> 2;
        if (over & (1 << i)) vertexOfBOver(triangleOf(leafA, i), v);
      }
    }
  }
  for (let i: u32 = 0, near = mask; i < 4; i++, near >>= 4) {
    const ta = triangleOf(leafA, i);
    const owned: u32 = load<u8>(ownersA + <usize>ta);
    if ((near & 15) == 0 || owned == 0) continue;
    for (let k: u32 = 0; k < 3; k++) {
      if (((owned >> k) & 1) == 0) continue;
      const v = cornerOf(a, ta, k);
      placeOfA(v);
      const over = trianglesNear(leafB, px - ownHalfX, py - ownHalfY, pz - ownHalfZ, halfwayReach);
      for (let left = near & 15 & over; left; left &= left - 1) vertexOfAOver(triangleOf(leafB, ctz(left)), v);
    }
    for (let k: u32 = 0; k < 3; k++) {
      if ((owned & (OWNS_EDGE << k)) == 0) continue;
      const ea = load<u32>(table(a, S_EDGE_OF) + 12 * <usize>ta + 4 * <usize>k);
      takeCone(a, ea, pair + P_POSE);
      for (let left = near & 15; left; left &= left - 1) {
        const tb = triangleOf(leafB, ctz(left));
        meetEdges(ea, tb, load<u8>(ownersB + <usize>tb));
      }
    }
  }
}

/** Tests an edge of a, whose cone was taken, against those that a triangle of b owns. */
function meetEdges(ea: u32, tb: u32, owned: u32): void {
  for (let i: u32 = 0; i < 3; i++) {
    if ((owned & (OWNS_EDGE << i)) == 0) continue;
    const eb = load<u32>(table(b, S_EDGE_OF) + 12 * <usize>tb + 4 * <usize>i);
    if (mayOppose(b, eb)) edgeEdge(ea, eb);
  }
}

/** Takes a vertex of b, to be tested against triangles of a; and the other way round. */
export function placeOfB(v: u32): void {
  const at = vertexAt(b, v);
  const x = load<f64>(at), y = load<f64>(at, 8), z = load<f64>(at, 16);
  px = r0 * x + r1 * y + r2 * z + tx; py = r3 * x + r4 * y + r5 * z + ty; pz = r6 * x + r7 * y + r8 * z + tz;
}

export function placeOfA(v: u32): void {
  const at = vertexAt(a, v);
  const x = load<f64>(at) - tx, y = load<f64>(at, 8) - ty, z = load<f64>(at, 16) - tz;
  px = r0 * x + r3 * y + r6 * z; py = r1 * x + r4 * y + r7 * z; pz = r2 * x + r5 * y + r8 * z;
}

/** Tests the vertex that was taken. */
export function vertexOfBOver(ta: u32, v: u32): void { vertexFace(a, b, ta, v, false); }
export function vertexOfAOver(tb: u32, v: u32): void { vertexFace(b, a, tb, v, true); }

/**
 * Tests the vertex v of `owner`, at (px, py, pz) in the frame of `face`, against a triangle of that; `swapped` if the
 * vertex is a's.
 */
function vertexFace(face: usize, owner: usize, t: u32, v: u32, swapped: bool): void {
  const plane = table(face, S_PLANES) + 32 * <usize>t;
  if (load<f64>(plane) == 0 && load<f64>(plane, 8) == 0 && load<f64>(plane, 16) == 0) {
    vertexBorder(face, owner, t, v, 7, swapped);
    return;
  }
  const height = load<f64>(plane) * px + load<f64>(plane, 8) * py + load<f64>(plane, 16) * pz - load<f64>(plane, 24);
  if (!(abs(height) <= reach)) return;
  let outside: u32 = 0;
  let least: f64 = Infinity;
  let side = table(face, S_SIDES) + 96 * <usize>t;
  for (let i: u32 = 0; i < 3; i++, side += 32) {
    const d = load<f64>(side) * px + load<f64>(side, 8) * py + load<f64>(side, 16) * pz - load<f64>(side, 24);
    if (d < 0) outside |= 1 << i;
    if (d < least) least = d;
  }
  if (least < -reach) return;
  if (outside == 0) nearestSq = min(nearestSq, height * height);
  else if (least < -beside) { vertexBorder(face, owner, t, v, outside, swapped); return; }
  else {
    borderDistance(face, t, outside);
    // beyond a sharp corner, sides are near on and on
    const dx = px - cx, dy = py - cy, dz = pz - cz;
    if (dx * dx + dy * dy + dz * dz > height * height + 4 * beside * beside) {
      vertexBorder(face, owner, t, v, outside, swapped);
      return;
    }
  }
  if (height <= 0 && load<u32>(face, S_CLOSED) != 0) return;
  const sign: f64 = height < 0 ? -1 : 1;
  const nx = sign * load<f64>(plane), ny = sign * load<f64>(plane, 8), nz = sign * load<f64>(plane, 16);
  if (!leadsAway(owner, v, nx, ny, nz, swapped, LEAN_FACES)) return;
  if (leavesFirst(face, t, nx, ny, nz, sign * height, swapped) && !leadsAway(owner, v, nx, ny, nz, swapped, LEAN_CORNERS)) return;
  const facet = load<u32>(table(face, S_FACET) + 4 * <usize>t);
  const gap = sign * height;
  cx = px - gap * nx; cy = py - gap * ny; cz = pz - gap * nz;
  enter(swapped ? idOf(VERTEX_A_FACE_B, v, facet) : idOf(FACE_A_VERTEX_B, facet, v), owner, v, nx, ny, nz, gap, swapped);
}

/** Whether the point passes over a convex edge of a face before it reaches its plane, or without reaching it. */
function leavesFirst(face: usize, t: u32, nx: f64, ny: f64, nz: f64, gap: f64, swapped: bool): bool {
  const x = swapped ? -(r0 * wayX + r3 * wayY + r6 * wayZ) : wayX, y = swapped ? -(r1 * wayX + r4 * wayY + r7 * wayZ) : wayY;
  const z = swapped ? -(r2 * wayX + r5 * wayY + r8 * wayZ) : wayZ;
  const nearing = -(nx * x + ny * y + nz * z);
  if (nearing <= 0) return false;
  const share = min<f64>(1, (gap - round) / nearing);
  const edges: u32 = load<u8>(table(face, S_WHOLE) + <usize>t);
  let side = table(face, S_SIDES) + 96 * <usize>t;
  for (let i: u32 = 0; i < 3; i++, side += 32) {
    if ((edges & (OWNS_EDGE << i)) == 0) continue;
    const sx = load<f64>(side), sy = load<f64>(side, 8), sz = load<f64>(side, 16);
    if (sx * (px + share * x) + sy * (py + share * y) + sz * (pz + share * z) - load<f64>(side, 24) < -beside) return true;
  }
  return false;
}

/** How far a normal may lean over the faces beside an edge, given the directions into these. */
// @ts-ignore: decorator
@inline function leanOf(m: usize): f64 {
  // surfaces round about their edges touch along a normal of these alone
  if (round > 0) return LEAN_CORNERS;
  return min(LEAN_EDGES, LEAN_OF_BEND * bendAt(m));
}

/** The length of the sum of the directions into the faces beside an edge. */
// @ts-ignore: decorator
@inline function bendAt(m: usize): f64 {
  const x = load<f64>(m) + load<f64>(m, 24), y = load<f64>(m, 8) + load<f64>(m, 32), z = load<f64>(m, 16) + load<f64>(m, 40);
  return sqrt(x * x + y * y + z * z);
}

/** Handles a vertex that is nearest to the border of a face. */
function vertexBorder(face: usize, owner: usize, t: u32, v: u32, outside: u32, swapped: bool): void {
  const side = borderDistance(face, t, outside);
  const dx = px - cx, dy = py - cy, dz = pz - cz;
  const gap = sqrt(dx * dx + dy * dy + dz * dz);
  if (!(gap <= reach) || gap == 0) return;
  const nx = dx / gap, ny = dy / gap, nz = dz / gap;
  const owned: u32 = load<u8>(table(face, counted) + <usize>t);
  let id: f64;
  if (along > 0 && along < 1) {
    if ((owned & (OWNS_EDGE << side)) == 0) return;
    const e = load<u32>(table(face, S_EDGE_OF) + 12 * <usize>t + 4 * <usize>side);
    const m = table(face, S_EDGE_INWARD) + 48 * <usize>e;
    if (nx * load<f64>(m) + ny * load<f64>(m, 8) + nz * load<f64>(m, 16) > LEAN_CORNERS) return;
    if (nx * load<f64>(m, 24) + ny * load<f64>(m, 32) + nz * load<f64>(m, 40) > LEAN_CORNERS) return;
    id = swapped ? idOf(VERTEX_A_EDGE_B, v, e) : idOf(EDGE_A_VERTEX_B, e, v);
  } else {
    const corner = along <= 0 ? side : next(side);
    const w = cornerOf(face, t, corner);
    // of two balls, once is enough
    if (swapped && round > 0) return;
    if (((owned >> corner) & 1) == 0 || !staysAway(face, w, nx, ny, nz)) return;
    id = swapped ? idOf(VERTICES, v, w) : idOf(VERTICES, w, v);
  }
  if (leadsAway(owner, v, nx, ny, nz, swapped, LEAN_CORNERS)) enter(id, owner, v, nx, ny, nz, gap, swapped);
}

/** The closest point on those sides that the point is outside of; returns the side, and updates the least distance. */
function borderDistance(face: usize, t: u32, outside: u32): u32 {
  let bestSq: f64 = Infinity;
  let best: u32 = 0;
  for (let i: u32 = 0; i < 3; i++) {
    if (((outside >> i) & 1) == 0) continue;
    const p = vertexAt(face, cornerOf(face, t, i)), q = vertexAt(face, cornerOf(face, t, next(i)));
    const ex = load<f64>(q) - load<f64>(p), ey = load<f64>(q, 8) - load<f64>(p, 8), ez = load<f64>(q, 16) - load<f64>(p, 16);
    const dx = px - load<f64>(p), dy = py - load<f64>(p, 8), dz = pz - load<f64>(p, 16);
    const long = ex * ex + ey * ey + ez * ez;
    const at = long > 0 ? min<f64>(1, max<f64>(0, (dx * ex + dy * ey + dz * ez) / long)) : 0;
    const rx = dx - at * ex, ry = dy - at * ey, rz = dz - at * ez;
    const sq = rx * rx + ry * ry + rz * rz;
    if (!(sq < bestSq)) continue;
    bestSq = sq;
    best = i;
    along = at;
    cx = px - rx; cy = py - ry; cz = pz - rz;
  }
  nearestSq = min(nearestSq, bestSq);
  return best;
}

export function edgeEdge(ea: u32, eb: u32): void {
  const endsA = table(a, S_EDGE_ENDS) + 8 * <usize>ea, endsB = table(b, S_EDGE_ENDS) + 8 * <usize>eb;
  const p = vertexAt(a, load<u32>(endsA)), p1 = vertexAt(a, load<u32>(endsA, 4));
  const q = vertexAt(b, load<u32>(endsB)), q1 = vertexAt(b, load<u32>(endsB, 4));
  const ux = load<f64>(p1) - load<f64>(p), uy = load<f64>(p1, 8) - load<f64>(p, 8), uz = load<f64>(p1, 16) - load<f64>(p, 16);
  const gx = load<f64>(q), gy = load<f64>(q, 8), gz = load<f64>(q, 16);
  const hx = load<f64>(q1), hy = load<f64>(q1, 8), hz = load<f64>(q1, 16);
  const qx = r0 * gx + r1 * gy + r2 * gz + tx, qy = r3 * gx + r4 * gy + r5 * gz + ty, qz = r6 * gx + r7 * gy + r8 * gz + tz;
  const vx = r0 * hx + r1 * hy + r2 * hz + tx - qx, vy = r3 * hx + r4 * hy + r5 * hz + ty - qy, vz = r6 * hx + r7 * hy + r8 * hz + tz - qz;
  const wx = load<f64>(p) - qx, wy = load<f64>(p, 8) - qy, wz = load<f64>(p, 16) - qz;
  const uu = ux * ux + uy * uy + uz * uz, uv = ux * vx + uy * vy + uz * vz, vv = vx * vx + vy * vy + vz * vz;
  const determinant = uu * vv - uv * uv;
  if (determinant <= PARALLEL_SQ * uu * vv) return;
  const uw = ux * wx + uy * wy + uz * wz, vw = vx * wx + vy * wy + vz * wz;
  const s = (uv * vw - vv * uw) / determinant, t = (uu * vw - uv * uw) / determinant;
  if (s < 0 || s > 1 || t < 0 || t > 1) return;
  const ax = load<f64>(p) + s * ux, ay = load<f64>(p, 8) + s * uy, az = load<f64>(p, 16) + s * uz;
  const dx = qx + t * vx - ax, dy = qy + t * vy - ay, dz = qz + t * vz - az;
  const sq = dx * dx + dy * dy + dz * dz;
  nearestSq = min(nearestSq, sq);
  const gap = sqrt(sq);
  if (!(gap <= reach) || gap == 0) return;
  const nx = dx / gap, ny = dy / gap, nz = dz / gap;
  if (gap > still + nearing(nx, ny, nz)) return;
  const m = table(a, S_EDGE_INWARD) + 48 * <usize>ea, w = table(b, S_EDGE_INWARD) + 48 * <usize>eb;
  const leanA = leanOf(m), leanB = leanOf(w);
  if (nx * load<f64>(m) + ny * load<f64>(m, 8) + nz * load<f64>(m, 16) > leanA) return;
  if (nx * load<f64>(m, 24) + ny * load<f64>(m, 32) + nz * load<f64>(m, 40) > leanA) return;
  const bx = r0 * nx + r3 * ny + r6 * nz, by = r1 * nx + r4 * ny + r7 * nz, bz = r2 * nx + r5 * ny + r8 * nz;
  if (bx * load<f64>(w) + by * load<f64>(w, 8) + bz * load<f64>(w, 16) < -leanB) return;
  if (bx * load<f64>(w, 24) + by * load<f64>(w, 32) + bz * load<f64>(w, 40) < -leanB) return;
  const at = open(idOf(EDGES, ea, eb));
  if (at == 0) return;
  store3(at + POINT_A, ax, ay, az);
  store3(at + POINT_B, (1 - t) * gx + t * hx, (1 - t) * gy + t * hy, (1 - t) * gz + t * hz);
  store3(at + NORMAL, nx, ny, nz);
  store<f64>(at, gap, GAP);
  store<f64>(at, 0, CORNER);
  store<u32>(at, inLeafB, CONTACT_LEAF);
}

/** Whether a direction in the frame of the other shape leads away from all edges of a vertex. */
function leadsAway(owner: usize, v: u32, nx: f64, ny: f64, nz: f64, swapped: bool, lean: f64): bool {
  const x = swapped ? r0 * nx + r1 * ny + r2 * nz : r0 * nx + r3 * ny + r6 * nz;
  const y = swapped ? r3 * nx + r4 * ny + r5 * nz : r1 * nx + r4 * ny + r7 * nz;
  const z = swapped ? r6 * nx + r7 * ny + r8 * nz : r2 * nx + r5 * ny + r8 * nz;
  const starts = table(owner, S_SPOKE_START) + 4 * <usize>v;
  const spokes = table(owner, S_SPOKES);
  const end = spokes + 24 * <usize>load<u32>(starts, 4);
  for (let at = spokes + 24 * <usize>load<u32>(starts); at < end; at += 24) {
    if (x * load<f64>(at) + y * load<f64>(at, 8) + z * load<f64>(at, 16) < -lean) return false;
  }
  return true;
}

/** Whether all edges of a corner lead away from a direction in its own frame. */
function staysAway(shape: usize, w: u32, nx: f64, ny: f64, nz: f64): bool {
  const starts = table(shape, S_SPOKE_START) + 4 * <usize>w;
  const spokes = table(shape, S_SPOKES);
  const end = spokes + 24 * <usize>load<u32>(starts, 4);
  for (let at = spokes + 24 * <usize>load<u32>(starts); at < end; at += 24) {
    if (nx * load<f64>(at) + ny * load<f64>(at, 8) + nz * load<f64>(at, 16) > LEAN_CORNERS) return false;
  }
  return true;
}

/**
 * Enters a vertex against the point (cx, cy, cz), with a normal that leads to it, both in the frame of the other shape.
 */
function enter(id: f64, owner: usize, v: u32, nx: f64, ny: f64, nz: f64, gap: f64, swapped: bool): void {
  // from a to b
  const sx = swapped ? -(r0 * nx + r1 * ny + r2 * nz) : nx, sy = swapped ? -(r3 * nx + r4 * ny + r5 * nz) : ny, sz = swapped ? -(r6 * nx + r7 * ny + r8 * nz) : nz;
  if (gap > still + nearing(sx, sy, sz)) return;
  const at = open(id);
  if (at == 0) return;
  const own = vertexAt(owner, v);
  store3(at + (swapped ? POINT_A : POINT_B), load<f64>(own), load<f64>(own, 8), load<f64>(own, 16));
  store3(at + (swapped ? POINT_B : POINT_A), cx, cy, cz);
  store3(at + NORMAL, sx, sy, sz);
  store<f64>(at, gap, GAP);
  store<f64>(at, swapped ? -1 : 1, CORNER);
  store<u32>(at, swapped ? inLeafA : inLeafB, CONTACT_LEAF);
}

/** The distance by which b approaches along a normal. */
// @ts-ignore: decorator
@inline function nearing(nx: f64, ny: f64, nz: f64): f64 { return max<f64>(0, -(nx * wayX + ny * wayY + nz * wayZ)); }

// @ts-ignore: decorator
@inline function store3(at: usize, x: f64, y: f64, z: f64): void {
  store<f64>(at, x);
  store<f64>(at, y, 8);
  store<f64>(at, z, 16);
}

/** Address for one more contact, or 0 if there is no room. */
function open(id: f64): usize {
  const count = load<u32>(pair, P_FOUND);
  store<u32>(pair, count + 1, P_FOUND);
  if (count >= load<u32>(pair, P_CONTACT_ROOM)) return 0;
  const at = <usize>load<u32>(pair, P_CONTACTS) + CONTACT_BYTES * <usize>count;
  store<f64>(at, id, CONTACT_ID);
  return at;
}

// @ts-ignore: decorator
@inline function idOf(kind: u64, ofA: u32, ofB: u32): f64 {
  return <f64>(kind | ((<u64>ofA & FEATURE_BITS) << 3) | ((<u64>ofB & FEATURE_BITS) << 26));
}
